#include "apiserver/checks/scaling_validation.hpp"

#include "base/is_one_of.hpp"

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
    auto const* target = object_in(spec, "scaleTargetRef");
    for (auto const* name : {"kind", "name"})
        if (target == nullptr || text_in(*target, name).empty())
            found.required("spec.scaleTargetRef." + std::string(name));
    if (auto const* behavior = object_in(spec, "behavior"))
        check_behavior(*behavior, field_path("spec.behavior"), found);
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
