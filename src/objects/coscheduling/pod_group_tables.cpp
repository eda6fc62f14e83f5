#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/coscheduling/pod_group.hpp>

namespace kftrain::coscheduling {

KFTRAIN_TABLE(pod_group_spec)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(pod_group_status);
KFTRAIN_TABLE(pod_group_status)
KFTRAIN_RESOURCE_TABLE(pod_group)

} // namespace kftrain::coscheduling
