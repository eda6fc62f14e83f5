#ifndef KFTRAIN_OBJECTS_CORE_AFFINITY_HPP
#define KFTRAIN_OBJECTS_CORE_AFFINITY_HPP

/** @file
    Where pods may run: affinities, tolerations, spreading.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/model/selector.hpp>

namespace kftrain::core {

/// One condition on a label or on the name of a node.
struct node_selector_requirement {
    node_selector_requirement() = default;

    std::string key;                 ///< a label of nodes; `metadata.name` in `match_fields`
    std::string operator_;           ///< In, NotIn, Exists, DoesNotExist, Gt or Lt
    std::vector<std::string> values; ///< empty for Exists and DoesNotExist, one integer for Gt and Lt
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(node_selector_requirement, "key", "operator_")
KFTRAIN_DESCRIBE(node_selector_requirement, (key, operator_, values))

/// All of its parts must hold; a term without parts matches nothing.
struct node_selector_term {
    node_selector_term() = default;

    std::vector<node_selector_requirement> match_expressions; ///< on labels
    std::vector<node_selector_requirement> match_fields;      ///< on `metadata.name`
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(node_selector_term, (match_expressions, match_fields))

/// One of the terms must hold.
struct node_selector {
    node_selector() = default;

    std::vector<node_selector_term> node_selector_terms; ///< alternatives, at least one
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(node_selector, (node_selector_terms))

/// A preference with a weight of 1 to 100.
struct preferred_scheduling_term {
    preferred_scheduling_term() = default;

    std::int32_t weight = 0;       ///< 1 to 100; the scheduler adds the weights of all matching terms
    node_selector_term preference; ///< the nodes that are preferred
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(preferred_scheduling_term, "weight", "preference")
KFTRAIN_DESCRIBE(preferred_scheduling_term, (weight, preference))

/// The nodes on which a pod may run. The scheduler checks them once, before the pod starts.
struct node_affinity {
    node_affinity() = default;

    boxed<node_selector> required_during_scheduling_ignored_during_execution; ///< nodes that are allowed; absent: all
    /// Preferences; the allowed node with the largest sum of weights is preferred.
    std::vector<preferred_scheduling_term> preferred_during_scheduling_ignored_during_execution;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(node_affinity, (required_during_scheduling_ignored_during_execution,
                                 preferred_during_scheduling_ignored_during_execution))

/// Selects pods; the pod must, or must not, run on nodes with the same value of `topology_key` as these.
struct pod_affinity_term {
    pod_affinity_term() = default;

    boxed<kftrain::label_selector> label_selector; ///< labels of these pods; absent selects none
    /// Namespaces of these pods; empty without `namespace_selector`: that of the pod.
    std::vector<std::string> namespaces;
    std::string topology_key; ///< a label of nodes, e.g. `kubernetes.io/hostname`
    /// Further namespaces by their labels; without parts it selects all.
    boxed<kftrain::label_selector> namespace_selector;
    std::vector<std::string> match_label_keys;    ///< labels whose values must be equal in other pods
    std::vector<std::string> mismatch_label_keys; ///< labels whose values must differ in other pods
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(pod_affinity_term, "topology_key")
KFTRAIN_DESCRIBE(pod_affinity_term,
                 (label_selector, namespaces, topology_key, namespace_selector, match_label_keys, mismatch_label_keys))

/// A preference with a weight of 1 to 100.
struct weighted_pod_affinity_term {
    weighted_pod_affinity_term() = default;

    std::int32_t weight = 0; ///< 1 to 100; the scheduler adds the weights of all matching terms
    kftrain::core::pod_affinity_term pod_affinity_term; ///< the pods of this preference
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(weighted_pod_affinity_term, "weight", "pod_affinity_term")
KFTRAIN_DESCRIBE(weighted_pod_affinity_term, (weight, pod_affinity_term))

/// The pods near which a pod runs. The scheduler checks them once, before the pod starts.
struct pod_affinity {
    pod_affinity() = default;

    std::vector<pod_affinity_term> required_during_scheduling_ignored_during_execution; ///< terms that must all hold
    /// Preferences; the node with the largest sum of weights is preferred.
    std::vector<weighted_pod_affinity_term> preferred_during_scheduling_ignored_during_execution;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pod_affinity, (required_during_scheduling_ignored_during_execution,
                                preferred_during_scheduling_ignored_during_execution))

/// The pods near which a pod does not run. The scheduler checks them once, before the pod starts.
struct pod_anti_affinity {
    pod_anti_affinity() = default;

    /// Terms that must all hold: no selected pod is near.
    std::vector<pod_affinity_term> required_during_scheduling_ignored_during_execution;
    /// Preferences; the node with the smallest sum of weights is preferred.
    std::vector<weighted_pod_affinity_term> preferred_during_scheduling_ignored_during_execution;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pod_anti_affinity, (required_during_scheduling_ignored_during_execution,
                                     preferred_during_scheduling_ignored_during_execution))

/// Rules of the scheduler for a pod; all required parts must hold.
struct affinity {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(affinity);

    boxed<kftrain::core::node_affinity> node_affinity;         ///< nodes on which it may run
    boxed<kftrain::core::pod_affinity> pod_affinity;           ///< pods near which it runs
    boxed<kftrain::core::pod_anti_affinity> pod_anti_affinity; ///< pods near which it does not run
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(affinity, (node_affinity, pod_affinity, pod_anti_affinity))

/// Tolerates matching taints; an empty key with the operator Exists matches all.
struct toleration {
    toleration() = default;

    std::string key;       ///< key of the taint; empty: all, with the operator Exists
    std::string operator_; ///< Exists or Equal; empty means Equal
    std::string value;     ///< value of the taint; empty for Exists
    std::string effect;    ///< NoSchedule, PreferNoSchedule or NoExecute; empty: all
    /// Seconds until a taint NoExecute evicts the pod; absent: without limit.
    std::optional<std::int64_t> toleration_seconds;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(toleration, (key, operator_, value, effect, toleration_seconds))

/// How evenly matching pods must be spread over the values of a node label.
struct topology_spread_constraint {
    topology_spread_constraint() = default;

    std::int32_t max_skew = 0;      ///< maximum difference of the counts, at least 1
    std::string topology_key;       ///< a label of nodes, e.g. `topology.kubernetes.io/zone`; each value is a domain
    std::string when_unsatisfiable; ///< DoNotSchedule or ScheduleAnyway
    boxed<kftrain::label_selector> label_selector; ///< labels of the pods that are counted; absent selects none
    std::optional<std::int32_t> min_domains;       ///< with fewer domains the smallest count is 0; absent means 1
    /// Whether only nodes that match the affinity of the pod count: Honor or Ignore; absent means Honor.
    std::optional<std::string> node_affinity_policy;
    /// Whether only nodes whose taints the pod tolerates count: Honor or Ignore; absent means Ignore.
    std::optional<std::string> node_taints_policy;
    std::vector<std::string> match_label_keys; ///< labels whose values must be equal in other pods
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(topology_spread_constraint, "max_skew", "topology_key", "when_unsatisfiable")
KFTRAIN_DESCRIBE(topology_spread_constraint, (max_skew, topology_key, when_unsatisfiable, label_selector, min_domains,
                                              node_affinity_policy, node_taints_policy, match_label_keys))

} // namespace kftrain::core

#endif
