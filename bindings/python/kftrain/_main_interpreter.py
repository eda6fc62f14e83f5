"""Refuses the import in a sub-interpreter, where the extension module would wait without end."""

from __future__ import annotations

import importlib
import sys


def _is_main() -> bool:
    # Python 3.9 to 3.12, and from 3.13 on. A program that imports neither has no sub-interpreter of its own, but an
    # application that embeds Python may have: the modules are built in.
    name = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    try:
        interpreters = importlib.import_module(name)
    except ImportError:  # another implementation of Python
        return True
    current, main = interpreters.get_current(), interpreters.get_main()
    return bool(current == main)


if not _is_main():
    raise ImportError("kftrain cannot be imported in a sub-interpreter")
