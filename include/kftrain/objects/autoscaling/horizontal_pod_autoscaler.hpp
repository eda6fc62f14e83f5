#ifndef KFTRAIN_OBJECTS_AUTOSCALING_HORIZONTAL_POD_AUTOSCALER_HPP
#define KFTRAIN_OBJECTS_AUTOSCALING_HORIZONTAL_POD_AUTOSCALER_HPP

/** @file Horizontal pod autoscalers of `autoscaling/v2`, and the subresource that they write.
    @par Upstream k8s.io/api `autoscaling/v2/types.go`, `autoscaling/v1/types.go`, v0.31 */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/objects/autoscaling/metric.hpp>

namespace kftrain::autoscaling {

/// At most `value` pods, or percent of the pods, within `period_seconds`.
struct hpa_scaling_policy {
    hpa_scaling_policy() = default;

    std::string type;                ///< Pods or Percent
    std::int32_t value = 0;          ///< permitted change, in pods or percent; above 0
    std::int32_t period_seconds = 0; ///< length of the period in seconds; 1 to 1800
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(hpa_scaling_policy, "type", "value", "period_seconds")
KFTRAIN_DESCRIBE(hpa_scaling_policy, (type, value, period_seconds))

/// Limits of the speed of scaling in one direction.
struct hpa_scaling_rules {
    hpa_scaling_rules() = default;

    /// Seconds of past recommendations to consider, 0 to 3600; absent: 0 for scaling up, 300 for scaling down.
    std::optional<std::int32_t> stabilization_window_seconds;
    std::optional<std::string> select_policy; ///< Max (also if absent) or Min of the policies, or Disabled: no scaling
    /// Permitted changes; empty, for scaling up: 4 pods or 100 percent in 15 seconds, for scaling down: 100 percent.
    std::vector<hpa_scaling_policy> policies;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(hpa_scaling_rules, (stabilization_window_seconds, select_policy, policies))

/// Limits of the speed of scaling, by direction.
struct horizontal_pod_autoscaler_behavior {
    horizontal_pod_autoscaler_behavior() = default;

    boxed<hpa_scaling_rules> scale_up;   ///< absent: no stabilization, at most 4 pods or 100 percent in 15 seconds
    boxed<hpa_scaling_rules> scale_down; ///< absent: stabilization over 300 seconds, no other limit
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(horizontal_pod_autoscaler_behavior, (scale_up, scale_down))

/// The object to scale, its bounds and its metrics.
struct horizontal_pod_autoscaler_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(horizontal_pod_autoscaler_spec);

    cross_version_object_reference scale_target_ref; ///< the object whose subresource `scale` is written
    std::optional<std::int32_t> min_replicas;        ///< lower bound; absent means 1
    std::int32_t max_replicas = 0;                   ///< upper bound; not below `min_replicas`
    std::vector<metric_spec> metrics; ///< the largest result wins; empty: 80 percent of the requested cpu
    boxed<horizontal_pod_autoscaler_behavior> behavior; ///< limits of the speed of scaling; absent: the default limits
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(horizontal_pod_autoscaler_spec, "scale_target_ref", "max_replicas")
KFTRAIN_DESCRIBE(horizontal_pod_autoscaler_spec, (scale_target_ref, min_replicas, max_replicas, metrics, behavior))

/// Whether the autoscaler can scale, and whether a bound limits it.
struct horizontal_pod_autoscaler_condition {
    horizontal_pod_autoscaler_condition() = default;

    std::string type;                               ///< AbleToScale, ScalingActive or ScalingLimited
    std::string status;                             ///< True, False or Unknown
    std::optional<time_point> last_transition_time; ///< when `status` last changed
    std::string reason;                             ///< reason of the last change, one word in CamelCase
    std::string message;                            ///< details of the last change, as text
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(horizontal_pod_autoscaler_condition, "type", "status")
KFTRAIN_DESCRIBE(horizontal_pod_autoscaler_condition, (type, status, last_transition_time, reason, message))

/// The state that the autoscaler last observed.
struct horizontal_pod_autoscaler_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(horizontal_pod_autoscaler_status);

    std::optional<std::int64_t> observed_generation; ///< `metadata.generation` that the autoscaler last handled
    std::optional<time_point> last_scale_time;       ///< when the autoscaler last changed the number of pods
    std::int32_t current_replicas = 0;               ///< observed number of pods
    std::int32_t desired_replicas = 0;               ///< computed number of pods
    std::vector<metric_status> current_metrics;      ///< last values of the metrics of the spec
    std::vector<horizontal_pod_autoscaler_condition> conditions; ///< at most one of each type
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(horizontal_pod_autoscaler_status, {.member = "conditions", .merge_key = "type"})
KFTRAIN_REQUIRED(horizontal_pod_autoscaler_status, "desired_replicas")
KFTRAIN_DESCRIBE(horizontal_pod_autoscaler_status, (observed_generation, last_scale_time, current_replicas,
                                                    desired_replicas, current_metrics, conditions))

/// Sets the number of replicas of another object according to metrics.
struct horizontal_pod_autoscaler {
    horizontal_pod_autoscaler() = default;

    static constexpr resource_info resource{"autoscaling", "v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers"};

    object_meta metadata;                    ///< name and namespace; the namespace is that of the scaled object
    horizontal_pod_autoscaler_spec spec;     ///< the requested scaling
    horizontal_pod_autoscaler_status status; ///< observed state, written by the autoscaler
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(horizontal_pod_autoscaler, (metadata, spec, status))

/// The requested size.
struct scale_spec {
    scale_spec() = default;

    std::int32_t replicas = 0; ///< requested number of pods
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(scale_spec, (replicas))

/// The observed size.
struct scale_status {
    scale_status() = default;

    std::int32_t replicas = 0; ///< observed number of pods
    std::string selector;      ///< selects the pods, as text
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(scale_status, "replicas")
KFTRAIN_DESCRIBE(scale_status, (replicas, selector))

/// The subresource through which any scalable kind is scaled.
struct scale {
    scale() = default;

    static constexpr resource_info resource{"autoscaling", "v1", "Scale", ""};

    object_meta metadata; ///< name, namespace and resourceVersion of the scaled object
    scale_spec spec;      ///< the requested size
    scale_status status;  ///< the observed size, written by the controller of the scaled object
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(scale, (metadata, spec, status))

} // namespace kftrain::autoscaling

#endif
