#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/events/event.hpp>

namespace kftrain::events {

KFTRAIN_RESOURCE_TABLE(event)

} // namespace kftrain::events
