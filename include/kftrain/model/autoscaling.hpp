#ifndef KFTRAIN_MODEL_AUTOSCALING_HPP
#define KFTRAIN_MODEL_AUTOSCALING_HPP

/** @file
    Horizontal pod autoscalers of `autoscaling/v2`.
    @par Upstream k8s.io/api `autoscaling/v2/types.go`, v0.31 */

#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/model/metric.hpp>

namespace kftrain {

struct hpa_scaling_policy {
    hpa_scaling_policy() = default;

    std::string type;
    std::int32_t value = 0;
    std::int32_t period_seconds = 0;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(hpa_scaling_policy, (type, value, period_seconds))

struct hpa_scaling_rules {
    hpa_scaling_rules() = default;

    std::optional<std::int32_t> stabilization_window_seconds;
    std::optional<std::string> select_policy;
    std::vector<hpa_scaling_policy> policies;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(hpa_scaling_rules, (stabilization_window_seconds, select_policy, policies))

struct horizontal_pod_autoscaler_behavior {
    horizontal_pod_autoscaler_behavior() = default;

    boxed<hpa_scaling_rules> scale_up;
    boxed<hpa_scaling_rules> scale_down;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(horizontal_pod_autoscaler_behavior, (scale_up, scale_down))

struct horizontal_pod_autoscaler_spec {
    horizontal_pod_autoscaler_spec() = default;

    cross_version_object_reference scale_target_ref;
    std::optional<std::int32_t> min_replicas;
    std::int32_t max_replicas = 0;
    std::vector<metric_spec> metrics;
    boxed<horizontal_pod_autoscaler_behavior> behavior;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(horizontal_pod_autoscaler_spec, (scale_target_ref, min_replicas, max_replicas, metrics, behavior))

struct horizontal_pod_autoscaler_condition {
    horizontal_pod_autoscaler_condition() = default;

    std::string type;
    std::string status;
    std::optional<time_point> last_transition_time;
    std::string reason;
    std::string message;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(horizontal_pod_autoscaler_condition, (type, status, last_transition_time, reason, message))

struct horizontal_pod_autoscaler_status {
    horizontal_pod_autoscaler_status() = default;

    std::optional<std::int64_t> observed_generation;
    std::optional<time_point> last_scale_time;
    std::int32_t current_replicas = 0;
    std::int32_t desired_replicas = 0;
    std::vector<metric_status> current_metrics;
    std::vector<horizontal_pod_autoscaler_condition> conditions;
    unknown_fields unknown;
};
template <> struct field_rules<horizontal_pod_autoscaler_status> {
    static constexpr std::array<field_rule, 2> list{
        {{.member = "desired_replicas", .always = true}, {.member = "conditions", .merge_key = "type"}}};
};
KFTRAIN_DESCRIBE(horizontal_pod_autoscaler_status, (observed_generation, last_scale_time, current_replicas,
                                                    desired_replicas, current_metrics, conditions))

struct horizontal_pod_autoscaler {
    horizontal_pod_autoscaler() = default;

    static constexpr resource_info resource{"autoscaling", "v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers"};

    object_meta metadata;
    horizontal_pod_autoscaler_spec spec;
    horizontal_pod_autoscaler_status status;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(horizontal_pod_autoscaler, (metadata, spec, status))

} // namespace kftrain

#endif
