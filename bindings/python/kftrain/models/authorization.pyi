"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""

from collections.abc import Mapping, Sequence
from typing import Any
from . import meta
from .._model import Attribute, ListView, Model

class AttributesRequirement(Model):
    """One condition on a field or label of the objects that are listed, watched or deleted together."""
    key: Attribute[str, str | None]
    operator: Attribute[str, str | None]
    """In, NotIn, Exists or DoesNotExist"""
    values: Attribute[ListView[str], Sequence[str] | None]
    def __init__(
        self,
        *,
        key: str | None = ...,
        operator: str | None = ...,
        values: Sequence[str] | None = ...,
    ) -> None: ...

class NonResourceAttributes(Model):
    """A verb on a path that is not an object, such as `/metrics`."""
    path: Attribute[str, str | None]
    verb: Attribute[str, str | None]
    def __init__(
        self,
        *,
        path: str | None = ...,
        verb: str | None = ...,
    ) -> None: ...

class ResourceAttributes(Model):
    """A verb on objects of one type."""
    namespace: Attribute[str, str | None]
    """empty: all namespaces, or cluster scope"""
    verb: Attribute[str, str | None]
    """e.g. `create`, `watch`; `*` for all"""
    group: Attribute[str, str | None]
    """empty for the core group, `*` for all"""
    version: Attribute[str, str | None]
    """`*` for all"""
    resource: Attribute[str, str | None]
    """e.g. `pods`, `*` for all"""
    subresource: Attribute[str, str | None]
    name: Attribute[str, str | None]
    """empty: all objects"""
    field_selector: Attribute[SelectorAttributes | None, SelectorAttributes | Mapping[str, Any] | None]
    label_selector: Attribute[SelectorAttributes | None, SelectorAttributes | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        namespace: str | None = ...,
        verb: str | None = ...,
        group: str | None = ...,
        version: str | None = ...,
        resource: str | None = ...,
        subresource: str | None = ...,
        name: str | None = ...,
        field_selector: SelectorAttributes | Mapping[str, Any] | None = ...,
        label_selector: SelectorAttributes | Mapping[str, Any] | None = ...,
    ) -> None: ...

class SelectorAttributes(Model):
    """Selects objects by field or label, either as text or parsed."""
    raw_selector: Attribute[str, str | None]
    requirements: Attribute[ListView[AttributesRequirement], Sequence[AttributesRequirement | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        raw_selector: str | None = ...,
        requirements: Sequence[AttributesRequirement | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class SelfSubjectAccessReview(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    spec: Attribute[SelfSubjectAccessReviewSpec, SelfSubjectAccessReviewSpec | Mapping[str, Any] | None]
    status: Attribute[SubjectAccessReviewStatus, SubjectAccessReviewStatus | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: SelfSubjectAccessReviewSpec | Mapping[str, Any] | None = ...,
        status: SubjectAccessReviewStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class SelfSubjectAccessReviewSpec(Model):
    """Exactly one of the two is set."""
    resource_attributes: Attribute[ResourceAttributes | None, ResourceAttributes | Mapping[str, Any] | None]
    non_resource_attributes: Attribute[NonResourceAttributes | None, NonResourceAttributes | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        resource_attributes: ResourceAttributes | Mapping[str, Any] | None = ...,
        non_resource_attributes: NonResourceAttributes | Mapping[str, Any] | None = ...,
    ) -> None: ...

class SubjectAccessReviewStatus(Model):
    allowed: Attribute[bool, bool | None]
    denied: Attribute[bool, bool | None]
    """explicitly denied: no other authorizer may allow it"""
    reason: Attribute[str, str | None]
    evaluation_error: Attribute[str, str | None]
    """error during the evaluation; the request may still be allowed"""
    def __init__(
        self,
        *,
        allowed: bool | None = ...,
        denied: bool | None = ...,
        reason: str | None = ...,
        evaluation_error: str | None = ...,
    ) -> None: ...
