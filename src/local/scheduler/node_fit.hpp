#ifndef KFTRAIN_SRC_LOCAL_SCHEDULER_NODE_FIT_HPP
#define KFTRAIN_SRC_LOCAL_SCHEDULER_NODE_FIT_HPP

#include <kftrain/objects/core/node.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace kftrain::local {

/// Resources by name: thousandths of `cpu`, units or bytes of the others.
using amounts = std::map<std::string, std::int64_t, std::less<>>;

amounts amounts_of(resource_list const& resources);
/// Sums and differences are capped to the range of their type.
void add(amounts& to, amounts const& more);
void subtract(amounts& from, amounts const& less);

/** Returns the resources that a pod needs on its node, itself included as `pods`. A container without a request needs
    its limit.
    @par Upstream kubernetes `pkg/api/v1/resource/helpers.go`, v1.31 */
amounts requests_of(core::pod_spec const& pod);

/// Returns whether a taint with this effect keeps the pod away.
bool is_tolerated(core::taint const& taint, std::vector<core::toleration> const& tolerations);

/// Returns whether the node has the labels that `nodeSelector` and the required node affinity of the pod demand.
bool is_selected(core::pod_spec const& pod, core::node const& node);
/// Returns the sum of the weights of the preferred node affinities that the node meets.
std::int64_t preference_of(core::pod_spec const& pod, core::node const& node);
/// Returns `{key: value}` of the first taint that keeps the pod away; empty if there is none.
std::string untolerated_taint(core::pod_spec const& pod, core::node const& node);

/** Returns why the node cannot take the pod, apart from resources, with the message of the scheduler; empty: it can. */
std::string why_not(core::pod_spec const& pod, core::node const& node);

/// Returns `Insufficient cpu` and the like for resources of which less is free than needed; `Too many pods`.
std::vector<std::string> missing_resources(amounts const& needed, amounts const& free);

} // namespace kftrain::local

#endif
