#ifndef KFTRAIN_SRC_APISERVER_REST_DISCOVERY_HPP
#define KFTRAIN_SRC_APISERVER_REST_DISCOVERY_HPP

#include <kftrain/apiserver/object_store.hpp>

#include "apiserver/json/json_access.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::apiserver {

/** Returns the documents of `/version`, `/api`, `/apis` and the paths below them, in the form from before aggregated
    discovery, which every client understands. Empty for other paths.
    @par Upstream apiserver `pkg/endpoints/discovery` */
std::optional<std::string> discover(object_store const&, std::vector<std::string> const& path);

/** Returns the documents of `/api` and `/apis` in the form of aggregated discovery; empty for other paths.
    @param version of the group apidiscovery.k8s.io
    @par Upstream apiserver `pkg/endpoints/discovery/aggregated`, v0.31 */
std::optional<std::string> discover_aggregated(object_store const&, std::vector<std::string> const& path,
                                               std::string_view version);

/// Returns every kind that requests find, in the order of registration.
std::vector<resource_definition const*> served_kinds(object_store const&);

/// Returns the versions of a group, the preferred one first; see version_rank.
std::vector<std::string_view> versions_of_group(std::vector<resource_definition const*> const&, std::string_view group);

/// Returns the verbs of a kind.
json::array verbs_of(resource_definition const&);
std::string singular_of(resource_definition const&);

struct subresource {
    std::string_view name, group, version, kind;
    std::vector<std::string_view> verbs;
};
std::vector<subresource> subresources_of(resource_definition const&);

} // namespace kftrain::apiserver

#endif
