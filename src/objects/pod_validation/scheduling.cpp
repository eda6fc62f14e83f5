#include "base/joined.hpp"
#include "model/rules/label_syntax.hpp"
#include "model/rules/name_syntax.hpp"
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

bool is_choice(std::string_view op) { return op == "In" || op == "NotIn"; }
bool is_presence(std::string_view op) { return op == "Exists" || op == "DoesNotExist"; }

constexpr std::string_view no_operator = "not a valid selector operator";

/// The rules shared by selectors of node labels and other labels.
template <class Requirement> bool check_values(Requirement const& r, field_path const& at, field_faults& found) {
    if (is_choice(r.operator_)) {
        if (r.values.empty()) found.required(at.text("values"), "must be specified when `operator` is 'In' or 'NotIn'");
    } else if (is_presence(r.operator_)) {
        if (!r.values.empty())
            found.forbidden(at.text("values"), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    } else {
        return false;
    }
    return true;
}

void check_labels_of_nodes(core::node_selector_requirement const& r, field_path const& at, field_faults& found) {
    if (r.operator_ == "Gt" || r.operator_ == "Lt") {
        if (r.values.size() != 1)
            found.required(at.text("values"), "must be specified single value when `operator` is 'Lt' or 'Gt'");
    } else if (!check_values(r, at, found)) {
        found.invalid_text(at.text("operator"), r.operator_, no_operator);
    }
    found.invalid_text(at.text("key"), r.key, label_key_faults(r.key));
}

void check_fields_of_nodes(core::node_selector_requirement const& r, field_path const& at, field_faults& found) {
    if (!is_choice(r.operator_))
        found.invalid_text(at.text("operator"), r.operator_, no_operator);
    else if (r.values.size() != 1)
        found.required(at.text("values"),
                       "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
    if (r.key != "metadata.name") return found.invalid_text(at.text("key"), r.key, "not a valid field selector key");
    for (std::size_t i = 0; i < r.values.size(); ++i)
        found.invalid_text(at.text("values", i), r.values[i], dns_subdomain_faults(r.values[i]));
}

void check_term(core::node_selector_term const& term, field_path const& at, field_faults& found) {
    for (std::size_t i = 0; i < term.match_expressions.size(); ++i)
        check_labels_of_nodes(term.match_expressions[i], field_path(at, "matchExpressions", i), found);
    for (std::size_t i = 0; i < term.match_fields.size(); ++i)
        check_fields_of_nodes(term.match_fields[i], field_path(at, "matchFields", i), found);
}

constexpr std::string_view required = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr std::string_view preferred = "preferredDuringSchedulingIgnoredDuringExecution";

void check_weight(std::int32_t weight, field_path const& at, field_faults& found) {
    if (weight < 1 || weight > 100) found.invalid(at.text("weight"), weight, "must be in the range 1-100");
}

void check_nodes(core::node_affinity const& a, field_path const& at, field_faults& found) {
    if (auto const& selector = a.required_during_scheduling_ignored_during_execution) {
        field_path const here(at, required);
        auto const& terms = selector->node_selector_terms;
        if (terms.empty()) found.required(here.text("nodeSelectorTerms"), "must have at least one node selector term");
        for (std::size_t i = 0; i < terms.size(); ++i)
            check_term(terms[i], field_path(here, "nodeSelectorTerms", i), found);
    }
    auto const& wishes = a.preferred_during_scheduling_ignored_during_execution;
    for (std::size_t i = 0; i < wishes.size(); ++i) {
        field_path const here(at, preferred, i);
        check_weight(wishes[i].weight, here, found);
        check_term(wishes[i].preference, field_path(here, "preference"), found);
    }
}

void check_keys(std::vector<std::string> const& keys, bool selects, field_path const& parent, std::string_view name,
                field_faults& found) {
    if (keys.empty()) return;
    if (!selects) return found.forbidden(parent.text(name), "must not be specified when labelSelector is not set");
    for (std::size_t i = 0; i < keys.size(); ++i)
        found.invalid_text(parent.text(name, i), keys[i], label_key_faults(keys[i]));
}

void check_pods(core::pod_affinity_term const& term, field_path const& at, field_faults& found) {
    auto const& selector = term.label_selector;
    check_label_selector(selector, at, "labelSelector", found);
    check_label_selector(term.namespace_selector, at, "namespaceSelector", found);
    for (auto const& ns : term.namespaces) found.invalid_text(at.text("namespace"), ns, dns_label_faults(ns));
    check_keys(term.match_label_keys, selector.has_value(), at, "matchLabelKeys", found);
    check_keys(term.mismatch_label_keys, selector.has_value(), at, "mismatchLabelKeys", found);
    std::set<std::string_view> const mismatched(term.mismatch_label_keys.begin(), term.mismatch_label_keys.end());
    for (std::size_t i = 0; i < term.match_label_keys.size(); ++i)
        if (auto const& key = term.match_label_keys[i]; mismatched.contains(key))
            found.invalid_text(at.text("matchLabelKeys", i), key,
                               "exists in both matchLabelKeys and mismatchLabelKeys");
    if (term.topology_key.empty()) found.required(at.text("topologyKey"), "can not be empty");
    found.invalid_text(at.text("topologyKey"), term.topology_key, label_key_faults(term.topology_key));
}

template <class Affinity> void check_pods(Affinity const& a, field_path const& at, field_faults& found) {
    auto const& demands = a.required_during_scheduling_ignored_during_execution;
    for (std::size_t i = 0; i < demands.size(); ++i) check_pods(demands[i], field_path(at, required, i), found);
    auto const& wishes = a.preferred_during_scheduling_ignored_during_execution;
    for (std::size_t i = 0; i < wishes.size(); ++i) {
        field_path const here(at, preferred, i);
        check_weight(wishes[i].weight, here, found);
        check_pods(wishes[i].pod_affinity_term, field_path(here, "podAffinityTerm"), found);
    }
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

void check_label_selector(boxed<label_selector> const& selector, field_path const& parent, std::string_view name,
                          field_faults& found) {
    if (!selector) return;
    field_path const at(parent, name);
    for (auto const& [key, value] : selector->match_labels) {
        found.invalid_text(at.text("matchLabels"), key, label_key_faults(key));
        found.invalid_text(at.text("matchLabels"), value, label_value_faults(value));
    }
    for (std::size_t i = 0; i < selector->match_expressions.size(); ++i) {
        auto const& r = selector->match_expressions[i];
        field_path const here(at, "matchExpressions", i);
        if (!check_values(r, here, found)) found.invalid_text(here.text("operator"), r.operator_, no_operator);
        found.invalid_text(here.text("key"), r.key, label_key_faults(r.key));
        for (std::size_t k = 0; k < r.values.size(); ++k)
            found.invalid_text(here.text("values", k), r.values[k], label_value_faults(r.values[k]));
    }
}

void check_affinity(core::affinity const& a, field_path const& at, field_faults& found) {
    if (a.node_affinity) check_nodes(*a.node_affinity, field_path(at, "nodeAffinity"), found);
    if (a.pod_affinity) check_pods(*a.pod_affinity, field_path(at, "podAffinity"), found);
    if (a.pod_anti_affinity) check_pods(*a.pod_anti_affinity, field_path(at, "podAntiAffinity"), found);
}

} // namespace kftrain::pod_checks
