#ifndef KFTRAIN_OBJECTS_BATCH_JOB_HPP
#define KFTRAIN_OBJECTS_BATCH_JOB_HPP

/** @file
    Jobs of `batch/v1`.
    @par Upstream k8s.io/api `batch/v1/types.go`, v0.31 */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/model/selector.hpp>
#include <kftrain/objects/core/pod_spec.hpp>

namespace kftrain::batch {

/// Holds if a failed container has such an exit code.
struct pod_failure_policy_on_exit_codes_requirement {
    pod_failure_policy_on_exit_codes_requirement() = default;

    std::optional<std::string> container_name; ///< absent: any container
    std::string operator_;                     ///< In or NotIn
    std::vector<std::int32_t> values;          ///< 1 to 255 exit codes in ascending order; 0 is rejected for In
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(pod_failure_policy_on_exit_codes_requirement, {.member = "values", .list_keys = "*"})
KFTRAIN_REQUIRED(pod_failure_policy_on_exit_codes_requirement, "operator_")
KFTRAIN_DESCRIBE(pod_failure_policy_on_exit_codes_requirement, (container_name, operator_, values))

/// A condition of the failed pod.
struct pod_failure_policy_on_pod_conditions_pattern {
    pod_failure_policy_on_pod_conditions_pattern() = default;

    std::string type;   ///< type of the condition, e.g. `DisruptionTarget`
    std::string status; ///< True (also if empty), False or Unknown
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(pod_failure_policy_on_pod_conditions_pattern, "type", "status")
KFTRAIN_DESCRIBE(pod_failure_policy_on_pod_conditions_pattern, (type, status))

/// Exactly one of the two requirements is set.
struct pod_failure_policy_rule {
    pod_failure_policy_rule() = default;

    std::string action;                                                ///< FailJob, FailIndex, Ignore or Count
    boxed<pod_failure_policy_on_exit_codes_requirement> on_exit_codes; ///< holds for these exit codes
    /// Holds if the pod has one of these conditions.
    std::vector<pod_failure_policy_on_pod_conditions_pattern> on_pod_conditions;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(pod_failure_policy_rule, "action")
KFTRAIN_DESCRIBE(pod_failure_policy_rule, (action, on_exit_codes, on_pod_conditions))

/// The first rule that matches a failed pod applies; without one the failure counts.
struct pod_failure_policy {
    pod_failure_policy() = default;

    std::vector<pod_failure_policy_rule> rules; ///< evaluated in order; at most 20
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pod_failure_policy, (rules))

/// Holds if this number of these indexes has succeeded.
struct success_policy_rule {
    success_policy_rule() = default;

    std::optional<std::string> succeeded_indexes; ///< e.g. `1,3-5`; absent: all
    std::optional<std::int32_t> succeeded_count;  ///< absent: all of the indexes
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(success_policy_rule, (succeeded_indexes, succeeded_count))

/// The job succeeds when one of the rules holds.
struct success_policy {
    success_policy() = default;

    std::vector<success_policy_rule> rules; ///< evaluated in order; at most 20
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(success_policy, (rules))

/// The requested pods of a Job and the conditions of its end.
struct job_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(job_spec);

