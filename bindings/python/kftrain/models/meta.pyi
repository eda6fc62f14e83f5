"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any
from .._model import Attribute, ListView, MapView, Model

class Condition(Model):
    """One condition of an object, in the form of newer kinds."""
    type: Attribute[str, str | None]
    """unique in the list, in CamelCase, e.g. `Available`"""
    status: Attribute[str, str | None]
    """True, False or Unknown"""
    observed_generation: Attribute[int, int | None]
    """generation of the metadata that the condition refers to"""
    last_transition_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """time of the last change of `status`"""
    reason: Attribute[str, str | None]
    """one word in CamelCase"""
    message: Attribute[str, str | None]
    """human-readable text; may be empty"""
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
    """labels that must be equal"""
    match_expressions: Attribute[ListView[LabelSelectorRequirement], Sequence[LabelSelectorRequirement | Mapping[str, Any]] | None]
    """further conditions"""
    def __init__(
        self,
        *,
        match_labels: Mapping[str, str] | None = ...,
        match_expressions: Sequence[LabelSelectorRequirement | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class LabelSelectorRequirement(Model):
    """One condition on a label."""
    key: Attribute[str, str | None]
    """name of the label"""
    operator: Attribute[str, str | None]
    """In, NotIn, Exists or DoesNotExist"""
    values: Attribute[ListView[str], Sequence[str] | None]
    """at least one for In and NotIn, otherwise empty"""
    def __init__(
        self,
        *,
        key: str | None = ...,
        operator: str | None = ...,
        values: Sequence[str] | None = ...,
    ) -> None: ...

class ListMeta(Model):
    """The metadata of a list."""
    self_link: Attribute[str, str | None]
    """from servers before 1.20"""
    resource_version: Attribute[str, str | None]
    """state of the server at which the list was read; a watch can start there"""
    continue_: Attribute[str, str | None]
    """token for the next page; empty on the last one"""
    remaining_item_count: Attribute[int | None, int | None]
    """Number of items on later pages, not always exact; absent if unknown or on the last page."""
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
    """name of the client program or the controller"""
    operation: Attribute[str, str | None]
    """Apply or Update"""
    api_version: Attribute[str, str | None]
    """version in which `fields_v1` is expressed"""
    time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """time of the last change"""
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
    """The metadata of a stored object."""
    name: Attribute[str, str | None]
    """unique in the namespace among objects of the kind; cannot be changed"""
    generate_name: Attribute[str, str | None]
    """If `name` is empty, the server appends a random suffix to this prefix and uses the result as the name."""
    namespace: Attribute[str, str | None]
    """empty for objects without a namespace; cannot be changed"""
    self_link: Attribute[str, str | None]
    """from servers before 1.20"""
    uid: Attribute[str, str | None]
    """differs for every object that ever existed; set by the server"""
    resource_version: Attribute[str, str | None]
    """Changes with each write; set by the server. If an update contains an old one, the server rejects it (409)."""
    generation: Attribute[int, int | None]
    """Number of the desired state, which grows when `spec` changes; set by the server; 0 if the kind has none."""
    creation_timestamp: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """time of the creation; set by the server"""
    deletion_timestamp: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """End of the grace period of a deletion; set by the server; absent: the object is not being deleted."""
    deletion_grace_period_seconds: Attribute[int | None, int | None]
    """Seconds from the request of the deletion to `deletion_timestamp`; set by the server."""
    labels: Attribute[MapView[str], Mapping[str, str] | None]
    """values of at most 63 characters, by which selectors find the object"""
    annotations: Attribute[MapView[str], Mapping[str, str] | None]
    """other values, 256 KiB in total at most"""
    owner_references: Attribute[ListView[OwnerReference], Sequence[OwnerReference | Mapping[str, Any]] | None]
    """when all of them are deleted, the server deletes the object"""
    finalizers: Attribute[ListView[str], Sequence[str] | None]
    """Names of clean-up tasks; the server keeps a deleted object until the list is empty."""
    managed_fields: Attribute[ListView[ManagedFieldsEntry], Sequence[ManagedFieldsEntry | Mapping[str, Any]] | None]
    """which client set which fields, for server-side apply"""
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
    """An owner of an object. The server deletes the object after all of its owners."""
    api_version: Attribute[str, str | None]
    """group and version of the owner, e.g. `kubeflow.org/v1`"""
    kind: Attribute[str, str | None]
    """kind of the owner"""
    name: Attribute[str, str | None]
    """name of the owner, which has the same namespace or none"""
    uid: Attribute[str, str | None]
    """uid of the owner; if no object has it, the server deletes the object"""
    controller: Attribute[bool | None, bool | None]
    """Whether the owner manages the object; true for at most one owner; absent means false."""
    block_owner_deletion: Attribute[bool | None, bool | None]
    """Whether a foreground deletion of the owner waits for the object; absent means false."""
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
    """usually empty"""
    status: Attribute[str, str | None]
    """Success or Failure"""
    message: Attribute[str, str | None]
    """human-readable text"""
    reason: Attribute[str, str | None]
    """one word in CamelCase, e.g. NotFound, AlreadyExists, Conflict"""
    details: Attribute[StatusDetails | None, StatusDetails | Mapping[str, Any] | None]
    """the object and the causes"""
    code: Attribute[int, int | None]
    """status code of HTTP; 0 if not set"""
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
    """One cause of a failure, e.g. one invalid field."""
    reason: Attribute[str, str | None]
    """one word in CamelCase, e.g. FieldValueInvalid"""
    message: Attribute[str, str | None]
    """human-readable text"""
    field: Attribute[str, str | None]
    """path in the object, e.g. `spec.containers[0].image`; empty if the cause is not a field"""
    def __init__(
        self,
        *,
        reason: str | None = ...,
        message: str | None = ...,
        field: str | None = ...,
    ) -> None: ...

class StatusDetails(Model):
    """The object of a failed request, and the causes of the failure."""
    name: Attribute[str, str | None]
    """name of the object"""
    group: Attribute[str, str | None]
    """group of its kind; empty for the core group"""
    kind: Attribute[str, str | None]
    """its kind, or the plural name of the resource"""
    uid: Attribute[str, str | None]
    """uid of the object; empty if unknown"""
    causes: Attribute[ListView[StatusCause], Sequence[StatusCause | Mapping[str, Any]] | None]
    """empty if there is nothing more to report"""
    retry_after_seconds: Attribute[int, int | None]
    """seconds after which the request may be repeated; 0: none is suggested"""
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
