#!/usr/bin/env python3
"""Proves on made-up headers that public_structs.py refuses structs that g++ 12 destroys twice, and no others."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECKER = Path(__file__).with_name("public_structs.py")


def check(text):
    """Runs the checker over a tree of one header; returns (exit code, lines)."""
    with tempfile.TemporaryDirectory() as root:
        header = Path(root, "include", "kftrain", "model", "made.hpp")
        header.parent.mkdir(parents=True)
        header.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, CHECKER, root], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.splitlines()


class public_structs(unittest.TestCase):
    def accepts(self, text):
        code, lines = check(text)
        self.assertEqual(code, 0, lines)

    def refuses(self, text, line, name):
        code, lines = check(text)
        self.assertEqual(code, 1, lines)
        self.assertEqual(lines[0], f"include/kftrain/model/made.hpp:{line}: struct {name} declares no constructor: "
                                   f"add `{name}() = default;`")
        self.assertEqual(len(lines), 2, lines)  # one error and the summary

    def test_a_declared_constructor_is_enough(self):
        self.accepts("namespace kftrain {\nstruct a {\n    a() = default;\n    int n = 0;\n};\n"
                     "struct b {\n    constexpr b() = default;\n    b(int m) : n(m) {}\n    int n{0};\n};\n"
                     "struct c {\n    explicit c(int m) : n(m) {}\n    int n;\n};\n}\n")

    def test_constructors_declared_by_the_macro_are_enough(self):
        self.accepts("struct a {\n    KFTRAIN_DECLARE_SPECIAL_MEMBERS(a);\n    int n;\n};\n")
        self.refuses("struct a {\n    KFTRAIN_DECLARE_SPECIAL_MEMBERS(b);\n    int n;\n};\n", 1, "a")

    def test_an_aggregate_is_refused_at_its_line(self):
        self.refuses("namespace kftrain {\n\nstruct a {\n    int n = 0; ///< units\n};\n}\n", 3, "a")

    def test_every_way_to_declare_data_counts(self):
        for member in ("std::vector<int> n;", "std::string n{};", "void (*n)(int) = nullptr;",
                       "std::function<int(int)> n;",
                       "std::map<std::string, std::function<void(int)>> n = {};", "kftrain::backoff n = backoff();",
                       "int f() const { return n; }\n    int n;", "bool operator()() const;\n    int n;"):
            self.refuses(f"struct a {{\n    {member}\n}};\n", 1, "a")

    def test_derived_nested_and_template_structs_count(self):
        self.refuses("struct a : base<int> {\n    int n;\n};\n", 1, "a")
        self.refuses("template <class T> struct a final {\n    T n;\n};\n", 1, "a")
        self.refuses("class c {\npublic:\n    struct a {\n        int n;\n    };\n};\n", 3, "a")

    def test_a_constructor_of_a_nested_struct_is_not_the_outer_ones(self):
        self.refuses("struct a {\n    struct b {\n        b() = default;\n        int n;\n    };\n    b n;\n};\n", 1,
                     "a")

    def test_a_destructor_or_a_comment_is_no_constructor(self):
        self.refuses("struct a {\n    ~a();\n    int n; // a() = default;\n};\n", 1, "a")

    def test_structs_without_data_need_none(self):
        self.accepts("struct a {\n    using type = int;\n    static constexpr int n = 1;\n    static int f(int m)"
                     " { return m; }\n    friend bool operator==(a const&, a const&) = default;\n"
                     "    virtual ~a() = default;\n    virtual int g(int) const = 0;\n"
                     "    enum class e { one, two };\n};\n"
                     "struct b;\n")

    def test_details_and_locals_are_left_out(self):
        self.accepts("namespace kftrain::detail {\nstruct a {\n    int n;\n};\n}\n")
        self.accepts("namespace kftrain {\ninline int f() {\n    struct a {\n        int n;\n    } x{1};\n"
                     "    return x.n;\n}\n}\n")


if __name__ == "__main__":
    unittest.main()
