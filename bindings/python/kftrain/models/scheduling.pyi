"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""

from collections.abc import Mapping, Sequence
from typing import Any
from . import meta
from .._model import Attribute, ListView, Model

class PriorityClass(Model):
    """A named priority for pods."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """pods refer to it by its name, as `priorityClassName`"""
    value: Attribute[int, int | None]
    """Pods of higher values are scheduled first; at most 1000000000 unless built in; cannot be changed."""
    global_default: Attribute[bool, bool | None]
    """the default for pods without a class; at most one class should set it"""
    description: Attribute[str, str | None]
    """when to use the class, as text"""
    preemption_policy: Attribute[str | None, str | None]
    """PreemptLowerPriority (also if absent) or Never"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        value: int | None = ...,
        global_default: bool | None = ...,
        description: str | None = ...,
        preemption_policy: str | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class PriorityClassList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[PriorityClass], Sequence[PriorityClass | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[PriorityClass | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...
