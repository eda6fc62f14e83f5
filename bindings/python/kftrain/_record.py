"""Results of operations."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast


class Record(Mapping[str, Any]):
    """A result: its fields are attributes in snake_case, and items by their names in JSON.

    The library leaves empty fields out of results. So an attribute that the result does not have is None, and
    ``record["name"]`` raises KeyError.
    """

    __slots__ = ("_fields",)
    _fields: dict[str, Any]

    def __init__(self, fields: dict[str, Any]) -> None:
        object.__setattr__(self, "_fields", fields)

    @classmethod
    def from_json(cls, text: str) -> Record:
        return cls(json.loads(text))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return _wrap(self._fields.get(_camel_case(name.rstrip("_"))))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a result cannot be changed")

    def __getitem__(self, name: str) -> Any:
        return _wrap(self._fields[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(_snake_case(name) for name in self._fields)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self._fields == other._fields

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Record({', '.join(f'{_snake_case(n)}={_wrap(v)!r}' for n, v in self._fields.items())})"

    def _repr_html_(self) -> str:
        from ._html import record_html

        return record_html(self._fields)

    def __reduce__(self) -> Any:
        return Record, (self._fields,)

    def to_dict(self) -> dict[str, Any]:
        """Returns a copy as a dict, with the names of JSON."""
        result: dict[str, Any] = json.loads(json.dumps(self._fields))
        return result


def _wrap(value: Any) -> Any:
    if isinstance(value, dict):
        return Record(cast("dict[str, Any]", value))
    return [_wrap(item) for item in cast("Sequence[Any]", value)] if isinstance(value, list) else value


def _camel_case(name: str) -> str:
    return re.sub(r"_([a-z0-9])", lambda match: match[1].upper(), name)


def _snake_case(name: str) -> str:
    return re.sub(r"([A-Z])", lambda match: "_" + match[1].lower(), name)
