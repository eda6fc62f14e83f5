#!/usr/bin/python3
"""usage: scripts/prose_lint.py [FOLDER ...]

Finds the words of PATTERNS, also as parts of identifiers, comments that begin with a noun clause, and lines of more
than 120 columns in sources, tests, pages and scripts.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = [
    "README.md", "docs", "include", "src", "bindings", "examples", "test", "scripts", "cmake", "packaging", ".ci"
]
SUFFIXES = {".hpp", ".cpp", ".md", ".py", ".cmake", ".txt", ".sh", ".bash", ".1"}
NOT_OURS = ("test/bench/peers/", "test/fuzz/corpus/", "scripts/prose_")
PATTERNS = {
    "told": r"\btold\b",
    "tells": r"\btells?\b",
    "whoever": r"\bwhoever\b",
    "anew": r"\banew\b",
    "in-vain": r"\bin vain\b",
    "who-may": r"\bwho may\b",
    "of-ones-own": r"\bof one's own\b",
    "hardly": r"\bhardly (?:meant|ever)\b",
    "noun-clause": r"^\s*(?:///|//|/\*\*|#) (?-i:What|Who|Those (?:that|who)) ",
    "long-line": r"^.{121,}$",
}


def files_in(folder):
    top = ROOT / folder
    for file in [top] if top.is_file() else sorted(top.rglob("*")):
        name = file.relative_to(ROOT).as_posix()
        if not file.is_file() or name.startswith(NOT_OURS):
            continue
        if file.suffix in SUFFIXES or (not file.suffix and file.read_bytes().startswith(b"#!")):
            yield name, file


def find(folder):
    """Yields the finds of a folder: pattern, file, line number, line."""
    for name, file in files_in(folder):
        for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
            if name.endswith(".md"):
                line = re.sub(r"`[^`]*`", lambda code: "x" * len(code[0]), line)  # names are not prose
            unbreakable = name.endswith(".md") and ("|" in line or "](" in line)  # rows of tables, links
            words = line.replace("_", " ")
            for pattern, expression in PATTERNS.items():
                if re.search(expression, words, re.IGNORECASE) and not (pattern == "long-line" and unbreakable):
                    yield pattern, name, number, line.strip()


def main():
    folders = sys.argv[1:] or FOLDERS
    if unknown := [f for f in folders if not (ROOT / f).exists()]:
        sys.exit(f"no such folder: {unknown[0]}")
    faults = 0
    for folder in folders:
        for pattern, name, number, line in find(folder):
            faults += 1
            print(f"{name}:{number}: {pattern}: {line[:120]}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
