#!/usr/bin/env python3
"""Proves on made-up trees that tested_differences.py finds rows without a test."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECKER = Path(__file__).with_name("tested_differences.py")
HEAD = "| what | why | tested in |\n|---|---|---|\n"


def check(page):
    with tempfile.TemporaryDirectory() as root:
        for name, text in {"docs/upstream-differences.md": page, "test/unit/a.cpp": ""}.items():
            path = Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, CHECKER, root], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.splitlines()


class tested_differences(unittest.TestCase):
    def refuses(self, page, fault):
        self.assertEqual(check(page), (1, [f"docs/upstream-differences.md{fault}"]))

    def test_rows_with_tests_pass(self):
        self.assertEqual(check(HEAD + "| a `x|y` | b | `unit/a.cpp` |\n| c | d | `golden`, case `e` |\n"), (0, []))

    def test_a_row_without_a_test_fails(self):
        self.refuses(HEAD + "| a | b | |\n", ":3: no test: a")
        self.refuses(HEAD + "| a | b | by hand |\n", ":3: no test: a")
        self.refuses(HEAD + "| a `unit/a.cpp` | b | |\n", ":3: no test: a `unit/a.cpp`")

    def test_a_test_that_is_gone_fails(self):
        self.refuses(HEAD + "| a | b | `unit/a.cpp`, `unit/b.cpp` |\n", ":3: test/unit/b.cpp does not exist")

    def test_a_table_without_the_column_fails(self):
        self.refuses(HEAD + "| a | b | `golden` |\n\n| what |\n|---|\n| c |\n", ":5: a table without the column `tested in`")

    def test_a_page_without_rows_fails(self):
        self.refuses("nothing\n", ": no rows")


if __name__ == "__main__":
    unittest.main()
