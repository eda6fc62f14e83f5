#ifndef KFTRAIN_SRC_APISERVER_REST_OPEN_API_HPP
#define KFTRAIN_SRC_APISERVER_REST_OPEN_API_HPP

#include "apiserver/json/json_access.hpp"

#include <kftrain/apiserver/object_store.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::apiserver {

struct open_api_document {
    std::string content_type = "application/json", text;
};

/** Makes the documents of `/openapi/v2`, of `/openapi/v3` and of the group versions below it when a client reads them,
    and keeps them until the served kinds change.
    @par Upstream kube-openapi `pkg/handler`, `pkg/handler3` */
class open_api_documents {
public:
    using document = std::shared_ptr<open_api_document const>;

    /** Returns the document at a path; null for other paths.
        @param accept The media types that the client accepts */
    document find(object_store const&, std::vector<std::string> const& path, std::string_view accept);

    /// Bytes of documents that are kept; those beyond it are made for each request.
    static constexpr std::size_t most_bytes = std::size_t{16} << 20U;

private:
    std::uint64_t kinds_ = 0; ///< identifies the kinds that the documents describe
    std::size_t bytes_ = 0;
    std::map<std::string, document> made_; ///< by version and path
};

using served_kind_list = std::vector<resource_definition const*>;

/// Returns `api/v1`, `apis/kubeflow.org/v1`: where requests find a kind.
std::string path_prefix(resource_definition const&);

/** Returns the OpenAPI v3 document of one group version.
    @param kinds Those of the group version
    @par Upstream kube-openapi `pkg/builder3`, apiserver `pkg/endpoints/installer.go`, v0.31 */
json::object describe_v3(object_store const&, served_kind_list const& kinds);

/** Returns the OpenAPI v2 document of all kinds.
    @par Upstream kube-openapi `pkg/builder` */
json::object describe_v2(object_store const&, served_kind_list const& kinds);

} // namespace kftrain::apiserver

#endif
