#ifndef KFTRAIN_OBJECTS_CORE_PERSISTENT_VOLUME_CLAIM_HPP
#define KFTRAIN_OBJECTS_CORE_PERSISTENT_VOLUME_CLAIM_HPP

/** @file
    Claims of storage.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/model/selector.hpp>
#include <kftrain/objects/core/reference.hpp>
#include <kftrain/objects/core/resource_requirements.hpp>

namespace kftrain::core {

struct persistent_volume_claim_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(persistent_volume_claim_spec);

    std::vector<std::string> access_modes; ///< ReadWriteOnce, ReadOnlyMany, ReadWriteMany, ReadWriteOncePod
    boxed<label_selector> selector;
    volume_resource_requirements resources;
    std::string volume_name;                         ///< the bound volume
    std::optional<std::string> storage_class_name;   ///< absent: the default of the cluster; empty: none
    std::optional<std::string> volume_mode;          ///< Filesystem or Block
    boxed<typed_local_object_reference> data_source; ///< a snapshot or claim that provides the initial content
    boxed<typed_object_reference> data_source_ref;   ///< as `data_source`, also of other kinds and namespaces
    std::optional<std::string> volume_attributes_class_name;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(persistent_volume_claim_spec,
                 (access_modes, selector, resources, volume_name, storage_class_name, volume_mode, data_source,
                  data_source_ref, volume_attributes_class_name))

/// The template of a claim for one pod.
struct persistent_volume_claim_template {
    persistent_volume_claim_template() = default;

    object_meta metadata;
    persistent_volume_claim_spec spec;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(persistent_volume_claim_template, "spec")
KFTRAIN_DESCRIBE(persistent_volume_claim_template, (metadata, spec))

struct persistent_volume_claim_condition {
    persistent_volume_claim_condition() = default;

    std::string type;
    std::string status;
    std::optional<time_point> last_probe_time;
    std::optional<time_point> last_transition_time;
    std::string reason;
    std::string message;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(persistent_volume_claim_condition, "type", "status")
KFTRAIN_DESCRIBE(persistent_volume_claim_condition,
                 (type, status, last_probe_time, last_transition_time, reason, message))

/// A pending change of the volume attributes class.
struct modify_volume_status {
    modify_volume_status() = default;

    std::string target_volume_attributes_class_name;
    std::string status; ///< Pending, InProgress or Infeasible
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(modify_volume_status, "status")
KFTRAIN_DESCRIBE(modify_volume_status, (target_volume_attributes_class_name, status))

struct persistent_volume_claim_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(persistent_volume_claim_status);

    std::string phase; ///< Pending, Bound or Lost
    std::vector<std::string> access_modes;
    resource_list capacity; ///< actual capacity of the volume
    std::vector<persistent_volume_claim_condition> conditions;
    resource_list allocated_resources;      ///< larger than `capacity` during a resize
    string_map allocated_resource_statuses; ///< resize status by resource, e.g. NodeResizePending
    std::optional<std::string> current_volume_attributes_class_name;
    boxed<kftrain::core::modify_volume_status> modify_volume_status;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(persistent_volume_claim_status, {.member = "conditions", .merge_key = "type"})
KFTRAIN_DESCRIBE(persistent_volume_claim_status,
                 (phase, access_modes, capacity, conditions, allocated_resources, allocated_resource_statuses,
                  current_volume_attributes_class_name, modify_volume_status))

struct persistent_volume_claim {
    persistent_volume_claim() = default;

    static constexpr resource_info resource{"", "v1", "PersistentVolumeClaim", "persistentvolumeclaims"};

    object_meta metadata;
    persistent_volume_claim_spec spec;
    persistent_volume_claim_status status;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(persistent_volume_claim, (metadata, spec, status))

} // namespace kftrain::core

#endif
