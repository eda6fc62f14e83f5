#!/usr/bin/python3
"""usage: scripts/prose_lint.py [--fix] [FOLDER ...]

Finds the words of PATTERNS, also as parts of identifiers, comments that begin with a noun clause, and lines of more
than 120 columns in sources, tests, pages and scripts.
scripts/prose_baseline.txt has the number that a folder may still have, by pattern; a folder or pattern that it does
not name may have none. A count below the baseline fails, too: --fix lowers the baseline, and never raises it.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BASELINE = ROOT / "scripts/prose_baseline.txt"
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
    """All finds of a folder: {pattern: [(file, line number, line)]}."""
    found = {name: [] for name in PATTERNS}
    for name, file in files_in(folder):
        for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
            if name.endswith(".md"):
                line = re.sub(r"`[^`]*`", lambda code: "x" * len(code[0]), line)  # names are not prose
            unbreakable = name.endswith(".md") and ("|" in line or "](" in line)  # rows of tables, links
            words = line.replace("_", " ")
            for pattern, expression in PATTERNS.items():
                if re.search(expression, words, re.IGNORECASE) and not (pattern == "long-line" and unbreakable):
                    found[pattern].append((name, number, line.strip()))
    return found


def read_baseline():
    if not BASELINE.exists():
        return {}
    rows = (line.split() for line in BASELINE.read_text().splitlines() if line and not line.startswith("#"))
    return {(folder, pattern): int(count) for folder, pattern, count in rows}


def main():
    fix = "--fix" in sys.argv[1:]
    folders = [a for a in sys.argv[1:] if a != "--fix"] or FOLDERS
    if unknown := [f for f in folders if not (ROOT / f).exists()]:
        sys.exit(f"no such folder: {unknown[0]}")
    allowed = read_baseline()
    faults = 0
    for folder in folders:
        for pattern, finds in find(folder).items():
            limit = allowed.get((folder, pattern), 0)
            if len(finds) > limit:
                faults += 1
                print(f"{folder}: {len(finds)} of '{pattern}', at most {limit} allowed; the last ones:")
                for name, number, line in finds[-5:]:
                    print(f"  {name}:{number}: {line[:120]}")
            elif len(finds) < limit:
                if fix:
                    allowed[folder, pattern] = len(finds)
                else:
                    faults += 1
                    print(f"{folder}: {len(finds)} of '{pattern}', {limit} allowed; run scripts/prose_lint.py --fix")
    if fix:
        rows = [f"{folder} {pattern} {count}\n" for (folder, pattern), count in sorted(allowed.items()) if count]
        BASELINE.write_text("# folder, pattern, how many are left; see scripts/prose_lint.py\n" + "".join(rows))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
