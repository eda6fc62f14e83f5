#include "base/joined.hpp"
#include "model/rules/label_syntax.hpp"
#include "objects/pod_validation/checks.hpp"

#include <array>
#include <set>
#include <utility>

namespace kftrain::pod_checks {
namespace {

constexpr std::array<std::string_view, 2> operators{"Equal", "Exists"};
constexpr std::array<std::string_view, 3> effects{"NoSchedule", "PreferNoSchedule", "NoExecute"};
constexpr std::array<std::string_view, 2> actions{"DoNotSchedule", "ScheduleAnyway"};
constexpr std::array<std::string_view, 2> inclusions{"Honor", "Ignore"};

/// The struct that upstream prints, with the value of what it prints the address of.
std::string go_syntax(core::toleration const& t) {
    return "core.Toleration{Key:" + go_text::quoted(t.key) + ", Operator:" + go_text::quoted(t.operator_) +
           ", Value:" + go_text::quoted(t.value) + ", Effect:" + go_text::quoted(t.effect) +
           ", TolerationSeconds:(*int64)(" +
           (t.toleration_seconds ? std::to_string(*t.toleration_seconds) : std::string("nil")) + ")}";
}

void check_toleration(core::toleration const& t, field_path const& at, field_faults& found) {
    if (!t.key.empty()) found.invalid_text(at.text("key"), t.key, label_key_faults(t.key));
    if (t.key.empty() && t.operator_ != "Exists")
        found.invalid_text(
            at.text("operator"), t.operator_,
            "operator must be Exists when `key` is empty, which means \"match all values and all keys\"");
    if (t.toleration_seconds && t.effect != "NoExecute")
        found.invalid_text(at.text("effect"), t.effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
    if (t.operator_.empty() || t.operator_ == "Equal") {
        auto const why = joined(label_value_faults(t.value), ";");
        if (!why.empty()) found.invalid_text(at.text("operator"), t.value, std::string_view(why));
    } else if (t.operator_ != "Exists") {
        found.unsupported(at.text("operator"), t.operator_, operators);
    } else if (!t.value.empty()) {
        found.invalid(at.text("operator"), std::string_view(go_syntax(t)),
                      "value must be empty when `operator` is 'Exists'");
    }
    if (!t.effect.empty() && !is_one_of(t.effect, effects)) found.unsupported(at.text("effect"), t.effect, effects);
}

void check_keys(core::topology_spread_constraint const& c, field_path const& at, field_faults& found) {
    auto const& keys = c.match_label_keys;
    if (keys.empty()) return;
    std::set<std::string_view> selected;
    if (c.label_selector) {
        for (auto const& [key, value] : c.label_selector->match_labels) selected.insert(key);
        for (auto const& r : c.label_selector->match_expressions) selected.insert(r.key);
    } else {
        found.forbidden(at.text("matchLabelKeys"), "must not be specified when labelSelector is not set");
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
        auto const field = at.text("matchLabelKeys", i);
        found.invalid_text(field, keys[i], label_key_faults(keys[i]));
        if (selected.contains(keys[i]))
            found.invalid_text(field, keys[i], "exists in both matchLabelKeys and labelSelector");
    }
}

void check_constraint(core::topology_spread_constraint const& c, bool again, field_path const& at,
                      field_faults& found) {
    constexpr std::string_view positive = "must be greater than zero";
    if (c.max_skew <= 0) found.invalid(at.text("maxSkew"), c.max_skew, positive);
    if (c.topology_key.empty()) found.required(at.text("topologyKey"), "can not be empty");
    auto const& action = c.when_unsatisfiable;
    if (!is_one_of(action, actions)) found.unsupported(at.text("whenUnsatisfiable"), action, actions);
    if (again) found.duplicate(at.text("{topologyKey, whenUnsatisfiable}"), "{" + c.topology_key + ", " + action + "}");
    if (c.min_domains) {
        if (*c.min_domains <= 0) found.invalid(at.text("minDomains"), *c.min_domains, positive);
        if (action != "DoNotSchedule")
            found.invalid(at.text("minDomains"), *c.min_domains,
                          "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " + action);
    }
    auto const check = [&](std::optional<std::string> const& policy, std::string_view name) {
        if (policy && !is_one_of(*policy, inclusions)) found.unsupported(at.text(name), *policy, inclusions);
    };
    check(c.node_affinity_policy, "nodeAffinityPolicy");
    check(c.node_taints_policy, "nodeTaintsPolicy");
    check_keys(c, at, found);
    check_label_selector(c.label_selector, at, "labelSelector", found);
}

} // namespace

void check_tolerations(std::vector<core::toleration> const& list, field_path const& spec, field_faults& found) {
    for (std::size_t i = 0; i < list.size(); ++i) check_toleration(list[i], field_path(spec, "tolerations", i), found);
}

void check_spread(std::vector<core::topology_spread_constraint> const& list, field_path const& spec,
                  field_faults& found) {
    // Of equal constraints all but the last one are reported.
    std::map<std::pair<std::string_view, std::string_view>, std::size_t> last;
    for (std::size_t i = 0; i < list.size(); ++i) last[{list[i].topology_key, list[i].when_unsatisfiable}] = i;
    for (std::size_t i = 0; i < list.size(); ++i)
        check_constraint(list[i], last[{list[i].topology_key, list[i].when_unsatisfiable}] != i,
                         field_path(spec, "topologySpreadConstraints", i), found);
}

} // namespace kftrain::pod_checks
