"""Conversion of Python values to the JSON of a described type."""

from __future__ import annotations

import base64
import datetime
import difflib
import json
import keyword
import os
import re
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import FunctionType
from typing import Any, NoReturn, cast

from . import _core


class Field:
    """A field of a type: its name in C++, in Python and in JSON, and its type."""

    __slots__ = ("index", "json_name", "member", "name", "type")

    def __init__(self, index: int, member: str, json_name: str, type_: Any) -> None:
        self.index = index
        self.member = member
        self.name = python_name(member)
        self.json_name = json_name
        self.type = type_


# The methods of every model; a field with such a name gets an underscore, as a keyword does.
METHODS = frozenset(
    {"copy", "diff", "from_dict", "from_json", "from_yaml", "merge_patch", "to_dict", "to_json", "to_yaml"}
)


def python_name(member: str) -> str:
    """The name of a field in Python: ``namespace_`` of C++ is ``namespace``, but ``from_`` stays as it is."""
    name = member.rstrip("_")
    return name + "_" if keyword.iskeyword(name) or name in METHODS else name


@lru_cache(maxsize=None)
def fields_of(type_: Any) -> tuple[Field, ...]:
    return tuple(Field(i, *member) for i, member in enumerate(type_.members))


@lru_cache(maxsize=None)
def _fields_by_name(type_: Any) -> dict[str, Field]:
    by_name = {field.json_name: field for field in fields_of(type_)}
    by_name.update((field.name, field) for field in fields_of(type_))
    return by_name


def unknown_field(type_: Any, name: str, path: str = "", in_dict: bool = False) -> TypeError:
    """The exception for a name that a type does not have, with the most similar one."""
    as_json = in_dict and "_" not in name
    known = {(f.json_name if as_json else f.name).lower(): f for f in fields_of(type_)}
    near = [known[match] for match in difflib.get_close_matches(name.lower(), known, n=1)]
    place = f"{path}: " if path else ""
    hint = f"; did you mean {near[0].json_name if as_json else near[0].name!r}?" if near else ""
    from ._model import classes

    return TypeError(f"{place}{classes[type_.name].__name__} has no field {name!r}{hint}")


def to_json(type_: Any, value: Any, path: str = "", strict: bool = True) -> str:
    """Returns the JSON of a value for this type. ``strict`` refuses fields that the type does not have."""
    try:
        simple = plain(type_, value, path, strict)
    except RecursionError:
        raise _contains_itself(path) from None
    return json.dumps(simple, separators=(",", ":"), allow_nan=False)


def _contains_itself(path: str = "") -> ValueError:
    place = f"{path}: " if path else ""
    return ValueError(f"{place}the value contains itself, or is nested too deeply")


def plain(type_: Any, value: Any, path: str, strict: bool) -> Any:
    """The same as what ``json.dumps`` takes."""
    if value is None:
        return None
    held = getattr(value, "_value", None)
    if isinstance(held, _core.Value):
        _check_same_type(type_, held.type, path)
        return json.loads(held.to_json())
    kind = type_.kind
    if kind == "object":
        return _plain_object(type_, value, path, strict)
    if kind == "map":
        if not isinstance(value, Mapping):
            refuse(value, "a mapping", path)
        items = cast("Mapping[str, Any]", value).items()
        element = type_.element
        return {_key(name, path): plain(element, item, joined_path(path, str(name)), strict) for name, item in items}
    if kind == "list":
        if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
            refuse(cast("object", value), "a list", path)
        values = cast("Iterable[object]", value)
        element = type_.element
        return [plain(element, item, f"{path}[{i}]", strict) for i, item in enumerate(values)]
    if kind == "json":
        return _simple(value, path)
    return _plain_scalar(type_, value, path)


def joined_path(path: str, name: str) -> str:
    """The path of a field, or of an entry of a map, as in other messages of the library."""
    if re.fullmatch("[A-Za-z0-9_-]+", name):
        return f"{path}.{name}" if path else name
    return f"{path}[{json.dumps(name, ensure_ascii=False)}]"


def _check_same_type(wanted: Any, got: Any, path: str) -> None:
    if wanted.kind != got.kind or wanted.name != got.name:
        place = f"{path}: " if path else ""
        raise TypeError(f"{place}expected {wanted.name}, got {got.name}")


def refuse(value: object, expected: str, path: str) -> NoReturn:
    """Raises TypeError for a value of another type."""
    place = f"{path}: " if path else ""
    got = "None" if value is None else f"the {type(value).__name__} {reprlib.repr(value)}"
    if isinstance(value, FunctionType) and value.__module__ == "kftrain.until":
        code = getattr(value, "__wrapped__", value).__code__
        arguments = ", ".join(code.co_varnames[: code.co_argcount])
        got = f"the function until.{value.__name__}: write until.{value.__name__}({arguments})"
    raise TypeError(f"{place}expected {expected}, got {got}")


