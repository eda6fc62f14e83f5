"""Documentation of models and their fields, for help(). It is read from the stubs when it is used first."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any


@lru_cache(maxsize=None)
def _texts(module: str) -> dict[tuple[str, str], str]:
    """The docstrings of a stub by class and field; the field is empty for the class itself."""
    import ast

    try:
        stub = (Path(__file__).parent / "models" / f"{module}.pyi").read_text()
    except OSError:  # a package without stubs
        return {}
    found: dict[tuple[str, str], str] = {}
    for cls in ast.parse(stub).body:
        if not isinstance(cls, ast.ClassDef):
            continue
        field = ""
        for part in cls.body:
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                field = part.target.id
            elif isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant):
                found[cls.name, field] = " ".join(str(part.value.value).split())
            else:
                field = ""
    return found


def documentation_of(cls: Any, field: str = "") -> str | None:
    module = "../results" if cls.__module__ == "kftrain.results" else cls.__module__.rpartition("models")[2].lstrip(".")
    return _texts(module or "__init__").get((cls.__name__, field))


class _ClassDocumentation:
    """What `__doc__` of a model is."""

    def __get__(self, model: Any, cls: Any) -> str | None:
        return documentation_of(cls)


class_documentation = _ClassDocumentation()
