#!/usr/bin/env python3
"""Checks that a source can be read in one go: that it is short, and in C++ has at most one anonymous namespace.

usage: source_shape.py ROOT        ROOT holds src, include and test

Sources are C++, Python and CMake; data, schemas and recordings are none. A file that is split again below the limit
leaves the list of exceptions. Tests may have several namespaces: helpers stand before the tests that use them.
"""

import re
import sys
from pathlib import Path

LIMIT = 400

# Each has one subject and would be harder to follow in pieces. Split a file instead of raising its number.
EXCEPTIONS = {}

FOLDERS = ("include", "src", "test")
NO_SOURCES = ("test/data/", "test/fuzz/corpus/", "test/golden/jaxjob/", "test/golden/pytorchjob/")
ONE_NAMESPACE = ("include/", "src/")
ENDINGS = {".hpp", ".cpp", ".ipp", ".inl", ".h", ".py", ".cmake"}


def is_source(path, name):
    return (path.suffix in ENDINGS or path.name == "CMakeLists.txt") and not name.startswith(NO_SOURCES) and path.is_file()


def namespace_faults(name, text):
    count = len(re.findall(r"^\s*namespace\s*\{", text, re.MULTILINE))
    if count < 2 or not name.startswith(ONE_NAMESPACE):
        return []
    return [f"{name}: {count} anonymous namespaces, expected at most 1: merge them"]


def length_faults(name, lines):
    if name not in EXCEPTIONS:
        return [f"{name}: {lines} lines, expected at most {LIMIT}: split it"] if lines > LIMIT else []
    if lines > EXCEPTIONS[name]:
        return [f"{name}: {lines} lines, expected at most {EXCEPTIONS[name]}, its exception: split it"]
    if lines > LIMIT:
        return []
    return [f"{name}: {lines} lines need no exception: take it out of test/layers/source_shape.py"]


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
                faults += length_faults(name, len(text.splitlines())) + namespace_faults(name, text)
    faults += [f"{name}: an exception without a file: take it out of test/layers/source_shape.py"
               for name in EXCEPTIONS if not (root / name).is_file()]
    for fault in faults:
        print(fault)
    print(f"{files} sources, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
