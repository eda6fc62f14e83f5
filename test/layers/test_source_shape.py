#!/usr/bin/env python3
"""Proves on made-up trees that source_shape.py rejects long files and second anonymous namespaces."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
from source_shape import LIMIT, WARNING  # noqa: E402

CHECKER = Path(__file__).with_name("source_shape.py")


def check(files):
    """Runs the checker over a tree of these files, which are texts or numbers of lines; returns the exit code and the
    output lines."""
    with tempfile.TemporaryDirectory() as root:
        Path(root, "src").mkdir()
        for name, lines in files.items():
            path = Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(lines if isinstance(lines, str) else "x\n" * lines, encoding="utf-8")
        done = subprocess.run([sys.executable, CHECKER, root], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.splitlines()


class source_shape(unittest.TestCase):
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
                     "bindings/python/tests/a.py", "test/CMakeLists.txt"):
            self.assertEqual(check({name: LIMIT})[0], 0)
            self.refuses({name: LIMIT + 1}, f"{name}: {LIMIT + 1} lines, expected at most {LIMIT}: split it")

    def test_long_sources_are_listed(self):
        self.assertEqual(check({"src/a.cpp": WARNING})[1], ["1 sources, 0 faults"])
        code, lines = check({"src/a.cpp": WARNING + 1})
        self.assertEqual((code, lines[0]), (0, f"src/a.cpp: {WARNING + 1} lines: consider splitting it"))

    def test_a_source_has_one_anonymous_namespace(self):
        one = "namespace kftrain {\nnamespace {\n}\n"
        self.accepts({"src/model/a.cpp": one, "src/model/b.cpp": one})
        for again in ("namespace {\n}\n", "namespace detail {\nnamespace {\n}\n}\n", "    namespace  { int i; }\n"):
            for name in ("src/model/a.cpp", "include/kftrain/a.hpp"):
                self.refuses({name: one + again}, f"{name}: 2 anonymous namespaces, expected at most 1: merge them")
            self.accepts({"test/unit/a.cpp": one + again})

    def test_data_and_recordings_are_no_sources(self):
        self.accepts({name: 5 * LIMIT for name in (
            "test/data/a.py", "test/golden/pytorchjob/a.jsonl", "src/model/schema.json", "test/fuzz/corpus/yaml/a.cpp",
            "docs/a.py")})


if __name__ == "__main__":
    unittest.main()
