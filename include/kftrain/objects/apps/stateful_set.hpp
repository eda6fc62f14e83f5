#ifndef KFTRAIN_OBJECTS_APPS_STATEFUL_SET_HPP
#define KFTRAIN_OBJECTS_APPS_STATEFUL_SET_HPP

/** @file
    Stateful sets of `apps/v1`.
    @par Upstream k8s.io/api `apps/v1/types.go`, v0.31 */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/model/selector.hpp>
#include <kftrain/objects/core/persistent_volume_claim.hpp>
#include <kftrain/objects/core/pod_spec.hpp>

namespace kftrain::apps {

/// Limits of an update that replaces the pods one after the other, highest ordinal first.
struct rolling_update_stateful_set_strategy {
    rolling_update_stateful_set_strategy() = default;

    std::optional<std::int32_t> partition;        ///< pods with a lower ordinal are not updated; absent means 0
    std::optional<int_or_string> max_unavailable; ///< pods or percent; absent means 1
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(rolling_update_stateful_set_strategy, (partition, max_unavailable))

/// How pods are replaced after a change of the template.
struct stateful_set_update_strategy {
    stateful_set_update_strategy() = default;

    std::string type; ///< RollingUpdate (also if empty) or OnDelete: pods change when they are deleted
    boxed<rolling_update_stateful_set_strategy> rolling_update; ///< limits of a RollingUpdate
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(stateful_set_update_strategy, (type, rolling_update))

/// Treatment of claims from the templates: Delete or Retain.
struct stateful_set_persistent_volume_claim_retention_policy {
    stateful_set_persistent_volume_claim_retention_policy() = default;

    std::string when_deleted; ///< for the claims if the set is deleted; empty means Retain
    std::string when_scaled;  ///< for the claims of pods that are scaled down; empty means Retain
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(stateful_set_persistent_volume_claim_retention_policy, (when_deleted, when_scaled))

/// The numbers of the pods.
struct stateful_set_ordinals {
    stateful_set_ordinals() = default;

    std::int32_t start = 0; ///< ordinal of the first pod
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(stateful_set_ordinals, "start")
KFTRAIN_DESCRIBE(stateful_set_ordinals, (start))

/// The requested pods of a stateful set and their claims.
struct stateful_set_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(stateful_set_spec);

    std::optional<std::int32_t> replicas; ///< absent means 1
    boxed<label_selector> selector; ///< selects the pods; must match the labels of the template and cannot be changed
    core::pod_template_spec template_; ///< every pod is made from it, with its own name and claims
    /// Each pod gets its own claim from each of them.
    std::vector<core::persistent_volume_claim> volume_claim_templates;
    std::string service_name;          ///< the headless service that names the pods
    std::string pod_management_policy; ///< OrderedReady (also if empty): one pod after the other; Parallel: all at once
    stateful_set_update_strategy update_strategy;       ///< how pods follow a change of the template
    std::optional<std::int32_t> revision_history_limit; ///< absent means 10
    std::int32_t min_ready_seconds = 0;                 ///< time in seconds before a ready pod counts as available
    /// Treatment of claims from the templates; absent: they stay.
    boxed<stateful_set_persistent_volume_claim_retention_policy> persistent_volume_claim_retention_policy;
    boxed<stateful_set_ordinals> ordinals; ///< absent: the first pod has the number 0
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(stateful_set_spec, "template_", "service_name")
KFTRAIN_DESCRIBE(stateful_set_spec, (replicas, selector, template_, volume_claim_templates, service_name,
                                     pod_management_policy, update_strategy, revision_history_limit, min_ready_seconds,
                                     persistent_volume_claim_retention_policy, ordinals))

/// An observation about a stateful set.
struct stateful_set_condition {
    stateful_set_condition() = default;

    std::string type;                               ///< name of the condition, in CamelCase
    std::string status;                             ///< True, False or Unknown
    std::optional<time_point> last_transition_time; ///< when `status` last changed
    std::string reason;                             ///< reason of the last change, one word in CamelCase
    std::string message;                            ///< details of the last change, as text
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(stateful_set_condition, "type", "status")
KFTRAIN_DESCRIBE(stateful_set_condition, (type, status, last_transition_time, reason, message))

/// The observed state of a stateful set; counts are of pods.
struct stateful_set_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(stateful_set_status);

    std::int64_t observed_generation = 0;           ///< `metadata.generation` that the controller last handled
    std::int32_t replicas = 0;                      ///< created pods
    std::int32_t ready_replicas = 0;                ///< pods with the condition Ready
    std::int32_t current_replicas = 0;              ///< pods of the revision `current_revision`
    std::int32_t updated_replicas = 0;              ///< pods of the revision `update_revision`
    std::string current_revision;                   ///< of pods 0 to `current_replicas` - 1
    std::string update_revision;                    ///< of the last `updated_replicas` pods
    std::optional<std::int32_t> collision_count;    ///< collisions of the names of revisions so far
    std::vector<stateful_set_condition> conditions; ///< at most one of each type
    std::int32_t available_replicas = 0;            ///< pods that have been ready for `min_ready_seconds`
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(stateful_set_status, {.member = "conditions", .merge_key = "type"})
KFTRAIN_REQUIRED(stateful_set_status, "replicas", "available_replicas")
KFTRAIN_DESCRIBE(stateful_set_status,
                 (observed_generation, replicas, ready_replicas, current_replicas, updated_replicas, current_revision,
                  update_revision, collision_count, conditions, available_replicas))

/// Pods with stable names, host names and storage.
struct stateful_set {
    stateful_set() = default;

    static constexpr resource_info resource{"apps", "v1", "StatefulSet", "statefulsets"};

    object_meta metadata;       ///< the name prefixes the names of the pods: `<name>-<ordinal>`
    stateful_set_spec spec;     ///< desired state
    stateful_set_status status; ///< observed state, written by the controller
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(stateful_set, (metadata, spec, status))

} // namespace kftrain::apps

#endif
