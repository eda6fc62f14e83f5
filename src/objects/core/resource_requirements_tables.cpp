#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/core/resource_requirements.hpp>

namespace kftrain::core {

KFTRAIN_TABLE(resource_claim)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(resource_requirements);
KFTRAIN_TABLE(resource_requirements)
KFTRAIN_TABLE(volume_resource_requirements)

} // namespace kftrain::core
