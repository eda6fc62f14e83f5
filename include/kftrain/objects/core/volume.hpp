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

/// A file or directory of the node.
struct host_path_volume_source {
    host_path_volume_source() = default;

    std::string path; ///< path on the node, without `..`; symbolic links are followed
    /// DirectoryOrCreate, Directory, FileOrCreate, File, Socket, CharDevice or BlockDevice; empty: no check.
    std::optional<std::string> type;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(host_path_volume_source, "path")
KFTRAIN_DESCRIBE(host_path_volume_source, (path, type))

/// A directory that is empty when the pod starts and is deleted with it.
struct empty_dir_volume_source {
    empty_dir_volume_source() = default;

    std::string medium;                 ///< Memory, HugePages or `HugePages-SIZE`; empty: the disk of the node
    std::optional<quantity> size_limit; ///< the pod is evicted if it exceeds the limit; absent: none
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(empty_dir_volume_source, (medium, size_limit))

/// The keys of a Secret as files.
struct secret_volume_source {
    secret_volume_source() = default;

    std::string secret_name;                  ///< name of the Secret, of the same namespace
    std::vector<key_to_path> items;           ///< empty: all keys
    std::optional<std::int32_t> default_mode; ///< permission bits; absent means 0644
    std::optional<bool> optional;             ///< if true, the volume is empty if the secret does not exist
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(secret_volume_source, (secret_name, items, default_mode, optional))

/// A directory that an NFS server exports.
struct nfs_volume_source {
    nfs_volume_source() = default;

    std::string server;     ///< host name or IP address
    std::string path;       ///< exported path; must be absolute
    bool read_only = false; ///< if true, the directory is mounted read-only
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(nfs_volume_source, "server", "path")
KFTRAIN_DESCRIBE(nfs_volume_source, (server, path, read_only))

/// The volume of an existing claim.
struct persistent_volume_claim_volume_source {
    persistent_volume_claim_volume_source() = default;

    std::string claim_name; ///< name of a PersistentVolumeClaim of the same namespace
    bool read_only = false; ///< if true, all mounts of the volume are read-only
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(persistent_volume_claim_volume_source, "claim_name")
KFTRAIN_DESCRIBE(persistent_volume_claim_volume_source, (claim_name, read_only))

/// A file with either a field of the pod or a resource of a container.
struct downward_api_volume_file {
    downward_api_volume_file() = default;

    std::string path;                                  ///< relative to the mount; must not contain `..`
    boxed<object_field_selector> field_ref;            ///< labels, annotations, name, namespace or uid of the pod
    boxed<resource_field_selector> resource_field_ref; ///< a limit or request of a container
    std::optional<std::int32_t> mode;                  ///< permission bits 0 to 0777; absent: that of the volume
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(downward_api_volume_file, "path")
KFTRAIN_DESCRIBE(downward_api_volume_file, (path, field_ref, resource_field_ref, mode))

/// Fields of the pod, and resources of its containers, as files.
struct downward_api_volume_source {
    downward_api_volume_source() = default;

    std::vector<downward_api_volume_file> items; ///< the files
    std::optional<std::int32_t> default_mode;    ///< permission bits; absent means 0644
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(downward_api_volume_source, (items, default_mode))

/// The keys of a config map as files.
struct config_map_volume_source {
    config_map_volume_source() = default;

    std::string name;                         ///< name of the config map, of the same namespace
    std::vector<key_to_path> items;           ///< empty: all keys
    std::optional<std::int32_t> default_mode; ///< permission bits; absent means 0644
    std::optional<bool> optional;             ///< if true, the volume is empty if the config map does not exist
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(config_map_volume_source, (name, items, default_mode, optional))

/// The keys of a Secret as files in a projected volume.
struct secret_projection {
    secret_projection() = default;

    std::string name;               ///< name of the Secret, of the same namespace
    std::vector<key_to_path> items; ///< empty: all keys
    std::optional<bool> optional;   ///< if true, the Secret and its keys need not exist
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(secret_projection, (name, items, optional))

/// Fields of the pod, and resources of its containers, as files in a projected volume.
struct downward_api_projection {
    downward_api_projection() = default;

