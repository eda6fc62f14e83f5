#include "job/v1/replica_job.hpp"

#include "base/joined.hpp"
#include "job/contract/field_error.hpp"
#include "model/rules/name_syntax.hpp"

#include <algorithm>
#include <array>

namespace kftrain::kubeflow_v1 {
namespace {

void validate_name(std::string const& name, issues& found) {
    auto const reasons = joined(dns_1035_label_faults(name), ",");
    if (!reasons.empty()) found.push_back(invalid("job.name", "metadata.name", name, "should match: " + reasons));
}

/// What the server of the namespace would have refused; an empty one is still to be filled in.
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

} // namespace

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

void replica_job::find_faults(replica_job const* before, issues& found) const {
    validate_replicas(*this, before, found);
}

} // namespace kftrain::kubeflow_v1
