#!/usr/bin/env python3
"""Completes the lists of members in KFTRAIN_DESCRIBE, KFTRAIN_DESCRIBE_RESOURCE and KFTRAIN_DESCRIBE_OPTIONS.

usage: scripts/describe.py --check | --write [ROOT]      ROOT holds include/kftrain and src

A list names every data member of its struct, in the order in which they are written as JSON. It may leave out pointers
and the members that a comment behind the macro names: `// without users`. --check fails if a list lacks a member or
names another one; --write adds a new member behind its neighbour in the struct; clang-format wraps the line.
"""

import re
import sys
from pathlib import Path

SKIPPED = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|^[ \t]*#(?:[^\n\\]|\\.)*', re.S | re.M)
SCOPE = re.compile(r"\b(namespace|struct|class)\s+(?:\[\[.*?\]\]\s*)?([\w:]+)[^;{}()=]*\{")
MACRO = re.compile(r"^KFTRAIN_DESCRIBE(?:_RESOURCE|(_OPTIONS))?\(\s*([\w:]+),\s*(?(1)\([^()]*\),\s*)\(([^()]*)\)\)",
                   re.M)
WITHOUT = re.compile(r" // without ([\w, ]+)")
NO_DATA = re.compile(r"(?:using|friend|static|template|struct|class|enum|explicit|constexpr|virtual|KFTRAIN_\w+)\b|~|$")


def blanked(text):
    """The text with comments, what is quoted and preprocessor lines blanked."""
    return SKIPPED.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def closing(text, at):
    """The place of the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] in "{(") - (text[i] in "})")
        if depth == 0:
            return i
    raise SystemExit("describe.py: a bracket is not closed")


def without_groups(text):
    """The text without what is in braces and parentheses; a body of a function ends its statement."""
    out, at = "", 0
    while at < len(text):
        if text[at] in "{(":
            end = closing(text, at)
            is_body = text[at] == "{" and re.search(r"\)\s*(?:const|noexcept|override|final|\s)*$|->[^;]*$", out)
            out += "();" if is_body else text[at] + text[end]
            at = end
        else:
            out += text[at]
        at += 1
    return out


def without_arguments(text):
    """The text without template arguments."""
    while (shorter := re.sub(r"<[^<>]*>", "", text)) != text:
        text = shorter
    return text


def members_of(body):
    """The names of the data members, in their order, and whether each is a pointer."""
    names = {}
    for statement in without_arguments(without_groups(body)).split(";"):
        declared = re.sub(r"\[\[.*?\]\]|\b(?:public|private|protected)\s*:(?!:)", "", statement).strip()
        if NO_DATA.match(declared):
            continue
        first, *others = [re.sub(r"=.*|\{\}", "", part, flags=re.S).strip() for part in declared.split(",")]
        if not re.search(r"\(|\boperator\b", first):
            names |= dict.fromkeys([first.split()[-1], *others], "*" in first)
    names.pop("unknown", None)
    return names


def read_scopes(text, begin, end, scope, structs, macros):
    """Collects the members of structs by qualified name, and the macros with their namespaces."""
    at = begin
    while at < end:
        found = SCOPE.search(text, at, end)
        stop = found.start() if found else end
        macros += [(scope, macro) for macro in MACRO.finditer(text, at, stop)]
        if not found:
            return
        opening = found.end() - 1
        close = closing(text, opening)
        inner = f"{scope}::{found[2]}"
        if found[1] != "namespace":
            structs[inner] = members_of(text[opening + 1:close])
        read_scopes(text, opening + 1, close, inner, structs, macros)
        at = close + 1


def list_of(name, scope, structs):
    """The members of the struct that a macro in this namespace names."""
    while True:
        if (found := structs.get(f"{scope}::{name}")) is not None or not scope:
            return found
        scope = scope.rpartition("::")[0]


def complete(written, members, omitted):
    """The list with the missing members, each behind its neighbour in the struct, and without others."""
    names = [name for name in written if name in members and name not in omitted]
    at = 0
    for name, is_pointer in members.items():
        if name not in names and name not in omitted and not is_pointer:
            names.insert(at, name)
        at = names.index(name) + 1 if name in names else at
    return names


def main():
    args = sys.argv[1:]
    if not args or args[0] not in ("--check", "--write") or len(args) > 2:
        sys.exit(__doc__.split("\n\n")[1])
    root = Path(args[1] if len(args) > 1 else Path(__file__).resolve().parents[1])
    paths = [*sorted((root / "include/kftrain").rglob("*.hpp")),
             *sorted(path for path in (root / "src").rglob("*.hpp") if "KFTRAIN_DESCRIBE" in path.read_text())]
    structs, files, lists, faults = {}, [], 0, 0
    for path in paths:
        text, macros = path.read_text(encoding="utf-8"), []
        code = blanked(text)
        read_scopes(code, 0, len(code), "", structs, macros)
        files.append((path, text, macros))
    for path, text, macros in files:
        changed = text
        for scope, macro in reversed(macros):
            lists += 1
            members = list_of(macro[2], scope, structs)
            written = re.findall(r"\w+", macro[3])
            omitted = WITHOUT.match(text, macro.end())
            place = f"{path.relative_to(root)}:{text.count(chr(10), 0, macro.start()) + 1}"
            if members is None:
                sys.exit(f"{place}: there is no struct {macro[2]}")
            completed = complete(written, members, re.findall(r"\w+", omitted[1]) if omitted else [])
            if written == completed:
                continue
            faults += 1
            print(f"{place}: {macro[2]}: expected ({', '.join(completed)}), got ({', '.join(written)})")
            changed = changed[:macro.start(3)] + ", ".join(completed) + changed[macro.end(3):]
        if args[0] == "--write" and changed != text:
            path.write_text(changed, encoding="utf-8")
    print(f"{lists} lists, {faults} differ from their structs")
    sys.exit(1 if not lists or faults and args[0] == "--check" else 0)


if __name__ == "__main__":
    main()
