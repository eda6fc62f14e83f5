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

struct rolling_update_stateful_set_strategy {
    rolling_update_stateful_set_strategy() = default;

    std::optional<std::int32_t> partition;        ///< pods with a lower ordinal are not updated
    std::optional<int_or_string> max_unavailable; ///< pods or percent; absent means 1
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(rolling_update_stateful_set_strategy, (partition, max_unavailable))

struct stateful_set_update_strategy {
    stateful_set_update_strategy() = default;

    std::string type; ///< RollingUpdate or OnDelete
    boxed<rolling_update_stateful_set_strategy> rolling_update;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(stateful_set_update_strategy, (type, rolling_update))

/// Delete or Retain.
struct stateful_set_persistent_volume_claim_retention_policy {
    stateful_set_persistent_volume_claim_retention_policy() = default;

    std::string when_deleted;
    std::string when_scaled;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(stateful_set_persistent_volume_claim_retention_policy, (when_deleted, when_scaled))

struct stateful_set_ordinals {
    stateful_set_ordinals() = default;

    std::int32_t start = 0; ///< ordinal of the first pod
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(stateful_set_ordinals, "start")
KFTRAIN_DESCRIBE(stateful_set_ordinals, (start))

struct stateful_set_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(stateful_set_spec);

    std::optional<std::int32_t> replicas; ///< absent means 1
    boxed<label_selector> selector;
    core::pod_template_spec template_;
    std::vector<core::persistent_volume_claim> volume_claim_templates;
    std::string service_name;          ///< the headless service that names the pods
    std::string pod_management_policy; ///< OrderedReady or Parallel
    stateful_set_update_strategy update_strategy;
    std::optional<std::int32_t> revision_history_limit; ///< absent means 10
    std::int32_t min_ready_seconds = 0;                 ///< before a ready pod counts as available
    boxed<stateful_set_persistent_volume_claim_retention_policy> persistent_volume_claim_retention_policy;
    boxed<stateful_set_ordinals> ordinals;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(stateful_set_spec, "template_", "service_name")
KFTRAIN_DESCRIBE(stateful_set_spec, (replicas, selector, template_, volume_claim_templates, service_name,
                                     pod_management_policy, update_strategy, revision_history_limit, min_ready_seconds,
                                     persistent_volume_claim_retention_policy, ordinals))

struct stateful_set_condition {
    stateful_set_condition() = default;

    std::string type;
    std::string status; ///< True, False or Unknown
    std::optional<time_point> last_transition_time;
    std::string reason;
    std::string message;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(stateful_set_condition, "type", "status")
KFTRAIN_DESCRIBE(stateful_set_condition, (type, status, last_transition_time, reason, message))

struct stateful_set_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(stateful_set_status);

    std::int64_t observed_generation = 0;
    std::int32_t replicas = 0;
    std::int32_t ready_replicas = 0;
    std::int32_t current_replicas = 0;
    std::int32_t updated_replicas = 0;
    std::string current_revision;                ///< of pods 0 to `current_replicas` - 1
    std::string update_revision;                 ///< of the last `updated_replicas` pods
    std::optional<std::int32_t> collision_count; ///< of revision names
    std::vector<stateful_set_condition> conditions;
    std::int32_t available_replicas = 0;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(stateful_set_status, {.member = "conditions", .merge_key = "type"})
KFTRAIN_REQUIRED(stateful_set_status, "replicas", "available_replicas")
KFTRAIN_DESCRIBE(stateful_set_status,
                 (observed_generation, replicas, ready_replicas, current_replicas, updated_replicas, current_revision,
                  update_revision, collision_count, conditions, available_replicas))

struct stateful_set {
    stateful_set() = default;

    static constexpr resource_info resource{"apps", "v1", "StatefulSet", "statefulsets"};

    object_meta metadata;
    stateful_set_spec spec;
    stateful_set_status status;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(stateful_set, (metadata, spec, status))

} // namespace kftrain::apps

#endif
