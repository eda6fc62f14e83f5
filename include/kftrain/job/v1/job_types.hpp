#ifndef KFTRAIN_JOB_V1_JOB_TYPES_HPP
#define KFTRAIN_JOB_V1_JOB_TYPES_HPP

/** @file Common types of the job kinds of `kubeflow.org/v1`.
    @par Upstream training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/common_types.go` */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/model/selector.hpp>
#include <kftrain/objects/core.hpp>

#include <map>

namespace kftrain::kubeflow_v1 {

struct replica_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(replica_spec);

    std::optional<std::int32_t> replicas;
    core::pod_template_spec template_;
    std::string restart_policy; ///< Always, OnFailure, Never or ExitCode
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
    std::string queue;
    std::optional<resource_list> min_resources; ///< absent: the requests of the pods of `min_available`
    std::string priority_class;
    std::optional<std::int32_t> schedule_timeout_seconds;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(scheduling_policy, (min_available, queue, min_resources, priority_class, schedule_timeout_seconds))

struct run_policy {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(run_policy);

    std::optional<std::string> clean_pod_policy; ///< All, Running or None
    std::optional<std::int32_t> ttl_seconds_after_finished;
    std::optional<std::int64_t> active_deadline_seconds;
    std::optional<std::int32_t> backoff_limit;
    boxed<kubeflow_v1::scheduling_policy> scheduling_policy;
    std::optional<bool> suspend;
    std::optional<std::string> managed_by;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(run_policy, (clean_pod_policy, ttl_seconds_after_finished, active_deadline_seconds, backoff_limit,
                              scheduling_policy, suspend, managed_by))

struct job_condition {
    job_condition() = default;

    std::string type;   ///< Created, Running, Restarting, Succeeded, Suspended or Failed
    std::string status; ///< True, False or Unknown
    std::string reason;
    std::string message;
    std::optional<time_point> last_update_time;
    std::optional<time_point> last_transition_time;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(job_condition, "type", "status")
KFTRAIN_DESCRIBE(job_condition, (type, status, reason, message, last_update_time, last_transition_time))

struct replica_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(replica_status);

    std::int32_t active = 0;
    std::int32_t succeeded = 0;
    std::int32_t failed = 0;
    boxed<kftrain::label_selector> label_selector; ///< from old releases; replaced by `selector`
    std::string selector;                          ///< selects the pods, as text
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(replica_status, (active, succeeded, failed, label_selector, selector))

/// By replica type; references to elements stay valid as above.
using replica_status_map = std::map<std::string, replica_status, std::less<>>;

struct job_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(job_status);

    std::vector<job_condition> conditions;
    replica_status_map replica_statuses;
    std::optional<time_point> start_time;
    std::optional<time_point> completion_time;
    std::optional<time_point> last_reconcile_time;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(job_status, {.member = "conditions", .list_keys = "type"})
KFTRAIN_DESCRIBE(job_status, (conditions, replica_statuses, start_time, completion_time, last_reconcile_time))

} // namespace kftrain::kubeflow_v1

#endif
