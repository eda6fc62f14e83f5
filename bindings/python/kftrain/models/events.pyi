"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any
from . import core, meta
from .._model import Attribute, ListView, Model

class Event(Model):
    """The event of `events.k8s.io/v1`; servers store it together with the event of the core group."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """the namespace is that of `regarding`, or `default` if that has none"""
    event_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """when the event was first observed; required for new events"""
    series: Attribute[core.EventSeries | None, core.EventSeries | Mapping[str, Any] | None]
    """repetitions; absent: the event occurred once"""
    reporting_controller: Attribute[str, str | None]
    """the controller that emitted it, e.g. `kubernetes.io/kubelet`"""
    reporting_instance: Attribute[str, str | None]
    """of the controller, e.g. a pod name"""
    action: Attribute[str, str | None]
    """the attempted action, one word in CamelCase, up to 128 characters"""
    reason: Attribute[str, str | None]
    """why the action was taken, one word in CamelCase, up to 128 characters"""
    regarding: Attribute[core.ObjectReference, core.ObjectReference | Mapping[str, Any] | None]
    """the object that the event is about"""
    related: Attribute[core.ObjectReference | None, core.ObjectReference | Mapping[str, Any] | None]
    """another object that takes part in the action"""
    note: Attribute[str, str | None]
    """the message, up to 1 KiB"""
    type: Attribute[str, str | None]
    """Normal or Warning"""
    deprecated_source: Attribute[core.EventSource, core.EventSource | Mapping[str, Any] | None]
    """`source` in the core group"""
    deprecated_first_timestamp: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """`firstTimestamp` in the core group"""
    deprecated_last_timestamp: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """`lastTimestamp` in the core group"""
    deprecated_count: Attribute[int, int | None]
    """`count` in the core group"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        event_time: datetime.datetime | str | None = ...,
        series: core.EventSeries | Mapping[str, Any] | None = ...,
        reporting_controller: str | None = ...,
        reporting_instance: str | None = ...,
        action: str | None = ...,
        reason: str | None = ...,
        regarding: core.ObjectReference | Mapping[str, Any] | None = ...,
        related: core.ObjectReference | Mapping[str, Any] | None = ...,
        note: str | None = ...,
        type: str | None = ...,
        deprecated_source: core.EventSource | Mapping[str, Any] | None = ...,
        deprecated_first_timestamp: datetime.datetime | str | None = ...,
        deprecated_last_timestamp: datetime.datetime | str | None = ...,
        deprecated_count: int | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class EventList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[Event], Sequence[Event | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[Event | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...
