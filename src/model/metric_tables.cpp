#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/metric.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

template struct table<cross_version_object_reference>;
template struct table<metric_target>;
template struct table<metric_identifier>;
template struct table<object_metric_source>;
template struct table<pods_metric_source>;
template struct table<resource_metric_source>;
template struct table<container_resource_metric_source>;
template struct table<external_metric_source>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(metric_spec);
template struct table<metric_spec>;
template struct table<metric_value_status>;
template struct table<object_metric_status>;
template struct table<pods_metric_status>;
template struct table<resource_metric_status>;
template struct table<container_resource_metric_status>;
template struct table<external_metric_status>;
KFTRAIN_DEFINE_SPECIAL_MEMBERS(metric_status);
template struct table<metric_status>;

} // namespace kftrain
