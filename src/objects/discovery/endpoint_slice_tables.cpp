#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/discovery/endpoint_slice.hpp>

namespace kftrain::discovery {

KFTRAIN_TABLE(endpoint_conditions)
KFTRAIN_TABLE(for_zone)
KFTRAIN_TABLE(endpoint_hints)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(endpoint);
KFTRAIN_TABLE(endpoint)
KFTRAIN_TABLE(endpoint_port)
KFTRAIN_RESOURCE_TABLE(endpoint_slice)

} // namespace kftrain::discovery
