#ifndef KFTRAIN_SRC_APISERVER_REST_OPEN_API_HPP
#define KFTRAIN_SRC_APISERVER_REST_OPEN_API_HPP

#include <kftrain/apiserver/object_store.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::apiserver {

struct open_api_document {
    std::string content_type = "application/json", text;
};

/** Returns the documents of `/openapi/v3` and of the group versions below it; empty for other paths. They contain what
    `kubectl create` and `apply` read before they send an object: that the server validates its fields. Fields are not
    described. `/openapi/v2`, which kubectl reads about kinds that are not there, has no paths at all.
    @param accept The media types that the client accepts
    @par Upstream kube-openapi `pkg/handler3`; cli-runtime `pkg/resource/query_param_verifier_v3.go`, v0.31 */
std::optional<open_api_document> describe_open_api(object_store const&, std::vector<std::string> const& path,
                                                   std::string_view accept);

} // namespace kftrain::apiserver

#endif
