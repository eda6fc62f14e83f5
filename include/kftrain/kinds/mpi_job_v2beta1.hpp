#ifndef KFTRAIN_KINDS_MPI_JOB_V2BETA1_HPP
#define KFTRAIN_KINDS_MPI_JOB_V2BETA1_HPP

/** @file
    MPIJobs of `kubeflow.org/v2beta1`: a launcher that reaches its workers by ssh.
    @par Upstream mpi-operator v0.8.0 `pkg/apis/kubeflow/v2beta1/types.go` */

#include <kftrain/base/special_members.hpp>
#include <kftrain/job/lint.hpp>
#include <kftrain/job/operator_options.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace kftrain::rules {
class job_rules;
}

namespace kftrain::kubeflow_v2beta1 {

/// The requirements of the gang of a job; the configured gang scheduler determines which fields have an effect.
struct scheduling_policy {
    scheduling_policy() = default;

    /// Number of pods that must fit before any starts; absent: all pods of the job.
    std::optional<std::int32_t> min_available;
    std::string queue;                          ///< for Volcano; empty: the queue in the annotation of the job
    std::optional<resource_list> min_resources; ///< absent: the requests of the pods of `min_available`
    std::string priority_class;                 ///< for Volcano; empty: that of the launcher, then of the workers
    std::optional<std::int32_t> schedule_timeout_seconds; ///< for scheduler-plugins; absent means 0
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(scheduling_policy, (min_available, queue, min_resources, priority_class, schedule_timeout_seconds))

/// The limits, clean-up, suspension and gang scheduling of a job.
struct run_policy {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(run_policy);

    std::optional<std::string> clean_pod_policy; ///< for the workers: All, Running or None (also if absent)
    /// Seconds from the end until the launcher is deleted; the job itself stays. Absent: never.
    std::optional<std::int32_t> ttl_seconds_after_finished;
    /// Seconds from its start until the launcher fails; absent: no limit.
    std::optional<std::int64_t> active_deadline_seconds;
    std::optional<std::int32_t> backoff_limit; ///< failed pods of the launcher; absent means 6
    /// Settings of the gang; without effect unless the operator schedules gangs.
    boxed<kubeflow_v2beta1::scheduling_policy> scheduling_policy;
    std::optional<bool> suspend; ///< if true, the launcher is suspended and workers are deleted; absent means false
    /// `kubeflow.org/mpi-operator` (also if absent) or `kueue.x-k8s.io/multikueue`.
    std::optional<std::string> managed_by;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(run_policy, (clean_pod_policy, ttl_seconds_after_finished, active_deadline_seconds, backoff_limit,
                              scheduling_policy, suspend, managed_by))

/// Pods of one replica type, made from one template.
struct replica_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(replica_spec);

    std::optional<std::int32_t> replicas; ///< absent means 1 for the launcher and 0 for workers, which is rejected
    core::pod_template_spec template_;    ///< its restartPolicy is replaced by `restart_policy`
    std::string restart_policy;           ///< Never or OnFailure; empty: OnFailure for the launcher, Never for workers
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(replica_spec, (replicas, template_, restart_policy))

/// By type, `Launcher` or `Worker`; others are ignored. References to elements stay valid when others are added.
using replica_spec_map = std::map<std::string, replica_spec, std::less<>>;

/// The specification of an MPIJob.
struct mpi_job_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(mpi_job_spec);

    std::optional<std::int32_t> slots_per_worker; ///< processes on each host; absent means 1
    std::optional<bool> run_launcher_as_worker;   ///< the launcher is the first of the hosts; absent means false
    kubeflow_v2beta1::run_policy run_policy;      ///< limits, clean-up, suspension and gang scheduling
    replica_spec_map mpi_replica_specs;           ///< Launcher and Worker; Launcher must exist, with 1 replica
    std::string ssh_auth_mount_path;              ///< directory of the keys in the pods; empty means /root/.ssh
    std::string launcher_creation_policy;         ///< AtStartup (also if empty) or WaitForWorkersReady
    std::string mpi_implementation;               ///< OpenMPI (also if empty), Intel or MPICH
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(mpi_job_spec, (slots_per_worker, run_launcher_as_worker, run_policy, mpi_replica_specs,
                                ssh_auth_mount_path, launcher_creation_policy, mpi_implementation))

/// A state of a job.
struct job_condition {
    job_condition() = default;

