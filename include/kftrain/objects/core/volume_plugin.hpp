#ifndef KFTRAIN_OBJECTS_CORE_VOLUME_PLUGIN_HPP
#define KFTRAIN_OBJECTS_CORE_VOLUME_PLUGIN_HPP

/** @file Volumes for specific storage products; today CSI drivers serve nearly all of them.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/objects/core/reference.hpp>

namespace kftrain::core {

/// An existing persistent disk of Google Compute Engine; the driver `pd.csi.storage.gke.io` serves it.
struct gce_persistent_disk_volume_source {
    gce_persistent_disk_volume_source() = default;

    std::string pd_name;        ///< name of the disk in GCE
    std::string fs_type;        ///< file system, e.g. ext4, xfs; empty means ext4
    std::int32_t partition = 0; ///< number of the partition; 0: the whole disk
    bool read_only = false;     ///< if true, the disk is mounted read-only
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(gce_persistent_disk_volume_source, "pd_name")
KFTRAIN_DESCRIBE(gce_persistent_disk_volume_source, (pd_name, fs_type, partition, read_only))

/// An existing volume of Amazon EBS; the driver `ebs.csi.aws.com` serves it.
struct aws_elastic_block_store_volume_source {
    aws_elastic_block_store_volume_source() = default;

    std::string volume_id;      ///< ID of the volume in AWS
    std::string fs_type;        ///< file system, e.g. ext4, xfs; empty means ext4
    std::int32_t partition = 0; ///< number of the partition; 0: the whole volume
    bool read_only = false;     ///< if true, the volume is mounted read-only
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(aws_elastic_block_store_volume_source, {.member = "volume_id", .json_name = "volumeID"})
KFTRAIN_REQUIRED(aws_elastic_block_store_volume_source, "volume_id")
KFTRAIN_DESCRIBE(aws_elastic_block_store_volume_source, (volume_id, fs_type, partition, read_only))

/// A clone of a Git repository; deprecated in favour of an init container that clones into an empty directory.
struct git_repo_volume_source {
    git_repo_volume_source() = default;

    std::string repository; ///< URL
    std::string revision;   ///< commit hash to check out
    std::string directory;  ///< directory for the clone in the volume; `.`: the volume itself; must not contain `..`
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(git_repo_volume_source, "repository")
KFTRAIN_DESCRIBE(git_repo_volume_source, (repository, revision, directory))

/// A disk of an iSCSI target, attached to the node.
struct iscsi_volume_source {
    iscsi_volume_source() = default;

    std::string target_portal;        ///< address, with port unless that is 3260
    std::string iqn;                  ///< name of the target
    std::int32_t lun = 0;             ///< logical unit number of the disk, 0 to 255
    std::string iscsi_interface;      ///< interface for the transport; empty means `default` (TCP)
    std::string fs_type;              ///< file system, e.g. ext4, xfs; empty means ext4
    bool read_only = false;           ///< if true, the disk is mounted read-only
    std::vector<std::string> portals; ///< further portals of the target, in the form of `target_portal`
    bool chap_auth_discovery = false; ///< whether discovery uses CHAP authentication
    bool chap_auth_session = false;   ///< whether sessions use CHAP authentication
    /// Secret of the same namespace with the CHAP credentials; required for CHAP.
    boxed<local_object_reference> secret_ref;
    std::optional<std::string> initiator_name; ///< name of the initiator; absent: that of the node
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(iscsi_volume_source, "target_portal", "iqn", "lun")
KFTRAIN_DESCRIBE(iscsi_volume_source, (target_portal, iqn, lun, iscsi_interface, fs_type, read_only, portals,
                                       chap_auth_discovery, chap_auth_session, secret_ref, initiator_name))

/// A GlusterFS volume; Kubernetes 1.26 removed the plugin.
struct glusterfs_volume_source {
    glusterfs_volume_source() = default;

    std::string endpoints;  ///< name of an Endpoints object with the servers
    std::string path;       ///< name of the GlusterFS volume
    bool read_only = false; ///< if true, the volume is mounted read-only
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(glusterfs_volume_source, "endpoints", "path")
KFTRAIN_DESCRIBE(glusterfs_volume_source, (endpoints, path, read_only))

/// A RADOS block device of Ceph; Kubernetes 1.31 removed the plugin.
struct rbd_volume_source {
    rbd_volume_source() = default;

    std::vector<std::string> monitors; ///< addresses of the Ceph monitors; required
    std::string image;                 ///< name of the RADOS image
    std::string fs_type;               ///< file system, e.g. ext4, xfs; empty means ext4
    std::string pool;                  ///< RADOS pool of the image; empty means `rbd`
    std::string user;                  ///< RADOS user; empty means `admin`
    std::string keyring;               ///< path of the keyring on the node; empty means `/etc/ceph/keyring`
    /// Secret of the same namespace with the key of `user`; overrides `keyring`.
    boxed<local_object_reference> secret_ref;
    bool read_only = false; ///< if true, the device is mounted read-only
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(rbd_volume_source, "image")
KFTRAIN_DESCRIBE(rbd_volume_source, (monitors, image, fs_type, pool, user, keyring, secret_ref, read_only))

/// A volume of a FlexVolume driver, an executable on the node; deprecated in favour of CSI drivers.
struct flex_volume_source {
    flex_volume_source() = default;

    std::string driver;                       ///< name of the driver, e.g. `vendor/driver`
    std::string fs_type;                      ///< file system, e.g. ext4, xfs; empty: the driver decides
    boxed<local_object_reference> secret_ref; ///< Secret of the same namespace; the driver receives all its values
    bool read_only = false;                   ///< if true, the volume is mounted read-only
    string_map options;                       ///< further options for the driver
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(flex_volume_source, "driver")
KFTRAIN_DESCRIBE(flex_volume_source, (driver, fs_type, secret_ref, read_only, options))

/// An existing volume of OpenStack Cinder; the driver `cinder.csi.openstack.org` serves it.
struct cinder_volume_source {
    cinder_volume_source() = default;

    std::string volume_id;                    ///< ID of the volume in Cinder
    std::string fs_type;                      ///< file system, e.g. ext4, xfs; empty means ext4
    bool read_only = false;                   ///< if true, the volume is mounted read-only
    boxed<local_object_reference> secret_ref; ///< Secret of the same namespace with the parameters for OpenStack
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(cinder_volume_source, {.member = "volume_id", .json_name = "volumeID"})
KFTRAIN_REQUIRED(cinder_volume_source, "volume_id")
KFTRAIN_DESCRIBE(cinder_volume_source, (volume_id, fs_type, read_only, secret_ref))

/// A directory of a CephFS file system; Kubernetes 1.31 removed the plugin.
struct ceph_fs_volume_source {
    ceph_fs_volume_source() = default;

    std::vector<std::string> monitors; ///< addresses of the Ceph monitors; required
    std::string path;                  ///< mounted directory of the file system; empty means `/`
    std::string user;                  ///< RADOS user; empty means `admin`
    std::string secret_file;           ///< path of the keyring on the node; empty means `/etc/ceph/user.secret`
    /// Secret of the same namespace with the key of `user`; overrides `secret_file`.
    boxed<local_object_reference> secret_ref;
    bool read_only = false; ///< if true, the directory is mounted read-only
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(ceph_fs_volume_source, (monitors, path, user, secret_file, secret_ref, read_only))

/// A dataset of Flocker, by name or UUID; Kubernetes 1.25 removed the plugin.
struct flocker_volume_source {
    flocker_volume_source() = default;

    std::string dataset_name; ///< name in the metadata of the dataset; deprecated, excludes `dataset_uuid`
    std::string dataset_uuid; ///< UUID of the dataset
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(flocker_volume_source, {.member = "dataset_uuid", .json_name = "datasetUUID"})
KFTRAIN_DESCRIBE(flocker_volume_source, (dataset_name, dataset_uuid))

/// A Fibre Channel disk, either by `wwids` or by `target_wwns` and `lun`.
struct fc_volume_source {
    fc_volume_source() = default;

    std::vector<std::string> target_wwns; ///< worldwide names of the targets
    std::optional<std::int32_t> lun;      ///< logical unit number of the disk, 0 to 255
    std::string fs_type;                  ///< file system, e.g. ext4, xfs; empty means ext4
    bool read_only = false;               ///< if true, the disk is mounted read-only
    std::vector<std::string> wwids;       ///< worldwide identifiers of the disk
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(fc_volume_source, {.member = "target_wwns", .json_name = "targetWWNs"})
KFTRAIN_DESCRIBE(fc_volume_source, (target_wwns, lun, fs_type, read_only, wwids))

/// A share of Azure Files; the driver `file.csi.azure.com` serves it.
struct azure_file_volume_source {
    azure_file_volume_source() = default;

    std::string secret_name; ///< Secret of the same namespace with the name and the key of the storage account
    std::string share_name;  ///< name of the share in Azure
    bool read_only = false;  ///< if true, the share is mounted read-only
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(azure_file_volume_source, "secret_name", "share_name")
KFTRAIN_DESCRIBE(azure_file_volume_source, (secret_name, share_name, read_only))

/// A virtual disk of vSphere; the driver `csi.vsphere.vmware.com` serves it.
struct vsphere_virtual_disk_volume_source {
    vsphere_virtual_disk_volume_source() = default;

    std::string volume_path;         ///< path of the disk, e.g. `[datastore] volumes/disk`
    std::string fs_type;             ///< file system, e.g. ext4, xfs; empty means ext4
    std::string storage_policy_name; ///< name of the storage policy
    std::string storage_policy_id;   ///< ID of the storage policy `storage_policy_name`
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(vsphere_virtual_disk_volume_source, {.member = "storage_policy_id", .json_name = "storagePolicyID"})
KFTRAIN_REQUIRED(vsphere_virtual_disk_volume_source, "volume_path")
KFTRAIN_DESCRIBE(vsphere_virtual_disk_volume_source, (volume_path, fs_type, storage_policy_name, storage_policy_id))

/// A Quobyte volume; Kubernetes 1.25 removed the plugin.
struct quobyte_volume_source {
    quobyte_volume_source() = default;

    std::string registry;   ///< `host:port`, several with commas
    std::string volume;     ///< name of an existing volume
    bool read_only = false; ///< if true, the volume is mounted read-only
    std::string user;       ///< user for all accesses; empty: the user of the service account
    std::string group;      ///< group for all accesses; empty: none
    std::string tenant;     ///< tenant that owns the volume; the plugin sets it when it creates the volume
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(quobyte_volume_source, "registry", "volume")
KFTRAIN_DESCRIBE(quobyte_volume_source, (registry, volume, read_only, user, group, tenant))

/// A data disk of Azure; the driver `disk.csi.azure.com` serves it.
struct azure_disk_volume_source {
    azure_disk_volume_source() = default;

    std::string disk_name;                   ///< name of the disk
    std::string disk_uri;                    ///< URI of the disk
    std::optional<std::string> caching_mode; ///< None, ReadOnly or ReadWrite; absent means ReadWrite
    std::optional<std::string> fs_type;      ///< file system, e.g. ext4, xfs; absent means ext4
    std::optional<bool> read_only;           ///< if true, the disk is mounted read-only; absent means false
    std::optional<std::string> kind;         ///< Shared, Dedicated or Managed; absent means Shared
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(azure_disk_volume_source, {.member = "disk_uri", .json_name = "diskURI"})
KFTRAIN_REQUIRED(azure_disk_volume_source, "disk_name", "disk_uri")
KFTRAIN_DESCRIBE(azure_disk_volume_source, (disk_name, disk_uri, caching_mode, fs_type, read_only, kind))

/// A disk of VMware Photon Controller; Kubernetes does not support it any more.
struct photon_persistent_disk_volume_source {
    photon_persistent_disk_volume_source() = default;

    std::string pd_id;   ///< ID of the disk in Photon Controller
    std::string fs_type; ///< file system, e.g. ext4, xfs; empty means ext4
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(photon_persistent_disk_volume_source, {.member = "pd_id", .json_name = "pdID"})
KFTRAIN_REQUIRED(photon_persistent_disk_volume_source, "pd_id")
KFTRAIN_DESCRIBE(photon_persistent_disk_volume_source, (pd_id, fs_type))

/// An existing Portworx volume.
struct portworx_volume_source {
    portworx_volume_source() = default;

    std::string volume_id;  ///< ID of the volume in Portworx
    std::string fs_type;    ///< file system, e.g. ext4, xfs; empty means ext4
    bool read_only = false; ///< if true, the volume is mounted read-only
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(portworx_volume_source, {.member = "volume_id", .json_name = "volumeID"})
KFTRAIN_REQUIRED(portworx_volume_source, "volume_id")
KFTRAIN_DESCRIBE(portworx_volume_source, (volume_id, fs_type, read_only))

/// A ScaleIO volume; Kubernetes does not support it any more.
struct scale_io_volume_source {
    scale_io_volume_source() = default;

    std::string gateway;                      ///< address of the API gateway
    std::string system;                       ///< name of the storage system in ScaleIO
    boxed<local_object_reference> secret_ref; ///< Secret of the same namespace with the user and password; required
    bool ssl_enabled = false;                 ///< whether connections to the gateway use TLS
    std::string protection_domain;            ///< name of the protection domain
    std::string storage_pool;                 ///< name of the pool in the protection domain
    std::string storage_mode;                 ///< ThickProvisioned or ThinProvisioned; empty means ThinProvisioned
    std::string volume_name;                  ///< name of an existing volume
    std::string fs_type;                      ///< file system, e.g. ext4, xfs; empty means xfs
    bool read_only = false;                   ///< if true, the volume is mounted read-only
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(scale_io_volume_source, "gateway", "system")
KFTRAIN_DESCRIBE(scale_io_volume_source, (gateway, system, secret_ref, ssl_enabled, protection_domain, storage_pool,
                                          storage_mode, volume_name, fs_type, read_only))

/// A StorageOS volume; Kubernetes 1.25 removed the plugin.
struct storage_os_volume_source {
    storage_os_volume_source() = default;

    std::string volume_name;      ///< name, unique in `volume_namespace`
    std::string volume_namespace; ///< namespace within StorageOS; empty: the namespace of the pod
    std::string fs_type;          ///< file system, e.g. ext4, xfs; empty means ext4
    bool read_only = false;       ///< if true, the volume is mounted read-only
    /// Secret of the same namespace with the credentials for the StorageOS API.
    boxed<local_object_reference> secret_ref;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(storage_os_volume_source, (volume_name, volume_namespace, fs_type, read_only, secret_ref))

} // namespace kftrain::core

#endif
