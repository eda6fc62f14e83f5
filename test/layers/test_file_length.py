#!/usr/bin/env python3
"""Proves on made-up trees that file_length.py refuses what is too long, and nothing else."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
from file_length import EXCEPTIONS, LIMIT  # noqa: E402

CHECKER = Path(__file__).with_name("file_length.py")


def check(files):
    """Runs the checker over a tree of these files, given by their numbers of lines, and the exceptions; (exit code,
    lines)."""
    with tempfile.TemporaryDirectory() as root:
        Path(root, "src").mkdir()
        for name, lines in {**EXCEPTIONS, **files}.items():
            if lines is None:
                continue
            path = Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("x\n" * lines, encoding="utf-8")
        done = subprocess.run([sys.executable, CHECKER, root], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.splitlines()


class file_length(unittest.TestCase):
    def accepts(self, files):
        code, lines = check(files)
        self.assertEqual(code, 0, lines)

    def refuses(self, files, fault):
        code, lines = check(files)
        self.assertEqual(code, 1, lines)
        self.assertEqual(lines[0], fault)
        self.assertEqual(len(lines), 2, lines)  # one fault and the summary

    def test_sources_may_have_as_many_lines_as_the_limit(self):
        self.accepts({})
        for name in ("src/model/a.cpp", "include/kftrain/a.hpp", "test/async/a.hpp", "test/layers/a.py",
                     "test/CMakeLists.txt"):
            self.accepts({name: LIMIT})
            self.refuses({name: LIMIT + 1}, f"{name}: {LIMIT + 1} lines, expected at most {LIMIT}: split it")

    def test_data_and_recordings_are_no_sources(self):
        self.accepts({name: 5 * LIMIT for name in (
            "test/data/a.py", "test/golden/pytorchjob/a.jsonl", "src/model/schema.json", "test/fuzz/corpus/yaml/a.cpp",
            "docs/a.py")})

    def test_an_exception_has_a_limit_of_its_own(self):
        for name, limit in EXCEPTIONS.items():
            self.refuses({name: limit + 1},
                         f"{name}: {limit + 1} lines, expected at most {limit}, its exception: split it")

    def test_an_exception_that_nothing_needs_is_told(self):
        for name in EXCEPTIONS:
            end = "take it out of test/layers/file_length.py"
            self.refuses({name: LIMIT}, f"{name}: {LIMIT} lines need no exception: {end}")
            self.refuses({name: None}, f"{name}: an exception without a file: {end}")


if __name__ == "__main__":
    unittest.main()
