#ifndef KFTRAIN_SRC_APISERVER_CHECKS_POD_AMOUNTS_HPP
#define KFTRAIN_SRC_APISERVER_CHECKS_POD_AMOUNTS_HPP

#include "apiserver/text/json_access.hpp"

#include <kftrain/model/meta.hpp>
#include <kftrain/model/quantity.hpp>

#include <string_view>

// The amounts of resources in objects that fit their type. `list` is `requests` or `limits`.
namespace kftrain::apiserver {

/// The amounts of a resource list in an object.
resource_list amounts_in(json::object const& parent, std::string_view list);
/// Those of the member `resources` of a container or a claim.
resource_list container_amounts(json::object const& container, std::string_view list);
/** What a pod needs at most at any time: containers run together, init containers one by one beside those that stay.
    @par Upstream component-helpers `resource/helpers.go`, v0.31 */
resource_list pod_amounts(json::object const& spec, std::string_view list);

} // namespace kftrain::apiserver

#endif
