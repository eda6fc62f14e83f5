#include "job/v1/replica_job.hpp"

#include "base/ascii.hpp"
#include "base/joined.hpp"
#include "base/whole_number.hpp"
#include "job/v1/labels.hpp"
#include "model/rules/namespace_of.hpp"

#include <algorithm>

namespace kftrain::kubeflow_v1 {

replica_spec const* replica_job::spec_of(std::string_view type) const noexcept {
    auto const it = specs.find(type);
    return it == specs.end() ? nullptr : &it->second;
}

std::vector<std::string_view> replica_job::types() const {
    std::vector<std::string_view> result;
    result.reserve(specs.size());
    for (auto type : constants.types)
        if (spec_of(type) != nullptr) result.push_back(type);
    for (auto const& [type, spec] : specs)
        if (std::find(constants.types.begin(), constants.types.end(), type) == constants.types.end())
            result.emplace_back(type);
    return result;
}

std::int64_t replica_job::total_replicas() const noexcept {
    std::int64_t sum = 0;
    for (auto const& [type, spec] : specs) sum += spec.replicas.value_or(1);
    return sum;
}

std::int64_t replica_job::members() const noexcept {
    std::int64_t sum = 0;
    for (auto const& [type, spec] : specs) sum += std::max(spec.replicas.value_or(1), 0);
    return sum;
}

std::int64_t replica_job::most_containers() const noexcept {
    std::size_t most = 0;
    for (auto const& [type, spec] : specs)
        most = std::max(most, spec.template_.spec.containers.size() + spec.template_.spec.init_containers.size());
    return static_cast<std::int64_t>(most);
}

std::string replica_job::name_of(std::string_view type, std::int32_t index) const {
    return has_index(type) ? replica_name(metadata.name, type, index) : metadata.name + '-' + to_lower(type);
}

std::optional<std::int32_t> replica_job::port_of(std::string_view type) const {
    auto const known = ports_.find(type);
    if (known != ports_.end()) return known->second;
    return ports_.emplace(std::string(type), find_port(type)).first->second;
}

std::optional<std::int32_t> replica_job::find_port(std::string_view type) const {
    auto const* spec = spec_of(type);
    if (spec == nullptr) return std::nullopt;
    for (auto const& c : spec->template_.spec.containers) {
        if (c.name != constants.container) continue;
        for (auto const& port : c.ports)
            if (port.name == constants.port_name) return port.container_port_;
    }
    return std::nullopt;
}

void replica_job::note_selector(job_status& s, std::string_view type) const {
    auto const labels = type_labels(*this, type);
    s.replica_statuses[std::string(type)].selector =
        joined(labels, ",", [](auto const& l) { return l.first + "=" + l.second; });
}

std::string replica_job::path_of(std::string_view type) const {
    return std::string("spec.").append(constants.specs_field).append("[").append(type).append("]");
}

std::string replica_name(std::string_view job, std::string_view type, std::int32_t index) {
    std::string name = std::string(job) + '-' + to_lower(type) + '-' + std::to_string(index);
    std::replace(name.begin(), name.end(), '/', '-');
    return name;
}

membership lay_out(replica_job const& job) {
    membership result;
    // Without services only the pods themselves know their names.
    if (!job.constants.own_members) result.domain = namespace_of(job.metadata) + ".svc";
    for (std::string_view type : job.types()) {
        auto& in_common = result.roles.emplace_back();
        in_common.name = type;
        in_common.labels = type_labels(job, type);
        if (job.has_index(type)) in_common.index_label = label::replica_index;
        std::int32_t const count = job.spec_of(type)->replicas.value_or(1);
        for (std::int32_t i = 0; i < count; ++i) {
            auto& m = result.members.emplace_back();
            m.role = type;
            m.index = i;
            m.pod_name = job.name_of(type, i);
        }
    }
    job.assign_ranks(result);
    return result;
}

string_map type_labels(replica_job const& job, std::string_view type) {
    string_map labels;
    labels.emplace(label::operator_name, job.constants.controller);
    labels.emplace(label::job_name, job.metadata.name);
    labels.emplace(label::replica_type, to_lower(type));
    return labels;
}

string_map replica_labels(replica_job const& job, member const& r) {
    string_map labels = type_labels(job, r.role);
    if (job.has_index(r.role)) labels.emplace(label::replica_index, std::to_string(r.index));
    return labels;
}

std::optional<std::int32_t> index_of(object_meta const& meta) noexcept {
    auto const index = read_whole_number<std::int32_t>(label_of(meta, label::replica_index));
    return index && *index >= 0 ? index : std::nullopt;
}

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
