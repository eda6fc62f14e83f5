"""The base of all models, and the views of their lists and maps.

A model refers to an object of the C++ library, or to a part of one, and reads and writes it directly. No class and no
field is written by hand: `kftrain._registry` makes them from the tables of the library.
"""

from __future__ import annotations

import copy as _copy
import json
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, MutableSequence, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, cast, overload

from . import _core
from ._checked import checked
from ._convert import Field, fields_of, joined_path, refuse, to_json, unknown_field
from ._documentation import documentation_of
from ._errors import Error
from ._quantity import Quantity

_Value = _core.Value
_new_object: Any = object.__new__
_MISSING: Any = object()

M = TypeVar("M", bound="Model")
T = TypeVar("T")
L = TypeVar("L", bound="ListView[Any]")
Read = TypeVar("Read")
Write = TypeVar("Write")

classes: dict[str, type[AnyModel]] = {}  # by the name of the C++ type
homes: dict[str, tuple[Any, list[int]]] = {}  # how to make a value of the type: a stored type, and members of it


class Difference(NamedTuple):
    """A field that differs. ``before`` and ``after`` are None if it is absent."""

    path: str
    before: Any
    after: Any


def wrapper_of(type_: Any) -> Any:
    """What makes the object that users see from a value of this type."""
    kind = type_.kind
    if kind == "object":
        return classes[type_.name]._from_value
    return ListView if kind == "list" else MapView


def wrap(value: Any) -> Any:
    """A value of the extension module as what users see."""
    return wrapper_of(value.type)(value) if type(value) is _core.Value else value


class Attribute(Generic[Read, Write]):
    # A descriptor for one field of a model: the type that is read, and the one that may be assigned.

    __slots__ = ("field", "index", "owner", "wrapper")

    def __init__(self, field: Field) -> None:
        self.owner: Any = None
        self.field = field
        self.index = field.index
        self.wrapper: Any = None  # looked up once, when all classes exist

    def __set_name__(self, owner: Any, name: str) -> None:
        self.owner = owner

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return documentation_of(self.owner, self.field.name)

    @overload
    def __get__(self, model: None, owner: Any = None) -> Attribute[Read, Write]: ...
    @overload
    def __get__(self, model: Any, owner: Any = None) -> Read: ...
    def __get__(self, model: Any, owner: Any = None) -> Any:
        if model is None:
            return self
        try:
            value = model._value.get_member(self.index)
        except OverflowError:  # a time that datetime does not have: its text
            return json.loads(model._value.to_json())[self.field.json_name]
        if type(value) is not _Value:
            return value
        if self.wrapper is None:
            self.wrapper = wrapper_of(self.field.type)
        return self.wrapper(value)

    def __set__(self, model: Any, new: Write) -> None:
        value = model._value
        held = getattr(new, "_value", None)
        if not value.set_member(self.field.index, new if held is None else held):
            path = joined_path(value.path, self.field.json_name)
            value.set_member_json(self.field.index, to_json(self.field.type, new, path))

    def __delete__(self, model: Any) -> None:
        model._value.set_member(self.field.index, None)


