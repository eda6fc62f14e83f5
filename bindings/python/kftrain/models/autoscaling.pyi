"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any
from . import meta
from .._model import Attribute, ListView, Model
from .._quantity import Quantity

class ContainerResourceMetricSource(Model):
    name: Attribute[str, str | None]
    target: Attribute[MetricTarget, MetricTarget | Mapping[str, Any] | None]
    container: Attribute[str, str | None]
    def __init__(
        self,
        *,
        name: str | None = ...,
        target: MetricTarget | Mapping[str, Any] | None = ...,
        container: str | None = ...,
    ) -> None: ...

class ContainerResourceMetricStatus(Model):
    name: Attribute[str, str | None]
    current: Attribute[MetricValueStatus, MetricValueStatus | Mapping[str, Any] | None]
    container: Attribute[str, str | None]
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
    name: Attribute[str, str | None]
    api_version: Attribute[str, str | None]
    def __init__(
        self,
        *,
        kind: str | None = ...,
        name: str | None = ...,
        api_version: str | None = ...,
    ) -> None: ...

class ExternalMetricSource(Model):
    metric: Attribute[MetricIdentifier, MetricIdentifier | Mapping[str, Any] | None]
    target: Attribute[MetricTarget, MetricTarget | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        metric: MetricIdentifier | Mapping[str, Any] | None = ...,
        target: MetricTarget | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ExternalMetricStatus(Model):
    metric: Attribute[MetricIdentifier, MetricIdentifier | Mapping[str, Any] | None]
    current: Attribute[MetricValueStatus, MetricValueStatus | Mapping[str, Any] | None]
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
    period_seconds: Attribute[int, int | None]
    def __init__(
        self,
        *,
        type: str | None = ...,
        value: int | None = ...,
        period_seconds: int | None = ...,
    ) -> None: ...

class HPAScalingRules(Model):
    stabilization_window_seconds: Attribute[int | None, int | None]
    """Period of past recommendations to consider; 0 to 3600."""
    select_policy: Attribute[str | None, str | None]
    """Max, Min or Disabled; absent means Max"""
    policies: Attribute[ListView[HPAScalingPolicy], Sequence[HPAScalingPolicy | Mapping[str, Any]] | None]
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
    spec: Attribute[HorizontalPodAutoscalerSpec, HorizontalPodAutoscalerSpec | Mapping[str, Any] | None]
    status: Attribute[HorizontalPodAutoscalerStatus, HorizontalPodAutoscalerStatus | Mapping[str, Any] | None]
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
    scale_up: Attribute[HPAScalingRules | None, HPAScalingRules | Mapping[str, Any] | None]
    scale_down: Attribute[HPAScalingRules | None, HPAScalingRules | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        scale_up: HPAScalingRules | Mapping[str, Any] | None = ...,
        scale_down: HPAScalingRules | Mapping[str, Any] | None = ...,
    ) -> None: ...

class HorizontalPodAutoscalerCondition(Model):
    type: Attribute[str, str | None]
    """AbleToScale, ScalingActive or ScalingLimited"""
    status: Attribute[str, str | None]
    """True, False or Unknown"""
    last_transition_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    reason: Attribute[str, str | None]
    message: Attribute[str, str | None]
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
    scale_target_ref: Attribute[CrossVersionObjectReference, CrossVersionObjectReference | Mapping[str, Any] | None]
    min_replicas: Attribute[int | None, int | None]
    """absent means 1"""
    max_replicas: Attribute[int, int | None]
    metrics: Attribute[ListView[MetricSpec], Sequence[MetricSpec | Mapping[str, Any]] | None]
    """the largest result wins; empty: 80 percent of the requested cpu"""
    behavior: Attribute[HorizontalPodAutoscalerBehavior | None, HorizontalPodAutoscalerBehavior | Mapping[str, Any] | None]
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
    observed_generation: Attribute[int | None, int | None]
    last_scale_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    current_replicas: Attribute[int, int | None]
    desired_replicas: Attribute[int, int | None]
    current_metrics: Attribute[ListView[MetricStatus], Sequence[MetricStatus | Mapping[str, Any]] | None]
    conditions: Attribute[ListView[HorizontalPodAutoscalerCondition], Sequence[HorizontalPodAutoscalerCondition | Mapping[str, Any]] | None]
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
    selector: Attribute[meta.LabelSelector | None, meta.LabelSelector | Mapping[str, Any] | None]
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
    pods: Attribute[PodsMetricSource | None, PodsMetricSource | Mapping[str, Any] | None]
    resource: Attribute[ResourceMetricSource | None, ResourceMetricSource | Mapping[str, Any] | None]
    container_resource: Attribute[ContainerResourceMetricSource | None, ContainerResourceMetricSource | Mapping[str, Any] | None]
    external: Attribute[ExternalMetricSource | None, ExternalMetricSource | Mapping[str, Any] | None]
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
    pods: Attribute[PodsMetricStatus | None, PodsMetricStatus | Mapping[str, Any] | None]
    resource: Attribute[ResourceMetricStatus | None, ResourceMetricStatus | Mapping[str, Any] | None]
    container_resource: Attribute[ContainerResourceMetricStatus | None, ContainerResourceMetricStatus | Mapping[str, Any] | None]
    external: Attribute[ExternalMetricStatus | None, ExternalMetricStatus | Mapping[str, Any] | None]
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
    average_value: Attribute[Quantity | None, str | int | float | None]
    """percent of the requests of the pods"""
    average_utilization: Attribute[int | None, int | None]
    """percent of what the pods request"""
    def __init__(
        self,
        *,
        type: str | None = ...,
        value: str | int | float | None = ...,
        average_value: str | int | float | None = ...,
        average_utilization: int | None = ...,
    ) -> None: ...

class MetricValueStatus(Model):
    value: Attribute[Quantity | None, str | int | float | None]
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
    described_object: Attribute[CrossVersionObjectReference, CrossVersionObjectReference | Mapping[str, Any] | None]
    target: Attribute[MetricTarget, MetricTarget | Mapping[str, Any] | None]
    metric: Attribute[MetricIdentifier, MetricIdentifier | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        described_object: CrossVersionObjectReference | Mapping[str, Any] | None = ...,
        target: MetricTarget | Mapping[str, Any] | None = ...,
        metric: MetricIdentifier | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ObjectMetricStatus(Model):
    metric: Attribute[MetricIdentifier, MetricIdentifier | Mapping[str, Any] | None]
    current: Attribute[MetricValueStatus, MetricValueStatus | Mapping[str, Any] | None]
    described_object: Attribute[CrossVersionObjectReference, CrossVersionObjectReference | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        metric: MetricIdentifier | Mapping[str, Any] | None = ...,
        current: MetricValueStatus | Mapping[str, Any] | None = ...,
        described_object: CrossVersionObjectReference | Mapping[str, Any] | None = ...,
    ) -> None: ...

class PodsMetricSource(Model):
    metric: Attribute[MetricIdentifier, MetricIdentifier | Mapping[str, Any] | None]
    target: Attribute[MetricTarget, MetricTarget | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        metric: MetricIdentifier | Mapping[str, Any] | None = ...,
        target: MetricTarget | Mapping[str, Any] | None = ...,
    ) -> None: ...

class PodsMetricStatus(Model):
    metric: Attribute[MetricIdentifier, MetricIdentifier | Mapping[str, Any] | None]
    current: Attribute[MetricValueStatus, MetricValueStatus | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        metric: MetricIdentifier | Mapping[str, Any] | None = ...,
        current: MetricValueStatus | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ResourceMetricSource(Model):
    name: Attribute[str, str | None]
    target: Attribute[MetricTarget, MetricTarget | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        name: str | None = ...,
        target: MetricTarget | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ResourceMetricStatus(Model):
    name: Attribute[str, str | None]
    current: Attribute[MetricValueStatus, MetricValueStatus | Mapping[str, Any] | None]
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
    spec: Attribute[ScaleSpec, ScaleSpec | Mapping[str, Any] | None]
    status: Attribute[ScaleStatus, ScaleStatus | Mapping[str, Any] | None]
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
    replicas: Attribute[int, int | None]
    def __init__(
        self,
        *,
        replicas: int | None = ...,
    ) -> None: ...

class ScaleStatus(Model):
    replicas: Attribute[int, int | None]
    selector: Attribute[str, str | None]
    """selects the pods, as text"""
    def __init__(
        self,
        *,
        replicas: int | None = ...,
        selector: str | None = ...,
    ) -> None: ...
