#ifndef KFTRAIN_SRC_APISERVER_CHECKS_LIMIT_RANGES_HPP
#define KFTRAIN_SRC_APISERVER_CHECKS_LIMIT_RANGES_HPP

#include "apiserver/json/json_access.hpp"

#include <kftrain/model/meta.hpp>
#include <kftrain/model/quantity.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace kftrain::apiserver {

/// Fills in what a LimitRange leaves out: default limits from the maximum, default requests from both and the minimum.
/// @par Upstream kubernetes `pkg/apis/core/v1/defaults.go`, v1.31
void set_limit_range_defaults(json::object& limit_range);
/** Gives the containers of a pod the defaults of a LimitRange, and an annotation that names them.
    @par Upstream kubernetes `plugin/pkg/admission/limitranger/admission.go`, v1.31 */
void apply_limit_range_defaults(json::object const& limit_range, json::object& pod);
/// Returns which limits a pod or a PersistentVolumeClaim violates, in the words of a server. The object must fit its
/// type.
std::vector<std::string> limit_range_faults(json::object const& limit_range, json::object const& object);

// The amounts of resources in objects that fit their type. `list` is `requests` or `limits`.
/// The amounts of a resource list in an object.
resource_list amounts_in(json::object const& parent, std::string_view list);
/// The amounts of the member `resources` of a container or a claim.
resource_list container_amounts(json::object const& container, std::string_view list);
/** The largest amounts of a pod at any time: containers run together, init containers one by one beside sidecars.
    @par Upstream component-helpers `resource/helpers.go`, v0.31 */
resource_list pod_amounts(json::object const& spec, std::string_view list);

} // namespace kftrain::apiserver

#endif
