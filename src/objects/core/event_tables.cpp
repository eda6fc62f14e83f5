#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/core/event.hpp>

namespace kftrain::core {

KFTRAIN_TABLE(event_source)
KFTRAIN_TABLE(event_series)
KFTRAIN_RESOURCE_TABLE(event)

} // namespace kftrain::core
