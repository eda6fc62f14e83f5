#!/usr/bin/env python3
"""Reads the structs of include/kftrain and fails on one with data that declares no constructor.

usage: public_structs.py ROOT        ROOT holds include/kftrain

g++ 12 destroys temporaries of aggregates twice in a statement with co_await; a struct that declares a constructor, as
by `T() = default;` or KFTRAIN_DECLARE_SPECIAL_MEMBERS, is no aggregate. Namespaces `detail` and structs inside
functions are left out, and so are structs without data of their own.
"""

import re
import sys
from pathlib import Path

# Constant tables that only the library makes, once, by one expression; no caller makes a temporary of them.
TABLES = {"field", "descriptor", "field_rule"}

COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|^[ \t]*#(?:[^\n\\]|\\.)*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'',
                     re.S | re.M)
STRUCT = re.compile(r"\b(struct|class)\s+(?:\[\[.*?\]\]\s*)?(\w+)(?:\s*<[^{};]*>)?(?:\s+final)?\s*(?::[^{};]*)?$", re.S)
NAMESPACE = re.compile(r"\bnamespace\s+([\w:]*)\s*$")
NO_DATA = re.compile(r"^\s*(?:using|typedef|friend|static|template|struct|class|enum|union|public|private|protected|"
                     r"KFTRAIN_\w+)\b")


def without_comments(text):
    """The text with comments, preprocessor lines and what is quoted blanked, line for line as before."""
    return COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def closing(text, at):
    """The place of the `}` that belongs to the `{` at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == "{") - (text[i] == "}")
        if depth == 0:
            return i
    return len(text)


def is_data(statement):
    """Does a statement of a struct, given without its `;`, declare a member with storage?"""
    words = re.sub(r"\b(?:public|private|protected)\s*:", "", statement).strip()
    if not words or NO_DATA.match(words):
        return False
    if re.search(r"\(\s*\*\s*\w+\s*\)", words):
        return True  # a pointer to a function
    declared = re.sub(r"<[^;]*>", "", words.split("=")[0])
    return "operator" not in words and "(" not in declared


class reader:
    def __init__(self, text):
        self.text = without_comments(text)
        self.faults = []
        self.structs = 0

    def read(self, begin, end, struct=None):
        """Reads declarations; returns whether a struct has data, and whether it declares a constructor."""
        has_data, constructed, at, start = False, False, begin, begin
        while at < end:
            if self.text[at] == "{":
                close = closing(self.text, at)
                head = self.text[start:at]
                inner = STRUCT.search(head)
                namespace = NAMESPACE.search(head)
                if inner:
                    self.struct(inner, start + inner.start(), at, close)
                elif namespace:
                    if "detail" not in namespace[1].split("::"):
                        self.read(at + 1, close)
                elif struct and re.search(rf"(?<![~\w]){struct}\s*\(", head):
                    constructed = True
                elif struct and not head.rstrip().endswith((")", "const", "noexcept", "override")):
                    has_data = has_data or is_data(head)  # its initialiser
                at = start = close + 1
                continue
            if self.text[at] == ";":
                statement = self.text[start:at]
                if struct and re.search(rf"(?<![~\w]){struct}\s*\(|KFTRAIN_DECLARE_SPECIAL_MEMBERS\(\s*{struct}\s*\)",
                                        statement):
                    constructed = True
                elif struct:
                    has_data = has_data or is_data(statement)
                start = at + 1
            at += 1
        return has_data, constructed

    def struct(self, found, begin, at, close):
        kind, name = found.groups()
        has_data, constructed = self.read(at + 1, close, name)
        self.structs += kind == "struct"
        if kind == "struct" and has_data and not constructed and name not in TABLES:
            line = self.text.count("\n", 0, begin) + 1
            self.faults.append((line, f"struct {name} declares no constructor: add `{name}() = default;`"))


def main():
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "include" / "kftrain").is_dir():
        sys.exit(__doc__.split("\n\n")[1])
    root, structs, faults = Path(sys.argv[1]), 0, 0
    for path in sorted((root / "include" / "kftrain").rglob("*.hpp")):
        one = reader(path.read_text(encoding="utf-8"))
        one.read(0, len(one.text))
        structs += one.structs
        for line, why in one.faults:
            faults += 1
            print(f"{path.relative_to(root).as_posix()}:{line}: {why}")
    print(f"{structs} public structs, {faults} without a constructor")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
