#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/coordination/lease.hpp>

namespace kftrain::coordination {

KFTRAIN_DEFINE_SPECIAL_MEMBERS(lease_spec);
KFTRAIN_TABLE(lease_spec)
KFTRAIN_RESOURCE_TABLE(lease)

} // namespace kftrain::coordination
