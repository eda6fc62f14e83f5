#!/usr/bin/env python3
"""Proves on made-up trees that readme_example.py accepts equal texts and names each way in which they can differ."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECKER = Path(__file__).with_name("readme_example.py")
SOURCE = "// Says one.\n// [readme]\nint one() {\n    return 1;\n}\n// [readme end]\n"
PAGE = "# Title\n\n<!-- example: examples/one.cpp -->\n```cpp\nint one() {\n    return 1;\n}\n```\n\nText.\n"


def check(page=PAGE, source=SOURCE, **docs):
    """Runs the checker over one page and one source; returns (exit code, lines)."""
    with tempfile.TemporaryDirectory() as root:
        files = {"README.md": page, "examples/one.cpp": source, **{f"docs/{k}.md": v for k, v in docs.items()}}
        for name, text in files.items():
            path = Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, CHECKER, root], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.splitlines()


class readme_example(unittest.TestCase):
    def refuses(self, *parts, **tree):
        code, lines = check(**tree)
        self.assertEqual(code, 1, lines)
        self.assertEqual(len(lines), 1, lines)
        for part in parts:
            self.assertIn(part, lines[0])

    def test_equal_texts_pass(self):
        self.assertEqual(check(), (0, []))

    def test_a_changed_page_fails_with_its_line(self):
        self.refuses("README.md:6: ", "`    return 2;`", "`    return 1;`", page=PAGE.replace("return 1", "return 2"))

    def test_a_changed_source_fails(self):
        self.refuses("README.md:6: ", "`    return 3;`", source=SOURCE.replace("return 1", "return 3"))

    def test_a_space_is_a_difference(self):
        self.refuses("README.md:5: ", page=PAGE.replace("one() {", "one()  {"))

    def test_a_missing_and_a_surplus_last_line_fail(self):
        self.refuses("README.md:7: ", page=PAGE.replace("1;\n}\n", "1;\n"))
        self.refuses("README.md:7: ", source=SOURCE.replace("1;\n}\n", "1;\n"))

    def test_code_without_a_marker_fails(self):
        self.refuses("docs/a.md:2: ", "nobody compiles it", a="```cpp\nint x;\n```\n")

    def test_a_marker_without_code_fails(self):
        self.refuses("docs/a.md: ", "no C++ block", a="<!-- example: examples/one.cpp -->\n\nText.\n")

    def test_a_page_that_shows_nothing_fails(self):
        self.refuses("shows no example", page="# Title\n")

    def test_a_named_part_is_shown_without_its_indentation(self):
        source = SOURCE + "int two() {\n    // [sum]\n    int n = 1;\n    for (;;)\n        ++n;\n    // [sum end]\n}\n"
        shown = "<!-- example: examples/one.cpp#sum -->\n```cpp\nint n = 1;\nfor (;;)\n    ++n;\n```\n"
        self.assertEqual(check(source=source, a=shown), (0, []))
        self.refuses("docs/a.md:3: ", "`int n = 2;`", source=source, a=shown.replace("= 1", "= 2"))
        self.refuses("has 0 parts between `// [total]`", source=source, a=shown.replace("#sum", "#total"))

    def test_a_missing_file_or_part_fails(self):
        self.refuses("does not exist", page=PAGE.replace("one.cpp", "two.cpp"))
        self.refuses("has 0 parts", source=SOURCE.replace("// [readme]\n", ""))


if __name__ == "__main__":
    unittest.main()
