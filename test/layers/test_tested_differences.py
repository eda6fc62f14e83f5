#!/usr/bin/env python3
"""Proves on made-up trees that tested_differences.py finds entries without a test."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECKER = Path(__file__).with_name("tested_differences.py")
HEAD = "# Title\n\n"

def check(page):
    with tempfile.TemporaryDirectory() as root:
        for name, text in {"docs/reference/upstream-differences.md": page, "test/unit/a.cpp": ""}.items():
            path = Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, CHECKER, root], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.splitlines()


class tested_differences(unittest.TestCase):
    def refuses(self, page, fault):
        self.assertEqual(check(page), (1, [f"docs/reference/upstream-differences.md{fault}"]))

    def test_entries_with_tests_pass(self):
        self.assertEqual(check(HEAD + "- **a** `#k`. *Why:* b. *Tested in:* `unit/a.cpp`.\n"
                                      "- **c**. *Tested\n  in:* `golden`, case `e`.\n"), (0, []))

    def test_an_entry_without_a_test_fails(self):
        self.refuses(HEAD + "- **a**. *Why:* b.\n", ":3: no test: a")
        self.refuses(HEAD + "- **a**. *Tested in:* by hand.\n", ":3: no test: a")
        self.refuses(HEAD + "- **a `unit/a.cpp`**. *Why:*\n  b.\n", ":3: no test: a `unit/a.cpp`")
        self.refuses(HEAD + "- **a\n  b**. *Why:* c.\n- **d**. *Tested in:* `golden`.\n", ":3: no test: a b")

    def test_a_test_that_is_gone_fails(self):
        self.refuses(HEAD + "- **a**. *Tested in:* `unit/a.cpp`, `unit/b.cpp`.\n", ":3: test/unit/b.cpp does not exist")

    def test_a_page_without_entries_fails(self):
        self.refuses("nothing\n", ": no entries")


if __name__ == "__main__":
    unittest.main()
