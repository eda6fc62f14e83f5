"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""

from collections.abc import Mapping, Sequence
from typing import Any
from . import meta
from .._model import Attribute, ListView, Model

class PolicyRule(Model):
    """Permissions: all of the verbs on all of the resources."""
    verbs: Attribute[ListView[str], Sequence[str] | None]
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
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    rules: Attribute[ListView[PolicyRule], Sequence[PolicyRule | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        rules: Sequence[PolicyRule | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class RoleBinding(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    subjects: Attribute[ListView[Subject], Sequence[Subject | Mapping[str, Any]] | None]
    role_ref: Attribute[RoleRef, RoleRef | Mapping[str, Any] | None]
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
    api_group: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    """Role or ClusterRole"""
    name: Attribute[str, str | None]
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
    name: Attribute[str, str | None]
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
