#!/usr/bin/env python3
"""Proves on a made-up tree and command that documented_commands.py accepts pages that fit and names each way in which
they do not."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECKER = Path(__file__).with_name("documented_commands.py")
COMMAND = """#!/bin/sh
case "$*" in
--help) printf 'Usage: x\\n\\nCommands:\\n  get                         Read jobs\\n' ;;
"get --help") printf 'Read\\n\\nOptions:\\n  -h, --help                  Help\\n  -f, --file FILE             A file\\n'
              printf '\\nMore options:\\n  --all                       Not --file\\n\\n'
              printf 'Exit codes:\\n  0    Read.\\n  1    Absent.\\n  2    Arguments.\\n'
              printf '\\nExamples:\\n  # 3 jobs\\n  x get\\n' ;;
esac
"""
FILES = {
    "docs/reference/commands.md": "| `kftrain get` | reads |\n\n| `get` | 0 read, 1 absent, 2 arguments |\n",
    "docs/reference/get.md": "# Get\n\n## kftrain get\n\nOptions `-f`, `--file` and `--all`.\n\n## Other\n\n`--else`\n",
    "docs/contributing.md": "```tree\ndocs/       pages\npackaging/  more\n```\n",
    "packaging/kftrain.1": ".B kftrain get\n",
    "packaging/completion/kftrain.bash": "_kftrain() { COMPREPLY=(get); }\n",
}


def check(**changed):
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        for file, text in FILES.items():
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            old, new = changed.get(file.split("/")[-1].replace(".", "_"), ("", ""))
            assert old in text
            (root / file).write_text(text.replace(old, new, 1) if old else text, encoding="utf-8")
        program = root / "x.sh"
        program.write_text(COMMAND, encoding="utf-8")
        program.chmod(0o755)
        done = subprocess.run([sys.executable, CHECKER, root, program], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.splitlines(), done.stderr


class documented_commands(unittest.TestCase):
    def refuses(self, part, **changed):
        code, lines, output = check(**changed)
        self.assertEqual((code, len(lines)), (1, 1), (lines, output))
        self.assertIn(part, lines[0])

    def test_pages_that_fit_pass(self):
        self.assertEqual(check(), (0, [], ""))

    def test_commands_are_compared(self):
        self.refuses("lists [], the command has ['get']", commands_md=("| `kftrain get` |", "| get |"))
        self.refuses("packaging/kftrain.1: has []", kftrain_1=("get", ""))
        self.refuses("kftrain.bash: offers ['gat']", kftrain_bash=("get", "gat"))

    def test_exit_codes_are_compared(self):
        self.refuses("get ends with ['0', '1', '3'], --help has ['0', '1', '2']", commands_md=("2 arg", "3 arg"))
        self.refuses("no exit codes of get", commands_md=("| `get` |", "| get |"))

    def test_options_are_compared(self):
        self.refuses("kftrain get: --all is not described", get_md=(" and `--all`", ""))
        self.refuses("kftrain get: there is no --any", get_md=("`--all`", "`--all`, `--any`"))

    def test_the_tree_is_compared(self):
        self.refuses("absent/ does not exist", contributing_md=("packaging/  more", "packaging/  more\nabsent/  no"))
        self.refuses("no tree", contributing_md=("```tree", "```text"))


if __name__ == "__main__":
    unittest.main()
