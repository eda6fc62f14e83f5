#!/usr/bin/env python3
"""usage: scripts/tidy.py BUILD_TREE JOBS SOURCE...

Runs clang-tidy on the sources, twenty of a library in one translation unit: most of its time goes to headers, which are
read once for all of them. Sources whose local names clash are taken apart until each batch compiles; what does not
compile alone is an error. BUILD_TREE holds compile_commands.json. Prints the findings; fails when there are any.
"""

import concurrent.futures
import json
import pathlib
import shlex
import subprocess
import sys

BATCH = 20
CLANG = "clang++-19"
CLANG_TIDY = "clang-tidy-19"


def arguments_of(tree):
    """The compiler's options for each source, without the source and the output; in the order of the build."""
    options = {}
    for entry in json.loads((tree / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])[1:]
        kept = []
        skip = False
        for word in words:
            if skip:
                skip = False
            elif word in ("-o", "-c"):
                skip = True
            else:
                kept.append(word)
        options[str(pathlib.Path(entry["file"]).resolve())] = tuple(kept)
    return options


def batches(sources, options):
    """Sources with equal options, neighbours of the build together: these are what the unity builds compile, too."""
    wanted = set(sources)
    groups = {}
    for source, words in options.items():
        if source in wanted:
            groups.setdefault(words, []).append(source)
    for words, members in sorted(groups.items(), key=lambda group: -len(group[1])):
        count = -(-len(members) // BATCH)
        size = -(-len(members) // count)
        for at in range(0, len(members), size):
            yield words, members[at : at + size]


def compiles(unit, words):
    command = [CLANG, "-fsyntax-only", "-w", str(unit), *words]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def check(tree, words, members):
    """The findings about a batch, as text; empty when there are none."""
    if len(members) == 1:
        unit = pathlib.Path(members[0])
    else:
        name = "_".join(pathlib.Path(members[0]).parts[-3:]).replace(".", "_")
        unit = tree / f"batch_{name}_{len(members)}.cpp"
        unit.write_text("".join(f'#include "{source}"\n' for source in members))
        if not compiles(unit, words):
            half = len(members) // 2
            return check(tree, words, members[:half]) + check(tree, words, members[half:])
    run = subprocess.run(
        [CLANG_TIDY, "--quiet", "--checks=-bugprone-suspicious-include", str(unit), "--", *words],
        capture_output=True,
        text=True,
        check=False,
    )
    return run.stdout or run.stderr if run.returncode else ""


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    tree = pathlib.Path(sys.argv[1]).resolve()
    sources = [str(pathlib.Path(source).resolve()) for source in sys.argv[3:]]
    options = arguments_of(tree)
    unknown = [source for source in sources if source not in options]
    if unknown:
        sys.exit("tidy.py: not compiled in " + str(tree) + ": " + " ".join(unknown))
    with concurrent.futures.ThreadPoolExecutor(int(sys.argv[2])) as pool:
        findings = list(pool.map(lambda batch: check(tree, *batch), batches(sources, options)))
    for text in findings:
        if text:
            print(text, end="")
    sys.exit(1 if any(findings) else 0)


if __name__ == "__main__":
    main()
