#include "controllers/autoscaler/metrics.hpp"
#include "model/schema/schema_scale.hpp"

#include <kftrain/controllers/autoscaler.hpp>
#include <kftrain/job/plan.hpp>
#include <kftrain/objects/autoscaling/horizontal_pod_autoscaler.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string_view>
#include <vector>

namespace kftrain::controllers {
namespace autoscalers {
namespace {

/// Memory of an autoscaler.
struct history final : rules::memory {
    struct change {
        std::int32_t replicas = 0; ///< above 0: scaled up
        time_point when;
    };

    /// When each number was last recommended: of equal recommendations only the latest matters.
    std::map<std::int32_t, time_point> recommended;
    std::vector<change> changes;

    /// Removes what no window or period of an autoscaler reaches back to.
    void forget_before(time_point now);
};

/// A number of replicas, and what the conditions say about it.
struct verdict {
    verdict() = default;
    verdict(std::int32_t n, std::string_view r, std::string_view m) : replicas(n), reason(r), message(m) {}

    std::int32_t replicas = 0;
    std::string_view reason, message;
};

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

void history::forget_before(time_point now) {
    std::erase_if(recommended, [&](auto const& r) { return r.second <= now - longest; });
    std::erase_if(changes, [&](change const& c) { return c.when <= now - longest; });
}

/// Within the stabilization windows.
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

/// Within the bounds of the autoscaler and its policies.
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

using hpa = autoscaling::horizontal_pod_autoscaler;

constexpr std::string_view target_row = "target";
constexpr std::chrono::seconds period(15);

void set_condition(hpa& h, std::string_view type, bool holds, std::string_view reason, std::string_view message,
                   time_point now) {
    auto& all = h.status.conditions;
    auto at = std::ranges::find(all, type, &autoscaling::horizontal_pod_autoscaler_condition::type);
    if (at == all.end()) {
        at = all.emplace(all.end());
        at->type = type;
    }
    std::string_view const status = holds ? "True" : "False";
    if (at->status != status) at->last_transition_time = now;
    at->status = status;
    at->reason = reason;
    at->message = message;
}

/// One look at an autoscaler, and what follows from it.
class pass {
public:
    pass(rules::look<hpa> const& look, std::vector<scalable_kind> const& kinds)
        : hpa_(look.object), world_(look.world), kinds_(kinds), now_(look.now), next_(look.object) {
        if (auto const* past = dynamic_cast<history const*>(look.remembered.get())) past_ = *past;
        is_first_ = !look.remembered;
        past_.forget_before(now_);
    }

    rules::plan make() {
        if (!find_target()) return finish();
        set("AbleToScale", true, "SucceededGetScale", "the HPA controller was able to get the target's current scale");
        if (is_first_) past_.recommended[size_.wanted] = now_;
        auto const least = hpa_.spec.min_replicas.value_or(1), most = hpa_.spec.max_replicas;
        next_.status.current_replicas = size_.wanted;
        next_.status.desired_replicas = size_.wanted;
        if (size_.wanted == 0 && least != 0) {
            next_.status.desired_replicas = 0;
            set("ScalingActive", false, "ScalingDisabled",
                "scaling is disabled since the replica count of the target is zero");
        } else if (size_.wanted > most) {
            scale_to(most, "Current number of replicas above Spec.MaxReplicas");
        } else if (size_.wanted < least) {
            scale_to(least, "Current number of replicas below Spec.MinReplicas");
        } else if (auto const best = compute()) {
            follow(*best);
        }
        return finish();
    }

private:
    void set(std::string_view type, bool holds, std::string_view reason, std::string_view message) {
        set_condition(next_, type, holds, reason, message, now_);
    }
    void warn(std::string_view reason, std::string message) {
        events_.actions.emplace_back(rules::emit_event("Warning", std::string(reason), std::move(message)));
    }

    bool has_no_scale(std::string const& why) {
        warn("FailedGetScale", why);
        set("AbleToScale", false, "FailedGetScale",
            "the HPA controller was unable to get the target's current scale: " + why);
        return false;
    }
    bool find_target() {
        auto const& ref = hpa_.spec.scale_target_ref;
        auto const kind = std::ranges::find_if(kinds_, [&](scalable_kind const& k) {
            return k.type->info->kind == ref.kind && k.type->info->api_version() == ref.api_version;
        });
        if (kind == kinds_.end())
            return has_no_scale("no kind with the subresource scale has the kind \"" + ref.kind +
                                "\" and the apiVersion \"" + ref.api_version + "\"");
        auto const objects = world_.all(target_row);
        auto const object =
            std::ranges::find_if(objects, [&](any_object const& o) { return o.type().info == kind->type->info; });
        if (object == objects.end())
            return has_no_scale(std::string(kind->type->info->plural) + "." + std::string(kind->type->info->group) +
                                " \"" + ref.name + "\" not found");
        auto const text = boost::json::parse(object->to_json());
        auto const read = [&](std::string const& path, std::string_view type) {
            return read_scale_path(text.get_object(), path, type).value;
        };
        auto const* const wanted = read(kind->paths.spec_replicas, "int64");
        if (wanted == nullptr)
            return has_no_scale("Internal error occurred: the spec replicas field \"" + kind->paths.spec_replicas +
                                "\" does not exist");
        auto const* const current = read(kind->paths.status_replicas, "int64");
        auto const* const selector =
            kind->paths.label_selector.empty() ? nullptr : read(kind->paths.label_selector, "string");
        size_.wanted = static_cast<std::int32_t>(wanted->get_int64());
        if (current != nullptr) size_.current = static_cast<std::int32_t>(current->get_int64());
        if (selector != nullptr) size_.selector = selector->get_string();
        target_ = rules::target(*kind->type->info, object->metadata());
        return true;
    }

