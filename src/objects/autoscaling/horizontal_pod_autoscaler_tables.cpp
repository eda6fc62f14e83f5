#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/autoscaling/horizontal_pod_autoscaler.hpp>

namespace kftrain::autoscaling {

KFTRAIN_TABLE(hpa_scaling_policy)
KFTRAIN_TABLE(hpa_scaling_rules)
KFTRAIN_TABLE(horizontal_pod_autoscaler_behavior)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(horizontal_pod_autoscaler_spec);
KFTRAIN_TABLE(horizontal_pod_autoscaler_spec)
KFTRAIN_TABLE(horizontal_pod_autoscaler_condition)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(horizontal_pod_autoscaler_status);
KFTRAIN_TABLE(horizontal_pod_autoscaler_status)
KFTRAIN_RESOURCE_TABLE(horizontal_pod_autoscaler)
KFTRAIN_TABLE(scale_spec)
KFTRAIN_TABLE(scale_status)
KFTRAIN_RESOURCE_TABLE(scale)

} // namespace kftrain::autoscaling
