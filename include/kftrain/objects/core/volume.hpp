#ifndef KFTRAIN_OBJECTS_CORE_VOLUME_HPP
#define KFTRAIN_OBJECTS_CORE_VOLUME_HPP

/** @file
    Volumes of pods.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/model/selector.hpp>
#include <kftrain/objects/core/persistent_volume_claim.hpp>
#include <kftrain/objects/core/reference.hpp>
#include <kftrain/objects/core/volume_plugin.hpp>

namespace kftrain::core {

struct host_path_volume_source {
    host_path_volume_source() = default;

    std::string path;
    std::optional<std::string> type; ///< e.g. Directory, DirectoryOrCreate, File, Socket; empty: no check
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(host_path_volume_source, "path")
KFTRAIN_DESCRIBE(host_path_volume_source, (path, type))

struct empty_dir_volume_source {
    empty_dir_volume_source() = default;

    std::string medium;                 ///< empty: the disk of the node; Memory; HugePages
    std::optional<quantity> size_limit; ///< the pod is evicted if it exceeds the limit
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(empty_dir_volume_source, (medium, size_limit))

struct secret_volume_source {
    secret_volume_source() = default;

    std::string secret_name;
    std::vector<key_to_path> items;           ///< empty: all keys
    std::optional<std::int32_t> default_mode; ///< permission bits; absent means 0644
    std::optional<bool> optional;             ///< if true, the volume is empty if the secret does not exist
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(secret_volume_source, (secret_name, items, default_mode, optional))

struct nfs_volume_source {
    nfs_volume_source() = default;

    std::string server;
    std::string path;
    bool read_only = false;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(nfs_volume_source, "server", "path")
KFTRAIN_DESCRIBE(nfs_volume_source, (server, path, read_only))

struct persistent_volume_claim_volume_source {
    persistent_volume_claim_volume_source() = default;

    std::string claim_name;
    bool read_only = false;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(persistent_volume_claim_volume_source, "claim_name")
KFTRAIN_DESCRIBE(persistent_volume_claim_volume_source, (claim_name, read_only))

/// A file with either a field of the pod or a resource of a container.
struct downward_api_volume_file {
    downward_api_volume_file() = default;

    std::string path; ///< relative to the mount; must not contain `..`
    boxed<object_field_selector> field_ref;
    boxed<resource_field_selector> resource_field_ref;
    std::optional<std::int32_t> mode; ///< permission bits 0 to 0777; absent: that of the volume
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(downward_api_volume_file, "path")
KFTRAIN_DESCRIBE(downward_api_volume_file, (path, field_ref, resource_field_ref, mode))

struct downward_api_volume_source {
    downward_api_volume_source() = default;

    std::vector<downward_api_volume_file> items;
    std::optional<std::int32_t> default_mode; ///< permission bits; absent means 0644
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(downward_api_volume_source, (items, default_mode))

struct config_map_volume_source {
    config_map_volume_source() = default;

    std::string name;
    std::vector<key_to_path> items;           ///< empty: all keys
    std::optional<std::int32_t> default_mode; ///< permission bits; absent means 0644
    std::optional<bool> optional;             ///< if true, the volume is empty if the config map does not exist
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(config_map_volume_source, (name, items, default_mode, optional))

struct secret_projection {
    secret_projection() = default;

    std::string name;
    std::vector<key_to_path> items; ///< empty: all keys
    std::optional<bool> optional;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(secret_projection, (name, items, optional))

struct downward_api_projection {
    downward_api_projection() = default;

    std::vector<downward_api_volume_file> items;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(downward_api_projection, (items))

struct config_map_projection {
    config_map_projection() = default;

    std::string name;
    std::vector<key_to_path> items; ///< empty: all keys
    std::optional<bool> optional;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(config_map_projection, (name, items, optional))

/// A token that the kubelet renews.
struct service_account_token_projection {
    service_account_token_projection() = default;

    std::string audience;                           ///< empty: that of the API server
    std::optional<std::int64_t> expiration_seconds; ///< absent means 3600; at least 600
    std::string path;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(service_account_token_projection, "path")
KFTRAIN_DESCRIBE(service_account_token_projection, (audience, expiration_seconds, path))

/// CA certificates, by name or by signer and labels.
struct cluster_trust_bundle_projection {
    cluster_trust_bundle_projection() = default;

    std::optional<std::string> name;
    std::optional<std::string> signer_name;
    boxed<kftrain::label_selector> label_selector;
    std::optional<bool> optional;
    std::string path;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(cluster_trust_bundle_projection, "path")
KFTRAIN_DESCRIBE(cluster_trust_bundle_projection, (name, signer_name, label_selector, optional, path))

/// A key and a certificate that a signer issues for the pod and the kubelet renews. @par Upstream k8s.io/api v0.35
struct pod_certificate_projection {
    pod_certificate_projection() = default;

    std::string signer_name;
    std::string key_type; ///< e.g. RSA3072, ECDSAP256, ED25519
    std::optional<std::int32_t> max_expiration_seconds;
    std::string credential_bundle_path; ///< path of the file with key and certificates
    std::string key_path;
    std::string certificate_chain_path;
    string_map user_annotations; ///< for the signer
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(pod_certificate_projection, "signer_name", "key_type")
KFTRAIN_DESCRIBE(pod_certificate_projection, (signer_name, key_type, max_expiration_seconds, credential_bundle_path,
                                              key_path, certificate_chain_path, user_annotations))

/// Exactly one is set.
struct volume_projection {
    volume_projection() = default;

    boxed<secret_projection> secret;
    boxed<downward_api_projection> downward_api;
    boxed<config_map_projection> config_map;
    boxed<service_account_token_projection> service_account_token;
    boxed<cluster_trust_bundle_projection> cluster_trust_bundle;
    boxed<pod_certificate_projection> pod_certificate;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(volume_projection, {.member = "downward_api", .json_name = "downwardAPI"})
KFTRAIN_DESCRIBE(volume_projection,
                 (secret, downward_api, config_map, service_account_token, cluster_trust_bundle, pod_certificate))

/// Several sources in one directory.
struct projected_volume_source {
    projected_volume_source() = default;

    std::vector<volume_projection> sources;
    std::optional<std::int32_t> default_mode; ///< permission bits; absent means 0644
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(projected_volume_source, (sources, default_mode))

/// A volume that a storage driver creates for the pod.
struct csi_volume_source {
    csi_volume_source() = default;

    std::string driver;
    std::optional<bool> read_only;
    std::optional<std::string> fs_type;
    string_map volume_attributes;
    boxed<local_object_reference> node_publish_secret_ref;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(csi_volume_source, "driver")
KFTRAIN_DESCRIBE(csi_volume_source, (driver, read_only, fs_type, volume_attributes, node_publish_secret_ref))

/// A separate claim that lives as long as the pod.
struct ephemeral_volume_source {
    ephemeral_volume_source() = default;

    boxed<persistent_volume_claim_template> volume_claim_template;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(ephemeral_volume_source, (volume_claim_template))

/// The files of an image, read-only.
struct image_volume_source {
    image_volume_source() = default;

    std::string reference;
    std::string pull_policy; ///< Always, Never or IfNotPresent
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(image_volume_source, (reference, pull_policy))

/// A name and one source; without a source, an empty directory.
struct volume {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(volume);

    std::string name;
    boxed<host_path_volume_source> host_path;
    boxed<empty_dir_volume_source> empty_dir;
    boxed<gce_persistent_disk_volume_source> gce_persistent_disk;
    boxed<aws_elastic_block_store_volume_source> aws_elastic_block_store;
    boxed<git_repo_volume_source> git_repo;
    boxed<secret_volume_source> secret;
    boxed<nfs_volume_source> nfs;
    boxed<iscsi_volume_source> iscsi;
    boxed<glusterfs_volume_source> glusterfs;
    boxed<persistent_volume_claim_volume_source> persistent_volume_claim;
    boxed<rbd_volume_source> rbd;
    boxed<flex_volume_source> flex_volume;
    boxed<cinder_volume_source> cinder;
    boxed<ceph_fs_volume_source> cephfs;
    boxed<flocker_volume_source> flocker;
    boxed<downward_api_volume_source> downward_api;
    boxed<fc_volume_source> fc;
    boxed<azure_file_volume_source> azure_file;
    boxed<config_map_volume_source> config_map;
    boxed<vsphere_virtual_disk_volume_source> vsphere_volume;
    boxed<quobyte_volume_source> quobyte;
    boxed<azure_disk_volume_source> azure_disk;
    boxed<photon_persistent_disk_volume_source> photon_persistent_disk;
    boxed<projected_volume_source> projected;
    boxed<portworx_volume_source> portworx_volume;
    boxed<scale_io_volume_source> scale_io;
    boxed<storage_os_volume_source> storageos;
    boxed<csi_volume_source> csi;
    boxed<ephemeral_volume_source> ephemeral;
    boxed<image_volume_source> image;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(volume, {.member = "downward_api", .json_name = "downwardAPI"},
                    {.member = "scale_io", .json_name = "scaleIO"})
KFTRAIN_REQUIRED(volume, "name")
KFTRAIN_DESCRIBE(volume,
                 (name, host_path, empty_dir, gce_persistent_disk, aws_elastic_block_store, git_repo, secret, nfs,
                  iscsi, glusterfs, persistent_volume_claim, rbd, flex_volume, cinder, cephfs, flocker, downward_api,
                  fc, azure_file, config_map, vsphere_volume, quobyte, azure_disk, photon_persistent_disk, projected,
                  portworx_volume, scale_io, storageos, csi, ephemeral, image))

} // namespace kftrain::core

#endif