    /// The largest proposal; nothing if there is none, or if a failed metric might prevent scaling down.
    std::optional<proposal> compute() {
        auto const failed = [&](std::string why) {
            warn("FailedComputeMetricsReplicas", std::move(why));
            return std::nullopt;
        };
        if (size_.selector.empty()) {
            warn("SelectorRequired", "selector is required");
            set("ScalingActive", false, "InvalidSelector", "the HPA target's scale is missing a selector");
            return failed("selector is required");
        }
        auto metrics = hpa_.spec.metrics;
        if (metrics.empty()) metrics.push_back(default_metric());
        auto const annotation = hpa_.metadata.annotations.find("kftrain.local/metrics");
        auto const values =
            annotation == hpa_.metadata.annotations.end() ? std::string() : std::string(annotation->second);
        std::optional<proposal> best, fault;
        std::size_t faults = 0;
        next_.status.current_metrics.clear();
        for (auto const& metric : metrics) {
            auto p = propose(metric, size_, values);
            next_.status.current_metrics.push_back(p.status);
            if (!p.failed_reason.empty()) {
                warn(p.failed_reason, p.failure);
                if (faults++ == 0) fault = std::move(p);
            } else if (!best || p.replicas > best->replicas) {
                best = std::move(p);
            }
        }
        if (fault && (!best || best->replicas < size_.wanted)) {
            set("ScalingActive", false, fault->failed_reason,
                "the HPA was unable to compute the replica count: " + fault->failure);
            return failed("invalid metrics (" + std::to_string(faults) + " invalid out of " +
                          std::to_string(metrics.size()) + "), first error is: " + fault->failure);
        }
        set("ScalingActive", true, "ValidMetricFound",
            "the HPA was able to successfully calculate a replica count from " + best->metric);
        return best;
    }

    void follow(proposal const& best) {
        auto const stable = stabilize(hpa_.spec, past_, size_.wanted, best.replicas, now_);
        past_.recommended[best.replicas] = now_;
        set("AbleToScale", true, stable.reason, stable.message);
        auto const limited = limit(hpa_.spec, past_, size_.wanted, stable.replicas, now_);
        set("ScalingLimited", limited.replicas != stable.replicas, limited.reason, limited.message);
        again_ = best.replicas != size_.wanted;
        if (limited.replicas == size_.wanted) return;
        scale_to(limited.replicas,
                 best.replicas > size_.wanted ? best.metric + " above target" : "All metrics below target");
    }

    void scale_to(std::int32_t replicas, std::string const& reason) {
        rules::scale action(target_, replicas);
        action.event.failed_reason = "FailedRescale";
        action.event.failed_text = "{}";
        writes_.actions.emplace_back(std::move(action));
        auto refused = next_;
        set_condition(refused, "AbleToScale", false, "FailedUpdateScale", {}, now_);
        writes_.refused = rules::status_of_refusal(std::move(refused), [](hpa& h, std::string_view message) {
            for (auto& c : h.status.conditions)
                if (c.type == "AbleToScale")
                    c.message = "the HPA controller was unable to update the target scale: " + std::string(message);
        });
        auto const count = std::to_string(replicas);
        events_.actions.emplace_back(
            rules::emit_event("Normal", "SuccessfulRescale", "New size: " + count + "; reason: " + reason));
        set("AbleToScale", true, "SucceededRescale",
            "the HPA controller was able to update the target scale to " + count);
        next_.status.desired_replicas = replicas;
        next_.status.last_scale_time = now_;
        past_.changes.push_back({replicas - size_.wanted, now_});
        again_ = true;
    }

    rules::plan finish() {
        rules::plan plan;
        for (auto* step : {&writes_, &events_})
            if (!step->actions.empty()) plan.steps.push_back(std::move(*step));
        if (!(next_.status == hpa_.status))
            plan.steps.emplace_back().actions.emplace_back(rules::write_status(std::move(next_)));
        if (again_) plan.requeue_at = now_ + period;
        plan.remember = std::make_shared<history const>(std::move(past_));
        return plan;
    }

    hpa const& hpa_;
    rules::world const& world_;
    std::vector<scalable_kind> const& kinds_;
    time_point now_;
    hpa next_;
    history past_;
    target_size size_;
    rules::target target_;
    rules::step writes_;
    rules::step events_;    ///< when all of them were done
    bool is_first_ = false; ///< nothing is remembered
    bool again_ = false;
};

} // namespace
} // namespace autoscalers

using autoscaling::horizontal_pod_autoscaler;

autoscaler_rules::autoscaler_rules(std::vector<scalable_kind> kinds) : kinds_(std::move(kinds)) {
    auto const named = rules::named_by<horizontal_pod_autoscaler>([](horizontal_pod_autoscaler const& h) {
        return std::vector<rules::object_name>{{"", h.spec.scale_target_ref.name}};
    });
    for (auto const& kind : kinds_) rows_.emplace_back(autoscalers::target_row, *kind.type, named);
}

rules::plan autoscaler_rules::make_plan(rules::look<horizontal_pod_autoscaler> const& look) const {
    return look.object.metadata.deletion_timestamp ? rules::plan() : autoscalers::pass(look, kinds_).make();
}

} // namespace kftrain::controllers
