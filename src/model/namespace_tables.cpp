#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/namespace.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

template struct table<namespace_spec>;
template struct table<namespace_condition>;
template struct table<namespace_status>;
template struct table<namespace_>;
template struct table<object_list<namespace_>>;
template struct table<scoped_resource_selector_requirement>;
template struct table<scope_selector>;
template struct table<resource_quota_spec>;
template struct table<resource_quota_status>;
template struct table<resource_quota>;
template struct table<object_list<resource_quota>>;

} // namespace kftrain