    std::vector<downward_api_volume_file> items; ///< the files
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(downward_api_projection, (items))

/// The keys of a config map as files in a projected volume.
struct config_map_projection {
    config_map_projection() = default;

    std::string name;               ///< name of the config map, of the same namespace
    std::vector<key_to_path> items; ///< empty: all keys
    std::optional<bool> optional;   ///< if true, the config map and its keys need not exist
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(config_map_projection, (name, items, optional))

/// A token that the kubelet renews.
struct service_account_token_projection {
    service_account_token_projection() = default;

    std::string audience;                           ///< empty: that of the API server
    std::optional<std::int64_t> expiration_seconds; ///< requested validity, at least 600; absent means 3600
    std::string path;                               ///< path of the file, relative to the mount; must not contain `..`
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(service_account_token_projection, "path")
KFTRAIN_DESCRIBE(service_account_token_projection, (audience, expiration_seconds, path))

/// CA certificates, by name or by signer and labels.
struct cluster_trust_bundle_projection {
    cluster_trust_bundle_projection() = default;

    std::optional<std::string> name; ///< name of one ClusterTrustBundle; excludes `signer_name` and `label_selector`
    std::optional<std::string> signer_name; ///< selects the bundles of this signer
    /// Narrows `signer_name`; absent: no bundle; empty: all bundles of the signer.
    boxed<kftrain::label_selector> label_selector;
    std::optional<bool> optional; ///< if true, the pod starts even if no bundle exists
    std::string path;             ///< path of the file, relative to the mount
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(cluster_trust_bundle_projection, "path")
KFTRAIN_DESCRIBE(cluster_trust_bundle_projection, (name, signer_name, label_selector, optional, path))

/// A key and a certificate that a signer issues for the pod and the kubelet renews. @par Upstream k8s.io/api v0.35
struct pod_certificate_projection {
    pod_certificate_projection() = default;

    std::string signer_name; ///< signer to which the kubelet sends the requests
    std::string key_type;    ///< RSA3072, RSA4096, ECDSAP256, ECDSAP384, ECDSAP521 or ED25519
    /// Maximum lifetime of the certificate, 3600 to 7862400; absent means 86400.
    std::optional<std::int32_t> max_expiration_seconds;
    std::string credential_bundle_path; ///< path of the file with key and certificates, relative to the mount
    std::string key_path;               ///< path of a separate file with the key
    std::string certificate_chain_path; ///< path of a separate file with the certificates
    string_map user_annotations;        ///< further data for the signer; keys have a domain prefix
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(pod_certificate_projection, "signer_name", "key_type")
KFTRAIN_DESCRIBE(pod_certificate_projection, (signer_name, key_type, max_expiration_seconds, credential_bundle_path,
                                              key_path, certificate_chain_path, user_annotations))

/// Exactly one is set.
struct volume_projection {
    volume_projection() = default;

    boxed<secret_projection> secret;                               ///< keys of a Secret
    boxed<downward_api_projection> downward_api;                   ///< fields of the pod and its containers
    boxed<config_map_projection> config_map;                       ///< keys of a config map
    boxed<service_account_token_projection> service_account_token; ///< a token of the service account of the pod
    boxed<cluster_trust_bundle_projection> cluster_trust_bundle;   ///< CA certificates
    boxed<pod_certificate_projection> pod_certificate;             ///< a key and a certificate for the pod
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(volume_projection, {.member = "downward_api", .json_name = "downwardAPI"})
KFTRAIN_DESCRIBE(volume_projection,
                 (secret, downward_api, config_map, service_account_token, cluster_trust_bundle, pod_certificate))

/// Several sources in one directory.
struct projected_volume_source {
    projected_volume_source() = default;

    std::vector<volume_projection> sources;   ///< sources of the files; their paths must not collide
    std::optional<std::int32_t> default_mode; ///< permission bits; absent means 0644
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(projected_volume_source, (sources, default_mode))

/// A volume that a storage driver creates for the pod.
struct csi_volume_source {
    csi_volume_source() = default;

