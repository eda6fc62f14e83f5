"""Reads the comments of structs and members from the headers of the library."""

import re
from pathlib import Path

INCLUDE = Path(__file__).resolve().parents[3] / "include/kftrain"
FOLDERS = ("objects", "kinds", "model", "job", "facade", "convert")

STRUCT = re.compile(r"(?:struct|class) (\w+)(?: final)?(?: : [^{]*)? ?\{")
MEMBER = re.compile(r"[\w:<>,\s*]+?[\s>](\w+)\s*(?:=[^;]*|\{[^;]*\})?;")


def comments():
    """Returns the texts by the qualified name of a struct, and by (that name, member)."""
    found = {}
    for folder in FOLDERS:
        for header in sorted((INCLUDE / folder).rglob("*.hpp")):
            _read(header.read_text(), found)
    return found


def _read(text, found):
    scopes, structs, depth = [], [], 0  # names and their depths
    comment, statement, last = [], "", None
    block = False
    for raw in text.splitlines():
        line = raw.strip()
        if block or line.startswith("/**"):
            block = "*/" not in line
            comment.append(line.removeprefix("/**").replace("*/", "").strip())
            continue
        if line.startswith("///<"):  # goes on from the line before
            if last is not None:
                found[last] += " " + line.removeprefix("///<").strip()
            continue
        if line.startswith("///"):
            comment.append(line.removeprefix("///").strip())
            continue
        code, _, trailing = line.partition("///<")
        code = code.partition("//")[0].strip()
        if not code or code.startswith("#"):
            comment, last = ([], None) if not line else (comment, last)
            continue
        statement = f"{statement} {code}".strip()
        opened, closed = code.count("{"), code.count("}")
        inside = bool(structs) and depth == structs[-1][1]
        namespace = re.match(r"namespace ([\w:]+) \{", statement)
        struct = STRUCT.match(statement)
        depth += opened - closed
        last = None
        if namespace:
            scopes.append((namespace[1], depth))
        elif struct and opened > closed:
            outer = structs[-1][0] if structs else "::".join(name for name, _ in scopes)
            structs.append((f"{outer}::{struct[1]}", depth))
            _keep(found, structs[-1][0], comment)
        elif inside and code.endswith(";") and "(" not in statement:
            member = MEMBER.fullmatch(statement)
            if member and not re.match(r"(static|using|friend|enum)\b", statement):
                last = (structs[-1][0], member[1])
                _keep(found, last, [trailing.strip()] if trailing else comment)
                last = last if last in found else None
        while structs and depth < structs[-1][1]:
            structs.pop()
        while scopes and depth < scopes[-1][1]:
            scopes.pop()
        macro = statement.startswith("KFTRAIN_") and statement.count("(") == statement.count(")")
        if macro or code.endswith((";", "{", "}", ":")) or closed > opened:
            statement, comment = "", []


def _keep(found, name, comment):
    text = " ".join(part for part in comment if part)
    text = re.sub(r"\s*@(par|example|pre|file)\b.*", "", text)
    text = re.sub(r"@ref (\w+)", r"`\1`", text).strip()
    if text:
        found[name] = text
