"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any
from . import meta
from .._model import Attribute, ListView, Model
from .._quantity import Quantity

class ContainerResourceMetricSource(Model):
    """The use of a resource by one container of the scaled pods, as the mean over the pods."""
    name: Attribute[str, str | None]
    """cpu or memory"""
    target: Attribute[MetricTarget, MetricTarget | Mapping[str, Any] | None]
    """a Utilization or an AverageValue"""
    container: Attribute[str, str | None]
    """name of the container in the pods"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        target: MetricTarget | Mapping[str, Any] | None = ...,
        container: str | None = ...,
    ) -> None: ...

class ContainerResourceMetricStatus(Model):
    """The last use of a resource by one container of the scaled pods."""
    name: Attribute[str, str | None]
    """cpu or memory"""
    current: Attribute[MetricValueStatus, MetricValueStatus | Mapping[str, Any] | None]
    """the mean over the pods"""
    container: Attribute[str, str | None]
    """name of the container in the pods"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        current: MetricValueStatus | Mapping[str, Any] | None = ...,
        container: str | None = ...,
    ) -> None: ...

class CrossVersionObjectReference(Model):
    """An object of the same namespace."""
    kind: Attribute[str, str | None]
    """kind of the object, e.g. `PyTorchJob`"""
    name: Attribute[str, str | None]
    """name of the object"""
    api_version: Attribute[str, str | None]
    """group and version of the object, e.g. `kubeflow.org/v1`"""
    def __init__(
        self,
        *,
        kind: str | None = ...,
        name: str | None = ...,
        api_version: str | None = ...,
    ) -> None: ...

