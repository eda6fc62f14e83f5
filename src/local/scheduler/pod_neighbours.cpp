#include "local/scheduler/pod_neighbours.hpp"

#include "local/scheduler/node_fit.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace kftrain::local {
namespace {

constexpr std::string_view namespace_label = "kubernetes.io/metadata.name";
constexpr std::size_t kept_templates = 16;

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
        if (t.namespace_selector)
            if (auto query = label_query::from(*t.namespace_selector)) made.namespace_query = *std::move(query);
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

/// The required terms by which a pod keeps others away.
std::vector<neighbour_term> avoided_by(core::pod const& p) {
    return p.spec.affinity ? required(p.spec.affinity->pod_anti_affinity, p) : std::vector<neighbour_term>();
}

/// The terms by which a pod draws others near or, with a negative weight, prefers to be without them.
std::vector<neighbour_term> wanted_by(core::pod const& p) {
    std::vector<neighbour_term> terms;
    if (!p.spec.affinity) return terms;
    terms = required(p.spec.affinity->pod_affinity, p);
    for (auto& t : terms) t.weight = 1; // hardPodAffinityWeight of the scheduler
    add_preferred(terms, p.spec.affinity->pod_affinity, p, 1);
    add_preferred(terms, p.spec.affinity->pod_anti_affinity, p, -1);
    return terms;
}

bool honors(std::optional<std::string> const& policy, bool by_default) {
    return policy ? *policy == "Honor" : by_default;
}

} // namespace

bool neighbour_term::selects(core::pod const& p) const {
    auto const& ns = p.metadata.namespace_;
    auto const label = [&](std::string_view key) {
        return key == namespace_label ? std::optional<std::string_view>(ns) : std::nullopt;
    };
    return labels && labels->matches(p.metadata.labels) &&
           (std::ranges::find(namespaces, ns) != namespaces.end() ||
            (namespace_query && namespace_query->matches_labels(label)));
}

std::int64_t counted_term::at(core::node const& n) const {
    auto const* const value = label_of(n, term.topology_key);
    auto const found = value != nullptr ? by_value.find(*value) : by_value.end();
    return found != by_value.end() ? found->second : 0;
}

void counted_term::count(core::node const& n, std::int64_t change) {
    if (auto const* const value = label_of(n, term.topology_key)) by_value[*value] += change;
}

neighbour_rules::neighbour_rules(core::pod const& p) : sample_(&p) {
    auto const counted = [](std::vector<neighbour_term> terms) {
        std::vector<counted_term> all;
        for (auto& t : terms) all.push_back({std::move(t)});
        return all;
    };
    if (p.spec.affinity) {
        affinity_ = counted(required(p.spec.affinity->pod_affinity, p));
        anti_affinity_ = counted(required(p.spec.affinity->pod_anti_affinity, p));
        std::vector<neighbour_term> preferred;
        add_preferred(preferred, p.spec.affinity->pod_affinity, p, 1);
        add_preferred(preferred, p.spec.affinity->pod_anti_affinity, p, -1);
        preferred_ = counted(std::move(preferred));
    }
    for (auto const* const terms : {&affinity_, &anti_affinity_})
        for (auto const& t : *terms)
            if (t.term.namespace_query)
                for (auto const& r : t.term.namespace_query->requirements)
                    if (r.key != namespace_label)
                        fault_ = "namespaceSelector of a required affinity to pods: expected the label " +
                                 std::string(namespace_label) + " only, got " + r.key;
    for (std::size_t i = 0; i < p.spec.topology_spread_constraints.size(); ++i) {
        auto const& c = p.spec.topology_spread_constraints[i];
        (c.when_unsatisfiable == "DoNotSchedule" ? hard_constraints_ : soft_constraints_)
            .push_back({{compiled(c, p)}, i});
    }
}

bool neighbour_rules::is_same_template(neighbour_rules const& other) const {
    auto const same_terms = [](auto const& a, auto const& b) {
        return std::ranges::equal(a, b, {}, &counted_term::term, &counted_term::term);
    };
    auto const term_of = [](spread const& s) -> neighbour_term const& { return s.pods.term; };
    auto const same_spreads = [&](auto const& a, auto const& b) {
        return std::ranges::equal(a, b, {}, term_of, term_of);
    };
    auto const& mine = sample_->spec;
    auto const& others = other.sample_->spec;
    return same_terms(affinity_, other.affinity_) && same_terms(anti_affinity_, other.anti_affinity_) &&
           same_terms(preferred_, other.preferred_) && same_spreads(hard_constraints_, other.hard_constraints_) &&
           same_spreads(soft_constraints_, other.soft_constraints_) &&
           mine.topology_spread_constraints == others.topology_spread_constraints &&
           (mine.topology_spread_constraints.empty() ||
            (mine.node_selector == others.node_selector && mine.tolerations == others.tolerations &&
             mine.affinity == others.affinity));
}

bool neighbour_rules::is_eligible(core::node const& n, core::topology_spread_constraint const& c) const {
    auto const& spec = sample_->spec;
    if (honors(c.node_affinity_policy, true) && !is_selected(spec, n)) return false;
    if (honors(c.node_taints_policy, false) && !untolerated_taint(spec, n).empty()) return false;
    return std::ranges::all_of(spec.topology_spread_constraints, [&](auto const& each) {
        return each.when_unsatisfiable != c.when_unsatisfiable || label_of(n, each.topology_key) != nullptr;
    });
}

bool neighbour_rules::matches_affinity(core::pod const& p) const {
    return std::ranges::all_of(affinity_, [&](counted_term const& c) { return c.term.selects(p); });
}

