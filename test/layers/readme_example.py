#!/usr/bin/env python3
"""Checks that the C++ shown in README.md and docs/ is the text of files that are compiled and run.

usage: readme_example.py ROOT        ROOT holds README.md, docs/ and what they show

A page shows a file by a line `<!-- example: PATH -->` with the block right below. The block must be, byte for byte,
what stands in PATH between the lines `// [readme]` and `// [readme end]`, without their indentation. `PATH#NAME` shows
the part between `// [NAME]` and `// [NAME end]`, so that pages can share a file. A C++ block without such a line is a
fault, and so is a README.md that shows nothing.
"""

import re
import sys
import textwrap
from pathlib import Path

BLOCK = re.compile(r"^```(?:cpp|c\+\+)\n(.*?)^```$", re.S | re.M)
MARKER = re.compile(r"^<!-- example: (\S+) -->\n\Z", re.M)
ANY_MARKER = re.compile(r"^<!-- example: ", re.M)
SHOWN = r"^ *// \[{0}\]\n(.*?)^ *// \[{0} end\]$"


def shown_part(root, place):
    """(text between the marker lines of a file, None), or (None, what is wrong). A place is `PATH` or `PATH#NAME`."""
    name, _, part = place.partition("#")
    part = part or "readme"
    file = root / name
    if not file.is_file():
        return None, f"{name} does not exist"
    parts = re.findall(SHOWN.format(re.escape(part)), file.read_text(encoding="utf-8"), re.S | re.M)
    if len(parts) != 1:
        return None, f"{name} has {len(parts)} parts between `// [{part}]` and `// [{part} end]`, expected one"
    return textwrap.dedent(parts[0]), None


def first_difference(got, wanted):
    """(0-based index of the first line that differs, the line as shown, the line as wanted)."""
    a, b = got.split("\n"), wanted.split("\n")
    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    line = lambda lines: lines[at] if at < len(lines) else "nothing"
    return at, line(a), line(b)


def check(root):
    errors, shown_in_readme = [], 0
    for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        name = page.relative_to(root).as_posix()
        text = page.read_text(encoding="utf-8")
        if len(ANY_MARKER.findall(text)) != sum(bool(MARKER.search(text[: m.start()])) for m in BLOCK.finditer(text)):
            errors.append(f"{name}: an `<!-- example: -->` line has no C++ block right below")
        for block in BLOCK.finditer(text):
            line = text.count("\n", 0, block.start(1)) + 1
            marker = MARKER.search(text[: block.start()])
            if marker is None:
                errors.append(f"{name}:{line}: C++ without an `<!-- example: PATH -->` line above: nobody compiles it")
                continue
            shown_in_readme += name == "README.md"
            wanted, fault = shown_part(root, marker[1])
            if fault:
                errors.append(f"{name}:{line}: {fault}")
            elif wanted != block[1]:
                at, got, expected = first_difference(block[1], wanted)
                errors.append(f"{name}:{line + at}: shows `{got}`, but {marker[1]} has `{expected}`")
    if shown_in_readme == 0:
        errors.append("README.md: shows no example")
    return errors


def main():
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "README.md").is_file():
        sys.exit(__doc__.split("\n\n")[1])
    errors = check(Path(sys.argv[1]))
    for error in errors:
        print(error)
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
