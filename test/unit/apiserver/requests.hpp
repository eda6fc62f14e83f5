#ifndef KFTRAIN_TEST_UNIT_APISERVER_REQUESTS_HPP
#define KFTRAIN_TEST_UNIT_APISERVER_REQUESTS_HPP

#include "unit/apiserver/sample.hpp"

#include "apiserver/rest/handler.hpp"

namespace sample {

inline kube::http_request request(std::string method, std::string target, std::string body = "",
                                  std::string content_type = "application/json") {
    kube::http_request r;
    r.method = std::move(method);
    r.target = std::move(target);
    r.body = std::move(body);
    if (!r.body.empty()) r.fields.add("content-type", std::move(content_type));
    return r;
}

/// A store behind a handler.
struct served : stored_sample {
    handler requests{store, 3u << 20};

    reply send(kube::http_request const& r, int when = 0) {
        auto out = requests.handle(r, at(when));
        if (out.list) out.body = out.list->rest();
        return out;
    }
    reply send(std::string method, std::string target, std::string body = "",
               std::string content_type = "application/json") {
        return send(request(std::move(method), std::move(target), std::move(body), std::move(content_type)));
    }
};

inline std::string const pods_path = "/api/v1/namespaces/default/pods";
inline std::string const jobs_path = "/apis/kubeflow.org/v1/namespaces/default/pytorchjobs";

inline json::object body_of(reply const& r) { return parse_object(r.body).value(); }
inline std::string member(reply const& r, std::string_view path) {
    auto const body = body_of(r);
    auto const* v = at_path(body, path);
    if (v == nullptr) return {};
    return v->is_string() ? std::string(v->get_string()) : json::serialize(*v);
}

} // namespace sample

#endif
