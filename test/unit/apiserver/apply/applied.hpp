#ifndef KFTRAIN_TEST_UNIT_APISERVER_APPLY_APPLIED_HPP
#define KFTRAIN_TEST_UNIT_APISERVER_APPLY_APPLIED_HPP

#include "unit/apiserver/requests.hpp"

namespace sample {

/// A server to which configurations are applied.
struct applied : served {
    std::string const maps = "/api/v1/namespaces/default/configmaps";

    reply apply(std::string const& manager, std::string const& path, std::string const& body,
                std::string const& query = "") {
        return send("PATCH", path + "?fieldManager=" + manager + query, body, "application/apply-patch+yaml");
    }
    reply apply_data(std::string const& manager, std::string const& data, std::string const& query = "") {
        return apply(manager, maps + "/m",
                     R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"},"data":)" + data + "}", query);
    }
    reply apply_pod(std::string const& manager, std::string const& spec) {
        return apply(manager, pods_path + "/p",
                     R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":)" + spec + "}");
    }
    std::string data() { return member(send("GET", maps + "/m"), "data"); }
    /// `manager operation fields` of each entry.
    static std::vector<std::string> managers(reply const& r) {
        std::vector<std::string> out;
        auto const body = body_of(r);
        for (auto const& e : body.at("metadata").at("managedFields").as_array())
            out.push_back(std::string(e.at("manager").as_string()) + " " + std::string(e.at("operation").as_string()) +
                          " " + json::serialize(e.at("fieldsV1")));
        return out;
    }
};

} // namespace sample

#endif
