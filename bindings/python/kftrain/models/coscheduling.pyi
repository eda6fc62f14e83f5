"""Made by bindings/python/scripts/stubs.py from the tables of the library."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from .._model import Attribute, ListView, MapView, Model
from . import meta

class PodGroup(Model):
    @property
    def api_version(self) -> str: ...
    @property
    def kind(self) -> str: ...
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    spec: Attribute[PodGroupSpec, PodGroupSpec | Mapping[str, Any] | None]
    status: Attribute[PodGroupStatus, PodGroupStatus | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: PodGroupSpec | Mapping[str, Any] | None = ...,
        status: PodGroupStatus | Mapping[str, Any] | None = ...,
    ) -> None: ...

class PodGroupList(Model):
    @property
    def api_version(self) -> str: ...
    @property
    def kind(self) -> str: ...
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[PodGroup], Sequence[PodGroup | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[PodGroup | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class PodGroupSpec(Model):
    min_member: Attribute[int, int | None]
    min_resources: Attribute[MapView[str], Mapping[str, str | int] | None]
    schedule_timeout_seconds: Attribute[int | None, int | None]
    def __init__(
        self,
        *,
        min_member: int | None = ...,
        min_resources: Mapping[str, str | int] | None = ...,
        schedule_timeout_seconds: int | None = ...,
    ) -> None: ...

class PodGroupStatus(Model):
    phase: Attribute[str, str | None]
    occupied_by: Attribute[str, str | None]
    running: Attribute[int, int | None]
    succeeded: Attribute[int, int | None]
    failed: Attribute[int, int | None]
    schedule_start_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
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
