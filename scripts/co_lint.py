#!/usr/bin/env python3
"""Finds `co_await` in the shapes that g++ 11 and 12 accept and build wrongly, or do not build at all.

usage: co_lint.py FILE-OR-FOLDER...      exit code 1 and a line per finding if there is any

  A   co_await in the condition of if, while, for or switch   the body may not run
  B   a braced initialiser in a statement with co_await       an aggregate temporary is destroyed twice;
                                                              as an initializer_list (E) it does not compile
  B"  a lambda that captures by value in such a statement     its captures are destroyed twice
  C   co_await and ?: in one statement                        a class-type result is destroyed twice
  D   co_await in a throw expression                          use after free

The remedy is always the same: give the part a name first, then await, or await into a named variable first.

It reads tokens, not C++: it cuts a file into statements, takes the blocks nested in a statement (the bodies of
lambdas) out of it and looks at what remains. So it also refuses some statements that would be right, such as
`co_await f(T{})` with a T that is no aggregate. What it cannot see is a default argument of aggregate type.
"""

import re
import sys
from pathlib import Path

TOKEN = re.compile(
    r"""(?P<skip>//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:[^\n\\]|\\.)*)"""
    r"""|(?P<text>(?:u8|[uUL])?R"(?P<tag>[^\s()\\]*)\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])*')"""
    r"""|(?P<word>\d(?:'?[\w.])*|\w+|->|&&|\|\||::)|(?P<other>[^\s\w])""",
    re.S | re.M,
)

SCOPES = {"namespace", "struct", "class", "union", "enum", "extern", "requires"}
BEFORE_BODY = {")", "]", "}", ":", "else", "try", "do", "mutable", "noexcept", "const", "override", "final", "requires"}
BEFORE_LAMBDA = {"(", ",", "=", "{", "return", "co_return", "co_await", "&&", "||", "?", ":"}


def tokens(text):
    """The tokens with their lines; comments and preprocessor lines are dropped, literals become `""`."""
    line, at = 1, 0
    for match in TOKEN.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        if match.lastgroup == "skip":
            continue
        yield ('""' if match["text"] is not None else match.group(), line)


def has_trailing_return(words):
    """Do the words end with `-> type`, as a lambda's or a function's head does?"""
    depth = 0
    for word in reversed(words):
        if word == "->" and depth <= 0:
            return True
        if word in (";", "=", "(", "return", "co_return") or (word == "," and depth <= 0):
            return False
        depth += (word == ">") - (word == "<")
    return False


def without_template_head(words):
    """Drops `template <...>`, whose default arguments hold a `=`."""
    while words[:2] == ["template", "<"]:
        depth = 0
        for i, word in enumerate(words[1:], 1):
            depth += (word == "<") - (word == ">")
            if depth == 0:
                words = words[i + 1 :]
                break
        else:
            return words
    return words


def opens_block(words):
    """Does a `{` after these words of its statement open a block, rather than an initialiser?"""
    words = without_template_head(words)
    if not words or words[-1] in BEFORE_BODY or has_trailing_return(words):
        return True
    return not SCOPES.isdisjoint(words) and "=" not in words


class scanner:
    def __init__(self, text):
        self.tokens = list(tokens(text))
        self.at = 0
        self.findings = []

    def scan(self):
        while self.at < len(self.tokens):
            self.block()  # a stray `}` ends one too early; go on behind it
        return sorted(set(self.findings))

    def block(self):
        """Reads statements up to the matching `}`."""
        statement, depth = [], 0
        while self.at < len(self.tokens):
            word, line = self.tokens[self.at]
            self.at += 1
            if word == "{":
                if opens_block([w for w, _ in statement]):
                    self.block()
                    if depth == 0:
                        self.judge(statement)
                        # Text after a block may belong to it: `struct {...} name;`, a lambda that is called.
                        statement = []
                else:
                    statement.append((word, line))
                    statement += self.initialiser()
            elif word == "}":
                break
            else:
                depth += (word in "([") - (word in ")]")
                statement.append((word, line))
                if word == ";" and depth <= 0:
                    self.judge(statement)
                    statement, depth = [], 0
        self.judge(statement)

    def initialiser(self):
        """Reads up to the matching `}` of a braced initialiser; returns its tokens without the bodies of lambdas."""
        inside = []
        while self.at < len(self.tokens):
            word, line = self.tokens[self.at]
            self.at += 1
            words = [w for w, _ in inside]
            if word == "{" and words and (words[-1] in (")", "]", "mutable", "noexcept") or has_trailing_return(words)):
                self.block()
                continue
            inside.append((word, line))
            if word == "{":
                inside += self.initialiser()
            elif word == "}":
                break
        return inside

    def judge(self, statement):
        words = [word for word, _ in statement]
        if "co_await" not in words:
            return
        line = statement[words.index("co_await")][1]
        for i, word in enumerate(words):
            if word in ("if", "while", "switch", "for") and "co_await" in condition(words[i:]):
                self.report(line, "A", f"co_await in the condition of '{word}'; await into a named variable first")
            if word == "throw" and "co_await" in words[i:]:
                self.report(line, "D", "co_await in a throw expression; await into a named variable first")
            if word == "[" and captures_by_value(words, i):
                why = "a lambda with by-value captures in a statement with co_await; name it, then move it in"
                self.report(line, 'B"', why)
        if "?" in words:
            self.report(line, "C", "co_await and ?: in one statement; use if and else")
        if "{" in words:
            self.report(line, "B",
                        "a braced initialiser in a statement with co_await; name the object, then move it in")

    def report(self, line, shape, why):
        self.findings.append((line, f"[{shape}] {why}"))


def condition(words):
    """The words of the condition of a statement that begins with if, while, switch or for."""
    if "(" not in words:
        return []
    start = words.index("(")
    depth, semicolons, colon, end = 0, [], False, len(words)
    for i in range(start, len(words)):
        depth += (words[i] in "([{") - (words[i] in ")]}")
        if depth == 0:
            end = i
            break
        if depth == 1:
            if words[i] == ";":
                semicolons.append(i)
            colon = colon or words[i] == ":"
    if words[0] != "for":
        return words[semicolons[-1] if semicolons else start : end]
    if len(semicolons) == 2:
        return words[semicolons[0] : semicolons[1]]
    return [] if colon else words[start:end]  # a range is awaited once, before the loop: that is built right


def captures_by_value(words, at):
    """Does a lambda that captures by value begin at the `[`?"""
    if words[at + 1 : at + 2] == ["["] or (at and words[at - 1] not in BEFORE_LAMBDA):
        return False  # an attribute or a subscript
    depth, captures = 1, [[]]
    for word in words[at + 1 :]:
        depth += (word in "([{") - (word in ")]}")
        if depth == 0:
            break
        if word == "," and depth == 1:
            captures.append([])
        else:
            captures[-1].append(word)
    return any(capture and capture[0] != "&" and capture != ["this"] for capture in captures)


def files_of(path):
    """The path itself, or the C++ files below it."""
    return sorted(p for p in path.rglob("*.?pp") if p.suffix in (".cpp", ".hpp", ".ipp")) if path.is_dir() else [path]


def main(paths):
    found = 0
    for path in (file for each in paths for file in files_of(Path(each))):
        for line, why in scanner(path.read_text(encoding="utf-8")).scan():
            print(f"{path}:{line}: {why}")
            found += 1
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__.split("\n\n")[1])
    sys.exit(main(sys.argv[1:]))
