#include "local/scheduler/pod_neighbours.hpp"

#include "local/scheduler/node_fit.hpp"

#include <algorithm>
#include <limits>

namespace kftrain::local {
namespace {

std::string const* label_of(core::node const& n, std::string const& key) {
    auto const it = n.metadata.labels.find(key);
    return it != n.metadata.labels.end() ? &it->second : nullptr;
}

/// An API server of upstream merges the keys into the selector when the pod is created.
void add_keys(label_selector& s, std::vector<std::string> const& keys, std::string const& operation,
              core::pod const& p) {
    for (auto const& key : keys) {
        auto const own = p.metadata.labels.find(key);
        if (own == p.metadata.labels.end()) continue;
        auto& r = s.match_expressions.emplace_back();
        r.key = key;
        r.operator_ = operation;
        r.values = {own->second};
    }
}

/// `Term` is an affinity term or a constraint of topology spread.
template <class Term> neighbour_term compiled(Term const& t, core::pod const& p, std::int64_t weight = 0) {
    constexpr bool is_affinity = std::is_same_v<Term, core::pod_affinity_term>;
    neighbour_term made;
    made.topology_key = t.topology_key;
    made.weight = weight;
    made.namespaces = {p.metadata.namespace_};
    if (t.label_selector) {
        auto selector = *t.label_selector;
        add_keys(selector, t.match_label_keys, "In", p);
        if constexpr (is_affinity) add_keys(selector, t.mismatch_label_keys, "NotIn", p);
        if (auto query = label_query::from(selector)) made.labels = *std::move(query);
    }
    if constexpr (is_affinity) {
        if (!t.namespaces.empty() || t.namespace_selector) made.namespaces = t.namespaces;
        // Of namespaces only the name is known here, which each of them also has as a label.
        if (t.namespace_selector) {
            auto const& names = t.namespace_selector->match_labels;
            auto const name = names.find("kubernetes.io/metadata.name");
            if (name != names.end()) made.namespaces.push_back(name->second);
            made.every_namespace = names.empty() && t.namespace_selector->match_expressions.empty();
        }
    }
    return made;
}

std::vector<neighbour_term> required(auto const& affinity, core::pod const& p) {
    std::vector<neighbour_term> terms;
    if (affinity)
        for (auto const& t : affinity->required_during_scheduling_ignored_during_execution)
            terms.push_back(compiled(t, p));
    return terms;
}

void add_preferred(std::vector<neighbour_term>& to, auto const& affinity, core::pod const& p, int sign) {
    if (!affinity) return;
    for (auto const& t : affinity->preferred_during_scheduling_ignored_during_execution)
        to.push_back(compiled(t.pod_affinity_term, p, std::int64_t{t.weight} * sign));
}

bool honors(std::optional<std::string> const& policy, bool by_default) {
    return policy ? *policy == "Honor" : by_default;
}

} // namespace

bool neighbour_term::selects(core::pod const& p) const {
    return labels && (every_namespace || std::ranges::find(namespaces, p.metadata.namespace_) != namespaces.end()) &&
           labels->matches(p.metadata.labels);
}

std::vector<neighbour_term> avoided_by(core::pod const& p) {
    return p.spec.affinity ? required(p.spec.affinity->pod_anti_affinity, p) : std::vector<neighbour_term>();
}

std::int64_t neighbour_rules::counted::at(core::node const& n) const {
    auto const* const value = label_of(n, term.topology_key);
    auto const found = value != nullptr ? by_value.find(*value) : by_value.end();
    return found != by_value.end() ? found->second : 0;
}

neighbour_rules::neighbour_rules(core::pod const& p, std::vector<located_pod> const& others,
                                 std::vector<located_pod> const& avoiding,
                                 std::vector<core::node const*> const& nodes) {
    for (auto const& other : avoiding)
        for (auto const& t : other.avoided)
            if (auto const* const value = label_of(*other.node, t.topology_key); value != nullptr && t.selects(p))
                closed_.emplace(t.topology_key, *value);

    auto const count = [&](neighbour_term t, auto const& counts_pod) {
        counted made{std::move(t), {}};
        for (auto const& other : others)
            if (auto const* const value = label_of(*other.node, made.term.topology_key))
                if (counts_pod(made.term, other)) ++made.by_value[*value];
        return made;
    };
    auto const is_selected_by = [](neighbour_term const& t, located_pod const& o) { return t.selects(*o.pod); };
    if (p.spec.affinity) {
        auto const near = required(p.spec.affinity->pod_affinity, p);
        auto const by_all = [&](core::pod const& one) {
            return std::ranges::all_of(near, [&](neighbour_term const& t) { return t.selects(one); });
        };
        for (auto const& t : near)
            near_.push_back(count(t, [&](auto const&, located_pod const& o) { return by_all(*o.pod); }));
        is_first_ = by_all(p) && std::ranges::all_of(near_, [](counted const& c) { return c.by_value.empty(); });
        for (auto& t : avoided_by(p)) far_.push_back(count(std::move(t), is_selected_by));
        std::vector<neighbour_term> preferred;
        add_preferred(preferred, p.spec.affinity->pod_affinity, p, 1);
        add_preferred(preferred, p.spec.affinity->pod_anti_affinity, p, -1);
        for (auto& t : preferred) preferred_.push_back(count(std::move(t), is_selected_by));
    }

    for (auto const& c : p.spec.topology_spread_constraints) {
        auto const is_eligible = [&](core::node const& n) {
            if (honors(c.node_affinity_policy, true) && !is_selected(p.spec, n)) return false;
            if (honors(c.node_taints_policy, false) && !untolerated_taint(p.spec, n).empty()) return false;
            return std::ranges::all_of(p.spec.topology_spread_constraints, [&](auto const& each) {
                return each.when_unsatisfiable != c.when_unsatisfiable || label_of(n, each.topology_key) != nullptr;
            });
        };
        auto made = count(compiled(c, p), [&](neighbour_term const& t, located_pod const& o) {
            return !o.pod->metadata.deletion_timestamp && t.selects(*o.pod) && is_eligible(*o.node);
        });
        if (c.when_unsatisfiable != "DoNotSchedule") {
            crowds_.push_back(std::move(made));
            continue;
        }
        for (auto const* n : nodes)
            if (is_eligible(*n)) made.by_value.try_emplace(*label_of(*n, c.topology_key), 0);
        auto least = std::int64_t{std::numeric_limits<std::int32_t>::max()}; // as upstream, without a domain
        for (auto const& [value, number] : made.by_value) least = std::min(least, number);
        if (std::ssize(made.by_value) < c.min_domains.value_or(1)) least = 0;
        std::int64_t const own = made.term.selects(p) ? 1 : 0;
        spreads_.push_back({std::move(made), least + c.max_skew, own});
    }
}

bool neighbour_rules::empty() const noexcept {
    return near_.empty() && far_.empty() && preferred_.empty() && spreads_.empty() && crowds_.empty() &&
           closed_.empty();
}

std::string neighbour_rules::why_not(core::node const& n) const {
    auto const has_key = [&](counted const& c) { return label_of(n, c.term.topology_key) != nullptr; };
    for (auto const& s : spreads_) {
        if (!has_key(s.pods)) return "node(s) didn't match pod topology spread constraints (missing required label)";
        if (s.pods.at(n) + s.own > s.most) return "node(s) didn't match pod topology spread constraints";
    }
    auto const is_near = [&](counted const& c) { return has_key(c) && (is_first_ || c.at(n) > 0); };
    if (!std::ranges::all_of(near_, is_near)) return "node(s) didn't match pod affinity rules";
    if (std::ranges::any_of(far_, [&](counted const& c) { return c.at(n) > 0; }))
        return "node(s) didn't match pod anti-affinity rules";
    for (auto const& [key, value] : closed_)
        if (auto const* const own = label_of(n, key); own != nullptr && *own == value)
            return "node(s) didn't satisfy existing pods anti-affinity rules";
    return {};
}

std::int64_t neighbour_rules::preference(core::node const& n) const {
    std::int64_t sum = 0;
    for (auto const& c : preferred_) sum += c.term.weight * c.at(n);
    return sum;
}

std::int64_t neighbour_rules::crowd(core::node const& n) const {
    std::int64_t sum = 0;
    for (auto const& c : crowds_) sum += c.at(n);
    return sum;
}

} // namespace kftrain::local
