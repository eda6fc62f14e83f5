#ifndef KFTRAIN_SRC_APISERVER_CHECKS_QUOTA_USAGE_HPP
#define KFTRAIN_SRC_APISERVER_CHECKS_QUOTA_USAGE_HPP

#include <kftrain/apiserver/resource_definition.hpp>
#include <kftrain/objects/core/namespace.hpp>

#include "apiserver/json/json_access.hpp"

#include <string>

// How objects count in quotas. The objects fit their type.
// Upstream: kubernetes `pkg/quota/v1/evaluator/core`, apiserver `pkg/quota/v1/generic/evaluator.go`, v1.31.
namespace kftrain::apiserver {

/// The amounts of an object by the names of quotas: `pods`, `requests.cpu`, `count/pods`.
resource_list quota_usage(resource_definition const&, json::object const& object);
/// Whether the scopes of a quota include an object.
bool quota_includes(core::resource_quota_spec const&, resource_definition const&, json::object const& object);
/// `must specify requests.cpu for: a`, for what a quota counts and containers of a pod leave out; empty if nothing.
std::string quota_omissions(core::resource_quota_spec const&, resource_definition const&, json::object const& object);
/// Whether an update of an object of this kind can need more of a quota: the type of a service may change, and a claim
/// may grow.
bool is_charged_on_update(resource_definition const&);
/** Why a quota does not admit an object, `exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2`; empty
    if it does. `old` is the object before an update, which is counted in `used`; null for a new object.
    @par Upstream apiserver `pkg/admission/plugin/resourcequota/controller.go`, v0.31 */
std::string quota_fault(std::string_view name, core::resource_quota_spec const&, resource_list const& used,
                        resource_definition const&, json::object const& object, json::object const* old);

} // namespace kftrain::apiserver

#endif
