#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/core/pod.hpp>

namespace kftrain::core {

KFTRAIN_TABLE(pod_condition)
KFTRAIN_TABLE(host_ip)
KFTRAIN_TABLE(pod_ip)
KFTRAIN_TABLE(pod_resource_claim_status)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(pod_status);
KFTRAIN_TABLE(pod_status)
KFTRAIN_RESOURCE_TABLE(pod)
KFTRAIN_RESOURCE_TABLE(pod_template)
KFTRAIN_RESOURCE_TABLE(binding)

} // namespace kftrain::core