    std::string driver;                 ///< name of the CSI driver in the cluster
    std::optional<bool> read_only;      ///< if true, the volume is mounted read-only; absent means false
    std::optional<std::string> fs_type; ///< file system, e.g. ext4, xfs; absent: the driver decides
    string_map volume_attributes;       ///< parameters of the driver
    /// Secret of the same namespace; the driver receives all its values.
    boxed<local_object_reference> node_publish_secret_ref;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(csi_volume_source, "driver")
KFTRAIN_DESCRIBE(csi_volume_source, (driver, read_only, fs_type, volume_attributes, node_publish_secret_ref))

/// A separate claim that lives as long as the pod.
struct ephemeral_volume_source {
    ephemeral_volume_source() = default;

    /// Required; the claim is named `POD-VOLUME` and the pod owns it.
    boxed<persistent_volume_claim_template> volume_claim_template;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(ephemeral_volume_source, (volume_claim_template))

/// The files of an image, read-only.
struct image_volume_source {
    image_volume_source() = default;

    std::string reference; ///< image, in the form of `image` of containers
    /// Always, Never or IfNotPresent; empty: Always for the tag `latest`, otherwise IfNotPresent.
    std::string pull_policy;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(image_volume_source, (reference, pull_policy))

/// A name and one source; without a source, an empty directory.
struct volume {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(volume);

    std::string name;                                                     ///< unique in the pod; mounts refer to it
    boxed<host_path_volume_source> host_path;                             ///< a file or directory of the node
    boxed<empty_dir_volume_source> empty_dir;                             ///< a directory that is deleted with the pod
    boxed<gce_persistent_disk_volume_source> gce_persistent_disk;         ///< a disk of Google Compute Engine
    boxed<aws_elastic_block_store_volume_source> aws_elastic_block_store; ///< a volume of Amazon EBS
    boxed<git_repo_volume_source> git_repo;                               ///< a clone of a Git repository; deprecated
    boxed<secret_volume_source> secret;                                   ///< keys of a Secret
    boxed<nfs_volume_source> nfs;                                         ///< a directory of an NFS server
    boxed<iscsi_volume_source> iscsi;                                     ///< a disk of an iSCSI target
    boxed<glusterfs_volume_source> glusterfs;                             ///< a GlusterFS volume; removed in 1.26
    boxed<persistent_volume_claim_volume_source> persistent_volume_claim; ///< the volume of an existing claim
    boxed<rbd_volume_source> rbd;                                         ///< a block device of Ceph; removed in 1.31
    boxed<flex_volume_source> flex_volume;                                ///< a FlexVolume; deprecated
    boxed<cinder_volume_source> cinder;                                   ///< a volume of OpenStack Cinder
    boxed<ceph_fs_volume_source> cephfs;                                  ///< a directory of CephFS; removed in 1.31
    boxed<flocker_volume_source> flocker;                                 ///< a dataset of Flocker; removed in 1.25
    boxed<downward_api_volume_source> downward_api;                       ///< fields of the pod and its containers
    boxed<fc_volume_source> fc;                                           ///< a Fibre Channel disk
    boxed<azure_file_volume_source> azure_file;                           ///< a share of Azure Files
    boxed<config_map_volume_source> config_map;                           ///< keys of a config map
    boxed<vsphere_virtual_disk_volume_source> vsphere_volume;             ///< a virtual disk of vSphere
    boxed<quobyte_volume_source> quobyte;                                 ///< a Quobyte volume; removed in 1.25
    boxed<azure_disk_volume_source> azure_disk;                           ///< a data disk of Azure
    boxed<photon_persistent_disk_volume_source> photon_persistent_disk;   ///< a disk of Photon Controller; unsupported
    boxed<projected_volume_source> projected;                             ///< several sources in one directory
    boxed<portworx_volume_source> portworx_volume;                        ///< a Portworx volume
    boxed<scale_io_volume_source> scale_io;                               ///< a ScaleIO volume; unsupported
    boxed<storage_os_volume_source> storageos;                            ///< a StorageOS volume; removed in 1.25
    boxed<csi_volume_source> csi;                                         ///< a volume of a CSI driver, for this pod
    boxed<ephemeral_volume_source> ephemeral;                             ///< a claim that is deleted with the pod
    boxed<image_volume_source> image;                                     ///< the files of an image; read-only
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
