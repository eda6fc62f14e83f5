#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/core/pod_spec.hpp>

namespace kftrain::core {

KFTRAIN_TABLE(host_alias)
KFTRAIN_TABLE(pod_dns_config_option)
KFTRAIN_TABLE(pod_dns_config)
KFTRAIN_TABLE(pod_readiness_gate)
KFTRAIN_TABLE(pod_os)
KFTRAIN_TABLE(pod_scheduling_gate)
KFTRAIN_TABLE(pod_resource_claim)
KFTRAIN_TABLE(workload_reference)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(pod_spec);
KFTRAIN_TABLE(pod_spec)
KFTRAIN_TABLE(pod_template_spec)

} // namespace kftrain::core
