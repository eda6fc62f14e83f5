#!/usr/bin/env python3
"""Reads the asynchronous operations of the public headers and fails on one that lacks a form or a test of its forms.

usage: operation_forms.py ROOT       ROOT holds include/kftrain and test/async/forms

An operation `async_x(args, options, token)` can be called without options, without a token, and without both:

    template <completion_token Token = default_token>
    auto async_x(args, x_options options = {}, Token&& token = Token());
    template <completion_token Token> auto async_x(args, Token&& token);

Options that must be given have no default; the second overload is then absent. A run has no options. The operations
of a handle, which its comment calls so, are const. In the facade each operation has a blocking form: `x(args,
options)`. The macros CHECK_FORMS..., CHECK_FREE_FORMS and CHECK_BLOCKING_FORM of test/async/forms name every
operation."""

import re
import sys
from pathlib import Path

WITHOUT_OPTIONS = ("async_run",)  # runs until it is cancelled
FACADE = ("training_client.hpp", "facade/")
BLOCKING_NAMES = {"delete": "delete_job"}  # `delete` is a keyword
NOT_OPERATIONS = ("apiserver/pod_exec_source.hpp", "kube/initiate.hpp", "kube/transport.hpp",
                  "kube/upgraded_stream.hpp", "kube/with_diagnostics.hpp")  # what operations are made of

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
CLASS = re.compile(r"\b(?:class|struct)\s+(\w+)[^;{}()]*\{")
OPERATION = re.compile(r"\b(?:auto|void)\s+(async_\w+)\s*\(")
FUNCTION = re.compile(r"\bresult<[^;{}]*?>\s+(\w+)\s*\(")
MACRO = re.compile(r"\bCHECK_(FORMS|FORMS_WITH_OPTIONS|FORMS_WITHOUT_OPTIONS|FREE_FORMS|"
                   r"BLOCKING_FORM|BLOCKING_FORM_WITH_OPTIONS)\s*\(")
OPEN, CLOSE = "(<[{", ")>]}"


