#!/usr/bin/python3
"""usage: manifests_command.py KFTRAIN TEST

Runs test/manifests, which have the shapes of manifests in public repositories. Comments at the top of each file name
the options that it needs and the lines that are expected:

    # option --volume: NAME=/srv/data     (/srv/data stands for a folder with the file `example`)
    # prints: LINE                        of standard output; * stands for a word
    # skips: TEXT                         the end of a line of standard error
    # refused: TEXT                       part of standard error, with exit code 2

A comment that begins with three blanks continues the one before.
"""

import concurrent.futures
import os
import re

from manifest_files import contains, equal, read, run, write

import manifest_files

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../manifests")


def expectations(text, word):
    return [re.sub("\n#   ", " ", found) for found in re.findall(rf"^# {word}: (.*(?:\n#   .*)*)$", text, re.M)]


def manifests_run():
    """All in one cluster, side by side."""
    os.mkdir("data")
    write("data/example", "one example\n")
    os.mkdir("manifests")
    options, lines, skipped = [], [], []
    for name in sorted(os.listdir(os.path.join(FOLDER, "runs"))):
        text = read(os.path.join(FOLDER, "runs", name)).replace("/srv/data", os.path.abspath("data"))
        write(os.path.join("manifests", name), text)
        for option, value in re.findall(r"^# option (--\S+): (.*)$", text, re.M):
            options += [option, value]
        assert expectations(text, "prints"), name + ": expected lines that it prints"
        lines += expectations(text, "prints")
        skipped += [f"manifests/{name}:{text[:text.index('kind: ' + s.split()[0])].count(chr(10))}: {s}"
                    for s in expectations(text, "skips")]
    done = run("run", "manifests", *options)
    equal(done.returncode, 0, done.stdout + done.stderr)
    patterns = [re.escape(line).replace(r"\*", r"\S+") for line in lines]
    missing = [p for p in patterns if not re.search(f"^{p}$", done.stdout, re.M)]
    equal(missing, [], done.stdout + done.stderr)
    equal(sorted(done.stderr.splitlines()), sorted("kftrain: " + s for s in skipped))


def refusal(name):
    done = run("run", os.path.join(FOLDER, "refused", name))
    return name, done


def manifests_refused():
    names = sorted(os.listdir(os.path.join(FOLDER, "refused")))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, done in pool.map(refusal, names):
            (expected,) = expectations(read(os.path.join(FOLDER, "refused", name)), "refused")
            equal((done.returncode, done.stdout), (2, ""), name + "\n" + done.stderr)
            contains(done.stderr, expected)


if __name__ == "__main__":
    manifest_files.run_test(globals())
