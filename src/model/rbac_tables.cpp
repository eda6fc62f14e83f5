#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/rbac.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

template struct table<policy_rule>;
template struct table<role>;
template struct table<object_list<role>>;
template struct table<subject>;
template struct table<role_ref>;
template struct table<role_binding>;
template struct table<object_list<role_binding>>;

} // namespace kftrain