def check_text(text: str, path: str, allows_nul: bool = False) -> None:
    """Raises ValueError for a text that is not valid Unicode, or with a NUL character, which would end it in C."""
    fault = "" if allows_nul or "\0" not in text else "NUL characters"
    try:
        text.encode()
    except UnicodeEncodeError:
        fault = "lone surrogates"
    if fault:
        place = f"{path}: " if path else ""
        raise ValueError(f"{place}expected a text without {fault}, got {reprlib.repr(text)}")


def check_texts(texts: Iterable[Any], path: str) -> list[str]:
    """Returns a list of texts after `check_text`."""
    made = list(texts)
    for text in made:
        if not isinstance(text, str):
            refuse(text, "str", path)
        check_text(text, path)
    return made


def check_path(value: Any, path: str) -> str:
    """Returns the text of a path. Raises ValueError if it is empty, which is not the current directory."""
    text = os.fspath(value)
    if not isinstance(text, str):
        refuse(value, "a path as str", path)
    if not text or "\0" in text:
        expected = "a path without NUL characters" if text else "a path"
        raise ValueError(f"{path}: expected {expected}, got {reprlib.repr(text)}")
    return text


def _plain_object(type_: Any, value: Any, path: str, strict: bool) -> dict[str, Any]:
    items: Iterable[tuple[str, Any]]
    refused = strict
    if isinstance(value, Mapping):
        items = cast("Mapping[str, Any]", value).items()
    elif hasattr(value, "attribute_map") and hasattr(value, "openapi_types"):  # a model of the kubernetes client
        items = ((name, getattr(value, attribute)) for attribute, name in value.attribute_map.items())
        items = ((name, item) for name, item in items if item is not None)
        refused = False  # a field of a newer API, not a misspelt one
    else:
        refuse(value, f"{type_.name.rpartition('::')[2]} or a dict", path)
    known = _fields_by_name(type_)
    stored = type_.resource is not None
    result: dict[str, Any] = {}
    for name, item in items:
        field = known.get(name)
        if field is not None:
            place = joined_path(path, field.json_name)
            result[field.json_name] = plain(field.type, item, place, strict)
        elif stored and name in ("apiVersion", "kind", "api_version"):
            result["apiVersion" if name == "api_version" else name] = item
        elif refused:
            raise unknown_field(type_, name, path, in_dict=True)
        else:
            result[_key(name, path)] = _simple(item, joined_path(path, str(name)))
    return result


def _key(name: object, path: str) -> str:
    text = str(name)
    check_text(text, path, allows_nul=True)
    return text


def plain_json(value: Any) -> Any:
    """A value without a type: models and their views become dicts and lists."""
    try:
        return _simple(value, "")
    except RecursionError:
        raise _contains_itself() from None


def _simple(value: Any, path: str) -> Any:
    if isinstance(value, Mapping):
        entries = cast("Mapping[str, Any]", value).items()
        return {_key(name, path): _simple(item, joined_path(path, str(name))) for name, item in entries}
    held = getattr(value, "_value", None)
    if isinstance(held, _core.Value):
        return json.loads(held.to_json())
    if hasattr(value, "attribute_map"):  # a model of the kubernetes client
        items = ((name, getattr(value, attribute)) for attribute, name in value.attribute_map.items())
        return {name: _simple(item, joined_path(path, name)) for name, item in items if item is not None}
    if isinstance(value, (list, tuple)):
        return [_simple(item, f"{path}[{i}]") for i, item in enumerate(cast("Sequence[Any]", value))]
    if isinstance(value, (datetime.datetime, datetime.timedelta, bytes, str)):
        return _plain_scalar(None, value, path)
    return value


_FORMATS: dict[str, Any] = {
    "RFC 3339 time": datetime.datetime,
    "duration": datetime.timedelta,
    "base64": (bytes, bytearray),
}


def _plain_scalar(type_: Any, value: Any, path: str) -> Any:
    name: str = getattr(type_, "name", "")  # empty: any JSON
    if isinstance(value, (datetime.datetime, datetime.timedelta, bytes, bytearray)):
        if name and not isinstance(value, _FORMATS.get(name, ())):
            refuse(value, name, path)
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            refuse(value, "a datetime with a time zone", path)
        try:
            value = value.astimezone(datetime.timezone.utc)
        except OverflowError:
            raise ValueError(f"{path}: {value} is outside of the years 1 to 9999 in UTC") from None
        return value.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"
    if isinstance(value, datetime.timedelta):
        micros = value // datetime.timedelta(microseconds=1)
        return f"{'-' if micros < 0 else ''}{abs(micros) // 1_000_000}.{abs(micros) % 1_000_000:06}s"
    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(bytes(value)).decode()
    if isinstance(value, str):
        check_text(value, path, allows_nul=True)
    elif not isinstance(value, (bool, int, float)):
        refuse(value, name, path)
    return value
