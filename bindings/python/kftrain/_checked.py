"""Checks the types of arguments by the annotations of the functions that take them."""

from __future__ import annotations

import functools
import operator
import os
from collections.abc import Iterable, Mapping
from types import FunctionType
from typing import Any, Callable, Dict, List, Tuple, TypeVar, cast

from . import _core
from ._convert import check_path, check_text, check_texts, refuse
from ._errors import Timeout

C = TypeVar("C", bound=Callable[..., Any])
Test = Callable[[Any], bool]


def _class_has(value: object, name: str) -> bool:
    return hasattr(type(value), name)


def _is_model(value: Any) -> bool:
    return getattr(cast("Any", type(value)), "_type", None) is not None


def _is_object(value: Any) -> bool:
    if isinstance(value, type):
        return False
    return _is_model(value) or isinstance(value, Mapping) or hasattr(value, "attribute_map")


def _is_text_or_object(value: Any) -> bool:
    return isinstance(value, str) or _is_object(value)


def _is_reference(value: Any) -> bool:
    return isinstance(value, str) or _is_model(value) or type(value).__name__ == "JobReference"


def _list_of(test: Test) -> Test:
    def is_list(value: Any) -> bool:
        if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
            return False
        # An iterator can be read once only: the library checks its items.
        return not isinstance(value, (list, tuple, set)) or all(map(test, cast("Iterable[Any]", value)))

    return is_list


def _instance_of(*types: type) -> Test:
    return lambda value: isinstance(value, types)


def _is_int(value: Any) -> bool:
    return _class_has(value, "__index__") and not isinstance(value, bool)


def _is_float(value: Any) -> bool:
    return (_class_has(value, "__float__") and not isinstance(value, bool)) or _is_int(value)


_is_str = _instance_of(str)

# The values that an annotation accepts, also of other packages, such as the numbers of numpy; and its name in messages.
TYPES: Dict[str, Tuple[Test, str]] = {
    "None": (lambda value: value is None, "None"),
    "str": (_is_str, "str"),
    "bytes": (_instance_of(bytes, bytearray, memoryview), "bytes"),
    "bool": (_instance_of(bool), "bool"),
    "int": (_is_int, "int"),
    "float": (_is_float, "float"),
    "os.PathLike[str]": (_instance_of(os.PathLike), "os.PathLike"),
    "Sequence[str]": (_list_of(_is_str), "a list of str"),
    "Sequence[int]": (_list_of(_is_int), "a list of int"),
    "Mapping[str, Any]": (_is_object, "a dict"),
    "Mapping[str, Sequence[str]]": (_is_object, "a dict"),
    "List[Any]": (_instance_of(list), "a list"),
    "Flags": (lambda value: value is None or _is_object(value), "a dict or None"),
    "Callable[[T | None], bool]": (callable, "a function"),
    "until.Condition": (_instance_of(_core.Condition), "a condition of kftrain.until"),
    "M": (_is_model, "a model"),
    "T": (_is_object, "an object"),
    "JobLike": (_is_text_or_object, "a job as a model, a text or a dict"),
    "ObjectLike": (_is_text_or_object, "an object as a model, a text or a dict"),
    "Reference": (_is_reference, "a job as a model, a JobReference or a text such as 'pytorchjob.v1/digits'"),
}


# The least value of numbers by the name of the argument, and the expectation in messages.
LEAST: Dict[str, Tuple[int, str]] = {
    **dict.fromkeys(("timeout", "since", "simulate"), (0, "at least 0 seconds")),
    **dict.fromkeys(("limit", "rank", "index", "tail"), (0, "at least 0")),
    "limit_bytes": (1, "at least 1 byte"),
    "log_file_size": (4096, "at least 4096 bytes"),
    "log_files": (2, "at least 2"),
}


def _number(value: Any) -> Any:
    return float(value) if _class_has(value, "__float__") else operator.index(value)


def check_value(value: Any, members: List[str], name: str) -> None:
    """Raises ValueError for a wrong value of the right type, and `Timeout` for a time limit that has passed."""
    if value is None:
        return
    if "os.PathLike[str]" in members:
        check_path(value, name)
    elif isinstance(value, str):
        check_text(value, name, allows_nul=bool({"bytes", "JobLike", "ObjectLike"} & {*members}))
    elif "Sequence[str]" in members and isinstance(value, (list, tuple, set)):
        check_texts(cast("Iterable[str]", value), name)
    elif name in LEAST and not _number(value) >= LEAST[name][0]:  # which nan is not
        text = f"{name}: expected {LEAST[name][1]}, got {value}"
        if name == "timeout" and _number(value) < 0:  # what is left until a moment that has passed
            error = Timeout(text)
            error.code, error.retryable = "timeout", True
            raise error
        raise ValueError(text)


def alternatives(annotation: str) -> List[str]:
    """The members of a union."""
    found, depth = [""], 0
    for character in annotation:
        depth += {"[": 1, "]": -1}.get(character, 0)
        if character == "|" and depth == 0:
            found.append("")
        else:
            found[-1] += character
    return [member.strip() for member in found]


def _listed(words: List[str]) -> str:
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _checked_function(function: Any) -> Any:
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    unions: Dict[str, List[str]] = {}  # by argument
    for name, annotation in function.__annotations__.items():
        members = alternatives(annotation) if name != "return" and isinstance(annotation, str) else ["Any"]
        if all(member in TYPES for member in members):
            unions[name] = members
    if not unions:
        return function
    unchecked = int(names[0] in ("self", "cls"))

    def check(args: Tuple[Any, ...], options: Dict[str, Any]) -> None:
        for name, value in (*zip(names, args), *options.items()):
            members = unions.get(name)
            if members is None:
                continue
            if not any(TYPES[member][0](value) for member in members):
                refuse(value, _listed([TYPES[member][1] for member in members]), name)
            check_value(value, members, name)

    if code.co_flags & 0x80:  # `async def`

        @functools.wraps(function)
        async def waiting(*args: Any, **options: Any) -> Any:
            if options or len(args) > unchecked:
                check(args, options)
            return await function(*args, **options)

        return waiting

    @functools.wraps(function)
    def wrapper(*args: Any, **options: Any) -> Any:
        if options or len(args) > unchecked:
            check(args, options)
        return function(*args, **options)

    return wrapper


def checked(target: C) -> C:
    """Decorates a function, or a class with public methods: an argument of another type than that of its annotation
    raises TypeError with its name, its value and the expected type. Texts that C cannot hold, empty paths and negative
    numbers raise ValueError."""
    if isinstance(target, FunctionType):
        made: C = _checked_function(target)
        return made
    for name, member in list(vars(target).items()):
        if name.startswith("_") and name != "__init__":
            continue
        if isinstance(member, classmethod):
            setattr(target, name, classmethod(_checked_function(cast("Any", member).__func__)))
        elif isinstance(member, FunctionType):
            setattr(target, name, _checked_function(member))
    return target
