#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/core/limit_range.hpp>

namespace kftrain::core {

KFTRAIN_TABLE(limit_range_item)
KFTRAIN_TABLE(limit_range_spec)
KFTRAIN_RESOURCE_TABLE(limit_range)

} // namespace kftrain::core
