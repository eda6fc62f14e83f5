#ifndef KFTRAIN_OBJECTS_AUTOSCALING_METRIC_HPP
#define KFTRAIN_OBJECTS_AUTOSCALING_METRIC_HPP

/** @file The metrics of autoscalers, as in `autoscaling/v2`.
    @par Upstream k8s.io/api `autoscaling/v2/types.go`, v0.31 */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/model/selector.hpp>

namespace kftrain::autoscaling {

/// An object of the same namespace.
struct cross_version_object_reference {
    cross_version_object_reference() = default;

    std::string kind;        ///< kind of the object, e.g. `PyTorchJob`
    std::string name;        ///< name of the object
    std::string api_version; ///< group and version of the object, e.g. `kubeflow.org/v1`
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(cross_version_object_reference, "kind", "name")
KFTRAIN_DESCRIBE(cross_version_object_reference, (kind, name, api_version))

/// One of the three amounts is set, according to `type`.
struct metric_target {
    metric_target() = default;

    std::string type;                      ///< Utilization, Value or AverageValue
    std::optional<quantity> value;         ///< for Value: the target of the metric as it is
    std::optional<quantity> average_value; ///< for AverageValue: the target of the mean over the pods
    /// For Utilization: the mean over the pods, in percent of their requests.
    std::optional<std::int32_t> average_utilization;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(metric_target, "type")
KFTRAIN_DESCRIBE(metric_target, (type, value, average_value, average_utilization))

/// A time series, narrowed down by a selector.
struct metric_identifier {
    metric_identifier() = default;

    std::string name;               ///< name of the metric
    boxed<label_selector> selector; ///< label selector for the source of the metric; absent: by name alone
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(metric_identifier, "name")
KFTRAIN_DESCRIBE(metric_identifier, (name, selector))

/// A metric of one object, e.g. requests per second of an Ingress.
struct object_metric_source {
    object_metric_source() = default;

    cross_version_object_reference described_object; ///< the object that the metric describes
    metric_target target;                            ///< a Value, or an AverageValue over the pods
    metric_identifier metric;                        ///< the metric of that object
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(object_metric_source, "described_object", "target", "metric")
KFTRAIN_DESCRIBE(object_metric_source, (described_object, target, metric))

/// A metric of the scaled pods, as their mean.
struct pods_metric_source {
    pods_metric_source() = default;

    metric_identifier metric; ///< the metric of each pod
    metric_target target;     ///< must be an AverageValue
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(pods_metric_source, "metric", "target")
KFTRAIN_DESCRIBE(pods_metric_source, (metric, target))

/// The use of a resource by the scaled pods, as their mean.
struct resource_metric_source {
    resource_metric_source() = default;

    std::string name;     ///< cpu or memory
    metric_target target; ///< a Utilization or an AverageValue
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(resource_metric_source, "name", "target")
KFTRAIN_DESCRIBE(resource_metric_source, (name, target))

/// The use of a resource by one container of the scaled pods, as the mean over the pods.
struct container_resource_metric_source {
    container_resource_metric_source() = default;

    std::string name;      ///< cpu or memory
    metric_target target;  ///< a Utilization or an AverageValue
    std::string container; ///< name of the container in the pods
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(container_resource_metric_source, "name", "target", "container")
KFTRAIN_DESCRIBE(container_resource_metric_source, (name, target, container))

/// A metric from outside the cluster, e.g. the length of a queue.
struct external_metric_source {
    external_metric_source() = default;

    metric_identifier metric; ///< the metric in the external source
    metric_target target;     ///< a Value, or an AverageValue over the pods
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(external_metric_source, "metric", "target")
KFTRAIN_DESCRIBE(external_metric_source, (metric, target))

/// The member that `type` names is set.
struct metric_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(metric_spec);

    std::string type;                       ///< Object, Pods, Resource, ContainerResource or External
    boxed<object_metric_source> object;     ///< a metric of another object
    boxed<pods_metric_source> pods;         ///< a metric of the scaled pods
    boxed<resource_metric_source> resource; ///< the use of a resource by the scaled pods
    boxed<container_resource_metric_source> container_resource; ///< the use of a resource by one container of the pods
    boxed<external_metric_source> external;                     ///< a metric from outside the cluster
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(metric_spec, "type")
KFTRAIN_DESCRIBE(metric_spec, (type, object, pods, resource, container_resource, external))

/// The last value of a metric.
struct metric_value_status {
    metric_value_status() = default;

    std::optional<quantity> value;                   ///< the value as it is
    std::optional<quantity> average_value;           ///< over the pods
    std::optional<std::int32_t> average_utilization; ///< percent of the requests of the pods
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(metric_value_status, (value, average_value, average_utilization))

/// The last value of a metric of one object.
struct object_metric_status {
    object_metric_status() = default;

    metric_identifier metric;                        ///< as in the spec
    metric_value_status current;                     ///< the last value
    cross_version_object_reference described_object; ///< as in the spec
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(object_metric_status, "metric", "current", "described_object")
KFTRAIN_DESCRIBE(object_metric_status, (metric, current, described_object))

/// The last value of a metric of the scaled pods.
struct pods_metric_status {
    pods_metric_status() = default;

    metric_identifier metric;    ///< as in the spec
    metric_value_status current; ///< the mean over the pods
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(pods_metric_status, "metric", "current")
KFTRAIN_DESCRIBE(pods_metric_status, (metric, current))

/// The last use of a resource by the scaled pods.
struct resource_metric_status {
    resource_metric_status() = default;

    std::string name;            ///< cpu or memory
    metric_value_status current; ///< the mean over the pods
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(resource_metric_status, "name", "current")
KFTRAIN_DESCRIBE(resource_metric_status, (name, current))

/// The last use of a resource by one container of the scaled pods.
struct container_resource_metric_status {
    container_resource_metric_status() = default;

    std::string name;            ///< cpu or memory
    metric_value_status current; ///< the mean over the pods
    std::string container;       ///< name of the container in the pods
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(container_resource_metric_status, "name", "current", "container")
KFTRAIN_DESCRIBE(container_resource_metric_status, (name, current, container))

/// The last value of a metric from outside the cluster.
struct external_metric_status {
    external_metric_status() = default;

    metric_identifier metric;    ///< as in the spec
    metric_value_status current; ///< the last value
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(external_metric_status, "metric", "current")
KFTRAIN_DESCRIBE(external_metric_status, (metric, current))

/// The member that `type` names is set.
struct metric_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(metric_status);

    std::string type;                       ///< Object, Pods, Resource, ContainerResource or External
    boxed<object_metric_status> object;     ///< the value of a metric of another object
    boxed<pods_metric_status> pods;         ///< the value of a metric of the scaled pods
    boxed<resource_metric_status> resource; ///< the use of a resource by the scaled pods
    boxed<container_resource_metric_status> container_resource; ///< the use of a resource by one container of the pods
    boxed<external_metric_status> external;                     ///< the value of a metric from outside the cluster
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(metric_status, "type")
KFTRAIN_DESCRIBE(metric_status, (type, object, pods, resource, container_resource, external))

} // namespace kftrain::autoscaling

#endif
