#include "local/scheduler/node_fit.hpp"

#include "objects/pod_resources.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

namespace kftrain::local {
namespace {

constexpr std::string_view pods_name = "pods";
constexpr std::string_view cordon = "node.kubernetes.io/unschedulable";

void raise(amounts& to, amounts const& other) {
    for (auto const& [name, amount] : other) {
        auto& own = to[name];
        own = std::max(own, amount);
    }
}

amounts needs_of(core::resource_requirements const& r) {
    auto needs = amounts_of(r.limits);
    for (auto& [name, amount] : amounts_of(r.requests)) needs[name] = amount;
    return needs;
}

std::optional<std::int64_t> integer(std::string const& text) {
    std::int64_t value = 0;
    auto const* const end = text.data() + text.size();
    auto const [at, ec] = std::from_chars(text.data(), end, value);
    if (ec != std::errc() || at != end) return std::nullopt;
    return value;
}

/// `value` is null if the node has no such label.
bool holds(core::node_selector_requirement const& r, std::string const* value) {
    auto const is_listed = value != nullptr && std::ranges::find(r.values, *value) != r.values.end();
    if (r.operator_ == "In") return is_listed;
    if (r.operator_ == "NotIn") return !is_listed;
    if (r.operator_ == "Exists") return value != nullptr;
    if (r.operator_ == "DoesNotExist") return value == nullptr;
    if (value == nullptr || r.values.size() != 1) return false;
    auto const have = integer(*value);
    auto const bound = integer(r.values.front());
    if (!have || !bound) return false;
    return r.operator_ == "Gt" ? *have > *bound : r.operator_ == "Lt" && *have < *bound;
}

bool matches(core::node_selector_term const& term, core::node const& node) {
    if (term.match_expressions.empty() && term.match_fields.empty()) return false;
    auto const label_holds = [&](core::node_selector_requirement const& r) {
        auto const it = node.metadata.labels.find(r.key);
        return holds(r, it != node.metadata.labels.end() ? &it->second : nullptr);
    };
    auto const field_holds = [&](core::node_selector_requirement const& r) {
        return holds(r, r.key == "metadata.name" ? &node.metadata.name : nullptr);
    };
    return std::ranges::all_of(term.match_expressions, label_holds) &&
           std::ranges::all_of(term.match_fields, field_holds);
}

bool is_ready(core::node const& node) {
    auto const& all = node.status.conditions;
    auto const ready = std::ranges::find(all, "Ready", &core::node_condition::type);
    return ready == all.end() || ready->status == "True"; // a node that a user created has no kubelet that writes it
}

} // namespace

amounts amounts_of(resource_list const& resources) {
    amounts result;
    for (auto const& [name, amount] : resources) result[name] = name == "cpu" ? amount.milli_value() : amount.value();
    return result;
}

void add(amounts& to, amounts const& more) {
    for (auto const& [name, amount] : more) {
        auto& sum = to[name];
        if (__builtin_add_overflow(sum, amount, &sum)) sum = std::numeric_limits<std::int64_t>::max();
    }
}

void subtract(amounts& from, amounts const& less) {
    for (auto const& [name, amount] : less) {
        auto& rest = from[name];
        if (__builtin_sub_overflow(rest, amount, &rest)) rest = std::numeric_limits<std::int64_t>::min();
    }
}

amounts requests_of(core::pod_spec const& pod) {
    amounts sum, sidecars, most;
    for (auto const& c : pod.containers) add(sum, needs_of(c.resources));
    for (auto const& c : pod.init_containers) {
        auto const needs = needs_of(c.resources);
        if (is_sidecar(c)) {
            add(sum, needs);
            add(sidecars, needs);
            raise(most, sidecars);
        } else {
            auto at_once = sidecars;
            add(at_once, needs);
            raise(most, at_once);
        }
    }
    raise(sum, most);
    if (pod.resources)
        for (auto& [name, amount] : amounts_of(pod.resources->requests)) sum[name] = amount;
    add(sum, amounts_of(pod.overhead));
    sum[std::string(pods_name)] = 1;
    return sum;
}

bool is_tolerated(core::taint const& taint, std::vector<core::toleration> const& tolerations) {
    return std::ranges::any_of(tolerations, [&](core::toleration const& t) {
        if (!t.effect.empty() && t.effect != taint.effect) return false;
        if (!t.key.empty() && t.key != taint.key) return false;
        if (t.operator_ == "Exists") return true;
        return !t.key.empty() && t.value == taint.value;
    });
}

bool is_selected(core::pod_spec const& pod, core::node const& node) {
    for (auto const& [key, value] : pod.node_selector) {
        auto const it = node.metadata.labels.find(key);
        if (it == node.metadata.labels.end() || it->second != value) return false;
    }
    if (!pod.affinity || !pod.affinity->node_affinity) return true;
    auto const& required = pod.affinity->node_affinity->required_during_scheduling_ignored_during_execution;
    return !required ||
           std::ranges::any_of(required->node_selector_terms, [&](auto const& term) { return matches(term, node); });
}

std::int64_t preference_of(core::pod_spec const& pod, core::node const& node) {
    std::int64_t sum = 0;
    if (pod.affinity && pod.affinity->node_affinity)
        for (auto const& t : pod.affinity->node_affinity->preferred_during_scheduling_ignored_during_execution)
            if (matches(t.preference, node)) sum += t.weight;
    return sum;
}

std::string untolerated_taint(core::pod_spec const& pod, core::node const& node) {
    for (auto const& taint : node.spec.taints) {
        if (taint.effect == "PreferNoSchedule" || is_tolerated(taint, pod.tolerations)) continue;
        if (node.spec.unschedulable && taint.key == cordon) continue;
        return "{" + taint.key + ": " + taint.value + "}";
    }
    return {};
}

std::string why_not(core::pod_spec const& pod, core::node const& node) {
    core::taint cordoned;
    cordoned.key = cordon;
    cordoned.effect = "NoSchedule";
    if (node.spec.unschedulable && !is_tolerated(cordoned, pod.tolerations)) return "node(s) were unschedulable";
    if (!is_ready(node)) return "node(s) were not ready";
    if (auto const taint = untolerated_taint(pod, node); !taint.empty())
        return "node(s) had untolerated taint " + taint;
    if (!is_selected(pod, node)) return "node(s) didn't match Pod's node affinity/selector";
    return {};
}

std::vector<std::string> missing_resources(amounts const& needed, amounts const& free) {
    std::vector<std::string> missing;
    for (auto const& [name, amount] : needed) {
        auto const it = free.find(name);
        if (amount == 0 || (it != free.end() && amount <= it->second)) continue;
        missing.push_back(name == pods_name ? "Too many pods" : "Insufficient " + name);
    }
    return missing;
}

} // namespace kftrain::local
