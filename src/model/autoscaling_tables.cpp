#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/autoscaling.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

template struct table<hpa_scaling_policy>;
template struct table<hpa_scaling_rules>;
template struct table<horizontal_pod_autoscaler_behavior>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(horizontal_pod_autoscaler_spec);
template struct table<horizontal_pod_autoscaler_spec>;
template struct table<horizontal_pod_autoscaler_condition>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(horizontal_pod_autoscaler_status);
template struct table<horizontal_pod_autoscaler_status>;
template struct table<horizontal_pod_autoscaler>;
template struct table<object_list<horizontal_pod_autoscaler>>;
template struct table<scale_spec>;
template struct table<scale_status>;
template struct table<scale>;
template struct table<object_list<scale>>;

} // namespace kftrain
