"""Made by bindings/python/scripts/stubs.py from the tables of the library."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from .._model import Attribute, ListView, MapView, Model
from . import meta

class AttributesRequirement(Model):
    key: Attribute[str, str | None]
    operator: Attribute[str, str | None]
    values: Attribute[ListView[str], Sequence[str] | None]
    def __init__(
        self,
        *,
        key: str | None = ...,
        operator: str | None = ...,
        values: Sequence[str] | None = ...,
    ) -> None: ...

class NonResourceAttributes(Model):
    path: Attribute[str, str | None]
    verb: Attribute[str, str | None]
    def __init__(
        self,
        *,
        path: str | None = ...,
        verb: str | None = ...,
    ) -> None: ...

class ResourceAttributes(Model):
    namespace: Attribute[str, str | None]
    verb: Attribute[str, str | None]
    group: Attribute[str, str | None]
    version: Attribute[str, str | None]
    resource: Attribute[str, str | None]
    subresource: Attribute[str, str | None]
    name: Attribute[str, str | None]
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
    raw_selector: Attribute[str, str | None]
    requirements: Attribute[ListView[AttributesRequirement], Sequence[AttributesRequirement | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        raw_selector: str | None = ...,
        requirements: Sequence[AttributesRequirement | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class SelfSubjectAccessReview(Model):
    @property
    def api_version(self) -> str: ...
    @property
    def kind(self) -> str: ...
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    spec: Attribute[SelfSubjectAccessReviewSpec, SelfSubjectAccessReviewSpec | Mapping[str, Any] | None]
    status: Attribute[SubjectAccessReviewStatus, SubjectAccessReviewStatus | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: SelfSubjectAccessReviewSpec | Mapping[str, Any] | None = ...,
        status: SubjectAccessReviewStatus | Mapping[str, Any] | None = ...,
    ) -> None: ...

class SelfSubjectAccessReviewSpec(Model):
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
    reason: Attribute[str, str | None]
    evaluation_error: Attribute[str, str | None]
    def __init__(
        self,
        *,
        allowed: bool | None = ...,
        denied: bool | None = ...,
        reason: str | None = ...,
        evaluation_error: str | None = ...,
    ) -> None: ...
