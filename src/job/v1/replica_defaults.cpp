#include "base/ascii.hpp"
#include "job/v1/replica_job.hpp"

#include "job/v1/labels.hpp"

#include <algorithm>

namespace kftrain::kubeflow_v1 {
namespace {

/// A key that differs from a canonical type in case only is moved there.
void canonicalise(replica_spec_map& specs, std::string_view type) {
    for (auto it = specs.begin(); it != specs.end(); ++it) {
        if (it->first == type || to_lower(it->first) != to_lower(type)) continue;
        replica_spec moved = std::move(it->second);
        specs.erase(it);
        specs[std::string(type)] = std::move(moved);
        return;
    }
}

void add_default_port(core::pod_spec& spec, replica_constants const& c) {
    if (spec.containers.empty()) return;
    auto target = std::find_if(spec.containers.begin(), spec.containers.end(),
                               [&](core::container const& x) { return x.name == c.container; });
    if (target == spec.containers.end()) target = spec.containers.begin();
    for (auto const& port : target->ports)
        if (port.name == c.port_name) return;
    core::container_port port;
    port.name = c.port_name;
    port.container_port_ = c.port;
    target->ports.push_back(std::move(port));
}

} // namespace

void set_replica_defaults(run_policy& policy, replica_spec_map& specs, replica_constants const& c,
                          std::span<std::string_view const> spelled) {
    if (!policy.clean_pod_policy) policy.clean_pod_policy = "None";
    for (auto type : spelled) canonicalise(specs, type);
    for (auto& [type, spec] : specs) {
        if (!spec.replicas) spec.replicas = 1;
        if (spec.restart_policy.empty()) spec.restart_policy = c.default_restart_policy;
        add_default_port(spec.template_.spec, c);
    }
}

void set_elastic_bounds(std::optional<std::int32_t>& min, std::optional<std::int32_t>& max,
                        replica_spec_map const& specs) {
    if (min && max) return;
    auto const workers = specs.find("Worker");
    auto const bound = max ? max : min ? min : workers != specs.end() ? workers->second.replicas : std::nullopt;
    min = bound;
    max = bound;
}

} // namespace kftrain::kubeflow_v1
