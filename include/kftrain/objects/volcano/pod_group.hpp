#ifndef KFTRAIN_OBJECTS_VOLCANO_POD_GROUP_HPP
#define KFTRAIN_OBJECTS_VOLCANO_POD_GROUP_HPP

/** @file Gangs and queues of the Volcano scheduler, `scheduling.volcano.sh/v1beta1`.
    @par Upstream volcano.sh/apis v1.9.0 `pkg/apis/scheduling/v1beta1/types.go`; effect of the fields: volcano v1.9.0
    `pkg/scheduler/`, `pkg/controllers/queue/` and `pkg/webhooks/admission/queues/` */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>

namespace kftrain::volcano {

/// Where the network places the pods of a gang, since v1.12; HyperNodes describe the tiers of the network.
struct network_topology_spec {
    network_topology_spec() = default;

    std::string mode; ///< hard: the pods must fit below the tier; soft: they may spread further; empty: hard
    std::optional<std::int64_t> highest_tier_allowed; ///< the highest tier that the pods may span; absent: 1
    std::string highest_tier_name;                    ///< the same by the name of the tier; instead of the number
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(network_topology_spec, (mode, highest_tier_allowed, highest_tier_name))

/// The requirements of a gang before any of its pods starts.
struct pod_group_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(pod_group_spec);

    std::int32_t min_member = 0;            ///< number of pods that must fit before any of them starts
    name_map<std::int32_t> min_task_member; ///< the same for each task, by name
    std::string queue;                      ///< empty means `default`; without the queue nothing is scheduled
    std::string priority_class_name;        ///< empty: the default class of the cluster, or priority 0 if there is none
    /// Resources that must be free in its queue before the group leaves the phase Pending; absent: not checked.
    std::optional<resource_list> min_resources;
    boxed<network_topology_spec> network_topology; ///< since v1.12; absent: any nodes
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pod_group_spec,
                 (min_member, min_task_member, queue, priority_class_name, min_resources, network_topology))

/// Whether the last session of the scheduler could place the gang.
struct pod_group_condition {
    pod_group_condition() = default;

    std::string type;                               ///< Scheduled or Unschedulable
    std::string status;                             ///< True, False or Unknown
    std::string transition_id;                      ///< id of the scheduler session that wrote it
    std::optional<time_point> last_transition_time; ///< when the scheduler last wrote the condition
    std::string reason;                             ///< one word, e.g. NotEnoughResources
    std::string message;                            ///< details as text
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(pod_group_condition, {.member = "transition_id", .json_name = "transitionID"})
KFTRAIN_DESCRIBE(pod_group_condition, (type, status, transition_id, last_transition_time, reason, message))

/// The state of a gang that the scheduler last observed; counts are of pods.
struct pod_group_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(pod_group_status);

    /// Pending; Inqueue: pods may be created; Running: at least `minMember` pods are placed; Unknown: some run and the
    /// rest cannot be placed; Completed: all have succeeded.
    std::string phase;
    std::vector<pod_group_condition> conditions; ///< at most one of each type
    std::int32_t running = 0;                    ///< pods in the phase Running
    std::int32_t succeeded = 0;                  ///< pods in the phase Succeeded
    std::int32_t failed = 0;                     ///< pods in the phase Failed
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pod_group_status, (phase, conditions, running, succeeded, failed))

/// A gang: pods that start together or not at all. The status is not a subresource.
struct pod_group {
    pod_group() = default;

    static constexpr resource_info resource{"scheduling.volcano.sh", "v1beta1", "PodGroup", "podgroups"};

    object_meta metadata;    ///< pods name it by the annotation `scheduling.k8s.io/group-name`
    pod_group_spec spec;     ///< the requirements
    pod_group_status status; ///< observed state, written by the scheduler
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(pod_group, (metadata, spec, status))

/// Groups of nodes; the names are values of the node label `volcano.sh/nodegroup-name`.
struct node_group_affinity {
    node_group_affinity() = default;

