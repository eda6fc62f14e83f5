#!/usr/bin/env python3
"""Proves on made-up trees that compile_alone.py finds headers that do not compile alone, precompiled hubs or not.

usage: test_compile_alone.py COMPILER"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import compile_alone

CHECKER = Path(__file__).with_name("compile_alone.py")
HUB = "#ifndef M\n#define M\n#include <string>\nnamespace k { inline std::string hub() { return {}; } }\n#endif\n"


class trees(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.root = Path(made.name)
        self.write("model/meta", HUB)

    def write(self, name, text):
        path = self.root / "include" / "kftrain" / (name + ".hpp")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def check(self):
        include = self.root / "include"
        (self.root / "list").write_text("\n".join(map(str, sorted(include.rglob("*.hpp")))), encoding="utf-8")
        done = subprocess.run([sys.executable, CHECKER, include, self.root / "scratch", "2", self.root / "list",
                               COMPILER,
                               f"-I{include}", "-std=c++20", "-Wall", "-Werror"], capture_output=True, text=True,
                               check=False)
        return done.returncode, done.stdout.splitlines()

    def refuses(self, name):
        code, lines = self.check()
        self.assertEqual(code, 1, lines)
        self.assertEqual(lines[0], f"<kftrain/{name}.hpp> does not compile alone:")
        self.assertTrue(lines[-1].endswith(" 1 not alone"), lines)

    def guarded(self, text):
        return "// a comment\n#ifndef G\n#define G\n" + text + "#endif\n"

    def test_hubs_are_headers_of_the_library(self):
        for hub in compile_alone.HUBS:
            self.assertTrue((CHECKER.parents[2] / "include" / hub).is_file(), hub)

    def test_a_header_that_includes_what_it_names_passes(self):
        self.write("job/good",
                   self.guarded("#include <kftrain/model/meta.hpp>\ninline auto f() { return k::hub(); }\n"))
        self.assertEqual(self.check(), (0, ["2 headers, 2 compiled, 0 not alone"]))

    def test_a_forgotten_include_of_a_hub_is_found(self):
        self.write("job/other", self.guarded("#include <kftrain/model/meta.hpp>\n"))
        self.write("job/bad", "#ifndef B\n#define B\ninline auto f() { return k::hub(); }\n#endif\n")
        self.refuses("job/bad")

    def test_an_include_below_its_use_is_found(self):
        self.write("job/bad", self.guarded("inline auto f() { return k::hub(); }\n#include <kftrain/model/meta.hpp>\n"))
        self.refuses("job/bad")

    def test_an_include_under_a_condition_is_found(self):
        self.write("job/bad", self.guarded("#ifdef NEVER\n#include <kftrain/model/meta.hpp>\n#endif\n"
                                           "inline auto f() { return k::hub(); }\n"))
        self.refuses("job/bad")

    def test_an_include_in_a_comment_is_found(self):
        self.write("job/bad",
                   self.guarded("/*\n#include <kftrain/model/meta.hpp>\n*/\ninline auto f() { return k::hub(); }\n"))
        self.refuses("job/bad")

    def test_a_header_without_a_guard_is_found(self):
        self.write("job/bad", "#include <kftrain/model/meta.hpp>\ninline auto f() { return k::hub(); }\n")
        self.refuses("job/bad")

    def test_a_change_below_a_header_compiles_it_again(self):
        self.write("job/good",
                   self.guarded("#include <kftrain/model/meta.hpp>\ninline auto f() { return k::hub(); }\n"))
        self.check()
        self.assertEqual(self.check(), (0, ["2 headers, 0 compiled, 0 not alone"]))
        self.write("model/meta", HUB.replace("hub()", "nub()"))
        self.refuses("job/good")
        self.refuses("job/good")  # what failed is not taken for done


if __name__ == "__main__":
    COMPILER = sys.argv.pop()
    unittest.main()
