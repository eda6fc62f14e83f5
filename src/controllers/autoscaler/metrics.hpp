#ifndef KFTRAIN_SRC_CONTROLLERS_AUTOSCALER_METRICS_HPP
#define KFTRAIN_SRC_CONTROLLERS_AUTOSCALER_METRICS_HPP

#include <kftrain/objects/autoscaling/horizontal_pod_autoscaler.hpp>

#include <cstdint>
#include <string>
#include <string_view>

// The number of replicas that a metric demands.
namespace kftrain::controllers::autoscalers {

/// The target as its subresource `scale` shows it.
struct target_size {
    target_size() = default;

    std::int32_t wanted = 0;  ///< spec.replicas
    std::int32_t current = 0; ///< status.replicas
    std::string selector;
};

/// The proposal of one metric.
struct proposal {
    proposal() = default;

    std::int32_t replicas = 0;
    std::string metric;                ///< as events name it
    autoscaling::metric_status status; ///< its current value; without a type if that is not known
    std::string_view failed_reason;    ///< empty: no failure
    std::string failure;
};

/** @param values The annotation with the values of the metrics: `NAME=VALUE,...`
    @par Upstream kubernetes `pkg/controller/podautoscaler/replica_calculator.go`, v1.31 */
proposal propose(autoscaling::metric_spec const&, target_size const&, std::string_view values);

/// The metric of an autoscaler without metrics.
autoscaling::metric_spec default_metric();

} // namespace kftrain::controllers::autoscalers

#endif
