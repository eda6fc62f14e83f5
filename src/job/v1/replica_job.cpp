#include "job/v1/replica_job.hpp"

#include "base/ascii.hpp"
#include "base/joined.hpp"
#include "base/whole_number.hpp"
#include "job/contract/field_error.hpp"
#include "job/v1/labels.hpp"
#include "job/v1/replica_plan.hpp"
#include "job/v1/replica_render.hpp"
#include "model/rules/name_syntax.hpp"
#include "model/rules/namespace_of.hpp"

#include <algorithm>
#include <array>

namespace kftrain::kubeflow_v1 {
namespace {

void validate_name(std::string const& name, issues& found) {
    auto const reasons = joined(dns_1035_label_faults(name), ",");
    if (!reasons.empty()) found.push_back(invalid("job.name", "metadata.name", name, "should match: " + reasons));
}

/// Checks the name as the server does that stores the namespace. An empty name is filled in later.
void validate_namespace(std::string const& name, issues& found) {
    if (name.empty()) return;
    for (auto const& fault : dns_label_faults(name))
        found.push_back(invalid("job.namespace", "metadata.namespace", name, fault));
}

void validate_size(replica_job const& job, issues& found) {
    auto const path = [&] { return std::string("spec.").append(job.constants.specs_field); };
    std::int64_t const members = job.members();
    if (members > job.constants.max_replicas) {
        found.push_back(forbidden("kftrain.replica-limit", path(),
                                  std::to_string(members) + " replicas exceed the limit of kftrain, " +
                                      std::to_string(job.constants.max_replicas)));
        return;
    }
    // With environments of this size no container could start, or no server would store the pod.
    constexpr std::int64_t most_bytes = std::int64_t{1} << 31;
    auto const digits = std::to_string(std::max<std::int64_t>(members - 1, 0)).size();
    auto const name =
        static_cast<std::int64_t>(job.metadata.name.size() + std::string_view("-worker-").size() + digits);
    if (job.names_in_environments() > most_bytes / (name + job.characters_around_name()))
        found.push_back(forbidden("kftrain.environment-limit", path(),
                                  "the environments of " + std::to_string(members) +
                                      " replicas, which list the names of all replicas, take more than " +
                                      std::to_string(most_bytes >> 20) + " MiB"));
}

void validate_manager(replica_job const& job, replica_job const* before, issues& found) {
    if (job.constants.manager == manager_rule::ignored) return;
    auto const& policy = job.policy;
    if (before != nullptr && job.constants.manager == manager_rule::immutable &&
        before->policy.managed_by != policy.managed_by)
        found.push_back(invalid("job.managed-by.immutable", "spec.runPolicy.managedBy",
                                policy.managed_by.value_or("null"), "field is immutable"));
    static constexpr std::array<std::string_view, 2> known{"kubeflow.org/training-operator",
                                                           "kueue.x-k8s.io/multikueue"};
    if (policy.managed_by && std::find(known.begin(), known.end(), *policy.managed_by) == known.end())
        found.push_back(unsupported("job.managed-by", "spec.runPolicy.managedBy", *policy.managed_by, known));
}

void validate_containers(replica_job const& job, std::string_view type, core::pod_spec const& spec, issues& found) {
    auto const path = [&] { return job.path_of(type) + ".template.spec.containers"; };
    if (spec.containers.empty()) found.push_back(required("job.containers", path(), "must be specified"));
    bool named = false;
    for (std::size_t i = 0; i < spec.containers.size(); ++i) {
        auto const& c = spec.containers[i];
        if (c.image.empty())
            found.push_back(
                required("job.container.image", path() + "[" + std::to_string(i) + "].image", "must be required"));
        named = named || c.name == job.constants.container;
    }
    if (named) return;
    auto const& c = job.constants;
    found.push_back(required("job.container.name", path(),
                             "must have at least one container with name " +
                                 (c.quotes_container ? in_quotes(c.container) : std::string(c.container))));
}

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

void replica_job::find_faults(replica_job const* before, issues& found) const {
    validate_replicas(*this, before, found);
}

rules::plan replica_job::plan_of_invalid(issues const& found) const {
    return invalid_plan(std::string(resource.kind) + "FailedValidation", resource.kind, join_errors(found, ", "));
}

void replica_job::render_members(membership const& layout, gang_scheduler const& gang,
                                 std::vector<any_object>& children) const {
    children.reserve(children.size() + 2 * layout.members.size());
    for (auto type : types()) {
        auto const members = layout.of_role(type);
        for (auto const& r : members) children.emplace_back(render_pod(*this, layout, r, gang));
        for (auto const& r : members) children.emplace_back(render_service(*this, r));
    }
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

void validate_bounds(replica_job const& job, issues& found) {
    validate_namespace(job.metadata.namespace_, found);
    validate_size(job, found);
}

void validate_replicas(replica_job const& job, replica_job const* before, issues& found) {
    validate_name(job.metadata.name, found);
    validate_bounds(job, found);
    validate_manager(job, before, found);
    job.validate_spec(found);
    for (auto type : job.types()) {
        replica_spec const& spec = *job.spec_of(type);
        auto const& known = job.constants.types;
        if (!job.constants.any_type && std::find(known.begin(), known.end(), type) == known.end())
            found.push_back(unsupported("job.replica-type", job.path_of(type), type, known));
        validate_containers(job, type, spec.template_.spec, found);
        job.validate_replica(type, spec, found);
    }
    auto const of_entries = found.size();
    job.validate_map(found);
    // An empty map passes admission upstream and the job then never runs: here it is refused, too.
    if (job.specs.empty() && found.size() == of_entries)
        found.push_back(
            required("job.replicas", std::string("spec.").append(job.constants.specs_field), "must be required"));
}

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
