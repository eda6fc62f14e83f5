#!/usr/bin/env python3
"""Checks that what docs/reference/client-features.md claims is shown by tests that exist.

usage: tested_claims.py ROOT BUILD [CTEST]     ROOT holds docs/ and test/; BUILD is a build directory, or - when the
standard input
                                               is what `ctest -N` prints there

An entry `- **FEATURE**: ` goes on with `yes`, `partly` or `no`. One that says yes or partly names tests in backticks
behind `*Tested in:*`: `NAME` of CTest, or `NAME/SUITE` with a suite of Boost.Test that one of its sources holds. One
that says no names none."""

import re
import subprocess
import sys
from pathlib import Path

from tested_differences import ENTRY

PAGE = "docs/reference/client-features.md"
PROGRAM = re.compile(r"(?:kftrain_test\((\w+)|add_executable\(test_(\w+))\b([^)]*)\)")
SUITE = re.compile(r"^BOOST_(?:AUTO|FIXTURE)_TEST_SUITE\((\w+)", re.M)


def suites(root):
    """Of each program of tests, the suites in its sources."""
    found = {}
    for file in sorted((root / "test").rglob("CMakeLists.txt")):
        for first, second, rest in PROGRAM.findall(file.read_text(encoding="utf-8")):
            suites_of_program = found.setdefault(first or second, set())
            for source in (file.parent / word for word in rest.split() if word.endswith(".cpp")):
                if source.is_file():
                    suites_of_program.update(SUITE.findall(source.read_text(encoding="utf-8")))
    return found


def read_names(build, ctest):
    if build == "-":
        text = sys.stdin.read()
    else:
        text = subprocess.run([ctest, "--test-dir", build, "-N"], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, check=True).stdout
    return set(re.findall(r"^\s*Test\s+#\d+: (\S+)", text, re.M))


def fault(test, names, held):
    name, _, suite = test.partition("/")
    if name not in names:
        return f"no test {name}"
    if suite and suite not in held.get(name, ()):
        return f"no suite {suite} in {name}"
    return None


def check(root, names):
    errors, held = [], suites(root)
    text = (root / PAGE).read_text(encoding="utf-8")
    entries = list(ENTRY.finditer(text))
    for entry in entries:
        line = text.count("\n", 0, entry.start()) + 1
        title, _, rest = entry[1].partition("**:")
        title = " ".join(title.split())
        parts = re.split(r"\*Tested\s+in:\*", rest)
        tests = re.findall(r"`([^`]+)`", parts[1]) if len(parts) > 1 else []
        claim = re.match(r"\s*(yes|partly|no)\b", rest)
        if not claim:
            errors.append(f"{PAGE}:{line}: expected yes, partly or no: {title}")
        elif (claim[1] == "no") == bool(tests):
            errors.append(f"{PAGE}:{line}: {claim[1]} with {len(tests)} tests: {title}")
        errors += [f"{PAGE}:{line}: {wrong}" for wrong in (fault(t, names, held) for t in tests) if wrong]
    if not entries:
        errors.append(f"{PAGE}: no entries")
    return errors


def main():
    if len(sys.argv) not in (3, 4) or not (Path(sys.argv[1]) / PAGE).is_file():
        sys.exit(__doc__.split("\n\n")[1])
    errors = check(Path(sys.argv[1]), read_names(sys.argv[2], *(sys.argv[3:] or ["ctest"])))
    for error in errors:
        print(error)
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