class ExternalMetricSource(Model):
    """A metric from outside the cluster, e.g. the length of a queue."""
    metric: Attribute[MetricIdentifier, MetricIdentifier | Mapping[str, Any] | None]
    """the metric in the external source"""
    target: Attribute[MetricTarget, MetricTarget | Mapping[str, Any] | None]
    """a Value, or an AverageValue over the pods"""
    def __init__(
        self,
        *,
        metric: MetricIdentifier | Mapping[str, Any] | None = ...,
        target: MetricTarget | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ExternalMetricStatus(Model):
    """The last value of a metric from outside the cluster."""
    metric: Attribute[MetricIdentifier, MetricIdentifier | Mapping[str, Any] | None]
    """as in the spec"""
    current: Attribute[MetricValueStatus, MetricValueStatus | Mapping[str, Any] | None]
    """the last value"""
    def __init__(
        self,
        *,
        metric: MetricIdentifier | Mapping[str, Any] | None = ...,
        current: MetricValueStatus | Mapping[str, Any] | None = ...,
    ) -> None: ...

class HPAScalingPolicy(Model):
    """At most `value` pods, or percent of the pods, within `period_seconds`."""
    type: Attribute[str, str | None]
    """Pods or Percent"""
    value: Attribute[int, int | None]
    """permitted change, in pods or percent; above 0"""
    period_seconds: Attribute[int, int | None]
    """length of the period in seconds; 1 to 1800"""
    def __init__(
        self,
        *,
        type: str | None = ...,
        value: int | None = ...,
        period_seconds: int | None = ...,
    ) -> None: ...

class HPAScalingRules(Model):
    """Limits of the speed of scaling in one direction."""
    stabilization_window_seconds: Attribute[int | None, int | None]
    """Seconds of past recommendations to consider, 0 to 3600; absent: 0 for scaling up, 300 for scaling down."""
    select_policy: Attribute[str | None, str | None]
    """Max (also if absent) or Min of the policies, or Disabled: no scaling"""
    policies: Attribute[ListView[HPAScalingPolicy], Sequence[HPAScalingPolicy | Mapping[str, Any]] | None]
    """Permitted changes; empty, for scaling up: 4 pods or 100 percent in 15 seconds, for scaling down: 100 percent."""
    def __init__(
        self,
        *,
        stabilization_window_seconds: int | None = ...,
        select_policy: str | None = ...,
        policies: Sequence[HPAScalingPolicy | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class HorizontalPodAutoscaler(Model):
    """Sets the number of replicas of another object according to metrics."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """name and namespace; the namespace is that of the scaled object"""
    spec: Attribute[HorizontalPodAutoscalerSpec, HorizontalPodAutoscalerSpec | Mapping[str, Any] | None]
    """the requested scaling"""
    status: Attribute[HorizontalPodAutoscalerStatus, HorizontalPodAutoscalerStatus | Mapping[str, Any] | None]
    """observed state, written by the autoscaler"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: HorizontalPodAutoscalerSpec | Mapping[str, Any] | None = ...,
        status: HorizontalPodAutoscalerStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class HorizontalPodAutoscalerBehavior(Model):
    """Limits of the speed of scaling, by direction."""
    scale_up: Attribute[HPAScalingRules | None, HPAScalingRules | Mapping[str, Any] | None]
    """absent: no stabilization, at most 4 pods or 100 percent in 15 seconds"""
    scale_down: Attribute[HPAScalingRules | None, HPAScalingRules | Mapping[str, Any] | None]
    """absent: stabilization over 300 seconds, no other limit"""
    def __init__(
        self,
        *,
        scale_up: HPAScalingRules | Mapping[str, Any] | None = ...,
        scale_down: HPAScalingRules | Mapping[str, Any] | None = ...,
    ) -> None: ...

class HorizontalPodAutoscalerCondition(Model):
    """Whether the autoscaler can scale, and whether a bound limits it."""
    type: Attribute[str, str | None]
    """AbleToScale, ScalingActive or ScalingLimited"""
    status: Attribute[str, str | None]
    """True, False or Unknown"""
    last_transition_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """when `status` last changed"""
    reason: Attribute[str, str | None]
    """reason of the last change, one word in CamelCase"""
    message: Attribute[str, str | None]
    """details of the last change, as text"""
    def __init__(
        self,
        *,
        type: str | None = ...,
        status: str | None = ...,
        last_transition_time: datetime.datetime | str | None = ...,
        reason: str | None = ...,
        message: str | None = ...,
    ) -> None: ...

class HorizontalPodAutoscalerList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[HorizontalPodAutoscaler], Sequence[HorizontalPodAutoscaler | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[HorizontalPodAutoscaler | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class HorizontalPodAutoscalerSpec(Model):
    """The object to scale, its bounds and its metrics."""
    scale_target_ref: Attribute[CrossVersionObjectReference, CrossVersionObjectReference | Mapping[str, Any] | None]
    """the object whose subresource `scale` is written"""
    min_replicas: Attribute[int | None, int | None]
    """lower bound; absent means 1"""
    max_replicas: Attribute[int, int | None]
    """upper bound; not below `min_replicas`"""
    metrics: Attribute[ListView[MetricSpec], Sequence[MetricSpec | Mapping[str, Any]] | None]
    """the largest result wins; empty: 80 percent of the requested cpu"""
    behavior: Attribute[HorizontalPodAutoscalerBehavior | None, HorizontalPodAutoscalerBehavior | Mapping[str, Any] | None]
    """limits of the speed of scaling; absent: the default limits"""
    def __init__(
        self,
        *,
        scale_target_ref: CrossVersionObjectReference | Mapping[str, Any] | None = ...,
        min_replicas: int | None = ...,
        max_replicas: int | None = ...,
        metrics: Sequence[MetricSpec | Mapping[str, Any]] | None = ...,
        behavior: HorizontalPodAutoscalerBehavior | Mapping[str, Any] | None = ...,
    ) -> None: ...

class HorizontalPodAutoscalerStatus(Model):
    """The state that the autoscaler last observed."""
    observed_generation: Attribute[int | None, int | None]
    """`metadata.generation` that the autoscaler last handled"""
    last_scale_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """when the autoscaler last changed the number of pods"""
    current_replicas: Attribute[int, int | None]
    """observed number of pods"""
    desired_replicas: Attribute[int, int | None]
    """computed number of pods"""
    current_metrics: Attribute[ListView[MetricStatus], Sequence[MetricStatus | Mapping[str, Any]] | None]
    """last values of the metrics of the spec"""
    conditions: Attribute[ListView[HorizontalPodAutoscalerCondition], Sequence[HorizontalPodAutoscalerCondition | Mapping[str, Any]] | None]
    """at most one of each type"""
    def __init__(
        self,
        *,
        observed_generation: int | None = ...,
        last_scale_time: datetime.datetime | str | None = ...,
        current_replicas: int | None = ...,
        desired_replicas: int | None = ...,
        current_metrics: Sequence[MetricStatus | Mapping[str, Any]] | None = ...,
        conditions: Sequence[HorizontalPodAutoscalerCondition | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class MetricIdentifier(Model):
    """A time series, narrowed down by a selector."""
    name: Attribute[str, str | None]
    """name of the metric"""
    selector: Attribute[meta.LabelSelector | None, meta.LabelSelector | Mapping[str, Any] | None]
    """label selector for the source of the metric; absent: by name alone"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        selector: meta.LabelSelector | Mapping[str, Any] | None = ...,
    ) -> None: ...

class MetricSpec(Model):
    """The member that `type` names is set."""
    type: Attribute[str, str | None]
    """Object, Pods, Resource, ContainerResource or External"""
    object: Attribute[ObjectMetricSource | None, ObjectMetricSource | Mapping[str, Any] | None]
    """a metric of another object"""
    pods: Attribute[PodsMetricSource | None, PodsMetricSource | Mapping[str, Any] | None]
    """a metric of the scaled pods"""
    resource: Attribute[ResourceMetricSource | None, ResourceMetricSource | Mapping[str, Any] | None]
    """the use of a resource by the scaled pods"""
    container_resource: Attribute[ContainerResourceMetricSource | None, ContainerResourceMetricSource | Mapping[str, Any] | None]
    """the use of a resource by one container of the pods"""
    external: Attribute[ExternalMetricSource | None, ExternalMetricSource | Mapping[str, Any] | None]
    """a metric from outside the cluster"""
    def __init__(
        self,
        *,
        type: str | None = ...,
        object: ObjectMetricSource | Mapping[str, Any] | None = ...,
        pods: PodsMetricSource | Mapping[str, Any] | None = ...,
        resource: ResourceMetricSource | Mapping[str, Any] | None = ...,
        container_resource: ContainerResourceMetricSource | Mapping[str, Any] | None = ...,
        external: ExternalMetricSource | Mapping[str, Any] | None = ...,
    ) -> None: ...

class MetricStatus(Model):
    """The member that `type` names is set."""
    type: Attribute[str, str | None]
    """Object, Pods, Resource, ContainerResource or External"""
    object: Attribute[ObjectMetricStatus | None, ObjectMetricStatus | Mapping[str, Any] | None]
    """the value of a metric of another object"""
    pods: Attribute[PodsMetricStatus | None, PodsMetricStatus | Mapping[str, Any] | None]
    """the value of a metric of the scaled pods"""
    resource: Attribute[ResourceMetricStatus | None, ResourceMetricStatus | Mapping[str, Any] | None]
    """the use of a resource by the scaled pods"""
    container_resource: Attribute[ContainerResourceMetricStatus | None, ContainerResourceMetricStatus | Mapping[str, Any] | None]
    """the use of a resource by one container of the pods"""
    external: Attribute[ExternalMetricStatus | None, ExternalMetricStatus | Mapping[str, Any] | None]
    """the value of a metric from outside the cluster"""
    def __init__(
        self,
        *,
        type: str | None = ...,
        object: ObjectMetricStatus | Mapping[str, Any] | None = ...,
        pods: PodsMetricStatus | Mapping[str, Any] | None = ...,
        resource: ResourceMetricStatus | Mapping[str, Any] | None = ...,
        container_resource: ContainerResourceMetricStatus | Mapping[str, Any] | None = ...,
        external: ExternalMetricStatus | Mapping[str, Any] | None = ...,
    ) -> None: ...

class MetricTarget(Model):
    """One of the three amounts is set, according to `type`."""
    type: Attribute[str, str | None]
    """Utilization, Value or AverageValue"""
    value: Attribute[Quantity | None, str | int | float | None]
    """for Value: the target of the metric as it is"""
    average_value: Attribute[Quantity | None, str | int | float | None]
    """for AverageValue: the target of the mean over the pods"""
    average_utilization: Attribute[int | None, int | None]
    """For Utilization: the mean over the pods, in percent of their requests."""
    def __init__(
        self,
        *,
        type: str | None = ...,
        value: str | int | float | None = ...,
        average_value: str | int | float | None = ...,
        average_utilization: int | None = ...,
    ) -> None: ...

class MetricValueStatus(Model):
    """The last value of a metric."""
    value: Attribute[Quantity | None, str | int | float | None]
    """the value as it is"""
    average_value: Attribute[Quantity | None, str | int | float | None]
    """over the pods"""
    average_utilization: Attribute[int | None, int | None]
    """percent of the requests of the pods"""
    def __init__(
        self,
        *,
        value: str | int | float | None = ...,
        average_value: str | int | float | None = ...,
        average_utilization: int | None = ...,
    ) -> None: ...

class ObjectMetricSource(Model):
    """A metric of one object, e.g. requests per second of an Ingress."""
    described_object: Attribute[CrossVersionObjectReference, CrossVersionObjectReference | Mapping[str, Any] | None]
    """the object that the metric describes"""
    target: Attribute[MetricTarget, MetricTarget | Mapping[str, Any] | None]
    """a Value, or an AverageValue over the pods"""
    metric: Attribute[MetricIdentifier, MetricIdentifier | Mapping[str, Any] | None]
    """the metric of that object"""
    def __init__(
        self,
        *,
        described_object: CrossVersionObjectReference | Mapping[str, Any] | None = ...,
        target: MetricTarget | Mapping[str, Any] | None = ...,
        metric: MetricIdentifier | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ObjectMetricStatus(Model):
    """The last value of a metric of one object."""
    metric: Attribute[MetricIdentifier, MetricIdentifier | Mapping[str, Any] | None]
    """as in the spec"""
    current: Attribute[MetricValueStatus, MetricValueStatus | Mapping[str, Any] | None]
    """the last value"""
    described_object: Attribute[CrossVersionObjectReference, CrossVersionObjectReference | Mapping[str, Any] | None]
    """as in the spec"""
    def __init__(
        self,
        *,
        metric: MetricIdentifier | Mapping[str, Any] | None = ...,
        current: MetricValueStatus | Mapping[str, Any] | None = ...,
        described_object: CrossVersionObjectReference | Mapping[str, Any] | None = ...,
    ) -> None: ...

class PodsMetricSource(Model):
    """A metric of the scaled pods, as their mean."""
    metric: Attribute[MetricIdentifier, MetricIdentifier | Mapping[str, Any] | None]
    """the metric of each pod"""
    target: Attribute[MetricTarget, MetricTarget | Mapping[str, Any] | None]
    """must be an AverageValue"""
    def __init__(
        self,
        *,
        metric: MetricIdentifier | Mapping[str, Any] | None = ...,
        target: MetricTarget | Mapping[str, Any] | None = ...,
    ) -> None: ...

class PodsMetricStatus(Model):
    """The last value of a metric of the scaled pods."""
    metric: Attribute[MetricIdentifier, MetricIdentifier | Mapping[str, Any] | None]
    """as in the spec"""
    current: Attribute[MetricValueStatus, MetricValueStatus | Mapping[str, Any] | None]
    """the mean over the pods"""
    def __init__(
        self,
        *,
        metric: MetricIdentifier | Mapping[str, Any] | None = ...,
        current: MetricValueStatus | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ResourceMetricSource(Model):
    """The use of a resource by the scaled pods, as their mean."""
    name: Attribute[str, str | None]
    """cpu or memory"""
    target: Attribute[MetricTarget, MetricTarget | Mapping[str, Any] | None]
    """a Utilization or an AverageValue"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        target: MetricTarget | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ResourceMetricStatus(Model):
    """The last use of a resource by the scaled pods."""
    name: Attribute[str, str | None]
    """cpu or memory"""
    current: Attribute[MetricValueStatus, MetricValueStatus | Mapping[str, Any] | None]
    """the mean over the pods"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        current: MetricValueStatus | Mapping[str, Any] | None = ...,
    ) -> None: ...

class Scale(Model):
    """The subresource through which any scalable kind is scaled."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """name, namespace and resourceVersion of the scaled object"""
    spec: Attribute[ScaleSpec, ScaleSpec | Mapping[str, Any] | None]
    """the requested size"""
    status: Attribute[ScaleStatus, ScaleStatus | Mapping[str, Any] | None]
    """the observed size, written by the controller of the scaled object"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: ScaleSpec | Mapping[str, Any] | None = ...,
        status: ScaleStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class ScaleList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[Scale], Sequence[Scale | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[Scale | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class ScaleSpec(Model):
    """The requested size."""
    replicas: Attribute[int, int | None]
    """requested number of pods"""
    def __init__(
        self,
        *,
        replicas: int | None = ...,
    ) -> None: ...

class ScaleStatus(Model):
    """The observed size."""
    replicas: Attribute[int, int | None]
    """observed number of pods"""
    selector: Attribute[str, str | None]
    """selects the pods, as text"""
    def __init__(
        self,
        *,
        replicas: int | None = ...,
        selector: str | None = ...,
    ) -> None: ...
