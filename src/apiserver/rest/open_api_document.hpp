#ifndef KFTRAIN_SRC_APISERVER_REST_OPEN_API_DOCUMENT_HPP
#define KFTRAIN_SRC_APISERVER_REST_OPEN_API_DOCUMENT_HPP

#include <kftrain/apiserver/object_store.hpp>

#include "apiserver/text/json_access.hpp"

#include <string>
#include <vector>

namespace kftrain::apiserver {

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
