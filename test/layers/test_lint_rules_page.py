#!/usr/bin/env python3
"""Proves that lint_rules_page.py accepts a page with the texts of the rules, and reports each difference."""

import unittest

import lint_rules_page as checked

PRINTED = "lint.first  error\n    The first reason.\nlint.second  info\n    " + "A long reason. " * 12 + "End.\n"
PAGE = ("# Lint rules\n\n## Some\n\n- `lint.first` (error): The first reason.\n\n## Others\n\n"
        "- `lint.second` (info): A long reason. A long reason. A long reason. A long reason. A long reason. A long"
        " reason. A long\n  reason. A long reason. A long reason. A long reason. A long reason. A long reason. End.\n\n"
        "| id | severity |\n|---|---|\n| `lint.unknown-kind` | warning |\n")


class lint_rules_page(unittest.TestCase):
    def setUp(self):
        self.rules = checked.read_rules(PRINTED)

    def rejects(self, page, *beginnings):
        faults = checked.find_faults(page, self.rules)
        self.assertEqual(len(faults), len(beginnings), faults)
        for fault, beginning in zip(faults, beginnings):
            self.assertTrue(fault.startswith(beginning), fault)

    def test_equal_texts_pass(self):
        self.rejects(PAGE)

    def test_another_output_of_the_program_is_rejected(self):
        self.assertIsNone(checked.read_rules(PRINTED + "lint.third  fatal\n    Text.\n"))

    def test_another_text_fails(self):
        self.rejects(PAGE.replace("first reason", "First reason"), "lint.first: expected\n")

    def test_another_severity_fails(self):
        self.rejects(PAGE.replace("(error)", "(warning)"), "lint.first: expected\n")

    def test_another_line_break_fails(self):
        self.rejects(PAGE.replace(" A long\n  reason", " A\n  long reason"), "lint.second: expected\n")

    def test_a_missing_rule_fails(self):
        self.rejects(PAGE.replace("- `lint.first` (error): The first reason.\n", ""), "lint.first: not in the page")

    def test_an_unknown_rule_fails(self):
        self.rejects(PAGE + "\n- `lint.third` (info): A reason.\n", "lint.third: not a rule of kftrain")

    def test_a_rule_that_is_listed_twice_fails(self):
        self.rejects(PAGE + "\n- `lint.first` (error): The first reason.\n", "lint.first: listed 2 times")

    def test_the_page_is_renewed(self):
        old = PAGE.replace("first reason", "old reason").replace("(info)", "(error)")
        self.assertEqual(checked.renewed(old, self.rules), PAGE)


if __name__ == "__main__":
    unittest.main()
