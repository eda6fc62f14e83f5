#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/model/volume.hpp>

namespace kftrain {

template struct table<host_path_volume_source>;
template struct table<empty_dir_volume_source>;
template struct table<secret_volume_source>;
template struct table<nfs_volume_source>;
template struct table<persistent_volume_claim_volume_source>;
template struct table<downward_api_volume_file>;
template struct table<downward_api_volume_source>;
template struct table<config_map_volume_source>;
template struct table<secret_projection>;
template struct table<downward_api_projection>;
template struct table<config_map_projection>;
template struct table<service_account_token_projection>;
template struct table<cluster_trust_bundle_projection>;
template struct table<volume_projection>;
template struct table<projected_volume_source>;
template struct table<csi_volume_source>;
template struct table<ephemeral_volume_source>;
template struct table<image_volume_source>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(volume);
template struct table<volume>;

} // namespace kftrain