    std::string type;    ///< Created, Running, Succeeded, Suspended or Failed; Restarting is declared and never written
    std::string status;  ///< True, False or Unknown
    std::string reason;  ///< one word in CamelCase, e.g. `MPIJobCreated`
    std::string message; ///< details as text
    std::optional<time_point> last_update_time;     ///< when `status` or `reason` last changed
    std::optional<time_point> last_transition_time; ///< when `status` last changed
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(job_condition, "type", "status")
KFTRAIN_DESCRIBE(job_condition, (type, status, reason, message, last_update_time, last_transition_time))

/// Counts of pods; pending pods are not counted.
struct replica_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(replica_status);

    std::int32_t active = 0;                       ///< running pods
    std::int32_t succeeded = 0;                    ///< for the launcher: 1 after its success
    std::int32_t failed = 0;                       ///< for the launcher: all its failed pods so far
    boxed<kftrain::label_selector> label_selector; ///< declared, never written
    std::string selector;                          ///< declared, never written
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(replica_status, (active, succeeded, failed, label_selector, selector))

/// By replica type; references to elements stay valid as above.
using replica_status_map = std::map<std::string, replica_status, std::less<>>;

/// The observed state of a job.
struct job_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(job_status);

    std::vector<job_condition> conditions;         ///< at most one of each type; the last one that changed comes last
    replica_status_map replica_statuses;           ///< counts of pods by replica type
    std::optional<time_point> start_time;          ///< of the latest run: for a resumed job the time of its resumption
    std::optional<time_point> completion_time;     ///< when the launcher ended; absent before
    std::optional<time_point> last_reconcile_time; ///< declared, never written
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(job_status, {.member = "conditions", .list_keys = "type"})
KFTRAIN_DESCRIBE(job_status, (conditions, replica_statuses, start_time, completion_time, last_reconcile_time))

/** An MPI job: one launcher, which is a Job of Kubernetes, and any number of workers, which are pods that the
    launcher reaches by ssh.
    @par Upstream mpi-operator v0.8.0 `pkg/apis/kubeflow/v2beta1/types.go` */
struct mpi_job {
    mpi_job() = default;

    static constexpr resource_info resource{"kubeflow.org", "v2beta1", "MPIJob", "mpijobs"};

    object_meta metadata; ///< the name prefixes the names of all children, e.g. `<name>-worker-<index>`
    mpi_job_spec spec;    ///< desired state
    job_status status;    ///< observed state, written by the operator
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(mpi_job, (metadata, spec, status))

/// Releases of mpi-operator that treat a job differently. Each one covers the releases up to the next one.
enum class mpi_operator_release : std::uint8_t {
    v0_6_0, ///< workers keep their index even if the launcher works
    v0_7_0, ///< index labels count the launcher; its service publishes hosts that are not ready; cluster domains
    v0_8_0, ///< a resumed launcher gets the scheduling of its template again
    v0_8_2, ///< failed pods of the launcher are replaced; a finished job is not reported as running
};

/** Options of an operator of MPIJobs.
    @par Upstream mpi-operator v0.8.0 `cmd/mpi-operator/app/options/options.go` */
struct mpi_operator_options {
    mpi_operator_options() = default;

    mpi_operator_release release = mpi_operator_release::v0_8_0; ///< release that the rules follow
    /// Empty: pods are scheduled one by one. `volcano`; any other value is the name of a scheduler with the
    /// coscheduling plugin.
    std::string gang_scheduling;
    /// Appended to the names of hosts, e.g. `cluster.local`; empty: names end in `.svc`. Releases before v0.7.0 ignore
    /// it.
    std::string cluster_domain;
    /** If true, scaling down a job that runs its launcher as a worker deletes the workers that upstream deletes:
        since v0.7.0 one too many, which is then created again. Otherwise the workers of the highest index are
        deleted. */
    bool shifted_scale_down = false;
};

/// Sets the fields that the user left out, as the operator does on each pass; idempotent.
/// @par Upstream mpi-operator v0.8.0 `pkg/apis/kubeflow/v2beta1/default.go`
void set_defaults(mpi_job&);

/** Returns every violated rule, in the order and with the messages of the operator; the job must have defaults. There
    is no webhook: servers store such jobs, and the operator raises the event `ValidationError`.
    @par Upstream mpi-operator v0.8.0 `pkg/apis/kubeflow/validation/validation.go` */
issues validate(mpi_job const&);

/// Appends likely mistakes that the operator accepts; the job must have defaults.
void lint(mpi_job const&, issues&);
/// Returns the lint rules of this kind alone.
std::span<lint_rule const> lint_rules() noexcept;

/// Returns all of these as the rules of a kind. Servers store invalid jobs, and an event reports them.
rules::job_rules const& kftrain_job_rules(type_tag<mpi_job>) noexcept;

} // namespace kftrain::kubeflow_v2beta1

namespace kftrain {

using kubeflow_v2beta1::mpi_job;

} // namespace kftrain

#endif
