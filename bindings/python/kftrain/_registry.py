"""The classes of all models, made from the tables of the library."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from . import _core
from ._convert import fields_of
from ._documentation import class_documentation
from ._model import AnyModel, Attribute, classes, homes


def _parts(type_: Any) -> Iterator[tuple[int, Any]]:
    """The described structs that a struct contains directly, or in a list or map."""
    for field in fields_of(type_):
        inner = field.type
        while inner.kind in ("list", "map"):
            inner = inner.element
        if inner.kind == "object":
            yield field.index, inner


# Words that the names of Kubernetes write in capitals: HTTPGetAction. Those of kinds, such as PyTorch, come from the
# kinds.
_CAPITALS = frozenset("api aws csi dns fc fs gce grpc hpa http io ip iscsi nfs os rbd rdzv se tcp".split())


def _words_of_kinds(types: Iterable[Any]) -> dict[str, str]:
    """How kinds write the words of their C++ names: `pytorch` of `pytorch_job` is ``PyTorch``."""
    found: dict[str, str] = {}
    for type_ in types:
        words, kind = type_.name.rpartition("::")[2].rstrip("_").split("_"), type_.resource[1]
        if "".join(words) != kind.lower():
            continue
        for word in words:
            found[word], kind = kind[: len(word)], kind[len(word) :]
    return found


def _camel_case(name: str, words: Mapping[str, str]) -> str:
    def written(word: str) -> str:
        return words.get(word) or (word.upper() if word in _CAPITALS else word[:1].upper() + word[1:])

    return "".join(map(written, name.split("_")))


def _place_of(type_: Any, words: Mapping[str, str]) -> tuple[str, str]:
    """The module and the name of the class for a type: `kftrain::core::pod_spec` is `core`, `PodSpec`."""
    name = type_.name
    listed = name.startswith("kftrain::object_list<")
    if listed:
        name = name[name.index("<") + 1 : -1]
    scopes = name.split("::")
    module = ".".join(scopes[1:-1])
    if type_.resource is not None:
        return module, type_.resource[1] + ("List" if type_.resource[4] else "")
    return module, _camel_case(scopes[-1], words)


def make_classes() -> dict[str, dict[str, type[AnyModel]]]:
    """Makes the class of every described type; returns them by module and name."""
    modules: dict[str, dict[str, type[AnyModel]]] = {}
    stored = _core.stored_types()
    words = _words_of_kinds(stored)
    queue: list[tuple[Any, Any, list[int]]] = [(root, root, []) for root in stored]
    for type_, root, members in queue:  # breadth first, so that each type is found in the smallest object
        if type_.name in homes:
            continue
        homes[type_.name] = (root, members)
        module, name = _place_of(type_, words)
        cls = _class_for(type_, module, name)
        classes[type_.name] = cls
        modules.setdefault(module, {})[name] = cls
        queue.extend((part, root, [*members, index]) for index, part in _parts(type_))
    return modules


def _class_for(type_: Any, module: str, name: str) -> type[AnyModel]:
    body: dict[str, Any] = {"__slots__": (), "__doc__": class_documentation, "_type": type_}
    body["__module__"] = f"kftrain.models.{module}" if module else "kftrain.models"
    if type_.resource is not None:
        body["api_version"] = _constant(type_.resource[0])
        body["kind"] = _constant(name)
    for field in fields_of(type_):
        body[field.name] = Attribute(field)
    return type(name, (AnyModel,), body)


def _constant(value: str) -> Any:
    def set_same(self: AnyModel, new: str | None) -> None:
        if new is not None and new != value:
            raise ValueError(f"expected {value!r}, got {new!r}")

    return property(lambda self: value, set_same)


def class_of(api_version: str, kind: str) -> type[AnyModel]:
    """The class of the objects with this apiVersion and kind."""
    for cls in classes.values():
        resource = cls._type.resource
        if resource is not None and resource[0] == api_version and cls.__name__ == kind:
            return cls
    raise ValueError(f"no type has apiVersion {api_version!r} and kind {kind!r}")

