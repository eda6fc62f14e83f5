#!/usr/bin/env python3
"""Compares the pages with the command and the tree.

usage: documented_commands.py ROOT KFTRAIN     ROOT holds docs/; KFTRAIN is the command

docs/reference/commands.md lists every command, with the exit codes of its --help. The section `## kftrain COMMAND` of a
page in docs/reference/ names every option of the command and no other. The man page and the completion of bash know the
same commands. The tree in docs/contributing.md names every directory at the top and nothing that does not exist."""

import re
import subprocess
import sys
from pathlib import Path

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
EVERYWHERE = {"--help"}
IN_TABLE = {"--kubeconfig", "--context", "--namespace", "--timeout", "--output"}  # of all cluster commands
CODE = re.compile(r"(?<![\w.-])(\d{1,3})(?= +[a-z`-])")


def help_of(program, *words):
    return subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True).stdout


def commands(help_text):
    listed = re.findall(r"^Commands[a-z ]*:\n((?: +.*\n)+)", help_text, re.M)
    return re.findall(r"^  ([a-z-]+)(?= {2,}|$)", "".join(listed), re.M)


def options(help_text):
    """The long options that --help lists, by the lines that begin with one; an option that switches another off
    included."""
    lines = re.findall(r"^  (?:-\w, )?(--\S+.*)$", help_text, re.M)
    return {o for line in lines for o in OPTION.findall(re.split(r" {2,}", line)[0])} - EVERYWHERE


def codes(text):
    found = re.search(r"^Exit codes:\n((?: +.*\n?)+)", text, re.M)
    return set(re.findall(r"^  (\d+) ", found[1], re.M)) if found else None


def sections(root):
    """Text of each section `## kftrain COMMAND`."""
    found = {}
    for page in sorted((root / "docs/reference").glob("*.md")):
        for title, text in re.findall(r"^## kftrain ([a-z-]+)\n(.*?)(?=^## |\Z)", page.read_text(encoding="utf-8"),
                                      re.S | re.M):
            found[title] = text
    return found


def check_commands(root, program):
    errors = []
    page = (root / "docs/reference/commands.md").read_text(encoding="utf-8")
    known = commands(help_of(program))
    described = re.findall(r"^\| `kftrain ([a-z-]+)` \|", page, re.M)
    if sorted(known) != sorted(described):
        errors.append(f"docs/reference/commands.md: lists {sorted(described)}, the command has {sorted(known)}")
    rows = {}
    for names, cell in re.findall(r"^\| ((?:`[a-z -]+`(?:, )?)+) \| (0 .*) \|$", page, re.M):
        for name in re.findall(r"`([a-z -]+)`", names):
            rows[name] = set(CODE.findall(cell))
    text = sections(root)
    for name in known:
        verbs = [f"{name} {v}" for v in commands(help_of(program, name))] or [name]
        help_texts = [help_of(program, *verb.split()) for verb in verbs]
        for verb, help_text in zip(verbs, help_texts):
            wanted = codes(help_text)
            if verb not in rows:
                errors.append(f"docs/reference/commands.md: no exit codes of {verb}")
            elif wanted is not None and wanted != rows[verb]:
                errors.append(f"docs/reference/commands.md: {verb} ends with {sorted(rows[verb])}, --help has "
                              f"{sorted(wanted)}")
        has = set().union(*map(options, help_texts))
        shown = set(OPTION.findall(" ".join(re.findall(r"`([^`\n]+)`",
                                                       re.sub(r"```.*?```", "", text.get(name, ""), flags=re.S)))))
        if "--kubeconfig" in has:
            has -= IN_TABLE
            shown -= IN_TABLE
        others = [other for other in known if other != name]
        shown = {o for o in shown if not any(f"`kftrain {other} {o}" in text.get(name, "") for other in others)}
        errors += [f"docs/reference: kftrain {name}: {o} is not described" for o in sorted(has - shown)]
        errors += [f"docs/reference: kftrain {name}: there is no {o}" for o in sorted(shown - has)]
    return errors, known


def check_manual_page(root, known):
    name = "packaging/kftrain.1"
    found = sorted(re.findall(r"^\.B kftrain ([a-z-]+)", (root / name).read_text(encoding="utf-8"), re.M))
    return [] if found == sorted(known) else [f"{name}: has {found}, the command has {sorted(known)}"]


def check_completion(root, program, known):
    name = "packaging/completion/kftrain.bash"
    script = f'source "{root / name}"; COMP_WORDS=("{program}" ""); COMP_CWORD=1; _kftrain; echo "${{COMPREPLY[@]}}"'
    found = sorted(subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout.split())
    return [] if found == sorted(known) else [f"{name}: offers {found}, the command has {sorted(known)}"]


def check_tree(root):
    page = "docs/contributing.md"
    tree = re.search(r"^```tree\n(.*?)^```$", (root / page).read_text(encoding="utf-8"), re.S | re.M)
    if not tree:
        return [f"{page}: no tree"]
    named = re.findall(r"^ *(\S+)", tree[1], re.M)
    there = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True, check=False).stdout.split()
    top = {f.split("/")[0] + "/" for f in there if "/" in f}
    errors = [f"{page}: {n} does not exist" for n in named if not (root / n).exists()]
    return errors + [f"{page}: the tree lacks {t}" for t in sorted(top) if not any(n.startswith(t) for n in named)]


def main():
    if len(sys.argv) != 3 or not (Path(sys.argv[1]) / "docs").is_dir():
        sys.exit(__doc__.split("\n\n")[1])
    root = Path(sys.argv[1])
    errors, known = check_commands(root, sys.argv[2])
    errors += check_manual_page(root, known) + check_completion(root, sys.argv[2], known) + check_tree(root)
    for error in errors:
        print(error)
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