@checked
class Model:
    """An object of the API, or a part of one.

    Models are made by keyword. Fields are attributes in snake_case; a dict or a list is accepted where a model or
    a list of models is expected. A model that was read from a field of another one is a part of it: a change shows in
    both, and the part keeps the whole alive.
    """

    __slots__ = ("__weakref__", "_value")
    _type: Any = None
    _value: Any

    def __init__(self, **fields: Any) -> None:
        cls = type(self)
        if cls._type is None:
            raise TypeError("Model has no fields: use a class of kftrain.models")
        for name in fields:
            if not isinstance(getattr(cls, name, None), (Attribute, property)):
                raise unknown_field(cls._type, name)
        self._value = _core.make_value(*homes[cls._type.name])
        for name, value in fields.items():
            setattr(self, name, value)

    @classmethod
    def _from_value(cls: type[M], value: Any) -> M:
        model: M = _new_object(cls)
        _set_value(model, value)
        return model

    @classmethod
    def _new(cls) -> Any:
        if cls._type is None:
            raise TypeError("use a class of kftrain.models")
        return _core.make_value(*homes[cls._type.name])

    def __setattr__(self, name: str, value: Any) -> None:
        attribute = getattr(type(self), name, None)
        if name != "_value" and not isinstance(attribute, (Attribute, property)):
            raise AttributeError(str(unknown_field(type(self)._type, name)))
        object.__setattr__(self, name, value)

    if not TYPE_CHECKING:  # otherwise type checkers accept every name

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            raise AttributeError(str(unknown_field(type(self)._type, name)))

    @classmethod
    def from_dict(cls: type[M], data: Any, *, allow_unknown: bool = False) -> M:
        """Makes a model from a dict in the form of the server, or from an object of the ``kubernetes`` client.

        A field that the type does not have raises TypeError. With ``allow_unknown``, such fields are kept, and written
        again by `to_dict`: for objects of servers that are newer than this library.
        """
        value = None if allow_unknown else cls._read_simple(data)
        if value is None:
            value = cls._new()
            value.read_json(to_json(cls._type, data, strict=not allow_unknown), False)
        return cls._from_value(value)

    @classmethod
    def _read_simple(cls, data: Any) -> Any:
        """Reads a dict that is JSON already, as most are. None: it is not, or has a fault that `to_json` describes."""
        value = cls._new()
        try:
            value.read_json(json.dumps(data, separators=(",", ":"), allow_nan=False), True)
        except (Error, TypeError, ValueError, RecursionError):
            return None
        return value

    @classmethod
    def from_json(cls: type[M], text: str, *, allow_unknown: bool = False) -> M:
        """Reads JSON. Raises `ParseError` with path, line and column, also for a field that the type does not have.

        With ``allow_unknown``, such fields are kept, as by `from_dict`.
        """
        value = cls._new()
        value.read_json(text, not allow_unknown)
        return cls._from_value(value)

    @classmethod
    def from_yaml(cls: type[M], text: str, *, allow_unknown: bool = False) -> M:
        """Reads one document of YAML, as `from_json` reads JSON."""
        value = cls._new()
        value.read_yaml(text, not allow_unknown)
        return cls._from_value(value)

    def to_dict(self) -> dict[str, Any]:
        """Returns a dict in the form of the server. Empty fields are left out."""
        result: dict[str, Any] = json.loads(self._value.to_json())
        return result

    def to_json(self) -> str:
        """Returns compact JSON in the form of the server. Empty fields are left out."""
        return str(self._value.to_json())

    def to_yaml(self) -> str:
        """Returns YAML in the form of the server. Empty fields are left out."""
        return str(self._value.to_yaml())

    def diff(self: M, other: M) -> list[Difference]:
        """Returns the fields in which another model of this type differs."""
        _check_model(self, other)
        found = self._value.diff(other._value)
        return [Difference(path, json.loads(a or "null"), json.loads(b or "null")) for path, a, b in found]

    def merge_patch(self: M, other: M) -> dict[str, Any]:
        """Returns the JSON merge patch that turns this model into another one of its type."""
        _check_model(self, other)
        result: dict[str, Any] = json.loads(self._value.merge_patch(other._value))
        return result

    def copy(self: M) -> M:
        """Returns an independent copy."""
        return self.from_json(self.to_json(), allow_unknown=True)

    __copy__ = copy

    def __deepcopy__(self: M, memo: Any) -> M:
        return self.copy()

    def __reduce__(self) -> Any:
        return _restore, (type(self)._type.name, self.to_json())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model) or type(other) is not type(self):
            return NotImplemented
        return bool(self._value.equals(other._value))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        fields = ((field, getattr(self, field.name)) for field in fields_of(self._type))
        shown = ", ".join(f"{field.name}={value!r}" for field, value in fields if not _is_empty(field, value))
        return f"{type(self).__name__}({shown})"

    def _repr_html_(self) -> str | None:
        from ._html import job_html

        return job_html(self)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(field.name for field in fields_of(self._type))]


if TYPE_CHECKING:

    class AnyModel(Model):
        """A model whose class is found at run time: type checkers accept any field."""

        def __getattr__(self, name: str) -> Any: ...

else:
    AnyModel = Model

_set_value: Any = Model.__dict__["_value"].__set__  # without Model.__setattr__


def _check_model(model: Model, other: Any) -> None:
    if type(other) is not type(model):
        refuse(other, type(model).__name__, "other")


def _is_empty(field: Field, value: Any) -> bool:
    """Whether the library leaves the field out of JSON."""
    if isinstance(value, Model):
        return all(_is_empty(inner, getattr(value, inner.name)) for inner in fields_of(value._type))
    if isinstance(value, (ListView, MapView)):
        return len(value._value) == 0
    return value is None or (not value and not field.type.optional)


def _restore(name: str, text: str) -> AnyModel:
    return classes[name].from_json(text, allow_unknown=True)


