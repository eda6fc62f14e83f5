#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/lease.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

KFTRAIN_DEFINE_SPECIAL_MEMBERS(lease_spec);
template struct table<lease_spec>;
template struct table<lease>;
template struct table<object_list<lease>>;

} // namespace kftrain
