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

    std::string kind;
    std::string name;
    std::string api_version;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(cross_version_object_reference, "kind", "name")
KFTRAIN_DESCRIBE(cross_version_object_reference, (kind, name, api_version))

/// One of the three amounts is set, according to `type`.
struct metric_target {
    metric_target() = default;

    std::string type; ///< Utilization, Value or AverageValue
    std::optional<quantity> value;
    std::optional<quantity> average_value;           ///< percent of the requests of the pods
    std::optional<std::int32_t> average_utilization; ///< percent of what the pods request
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(metric_target, "type")
KFTRAIN_DESCRIBE(metric_target, (type, value, average_value, average_utilization))

/// A time series, narrowed down by a selector.
struct metric_identifier {
    metric_identifier() = default;

    std::string name;
    boxed<label_selector> selector;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(metric_identifier, "name")
KFTRAIN_DESCRIBE(metric_identifier, (name, selector))

struct object_metric_source {
    object_metric_source() = default;

    cross_version_object_reference described_object;
    metric_target target;
    metric_identifier metric;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(object_metric_source, "described_object", "target", "metric")
KFTRAIN_DESCRIBE(object_metric_source, (described_object, target, metric))

struct pods_metric_source {
    pods_metric_source() = default;

    metric_identifier metric;
    metric_target target;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(pods_metric_source, "metric", "target")
KFTRAIN_DESCRIBE(pods_metric_source, (metric, target))

struct resource_metric_source {
    resource_metric_source() = default;

    std::string name;
    metric_target target;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(resource_metric_source, "name", "target")
KFTRAIN_DESCRIBE(resource_metric_source, (name, target))

struct container_resource_metric_source {
    container_resource_metric_source() = default;

    std::string name;
    metric_target target;
    std::string container;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(container_resource_metric_source, "name", "target", "container")
KFTRAIN_DESCRIBE(container_resource_metric_source, (name, target, container))

struct external_metric_source {
    external_metric_source() = default;

    metric_identifier metric;
    metric_target target;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(external_metric_source, "metric", "target")
KFTRAIN_DESCRIBE(external_metric_source, (metric, target))

/// The member that `type` names is set.
struct metric_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(metric_spec);

    std::string type; ///< Object, Pods, Resource, ContainerResource or External
    boxed<object_metric_source> object;
    boxed<pods_metric_source> pods;
    boxed<resource_metric_source> resource;
    boxed<container_resource_metric_source> container_resource;
    boxed<external_metric_source> external;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(metric_spec, "type")
KFTRAIN_DESCRIBE(metric_spec, (type, object, pods, resource, container_resource, external))

struct metric_value_status {
    metric_value_status() = default;

    std::optional<quantity> value;
    std::optional<quantity> average_value;           ///< over the pods
    std::optional<std::int32_t> average_utilization; ///< percent of the requests of the pods
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(metric_value_status, (value, average_value, average_utilization))

struct object_metric_status {
    object_metric_status() = default;

    metric_identifier metric;
    metric_value_status current;
    cross_version_object_reference described_object;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(object_metric_status, "metric", "current", "described_object")
KFTRAIN_DESCRIBE(object_metric_status, (metric, current, described_object))

struct pods_metric_status {
    pods_metric_status() = default;

    metric_identifier metric;
    metric_value_status current;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(pods_metric_status, "metric", "current")
KFTRAIN_DESCRIBE(pods_metric_status, (metric, current))

struct resource_metric_status {
    resource_metric_status() = default;

    std::string name;
    metric_value_status current;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(resource_metric_status, "name", "current")
KFTRAIN_DESCRIBE(resource_metric_status, (name, current))

struct container_resource_metric_status {
    container_resource_metric_status() = default;

    std::string name;
    metric_value_status current;
    std::string container;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(container_resource_metric_status, "name", "current", "container")
KFTRAIN_DESCRIBE(container_resource_metric_status, (name, current, container))

struct external_metric_status {
    external_metric_status() = default;

    metric_identifier metric;
    metric_value_status current;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(external_metric_status, "metric", "current")
KFTRAIN_DESCRIBE(external_metric_status, (metric, current))

/// The member that `type` names is set.
struct metric_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(metric_status);

    std::string type; ///< Object, Pods, Resource, ContainerResource or External
    boxed<object_metric_status> object;
    boxed<pods_metric_status> pods;
    boxed<resource_metric_status> resource;
    boxed<container_resource_metric_status> container_resource;
    boxed<external_metric_status> external;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(metric_status, "type")
KFTRAIN_DESCRIBE(metric_status, (type, object, pods, resource, container_resource, external))

} // namespace kftrain::autoscaling

#endif
