#ifndef KFTRAIN_SRC_LOCAL_SCHEDULER_PLACEMENT_HPP
#define KFTRAIN_SRC_LOCAL_SCHEDULER_PLACEMENT_HPP

#include <kftrain/objects/core/node.hpp>
#include <kftrain/objects/core/pod.hpp>
#include <kftrain/objects/coscheduling/pod_group.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

/** @file
    Decides which pods run on which nodes, without I/O. */

namespace kftrain::local {

template <class T> using shared_list = std::vector<std::shared_ptr<T const>>;

/// All objects that placement depends on.
struct cluster_objects {
    shared_list<core::node> nodes;
    shared_list<core::pod> pods;
    shared_list<volcano::pod_group> volcano_groups;
    shared_list<coscheduling::pod_group> coscheduling_groups;
    shared_list<volcano::queue> queues;
    /// Nodes of pods by uid, for pods whose binding the informers have not shown yet.
    std::map<std::string, std::string, std::less<>> bound;
    /// Nominated nodes of pods by uid, for pods whose status the informers have not shown yet.
    std::map<std::string, std::string, std::less<>> nominated;
    std::set<std::string> evicted; ///< uids of pods whose deletion was requested
};

struct placed_pod {
    std::shared_ptr<core::pod const> pod;
    std::string node;
};

struct waiting_pod {
    std::shared_ptr<core::pod const> pod;
    std::string message;   ///< why it has no node
    std::string nominated; ///< node on which pods leave or are preempted for it; empty: none
};

/// The state of a gang of Volcano after the placement.
struct gang_result {
    std::shared_ptr<volcano::pod_group const> group;
    std::string message; ///< why it cannot start; empty: it has its nodes, or needs none
};

/// Pods that are evicted for a pod of a higher priority.
struct preemption {
    std::shared_ptr<core::pod const> pod;
    std::string node;
    shared_list<core::pod> victims;
};

struct placement {
    std::vector<placed_pod> placed;
    std::vector<waiting_pod> waiting;
    std::vector<gang_result> gangs;
    /// Pods on nodes that no longer exist, or that have a taint NoExecute without a toleration of the pod.
    shared_list<core::pod> evicted;
    std::vector<preemption> preemptions;
};

/** Places the pods that have no node. A gang gets nodes for its minimum of pods at once, or for none of them. Pods with
    a higher priority come first, then older ones; a pod gets the node with the largest share of free resources.

    Considered are resources with the limit of pods of the node, `nodeSelector`, affinity to nodes and pods, topology
    spread, taints, cordoned nodes, and the capability of Volcano queues. A single pod that fits nowhere preempts pods
    of a lower priority unless its `preemptionPolicy` is Never; see free_nodes::find_target(). A gang does not.
    @par Upstream messages of kubernetes `pkg/scheduler/framework/types.go` and `plugins/`, v1.31; volcano
    `pkg/scheduler/api/job_info.go`, v1.9 */
placement place_pods(cluster_objects const& objects);

} // namespace kftrain::local

#endif
