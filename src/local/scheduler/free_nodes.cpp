#include "local/scheduler/free_nodes.hpp"

#include "base/joined.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <set>
#include <tuple>

namespace kftrain::local {
namespace {

std::int32_t priority_of(core::pod const& p) { return p.spec.priority.value_or(0); }

time_point start_of(core::pod const& p) { return p.status.start_time.value_or(time_point::max()); }

/// The rank of a node by its victims, which are ordered by importance; lower is better.
auto cost_of(std::vector<pod_pointer> const& victims) {
    std::int64_t sum = 0;
    auto start = time_point::max();
    auto const highest = victims.empty() ? std::numeric_limits<std::int32_t>::min() : priority_of(*victims.front());
    for (auto const& v : victims) {
        sum += std::int64_t{priority_of(*v)} + (std::int64_t{1} << 31); // so that more victims are worse
        if (priority_of(*v) == highest) start = std::min(start, start_of(*v));
    }
    return std::tuple(!victims.empty(), highest, sum, victims.size(), -start.time_since_epoch().count());
}

} // namespace

free_nodes::free_nodes(std::vector<std::shared_ptr<core::node const>> const& nodes) : neighbours_(nodes) {
    for (auto const& n : nodes) {
        auto const& status = n->status;
        auto total = amounts_of(status.allocatable.empty() ? status.capacity : status.allocatable);
        by_name_[n->metadata.name] = nodes_.size();
        nodes_.push_back({n.get(), total, total});
    }
}

core::node const* free_nodes::find(std::string const& name) const {
    auto const it = by_name_.find(name);
    return it != by_name_.end() ? nodes_[it->second].object : nullptr;
}

void free_nodes::add_running(std::string const& name, pod_pointer const& p, amounts const& needs, bool terminating) {
    auto const it = by_name_.find(name);
    if (it == by_name_.end()) return;
    auto& n = nodes_[it->second];
    take(n, *p, needs);
    n.pods.push_back({p, needs, terminating});
    lowest_priority_ = std::min(priority_of(*p), lowest_priority_.value_or(priority_of(*p)));
}

void free_nodes::reserve(std::string const& name, core::pod const& p, amounts const& needs) {
    take(nodes_[by_name_.at(name)], p, needs);
}

void free_nodes::give_back(std::string const& name, core::pod const& p, amounts const& needs) {
    auto& n = nodes_[by_name_.at(name)];
    add(n.free, needs);
    neighbours_.remove(p, *n.object);
    unplaced_ = without_victims_ = {};
}

std::string free_nodes::place(core::pod const& p, amounts const& needs, std::string& why) {
    auto const& rules = neighbours_.rules_for(p);
    if (!rules.fault().empty()) return why = rules.fault(), std::string();
    if (rules.empty() && is_like(unplaced_, p, needs)) return why = unplaced_.why, std::string();
    std::map<std::string, int> reasons;
    std::vector<candidate> suitable;
    std::size_t const first = nodes_.size() <= compared_nodes ? 0 : next_;
    for (std::size_t i = 0; i < nodes_.size() && suitable.size() < compared_nodes; ++i) {
        next_ = (first + i + 1) % nodes_.size();
        auto& n = nodes_[(first + i) % nodes_.size()];
        if (auto const reason = why_not(p.spec, *n.object); !reason.empty())
            ++reasons[reason];
        else if (auto const missing = missing_resources(needs, n.free); !missing.empty())
            for (auto const& each : missing) ++reasons[each];
        else if (auto const other = rules.why_not(*n.object); !other.empty())
            ++reasons[other];
        else
            suitable.push_back({&n, preference_of(p.spec, *n.object), rules.preference(*n.object),
                                -rules.pods_in_soft_domains(*n.object), free_share(n)});
    }
    if (!suitable.empty()) {
        auto& best = *best_of(suitable).node;
        take(best, p, needs);
        return best.object->metadata.name;
    }
    std::set<std::string> texts; // sorted, as by the scheduler
    for (auto const& [reason, number] : reasons) texts.insert(std::to_string(number) + " " + reason);
    why = nodes_.empty() ? "no nodes available to schedule pods"
                         : "0/" + std::to_string(nodes_.size()) + " nodes are available: " + joined(texts, ", ") + ".";
    unplaced_ = {rules.empty() ? &p : nullptr, needs, why};
    return {};
}

std::optional<free_nodes::preemption_target> free_nodes::find_target(core::pod const& p, amounts const& needs,
                                                                     std::string const& nominated) {
    if (p.spec.preemption_policy == "Never" || !lowest_priority_ || priority_of(p) <= *lowest_priority_) return {};
    auto const& rules = neighbours_.rules_for(p);
    if (!rules.fault().empty()) return {};
    bool const alone = rules.empty();
    if (alone && is_like(without_victims_, p, needs) && priority_of(p) <= priority_of(*without_victims_.pod)) return {};
    std::optional<preemption_target> best;
    std::size_t found = 0;
    std::vector<free_node*> order;
    auto const own = by_name_.find(nominated);
    if (own != by_name_.end()) order.push_back(&nodes_[own->second]);
    for (auto& n : nodes_)
        if (order.empty() || order.front() != &n) order.push_back(&n);
    for (auto* const n : order) {
        auto victims = victims_on(*n, p, needs);
        if (!victims) continue;
        if (!best || cost_of(*victims) < cost_of(best->victims))
            best = preemption_target{n->object->metadata.name, *std::move(victims)};
        if (best->victims.empty() || ++found == compared_nodes) break;
    }
    if (!best && alone) without_victims_ = {&p, needs, {}};
    if (best)
        for (auto& r : nodes_[by_name_.at(best->node)].pods)
            if (std::ranges::find(best->victims, r.pod) != best->victims.end()) r.terminating = true;
    return best;
}

/// Nothing if the pod does not fit even without all pods of lower priority.
std::optional<std::vector<pod_pointer>> free_nodes::victims_on(free_node& n, core::pod const& p, amounts const& needs) {
    if (!why_not(p.spec, *n.object).empty()) return {};
    std::vector<running_pod const*> lower;
    for (auto const& r : n.pods)
        if (priority_of(*r.pod) < priority_of(p)) lower.push_back(&r);
    if (lower.empty()) return {};
    std::ranges::sort(lower, {}, [](running_pod const* r) { // equal ones as they were added
        return std::tuple(r->terminating, -std::int64_t{priority_of(*r->pod)}, start_of(*r->pod), r);
    });
    auto without = n.free;
    for (auto const* r : lower) add(without, r->needs);
    if (!missing_resources(needs, without).empty()) return {}; // the rules below cost much more
    auto const free = n.free;
    bool const alone = neighbours_.rules_for(p).empty(); // fewer pods make no new rule
    auto const fits = [&] {
        return missing_resources(needs, n.free).empty() &&
               (alone || neighbours_.rules_for(p).why_not(*n.object).empty());
    };
    auto const remove = [&](running_pod const& r) {
        add(n.free, r.needs);
        if (!alone) neighbours_.remove(*r.pod, *n.object);
    };
    auto const restore = [&](running_pod const& r) {
        subtract(n.free, r.needs);
        if (!alone) neighbours_.add(*r.pod, *n.object);
    };
    for (auto const* r : lower) remove(*r);
    std::optional<std::vector<pod_pointer>> victims;
    std::vector<running_pod const*> gone = lower;
    if (fits()) {
        victims.emplace();
        gone.clear();
        for (auto const* r : lower) {
            if (!r->terminating) {
                restore(*r);
                if (fits()) continue;
                remove(*r);
                victims->push_back(r->pod);
            }
            gone.push_back(r);
        }
    }
    for (auto const* r : gone) restore(*r);
    n.free = free;
    return victims;
}

void free_nodes::take(free_node& n, core::pod const& p, amounts const& needs) {
    subtract(n.free, needs);
    neighbours_.add(p, *n.object);
}

/// Each preference counts twice as much as the free resources, as in the scheduler.
free_nodes::candidate const& free_nodes::best_of(std::vector<candidate>& all) {
    constexpr double weight = 4; // the sum of two shares is worth at most 2
    for (auto const raw : {&candidate::by_node, &candidate::by_pods, &candidate::by_spread}) {
        auto const [least, most] = std::ranges::minmax(all, {}, raw);
        if (auto const range = static_cast<double>(most.*raw - least.*raw); range > 0)
            for (auto& c : all) c.score += weight * static_cast<double>(c.*raw - least.*raw) / range;
    }
    return *std::ranges::max_element(all, {}, &candidate::score);
}

/// The sum of the free shares of cpu and memory. The plugin NodeResourcesFit scores their mean by default.
double free_nodes::free_share(free_node const& n) {
    double sum = 0;
    for (auto const* name : {"cpu", "memory"}) {
        auto const total = n.total.find(name);
        if (total == n.total.end() || total->second == 0) continue;
        sum += static_cast<double>(n.free.find(name)->second) / static_cast<double>(total->second);
    }
    return sum;
}

/// Pods of a job fail alike, and a large cluster is not searched for each of them.
bool free_nodes::is_like(failure_of const& f, core::pod const& p, amounts const& needs) {
    return f.pod != nullptr && needs == f.needs && f.pod->spec.node_selector == p.spec.node_selector &&
           f.pod->spec.tolerations == p.spec.tolerations && f.pod->spec.affinity == p.spec.affinity;
}

} // namespace kftrain::local
