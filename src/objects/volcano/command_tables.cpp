#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/volcano/command.hpp>

namespace kftrain::volcano {

KFTRAIN_RESOURCE_TABLE(command)

} // namespace kftrain::volcano
