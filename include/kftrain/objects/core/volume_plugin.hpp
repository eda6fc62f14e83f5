#ifndef KFTRAIN_OBJECTS_CORE_VOLUME_PLUGIN_HPP
#define KFTRAIN_OBJECTS_CORE_VOLUME_PLUGIN_HPP

/** @file Volumes for specific storage products; today CSI drivers serve nearly all of them.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/objects/core/reference.hpp>

namespace kftrain::core {

struct gce_persistent_disk_volume_source {
    gce_persistent_disk_volume_source() = default;

    std::string pd_name;
    std::string fs_type;
    std::int32_t partition = 0; ///< 0: the whole disk
    bool read_only = false;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(gce_persistent_disk_volume_source, "pd_name")
KFTRAIN_DESCRIBE(gce_persistent_disk_volume_source, (pd_name, fs_type, partition, read_only))

struct aws_elastic_block_store_volume_source {
    aws_elastic_block_store_volume_source() = default;

    std::string volume_id;
    std::string fs_type;
    std::int32_t partition = 0; ///< 0: the whole volume
    bool read_only = false;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(aws_elastic_block_store_volume_source, {.member = "volume_id", .json_name = "volumeID"})
KFTRAIN_REQUIRED(aws_elastic_block_store_volume_source, "volume_id")
KFTRAIN_DESCRIBE(aws_elastic_block_store_volume_source, (volume_id, fs_type, partition, read_only))

struct git_repo_volume_source {
    git_repo_volume_source() = default;

    std::string repository;
    std::string revision;
    std::string directory;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(git_repo_volume_source, "repository")
KFTRAIN_DESCRIBE(git_repo_volume_source, (repository, revision, directory))

struct iscsi_volume_source {
    iscsi_volume_source() = default;

    std::string target_portal; ///< address, with port unless that is 3260
    std::string iqn;           ///< name of the target
    std::int32_t lun = 0;
    std::string iscsi_interface;
    std::string fs_type;
    bool read_only = false;
    std::vector<std::string> portals;
    bool chap_auth_discovery = false;
    bool chap_auth_session = false;
    boxed<local_object_reference> secret_ref;
    std::optional<std::string> initiator_name;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(iscsi_volume_source, "target_portal", "iqn", "lun")
KFTRAIN_DESCRIBE(iscsi_volume_source, (target_portal, iqn, lun, iscsi_interface, fs_type, read_only, portals,
                                       chap_auth_discovery, chap_auth_session, secret_ref, initiator_name))

struct glusterfs_volume_source {
    glusterfs_volume_source() = default;

    std::string endpoints;
    std::string path;
    bool read_only = false;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(glusterfs_volume_source, "endpoints", "path")
KFTRAIN_DESCRIBE(glusterfs_volume_source, (endpoints, path, read_only))

struct rbd_volume_source {
    rbd_volume_source() = default;

    std::vector<std::string> monitors;
    std::string image;
    std::string fs_type;
    std::string pool;
    std::string user;
    std::string keyring;
    boxed<local_object_reference> secret_ref;
    bool read_only = false;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(rbd_volume_source, "image")
KFTRAIN_DESCRIBE(rbd_volume_source, (monitors, image, fs_type, pool, user, keyring, secret_ref, read_only))

struct flex_volume_source {
    flex_volume_source() = default;

    std::string driver;
    std::string fs_type;
    boxed<local_object_reference> secret_ref;
    bool read_only = false;
    string_map options;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(flex_volume_source, "driver")
KFTRAIN_DESCRIBE(flex_volume_source, (driver, fs_type, secret_ref, read_only, options))

struct cinder_volume_source {
    cinder_volume_source() = default;

    std::string volume_id;
    std::string fs_type;
    bool read_only = false;
    boxed<local_object_reference> secret_ref;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(cinder_volume_source, {.member = "volume_id", .json_name = "volumeID"})
KFTRAIN_REQUIRED(cinder_volume_source, "volume_id")
KFTRAIN_DESCRIBE(cinder_volume_source, (volume_id, fs_type, read_only, secret_ref))

struct ceph_fs_volume_source {
    ceph_fs_volume_source() = default;

    std::vector<std::string> monitors;
    std::string path;
    std::string user;
    std::string secret_file;
    boxed<local_object_reference> secret_ref;
    bool read_only = false;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(ceph_fs_volume_source, (monitors, path, user, secret_file, secret_ref, read_only))

struct flocker_volume_source {
    flocker_volume_source() = default;

    std::string dataset_name;
    std::string dataset_uuid;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(flocker_volume_source, {.member = "dataset_uuid", .json_name = "datasetUUID"})
KFTRAIN_DESCRIBE(flocker_volume_source, (dataset_name, dataset_uuid))

struct fc_volume_source {
    fc_volume_source() = default;

    std::vector<std::string> target_wwns;
    std::optional<std::int32_t> lun;
    std::string fs_type;
    bool read_only = false;
    std::vector<std::string> wwids;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(fc_volume_source, {.member = "target_wwns", .json_name = "targetWWNs"})
KFTRAIN_DESCRIBE(fc_volume_source, (target_wwns, lun, fs_type, read_only, wwids))

struct azure_file_volume_source {
    azure_file_volume_source() = default;

    std::string secret_name;
    std::string share_name;
    bool read_only = false;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(azure_file_volume_source, "secret_name", "share_name")
KFTRAIN_DESCRIBE(azure_file_volume_source, (secret_name, share_name, read_only))

struct vsphere_virtual_disk_volume_source {
    vsphere_virtual_disk_volume_source() = default;

    std::string volume_path;
    std::string fs_type;
    std::string storage_policy_name;
    std::string storage_policy_id;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(vsphere_virtual_disk_volume_source, {.member = "storage_policy_id", .json_name = "storagePolicyID"})
KFTRAIN_REQUIRED(vsphere_virtual_disk_volume_source, "volume_path")
KFTRAIN_DESCRIBE(vsphere_virtual_disk_volume_source, (volume_path, fs_type, storage_policy_name, storage_policy_id))

struct quobyte_volume_source {
    quobyte_volume_source() = default;

    std::string registry; ///< `host:port`, several with commas
    std::string volume;
    bool read_only = false;
    std::string user;
    std::string group;
    std::string tenant;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(quobyte_volume_source, "registry", "volume")
KFTRAIN_DESCRIBE(quobyte_volume_source, (registry, volume, read_only, user, group, tenant))

struct azure_disk_volume_source {
    azure_disk_volume_source() = default;

    std::string disk_name;
    std::string disk_uri;
    std::optional<std::string> caching_mode; ///< None, ReadOnly or ReadWrite
    std::optional<std::string> fs_type;
    std::optional<bool> read_only;
    std::optional<std::string> kind; ///< Shared, Dedicated or Managed
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(azure_disk_volume_source, {.member = "disk_uri", .json_name = "diskURI"})
KFTRAIN_REQUIRED(azure_disk_volume_source, "disk_name", "disk_uri")
KFTRAIN_DESCRIBE(azure_disk_volume_source, (disk_name, disk_uri, caching_mode, fs_type, read_only, kind))

struct photon_persistent_disk_volume_source {
    photon_persistent_disk_volume_source() = default;

    std::string pd_id;
    std::string fs_type;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(photon_persistent_disk_volume_source, {.member = "pd_id", .json_name = "pdID"})
KFTRAIN_REQUIRED(photon_persistent_disk_volume_source, "pd_id")
KFTRAIN_DESCRIBE(photon_persistent_disk_volume_source, (pd_id, fs_type))

struct portworx_volume_source {
    portworx_volume_source() = default;

    std::string volume_id;
    std::string fs_type;
    bool read_only = false;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(portworx_volume_source, {.member = "volume_id", .json_name = "volumeID"})
KFTRAIN_REQUIRED(portworx_volume_source, "volume_id")
KFTRAIN_DESCRIBE(portworx_volume_source, (volume_id, fs_type, read_only))

struct scale_io_volume_source {
    scale_io_volume_source() = default;

    std::string gateway;
    std::string system;
    boxed<local_object_reference> secret_ref;
    bool ssl_enabled = false;
    std::string protection_domain;
    std::string storage_pool;
    std::string storage_mode;
    std::string volume_name;
    std::string fs_type;
    bool read_only = false;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(scale_io_volume_source, "gateway", "system")
KFTRAIN_DESCRIBE(scale_io_volume_source, (gateway, system, secret_ref, ssl_enabled, protection_domain, storage_pool,
                                          storage_mode, volume_name, fs_type, read_only))

struct storage_os_volume_source {
    storage_os_volume_source() = default;

    std::string volume_name;
    std::string volume_namespace;
    std::string fs_type;
    bool read_only = false;
    boxed<local_object_reference> secret_ref;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(storage_os_volume_source, (volume_name, volume_namespace, fs_type, read_only, secret_ref))

} // namespace kftrain::core

#endif
