#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/core/volume.hpp>

namespace kftrain::core {

KFTRAIN_TABLE(host_path_volume_source)
KFTRAIN_TABLE(empty_dir_volume_source)
KFTRAIN_TABLE(secret_volume_source)
KFTRAIN_TABLE(nfs_volume_source)
KFTRAIN_TABLE(persistent_volume_claim_volume_source)
KFTRAIN_TABLE(downward_api_volume_file)
KFTRAIN_TABLE(downward_api_volume_source)
KFTRAIN_TABLE(config_map_volume_source)
KFTRAIN_TABLE(secret_projection)
KFTRAIN_TABLE(downward_api_projection)
KFTRAIN_TABLE(config_map_projection)
KFTRAIN_TABLE(service_account_token_projection)
KFTRAIN_TABLE(cluster_trust_bundle_projection)
KFTRAIN_TABLE(pod_certificate_projection)
KFTRAIN_TABLE(volume_projection)
KFTRAIN_TABLE(projected_volume_source)
KFTRAIN_TABLE(csi_volume_source)
KFTRAIN_TABLE(ephemeral_volume_source)
KFTRAIN_TABLE(image_volume_source)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(volume);
KFTRAIN_TABLE(volume)

} // namespace kftrain::core
