"""Turns a function and its arguments into data that another process can run."""

from __future__ import annotations

import __future__

import ast
import base64
import builtins
import importlib
import inspect
import io
import pickle
import symtable
import sys
import types
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Callable

from ._rank import remove_annotations

Function = Callable[..., Any]

_FUTURE_ANNOTATIONS = __future__.annotations.compiler_flag
# The names that every module has.
_MODULE_NAMES = frozenset({"__builtins__", "__debug__", "__doc__", "__file__", "__name__"})
_ADVICE = "pass it as an argument, define it in the function, import it from a module, or use serializer='cloudpickle'"


def by_source(function: Function, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Carries the source of the function. Refuses what the source does not contain, by name."""
    _check(function, args, kwargs)
    if function.__name__ == "<lambda>":
        raise TypeError("the source of a lambda cannot be carried: define a function with def")
    inner = inspect.unwrap(function)
    source, line = _source_of(inner)
    imports = _imports_for(inner, ast.parse(source))
    return {
        "source": "\n" * (line - 1) + source,
        "imports": imports,
        "file": inspect.getsourcefile(inner) or inner.__code__.co_filename,
        "name": function.__name__,
        "future_annotations": bool(inner.__code__.co_flags & _FUTURE_ANNOTATIONS),
        "arguments": _text(_pickled((tuple(args), dict(kwargs)))),
    }


def by_cloudpickle(function: Function, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Carries the function with everything that it refers to, for an interpreter of the same version."""
    _check(function, args, kwargs)
    cloudpickle = _load_cloudpickle()
    return {
        "cloudpickle": _text(cloudpickle.dumps((function, tuple(args), dict(kwargs)))),
        "python": list(sys.version_info[:2]),
    }


def _load_cloudpickle() -> Any:
    try:
        return importlib.import_module("cloudpickle")
    except ImportError as missing:
        raise ValueError("serializer='cloudpickle' needs the package cloudpickle: pip install cloudpickle") from missing


def _check(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    """Refuses what is not an ordinary function, and arguments that it does not take."""
    if not isinstance(function, types.FunctionType):
        kind = "a bound method" if isinstance(function, types.MethodType) else type(function).__name__
        raise TypeError(f"expected a function defined with def, got {kind}: {function!r}")
    inner = inspect.unwrap(function)
    if inspect.iscoroutinefunction(inner) or inspect.isasyncgenfunction(inner):
        raise TypeError(f"{function.__name__!r} is asynchronous: define a function that calls asyncio.run()")
    if inspect.isgeneratorfunction(inner):
        raise TypeError(f"{function.__name__!r} is a generator, which has no return value to wait for")
    if isinstance(args, (str, bytes)):
        raise TypeError(f"args: expected a list of arguments, got {type(args).__name__}")
    try:
        inspect.signature(function).bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"arguments of {function.__name__!r}: {error}") from None


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _source_of(function: Any) -> tuple[str, int]:
    """The statement that defines the function, and its line in the file, from 1."""
    try:
        lines, line = inspect.getsourcelines(function)
    except (OSError, TypeError) as missing:
        raise ValueError(
            f"the source of {function.__name__!r} is not available: define it in a file or a notebook, "
            "or use serializer='cloudpickle'"
        ) from missing
    source = "".join(lines)
    if source[:1].isspace():  # a nested function: its indentation stays, because its texts may have less
        source, line = "if True:\n" + source, line - 1
    try:
        body = ast.parse(source).body
    except SyntaxError:
        body = []
    defined = body[0].body[0] if body and isinstance(body[0], ast.If) else (body[0] if body else None)
    if not isinstance(defined, ast.FunctionDef) or defined.name != function.__name__:
        raise ValueError(
            f"the source of {function.__name__!r} has changed since it was read: load it again, "
            "or use serializer='cloudpickle'"
        )
    return source, line


class _WithoutAnnotations(ast.NodeTransformer):
    """Removes the annotations that are not evaluated in the job: those of the function, and of local variables."""

    def __init__(self, all_annotations: bool) -> None:
        self._all = all_annotations  # as with `from __future__ import annotations`
        self._scopes: list[ast.AST] = []

    def _visit_scope(self, node: ast.AST) -> ast.AST:
        self._scopes.append(node)
        self.generic_visit(node)
        self._scopes.pop()
        return node

    visit_ClassDef = visit_Lambda = _visit_scope  # noqa: N815

    def _visit_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        if self._all or not self._scopes:
            remove_annotations(node)
        return self._visit_scope(node)

    visit_FunctionDef = visit_AsyncFunctionDef = _visit_function  # noqa: N815

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:  # noqa: N802
        if not self._all and self._scopes and isinstance(self._scopes[-1], ast.ClassDef):
            return self.generic_visit(node)
        assigned = ast.Assign(targets=[node.target], value=node.value or ast.Constant(None))
        return self.generic_visit(ast.copy_location(assigned, node))


def _tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _tables(child)


def _global_names(tree: ast.Module, all_annotations: bool) -> list[str]:
    """The names that a statement reads from its module, in alphabetical order."""
    plain = ast.unparse(ast.fix_missing_locations(_WithoutAnnotations(all_annotations).visit(tree)))
    top = symtable.symtable(plain, "<function>", "exec")
    names = {s.get_name() for s in top.get_symbols() if s.is_referenced() and not s.is_assigned()}
    for table in _tables(top):
        if table is not top:
            names |= {s.get_name() for s in table.get_symbols() if s.is_global() and s.is_referenced()}
    return sorted(names)


def _imports_for(function: Any, tree: ast.Module) -> list[str]:
    """The import statements that give the function the names that it uses."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    statements: list[str] = []
    refused: list[str] = []
    chains = _attribute_chains(tree)
    for name in _global_names(tree, bool(function.__code__.co_flags & _FUTURE_ANNOTATIONS)):
        if name in _MODULE_NAMES or name == function.__name__:
            continue
        if name in cells:
            try:
                value = cells[name].cell_contents
            except ValueError:
                refused.append(f"{name!r} of the enclosing function")
                continue
        elif name in function.__globals__:
            value = function.__globals__[name]
        else:
            continue  # a builtin, or it does not exist here either
        if value is getattr(builtins, name, refused):
            continue
        found = _import_of(name, value, chains)
        if found:
            statements += found
        else:
            place = "the enclosing function" if name in cells else "its module"
            refused.append(f"{name!r} of {place} ({type(value).__name__})")
    if refused:
        raise ValueError(
            f"{function.__name__!r} uses {' and '.join(refused)}, which its source does not contain: {_ADVICE}"
        )
    return statements


def _import_of(name: str, value: Any, chains: set[str]) -> list[str]:
    """The statements that import an object under a name; empty if it cannot be imported."""
    if isinstance(value, types.ModuleType):
        module = value.__name__
        if not _is_importable(module) or sys.modules[module] is not value:
            return []
        # `import a.b` makes `a` known, and the function reads `a.b`.
        parts = (module + chain[len(name) :] for chain in chains if chain.startswith(name + "."))
        return [f"import {module} as {name}", *(f"import {part}" for part in sorted(parts) if part in sys.modules)]
    home, own_name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(home, str) or not isinstance(own_name, str) or not _is_importable(home):
        return []
    if "." in own_name or getattr(sys.modules[home], own_name, None) is not value:
        return []
    return [f"from {home} import {own_name} as {name}"]


def _is_importable(module: str) -> bool:
    """Whether another process can import it: it comes from a file, or it is a part of the interpreter."""
    loaded = sys.modules.get(module)
    return module != "__main__" and loaded is not None and getattr(loaded, "__spec__", None) is not None


def _attribute_chains(tree: ast.Module) -> set[str]:
    """The dotted names such as ``a.b.c`` in a text."""
    chains: set[str] = set()
    for node in ast.walk(tree):
        parts: list[str] = []
        inner: ast.AST = node
        while isinstance(inner, ast.Attribute):
            parts.append(inner.attr)
            inner = inner.value
        if isinstance(inner, ast.Name) and parts:
            chains.add(".".join([inner.id, *reversed(parts)]))
    return chains


class _Pickler(pickle.Pickler):
    """Refuses classes and functions of the program itself, which another process does not have."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, (type, types.FunctionType)) and value.__module__ == "__main__":
            raise pickle.PicklingError(f"{value.__qualname__!r} is defined in this program, not in a module")
        return NotImplemented


def _pickled(arguments: Any) -> bytes:
    file = io.BytesIO()
    try:
        _Pickler(file, protocol=4).dump(arguments)
    except Exception as refused:
        raise ValueError(
            f"the arguments cannot be carried: {refused}; pass values, or use serializer='cloudpickle'"
        ) from refused
    return file.getvalue()
