#include "apiserver/checks/builtin_checks.hpp"

#include "base/is_one_of.hpp"
#include "model/rules/name_syntax.hpp"
#include "objects/pod_resources.hpp"

#include <algorithm>
#include <array>

namespace kftrain::apiserver {
namespace {

void check_policies(json::object const& rules, field_path const& path, field_faults& found) {
    constexpr std::array<std::string_view, 2> types{"Percent", "Pods"};
    auto const* policies = array_in(rules, "policies");
    for (std::size_t i = 0; policies != nullptr && i < policies->size(); ++i) {
        auto const* policy = (*policies)[i].if_object();
        if (policy == nullptr) continue;
        field_path const at(path, "policies", i);
        if (auto const type = text_in(*policy, "type"); !is_one_of(type, types))
            found.unsupported(at.text("type"), type, types);
        for (auto const* name : {"value", "periodSeconds"}) {
            auto const n = integer_in(*policy, name).value_or(0);
            if (n <= 0) found.invalid(at.text(name), n, "must be greater than zero");
            if (n > 1800 && std::string_view(name) == "periodSeconds")
                found.invalid(at.text(name), n, "must be less than or equal to 1800");
        }
    }
}

void check_behavior(json::object const& behavior, field_path const& path, field_faults& found) {
    constexpr std::array<std::string_view, 3> selections{"Disabled", "Max", "Min"};
    for (auto const* direction : {"scaleUp", "scaleDown"}) {
        auto const* rules = object_in(behavior, direction);
        if (rules == nullptr) continue;
        field_path const at(path, direction);
        if (auto const window = integer_in(*rules, "stabilizationWindowSeconds")) {
            auto const field = at.text("stabilizationWindowSeconds");
            if (*window < 0) found.invalid(field, *window, "must be greater than or equal to zero");
            if (*window > 3600) found.invalid(field, *window, "must be less than or equal to 3600");
        }
        if (auto const select = text_in(*rules, "selectPolicy"); !select.empty() && !is_one_of(select, selections))
            found.unsupported(at.text("selectPolicy"), select, selections);
        check_policies(*rules, at, found);
    }
}

json::object const& part_of(json::object const& o, std::string_view name) {
    auto const* part = object_in(o, name);
    return part != nullptr ? *part : empty_object;
}

bool has(json::object const& o, std::string_view name) {
    auto const* value = o.if_contains(key(name));
    return value != nullptr && !value->is_null();
}

/// A text that may stand in a path.
void check_name(json::object const& o, std::string_view name, std::string_view missing, field_path const& at,
                field_faults& found) {
    auto const text = text_in(o, name);
    if (text.empty()) return found.required(at.text(name), missing);
    found.invalid_text(at.text(name), text, path_segment_faults(text));
}

void check_reference(json::object const& reference, field_path const& at, field_faults& found) {
    for (auto const* name : {"kind", "name"}) check_name(reference, name, {}, at, found);
}

void check_target(json::object const& target, field_path const& at, field_faults& found) {
    constexpr std::array<std::string_view, 3> types{"Utilization", "Value", "AverageValue"};
    auto const type = text_in(target, "type");
    if (type.empty()) found.required(at.text("type"), "must specify a metric target type");
    if (!is_one_of(type, types))
        found.invalid_text(at.text("type"), type, "must be either Utilization, Value, or AverageValue");
    for (auto const* name : {"value", "averageValue"}) {
        if (!has(target, name)) continue;
        auto const& value = target.at(name);
        auto const amount =
            quantity::parse(value.is_string() ? std::string(view(value.get_string())) : json::serialize(value));
        if (amount && amount->sign() <= 0)
            found.invalid(at.text(name), std::string_view(go_syntax(*amount, amount->text())), "must be positive");
    }
    if (auto const percent = integer_in(target, "averageUtilization"); percent && *percent < 1)
        found.invalid(at.text("averageUtilization"), *percent, "must be greater than 0");
}

/// How the metrics of one type are described.
struct source_rules {
    std::string_view type, member;
    std::array<std::string_view, 2> amounts; ///< fields of the target of which one must be set
    std::string_view missing;                ///< message about the first of them if none is set
    std::string_view both;                   ///< message about the second of them if both are set; empty: they may be
};

constexpr std::string_view no_amount = "must set either a target raw value or a target utilization";
constexpr std::string_view two_amounts = "may not set both a target raw value and a target utilization";
/// In the order in which the server checks them.
constexpr std::array<source_rules, 5> sources{
    {{"Object", "object", {"averageValue", "value"}, "must set either a target value or averageValue", {}},
     {"External",
      "external",
      {"averageValue", "value"},
      "must set either a target value for metric or a per-pod target",
      "may not set both a target value for metric and a per-pod target"},
     {"Pods", "pods", {"averageValue", "averageValue"}, "must specify a positive target averageValue", {}},
     {"Resource", "resource", {"averageUtilization", "averageValue"}, no_amount, two_amounts},
     {"ContainerResource", "containerResource", {"averageUtilization", "averageValue"}, no_amount, two_amounts}}};
/// In the order in which messages list them.
constexpr std::array<std::string_view, 5> source_types{"ContainerResource", "External", "Object", "Pods", "Resource"};

void check_source(source_rules const& rules, json::object const& source, field_path const& at, field_faults& found) {
    if (rules.type == "Object")
        check_reference(part_of(source, "describedObject"), field_path(at, "describedObject"), found);
    if (rules.type.ends_with("Resource")) {
        if (text_in(source, "name").empty()) found.required(at.text("name"), "must specify a resource name");
    } else {
        check_name(part_of(source, "metric"), "name", "must specify a metric name", field_path(at, "metric"), found);
    }
    if (rules.type == "ContainerResource") {
        auto const container = text_in(source, "container");
        if (container.empty())
            found.required(at.text("container"), "must specify a container");
        else
            found.invalid_text(at.text("container"), container, dns_label_faults(container));
    }
    auto const& target = part_of(source, "target");
    field_path const target_path(at, "target");
    check_target(target, target_path, found);
    bool const first = has(target, rules.amounts[0]), second = has(target, rules.amounts[1]);
    if (!first && !second) found.required(target_path.text(rules.amounts[0]), rules.missing);
    if (first && second && !rules.both.empty()) found.forbidden(target_path.text(rules.amounts[1]), rules.both);
}

/// Of several sources, only the first in the order of the server has its fields checked.
void check_metric(json::object const& metric, field_path const& at, field_faults& found) {
    auto const type = text_in(metric, "type");
    if (type.empty()) found.required(at.text("type"), "must specify a metric source type");
    if (!is_one_of(type, source_types)) found.unsupported(at.text("type"), type, source_types);
    auto const is_present = [&](source_rules const& s) { return has(metric, s.member); };
    if (auto const first = std::ranges::find_if(sources, is_present); first != sources.end())
        check_source(*first, part_of(metric, first->member), field_path(at, first->member), found);
    for (auto const& s : sources)
        if (s.type == type && !is_present(s))
            found.required(at.text(s.member), "must populate information for the given metric source");
    if (std::ranges::count_if(sources, is_present) == 1) return;
    for (auto const& s : sources)
        if (s.type != type && is_present(s))
            found.forbidden(at.text(s.member), "must populate the given metric source only");
}

} // namespace

void check_autoscaler(json::object const& autoscaler, field_faults& found) {
    auto const* given = object_in(autoscaler, "spec");
    auto const& spec = given != nullptr ? *given : empty_object;
    auto const least = integer_in(spec, "minReplicas");
    auto const most = integer_in(spec, "maxReplicas").value_or(0);
    if (least && *least < 1) found.invalid("spec.minReplicas", *least, "must be greater than or equal to 1");
    if (most < 1) found.invalid("spec.maxReplicas", most, "must be greater than 0");
    if (least && most < *least)
        found.invalid("spec.maxReplicas", most, "must be greater than or equal to `minReplicas`");
    check_reference(part_of(spec, "scaleTargetRef"), field_path("spec.scaleTargetRef"), found);
    auto const* metrics = array_in(spec, "metrics");
    field_path const path("spec");
    for (std::size_t i = 0; metrics != nullptr && i < metrics->size(); ++i)
        if (auto const* metric = (*metrics)[i].if_object())
            check_metric(*metric, field_path(path, "metrics", i), found);
    if (auto const* behavior = object_in(spec, "behavior"))
        check_behavior(*behavior, field_path(path, "behavior"), found);
}

void check_endpoint_slice(json::object const* old, json::object const& slice, field_faults& found) {
    constexpr std::array<std::string_view, 3> types{"FQDN", "IPv4", "IPv6"};
    auto const type = text_in(slice, "addressType");
    if (old != nullptr && type != text_in(*old, "addressType"))
        found.invalid_text("addressType", type, "field is immutable");
    if (type.empty())
        found.required("addressType");
    else if (!is_one_of(type, types))
        found.unsupported("addressType", type, types);
}

} // namespace kftrain::apiserver
