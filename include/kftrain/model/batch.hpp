#ifndef KFTRAIN_MODEL_BATCH_HPP
#define KFTRAIN_MODEL_BATCH_HPP

/** @file
    Jobs of `batch/v1`.
    @par Upstream k8s.io/api `batch/v1/types.go`, v0.31 */

#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/model/pod_spec.hpp>
#include <kftrain/model/selector.hpp>

namespace kftrain {

struct pod_failure_policy_on_exit_codes_requirement {
    pod_failure_policy_on_exit_codes_requirement() = default;

    std::optional<std::string> container_name;
    std::string operator_;
    std::vector<std::int32_t> values;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pod_failure_policy_on_exit_codes_requirement, (container_name, operator_, values))

struct pod_failure_policy_on_pod_conditions_pattern {
    pod_failure_policy_on_pod_conditions_pattern() = default;

    std::string type;
    std::string status;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pod_failure_policy_on_pod_conditions_pattern, (type, status))

struct pod_failure_policy_rule {
    pod_failure_policy_rule() = default;

    std::string action;
    boxed<pod_failure_policy_on_exit_codes_requirement> on_exit_codes;
    std::vector<pod_failure_policy_on_pod_conditions_pattern> on_pod_conditions;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pod_failure_policy_rule, (action, on_exit_codes, on_pod_conditions))

struct pod_failure_policy {
    pod_failure_policy() = default;

    std::vector<pod_failure_policy_rule> rules;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pod_failure_policy, (rules))

struct success_policy_rule {
    success_policy_rule() = default;

    std::optional<std::string> succeeded_indexes;
    std::optional<std::int32_t> succeeded_count;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(success_policy_rule, (succeeded_indexes, succeeded_count))

struct success_policy {
    success_policy() = default;

    std::vector<success_policy_rule> rules;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(success_policy, (rules))

struct batch_job_spec {
    batch_job_spec() = default;

    std::optional<std::int32_t> parallelism;
    std::optional<std::int32_t> completions;
    std::optional<std::int64_t> active_deadline_seconds;
    boxed<kftrain::pod_failure_policy> pod_failure_policy;
    boxed<kftrain::success_policy> success_policy;
    std::optional<std::int32_t> backoff_limit;
    std::optional<std::int32_t> backoff_limit_per_index;
    std::optional<std::int32_t> max_failed_indexes;
    boxed<label_selector> selector;
    std::optional<bool> manual_selector;
    pod_template_spec template_;
    std::optional<std::int32_t> ttl_seconds_after_finished;
    std::optional<std::string> completion_mode;
    std::optional<bool> suspend;
    std::optional<std::string> pod_replacement_policy;
    std::optional<std::string> managed_by;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(batch_job_spec,
                 (parallelism, completions, active_deadline_seconds, pod_failure_policy, success_policy, backoff_limit,
                  backoff_limit_per_index, max_failed_indexes, selector, manual_selector, template_,
                  ttl_seconds_after_finished, completion_mode, suspend, pod_replacement_policy, managed_by))

struct batch_job_condition {
    batch_job_condition() = default;

    std::string type;
    std::string status;
    std::optional<time_point> last_probe_time;
    std::optional<time_point> last_transition_time;
    std::string reason;
    std::string message;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(batch_job_condition, (type, status, last_probe_time, last_transition_time, reason, message))

struct uncounted_terminated_pods {
    uncounted_terminated_pods() = default;

    std::vector<std::string> succeeded;
    std::vector<std::string> failed;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(uncounted_terminated_pods, (succeeded, failed))

struct batch_job_status {
    batch_job_status() = default;

    std::vector<batch_job_condition> conditions;
    std::optional<time_point> start_time;
    std::optional<time_point> completion_time;
    std::int32_t active = 0;
    std::int32_t succeeded = 0;
    std::int32_t failed = 0;
    std::optional<std::int32_t> terminating;
    std::string completed_indexes;
    std::optional<std::string> failed_indexes;
    boxed<kftrain::uncounted_terminated_pods> uncounted_terminated_pods;
    std::optional<std::int32_t> ready;
    unknown_fields unknown;
};
template <> struct field_rules<batch_job_status> {
    static constexpr std::array<field_rule, 1> list{{{.member = "conditions", .merge_key = "type"}}};
};
KFTRAIN_DESCRIBE(batch_job_status, (conditions, start_time, completion_time, active, succeeded, failed, terminating,
                                    completed_indexes, failed_indexes, uncounted_terminated_pods, ready))

struct batch_job {
    batch_job() = default;

    static constexpr resource_info resource{"batch", "v1", "Job", "jobs"};

    object_meta metadata;
    batch_job_spec spec;
    batch_job_status status;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(batch_job, (metadata, spec, status))

} // namespace kftrain

#endif
