#ifndef KFTRAIN_SRC_LOCAL_SCHEDULER_POD_NEIGHBOURS_HPP
#define KFTRAIN_SRC_LOCAL_SCHEDULER_POD_NEIGHBOURS_HPP

#include <kftrain/model/selector.hpp>
#include <kftrain/objects/core/node.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kftrain::local {

/// A term of an affinity between pods, or a constraint of topology spread: which pods count, by which label of nodes.
struct neighbour_term {
    neighbour_term() = default;

    /// Returns whether the term selects a pod.
    bool selects(core::pod const& p) const;

    friend bool operator==(neighbour_term const&, neighbour_term const&) = default;

    std::string topology_key;
    std::optional<label_query> labels;   ///< absent: selects no pod
    std::vector<std::string> namespaces; ///< of the pods
    /// The pods of these namespaces count as well. Of namespaces only the name is known, which is a label of each.
    std::optional<label_query> namespace_query;
    std::int64_t weight = 0; ///< of a preference; negative: away from these pods
};

/// A term, and the number of pods it selects by the value of the label of nodes.
struct counted_term {
    /// Returns the number of these pods in the domain of a node.
    std::int64_t at(core::node const& n) const;
    void count(core::node const& n, std::int64_t change);

    neighbour_term term;
    std::map<std::string, std::int64_t, std::less<>> by_value = {};
};

/// A pod on a node.
struct located_pod {
    core::pod const* pod = nullptr;
    core::node const* node = nullptr;
};

/** Which nodes suit a pod by its affinity to other pods, its topology spread, and the anti-affinity of pods that run.
    @par Upstream kubernetes v1.31 `pkg/scheduler/framework/plugins/interpodaffinity`, `podtopologyspread` */
class neighbour_rules {
public:
    /// Returns whether no such rule applies, so that all nodes suit the pod equally.
    bool empty() const noexcept;
    /// Returns why no node can take the pod, whatever runs there; empty: one can.
    std::string const& fault() const noexcept { return fault_; }
    /// Returns why the node cannot take the pod, with the message of the scheduler; empty: it can.
    std::string why_not(core::node const& n) const;
    /// Returns the sum of the preferences that the node meets: those of the pod, and those of the pods that run for it.
    std::int64_t preference(core::node const& n) const;
    /// Returns how many pods of the constraints ScheduleAnyway share a domain with the node.
    std::int64_t pods_in_soft_domains(core::node const& n) const;

private:
    friend class neighbours;
    struct spread {
        counted_term pods;
        std::size_t constraint = 0; ///< of `sample_`
        std::int64_t most = 0;      ///< that a domain may have, the pod included
        std::int64_t own = 0;       ///< 1 if the pod counts itself
    };

    explicit neighbour_rules(core::pod const& p);
    /// Returns whether two pods are of one template: the same pods count for both.
    bool is_same_template(neighbour_rules const& other) const;
    void add_domains(std::vector<core::node const*> const& nodes);
    void count(located_pod const& other, std::int64_t change);
    void apply_to(core::pod const& p, std::vector<counted_term> const& avoided,
                  std::vector<counted_term> const& wanted);
    bool is_eligible(core::node const& n, core::topology_spread_constraint const& c) const;
    bool matches_affinity(core::pod const& p) const;

    core::pod const* sample_;                 ///< the first pod of the template
    std::vector<counted_term> affinity_;      ///< required: each must have pods
    std::vector<counted_term> anti_affinity_; ///< required: none may have pods
    std::vector<counted_term> preferred_;     ///< with weights
    std::vector<spread> hard_constraints_;    ///< DoNotSchedule
    std::vector<spread> soft_constraints_;    ///< ScheduleAnyway
    std::string fault_;

    // Of one pod:
    bool is_first_ = false; ///< no pod matches affinity_ yet, apart from the pod itself
    std::vector<counted_term const*> existing_anti_affinity_; ///< the anti-affinity of other pods
    std::vector<counted_term const*> existing_preferences_;   ///< the preferences of other pods
};

/** The pods on nodes, counted once for the pods of a template rather than for each of them.
    @par Object lifetimes Pods and nodes must live longer. */
class neighbours {
public:
    /// @param nodes All nodes of the cluster
    explicit neighbours(std::vector<std::shared_ptr<core::node const>> const& nodes) {
        for (auto const& n : nodes) nodes_.push_back(n.get());
    }

    void add(core::pod const& p, core::node const& n);
    void remove(core::pod const& p, core::node const& n);
    /// Returns the rules for a pod. They are valid until the next call of any function.
    neighbour_rules const& rules_for(core::pod const& p);

private:
    void count(located_pod const& l, std::int64_t change);

    std::vector<core::node const*> nodes_;
    std::unordered_map<core::pod const*, core::node const*> pods_; ///< pods with their nodes
    std::vector<counted_term> avoided_; ///< by the required anti-affinity of pods_: where these are
    std::vector<counted_term> wanted_;  ///< the same by their other affinities, with weights
    std::list<neighbour_rules> rules_;  ///< of the last templates, the latest first
};

} // namespace kftrain::local

#endif
