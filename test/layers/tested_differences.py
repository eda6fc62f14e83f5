#!/usr/bin/env python3
"""Checks that each entry of docs/reference/upstream-differences.md names a test that shows it.

usage: tested_differences.py ROOT        ROOT holds docs/ and test/

An entry begins with `- **`. Behind `*Tested in:*` stand paths below test/ in backticks, or the word `golden` for the
recordings."""

import re
import sys
from pathlib import Path

PAGE = "docs/reference/upstream-differences.md"
ENTRY = re.compile(r"^- \*\*(.*?)(?=^- \*\*|^#|\Z)", re.S | re.M)


def check(root):
    errors = []
    text = (root / PAGE).read_text(encoding="utf-8")
    entries = list(ENTRY.finditer(text))
    for entry in entries:
        line = text.count("\n", 0, entry.start()) + 1
        title = " ".join(entry[1].split("**")[0].split())
        named = re.findall(r"`([^`]+)`", re.split(r"\*Tested\s+in:\*", entry[1])[-1] if "in:*" in entry[1] else "")
        tests = [name for name in named if "/" in name]
        if not tests and "golden" not in named:
            errors.append(f"{PAGE}:{line}: no test: {title}")
        errors += [f"{PAGE}:{line}: test/{name} does not exist"
                   for name in tests if not (root / "test" / name).is_file()]
    if not entries:
        errors.append(f"{PAGE}: no entries")
    return errors


def main():
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "docs").is_dir():
        sys.exit(__doc__.split("\n\n")[1])
    errors = check(Path(sys.argv[1]))
    for error in errors:
        print(error)
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
