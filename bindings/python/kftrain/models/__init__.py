"""The objects of the API: one module for each API, with one class for each type.

``kftrain.models.kubeflow_v1.PyTorchJob`` is the job of ``kubeflow.org/v1``, ``kftrain.models.core.Pod`` the pod of
``v1``. The classes are made from the tables of the library when this package is imported.
"""

from __future__ import annotations

import sys
import types
from typing import Any

from .. import _core
from .._model import AnyModel, Difference, ListView, MapView, Model
from .._registry import class_of, make_classes

__all__ = ["Difference", "ListView", "MapView", "Model", "from_dict", "from_yaml"]


def _make_modules() -> None:
    for name, classes in sorted(make_classes().items()):
        module = sys.modules[__name__]
        if name:
            module = types.ModuleType(f"{__name__}.{name}", f"The types of ``{name}``.")
            sys.modules[module.__name__] = module
            setattr(sys.modules[__name__], name, module)
            module.__all__ = sorted(classes)  # type: ignore[attr-defined]
            __all__.append(name)
        for cls in classes.values():
            setattr(module, cls.__name__, cls)


_make_modules()


def from_dict(data: Any, *, allow_unknown: bool = False) -> AnyModel:
    """Makes a model of the class that ``apiVersion`` and ``kind`` of the dict name, as `Model.from_dict` does."""
    cls = class_of(data.get("apiVersion", ""), data.get("kind", ""))
    return cls.from_dict(data, allow_unknown=allow_unknown)


def from_yaml(text: str, *, allow_unknown: bool = False) -> AnyModel:
    """Reads one document of YAML or JSON; ``apiVersion`` and ``kind`` name the class. See `Model.from_yaml`."""
    return class_of(*_core.type_of_document(text)).from_yaml(text, allow_unknown=allow_unknown)
