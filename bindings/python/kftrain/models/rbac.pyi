"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""

from collections.abc import Mapping, Sequence
from typing import Any
from . import meta
from .._model import Attribute, ListView, Model

class AggregationRule(Model):
    """Selects the ClusterRoles whose rules a ClusterRole contains."""
    cluster_role_selectors: Attribute[ListView[meta.LabelSelector], Sequence[meta.LabelSelector | Mapping[str, Any]] | None]
    """a role that matches one of them is included"""
    def __init__(
        self,
        *,
        cluster_role_selectors: Sequence[meta.LabelSelector | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class ClusterRole(Model):
    """Permissions in the whole cluster, or in each namespace that a RoleBinding names."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """its labels may select it for the aggregation of another role"""
    rules: Attribute[ListView[PolicyRule], Sequence[PolicyRule | Mapping[str, Any]] | None]
    """permissions; with an aggregation rule those of the selected roles"""
    aggregation_rule: Attribute[AggregationRule | None, AggregationRule | Mapping[str, Any] | None]
    """absent: the role has only its own rules"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        rules: Sequence[PolicyRule | Mapping[str, Any]] | None = ...,
        aggregation_rule: AggregationRule | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class ClusterRoleBinding(Model):
    """Gives subjects the permissions of a ClusterRole in the whole cluster."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """name, labels, annotations"""
    subjects: Attribute[ListView[Subject], Sequence[Subject | Mapping[str, Any]] | None]
    """receive the permissions; empty: nobody"""
    role_ref: Attribute[RoleRef, RoleRef | Mapping[str, Any] | None]
    """a ClusterRole"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        subjects: Sequence[Subject | Mapping[str, Any]] | None = ...,
        role_ref: RoleRef | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class ClusterRoleBindingList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[ClusterRoleBinding], Sequence[ClusterRoleBinding | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[ClusterRoleBinding | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class ClusterRoleList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[ClusterRole], Sequence[ClusterRole | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[ClusterRole | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class PolicyRule(Model):
    """Permissions: all of the verbs on all of the resources."""
    verbs: Attribute[ListView[str], Sequence[str] | None]
    """e.g. `get`, `list`, `watch`, `create`; `*` for all"""
    api_groups: Attribute[ListView[str], Sequence[str] | None]
    """empty text for the core group, `*` for all"""
    resources: Attribute[ListView[str], Sequence[str] | None]
    """e.g. `pods/log`, `*` for all"""
    resource_names: Attribute[ListView[str], Sequence[str] | None]
    """empty: all objects"""
    non_resource_urls: Attribute[ListView[str], Sequence[str] | None]
    """only in ClusterRoles"""
    def __init__(
        self,
        *,
        verbs: Sequence[str] | None = ...,
        api_groups: Sequence[str] | None = ...,
        resources: Sequence[str] | None = ...,
        resource_names: Sequence[str] | None = ...,
        non_resource_urls: Sequence[str] | None = ...,
    ) -> None: ...

class Role(Model):
    """Permissions in one namespace."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """the permissions apply to objects of its namespace"""
    rules: Attribute[ListView[PolicyRule], Sequence[PolicyRule | Mapping[str, Any]] | None]
    """permissions; a request is allowed if one of the rules allows it"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        rules: Sequence[PolicyRule | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class RoleBinding(Model):
    """Gives subjects the permissions of a role in one namespace."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """the permissions apply to objects of its namespace"""
    subjects: Attribute[ListView[Subject], Sequence[Subject | Mapping[str, Any]] | None]
    """receive the permissions; empty: nobody"""
    role_ref: Attribute[RoleRef, RoleRef | Mapping[str, Any] | None]
    """a Role of the same namespace, or a ClusterRole"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        subjects: Sequence[Subject | Mapping[str, Any]] | None = ...,
        role_ref: RoleRef | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class RoleBindingList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[RoleBinding], Sequence[RoleBinding | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[RoleBinding | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class RoleList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[Role], Sequence[Role | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[Role | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class RoleRef(Model):
    """The role of a binding; it cannot be changed."""
    api_group: Attribute[str, str | None]
    """`rbac.authorization.k8s.io`"""
    kind: Attribute[str, str | None]
    """Role or ClusterRole"""
    name: Attribute[str, str | None]
    """name of the role; a Role must be of the namespace of the binding"""
    def __init__(
        self,
        *,
        api_group: str | None = ...,
        kind: str | None = ...,
        name: str | None = ...,
    ) -> None: ...

class Subject(Model):
    """A user, group or service account that receives the role."""
    kind: Attribute[str, str | None]
    """User, Group or ServiceAccount"""
    api_group: Attribute[str, str | None]
    """empty for a ServiceAccount, `rbac.authorization.k8s.io` for User and Group"""
    name: Attribute[str, str | None]
    """name of the user, group or service account"""
    namespace: Attribute[str, str | None]
    """of a service account"""
    def __init__(
        self,
        *,
        kind: str | None = ...,
        api_group: str | None = ...,
        name: str | None = ...,
        namespace: str | None = ...,
    ) -> None: ...
