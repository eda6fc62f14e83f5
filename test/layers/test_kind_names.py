#!/usr/bin/env python3
"""Proves on made-up trees that kind_names.py refuses the names of kinds, and nothing else."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
from kind_names import check  # noqa: E402

KIND = """
struct widget_spec { int spin_count; };
KFTRAIN_DESCRIBE(widget_spec, (size, spin_count))
struct widget { static constexpr resource_info resource{"widgets.example.com", "v1", "Widget", "widgets"}; };
"""
ROLES = 'inline constexpr std::string_view spinner = "Spinner";\n'
CHILDREN = 'constexpr child_kind all[]{{"Cog", child_update::none}};\n'


def faults(files, allowed=None):
    with tempfile.TemporaryDirectory() as root:
        tree = {"include/kftrain/kinds/widget.hpp": KIND, "src/kinds/widget/kind.hpp": ROLES,
                "src/kinds/child_kinds.cpp": CHILDREN, **files}
        for name, text in tree.items():
            path = Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return check(Path(root), allowed or {})[0]


class kind_names(unittest.TestCase):
    def refuses(self, line, name, folder="src/facade"):
        self.assertEqual(faults({f"{folder}/a.cpp": line}),
                         [f'{folder}/a.cpp:1: "{name}" belongs to a kind: let its rules answer'])

    def accepts(self, line, folder="src/facade"):
        self.assertEqual(faults({f"{folder}/a.cpp": line}), [])

    def test_names_are_refused(self):
        for name in ("Widget", "Spinner", "Cog", "spinCount", "widgets.example.com"):
            self.refuses(f'auto x = "{name}";', name)

    def test_names_in_paths_labels_and_json_are_refused(self):
        self.refuses('auto x = "spec.spinCount";', "spinCount")
        self.refuses('auto x = "spec.parts[Spinner].n";', "Spinner")
        self.refuses('auto x = "widgets.example.com/name";', "widgets.example.com")
        self.refuses(r'auto x = "{\"spinCount\":1}";', "spinCount")

    def test_all_layers_above_are_read(self):
        for folder in ("src/cli", "src/control", "src/local", "src/apiserver", "include/kftrain/facade"):
            self.refuses('auto x = "Spinner";', "Spinner", folder)

    def test_kinds_and_conversions_may_have_them(self):
        for folder in ("src/kinds", "src/convert", "src/job", "src/controllers"):
            self.accepts('auto x = "Spinner";', folder)

    def test_texts_and_comments_may_mention_them(self):
        self.accepts('auto x = "run kftrain get Widget/a"; // "Spinner"')
        self.accepts('auto x = "the job of a Spinner";')
        self.accepts('auto x = "size";')

    def test_fields_of_served_objects_count_for_what_does_not_serve_them(self):
        objects = {"include/kftrain/objects/o.hpp": "KFTRAIN_DESCRIBE(o, (spin_count))"}
        line = 'auto x = "spinCount";'
        self.assertEqual(faults({**objects, "src/apiserver/a.cpp": line}), [])
        self.assertEqual(len(faults({**objects, "src/facade/a.cpp": line})), 1)

    def test_the_list_of_exceptions_is_exact(self):
        line = {"src/facade/a.cpp": 'auto x = "Spinner";'}
        self.assertEqual(faults(line, {"src/facade/a.cpp": ({"Spinner"}, "a reason")}), [])
        self.assertEqual(len(faults(line, {"src/facade/a.cpp": ({"Spinner", "Cog"}, "a reason")})), 1)
        self.assertEqual(len(faults({}, {"src/facade/gone.cpp": (set(), "a reason")})), 1)


if __name__ == "__main__":
    unittest.main()
