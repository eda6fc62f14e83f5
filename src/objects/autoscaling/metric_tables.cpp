#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/autoscaling/metric.hpp>

namespace kftrain::autoscaling {

KFTRAIN_TABLE(cross_version_object_reference)
KFTRAIN_TABLE(metric_target)
KFTRAIN_TABLE(metric_identifier)
KFTRAIN_TABLE(object_metric_source)
KFTRAIN_TABLE(pods_metric_source)
KFTRAIN_TABLE(resource_metric_source)
KFTRAIN_TABLE(container_resource_metric_source)
KFTRAIN_TABLE(external_metric_source)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(metric_spec);
KFTRAIN_TABLE(metric_spec)
KFTRAIN_TABLE(metric_value_status)
KFTRAIN_TABLE(object_metric_status)
KFTRAIN_TABLE(pods_metric_status)
KFTRAIN_TABLE(resource_metric_status)
KFTRAIN_TABLE(container_resource_metric_status)
KFTRAIN_TABLE(external_metric_status)
KFTRAIN_DEFINE_SPECIAL_MEMBERS(metric_status);
KFTRAIN_TABLE(metric_status)

} // namespace kftrain::autoscaling
