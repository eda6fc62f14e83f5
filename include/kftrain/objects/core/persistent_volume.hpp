#ifndef KFTRAIN_OBJECTS_CORE_PERSISTENT_VOLUME_HPP
#define KFTRAIN_OBJECTS_CORE_PERSISTENT_VOLUME_HPP

/** @file
    Volumes of a cluster.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/objects/core/affinity.hpp>
#include <kftrain/objects/core/reference.hpp>
#include <kftrain/objects/core/volume.hpp>

namespace kftrain::core {

/// A directory or block device of one node.
struct local_volume_source {
    local_volume_source() = default;

    std::string path;                   ///< path on the node
    std::optional<std::string> fs_type; ///< file system of a block device
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(local_volume_source, "path")
KFTRAIN_DESCRIBE(local_volume_source, (path, fs_type))

/// Nodes from which a volume can be used.
struct volume_node_affinity {
    volume_node_affinity() = default;

    boxed<node_selector> required; ///< absent: all nodes
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(volume_node_affinity, (required))

/// A volume and where it is. Members for storage systems of vendors, such as `csi`, are among the unknown fields.
struct persistent_volume_spec {
    persistent_volume_spec() = default;

    resource_list capacity;                       ///< size, as `storage`
    boxed<host_path_volume_source> host_path;     ///< a file or directory of the node
    boxed<nfs_volume_source> nfs;                 ///< a directory of an NFS server
    boxed<local_volume_source> local;             ///< a directory or device of one node
    std::vector<std::string> access_modes;        ///< all that the volume supports, as those of a claim
    boxed<object_reference> claim_ref;            ///< the bound claim, or the one for which the volume is kept
    std::string persistent_volume_reclaim_policy; ///< Retain, Delete or Recycle
    std::string storage_class_name;               ///< only claims of this class are bound; empty: those without one
    std::vector<std::string> mount_options;       ///< options of mount(8)
    std::optional<std::string> volume_mode;       ///< Filesystem or Block; absent means Filesystem
    boxed<volume_node_affinity> node_affinity;    ///< absent: all nodes
    std::optional<std::string> volume_attributes_class_name; ///< VolumeAttributesClass; absent: none
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(persistent_volume_spec,
                 (capacity, host_path, nfs, local, access_modes, claim_ref, persistent_volume_reclaim_policy,
                  storage_class_name, mount_options, volume_mode, node_affinity, volume_attributes_class_name))

/// The observed state of a volume.
struct persistent_volume_status {
    persistent_volume_status() = default;

    std::string phase;                                    ///< Pending, Available, Bound, Released or Failed
    std::string message;                                  ///< why the volume is in this phase, as text
    std::string reason;                                   ///< why it failed, in CamelCase
    std::optional<time_point> last_phase_transition_time; ///< when `phase` last changed
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(persistent_volume_status, (phase, message, reason, last_phase_transition_time))

/// Storage of the cluster that a claim can be bound to.
struct persistent_volume {
    persistent_volume() = default;

    static constexpr resource_info resource{"", "v1", "PersistentVolume", "persistentvolumes", resource_scope::cluster};

    object_meta metadata;            ///< claims refer to the name and select by labels
    persistent_volume_spec spec;     ///< size, source and the claim
    persistent_volume_status status; ///< phase
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(persistent_volume, (metadata, spec, status))

} // namespace kftrain::core

#endif