    std::optional<std::int32_t> parallelism; ///< pods at a time; absent means 1
    std::optional<std::int32_t> completions; ///< absent: one success is enough, and the other pods run to their end
    /// Seconds from the start until the job fails; absent: no limit.
    std::optional<std::int64_t> active_deadline_seconds;
    /// Reactions to failed pods; requires restartPolicy Never.
    boxed<kftrain::batch::pod_failure_policy> pod_failure_policy;
    /// When an Indexed job succeeds early; absent: when it is complete.
    boxed<kftrain::batch::success_policy> success_policy;
    std::optional<std::int32_t> backoff_limit;           ///< failed pods; absent means 6
    std::optional<std::int32_t> backoff_limit_per_index; ///< the same for each index
    /// More failed indexes fail the job; only with `backoff_limit_per_index`.
    std::optional<std::int32_t> max_failed_indexes;
    boxed<label_selector> selector;      ///< selects the pods; see `manual_selector`
    std::optional<bool> manual_selector; ///< if true, `selector` is set by the author, otherwise by the server
    core::pod_template_spec template_;   ///< every pod is made from it; its restartPolicy must be Never or OnFailure
    std::optional<std::int32_t> ttl_seconds_after_finished; ///< time until the finished job is deleted; absent: never
    std::optional<std::string> completion_mode;             ///< NonIndexed or Indexed; absent means NonIndexed
    std::optional<bool> suspend; ///< if true, running pods are deleted and none are created; absent means false
    /// State of a pod when it is replaced: TerminatingOrFailed or Failed; absent means Failed if there is a pod failure
    /// policy, otherwise TerminatingOrFailed.
    std::optional<std::string> pod_replacement_policy;
    std::optional<std::string> managed_by; ///< absent or `kubernetes.io/job-controller`: Kubernetes itself
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(job_spec, "template_")
KFTRAIN_DESCRIBE(job_spec,
                 (parallelism, completions, active_deadline_seconds, pod_failure_policy, success_policy, backoff_limit,
                  backoff_limit_per_index, max_failed_indexes, selector, manual_selector, template_,
                  ttl_seconds_after_finished, completion_mode, suspend, pod_replacement_policy, managed_by))

/// The template of Jobs that another object creates.
struct job_template_spec {
    job_template_spec() = default;

    object_meta metadata; ///< labels and annotations of the Jobs
    job_spec spec;        ///< desired state of the Jobs
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(job_template_spec, (metadata, spec))

/// An observation about a Job.
struct job_condition {
    job_condition() = default;

    std::string type;                          ///< Complete, Failed, Suspended, FailureTarget or SuccessCriteriaMet
    std::string status;                        ///< True, False or Unknown
    std::optional<time_point> last_probe_time; ///< when the condition was last checked
    std::optional<time_point> last_transition_time; ///< when `status` last changed
    std::string reason;  ///< reason of the last change, one word in CamelCase, e.g. `BackoffLimitExceeded`
    std::string message; ///< details of the last change, as text
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(job_condition, "type", "status")
KFTRAIN_DESCRIBE(job_condition, (type, status, last_probe_time, last_transition_time, reason, message))

/// Finished pods that are not yet in the counts, by uid.
struct uncounted_terminated_pods {
    uncounted_terminated_pods() = default;

    std::vector<std::string> succeeded; ///< uids of succeeded pods
    std::vector<std::string> failed;    ///< uids of failed pods
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(uncounted_terminated_pods, {.member = "succeeded", .list_keys = "*"},
                    {.member = "failed", .list_keys = "*"})
KFTRAIN_DESCRIBE(uncounted_terminated_pods, (succeeded, failed))

/// The observed state of a Job.
struct job_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(job_status);

    std::vector<job_condition> conditions; ///< at most one of each type
    /// Start of the current run: set again when the job is resumed; absent while it is suspended.
    std::optional<time_point> start_time;
    std::optional<time_point> completion_time; ///< when the job succeeded; absent for failed jobs
    std::int32_t active = 0;                   ///< pods that are neither finished nor being deleted
    std::int32_t succeeded = 0;                ///< pods that succeeded so far
    std::int32_t failed = 0;                   ///< pods that failed so far
    std::optional<std::int32_t> terminating;   ///< pods that are being deleted
    std::string completed_indexes;             ///< e.g. `1,3-5`
    std::optional<std::string> failed_indexes; ///< e.g. `1,3-5`
    /// Finished pods that are not yet in `succeeded` and `failed`.
    boxed<kftrain::batch::uncounted_terminated_pods> uncounted_terminated_pods;
    std::optional<std::int32_t> ready; ///< active pods that are ready
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(job_status, {.member = "conditions", .merge_key = "type"})
KFTRAIN_DESCRIBE(job_status, (conditions, start_time, completion_time, active, succeeded, failed, terminating,
                              completed_indexes, failed_indexes, uncounted_terminated_pods, ready))

/// Pods that run until a number of them has succeeded.
struct job {
    job() = default;

    static constexpr resource_info resource{"batch", "v1", "Job", "jobs"};

    object_meta metadata; ///< the name prefixes the names of the pods
    job_spec spec;        ///< desired state
    job_status status;    ///< observed state, written by the controller
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(job, (metadata, spec, status))

} // namespace kftrain::batch

#endif
