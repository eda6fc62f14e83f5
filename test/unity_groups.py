#!/usr/bin/env python3
"""usage: unity_groups.py SOURCE...

Prints a number for each source, line by line: those with the same number can be compiled as one, since no two of them,
nor the headers of the tests that they include, declare the same name outside of their suites, which are namespaces, and
they use the same namespaces there. Most of the time of a test's compilation goes to headers. A clash that is overlooked
is an error of the compiler, which names both sources.
"""

import pathlib
import re
import sys

LARGEST = 16

RAW_STRING = re.compile(r'R"(\w*)\(.*?\)\1"', re.DOTALL)
STRING = re.compile(r'"(\\.|[^"\\\n])*"')
CHARACTER = re.compile(r"'(\\.|[^'\\\n])'")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
NAMESPACE = re.compile(r"^(?:inline )?namespace(?: [\w:]+)? \{$", re.MULTILINE)
USED = re.compile(r"^using namespace [\w:]+;$", re.MULTILINE)
INCLUDED = re.compile(r'^#include "([^"]+)"$', re.MULTILINE)
SUITE = re.compile(r"^BOOST_AUTO_TEST_SUITE\((\w+).*?\)$(.*)^BOOST_AUTO_TEST_SUITE_END\(\)$", re.MULTILINE | re.DOTALL)
DIRECTIVE = re.compile(r"^#.*$", re.MULTILINE)
NAMED_TYPE = re.compile(r"(?:struct|class|enum|using|namespace)\s+(?:\w+::)*(\w+)")
NAMED_OTHER = re.compile(r"(\w+)\s*(?:\(|=|$)")

TESTS = pathlib.Path(__file__).resolve().parent


def statements(text):
    """What stands in no braces."""
    depth = 0
    outside = []
    for character in text:
        if character == "{":
            outside.append(";" if depth == 0 else "")
            depth += 1
        elif character == "}":
            depth = max(depth - 1, 0)  # the end of a namespace, whose begin was taken away
        elif depth == 0:
            outside.append(character)
    return "".join(outside).split(";")


def declared(text):
    """The names that stand in no braces."""
    names = set()
    for statement in statements(USED.sub("", text)):
        found = NAMED_TYPE.search(statement) or NAMED_OTHER.search(statement.strip())
        if found and not found.group(1).startswith("BOOST_"):
            names.add(found.group(1))
    return names


class Names:
    """What a source and the headers of the tests that it includes declare, by file."""

    def __init__(self, path):
        self.by_file = {}
        self.used = frozenset()
        self.read(path)

    def read(self, path):
        text = path.read_text()
        for header in INCLUDED.findall(text):
            if header not in self.by_file and (TESTS / header).is_file():
                self.by_file[header] = set()
                self.read(TESTS / header)
        for pattern, stands_in in ((RAW_STRING, '""'), (STRING, '""'), (CHARACTER, "0"), (COMMENT, ""), (DIRECTIVE, ""),
                                   (NAMESPACE, "")):
            text = pattern.sub(stands_in, text)
        suite = SUITE.search(text)
        outside = SUITE.sub("", text) if suite else text
        self.used |= frozenset(USED.findall(outside))
        names = declared(outside)
        if suite:
            names |= {f"{suite.group(1)}::{name}" for name in declared(suite.group(2))}
        key = str(path.relative_to(TESTS)) if path.is_relative_to(TESTS) else str(path)
        self.by_file[key] = names

    def fits(self, group):
        """Whether no name is declared by two files, and names mean the same in all of them."""
        if any(other.used != self.used for other in group):
            return False
        mine = self.by_file
        return not any(
            names & theirs
            for other in group
            for file, names in mine.items()
            for other_file, theirs in other.by_file.items()
            if file not in other.by_file and other_file not in mine  # else one source has both
        )


def main():
    groups = []
    for argument in sys.argv[1:]:
        names = Names(pathlib.Path(argument).resolve())
        for number, group in enumerate(groups):
            if len(group) < LARGEST and names.fits(group):
                group.append(names)
                break
        else:
            number = len(groups)
            groups.append([names])
        print(number)


if __name__ == "__main__":
    main()