def blanked(text):
    return COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def closing(text, start):
    """The place of the bracket that closes the one at `start`; angle brackets do not count."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0:
            return i
    return len(text)


def split(text):
    """The parts between the commas that no bracket encloses."""
    parts, depth, begin = [], 0, 0
    for i, c in enumerate(text):
        if c == ">" and text[i - 1] == "-":
            continue
        depth += (c in OPEN) - (c in CLOSE)
        if c == "," and depth == 0:
            parts.append(text[begin:i])
            begin = i + 1
    return [" ".join(p.split()) for p in [*parts, text[begin:]] if p.strip()]


class parameter:
    def __init__(self, text):
        declared, _, self.default = (part.strip() for part in text.partition("="))
        found = re.fullmatch(r"(.*?[\s&*>])(\w+)", declared)
        self.type = (found.group(1) if found else declared).strip()
        self.name = found.group(2) if found else ""

    def plain_type(self):
        """The type by value: `job_reference` for `job_reference const&`."""
        return re.sub(r"\s*(\bconst\b|&)\s*", " ", self.type).strip()


class declaration:
    def __init__(self, path, text, match, owner, comment):
        self.path = path
        self.line = text.count("\n", 0, match.start()) + 1
        self.name = match.group(1)
        end = closing(text, match.end() - 1)
        self.parameters = [parameter(p) for p in split(text[match.end():end])]
        self.is_const = re.match(r"\s*const\b", text[end + 1:]) is not None
        head = text[:match.start()].rstrip()
        self.template = head[head.rfind("template"):] if head.endswith(">") else ""
        self.owner = owner
        self.comment = comment

    def scope(self):
        """The class of a member, else the type of the first argument."""
        return self.owner or base_name(self.parameters[0].plain_type())


def base_name(type_text):
    return re.sub(r"<.*", "", type_text).split("::")[-1].strip()


def classes_of(text, code):
    """(name, first, last, comment) of each class; nested ones come after those that hold them."""
    found = []
    for match in CLASS.finditer(code):
        last = closing(code, match.end() - 1)
        before = text[:match.start()]
        comment = re.search(r"(/\*\*(?:(?!\*/).)*\*/|(?:[ \t]*///[^\n]*\n)+)\s*(?:template\s*<[^;{}]*>\s*)?\Z", before,
                            re.S)
        found.append((match.group(1), match.start(), last, comment.group(1) if comment else ""))
    return found


def owner_of(classes, place):
    inner = [c for c in classes if c[1] < place < c[2]]
    return (inner[-1][0], inner[-1][3]) if inner else ("", "")


class checker:
    def __init__(self, root):
        self.root = Path(root)
        self.errors = []
        self.operations = {}  # (scope, name, types of the arguments): [declaration]
        self.functions = {}   # (class, name): [types of the parameters]

    def check(self):
        for path in sorted((self.root / "include" / "kftrain").rglob("*.hpp")):
            self.read(path)
        for (scope, name, arguments), forms in self.operations.items():
            self.check_forms(scope, name, arguments, forms)
        self.check_tests()
        return self.errors

    def read(self, path):
        name = path.relative_to(self.root / "include" / "kftrain").as_posix()
        if name in NOT_OPERATIONS:
            return
        text = path.read_text(encoding="utf-8")
        code = blanked(text)
        classes = classes_of(text, code)
        for match in OPERATION.finditer(code):
            d = declaration(name, code, match, *owner_of(classes, match.start()))
            if not d.parameters or d.parameters[-1].type != "Token&&":
                self.fail(d, "is an operation, so its last parameter is `Token&& token`")
                continue
            arguments = [p.plain_type() for p in d.parameters[:-1] if p.name != "options"]
            self.operations.setdefault((d.scope(), d.name, tuple(arguments)), []).append(d)
        for match in FUNCTION.finditer(code):
            end = closing(code, match.end() - 1)
            types = [parameter(p).plain_type() for p in split(code[match.end():end])]
            self.functions.setdefault((owner_of(classes, match.start())[0], match.group(1)), []).append(types)

    def check_forms(self, scope, name, arguments, forms):
        first = forms[0]
        with_options = [f for f in forms if len(f.parameters) == len(arguments) + 2]
        without = [f for f in forms if len(f.parameters) == len(arguments) + 1]
        what = f"{scope}::{name}"
        if name in WITHOUT_OPTIONS:
            if len(without) != 1 or with_options or without[0].parameters[-1].default != "Token()":
                self.fail(first, f"{what} has one overload, `(Token&& token = Token())`")
        elif len(with_options) != 1:
            self.fail(first, f"{what} has no overload with options before the token")
        else:
            f = with_options[0]
            if f.parameters[-1].default != "Token()" or "= default_token" not in f.template.replace("kube::", ""):
                self.fail(f, f"{what} cannot be called without a token")
            mandatory = not f.parameters[-2].default
            if mandatory and without:
                self.fail(f, f"{what} cannot be called without options and token")
            if not mandatory and len(without) != 1:
                self.fail(f, f"{what} cannot be called with a token alone")
        for f in forms:
            if "completion_token Token" not in f.template:
                self.fail(f, f"{what} does not constrain its token by completion_token")
            if f.owner and re.search(r"\bhandle\b", f.comment) and not f.is_const:
                self.fail(f, f"{what} is an operation of a handle, so it is const")
            if not f.owner and not f.parameters[0].type.endswith("const&"):
                self.fail(f, f"{what} takes a handle by const reference")
        if first.path.startswith(FACADE):
            self.check_blocking_form(scope, name, arguments, first)

    def check_blocking_form(self, scope, name, arguments, first):
        function = BLOCKING_NAMES.get(name[6:], name[6:])
        wanted = list(arguments)
        if not any(types[:-1] == wanted and types[-1].endswith("options")
                   for types in self.functions.get((scope, function), []) if types):
            self.fail(first, f"{scope}::{name} has no blocking form {function}({', '.join([*wanted, 'options'])})")

    def check_tests(self):
        tested, blocking = {}, {}
        for path in sorted((self.root / "test" / "async" / "forms").glob("*.cpp")):
            code = blanked(path.read_text(encoding="utf-8"))
            for match in MACRO.finditer(code):
                parts = split(code[match.end():closing(code, match.end() - 1)])
                if match.group(1).startswith("BLOCKING"):
                    blocking[parts[1]] = blocking.get(parts[1], 0) + 1
                else:
                    key = (base_name(parts[0]), parts[2])
                    tested[key] = tested.get(key, 0) + 1
        overloads = {}
        for scope, name, _ in self.operations:
            overloads[scope, name] = overloads.get((scope, name), 0) + 1
        for (scope, name), count in overloads.items():
            first = next(f[0] for (s, n, _), f in self.operations.items() if (s, n) == (scope, name))
            # A function template over `Api` is tested with the two kinds of api that every type has.
            for tested_scope in ("api", "any_api") if scope == "Api" else (scope,):
                if tested.get((tested_scope, name), 0) < count:
                    self.fail(first,
                              f"{tested_scope}, {name}: test/async/forms checks {tested.get((tested_scope, name), 0)}"
                                     f" of {count} overloads")
            if first.path.startswith(FACADE):
                function = BLOCKING_NAMES.get(name[6:], name[6:])
                if not blocking.get(function):
                    self.fail(first, f"{function}: test/async/forms does not check the blocking form")

    def fail(self, where, what):
        self.errors.append(f"include/kftrain/{where.path}:{where.line}: {what}")


def main():
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "include" / "kftrain").is_dir():
        sys.exit(__doc__.split("\n\n")[1])
    found = checker(sys.argv[1])
    errors = found.check()
    for error in errors:
        print(error)
    print(f"{len(found.operations)} operations, {len(errors)} faults")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
