#!/usr/bin/env python3
"""Proves on made-up headers that scripts/describe.py finds and completes lists that lack members."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

DESCRIBE = Path(__file__).parents[2] / "scripts" / "describe.py"
STRUCT = """namespace kftrain::made {{
struct part {{
    part() = default;
    explicit part(int n) : size(n) {{}}
    static constexpr int most = 3;

    int size = 0, other{{}}; ///< the size; and the other
    std::map<std::string, std::vector<int>> by_name;
    std::string operator_ = "a;b";
    std::string const* detail = nullptr;
    unknown_fields unknown;

    bool is_big() const {{ return size > 3; }}
    friend bool operator==(part const&, part const&) = default;
}};
{macro}
}}
"""


def run(mode, macro):
    """Runs the script over a tree of one header; returns (exit code, lines, the macro afterwards)."""
    with tempfile.TemporaryDirectory() as root:
        header = Path(root, "include", "kftrain", "made.hpp")
        header.parent.mkdir(parents=True)
        header.write_text(STRUCT.format(macro=macro), encoding="utf-8")
        done = subprocess.run([sys.executable, DESCRIBE, mode, root], capture_output=True, text=True, check=False)
        after = next(line for line in header.read_text(encoding="utf-8").splitlines() if line.startswith("KFTRAIN"))
        return done.returncode, done.stdout.splitlines(), after


class describe(unittest.TestCase):
    def accepts(self, macro):
        code, lines, _ = run("--check", macro)
        self.assertEqual((code, lines), (0, ["1 lists, 0 differ from their structs"]))

    def refuses(self, macro, expected):
        code, lines, _ = run("--check", macro)
        self.assertEqual(code, 1, lines)
        self.assertTrue(lines[0].startswith(f"include/kftrain/made.hpp:16: part: expected ({expected}), got ("), lines)

    def test_whole_lists_are_accepted(self):
        self.accepts("KFTRAIN_DESCRIBE(part, (size, other, by_name, operator_))")
        self.accepts("KFTRAIN_DESCRIBE_RESOURCE(part, (size, other, by_name, operator_))")
        self.accepts("KFTRAIN_DESCRIBE_OPTIONS(part, (base), (size, other,\n    by_name, operator_))")

    def test_the_order_is_free_and_pointers_may_be_listed(self):
        self.accepts("KFTRAIN_DESCRIBE(part, (detail, operator_, by_name, other, size))")

    def test_each_missing_member_is_reported(self):
        everything = ["size", "other", "by_name", "operator_"]
        for name in everything:
            self.refuses(f"KFTRAIN_DESCRIBE(part, ({', '.join(n for n in everything if n != name)}))",
                         "size, other, by_name, operator_")

    def test_names_that_the_struct_lacks_are_reported(self):
        self.refuses("KFTRAIN_DESCRIBE(part, (size, other, by_name, operator_, gone))",
                     "size, other, by_name, operator_")

    def test_members_may_be_left_out_by_name(self):
        self.accepts("KFTRAIN_DESCRIBE_OPTIONS(part, (), (size, operator_)) // without other, by_name")
        self.refuses("KFTRAIN_DESCRIBE(part, (size, other, by_name, operator_)) // without other",
                     "size, by_name, operator_")

    def test_write_adds_a_member_behind_its_neighbour(self):
        code, _, after = run("--write", "KFTRAIN_DESCRIBE(part, (operator_, size, other))")
        self.assertEqual((code, after), (0, "KFTRAIN_DESCRIBE(part, (operator_, size, other, by_name))"))

    def test_a_tree_without_lists_is_a_fault(self):
        self.assertEqual(run("--check", "KFTRAIN_NOTHING(part)")[0], 1)

    def test_a_list_without_a_struct_stays(self):
        for mode in ("--check", "--write"):
            code, _, after = run(mode, "KFTRAIN_DESCRIBE(gone, (size))")
            self.assertEqual((code, after), (1, "KFTRAIN_DESCRIBE(gone, (size))"))


if __name__ == "__main__":
    unittest.main()