void neighbour_rules::add_domains(std::vector<core::node const*> const& nodes) {
    for (auto& s : hard_constraints_) {
        auto const& c = sample_->spec.topology_spread_constraints[s.constraint];
        for (auto const* n : nodes)
            if (is_eligible(*n, c)) s.pods.count(*n, 0);
    }
}

void neighbour_rules::count(located_pod const& other, std::int64_t change) {
    if (!affinity_.empty() && matches_affinity(*other.pod))
        for (auto& c : affinity_) c.count(*other.node, change);
    for (auto* const terms : {&anti_affinity_, &preferred_})
        for (auto& c : *terms)
            if (c.term.selects(*other.pod)) c.count(*other.node, change);
    if (other.pod->metadata.deletion_timestamp) return;
    for (auto* const all : {&hard_constraints_, &soft_constraints_})
        for (auto& s : *all)
            if (s.pods.term.selects(*other.pod) &&
                is_eligible(*other.node, sample_->spec.topology_spread_constraints[s.constraint]))
                s.pods.count(*other.node, change);
}

void neighbour_rules::apply_to(core::pod const& p, std::vector<counted_term> const& avoided,
                               std::vector<counted_term> const& wanted) {
    auto const has_none = [](counted_term const& c) {
        return std::ranges::all_of(c.by_value, [](auto const& v) { return v.second == 0; });
    };
    is_first_ = matches_affinity(p) && std::ranges::all_of(affinity_, has_none);
    for (auto& s : hard_constraints_) {
        auto const& c = sample_->spec.topology_spread_constraints[s.constraint];
        auto least = std::int64_t{std::numeric_limits<std::int32_t>::max()}; // as upstream, without a domain
        for (auto const& [value, number] : s.pods.by_value) least = std::min(least, number);
        if (std::ssize(s.pods.by_value) < c.min_domains.value_or(1)) least = 0;
        s.most = least + c.max_skew;
        s.own = s.pods.term.selects(p) ? 1 : 0;
    }
    for (auto const& [terms, selected] :
         {std::pair(&avoided, &existing_anti_affinity_), std::pair(&wanted, &existing_preferences_)}) {
        selected->clear();
        for (auto const& c : *terms)
            if (c.term.selects(p) && !has_none(c)) selected->push_back(&c);
    }
}

void neighbours::count(located_pod const& l, std::int64_t change) {
    for (auto& r : rules_) r.count(l, change);
    auto const count_in = [&](std::vector<counted_term>& all, std::vector<neighbour_term> terms) {
        for (auto& t : terms) {
            auto found = std::ranges::find(all, t, &counted_term::term);
            if (found == all.end()) found = all.insert(found, counted_term{std::move(t)});
            found->count(*l.node, change);
        }
    };
    count_in(avoided_, avoided_by(*l.pod));
    count_in(wanted_, wanted_by(*l.pod));
}

void neighbours::add(core::pod const& p, core::node const& n) {
    pods_.emplace(&p, &n);
    count({&p, &n}, 1);
}

void neighbours::remove(core::pod const& p, core::node const& n) {
    if (pods_.erase(&p) != 0) count({&p, &n}, -1);
}

neighbour_rules const& neighbours::rules_for(core::pod const& p) {
    neighbour_rules made(p);
    auto const known = std::ranges::find_if(rules_, [&](auto const& r) { return r.is_same_template(made); });
    if (known != rules_.end()) {
        rules_.splice(rules_.begin(), rules_, known);
    } else {
        made.add_domains(nodes_);
        for (auto const& [pod, node] : pods_) made.count({pod, node}, 1);
        rules_.push_front(std::move(made));
        if (rules_.size() > kept_templates) rules_.pop_back();
    }
    rules_.front().apply_to(p, avoided_, wanted_);
    return rules_.front();
}

bool neighbour_rules::empty() const noexcept {
    return affinity_.empty() && anti_affinity_.empty() && preferred_.empty() && hard_constraints_.empty() &&
           soft_constraints_.empty() && existing_anti_affinity_.empty() && existing_preferences_.empty();
}

std::string neighbour_rules::why_not(core::node const& n) const {
    auto const has_key = [&](counted_term const& c) { return label_of(n, c.term.topology_key) != nullptr; };
    for (auto const& s : hard_constraints_) {
        if (!has_key(s.pods)) return "node(s) didn't match pod topology spread constraints (missing required label)";
        if (s.pods.at(n) + s.own > s.most) return "node(s) didn't match pod topology spread constraints";
    }
    auto const suits = [&](counted_term const& c) { return has_key(c) && (is_first_ || c.at(n) > 0); };
    if (!std::ranges::all_of(affinity_, suits)) return "node(s) didn't match pod affinity rules";
    if (std::ranges::any_of(anti_affinity_, [&](counted_term const& c) { return c.at(n) > 0; }))
        return "node(s) didn't match pod anti-affinity rules";
    if (std::ranges::any_of(existing_anti_affinity_, [&](counted_term const* c) { return c->at(n) > 0; }))
        return "node(s) didn't satisfy existing pods anti-affinity rules";
    return {};
}

std::int64_t neighbour_rules::preference(core::node const& n) const {
    std::int64_t sum = 0;
    for (auto const& c : preferred_) sum += c.term.weight * c.at(n);
    for (auto const* c : existing_preferences_) sum += c->term.weight * c->at(n);
    return sum;
}

std::int64_t neighbour_rules::pods_in_soft_domains(core::node const& n) const {
    std::int64_t sum = 0;
    for (auto const& c : soft_constraints_) sum += c.pods.at(n);
    return sum;
}

} // namespace kftrain::local
