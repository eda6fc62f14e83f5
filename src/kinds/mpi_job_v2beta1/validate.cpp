#include "kinds/mpi_job_v2beta1/kind.hpp"

#include "base/joined.hpp"
#include "job/contract/field_error.hpp"
#include "model/rules/name_syntax.hpp"

#include <algorithm>
#include <array>

/** @file
    @par Upstream mpi-operator v0.8.0 `pkg/apis/kubeflow/validation/validation.go` */

namespace kftrain::kubeflow_v2beta1 {
namespace {

/// Numbers have no quotes in messages, unlike texts.
issue invalid_number(std::string_view rule, std::string const& path, std::int64_t value, std::string_view detail) {
    issue i;
    i.rule = rule;
    i.path = path;
    i.message = path + ": Invalid value: " + std::to_string(value) + ": " + std::string(detail);
    return i;
}

/// The longest name of a worker must be a valid host name.
void validate_name(mpi_job const& job, issues& found) {
    std::string const longest = worker_name(job, std::max(worker_count(job), 1) - 1);
    if (auto const reasons = joined(dns_1035_label_faults(longest), ", "); !reasons.empty())
        found.push_back(invalid("mpi.name", "metadata.name", job.metadata.name,
                                "will not able to create pod and service with invalid DNS label " + in_quotes(longest) +
                                    ": " + reasons));
}

void validate_replicas(replica_spec const& spec, std::string const& path, issues& found) {
    static constexpr std::array<std::string_view, 2> known{"Never", "OnFailure"};
    if (!spec.replicas) found.push_back(required("mpi.replicas", path + ".replicas", "must define number of replicas"));
    if (std::ranges::find(known, spec.restart_policy) == known.end())
        found.push_back(unsupported("mpi.restart-policy", path + ".restartPolicy", spec.restart_policy, known));
    if (spec.template_.spec.containers.empty())
        found.push_back(
            required("mpi.containers", path + ".template.spec.containers", "must define at least one container"));
}

void validate_launcher(mpi_job const& job, issues& found) {
    auto const path = path_of(launcher_type);
    auto const* const spec = spec_of(job, launcher_type);
    if (spec == nullptr) {
        found.push_back(required("mpi.launcher", path, "must have Launcher replica spec"));
        return;
    }
    validate_replicas(*spec, path, found);
    if (spec->replicas && *spec->replicas != 1)
        found.push_back(invalid_number("mpi.launcher.replicas", path + ".replicas", *spec->replicas, "must be 1"));
}

void validate_workers(mpi_job const& job, issues& found) {
    auto const path = path_of(worker_type);
    auto const* const spec = spec_of(job, worker_type);
    if (spec == nullptr) return;
    validate_replicas(*spec, path, found);
    if (spec->replicas && *spec->replicas <= 0)
        found.push_back(invalid_number("mpi.worker.replicas", path + ".replicas", *spec->replicas,
                                       "must be greater than or equal to 1"));
    if (spec->replicas && *spec->replicas > most_workers)
        found.push_back(forbidden("kftrain.replica-limit", path + ".replicas",
                                  std::to_string(*spec->replicas) + " replicas exceed the limit of kftrain, " +
                                      std::to_string(most_workers)));
}

template <class Number>
void validate_not_negative(std::string_view rule, std::string const& path, std::optional<Number> const& value,
                           issues& found) {
    if (value && *value < 0) found.push_back(invalid_number(rule, path, *value, "must be greater than or equal to 0"));
}

void validate_policy(run_policy const& policy, issues& found) {
    static constexpr std::array<std::string_view, 3> policies{"All", "None", "Running"};
    static constexpr std::array<std::string_view, 2> managers{own_manager, "kueue.x-k8s.io/multikueue"};
    std::string const path = "spec.runPolicy.";
    if (!policy.clean_pod_policy)
        found.push_back(required("mpi.clean-pod-policy", path + "cleanPodPolicy", "must have clean Pod policy"));
    else if (std::ranges::find(policies, *policy.clean_pod_policy) == policies.end())
        found.push_back(
            unsupported("mpi.clean-pod-policy", path + "cleanPodPolicy", *policy.clean_pod_policy, policies));
    validate_not_negative("mpi.time-to-live", path + "ttlSecondsAfterFinished", policy.ttl_seconds_after_finished,
                          found);
    validate_not_negative("mpi.deadline", path + "activeDeadlineSeconds", policy.active_deadline_seconds, found);
    validate_not_negative("mpi.backoff-limit", path + "backoffLimit", policy.backoff_limit, found);
    if (policy.managed_by && std::ranges::find(managers, *policy.managed_by) == managers.end())
        found.push_back(unsupported("mpi.managed-by", path + "managedBy", *policy.managed_by, managers));
}

issues faults_of(mpi_job const& job, bool has_replica_map) {
    static constexpr std::array<std::string_view, 3> implementations{intel_mpi, mpich, open_mpi};
    issues found;
    auto const& spec = job.spec;
    validate_name(job, found);
    if (has_replica_map) {
        validate_launcher(job, found);
        validate_workers(job, found);
    } else {
        found.push_back(required("mpi.replica-specs", "spec.mpiReplicaSpecs", "must have replica specs"));
    }
    if (!spec.slots_per_worker)
        found.push_back(required("mpi.slots", "spec.slotsPerWorker", "must have number of slots per worker"));
    validate_not_negative("mpi.slots", "spec.slotsPerWorker", spec.slots_per_worker, found);
    validate_policy(spec.run_policy, found);
    if (spec.ssh_auth_mount_path.empty())
        found.push_back(
            required("mpi.ssh-path", "spec.sshAuthMountPath", "must have a mount path for SSH credentials"));
    if (std::ranges::find(implementations, spec.mpi_implementation) == implementations.end())
        found.push_back(
            unsupported("mpi.implementation", "spec.mpiImplementation", spec.mpi_implementation, implementations));
    return found;
}

} // namespace

issues validate(mpi_job const& job) { return faults_of(job, !job.spec.mpi_replica_specs.empty()); }
issues validate_stored(mpi_job const& job) { return faults_of(job, true); }

std::string validation_message(issues const& found) {
    std::string const list = join_errors(found, ", ");
    return event_message("Found validation errors: " + (found.size() > 1 ? "[" + list + "]" : list));
}

/// Upstream: mpi-operator v0.8.0 `pkg/controller/mpi_job_controller.go`, `truncateMessage`, which counts bytes. Here a
/// character is never cut in two.
std::string event_message(std::string text) {
    constexpr std::size_t limit = 1024;
    if (text.size() <= limit) return text;
    std::size_t end = limit - 3;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    return text.replace(end, std::string::npos, "...");
}

} // namespace kftrain::kubeflow_v2beta1
