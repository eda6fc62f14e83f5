#!/usr/bin/env python3
"""Checks that docs/reference/lint-rules.md lists the rules of `kftrain lint --rules`, with the same texts.

usage: lint_rules_page.py PAGE KFTRAIN [--write]     KFTRAIN is the command; --write renews the texts in the page

The page has one entry for each rule, "- `ID` (SEVERITY): TEXT", in lines of at most 120 columns. The order and the
headings are those of the page; --write does not add or remove entries.
"""

import re
import subprocess
import sys
import textwrap
from pathlib import Path

RULE = re.compile(r"^(\S+)  (error|warning|info)\n    (.+)\n", re.M)
ENTRY = re.compile(r"^- `(lint\.[^`]*)`.*\n(?:  .*\n)*", re.M)


def read_rules(printed):
    """{id: (severity, text)} of the output of `kftrain lint --rules`; None if a line of it belongs to no rule."""
    return None if RULE.sub("", printed) else {m[1]: (m[2], m[3]) for m in RULE.finditer(printed)}


def entry_of(rule_id, severity, text):
    return "\n".join(textwrap.wrap(f"- `{rule_id}` ({severity}): {text}", 120, subsequent_indent="  ",
                                   break_on_hyphens=False, break_long_words=False)) + "\n"


def find_faults(page, rules):
    faults = []
    listed = [m[1] for m in ENTRY.finditer(page)]
    faults += [f"{rule_id}: listed {listed.count(rule_id)} times" for rule_id in sorted(set(listed))
               if listed.count(rule_id) > 1]
    faults += [f"{rule_id}: not in the page" for rule_id in rules if rule_id not in listed]
    for entry in ENTRY.finditer(page):
        if entry[1] not in rules:
            faults.append(f"{entry[1]}: not a rule of kftrain")
        elif entry[0] != entry_of(entry[1], *rules[entry[1]]):
            faults.append(f"{entry[1]}: expected\n{entry_of(entry[1], *rules[entry[1]])}got\n{entry[0]}")
    return faults


def renewed(page, rules):
    return ENTRY.sub(lambda m: entry_of(m[1], *rules[m[1]]) if m[1] in rules else m[0], page)


def main():
    words = [a for a in sys.argv[1:] if a != "--write"]
    if len(words) != 2:
        sys.exit(__doc__.split("\n\n")[1])
    page, program = Path(words[0]), words[1]
    rules = read_rules(subprocess.run([program, "lint", "--rules"], capture_output=True, text=True, check=True).stdout)
    if not rules:
        sys.exit("kftrain lint --rules: expected an id, a severity and a text for each rule")
    if "--write" in sys.argv[1:]:
        page.write_text(renewed(page.read_text(encoding="utf-8"), rules), encoding="utf-8")
    faults = find_faults(page.read_text(encoding="utf-8"), rules)
    for fault in faults:
        print(f"{page}: {fault}")
    sys.exit("run test/layers/lint_rules_page.py with --write to renew the texts" if faults else 0)


if __name__ == "__main__":
    main()
