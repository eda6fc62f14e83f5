#ifndef KFTRAIN_SRC_LOCAL_SCHEDULER_FREE_NODES_HPP
#define KFTRAIN_SRC_LOCAL_SCHEDULER_FREE_NODES_HPP

#include "local/scheduler/node_fit.hpp"
#include "local/scheduler/pod_neighbours.hpp"

#include <kftrain/objects/core/node.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kftrain::local {

using pod_pointer = std::shared_ptr<core::pod const>;

/// The free resources of nodes, and the pods that they run or get in this pass.
class free_nodes {
public:
    /// A node that can take a pod after pods of lower priority have ended.
    struct preemption_target {
        std::string node;
        std::vector<pod_pointer> victims; ///< to be evicted; empty: the end of terminating pods suffices
    };

    explicit free_nodes(std::vector<std::shared_ptr<core::node const>> const& nodes);

    core::node const* find(std::string const& name) const;
    /// Adds a pod that a node runs. `terminating`: it is being deleted or evicted.
    void add_running(std::string const& name, pod_pointer const& p, amounts const& needs, bool terminating);
    /// Adds a pod that a node will run later, so that no other pod takes its place.
    void reserve(std::string const& name, core::pod const& p, amounts const& needs);
    /// Removes a pod that place() has placed.
    void give_back(std::string const& name, core::pod const& p, amounts const& needs);
    /// Places a pod; returns the node, or an empty text and `why`.
    std::string place(core::pod const& p, amounts const& needs, std::string& why);

    /** Finds the pods that a pod without a place preempts: on each node as few as possible, the lowest priorities
        first. It prefers a node that needs no victims because the end of terminating pods suffices, `nominated` before
        others; then the node with the lowest highest priority of a victim, the lowest sum of priorities, the fewest
        victims, and the latest start of the most important ones. Pods with `preemptionPolicy` Never preempt nothing.
        From then on the victims count as terminating.
        @par Upstream kubernetes `pkg/scheduler/framework/preemption/preemption.go`,
        `plugins/defaultpreemption/default_preemption.go`, v1.31, without PodDisruptionBudgets */
    std::optional<preemption_target> find_target(core::pod const& p, amounts const& needs,
                                                 std::string const& nominated);

private:
    /// The scheduler chooses among this number of suitable nodes, and continues with the others for the next pod.
    static constexpr std::size_t compared_nodes = 100;

    struct running_pod {
        pod_pointer pod;
        amounts needs;
        bool terminating = false;
    };
    struct free_node {
        core::node const* object;
        amounts total;
        amounts free;
        std::vector<running_pod> pods = {};
    };
    /// A node that can take the pod, with the raw scores of preferences: more is better.
    struct candidate {
        free_node* node;
        std::int64_t by_node, by_pods, by_spread;
        double score;
    };
    /// A pod that was looked at without success, if nothing became free since.
    struct failure_of {
        core::pod const* pod = nullptr;
        amounts needs;
        std::string why;
    };

    void take(free_node& n, core::pod const& p, amounts const& needs);
    std::optional<std::vector<pod_pointer>> victims_on(free_node& n, core::pod const& p, amounts const& needs);
    static bool is_like(failure_of const& f, core::pod const& p, amounts const& needs);
    static candidate const& best_of(std::vector<candidate>& all);
    static double free_share(free_node const& n);

    std::vector<free_node> nodes_;
    neighbours neighbours_;
    std::map<std::string, std::size_t> by_name_;
    std::size_t next_ = 0; ///< where the search of the next pod begins
    failure_of unplaced_, without_victims_;
    std::optional<std::int32_t> lowest_priority_; ///< of the pods that nodes run
};

} // namespace kftrain::local

#endif
