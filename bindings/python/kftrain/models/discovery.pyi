"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""

from collections.abc import Mapping, Sequence
from typing import Any
from . import core, meta
from .._model import Attribute, ListView, MapView, Model

class Endpoint(Model):
    """A backend of the service, usually a pod."""
    addresses: Attribute[ListView[str], Sequence[str] | None]
    """1 to 100 addresses of the type of the slice; clients use the first"""
    conditions: Attribute[EndpointConditions, EndpointConditions | Mapping[str, Any] | None]
    """its state"""
    hostname: Attribute[str | None, str | None]
    """makes `hostname.service.namespace.svc` resolvable"""
    target_ref: Attribute[core.ObjectReference | None, core.ObjectReference | Mapping[str, Any] | None]
    """the object behind the addresses, usually a pod"""
    deprecated_topology: Attribute[MapView[str], Mapping[str, str] | None]
    """topology of the beta API; read only"""
    node_name: Attribute[str | None, str | None]
    """node of the endpoint"""
    zone: Attribute[str | None, str | None]
    """zone of the endpoint"""
    hints: Attribute[EndpointHints | None, EndpointHints | Mapping[str, Any] | None]
    """hints for proxies"""
    def __init__(
        self,
        *,
        addresses: Sequence[str] | None = ...,
        conditions: EndpointConditions | Mapping[str, Any] | None = ...,
        hostname: str | None = ...,
        target_ref: core.ObjectReference | Mapping[str, Any] | None = ...,
        deprecated_topology: Mapping[str, str] | None = ...,
        node_name: str | None = ...,
        zone: str | None = ...,
        hints: EndpointHints | Mapping[str, Any] | None = ...,
    ) -> None: ...

class EndpointConditions(Model):
    """The state of an endpoint. Absent values mean: ready, serving as `ready`, not terminating."""
    ready: Attribute[bool | None, bool | None]
    """whether it receives traffic; false for a pod that is being deleted"""
    serving: Attribute[bool | None, bool | None]
    """whether the pod is ready, also while it is being deleted"""
    terminating: Attribute[bool | None, bool | None]
    """whether the pod is being deleted"""
    def __init__(
        self,
        *,
        ready: bool | None = ...,
        serving: bool | None = ...,
        terminating: bool | None = ...,
    ) -> None: ...

class EndpointHints(Model):
    """Hints about the clients that an endpoint should serve."""
    for_zones: Attribute[ListView[ForZone], Sequence[ForZone | Mapping[str, Any]] | None]
    """zones whose clients should use it"""
    def __init__(
        self,
        *,
        for_zones: Sequence[ForZone | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class EndpointPort(Model):
    """A port of all endpoints of a slice."""
    name: Attribute[str | None, str | None]
    """name of the port of the service; unique in the slice"""
    protocol: Attribute[str | None, str | None]
    """TCP, UDP or SCTP; absent means TCP"""
    port: Attribute[int | None, int | None]
    """absent: all ports"""
    app_protocol: Attribute[str | None, str | None]
    """as in the port of the service"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        protocol: str | None = ...,
        port: int | None = ...,
        app_protocol: str | None = ...,
    ) -> None: ...

class EndpointSlice(Model):
    """A part of the endpoints of a service, all with the same ports."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """the label `kubernetes.io/service-name` names the service"""
    address_type: Attribute[str, str | None]
    """IPv4, IPv6 or FQDN; never changes"""
    endpoints: Attribute[ListView[Endpoint], Sequence[Endpoint | Mapping[str, Any]] | None]
    """at most 1000"""
    ports: Attribute[ListView[EndpointPort], Sequence[EndpointPort | Mapping[str, Any]] | None]
    """ports of each of the endpoints; at most 100"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        address_type: str | None = ...,
        endpoints: Sequence[Endpoint | Mapping[str, Any]] | None = ...,
        ports: Sequence[EndpointPort | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class EndpointSliceList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[EndpointSlice], Sequence[EndpointSlice | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[EndpointSlice | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class ForZone(Model):
    """A zone."""
    name: Attribute[str, str | None]
    """name of the zone"""
    def __init__(
        self,
        *,
        name: str | None = ...,
    ) -> None: ...
