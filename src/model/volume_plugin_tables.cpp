#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/model/volume_plugin.hpp>

namespace kftrain {

template struct table<gce_persistent_disk_volume_source>;
template struct table<aws_elastic_block_store_volume_source>;
template struct table<git_repo_volume_source>;
template struct table<iscsi_volume_source>;
template struct table<glusterfs_volume_source>;
template struct table<rbd_volume_source>;
template struct table<flex_volume_source>;
template struct table<cinder_volume_source>;
template struct table<ceph_fs_volume_source>;
template struct table<flocker_volume_source>;
template struct table<fc_volume_source>;
template struct table<azure_file_volume_source>;
template struct table<vsphere_virtual_disk_volume_source>;
template struct table<quobyte_volume_source>;
template struct table<azure_disk_volume_source>;
template struct table<photon_persistent_disk_volume_source>;
template struct table<portworx_volume_source>;
template struct table<scale_io_volume_source>;
template struct table<storage_os_volume_source>;

} // namespace kftrain
