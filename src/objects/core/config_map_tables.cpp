#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/core/config_map.hpp>

namespace kftrain::core {

KFTRAIN_RESOURCE_TABLE(config_map)
KFTRAIN_RESOURCE_TABLE(secret)
KFTRAIN_RESOURCE_TABLE(service_account)

} // namespace kftrain::core
