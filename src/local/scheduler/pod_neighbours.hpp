#ifndef KFTRAIN_SRC_LOCAL_SCHEDULER_POD_NEIGHBOURS_HPP
#define KFTRAIN_SRC_LOCAL_SCHEDULER_POD_NEIGHBOURS_HPP

#include <kftrain/model/selector.hpp>
#include <kftrain/objects/core/node.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kftrain::local {

/// A term of an affinity between pods, or a constraint of topology spread: which pods count, by which label of nodes.
struct neighbour_term {
    neighbour_term() = default;

    /// Returns whether the term selects a pod.
    bool selects(core::pod const& p) const;

    std::string topology_key;
    std::optional<label_query> labels;   ///< absent: selects no pod
    std::vector<std::string> namespaces; ///< of the pods
    bool every_namespace = false;
    std::int64_t weight = 0; ///< of a preference; negative: away from these pods
};

/// A pod on a node.
struct located_pod {
    core::pod const* pod = nullptr;
    core::node const* node = nullptr;
    std::vector<neighbour_term> avoided = {}; ///< see avoided_by()
};

/** Which nodes suit a pod by its affinity to other pods, its topology spread, and the anti-affinity of pods that run.
    @par Object lifetimes It refers to none of the arguments of its constructor.
    @par Upstream kubernetes v1.31 `pkg/scheduler/framework/plugins/interpodaffinity`, `podtopologyspread` */
class neighbour_rules {
public:
    /// @param others All pods on nodes
    /// @param avoiding Those of them that keep others away
    /// @param nodes All nodes of the cluster
    neighbour_rules(core::pod const& p, std::vector<located_pod> const& others,
                    std::vector<located_pod> const& avoiding, std::vector<core::node const*> const& nodes);

    /// Returns whether no such rule applies, so that all nodes suit the pod equally.
    bool empty() const noexcept;
    /// Returns why the node cannot take the pod, with the message of the scheduler; empty: it can.
    std::string why_not(core::node const& n) const;
    /// Returns the sum of the preferences that the node meets.
    std::int64_t preference(core::node const& n) const;
    /// Returns how many pods of the constraints ScheduleAnyway share a domain with the node.
    std::int64_t crowd(core::node const& n) const;

private:
    using counts = std::map<std::string, std::int64_t, std::less<>>; ///< of pods by the value of a label of nodes
    struct counted {
        neighbour_term term;
        counts by_value;
        std::int64_t at(core::node const& n) const;
    };
    struct spread {
        counted pods;
        std::int64_t most = 0; ///< that a domain may have, the pod included
        std::int64_t own = 0;  ///< 1 if the pod counts itself
    };

    std::vector<counted> near_;      ///< required: each must have pods
    bool is_first_ = false;          ///< no pod matches these terms yet, apart from the pod itself
    std::vector<counted> far_;       ///< required: none may have pods
    std::vector<counted> preferred_; ///< with weights
    std::vector<spread> spreads_;    ///< DoNotSchedule
    std::vector<counted> crowds_;    ///< ScheduleAnyway
    std::set<std::pair<std::string, std::string>> closed_; ///< labels of nodes, by the anti-affinity of other pods
};

/// Compiles the required terms by which a pod keeps others away.
std::vector<neighbour_term> avoided_by(core::pod const& p);

} // namespace kftrain::local

#endif
