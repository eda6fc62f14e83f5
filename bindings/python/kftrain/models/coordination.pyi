"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any
from . import meta
from .._model import Attribute, ListView, Model

class Lease(Model):
    """A lock that expires: for leader election and node heartbeats."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """candidates of one election use the same name and namespace"""
    spec: Attribute[LeaseSpec, LeaseSpec | Mapping[str, Any] | None]
    """the current holder"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: LeaseSpec | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class LeaseList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[Lease], Sequence[Lease | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[Lease | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class LeaseSpec(Model):
    """The holder of a lease, and how long the lease is valid."""
    holder_identity: Attribute[str | None, str | None]
    """the process that holds the lease; empty or absent: nobody"""
    lease_duration_seconds: Attribute[int | None, int | None]
    """Time in seconds after `renew_time` when another process may take it."""
    acquire_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """when the holder got the lease"""
    renew_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """when the holder last renewed it"""
    lease_transitions: Attribute[int | None, int | None]
    """how often the holder changed"""
    strategy: Attribute[str | None, str | None]
    """e.g. OldestEmulationVersion"""
    preferred_holder: Attribute[str | None, str | None]
    """A better candidate, for which the holder should give it up; only with `strategy`."""
    def __init__(
        self,
        *,
        holder_identity: str | None = ...,
        lease_duration_seconds: int | None = ...,
        acquire_time: datetime.datetime | str | None = ...,
        renew_time: datetime.datetime | str | None = ...,
        lease_transitions: int | None = ...,
        strategy: str | None = ...,
        preferred_holder: str | None = ...,
    ) -> None: ...
