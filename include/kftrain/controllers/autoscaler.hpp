#ifndef KFTRAIN_CONTROLLERS_AUTOSCALER_HPP
#define KFTRAIN_CONTROLLERS_AUTOSCALER_HPP

/** @file The controller of Kubernetes for HorizontalPodAutoscalers of `autoscaling/v2`. */

#include <kftrain/job/controller_rules.hpp>
#include <kftrain/model/schema.hpp>
#include <kftrain/objects/autoscaling/horizontal_pod_autoscaler.hpp>

#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain::controllers {

/// A kind that autoscalers may scale.
struct scalable_kind {
    scalable_kind(object_type const& t, scale_paths p) : type(&t), paths(std::move(p)) {}

    object_type const* type; ///< static storage duration
    scale_paths paths;       ///< where its subresource `scale` reads and writes
};

/** Scales the targets of autoscalers by metrics whose values are in the annotation `kftrain.local/metrics` of the
    autoscaler, in place of a metrics server: `NAME=VALUE,...` with the name of a resource or metric and its current
    value. The value is the mean over the pods for metrics of the types Resource, ContainerResource and Pods, in percent
    if the target is a Utilization, and the total otherwise.

    As upstream: a tolerance of 10 percent, the largest proposal of all metrics, bounds, stabilization windows, policies
    of `behavior`, conditions and events. Differences: It decides when the autoscaler or its target changes, and every
    15 seconds while the recommended number differs from the current one. The default limits of `behavior` also apply
    without `behavior`. The number of ready pods is that of the status of `scale`. Past recommendations are forgotten
    when the program ends.
    @par Thread safety Safe.
    @par Upstream kubernetes `pkg/controller/podautoscaler/{horizontal,replica_calculator}.go`, v1.31 */
class autoscaler_rules {
public:
    using object = autoscaling::horizontal_pod_autoscaler;
    static constexpr std::string_view name = "horizontal-pod-autoscaler";

    /// `kinds` lists the kinds that may be targets; each `type` has static storage duration.
    explicit autoscaler_rules(std::vector<scalable_kind> kinds);

    std::span<rules::watched const> watches() const noexcept { return rows_; }
    rules::plan make_plan(rules::look<autoscaling::horizontal_pod_autoscaler> const&) const;

private:
    std::vector<scalable_kind> kinds_;
    std::vector<rules::watched> rows_;
};

} // namespace kftrain::controllers

#endif
