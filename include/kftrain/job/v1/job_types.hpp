#ifndef KFTRAIN_JOB_V1_JOB_TYPES_HPP
#define KFTRAIN_JOB_V1_JOB_TYPES_HPP

/** @file Common types of the job kinds of `kubeflow.org/v1`.
    @par Upstream training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/common_types.go` */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/model/selector.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <map>

namespace kftrain::kubeflow_v1 {

/// Pods of one replica type, made from one template.
struct replica_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(replica_spec);

    std::optional<std::int32_t> replicas; ///< absent means 1, or 0 for Workers of an MPIJob
    core::pod_template_spec template_;    ///< its restartPolicy is replaced by `restart_policy`
    /// Always, OnFailure, Never or ExitCode, which restarts pods only after exit codes of 128 or more. Empty: OnFailure
    /// for PyTorchJob and PaddleJob, otherwise Never.
    std::string restart_policy;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(replica_spec, (replicas, template_, restart_policy))

/// Replica specs by type, e.g. `Master`, `Worker`. References to elements stay valid when others are added.
using replica_spec_map = std::map<std::string, replica_spec, std::less<>>;

/// The requirements of the gang of a job.
struct scheduling_policy {
    scheduling_policy() = default;

    /// Number of pods that must fit before any starts; absent: all pods of the job.
    std::optional<std::int32_t> min_available;
    std::string queue;                          ///< for Volcano; empty means `default`; cannot be changed
    std::optional<resource_list> min_resources; ///< absent: the requests of the pods of `min_available`
    std::string priority_class;                 ///< for Volcano: name of the PriorityClass of the gang
    /// For scheduler-plugins: seconds that placed pods wait for the others; absent: the default of the plugin.
    std::optional<std::int32_t> schedule_timeout_seconds;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(scheduling_policy, (min_available, queue, min_resources, priority_class, schedule_timeout_seconds))

/// The limits, clean-up, suspension and gang scheduling of a job.
struct run_policy {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(run_policy);

    /// Pods that are deleted at the end: All, Running or None (also if absent).
    std::optional<std::string> clean_pod_policy;
    /// Seconds from the end until the job is deleted; absent: never.
    std::optional<std::int32_t> ttl_seconds_after_finished;
    /// Seconds from the start until the job fails; absent: no limit.
    std::optional<std::int64_t> active_deadline_seconds;
    /// The job fails when the containers of its running pods were restarted this often in total; 0: at the first
    /// failure; absent: no limit.
    std::optional<std::int32_t> backoff_limit;
    /// Settings of the gang; without effect unless the operator schedules gangs.
    boxed<kubeflow_v1::scheduling_policy> scheduling_policy;
    std::optional<bool> suspend; ///< if true, running pods are deleted and none are created; absent means false
    /// The controller of the job: `kubeflow.org/training-operator` (also if absent) or `kueue.x-k8s.io/multikueue`.
    std::optional<std::string> managed_by;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(run_policy, (clean_pod_policy, ttl_seconds_after_finished, active_deadline_seconds, backoff_limit,
                              scheduling_policy, suspend, managed_by))

/// A state of a job.
struct job_condition {
    job_condition() = default;

    std::string type;                               ///< Created, Running, Restarting, Succeeded, Suspended or Failed
    std::string status;                             ///< True, False or Unknown
    std::string reason;                             ///< one word in CamelCase, e.g. `PyTorchJobCreated`
    std::string message;                            ///< details as text
    std::optional<time_point> last_update_time;     ///< when `status` or `reason` last changed
    std::optional<time_point> last_transition_time; ///< when `status` last changed
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(job_condition, "type", "status")
KFTRAIN_DESCRIBE(job_condition, (type, status, reason, message, last_update_time, last_transition_time))

/// Counts of the pods of one replica type; pending pods are not counted.
struct replica_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(replica_status);

    std::int32_t active = 0;    ///< running pods, except those that are being deleted
    std::int32_t succeeded = 0; ///< pods in the phase Succeeded
    std::int32_t failed = 0;    ///< pods in the phase Failed, and running pods that are being deleted
    boxed<kftrain::label_selector> label_selector; ///< from old releases; replaced by `selector`
    std::string selector;                          ///< selects the pods, as text
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
    std::optional<time_point> start_time;          ///< start of the job, or its last resumption; absent if it never ran
    std::optional<time_point> completion_time;     ///< end of the job; absent before, and after some failures
    std::optional<time_point> last_reconcile_time; ///< written only while pods wait for their gang
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(job_status, {.member = "conditions", .list_keys = "type"})
KFTRAIN_DESCRIBE(job_status, (conditions, replica_statuses, start_time, completion_time, last_reconcile_time))

} // namespace kftrain::kubeflow_v1

#endif
