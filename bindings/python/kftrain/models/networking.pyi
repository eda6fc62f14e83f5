"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""

from collections.abc import Mapping, Sequence
from typing import Any
from . import meta
from .._model import Attribute, ListView, Model

class IPBlock(Model):
    """A range of addresses with exceptions."""
    cidr: Attribute[str, str | None]
    """e.g. `192.168.1.0/24`"""
    except_: Attribute[ListView[str], Sequence[str] | None]
    """excluded ranges within it"""
    def __init__(
        self,
        *,
        cidr: str | None = ...,
        except_: Sequence[str] | None = ...,
    ) -> None: ...

class NetworkPolicy(Model):
    """A firewall for pods, if the network of the cluster enforces policies."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """the policy applies to pods of its namespace"""
    spec: Attribute[NetworkPolicySpec, NetworkPolicySpec | Mapping[str, Any] | None]
    """the selected pods and their allowed traffic"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: NetworkPolicySpec | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class NetworkPolicyEgressRule(Model):
    """Allows outgoing traffic to any of the peers on any of the ports; an empty list means all."""
    ports: Attribute[ListView[NetworkPolicyPort], Sequence[NetworkPolicyPort | Mapping[str, Any]] | None]
    """ports of the destinations; empty: all ports"""
    to: Attribute[ListView[NetworkPolicyPeer], Sequence[NetworkPolicyPeer | Mapping[str, Any]] | None]
    """destinations of the traffic; empty: all destinations"""
    def __init__(
        self,
        *,
        ports: Sequence[NetworkPolicyPort | Mapping[str, Any]] | None = ...,
        to: Sequence[NetworkPolicyPeer | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class NetworkPolicyIngressRule(Model):
    """Allows incoming traffic from any of the peers to any of the ports; an empty list means all."""
    ports: Attribute[ListView[NetworkPolicyPort], Sequence[NetworkPolicyPort | Mapping[str, Any]] | None]
    """ports of the selected pods; empty: all ports"""
    from_: Attribute[ListView[NetworkPolicyPeer], Sequence[NetworkPolicyPeer | Mapping[str, Any]] | None]
    """sources of the traffic; empty: all sources"""
    def __init__(
        self,
        *,
        ports: Sequence[NetworkPolicyPort | Mapping[str, Any]] | None = ...,
        from_: Sequence[NetworkPolicyPeer | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class NetworkPolicyList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[NetworkPolicy], Sequence[NetworkPolicy | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[NetworkPolicy | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class NetworkPolicyPeer(Model):
    """Pods by their labels and those of their namespace, or addresses."""
    pod_selector: Attribute[meta.LabelSelector | None, meta.LabelSelector | Mapping[str, Any] | None]
    """absent: all pods of the namespaces"""
    namespace_selector: Attribute[meta.LabelSelector | None, meta.LabelSelector | Mapping[str, Any] | None]
    """absent: the namespace of the policy"""
    ip_block: Attribute[IPBlock | None, IPBlock | Mapping[str, Any] | None]
    """excludes the two selectors"""
    def __init__(
        self,
        *,
        pod_selector: meta.LabelSelector | Mapping[str, Any] | None = ...,
        namespace_selector: meta.LabelSelector | Mapping[str, Any] | None = ...,
        ip_block: IPBlock | Mapping[str, Any] | None = ...,
    ) -> None: ...

class NetworkPolicyPort(Model):
    """Ports of one protocol; absent parts mean all."""
    protocol: Attribute[str | None, str | None]
    """TCP (also if absent), UDP or SCTP"""
    port: Attribute[int | str | None, int | str | None]
    """a number, or the name of a port of the pods"""
    end_port: Attribute[int | None, int | None]
    """last port of a range that begins with `port`"""
    def __init__(
        self,
        *,
        protocol: str | None = ...,
        port: int | str | None = ...,
        end_port: int | None = ...,
    ) -> None: ...

class NetworkPolicySpec(Model):
    """The allowed traffic of the selected pods; for each direction of the policy, all other traffic is blocked."""
    pod_selector: Attribute[meta.LabelSelector, meta.LabelSelector | Mapping[str, Any] | None]
    """empty: all pods of the namespace"""
    ingress: Attribute[ListView[NetworkPolicyIngressRule], Sequence[NetworkPolicyIngressRule | Mapping[str, Any]] | None]
    """Allowed incoming traffic; empty: none, if the policy covers Ingress."""
    egress: Attribute[ListView[NetworkPolicyEgressRule], Sequence[NetworkPolicyEgressRule | Mapping[str, Any]] | None]
    """Allowed outgoing traffic; empty: none, if the policy covers Egress."""
    policy_types: Attribute[ListView[str], Sequence[str] | None]
    """Ingress, Egress; empty: Ingress, and Egress if there are such rules"""
    def __init__(
        self,
        *,
        pod_selector: meta.LabelSelector | Mapping[str, Any] | None = ...,
        ingress: Sequence[NetworkPolicyIngressRule | Mapping[str, Any]] | None = ...,
        egress: Sequence[NetworkPolicyEgressRule | Mapping[str, Any]] | None = ...,
        policy_types: Sequence[str] | None = ...,
    ) -> None: ...
