#include "controllers/autoscaler/speed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kftrain::controllers::autoscalers {
namespace {

using autoscaling::hpa_scaling_policy;
using autoscaling::hpa_scaling_rules;
using seconds = std::chrono::seconds;

constexpr seconds longest(3600);

hpa_scaling_policy policy(std::string type, std::int32_t value) {
    hpa_scaling_policy p;
    p.type = std::move(type);
    p.value = value;
    p.period_seconds = 15;
    return p;
}

/// @par Upstream kubernetes `pkg/apis/autoscaling/v2/defaults.go`, v1.31
hpa_scaling_rules rules_for(autoscaling::horizontal_pod_autoscaler_spec const& spec, bool up) {
    hpa_scaling_rules r;
    if (spec.behavior) {
        auto const& given = up ? spec.behavior->scale_up : spec.behavior->scale_down;
        if (given) r = *given;
    }
    if (!r.stabilization_window_seconds) r.stabilization_window_seconds = up ? 0 : 300;
    if (!r.policies.empty()) return r;
    if (up) r.policies.push_back(policy("Pods", 4));
    r.policies.push_back(policy("Percent", 100));
    return r;
}

/// The most, or least, replicas that the policies permit now.
std::int32_t limit_of(hpa_scaling_rules const& r, bool up, history const& past, std::int32_t current, time_point now) {
    auto const select = r.select_policy.value_or("Max");
    if (select == "Disabled") return current;
    bool const largest = up == (select != "Min");
    std::optional<double> best;
    for (auto const& p : r.policies) {
        double start = current; // replicas at the start of the period
        for (auto const& c : past.changes)
            if (c.when > now - seconds(p.period_seconds)) start -= c.replicas;
        auto const change = p.type == "Percent" ? start * p.value / 100.0 : p.value;
        auto const replicas = up ? std::ceil(start + change) : std::trunc(start - change);
        if (!best || (largest ? replicas > *best : replicas < *best)) best = replicas;
    }
    constexpr double most = std::numeric_limits<std::int32_t>::max();
    auto const found = static_cast<std::int32_t>(std::clamp(best.value_or(current), 0.0, most));
    return up ? std::max(found, current) : std::min(found, current);
}

} // namespace

void history::forget_before(time_point now) {
    std::erase_if(recommended, [&](auto const& r) { return r.second <= now - longest; });
    std::erase_if(changes, [&](change const& c) { return c.when <= now - longest; });
}

verdict stabilize(autoscaling::horizontal_pod_autoscaler_spec const& spec, history const& past, std::int32_t current,
                  std::int32_t wanted, time_point now) {
    auto const window = [&](bool up) { return seconds(*rules_for(spec, up).stabilization_window_seconds); };
    auto const since_up = now - window(true), since_down = now - window(false);
    auto lowest = wanted, highest = wanted;
    for (auto const& [replicas, when] : past.recommended) {
        if (when > since_up) lowest = std::min(lowest, replicas);
        if (when > since_down) highest = std::max(highest, replicas);
    }
    auto const stable = std::min(std::max(current, lowest), highest);
    if (stable == wanted) return {stable, "ReadyForNewScale", "recommended size matches current size"};
    if (wanted >= current)
        return {stable, "ScaleUpStabilized",
                "recent recommendations were lower than current one, applying the lowest recent recommendation"};
    return {stable, "ScaleDownStabilized",
            "recent recommendations were higher than current one, applying the highest recent recommendation"};
}

verdict limit(autoscaling::horizontal_pod_autoscaler_spec const& spec, history const& past, std::int32_t current,
              std::int32_t wanted, time_point now) {
    if (wanted > current) {
        auto const fastest = limit_of(rules_for(spec, true), true, past, current, now);
        if (wanted > std::min(spec.max_replicas, fastest))
            return fastest < spec.max_replicas
                       ? verdict(fastest, "ScaleUpLimit",
                                 "the desired replica count is increasing faster than the maximum scale rate")
                       : verdict(spec.max_replicas, "TooManyReplicas",
                                 "the desired replica count is more than the maximum replica count");
    } else if (wanted < current) {
        auto const fastest = limit_of(rules_for(spec, false), false, past, current, now);
        auto const least = spec.min_replicas.value_or(1);
        if (wanted < std::max(least, fastest))
            return fastest > least
                       ? verdict(fastest, "ScaleDownLimit",
                                 "the desired replica count is decreasing faster than the maximum scale rate")
                       : verdict(least, "TooFewReplicas",
                                 "the desired replica count is less than the minimum replica count");
    }
    return {wanted, "DesiredWithinRange", "the desired count is within the acceptable range"};
}

} // namespace kftrain::controllers::autoscalers
