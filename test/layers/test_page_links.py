#!/usr/bin/env python3
"""Proves on made-up trees that page_links.py accepts links that lead somewhere and names each that does not."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECKER = Path(__file__).with_name("page_links.py")
PAGES = {
    "README.md": "# A\n\n[docs](docs/index.md), [b](docs/a/b.md#two-words), [out](https://example.com)\n\n"
                 "[r]: docs/a/b.md\n",
    "docs/index.md": "# Index\n\n- [b](a/b.md)\n",
    "docs/a/b.md": "# B\n\n## `Two` words\n\n[here](#b), [up](../../README.md), `[no](link)`\n\n```text\n[no](link)\n"
                   "```\n",
}


def check(**changed):
    with tempfile.TemporaryDirectory() as name:
        for file, text in PAGES.items():
            path = Path(name, file)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(changed.get(path.stem, text), encoding="utf-8")
        done = subprocess.run([sys.executable, CHECKER, name], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.splitlines()


class page_links(unittest.TestCase):
    def test_links_that_lead_somewhere_pass(self):
        self.assertEqual(check(), (0, []))

    def test_an_absent_file_is_named(self):
        self.assertEqual(check(README="\n[a](docs/absent.md)\n"), (1, ["README.md:2: docs/absent.md does not exist"]))
        self.assertEqual(check(README="[r]: docs/absent.md\n"), (1, ["README.md:1: docs/absent.md does not exist"]))

    def test_an_absent_heading_is_named(self):
        self.assertEqual(check(README="[a](docs/a/b.md#three)\n"),
                         (1, ["README.md:1: docs/a/b.md#three: no such heading"]))

    def test_each_page_is_linked_once(self):
        self.assertEqual(check(index="# Index\n"), (1, ["docs/index.md: links docs/a/b.md 0 times, expected once"]))
        self.assertEqual(check(index="[b](a/b.md) [c](a/b.md)\n"),
                         (1, ["docs/index.md: links docs/a/b.md 2 times, expected once"]))


if __name__ == "__main__":
    unittest.main()
