#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/scheduling/priority_class.hpp>

namespace kftrain::scheduling {

KFTRAIN_RESOURCE_TABLE(priority_class)

} // namespace kftrain::scheduling
