#include "controllers/autoscaler/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace kftrain::controllers::autoscalers {
namespace {

using autoscaling::metric_spec;
using autoscaling::metric_target;
using autoscaling::metric_value_status;

constexpr double tolerance = 0.1;

bool is_tolerated(double ratio) { return std::abs(1.0 - ratio) <= tolerance; }

std::int32_t round_up(double replicas) {
    constexpr double most = std::numeric_limits<std::int32_t>::max();
    return static_cast<std::int32_t>(std::clamp(std::ceil(replicas), 0.0, most));
}

/// The value of a metric in the annotation, or what is wrong with it.
struct metric_value {
    std::optional<quantity> found;
    std::string fault;
};

metric_value value_of(std::string_view values, std::string_view name) {
    auto const where = std::string(name) + " in the annotation kftrain.local/metrics";
    metric_value out;
    for (auto rest = values; !rest.empty();) {
        auto const entry = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(entry.size() + 1, rest.size()));
        auto const equals = entry.rfind('=');
        if (equals == entry.npos || entry.substr(0, equals) != name) continue;
        auto const text = entry.substr(equals + 1);
        out.found = quantity::parse(text);
        if (!out.found || out.found->sign() < 0)
            out.fault = where + ": expected a quantity of at least 0, got \"" + std::string(text) + "\"";
        return out;
    }
    out.fault = "no value of " + where;
    return out;
}

std::string text_of(label_selector const* s) {
    if (s == nullptr) return "nil";
    std::string text = "&LabelSelector{MatchLabels:map[string]string{";
    for (auto const& [key, value] : s->match_labels) text.append(key).append(": ").append(value).append(",");
    return text + "},MatchExpressions:[]LabelSelectorRequirement{},}";
}
std::string external(autoscaling::metric_identifier const& metric) {
    return "external metric " + metric.name + "(" + text_of(metric.selector ? &*metric.selector : nullptr) + ")";
}

/// How a metric is measured.
enum class measure : std::uint8_t {
    mean,  ///< over the pods
    total, ///< of all pods or of another object
};

class calculation {
public:
    calculation(metric_target const& target, target_size const& size, proposal& out, metric_value_status& current)
        : target_(target), size_(size), out_(out), current_(current) {}

    /// False: `fault` says why there is no proposal.
    bool run(measure how, quantity const& value, std::string& fault) {
        if (target_.average_utilization && target_.type == "Utilization")
            return by_utilization(value, *target_.average_utilization, fault);
        if (target_.average_value)
            return how == measure::mean ? by_mean(value, *target_.average_value, fault)
                                        : by_share(value, *target_.average_value, fault);
        if (target_.value && how == measure::total) return by_total(value, *target_.value, fault);
        fault = "invalid target: expected " +
                std::string(how == measure::mean ? "averageUtilization or averageValue" : "value or averageValue");
        return false;
    }

private:
    bool by_utilization(quantity const& value, std::int32_t wanted, std::string& fault) {
        auto const percent = std::min<std::int64_t>(value.value(), std::numeric_limits<std::int32_t>::max());
        current_.average_utilization = static_cast<std::int32_t>(percent);
        return of_pods(static_cast<double>(percent), wanted, fault);
    }
    bool by_mean(quantity const& value, quantity const& wanted, std::string& fault) {
        current_.average_value = value;
        return of_pods(milli(value), milli(wanted), fault);
    }
    /// The pods that do not run yet use nothing.
    bool of_pods(double value, double wanted, std::string& fault) {
        if (!is_positive(wanted, fault)) return false;
        if (size_.current == 0) {
            fault = "did not receive metrics for targeted pods (pods might be unready)";
            return false;
        }
        out_.replicas = is_tolerated(value / wanted) ? size_.wanted : round_up(value / wanted * size_.current);
        return true;
    }
    bool by_total(quantity const& value, quantity const& wanted, std::string& fault) {
        current_.value = value;
        if (!is_positive(milli(wanted), fault)) return false;
        auto const ratio = milli(value) / milli(wanted);
        if (size_.wanted == 0) {
            out_.replicas = round_up(ratio);
        } else if (is_tolerated(ratio)) {
            out_.replicas = size_.wanted;
        } else if (size_.current == 0) {
            fault = "no pods returned by selector while calculating replica count";
            return false;
        } else {
            out_.replicas = round_up(ratio * size_.current);
        }
        return true;
    }
    bool by_share(quantity const& value, quantity const& wanted, std::string& fault) {
        if (!is_positive(milli(wanted), fault)) return false;
        auto const pods = static_cast<double>(size_.current);
        out_.replicas = size_.current;
        if (size_.current == 0 || !is_tolerated(milli(value) / (milli(wanted) * pods)))
            out_.replicas = round_up(milli(value) / milli(wanted));
        if (size_.current > 0)
            current_.average_value = quantity::from_milli(static_cast<std::int64_t>(std::ceil(milli(value) / pods)));
        return true;
    }
    static double milli(quantity const& q) { return static_cast<double>(q.milli_value()); }
    static bool is_positive(double wanted, std::string& fault) {
        if (wanted > 0) return true;
        fault = "invalid target: expected a value above 0";
        return false;
    }

