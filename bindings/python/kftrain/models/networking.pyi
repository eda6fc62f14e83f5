"""Made by bindings/python/scripts/stubs.py from the tables of the library."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from .._model import Attribute, ListView, MapView, Model
from . import meta

class IpBlock(Model):
    cidr: Attribute[str, str | None]
    except_: Attribute[ListView[str], Sequence[str] | None]
    def __init__(
        self,
        *,
        cidr: str | None = ...,
        except_: Sequence[str] | None = ...,
    ) -> None: ...

class NetworkPolicy(Model):
    @property
    def api_version(self) -> str: ...
    @property
    def kind(self) -> str: ...
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    spec: Attribute[NetworkPolicySpec, NetworkPolicySpec | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: NetworkPolicySpec | Mapping[str, Any] | None = ...,
    ) -> None: ...

class NetworkPolicyEgressRule(Model):
    ports: Attribute[ListView[NetworkPolicyPort], Sequence[NetworkPolicyPort | Mapping[str, Any]] | None]
    to: Attribute[ListView[NetworkPolicyPeer], Sequence[NetworkPolicyPeer | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        ports: Sequence[NetworkPolicyPort | Mapping[str, Any]] | None = ...,
        to: Sequence[NetworkPolicyPeer | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class NetworkPolicyIngressRule(Model):
    ports: Attribute[ListView[NetworkPolicyPort], Sequence[NetworkPolicyPort | Mapping[str, Any]] | None]
    from_: Attribute[ListView[NetworkPolicyPeer], Sequence[NetworkPolicyPeer | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        ports: Sequence[NetworkPolicyPort | Mapping[str, Any]] | None = ...,
        from_: Sequence[NetworkPolicyPeer | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class NetworkPolicyList(Model):
    @property
    def api_version(self) -> str: ...
    @property
    def kind(self) -> str: ...
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[NetworkPolicy], Sequence[NetworkPolicy | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[NetworkPolicy | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class NetworkPolicyPeer(Model):
    pod_selector: Attribute[meta.LabelSelector | None, meta.LabelSelector | Mapping[str, Any] | None]
    namespace_selector: Attribute[meta.LabelSelector | None, meta.LabelSelector | Mapping[str, Any] | None]
    ip_block: Attribute[IpBlock | None, IpBlock | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        pod_selector: meta.LabelSelector | Mapping[str, Any] | None = ...,
        namespace_selector: meta.LabelSelector | Mapping[str, Any] | None = ...,
        ip_block: IpBlock | Mapping[str, Any] | None = ...,
    ) -> None: ...

class NetworkPolicyPort(Model):
    protocol: Attribute[str | None, str | None]
    port: Attribute[int | str | None, int | str | None]
    end_port: Attribute[int | None, int | None]
    def __init__(
        self,
        *,
        protocol: str | None = ...,
        port: int | str | None = ...,
        end_port: int | None = ...,
    ) -> None: ...

class NetworkPolicySpec(Model):
    pod_selector: Attribute[meta.LabelSelector, meta.LabelSelector | Mapping[str, Any] | None]
    ingress: Attribute[ListView[NetworkPolicyIngressRule], Sequence[NetworkPolicyIngressRule | Mapping[str, Any]] | None]
    egress: Attribute[ListView[NetworkPolicyEgressRule], Sequence[NetworkPolicyEgressRule | Mapping[str, Any]] | None]
    policy_types: Attribute[ListView[str], Sequence[str] | None]
    def __init__(
        self,
        *,
        pod_selector: meta.LabelSelector | Mapping[str, Any] | None = ...,
        ingress: Sequence[NetworkPolicyIngressRule | Mapping[str, Any]] | None = ...,
        egress: Sequence[NetworkPolicyEgressRule | Mapping[str, Any]] | None = ...,
        policy_types: Sequence[str] | None = ...,
    ) -> None: ...
