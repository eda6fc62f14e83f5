#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/persistent_volume_claim.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

KFTRAIN_DEFINE_SPECIAL_MEMBERS(persistent_volume_claim_spec);
template struct table<persistent_volume_claim_spec>;
template struct table<persistent_volume_claim_template>;
template struct table<persistent_volume_claim_condition>;
template struct table<modify_volume_status>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(persistent_volume_claim_status);
template struct table<persistent_volume_claim_status>;
template struct table<persistent_volume_claim>;
template struct table<object_list<persistent_volume_claim>>;

} // namespace kftrain
