#!/usr/bin/env python3
"""Proves on made-up trees that tested_claims.py finds claims without a test, and tests that are not there."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECKER = Path(__file__).with_name("tested_claims.py")
NAMES = "Test project /x\n  Test   #1: unit_a\n  Test  #22: consumer\n"
CMAKE = "kftrain_test(unit_a LABELS unit\n  SOURCES one.cpp ../two.cpp\n  LINK x)\n"


def check(*rows, names=NAMES):
    """Returns (exit code, lines)."""
    with tempfile.TemporaryDirectory() as root:
        files = {"docs/reference/client-features.md": "# Client\n\n- `none` of these\n\n" +
                 "".join(f"- **x**: {r}\n" for r in rows),
                 "test/unit/CMakeLists.txt": CMAKE, "test/unit/one.cpp": "BOOST_AUTO_TEST_SUITE(first)\n",
                 "test/two.cpp": "BOOST_AUTO_TEST_SUITE(second)\n",
                 "test/unit/three.cpp": "BOOST_AUTO_TEST_SUITE(third)\n"}
        for name, text in files.items():
            path = Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, CHECKER, root, "-"], input=names, capture_output=True, text=True,
                              check=False)
        return done.returncode, done.stdout.splitlines()


class tested_claims(unittest.TestCase):
    def refuses(self, part, *rows, **how):
        code, lines = check(*rows, **how)
        self.assertEqual(code, 1, lines)
        self.assertEqual(len(lines), 1, lines)
        self.assertIn(part, lines[0])

    def test_claims_with_tests_pass(self):
        self.assertEqual(check("yes; off by default. *Tested in:* `unit_a/first`, `consumer`.",
                               "partly. *Tested\n  in:* `unit_a/second`.", "no."), (0, []))

    def test_without_tests_nothing_is_shown(self):
        self.refuses("no test unit_a", "yes. *Tested in:* `unit_a`.", names="No tests were found!!!\n")

    def test_a_test_that_is_not_there_is_reported_with_its_line(self):
        self.refuses("docs/reference/client-features.md:5: no test unit_b", "yes. *Tested in:* `unit_b`.")

    def test_a_suite_of_another_program_is_none(self):
        self.refuses("no suite third in unit_a", "yes. *Tested in:* `unit_a/third`.")
        self.refuses("no suite first in consumer", "yes. *Tested in:* `consumer/first`.")

    def test_a_claim_without_a_test_fails(self):
        self.refuses("yes with 0 tests", "yes. *Tested in:* by design.")
        self.refuses("partly with 0 tests", "partly; `unit_a`.")

    def test_no_has_no_test(self):
        self.refuses("no with 1 tests", "no. *Tested in:* `unit_a`.")

    def test_an_entry_begins_with_the_claim(self):
        self.refuses("expected yes, partly or no", "Y. *Tested in:* `unit_a`.")
        self.refuses("expected yes, partly or no", "soon. *Tested in:* `unit_a`.")

    def test_a_page_without_entries_fails(self):
        self.refuses("no entries")


if __name__ == "__main__":
    unittest.main()
