#!/usr/bin/env python3
"""Checks that each row of docs/upstream-differences.md names a test that shows it.

usage: tested_differences.py ROOT        ROOT holds docs/ and test/

The column `tested in` holds paths below test/ in backticks, or the word `golden` for the recordings."""

import re
import sys
from pathlib import Path


def cells(row):
    """The cells of a row of a table; a `|` in backticks divides none."""
    return [cell.strip() for cell in re.split(r"\|(?=(?:[^`]*`[^`]*`)*[^`]*$)", row.strip().strip("|"))]


def check(root):
    errors, rows, column = [], 0, None
    page = "docs/upstream-differences.md"
    for number, line in enumerate((root / page).read_text(encoding="utf-8").splitlines(), 1):
        if not line.startswith("|"):
            column = None
        elif column is None:
            names = cells(line)
            column = names.index("tested in") if "tested in" in names else -1
            if column < 0:
                errors.append(f"{page}:{number}: a table without the column `tested in`")
        elif column >= 0 and not line.startswith("|---"):
            rows += 1
            row = cells(line)
            named = re.findall(r"`([^`]+)`", row[column]) if len(row) > column else []
            tests = [name for name in named if "/" in name]
            if not tests and "golden" not in named:
                errors.append(f"{page}:{number}: no test: {row[0]}")
            errors += [f"{page}:{number}: test/{name} does not exist" for name in tests if not (root / "test" / name).is_file()]
    if rows == 0:
        errors.append(f"{page}: no rows")
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
