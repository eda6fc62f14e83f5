"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any
from .._model import Attribute, ListView, MapView, Model

class Condition(Model):
    """One condition of an object, in the form of newer kinds."""
    type: Attribute[str, str | None]
    status: Attribute[str, str | None]
    """True, False or Unknown"""
    observed_generation: Attribute[int, int | None]
    """generation of the metadata that the condition refers to"""
    last_transition_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    reason: Attribute[str, str | None]
    """one word in CamelCase"""
    message: Attribute[str, str | None]
    def __init__(
        self,
        *,
        type: str | None = ...,
        status: str | None = ...,
        observed_generation: int | None = ...,
        last_transition_time: datetime.datetime | str | None = ...,
        reason: str | None = ...,
        message: str | None = ...,
    ) -> None: ...

class LabelSelector(Model):
    """All parts must hold; without parts it selects everything."""
    match_labels: Attribute[MapView[str], Mapping[str, str] | None]
    match_expressions: Attribute[ListView[LabelSelectorRequirement], Sequence[LabelSelectorRequirement | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        match_labels: Mapping[str, str] | None = ...,
        match_expressions: Sequence[LabelSelectorRequirement | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class LabelSelectorRequirement(Model):
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

class ListMeta(Model):
    self_link: Attribute[str, str | None]
    """from servers before 1.20"""
    resource_version: Attribute[str, str | None]
    continue_: Attribute[str, str | None]
    """token for the next page; empty on the last one"""
    remaining_item_count: Attribute[int | None, int | None]
    def __init__(
        self,
        *,
        self_link: str | None = ...,
        resource_version: str | None = ...,
        continue_: str | None = ...,
        remaining_item_count: int | None = ...,
    ) -> None: ...

class ManagedFieldsEntry(Model):
    """The fields of an object that one manager set, as the server records them for server-side apply."""
    manager: Attribute[str, str | None]
    operation: Attribute[str, str | None]
    """Apply or Update"""
    api_version: Attribute[str, str | None]
    """version in which `fields_v1` is expressed"""
    time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    fields_type: Attribute[str, str | None]
    """FieldsV1"""
    fields_v1: Attribute[Any, Any | None]
    """a set of paths, as nested objects"""
    subresource: Attribute[str, str | None]
    """empty for the object itself"""
    def __init__(
        self,
        *,
        manager: str | None = ...,
        operation: str | None = ...,
        api_version: str | None = ...,
        time: datetime.datetime | str | None = ...,
        fields_type: str | None = ...,
        fields_v1: Any | None = ...,
        subresource: str | None = ...,
    ) -> None: ...

class ObjectMeta(Model):
    name: Attribute[str, str | None]
    generate_name: Attribute[str, str | None]
    namespace: Attribute[str, str | None]
    self_link: Attribute[str, str | None]
    """from servers before 1.20"""
    uid: Attribute[str, str | None]
    resource_version: Attribute[str, str | None]
    generation: Attribute[int, int | None]
    creation_timestamp: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    deletion_timestamp: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    deletion_grace_period_seconds: Attribute[int | None, int | None]
    labels: Attribute[MapView[str], Mapping[str, str] | None]
    annotations: Attribute[MapView[str], Mapping[str, str] | None]
    owner_references: Attribute[ListView[OwnerReference], Sequence[OwnerReference | Mapping[str, Any]] | None]
    finalizers: Attribute[ListView[str], Sequence[str] | None]
    managed_fields: Attribute[ListView[ManagedFieldsEntry], Sequence[ManagedFieldsEntry | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        name: str | None = ...,
        generate_name: str | None = ...,
        namespace: str | None = ...,
        self_link: str | None = ...,
        uid: str | None = ...,
        resource_version: str | None = ...,
        generation: int | None = ...,
        creation_timestamp: datetime.datetime | str | None = ...,
        deletion_timestamp: datetime.datetime | str | None = ...,
        deletion_grace_period_seconds: int | None = ...,
        labels: Mapping[str, str] | None = ...,
        annotations: Mapping[str, str] | None = ...,
        owner_references: Sequence[OwnerReference | Mapping[str, Any]] | None = ...,
        finalizers: Sequence[str] | None = ...,
        managed_fields: Sequence[ManagedFieldsEntry | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class OwnerReference(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    name: Attribute[str, str | None]
    uid: Attribute[str, str | None]
    controller: Attribute[bool | None, bool | None]
    block_owner_deletion: Attribute[bool | None, bool | None]
    def __init__(
        self,
        *,
        api_version: str | None = ...,
        kind: str | None = ...,
        name: str | None = ...,
        uid: str | None = ...,
        controller: bool | None = ...,
        block_owner_deletion: bool | None = ...,
    ) -> None: ...

class Status(Model):
    """The response of a server that contains no object, usually for a failure."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[ListMeta, ListMeta | Mapping[str, Any] | None]
    status: Attribute[str, str | None]
    message: Attribute[str, str | None]
    reason: Attribute[str, str | None]
    details: Attribute[StatusDetails | None, StatusDetails | Mapping[str, Any] | None]
    code: Attribute[int, int | None]
    def __init__(
        self,
        *,
        metadata: ListMeta | Mapping[str, Any] | None = ...,
        status: str | None = ...,
        message: str | None = ...,
        reason: str | None = ...,
        details: StatusDetails | Mapping[str, Any] | None = ...,
        code: int | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class StatusCause(Model):
    reason: Attribute[str, str | None]
    message: Attribute[str, str | None]
    field: Attribute[str, str | None]
    def __init__(
        self,
        *,
        reason: str | None = ...,
        message: str | None = ...,
        field: str | None = ...,
    ) -> None: ...

class StatusDetails(Model):
    name: Attribute[str, str | None]
    group: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    uid: Attribute[str, str | None]
    causes: Attribute[ListView[StatusCause], Sequence[StatusCause | Mapping[str, Any]] | None]
    retry_after_seconds: Attribute[int, int | None]
    def __init__(
        self,
        *,
        name: str | None = ...,
        group: str | None = ...,
        kind: str | None = ...,
        uid: str | None = ...,
        causes: Sequence[StatusCause | Mapping[str, Any]] | None = ...,
        retry_after_seconds: int | None = ...,
    ) -> None: ...
