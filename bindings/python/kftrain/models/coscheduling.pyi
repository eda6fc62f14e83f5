"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any
from . import meta
from .._model import Attribute, ListView, MapView, Model
from .._quantity import Quantity

class PodGroup(Model):
    """A gang: pods that start together or not at all. Pods refer to it by their label `scheduling.x-k8s.io/pod-group`."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """the name is the value of the label of its pods"""
    spec: Attribute[PodGroupSpec, PodGroupSpec | Mapping[str, Any] | None]
    """the requirements"""
    status: Attribute[PodGroupStatus, PodGroupStatus | Mapping[str, Any] | None]
    """observed state, written by the gang controller"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: PodGroupSpec | Mapping[str, Any] | None = ...,
        status: PodGroupStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class PodGroupList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[PodGroup], Sequence[PodGroup | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[PodGroup | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class PodGroupSpec(Model):
    """The requirements of a gang before any of its pods starts."""
    min_member: Attribute[int, int | None]
    """number of pods that must fit before any of them starts"""
    min_resources: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """Free resources that the nodes must have before any pod starts; empty: not checked."""
    schedule_timeout_seconds: Attribute[int | None, int | None]
    """How long placed pods wait for the others, in seconds; absent: the configuration of the plugin, by default 60."""
    def __init__(
        self,
        *,
        min_member: int | None = ...,
        min_resources: Mapping[str, str | int | float] | None = ...,
        schedule_timeout_seconds: int | None = ...,
    ) -> None: ...

class PodGroupStatus(Model):
    """The state that the gang controller last observed; counts are of pods."""
    phase: Attribute[str, str | None]
    """Pending: fewer pods exist than must start; Scheduling; Running and Finished: that number of pods runs or has
    succeeded; Failed. Unknown is declared and never written."""
    occupied_by: Attribute[str, str | None]
    """`namespace/name` of the owners of its first pod, comma-separated; initially empty"""
    running: Attribute[int, int | None]
    """pods in the phase Running"""
    succeeded: Attribute[int, int | None]
    """pods in the phase Succeeded"""
    failed: Attribute[int, int | None]
    """pods in the phase Failed"""
    schedule_start_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """declared; the controller reads it but never writes it"""
    def __init__(
        self,
        *,
        phase: str | None = ...,
        occupied_by: str | None = ...,
        running: int | None = ...,
        succeeded: int | None = ...,
        failed: int | None = ...,
        schedule_start_time: datetime.datetime | str | None = ...,
    ) -> None: ...
