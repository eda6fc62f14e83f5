#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/coscheduling.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

template struct table<coscheduling_pod_group_spec>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(coscheduling_pod_group_status);
template struct table<coscheduling_pod_group_status>;
template struct table<coscheduling_pod_group>;
template struct table<object_list<coscheduling_pod_group>>;

} // namespace kftrain
