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

/// The desired storage of a claim.
struct persistent_volume_claim_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(persistent_volume_claim_spec);

    std::vector<std::string> access_modes;           ///< ReadWriteOnce, ReadOnlyMany, ReadWriteMany, ReadWriteOncePod
    boxed<label_selector> selector;                  ///< labels of the volumes that can be bound; absent: any
    volume_resource_requirements resources;          ///< minimum size, as request of `storage`
    std::string volume_name;                         ///< the bound volume
    std::optional<std::string> storage_class_name;   ///< absent: the default of the cluster; empty: none
    std::optional<std::string> volume_mode;          ///< Filesystem or Block; absent means Filesystem
    boxed<typed_local_object_reference> data_source; ///< a snapshot or claim that provides the initial content
    boxed<typed_object_reference> data_source_ref;   ///< as `data_source`, also of other kinds and namespaces
    std::optional<std::string> volume_attributes_class_name; ///< VolumeAttributesClass; can change after creation
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(persistent_volume_claim_spec,
                 (access_modes, selector, resources, volume_name, storage_class_name, volume_mode, data_source,
                  data_source_ref, volume_attributes_class_name))

/// The template of a claim for one pod.
struct persistent_volume_claim_template {
    persistent_volume_claim_template() = default;

    object_meta metadata;              ///< labels and annotations of the claim; no other fields
    persistent_volume_claim_spec spec; ///< desired storage of the claim
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(persistent_volume_claim_template, "spec")
KFTRAIN_DESCRIBE(persistent_volume_claim_template, (metadata, spec))

/// One condition of a claim, about its resize or change.
struct persistent_volume_claim_condition {
    persistent_volume_claim_condition() = default;

    std::string type;                               ///< Resizing, FileSystemResizePending, ModifyingVolume, ...
    std::string status;                             ///< True, False or Unknown
    std::optional<time_point> last_probe_time;      ///< when the condition was last checked
    std::optional<time_point> last_transition_time; ///< when `status` last changed
    std::string reason;                             ///< reason for the last transition, in CamelCase
    std::string message;                            ///< details of the last transition, as text
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(persistent_volume_claim_condition, "type", "status")
KFTRAIN_DESCRIBE(persistent_volume_claim_condition,
                 (type, status, last_probe_time, last_transition_time, reason, message))

/// A pending change of the volume attributes class.
struct modify_volume_status {
    modify_volume_status() = default;

    std::string target_volume_attributes_class_name; ///< class to which the volume is changed
    std::string status;                              ///< Pending, InProgress or Infeasible
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(modify_volume_status, "status")
KFTRAIN_DESCRIBE(modify_volume_status, (target_volume_attributes_class_name, status))

/// The observed state of a claim.
struct persistent_volume_claim_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(persistent_volume_claim_status);

    std::string phase;                                         ///< Pending, Bound or Lost
    std::vector<std::string> access_modes;                     ///< access modes of the bound volume
    resource_list capacity;                                    ///< actual capacity of the volume
    std::vector<persistent_volume_claim_condition> conditions; ///< at most one of each type
    resource_list allocated_resources;                         ///< larger than `capacity` during a resize
    string_map allocated_resource_statuses;                    ///< resize status by resource, e.g. NodeResizePending
    /// VolumeAttributesClass of the volume; absent: none.
    std::optional<std::string> current_volume_attributes_class_name;
    boxed<kftrain::core::modify_volume_status> modify_volume_status; ///< pending change of the class; absent: none
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(persistent_volume_claim_status, {.member = "conditions", .merge_key = "type"})
KFTRAIN_DESCRIBE(persistent_volume_claim_status,
                 (phase, access_modes, capacity, conditions, allocated_resources, allocated_resource_statuses,
                  current_volume_attributes_class_name, modify_volume_status))

/// A request of a namespace for storage, and the volume that is bound to it.
struct persistent_volume_claim {
    persistent_volume_claim() = default;

    static constexpr resource_info resource{"", "v1", "PersistentVolumeClaim", "persistentvolumeclaims"};

    object_meta metadata;                  ///< name, labels, annotations; pods refer to the name
    persistent_volume_claim_spec spec;     ///< desired size, access modes and storage class
    persistent_volume_claim_status status; ///< phase and actual size
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(persistent_volume_claim, (metadata, spec, status))

} // namespace kftrain::core

#endif
