#!/usr/bin/env python3
"""Makes the stubs kftrain/models/*.pyi and kftrain/results.pyi from the tables of the library and the comments of its
headers, for type checkers, editors and help().

usage: PYTHONPATH=build/dev/python stubs.py [--check]
"""

import re
import sys
import textwrap
from pathlib import Path

from header_comments import comments

from kftrain._convert import fields_of, python_name
from kftrain._model import classes as all_classes
from kftrain._record import Record, class_name, result_classes, short_name, snake_case

PACKAGE = Path(__file__).resolve().parents[1] / "kftrain"

SCALARS = {"boolean": "bool", "integer": "int", "number": "float", "string": "str", "json": "Any"}
TEXTS = {
    "RFC 3339 time": ("datetime.datetime", "datetime.datetime | str"),
    "duration": ("datetime.timedelta", "datetime.timedelta | str"),
    "quantity": ("Quantity", "str | int | float"),
    "an integer or a string": ("int | str", "int | str"),
    "base64": ("bytes", "bytes"),
}

TEXT_OF = comments()

HEADER = '"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""\n'


def imports(body, models):
    """The imports that a stub uses."""

    def used(names):
        return [name for name in names if re.search(rf"\b{name}\b", body)]

    lines = ["import datetime"] if "datetime." in body else []
    for module, names in (
        ("collections.abc", ("Mapping", "Sequence")),
        ("typing", ("Any",)),
        (".", models),
        (".._model", ("AnyModel", "Attribute", "Difference", "ListView", "MapView", "Model")),
        (".._quantity", ("Quantity",)),
    ):
        if used(names):
            lines.append(f"from {module} import {', '.join(used(names))}")
    return "\n".join(lines) + "\n"


def module_of(cls):
    return cls.__module__.removeprefix("kftrain.models").lstrip(".")


def name_in(cls, module):
    return cls.__name__ if module_of(cls) == module else f"{module_of(cls)}.{cls.__name__}"


def types_of(type_, module):
    """What a value of the type is when it is read, and what may be assigned."""
    kind = type_.kind
    if kind == "object":
        name = name_in(all_classes[type_.name], module)
        return name, f"{name} | Mapping[str, Any]"
    if kind == "list":
        read, write = types_of(type_.element, module)
        return f"ListView[{read}]", f"Sequence[{write}]"
    if kind == "map":
        read, write = types_of(type_.element, module)
        return f"MapView[{read}]", f"Mapping[str, {write}]"
    if kind == "text":
        return TEXTS[type_.name]
    return SCALARS[kind], SCALARS[kind]


def documentation(name, indent=4):
    """The lines of a docstring; none if the header has no comment."""
    text = TEXT_OF.get(name)
    if text is None:
        return []
    text = re.sub(r"`(\w+)`", lambda match: f"`{python_name(match[1])}`", text).replace("\\", "\\\\")
    if text.endswith('"'):
        text += " "
    lines = textwrap.wrap(text, 121 - 2 * indent, break_long_words=False, break_on_hyphens=False)
    lines[0] = f'"""{lines[0]}'
    lines[-1] += '"""'
    return [" " * indent + line for line in lines]


def stub_of(cls, module):
    fields = []
    arguments = []
    for field in fields_of(cls._type):
        read, write = types_of(field.type, module)
        if field.type.optional or (field.type.kind in ("text", "json") and read != "Any"):
            read += " | None"
        fields.append(f"    {field.name}: Attribute[{read}, {write} | None]")
        fields += documentation((cls._type.name, field.member))
        arguments.append(f"        {field.name}: {write} | None = ...,")
    lines = [f"class {cls.__name__}(Model):", *documentation(cls._type.name)]
    if cls._type.resource is not None:
        constants = ["api_version"]
        if not any(field.name == "kind" for field in fields_of(cls._type)):
            constants.append("kind")
        for name in constants:  # which may be assigned if they stay the same
            lines.append(f"    {name}: Attribute[str, str | None]")
            arguments.append(f"        {name}: str | None = ...,")
    lines += fields
    if arguments:
        lines += ["    def __init__(", "        self,", "        *,", *arguments, "    ) -> None: ..."]
    elif len(lines) == 1:
        lines += ["    ..."]
    return "\n".join(lines)