class ListView(MutableSequence[T]):
    """A list that is part of a model: changes show in the model."""

    __slots__ = ("_value",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: Any) -> None:
        self._value = value

    def __len__(self) -> int:
        return len(self._value)

    def _index(self, index: Any) -> int:
        size = len(self._value)
        if not hasattr(index, "__index__"):
            raise TypeError(f"list indices must be integers or slices, not {type(index).__name__}")
        at: int = index.__index__()
        if not -size <= at < size:
            raise IndexError(f"list index out of range: {at} of {size} items")
        return at + size if at < 0 else at

    def _json(self, item: Any, index: int) -> str:
        return to_json(self._value.type.element, item, f"{self._value.path}[{index}]")

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        return wrap(self._value.get_item(self._index(index)))

    def __setitem__(self, index: Any, item: Any) -> None:
        if isinstance(index, slice):
            items = [_detached(i) for i in self]
            items[index] = [_detached(i) for i in item]
            self._value.replace_json(to_json(self._value.type, items, self._value.path))
            return
        at = self._index(index)
        self._value.set_item_json(at, self._json(item, at))

    def __delitem__(self, index: Any) -> None:
        if isinstance(index, slice):
            for at in sorted(range(*index.indices(len(self))), reverse=True):
                self._value.erase_item(at)
            return
        self._value.erase_item(self._index(index))

    def insert(self, index: int, value: T | Mapping[str, Any]) -> None:
        size = len(self)
        at = max(0, index + size) if index < 0 else min(index, size)
        self._value.insert_json(at, self._json(value, at))

    def pop(self, index: int = -1) -> T:
        value: T = _detached(self[index])
        del self[index]
        return value

    def clear(self) -> None:
        del self[:]

    def extend(self, values: Iterable[T | Mapping[str, Any]]) -> None:
        for value in list(values):  # a copy, because it may be this list
            self.insert(len(self), value)

    def __iadd__(self: L, values: Iterable[Any]) -> L:
        self.extend(values)
        return self

    def reverse(self) -> None:
        # Item by item, both names would refer to the same place.
        self[:] = self[::-1]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (list, tuple, ListView)):
            items = cast("Sequence[Any]", other)
            return len(self) == len(items) and all(a == b for a, b in zip(self, items))
        return NotImplemented

    def __copy__(self) -> list[Any]:
        return list(self)

    def __deepcopy__(self, memo: Any) -> list[Any]:
        return [_copy.deepcopy(item, memo) for item in self]

    def __reduce__(self) -> Any:
        return list, (list(self),)

    def __repr__(self) -> str:
        return repr(list(self))


def _detached(item: Any) -> Any:
    """A copy of a part that does not change with the list or map that it is in."""
    is_part = isinstance(item, (Model, ListView, MapView))
    return _copy.deepcopy(cast("Any", item)) if is_part else item


class MapView(MutableMapping[str, T]):
    """A map from names to values that is part of a model: changes show in the model."""

    __slots__ = ("_value",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: Any) -> None:
        self._value = value

    def __len__(self) -> int:
        return len(self._value)

    def __iter__(self) -> Iterator[str]:
        return iter(self._value.names())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and bool(self._value.contains(name))

    def __getitem__(self, name: str) -> T:
        if name not in self:
            raise KeyError(name)
        value: T = wrap(self._value.get_entry(name))
        return value

    @overload
    def __setitem__(self: MapView[Quantity], name: str, value: str | float) -> None: ...
    @overload
    def __setitem__(self, name: str, value: T | Mapping[str, Any]) -> None: ...
    def __setitem__(self, name: Any, value: Any) -> None:
        if not isinstance(name, str):
            refuse(name, "a str as name", self._value.path)
        path = joined_path(self._value.path, name)
        self._value.set_entry_json(name, to_json(self._value.type.element, value, path))

    def __delitem__(self, name: str) -> None:
        if name not in self:
            raise KeyError(name)
        self._value.erase_entry(name)

    if not TYPE_CHECKING:  # the overloads of MutableMapping differ between type checkers

        def pop(self, key: str, default: Any = _MISSING) -> Any:
            if key not in self and default is not _MISSING:
                return default
            value = _detached(self[key])
            del self[key]
            return value

    def popitem(self) -> tuple[str, T]:
        for name in self:
            return name, self.pop(name)
        raise KeyError("popitem: the map is empty")

    def clear(self) -> None:
        for name in list(self):
            del self[name]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Mapping):
            return dict(self) == dict(cast("Mapping[str, Any]", other))
        return NotImplemented

    def __copy__(self) -> dict[str, Any]:
        return dict(self)

    def __deepcopy__(self, memo: Any) -> dict[str, Any]:
        return {name: _copy.deepcopy(value, memo) for name, value in self.items()}

    def __reduce__(self) -> Any:
        return dict, (dict(self),)

    def __repr__(self) -> str:
        return repr(dict(self))
