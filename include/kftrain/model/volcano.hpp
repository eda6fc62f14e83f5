#ifndef KFTRAIN_MODEL_VOLCANO_HPP
#define KFTRAIN_MODEL_VOLCANO_HPP

/** @file
    Gangs and queues of the Volcano scheduler, `scheduling.volcano.sh/v1beta1`.
    @par Upstream volcano, CustomResourceDefinitions of the group `scheduling.volcano.sh` */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>

namespace kftrain {

struct volcano_pod_group_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(volcano_pod_group_spec);

    std::int32_t min_member = 0;            ///< how many pods must fit before any of them starts
    name_map<std::int32_t> min_task_member; ///< the same for each task
    std::string queue;                      ///< empty means `default`
    std::string priority_class_name;
    std::optional<resource_list> min_resources; ///< what must be free before any pod starts
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(volcano_pod_group_spec, (min_member, min_task_member, queue, priority_class_name, min_resources))

struct volcano_pod_group_condition {
    volcano_pod_group_condition() = default;

    std::string type;   ///< Scheduled or Unschedulable
    std::string status; ///< True, False or Unknown
    std::string transition_id;
    std::optional<time_point> last_transition_time;
    std::string reason;
    std::string message;
    unknown_fields unknown;
};
template <> struct field_rules<volcano_pod_group_condition> {
    static constexpr std::array<field_rule, 1> list{{{.member = "transition_id", .json_name = "transitionID"}}};
};
KFTRAIN_DESCRIBE(volcano_pod_group_condition, (type, status, transition_id, last_transition_time, reason, message))

struct volcano_pod_group_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(volcano_pod_group_status);

    std::string phase; ///< Pending, Inqueue, Running, Completed or Unknown
    std::vector<volcano_pod_group_condition> conditions;
    std::int32_t running = 0;
    std::int32_t succeeded = 0;
    std::int32_t failed = 0;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(volcano_pod_group_status, (phase, conditions, running, succeeded, failed))

struct volcano_pod_group {
    volcano_pod_group() = default;

    static constexpr resource_info resource{"scheduling.volcano.sh", "v1beta1", "PodGroup", "podgroups"};

    object_meta metadata;
    volcano_pod_group_spec spec;
    volcano_pod_group_status status;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(volcano_pod_group, (metadata, spec, status))

/// Groups of nodes; the names are values of the label `volcano.sh/nodegroup-name`.
struct volcano_node_group_affinity {
    volcano_node_group_affinity() = default;

    std::vector<std::string> required_during_scheduling_ignored_during_execution;
    std::vector<std::string> preferred_during_scheduling_ignored_during_execution;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(volcano_node_group_affinity, (required_during_scheduling_ignored_during_execution,
                                               preferred_during_scheduling_ignored_during_execution))

struct volcano_affinity {
    volcano_affinity() = default;

    boxed<volcano_node_group_affinity> node_group_affinity;
    boxed<volcano_node_group_affinity> node_group_anti_affinity;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(volcano_affinity, (node_group_affinity, node_group_anti_affinity))

/// A cluster to which the jobs of a queue go.
struct volcano_cluster {
    volcano_cluster() = default;

    std::string name;
    std::int32_t weight = 0;
    resource_list capacity;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(volcano_cluster, (name, weight, capacity))

struct volcano_guarantee {
    volcano_guarantee() = default;

    resource_list resource; ///< kept free for the queue
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(volcano_guarantee, (resource))

struct volcano_queue_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(volcano_queue_spec);

    std::int32_t weight = 0;         ///< share of the cluster relative to other queues
    resource_list capability;        ///< never more than this
    std::optional<bool> reclaimable; ///< whether others may take back what it uses beyond its share; default true
    std::vector<volcano_cluster> extend_clusters;
    boxed<volcano_guarantee> guarantee;
    boxed<volcano_affinity> affinity;
    std::string type;
    std::string parent;     ///< empty means `root`
    resource_list deserved; ///< its share, lent to others while unused
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(volcano_queue_spec,
                 (weight, capability, reclaimable, extend_clusters, guarantee, affinity, type, parent, deserved))

struct volcano_reservation {
    volcano_reservation() = default;

    std::vector<std::string> nodes; ///< locked for the queue
    resource_list resource;         ///< idle on these nodes
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(volcano_reservation, (nodes, resource))

/// Counts are of pod groups.
struct volcano_queue_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(volcano_queue_status);

    std::string state;              ///< Open, Closed, Closing or Unknown
    std::int32_t unknown_count = 0; ///< with phase Unknown
    std::int32_t pending = 0;
    std::int32_t running = 0;
    std::int32_t inqueue = 0;
    std::int32_t completed = 0;
    boxed<volcano_reservation> reservation;
    resource_list allocated;
    unknown_fields unknown;
};
template <> struct field_rules<volcano_queue_status> {
    static constexpr std::array<field_rule, 2> list{
        {{.member = "unknown_count", .json_name = "unknown"}, {.member = "allocated", .always = true}}};
};
KFTRAIN_DESCRIBE(volcano_queue_status,
                 (state, unknown_count, pending, running, inqueue, completed, reservation, allocated))

/// A share of the cluster to which pod groups are sent.
struct volcano_queue {
    volcano_queue() = default;

    static constexpr resource_info resource{"scheduling.volcano.sh", "v1beta1", "Queue", "queues", scope::cluster};

    object_meta metadata;
    volcano_queue_spec spec;
    volcano_queue_status status;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(volcano_queue, (metadata, spec, status))

} // namespace kftrain

#endif
