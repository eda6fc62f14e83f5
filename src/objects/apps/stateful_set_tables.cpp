#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/apps/stateful_set.hpp>

namespace kftrain::apps {

KFTRAIN_TABLE(rolling_update_stateful_set_strategy)
KFTRAIN_TABLE(stateful_set_update_strategy)
KFTRAIN_TABLE(stateful_set_persistent_volume_claim_retention_policy)
KFTRAIN_TABLE(stateful_set_ordinals)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(stateful_set_spec);
KFTRAIN_TABLE(stateful_set_spec)
KFTRAIN_TABLE(stateful_set_condition)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(stateful_set_status);
KFTRAIN_TABLE(stateful_set_status)
KFTRAIN_RESOURCE_TABLE(stateful_set)

} // namespace kftrain::apps
