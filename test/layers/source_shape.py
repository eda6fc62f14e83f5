#!/usr/bin/env python3
"""Checks that a source can be read in one go: that it is short, and in C++ has at most one anonymous namespace.

usage: source_shape.py ROOT        ROOT holds src, include, bindings and test

Sources are C++, Python and CMake, not data, schemas and recordings. A class is whole in one source if that has at most
WARNING lines; longer sources are listed, and those of more than LIMIT fail. Tests may have several namespaces: helpers
come before the tests that use them.
"""

import re
import sys
from pathlib import Path

WARNING = 500
LIMIT = 800

FOLDERS = ("bindings", "include", "src", "test")
NO_SOURCES = ("test/data/", "test/fuzz/corpus/", "test/golden/jaxjob/", "test/golden/pytorchjob/")
ONE_NAMESPACE = ("include/", "src/")
ENDINGS = {".hpp", ".cpp", ".ipp", ".inl", ".h", ".py", ".cmake"}


def is_source(path, name):
    source = path.suffix in ENDINGS or path.name == "CMakeLists.txt"
    return source and not name.startswith(NO_SOURCES) and path.is_file()


def namespace_faults(name, text):
    count = len(re.findall(r"^\s*namespace\s*\{", text, re.MULTILINE))
    if count < 2 or not name.startswith(ONE_NAMESPACE):
        return []
    return [f"{name}: {count} anonymous namespaces, expected at most 1: merge them"]


def length_faults(name, count):
    return [f"{name}: {count} lines, expected at most {LIMIT}: split it"] if count > LIMIT else []


def main():
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "src").is_dir():
        sys.exit(__doc__.split("\n\n")[1])
    root, files, faults = Path(sys.argv[1]), 0, []
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if is_source(path, name):
                files += 1
                text = path.read_text(encoding="utf-8")
                count = len(text.splitlines())
                faults += length_faults(name, count) + namespace_faults(name, text)
                if WARNING < count <= LIMIT:
                    print(f"{name}: {count} lines: consider splitting it")
    for fault in faults:
        print(fault)
    print(f"{files} sources, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
