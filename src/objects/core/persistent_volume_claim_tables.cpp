#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/core/persistent_volume_claim.hpp>

namespace kftrain::core {

KFTRAIN_DEFINE_SPECIAL_MEMBERS(persistent_volume_claim_spec);
KFTRAIN_TABLE(persistent_volume_claim_spec)
KFTRAIN_TABLE(persistent_volume_claim_template)
KFTRAIN_TABLE(persistent_volume_claim_condition)
KFTRAIN_TABLE(modify_volume_status)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(persistent_volume_claim_status);
KFTRAIN_TABLE(persistent_volume_claim_status)
KFTRAIN_RESOURCE_TABLE(persistent_volume_claim)

} // namespace kftrain::core
