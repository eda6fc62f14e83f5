#!/usr/bin/env python3
"""usage: compile_fail.py FILE COMPILER ARGUMENT...

The first line of FILE is `// compiles` or `// expect: REGEX`. In the latter case the compiler must report exactly one
error, and its text must match: a file that fails for another reason proves nothing."""

import re
import subprocess
import sys


def main(file, *command):
    with open(file, encoding="utf-8") as text:
        first = text.readline().strip()
    done = subprocess.run([*command, file], capture_output=True, text=True, check=False)
    errors = [line for line in done.stderr.splitlines() if re.search(r"\b(fatal )?error: ", line)]
    if first == "// compiles":
        return f"{file} does not compile:\n{done.stderr}" if done.returncode else None
    if not first.startswith("// expect: "):
        return f"{file}: the first line is neither `// compiles` nor `// expect: REGEX`: {first}"
    expected = first.removeprefix("// expect: ")
    if done.returncode == 0:
        return f"{file} compiles, expected the error: {expected}"
    if len(errors) != 1 or not re.search(expected, errors[0]):
        return f"{file}: expected one error that matches: {expected}\ngot:\n" + "\n".join(errors)
    return None


if __name__ == "__main__":
    fault = main(*sys.argv[1:])
    if fault:
        sys.exit(fault)
