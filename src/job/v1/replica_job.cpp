#include "job/v1/replica_job.hpp"

#include "base/ascii.hpp"
#include "base/joined.hpp"
#include "job/v1/labels.hpp"

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

} // namespace kftrain::kubeflow_v1