def result_type(type_):
    kind = type_.kind
    if kind == "object":
        return class_name(short_name(type_))
    if kind == "list":
        return f"list[{result_type(type_.element)}]"
    return "str" if kind == "text" else SCALARS[kind]


def result_stub(cls, type_):
    """The members of structs that are written as members of another one have the names of theirs."""
    lines = [f"class {cls.__name__}(Record):", *documentation(type_.name)]
    for member, json_name, part in type_.members:
        name = snake_case(json_name)
        if hasattr(Record, name):  # hidden by a method of Mapping
            continue
        optional = " | None" if part.optional else ""
        lines += ["    @property", f"    def {name}(self) -> {result_type(part)}{optional}:"]
        lines += result_documentation(cls, type_, member) or ["        ..."]
    return "\n".join(lines)


# The structs that are written as members of a result.
INLINED = {
    "JobChange": ("kftrain::job_state", "kftrain::job_reference"),
    "JobState": ("kftrain::job_reference",),
    "LogLine": ("kftrain::member",),
    "RankState": ("kftrain::member",),
}
NOT_FOR_USERS = {("kftrain::job_reference", "kind")}  # a pointer in C++


def result_documentation(cls, type_, member):
    places = [(name, member) for name in (type_.name, *INLINED.get(cls.__name__, ()))]
    return next((text for place in places if place not in NOT_FOR_USERS and (text := documentation(place, 8))), [])


def results():
    made = sorted(result_classes().values(), key=lambda cls: cls.__name__)
    body = "\n\n".join(result_stub(cls, cls._type) for cls in made)
    return f"{HEADER}\n{imports(body, [])}from ._record import Record\n\n{body}\n"


def stubs():
    modules = {}
    for cls in all_classes.values():
        modules.setdefault(module_of(cls), []).append(cls)
    texts = {}
    for module, classes in modules.items():
        if not module:
            continue
        body = "\n\n".join(stub_of(cls, module) for cls in sorted(classes, key=lambda c: c.__name__))
        others = sorted(m for m in modules if m and m != module and re.search(rf"\b{m}\.[A-Z]", body))
        texts[f"models/{module}.pyi"] = f"{HEADER}\n{imports(body, others)}\n{body}\n"
    names = sorted(m for m in modules if m)
    body = "\n\n".join(stub_of(cls, "") for cls in sorted(modules.get("", []), key=lambda c: c.__name__))
    body = f"""\
def from_dict(data: Any, *, allow_unknown: bool = False) -> AnyModel: ...
def from_yaml(text: str, *, allow_unknown: bool = False) -> AnyModel: ...

{body}
"""
    public = "from .._model import Difference as Difference, ListView as ListView, MapView as MapView, Model as Model\n"
    public += "".join(f"from . import {name} as {name}\n" for name in names)
    texts["models/__init__.pyi"] = f"{HEADER}\n{imports(body, [])}{public}\n{body}"
    texts["results.pyi"] = results()
    return texts


def main():
    made = stubs()
    existing = {f"models/{file.name}": file.read_text() for file in (PACKAGE / "models").glob("*.pyi")}
    existing["results.pyi"] = (PACKAGE / "results.pyi").read_text()
    if "--check" in sys.argv[1:]:
        if made != existing:
            sys.exit("the stubs differ from the tables: run bindings/python/scripts/stubs.py")
        return
    for name in existing.keys() - made.keys():
        (PACKAGE / name).unlink()
    for name, text in made.items():
        (PACKAGE / name).write_text(text)


if __name__ == "__main__":
    main()
