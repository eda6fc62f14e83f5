"""Results of operations."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from . import _core


class Record(Mapping[str, Any]):
    """A result: its fields are attributes in snake_case, and items by their names in JSON.

    The library leaves empty fields out of results: such an attribute is None, and ``record["name"]`` raises KeyError.
    """

    __slots__ = ("_fields", "_type")
    _fields: dict[str, Any]
    _type: str  # the name of the type in the library; empty if it is not known

    def __init__(self, fields: dict[str, Any], type_: str = "") -> None:
        object.__setattr__(self, "_fields", fields)
        object.__setattr__(self, "_type", type_)

    @classmethod
    def from_json(cls, text: str, type_: str = "") -> Record:
        return cls(json.loads(text), type_)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        key = _camel_case(name.rstrip("_"))
        value = self._fields.get(key)
        if value is None:
            self._check_name(name, key)
            return None
        return self._wrapped(key, value)

    def _check_name(self, name: str, key: str) -> None:
        known = self._known() or self._fields
        if key in known or key in self._fields:
            return
        near = difflib.get_close_matches(name, list(map(_snake_case, known)), n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise AttributeError(f"the result has no field {name!r}{hint}")

    def _wrapped(self, key: str, value: Any) -> Any:
        return _wrap(value, self._known().get(key, "")) if isinstance(value, (dict, list)) else value

    def _known(self) -> dict[str, str]:
        """All fields of the type, also empty ones, and what each consists of."""
        return _types().get(self._type) or {}

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a result cannot be changed")

    def __getitem__(self, name: str) -> Any:
        return self._wrapped(name, self._fields[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(_snake_case(name) for name in {**self._fields, **self._known()})]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self._fields == other._fields

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Record({', '.join(f'{_snake_case(n)}={_wrap(v)!r}' for n, v in self._fields.items())})"

    def _repr_html_(self) -> str:
        from ._html import record_html

        return record_html(self._fields)

    def __reduce__(self) -> Any:
        return Record, (self._fields, self._type)

    def to_dict(self) -> dict[str, Any]:
        """Returns a copy as a dict, with the names of JSON."""
        result: dict[str, Any] = json.loads(json.dumps(self._fields))
        return result


def _wrap(value: Any, type_: str = "") -> Any:
    if isinstance(value, dict):
        return Record(cast("dict[str, Any]", value), type_)
    return [_wrap(item, type_) for item in cast("Sequence[Any]", value)] if isinstance(value, list) else value


@lru_cache(maxsize=None)
def _types() -> dict[str, dict[str, str]]:
    """The fields of each type of result by their names in JSON, and what they consist of."""
    found: dict[str, dict[str, str]] = {}
    queue = list(_core.result_types())
    for type_ in queue:
        fields = found[_short_name(type_)] = {}
        for _, name, part in type_.members:
            while part.kind in ("list", "map"):
                part = part.element
            fields[name] = _short_name(part)
            if part.kind == "object" and fields[name] not in found:
                queue.append(part)
    return found


def _short_name(type_: Any) -> str:
    return str(type_.name).rpartition("::")[2]


def _camel_case(name: str) -> str:
    return re.sub(r"_([a-z0-9])", lambda match: match[1].upper(), name)


def _snake_case(name: str) -> str:
    return re.sub(r"([A-Z])", lambda match: "_" + match[1].lower(), name)
