"""Results of operations."""

from __future__ import annotations

import difflib
import json
import keyword
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from . import _core
from ._documentation import class_documentation


class Record(Mapping[str, Any]):
    """A result: its fields are attributes in snake_case, and items by their names in JSON.

    The library leaves empty fields out of results: such an attribute is an empty list or text, 0 or False, or None if
    the field is optional, and ``record["name"]`` raises KeyError. The classes of `kftrain.results` name the fields.
    """

    __slots__ = ("_fields",)
    _fields: dict[str, Any]
    _type: Any = None  # in the library, if it is known
    _types: Mapping[str, Any] = {}  # of all fields, also empty ones, by their names in JSON

    def __init__(self, fields: dict[str, Any]) -> None:
        object.__setattr__(self, "_fields", fields)

    if not TYPE_CHECKING:  # otherwise type checkers accept every name

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            key = _camel_case(name.rstrip("_"))
            value = self._fields.get(key)
            if value is not None:
                return _wrapped(value, self._types.get(key))
            if key in self._types:
                return _empty(self._types[key])
            if key in self._fields:
                return None
            near = difflib.get_close_matches(name, list(map(snake_case, self._types or self._fields)), n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise AttributeError(f"the result has no field {name!r}{hint}")

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a result cannot be changed")

    def __getitem__(self, name: str) -> Any:
        return _wrapped(self._fields[name], self._types.get(name))

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(snake_case(name) for name in {**self._fields, **self._types})]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self._fields == other._fields

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        fields = ", ".join(f"{snake_case(name)}={self[name]!r}" for name in self._fields)
        return f"{type(self).__name__}({fields})"

    def _repr_html_(self) -> str:
        from ._html import record_html

        return record_html(self._fields)

    def __reduce__(self) -> Any:
        return _restored, ("" if self._type is None else short_name(self._type), self._fields)

    def to_dict(self) -> dict[str, Any]:
        """Returns a copy as a dict, with the names of JSON."""
        result: dict[str, Any] = json.loads(json.dumps(self._fields))
        return result


def record_from_json(text: str, name: str) -> Any:
    """Reads a result of the type with this name in the library."""
    return result_classes()[name](json.loads(text))


def _restored(name: str, fields: dict[str, Any]) -> Record:
    return result_classes().get(name, Record)(fields)


def _wrapped(value: Any, type_: Any = None) -> Any:
    """Makes records of dicts; `type_` is that of the value in the library, if it is known."""
    if isinstance(value, list):
        element = type_.element if type_ is not None and type_.kind == "list" else None
        return [_wrapped(item, element) for item in cast("Sequence[Any]", value)]
    if not isinstance(value, dict):
        return value
    fields = cast("dict[str, Any]", value)
    if type_ is None or type_.kind != "object":
        return Record(fields)
    return result_classes()[short_name(type_)](fields)


_EMPTY: dict[str, Any] = {"boolean": False, "integer": 0, "number": 0.0, "string": "", "text": ""}


def _empty(type_: Any) -> Any:
    """What the library leaves out."""
    if type_.optional:
        return None
    if type_.kind == "list":
        return []
    return result_classes()[short_name(type_)]({}) if type_.kind == "object" else _EMPTY.get(type_.kind)


@lru_cache(maxsize=None)
def result_classes() -> dict[str, type[Record]]:
    """The class of each type of result by the name of the type: that of ``job_state`` is ``JobState``."""
    found: dict[str, type[Record]] = {}
    queue = list(_core.result_types())
    for type_ in queue:
        name = short_name(type_)
        if name in found:
            continue
        body: dict[str, Any] = {"__slots__": (), "__module__": "kftrain.results", "__doc__": class_documentation}
        body["_type"] = type_
        body["_types"] = {json_name: part for _, json_name, part in type_.members}
        found[name] = type(class_name(name), (Record,), body)
        queue.extend(inner for inner in map(_innermost, body["_types"].values()) if inner.kind == "object")
    return found


def _innermost(type_: Any) -> Any:
    while type_.kind in ("list", "map"):
        type_ = type_.element
    return type_


def short_name(type_: Any) -> str:
    return str(type_.name).rpartition("::")[2]


def class_name(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def _camel_case(name: str) -> str:
    return re.sub(r"_([a-z0-9])", lambda match: match[1].upper(), name)


def snake_case(name: str) -> str:
    """The attribute for a name of JSON: ``exitCode`` is ``exit_code``, and ``from`` is ``from_``."""
    attribute = re.sub(r"([A-Z])", lambda match: "_" + match[1].lower(), name)
    return attribute + "_" if keyword.iskeyword(attribute) else attribute
