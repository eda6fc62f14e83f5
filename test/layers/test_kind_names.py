#!/usr/bin/env python3
"""Proves on made-up trees that kind_names.py refuses the names of kinds, and nothing else."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
from kind_names import check  # noqa: E402

KIND = """
struct widget_spec { int size, spin_count, cogs; };
KFTRAIN_DESCRIBE(widget_spec, (size, spin_count, cogs))
struct widget { static constexpr resource_info resource{"widgets.example.com", "v1", "Widget", "widgets"}; };
"""
ROLES = """
constexpr std::string_view spinner = "Spinner";
constexpr std::array<std::string_view, 1> types{spinner};
"""
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

    def test_fields_of_one_word_and_values_are_refused(self):
        self.refuses('auto x = "cogs";', "cogs")
        self.refuses(r'auto x = "{\"restartPolicy\":\"ExitCode\"}";', "ExitCode")

    def test_headers_of_kinds_and_of_objects_of_operators_are_refused(self):
        objects = {"include/kftrain/objects/gears/gear.hpp":
                   'static constexpr resource_info resource{"gears.example.com", "v1", "Gear", "gears"};',
                   "include/kftrain/objects/core/pod.hpp":
                   'static constexpr resource_info resource{"", "v1", "Pod", "pods"};'}
        for header, name in (("<kftrain/kinds/widget.hpp>", "kinds/widget"),
                             ('"kinds/widget/kind.hpp"', "kinds/widget/kind"),
                             ("<kftrain/objects/gears/gear.hpp>", "gears/gear")):
            found = faults({**objects, "src/facade/a.cpp": f"#include {header}\n"})
            self.assertEqual(found, [f'src/facade/a.cpp:1: "{name}" belongs to a kind: let its rules answer'])
        for header in ("<kftrain/kinds/registry.hpp>", '"kinds/child_kinds.hpp"', "<kftrain/objects/core/pod.hpp>"):
            self.assertEqual(faults({**objects, "src/facade/a.cpp": f"#include {header}\n"}), [])

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

    def test_field_names_of_served_objects_are_faults_outside_the_server(self):
        objects = {"include/kftrain/objects/o.hpp": "KFTRAIN_DESCRIBE(o, (size, spin_count))"}
        line = 'auto x = "spinCount";'
        self.assertEqual(faults({**objects, "src/apiserver/a.cpp": line}), [])
        self.assertEqual(len(faults({**objects, "src/facade/a.cpp": line})), 1)
        self.assertEqual(faults({**objects, "src/facade/a.cpp": 'auto x = "size";'}), [])

    def test_the_list_of_exceptions_is_exact(self):
        line = {"src/facade/a.cpp": 'auto x = "Spinner";'}
        self.assertEqual(faults(line, {"src/facade/a.cpp": ({"Spinner"}, "a reason")}), [])
        self.assertEqual(len(faults(line, {"src/facade/a.cpp": ({"Spinner", "Cog"}, "a reason")})), 1)
        self.assertEqual(len(faults({}, {"src/facade/gone.cpp": (set(), "a reason")})), 1)


if __name__ == "__main__":
    unittest.main()