    metric_target const& target_;
    target_size const& size_;
    proposal& out_;
    metric_value_status& current_;
};

} // namespace

proposal propose(metric_spec const& spec, target_size const& size, std::string_view values) {
    proposal out;
    out.status.type = spec.type;
    auto const run = [&](measure how, std::string_view reason, std::string_view what, std::string_view name,
                         metric_target const& target, metric_value_status& current) {
        auto value = value_of(values, name);
        if (value.fault.empty() && calculation(target, size, out, current).run(how, *value.found, value.fault)) return;
        out.failed_reason = reason;
        out.failure = "failed to get " + std::string(what) + ": " + value.fault;
        out.status = autoscaling::metric_status();
    };
    auto const of_resource = [&](auto const& source, auto& status, std::string_view reason, std::string_view what) {
        status.name = source.name;
        out.metric =
            source.name + (source.target.average_value ? " resource" : " resource utilization (percentage of request)");
        run(measure::mean, reason, source.name + std::string(what), source.name, source.target, status.current);
    };
    if (spec.type == "Resource" && spec.resource) {
        of_resource(*spec.resource, out.status.resource.emplace(), "FailedGetResourceMetric", " resource metric value");
    } else if (spec.type == "ContainerResource" && spec.container_resource) {
        auto& status = out.status.container_resource.emplace();
        status.container = spec.container_resource->container;
        of_resource(*spec.container_resource, status, "FailedGetContainerResourceMetric", " container metric value");
    } else if (spec.type == "Pods" && spec.pods) {
        auto& status = out.status.pods.emplace();
        status.metric = spec.pods->metric;
        out.metric = "pods metric " + spec.pods->metric.name;
        run(measure::mean, "FailedGetPodsMetric", "pods metric value", spec.pods->metric.name, spec.pods->target,
            status.current);
    } else if (spec.type == "Object" && spec.object) {
        auto const& source = *spec.object;
        auto& status = out.status.object.emplace();
        status.metric = source.metric;
        status.described_object = source.described_object;
        out.metric = source.target.average_value ? external(source.metric)
                                                 : source.described_object.kind + " metric " + source.metric.name;
        run(measure::total, "FailedGetObjectMetric", "object metric value", source.metric.name, source.target,
            status.current);
    } else if (spec.type == "External" && spec.external) {
        auto& status = out.status.external.emplace();
        status.metric = spec.external->metric;
        out.metric = external(spec.external->metric);
        run(measure::total, "FailedGetExternalMetric", spec.external->metric.name + " external metric value",
            spec.external->metric.name, spec.external->target, status.current);
    } else {
        out.status = autoscaling::metric_status();
        out.failed_reason = "InvalidMetricSourceType";
        out.failure = "unknown metric source type \"" + spec.type + "\"";
    }
    return out;
}

metric_spec default_metric() {
    metric_spec spec;
    spec.type = "Resource";
    auto& cpu = spec.resource.emplace();
    cpu.name = "cpu";
    cpu.target.type = "Utilization";
    cpu.target.average_utilization = 80;
    return spec;
}

} // namespace kftrain::controllers::autoscalers
