#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/model/stateful_set.hpp>

namespace kftrain {

template struct table<rolling_update_stateful_set_strategy>;
template struct table<stateful_set_update_strategy>;
template struct table<stateful_set_persistent_volume_claim_retention_policy>;
template struct table<stateful_set_ordinals>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(stateful_set_spec);
template struct table<stateful_set_spec>;
template struct table<stateful_set_condition>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(stateful_set_status);
template struct table<stateful_set_status>;
template struct table<stateful_set>;
template struct table<object_list<stateful_set>>;

} // namespace kftrain