    /// Groups that a node must belong to; as anti-affinity: must not.
    std::vector<std::string> required_during_scheduling_ignored_during_execution;
    /// Groups that a node should belong to; as anti-affinity: should not.
    std::vector<std::string> preferred_during_scheduling_ignored_during_execution;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(node_group_affinity, (required_during_scheduling_ignored_during_execution,
                                       preferred_during_scheduling_ignored_during_execution))

/// The nodes for the pods of a queue.
struct affinity {
    affinity() = default;

    boxed<kftrain::volcano::node_group_affinity> node_group_affinity;      ///< allowed groups of nodes
    boxed<kftrain::volcano::node_group_affinity> node_group_anti_affinity; ///< excluded groups of nodes
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(affinity, (node_group_affinity, node_group_anti_affinity))

/// A cluster to which the jobs of a queue are forwarded.
struct cluster {
    cluster() = default;

    std::string name;        ///< name of the cluster
    std::int32_t weight = 0; ///< share of the jobs relative to the other clusters
    resource_list capacity;  ///< resources of the cluster
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(cluster, (name, weight, capacity))

/// Resources that no other queue may use.
struct guarantee {
    guarantee() = default;

    resource_list resource; ///< reserved for the queue, and not available to others
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(guarantee, (resource))

/// The share of a queue in the cluster, and whether it can be reclaimed.
struct queue_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(queue_spec);

    std::int32_t weight = 0;              ///< share of the cluster relative to other queues; admission changes 0 to 1
    resource_list capability;             ///< upper limit; absent resources have no limit
    std::optional<bool> reclaimable;      ///< whether others may reclaim its use beyond its share; default true
    std::vector<cluster> extend_clusters; ///< if not empty, jobs of the queue are forwarded to them
    boxed<kftrain::volcano::guarantee> guarantee; ///< resources that only this queue may use; absent: none
    /// Nodes for its pods, if the scheduler runs the plugin `nodegroup`; absent: all nodes.
    boxed<kftrain::volcano::affinity> affinity;
    std::string type;   ///< free text without effect
    std::string parent; ///< the parent queue; v1.9.0 ignores it, later releases treat empty as `root`
    /// Its share if the scheduler runs the plugin `capacity`, which uses it instead of weights; lent to others while
    /// unused.
    resource_list deserved;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(queue_spec,
                 (weight, capability, reclaimable, extend_clusters, guarantee, affinity, type, parent, deserved))

/// Nodes reserved for a queue; v1.9.0 writes none.
struct reservation {
    reservation() = default;

    std::vector<std::string> nodes; ///< locked for the queue
    resource_list resource;         ///< idle on these nodes
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(reservation, (nodes, resource))

/// Numbers of the pod groups of the queue in the phase of the same name.
struct queue_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(queue_status);

    std::string state;              ///< Open, Closed, Closing or Unknown
    std::int32_t unknown_count = 0; ///< pod groups in the phase Unknown; `unknown` contains unknown fields
    std::int32_t pending = 0;       ///< pod groups in the phase Pending
    std::int32_t running = 0;       ///< pod groups in the phase Running
    std::int32_t inqueue = 0;       ///< pod groups in the phase Inqueue
    std::int32_t completed = 0;     ///< pod groups in the phase Completed; v1.9.0 does not count these
    boxed<kftrain::volcano::reservation> reservation; ///< absent, because v1.9.0 reserves no nodes
    resource_list allocated;                          ///< in use; written even if empty, as the CRD requires
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(queue_status, {.member = "unknown_count", .json_name = "unknown"})
KFTRAIN_REQUIRED(queue_status, "allocated")
KFTRAIN_DESCRIBE(queue_status, (state, unknown_count, pending, running, inqueue, completed, reservation, allocated))

/// A share of the cluster; each pod group belongs to one.
struct queue {
    queue() = default;

    static constexpr resource_info resource{"scheduling.volcano.sh", "v1beta1", "Queue", "queues",
                                            resource_scope::cluster};

    object_meta metadata; ///< jobs and pod groups refer to it by its name; it has no namespace
    queue_spec spec;      ///< the requested share
    queue_status status;  ///< observed state, written by the controller
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(queue, (metadata, spec, status))

} // namespace kftrain::volcano

#endif
