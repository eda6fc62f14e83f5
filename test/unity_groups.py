#!/usr/bin/env python3
"""usage: unity_groups.py SOURCE...

Prints a number for each source, line by line: those with the same number can be compiled as one, since no two of them,
nor the headers of the tests that they include, declare the same name in the same namespace. A test suite is a
namespace. Most of the time of a test's compilation goes to headers. A clash that is overlooked is an error of the
compiler, which names both sources.
"""

import math
import pathlib
import re
import sys

LARGEST = 24

RAW_STRING = re.compile(r'R"(\w*)\(.*?\)\1"', re.DOTALL)
STRING = re.compile(r'"(\\.|[^"\\\n])*"')
CHARACTER = re.compile(r"'(\\.|[^'\\\n])'")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
SCOPE = re.compile(r"^BOOST_(?:AUTO|FIXTURE)_TEST_SUITE\((\w+).*?\)$|^BOOST_AUTO_TEST_SUITE_END\(\)$", re.MULTILINE)
ALIAS = re.compile(r"^namespace \w+ = ")  # the same one everywhere
NAMESPACE = re.compile(r"^(?:inline )?namespace(?: ([\w:]+))?$")
INCLUDED = re.compile(r'^#include "([^"]+)"$', re.MULTILINE)
DIRECTIVE = re.compile(r"^#.*$", re.MULTILINE)
NAMED_TYPE = re.compile(r"(?:struct|class|enum|using|namespace)\s+(?:\w+::)*(\w+)")
NAMED_OTHER = re.compile(r"([\w:]+)\s*(?:\(|=|$)")  # with `::`: a member
TEMPLATE = re.compile(r"template\s*<[^<>]*(?:<[^<>]*>[^<>]*)*>")

TESTS = pathlib.Path(__file__).resolve().parent


def scopes_of_suites(text):
    """Suites are namespaces; `}` ends one."""
    return SCOPE.sub(lambda found: f"namespace {found.group(1)} {{" if found.group(1) else "}", text)


def statements(text):
    """What stands in no braces but those of namespaces: pairs of the namespace and the statement."""
    spaces = []  # names of the namespaces around
    depth = 0  # of other braces
    written = ""
    for character in text:
        if character == "{":
            space = NAMESPACE.match(written.strip()) if depth == 0 else None
            if space:
                spaces.append(space.group(1) or "")
                written = ""
            else:
                if depth == 0:
                    yield "::".join(filter(None, spaces)), written.strip()
                    written = ""
                depth += 1
        elif character == "}":
            if depth > 0:
                depth -= 1
            else:
                spaces.pop()
            written = ""
        elif depth == 0 and character == ";":
            yield "::".join(filter(None, spaces)), written.strip()
            written = ""
        elif depth == 0:
            written += character


def declared(text):
    """The qualified names that stand in no braces."""
    names = set()
    for space, statement in statements(scopes_of_suites(text)):
        if statement.startswith("using namespace") or ALIAS.match(statement):
            continue
        statement = TEMPLATE.sub("", statement)
        found = NAMED_TYPE.search(statement) or NAMED_OTHER.search(statement)
        if found and "::" not in found.group(1) and not found.group(1).startswith("BOOST_"):
            names.add(f"{space}::{found.group(1)}")
    return names


class Names:
    """What a source and the headers of the tests that it includes declare, by file."""

    def __init__(self, path):
        self.by_file = {}
        self.read(path)

    def read(self, path):
        text = path.read_text()
        for header in INCLUDED.findall(text):
            if header not in self.by_file and (TESTS / header).is_file():
                self.by_file[header] = set()
                self.read(TESTS / header)
        for pattern in (RAW_STRING, STRING, CHARACTER):
            text = pattern.sub("0", text)
        for pattern in (COMMENT, DIRECTIVE):
            text = pattern.sub("", text)
        key = str(path.relative_to(TESTS)) if path.is_relative_to(TESTS) else str(path)
        self.by_file[key] = declared(text)

    def fits(self, group):
        """Whether no name is declared by two files."""
        mine = self.by_file
        return not any(
            names & theirs
            for other in group
            for file, names in mine.items()
            for other_file, theirs in other.by_file.items()
            if file not in other.by_file and other_file not in mine  # else one source has both
        )


def main():
    sources = sys.argv[1:]
    largest = math.ceil(len(sources) / math.ceil(len(sources) / LARGEST))  # so that groups are about equal
    groups = []
    for argument in sources:
        names = Names(pathlib.Path(argument).resolve())
        for number, group in enumerate(groups):
            if len(group) < largest and names.fits(group):
                group.append(names)
                break
        else:
            number = len(groups)
            groups.append([names])
        print(number)


if __name__ == "__main__":
    main()
