#!/usr/bin/env python3
"""Checks that links between pages lead somewhere, and that docs/index.md links every page of docs/ once.

usage: page_links.py ROOT        ROOT holds README.md and docs/

Read are README.md and all pages of docs/ and examples/. A link to a page with `#...` must name one of its headings."""

import os
import re
import sys
from pathlib import Path

LINK = re.compile(r"(?<!`)\]\(([^)\s]+)\)")
DEFINITION = re.compile(r"^\[[^\]]+\]: (\S+)$", re.M)
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.S | re.M)


def text_of(page):
    return CODE.sub(lambda m: "\n" * m[0].count("\n"), page.read_text(encoding="utf-8"))


def anchors(page):
    found = set()
    for title in re.findall(r"^#+ (.*)$",
                            re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.S | re.M), re.M):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "").strip().lower()
        found.add(re.sub(r"[^\w\- ]", "", plain).replace(" ", "-"))
    return found


def links(page):
    """(line, target as written) of each link to another file or heading."""
    text = text_of(page)
    for match in [*LINK.finditer(text), *DEFINITION.finditer(text)]:
        if not re.match(r"[a-z]+:", match[1]):
            yield text.count("\n", 0, match.start()) + 1, match[1]


def check(root):
    errors = []
    pages = [root / "README.md", *sorted((root / "docs").rglob("*.md")), *sorted((root / "examples").rglob("*.md"))]
    for page in pages:
        name = page.relative_to(root).as_posix()
        for line, target in links(page):
            path, _, heading = target.partition("#")
            file = Path(os.path.normpath(page.parent / path)) if path else page
            if not file.exists():
                errors.append(f"{name}:{line}: {target} does not exist")
            elif heading and file.suffix == ".md" and heading not in anchors(file):
                errors.append(f"{name}:{line}: {target}: no such heading")
    index = root / "docs/index.md"
    linked = [os.path.normpath(index.parent / target.partition("#")[0]) for _, target in links(index)]
    for page in pages:
        count = linked.count(str(page))
        if "docs" in page.relative_to(root).parts and page != index and count != 1:
            errors.append(f"docs/index.md: links {page.relative_to(root).as_posix()} {count} times, expected once")
    return errors


def main():
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "docs/index.md").is_file():
        sys.exit(__doc__.split("\n\n")[1])
    errors = check(Path(os.path.abspath(sys.argv[1])))
    for error in errors:
        print(error)
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
