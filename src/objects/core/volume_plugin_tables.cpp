#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/core/volume_plugin.hpp>

namespace kftrain::core {

KFTRAIN_TABLE(gce_persistent_disk_volume_source)
KFTRAIN_TABLE(aws_elastic_block_store_volume_source)
KFTRAIN_TABLE(git_repo_volume_source)
KFTRAIN_TABLE(iscsi_volume_source)
KFTRAIN_TABLE(glusterfs_volume_source)
KFTRAIN_TABLE(rbd_volume_source)
KFTRAIN_TABLE(flex_volume_source)
KFTRAIN_TABLE(cinder_volume_source)
KFTRAIN_TABLE(ceph_fs_volume_source)
KFTRAIN_TABLE(flocker_volume_source)
KFTRAIN_TABLE(fc_volume_source)
KFTRAIN_TABLE(azure_file_volume_source)
KFTRAIN_TABLE(vsphere_virtual_disk_volume_source)
KFTRAIN_TABLE(quobyte_volume_source)
KFTRAIN_TABLE(azure_disk_volume_source)
KFTRAIN_TABLE(photon_persistent_disk_volume_source)
KFTRAIN_TABLE(portworx_volume_source)
KFTRAIN_TABLE(scale_io_volume_source)
KFTRAIN_TABLE(storage_os_volume_source)

} // namespace kftrain::core
