"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""

from collections.abc import Mapping, Sequence
from typing import Any
from . import meta
from .._model import Attribute, ListView, MapView, Model

class AttributesRequirement(Model):
    """One condition on a field or label of the objects that are listed, watched or deleted together."""
    key: Attribute[str, str | None]
    """name of the field or label"""
    operator: Attribute[str, str | None]
    """In, NotIn, Exists or DoesNotExist"""
    values: Attribute[ListView[str], Sequence[str] | None]
    """at least one for In and NotIn, none for Exists and DoesNotExist"""
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
    """path of the URL, e.g. `/metrics`; `*` for all"""
    verb: Attribute[str, str | None]
    """HTTP method in lower case, e.g. `get`; `*` for all"""
    def __init__(
        self,
        *,
        path: str | None = ...,
        verb: str | None = ...,
    ) -> None: ...

class NonResourceRule(Model):
    """Permissions for paths: all of the verbs on all of the paths."""
    verbs: Attribute[ListView[str], Sequence[str] | None]
    """HTTP methods in lower case; `*` for all"""
    non_resource_urls: Attribute[ListView[str], Sequence[str] | None]
    """paths; a `*` at the end stands for any text"""
    def __init__(
        self,
        *,
        verbs: Sequence[str] | None = ...,
        non_resource_urls: Sequence[str] | None = ...,
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
    """e.g. `status`, `log`; empty: the object itself, `*` for all"""
    name: Attribute[str, str | None]
    """empty: all objects"""
    field_selector: Attribute[SelectorAttributes | None, SelectorAttributes | Mapping[str, Any] | None]
    """limits the check to objects with these fields; absent: no limit"""
    label_selector: Attribute[SelectorAttributes | None, SelectorAttributes | Mapping[str, Any] | None]
    """limits the check to objects with these labels; absent: no limit"""
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

class ResourceRule(Model):
    """Permissions for objects: all of the verbs on all of the resources."""
    verbs: Attribute[ListView[str], Sequence[str] | None]
    """`*` for all"""
    api_groups: Attribute[ListView[str], Sequence[str] | None]
    """empty text for the core group, `*` for all"""
    resources: Attribute[ListView[str], Sequence[str] | None]
    """`*` for all"""
    resource_names: Attribute[ListView[str], Sequence[str] | None]
    """empty: all objects"""
    def __init__(
        self,
        *,
        verbs: Sequence[str] | None = ...,
        api_groups: Sequence[str] | None = ...,
        resources: Sequence[str] | None = ...,
        resource_names: Sequence[str] | None = ...,
    ) -> None: ...

class SelectorAttributes(Model):
    """Selects objects by field or label, either as text or parsed."""
    raw_selector: Attribute[str, str | None]
    """as in the query of a request, e.g. `a=b`; excludes `requirements`"""
    requirements: Attribute[ListView[AttributesRequirement], Sequence[AttributesRequirement | Mapping[str, Any]] | None]
    """objects must meet all of them"""
    def __init__(
        self,
        *,
        raw_selector: str | None = ...,
        requirements: Sequence[AttributesRequirement | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class SelfSubjectAccessReview(Model):
    """The question whether the caller has a permission, and the answer; sent by a create request."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """may be empty, because the server does not store the object"""
    spec: Attribute[SelfSubjectAccessReviewSpec, SelfSubjectAccessReviewSpec | Mapping[str, Any] | None]
    """the question"""
    status: Attribute[SubjectAccessReviewStatus, SubjectAccessReviewStatus | Mapping[str, Any] | None]
    """the answer, set by the server"""
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
    """a permission for objects"""
    non_resource_attributes: Attribute[NonResourceAttributes | None, NonResourceAttributes | Mapping[str, Any] | None]
    """a permission for a path"""
    def __init__(
        self,
        *,
        resource_attributes: ResourceAttributes | Mapping[str, Any] | None = ...,
        non_resource_attributes: NonResourceAttributes | Mapping[str, Any] | None = ...,
    ) -> None: ...

class SelfSubjectRulesReview(Model):
    """The question which permissions the caller has in a namespace, and the answer; sent by a create request."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """may be empty, because the server does not store the object"""
    spec: Attribute[SelfSubjectRulesReviewSpec, SelfSubjectRulesReviewSpec | Mapping[str, Any] | None]
    """the question"""
    status: Attribute[SubjectRulesReviewStatus, SubjectRulesReviewStatus | Mapping[str, Any] | None]
    """the answer, set by the server"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: SelfSubjectRulesReviewSpec | Mapping[str, Any] | None = ...,
        status: SubjectRulesReviewStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class SelfSubjectRulesReviewSpec(Model):
    """The namespace whose permissions are listed."""
    namespace: Attribute[str, str | None]
    """name of the namespace; must be set"""
    def __init__(
        self,
        *,
        namespace: str | None = ...,
    ) -> None: ...

class SubjectAccessReview(Model):
    """The question whether a user has a permission, and the answer; sent by a create request."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """may be empty, because the server does not store the object"""
    spec: Attribute[SubjectAccessReviewSpec, SubjectAccessReviewSpec | Mapping[str, Any] | None]
    """the question"""
    status: Attribute[SubjectAccessReviewStatus, SubjectAccessReviewStatus | Mapping[str, Any] | None]
    """the answer, set by the server"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: SubjectAccessReviewSpec | Mapping[str, Any] | None = ...,
        status: SubjectAccessReviewStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class SubjectAccessReviewSpec(Model):
    """A permission and a user. One of the two attributes is set, and the user or a group."""
    resource_attributes: Attribute[ResourceAttributes | None, ResourceAttributes | Mapping[str, Any] | None]
    """a permission for objects"""
    non_resource_attributes: Attribute[NonResourceAttributes | None, NonResourceAttributes | Mapping[str, Any] | None]
    """a permission for a path"""
    user: Attribute[str, str | None]
    """name of the user"""
    groups: Attribute[ListView[str], Sequence[str] | None]
    """groups of the user"""
    extra: Attribute[MapView[ListView[str]], Mapping[str, Sequence[str]] | None]
    """further data about the user"""
    uid: Attribute[str, str | None]
    """unique identifier of the user"""
    def __init__(
        self,
        *,
        resource_attributes: ResourceAttributes | Mapping[str, Any] | None = ...,
        non_resource_attributes: NonResourceAttributes | Mapping[str, Any] | None = ...,
        user: str | None = ...,
        groups: Sequence[str] | None = ...,
        extra: Mapping[str, Sequence[str]] | None = ...,
        uid: str | None = ...,
    ) -> None: ...

class SubjectAccessReviewStatus(Model):
    """The answer of the server."""
    allowed: Attribute[bool, bool | None]
    """whether the caller has the permission"""
    denied: Attribute[bool, bool | None]
    """explicitly denied: no other authorizer may allow it"""
    reason: Attribute[str, str | None]
    """why the permission was granted or denied; may be empty"""
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

class SubjectRulesReviewStatus(Model):
    """The permissions of the caller in a namespace."""
    resource_rules: Attribute[ListView[ResourceRule], Sequence[ResourceRule | Mapping[str, Any]] | None]
    """for objects"""
    non_resource_rules: Attribute[ListView[NonResourceRule], Sequence[NonResourceRule | Mapping[str, Any]] | None]
    """for paths"""
    incomplete: Attribute[bool, bool | None]
    """whether rules may be missing"""
    evaluation_error: Attribute[str, str | None]
    """error during the evaluation; rules may be missing"""
    def __init__(
        self,
        *,
        resource_rules: Sequence[ResourceRule | Mapping[str, Any]] | None = ...,
        non_resource_rules: Sequence[NonResourceRule | Mapping[str, Any]] | None = ...,
        incomplete: bool | None = ...,
        evaluation_error: str | None = ...,
    ) -> None: ...
