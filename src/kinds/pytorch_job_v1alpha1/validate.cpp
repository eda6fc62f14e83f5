#include "kinds/pytorch_job_v1alpha1/kind.hpp"

#include <algorithm>

namespace kftrain::kubeflow_v1alpha1 {
namespace {

using namespace pytorch;

issue fault(std::string_view rule, std::string path, std::string message) {
    issue i;
    i.rule = rule;
    i.path = std::move(path);
    i.message = std::move(message);
    return i;
}

/// The set as upstream prints it into its message, which is about sets without a template.
std::string printed(pytorch_replica_spec const& set) {
    std::string text = "{\n";
    if (set.replicas) text += "  \"replicas\": " + std::to_string(*set.replicas) + ",\n";
    if (set.master_port) text += "  \"masterPort\": " + std::to_string(*set.master_port) + ",\n";
    return text + "  \"replicaType\": \"" + type_of(set) + "\"\n}";
}

issue no_template(pytorch_replica_spec const& set, std::string const& path) {
    return fault("pytorch.template", path + ".template", "Replica is missing Template; " + printed(set));
}
issue no_port(std::string const& path) {
    return fault("pytorch.port", path + ".masterPort", "tfReplicaSpec.MasterPort can't be nil.");
}
issue bad_type(pytorch_replica_spec const& set, std::string const& path) {
    return fault("pytorch.replica-type", path + ".replicaType",
                 "tfReplicaSpec.PyTorchReplicaType is " + type_of(set) + " but must be one of [MASTER WORKER]");
}

bool has_main_container(core::pod_spec const& pod) {
    return std::ranges::any_of(pod.containers, [](auto const& c) { return c.name == main_container; });
}

/// Rejects numbers that ended the process of upstream, or that would need too much memory.
void check_count(pytorch_replica_spec const& set, std::string const& path, issues& found) {
    auto const count = set.replicas.value_or(1);
    std::string const at = path + ".replicas";
    if (count < 0)
        found.push_back(
            fault("pytorch.replicas", at, at + ": " + std::to_string(count) + " replicas, expected 0 or more"));
    if (count > most_replicas)
        found.push_back(fault("kftrain.replica-limit", at,
                              at + ": " + std::to_string(count) + " replicas exceed the limit of kftrain, " +
                                  std::to_string(most_replicas)));
}

/// Each pod receives the names of all pods in one container. Even far smaller pods could not start.
void check_environment(pytorch_job_spec const& spec, issues& found) {
    constexpr std::int64_t most_bytes = std::int64_t{1} << 31, name = 64;
    auto const all = world_size(spec.replica_specs);
    if (std::ranges::any_of(found, [](issue const& i) { return i.rule == "kftrain.replica-limit"; })) return;
    if (all > 0 && all > most_bytes / name / all)
        found.push_back(fault("kftrain.environment-limit", "spec.replicaSpecs",
                              "spec.replicaSpecs: " + std::to_string(all) +
                                  " replicas, whose environments list the names of all replicas, take more than " +
                                  std::to_string(most_bytes >> 20) + " MiB of environment"));
}

} // namespace

issues pytorch::spec_faults(pytorch_job_spec const& spec) {
    issues found;
    std::string const policy = "spec.terminationPolicy.master";
    bool const has_policy = spec.termination_policy && spec.termination_policy->master;
    if (!has_policy)
        found.push_back(fault("pytorch.termination-policy", policy,
                              std::string("invalid termination policy: ") +
                                  (spec.termination_policy ? "&{<nil>}" : "<nil>"))); // as Go prints it
    std::string const master = has_policy ? spec.termination_policy->master->replica_name : std::string();
    bool has_master = !has_policy;
    for (std::size_t i = 0; i < spec.replica_specs.size(); ++i) {
        auto const& set = spec.replica_specs[i];
        auto const path = path_of(i);
        has_master = has_master || type_of(set) == master;
        if (!set.template_) found.push_back(no_template(set, path));
        if (!set.master_port) found.push_back(no_port(path));
        if (!is_known(type_of(set))) found.push_back(bad_type(set, path));
        if (set.template_ && !has_main_container(set.template_->spec))
            found.push_back(fault("pytorch.container", path + ".template.spec.containers",
                                  "Replica type " + type_of(set) + " is missing a container named pytorch"));
        check_count(set, path, found);
    }
    if (!has_master) found.push_back(fault("pytorch.master", policy, "Missing ReplicaSpec for master: " + master));
    check_environment(spec, found);
    return found;
}

issues pytorch::set_faults(pytorch_job_spec const& spec) {
    issues found;
    for (std::size_t i = 0; i < spec.replica_specs.size(); ++i) {
        auto const& set = spec.replica_specs[i];
        auto const path = path_of(i);
        if (type_of(set) == master_type && set.replicas.value_or(1) != 1)
            found.push_back(fault("pytorch.master.replicas", path + ".replicas", "The MASTER must have Replicas = 1"));
        if (!set.master_port) found.push_back(no_port(path));
        if (!is_known(type_of(set))) found.push_back(bad_type(set, path));
        if (!set.template_) found.push_back(no_template(set, path)); // upstream's process ends
        check_count(set, path, found);
    }
    check_environment(spec, found);
    return found;
}

issues validate(pytorch_job const& job) {
    issues found = spec_faults(job.spec);
    auto const is_reported = [&](issue const& i) {
        return std::ranges::any_of(found, [&](issue const& o) { return o.rule == i.rule && o.path == i.path; });
    };
    for (auto& i : set_faults(job.spec))
        if (!is_reported(i)) found.push_back(std::move(i));
    return found;
}

} // namespace kftrain::kubeflow_v1alpha1
