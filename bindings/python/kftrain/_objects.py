"""Objects of types that are found at run time, and lists of objects."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Callable, Dict, Generic, TypeVar, Union, cast, overload

from . import _core
from ._convert import plain_json, refuse
from ._model import AnyModel, Model, wrap
from ._registry import class_of

T = TypeVar("T")

ObjectLike = Union[Model, str, Mapping[str, Any], Any]
"""A model, an `Unstructured`, a YAML or JSON text, a dict in the form of the server, or an object of the
``kubernetes`` client."""


class Unstructured(Dict[str, Any]):
    """An object of a type that the library does not model: a dict in the form of the server, at every level.

    Fields are also attributes, in snake_case or as in JSON: ``object.spec.max_replicas`` is
    ``object["spec"]["maxReplicas"]``. An attribute that the object does not have is None. Fields with the name of a
    method of dict, such as ``items``, are reached by ``[]`` only.
    """

    @classmethod
    def from_json(cls, text: str) -> Unstructured:
        """Reads JSON."""
        made: Unstructured = json.loads(text, object_hook=cls)
        return made

    @classmethod
    def from_yaml(cls, text: str) -> Unstructured:
        """Reads one document of YAML. Raises `ParseError` with path, line and column."""
        return cls.from_json(_core.json_of_yaml(text))

    def to_dict(self) -> dict[str, Any]:
        """Returns a copy that consists of plain dicts."""
        plain: dict[str, Any] = plain_json(self)
        return plain

    def to_json(self) -> str:
        """Returns compact JSON."""
        return json.dumps(plain_json(self), separators=(",", ":"))

    def to_yaml(self) -> str:
        """Returns YAML."""
        return str(_core.yaml_of_json(self.to_json()))

    def copy(self) -> Unstructured:
        """Returns an independent copy."""
        return self.from_json(self.to_json())

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Unstructured:
        return self.copy()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        key = self._key(name)
        value = self.get(key)
        if type(value) is dict:
            value = self[key] = Unstructured(cast("dict[str, Any]", value))
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        self[self._key(name)] = value

    def __delattr__(self, name: str) -> None:
        key = self._key(name)
        if key not in self:
            raise AttributeError(name)
        del self[key]

    def _key(self, name: str) -> str:
        if name in self:
            return name
        return re.sub(r"_([a-z0-9])", lambda match: match[1].upper(), name.rstrip("_"))

    def __repr__(self) -> str:
        return f"Unstructured({super().__repr__()})"


@dataclass(frozen=True)
class ObjectChange(Generic[T]):
    """A change of an object that a watch or an informer reports."""

    change: str
    """``added``, ``modified`` or ``deleted``."""
    object: T
    """The state after the change; for ``deleted`` the last known state."""


class ObjectList(Sequence[T]):
    """The objects of a list. Each one becomes an object of Python when it is used."""

    def __init__(self, size: int, get: Callable[[int], Any], version: str, token: str, remaining: int | None) -> None:
        self._size = size
        self._get = get
        self._unstructured: dict[int, Unstructured] = {}  # which do not refer to the list
        self.resource_version = version
        """The version of the list, from which a watch can start."""
        self.continue_token = token
        """The token of the next page; empty: this is the last page."""
        self.remaining = remaining
        """The number of objects on the next pages, if the server reports it."""

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self._at(i) for i in range(*index.indices(self._size))]
        if not hasattr(index, "__index__"):
            raise TypeError(f"list indices must be integers or slices, not {type(index).__name__}")
        at: int = index.__index__()
        if not -self._size <= at < self._size:
            raise IndexError(f"list index out of range: {at} of {self._size} objects")
        return self._at(at % self._size)

    def __iter__(self) -> Iterator[T]:
        return map(self._at, range(self._size))

    def _at(self, index: int) -> Any:
        known = self._unstructured.get(index)
        if known is not None:
            return known
        made = to_object(self._get(index))
        if isinstance(made, Unstructured):
            self._unstructured[index] = made
        return made

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (list, tuple, ObjectList)):
            items = cast("Sequence[Any]", other)
            return len(self) == len(items) and all(a == b for a, b in zip(self, items))
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:  # also for copies
        return _restored_list, (list(self), self.resource_version, self.continue_token, self.remaining)

    def __repr__(self) -> str:
        return f"<ObjectList of {self._size} objects>"


def _restored_list(items: list[Any], version: str, token: str, remaining: int | None) -> ObjectList[Any]:
    return ObjectList(len(items), items.__getitem__, version, token, remaining)


def list_of(items: Any) -> ObjectList[Any]:
    return ObjectList(len(items), items.get, items.version, items.continue_token, items.remaining)


def list_of_handles(handles: list[Any]) -> ObjectList[Any]:
    return ObjectList(len(handles), lambda i: handles[i].copy(), "", "", None)


def to_object(raw: Any) -> Any:
    """Converts a value for the user: one of the extension module, or the JSON of an object without a model."""
    return Unstructured.from_json(raw) if isinstance(raw, str) else wrap(raw)


@lru_cache(maxsize=None)
def model_class(api_version: str, kind: str) -> type[AnyModel] | None:
    try:
        return class_of(api_version, kind)
    except ValueError:
        return None


def parsed(text: str) -> Model | Unstructured:
    """Reads one document of YAML or JSON."""
    cls = model_class(*_core.type_of_document(text)) or Unstructured
    return cls.from_yaml(text)


def written_object(value: ObjectLike) -> Any:
    """Converts an object for the extension module: to a value, or to JSON if it has no model."""
    if isinstance(value, Model):
        return value._value
    if not isinstance(value, Mapping) and hasattr(value, "attribute_map"):
        value = plain_json(value)
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, Any]", value)
        cls = model_class(str(fields.get("apiVersion", "")), str(fields.get("kind", "")))
        return json.dumps(plain_json(fields)) if cls is None else cls.from_dict(fields)._value
    refuse(value, "an object of an API", "object")


def place_of(value: Any) -> tuple[str, str, str]:
    """Namespace, name and uid of an object or a name."""
    if isinstance(value, str):
        return "", value, ""
    if isinstance(value, Mapping):
        metadata: Mapping[str, Any] = cast("Mapping[str, Any]", value).get("metadata") or {}
        return metadata.get("namespace") or "", metadata.get("name") or "", metadata.get("uid") or ""
    held = getattr(value, "metadata", None)
    if held is None or isinstance(value, type):
        refuse(value, "an object or its name", "name")
    return held.namespace or "", held.name or "", held.uid or ""


def type_name(kind: Any) -> str:
    """The name of a type for the extension module: ``pods``, or ``v1/Pod`` for a class."""
    if isinstance(kind, str):
        if not kind:
            raise ValueError("expected the name of a type such as 'pods', got an empty text")
        return kind
    resource = getattr(getattr(kind, "_type", None), "resource", None)
    if resource is None or not resource[2] or resource[4]:
        raise TypeError(f"kind: expected the name of a type such as 'pods', or a class of objects, got {kind!r}")
    return f"{resource[0]}/{resource[1]}"
