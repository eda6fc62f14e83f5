#!/usr/bin/env python3
"""Compiles each public header alone, and twice in a row.

usage: compile_alone.py INCLUDE SCRATCH JOBS LIST COMPILER ARGUMENT...
       INCLUDE holds the headers, LIST names them, one per line; SCRATCH is kept from run to run

What a header includes at its top stands before its own text in any case, so it may as well come from a precompiled
header: for each of HUBS that a header reaches by such includes, the text that the compiler sees is the same as without,
up to the order of headers that are compiled alone themselves. Includes below the top or under a condition do not count.
A header is compiled again only when its text, the text of one that it reaches, or the command has changed.
"""

import hashlib
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# Headers that many reach and that take long; the largest first, a header takes the first that it reaches.
HUBS = ("kftrain/job/any_job.hpp", "kftrain/job/v1/job_types.hpp", "kftrain/objects/core.hpp",
        "kftrain/kube/client.hpp",
        "kftrain/kube/transport.hpp", "kftrain/model/meta.hpp")

COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)
INCLUDE = re.compile(r"#\s*include\s*<([^>\n]+)>")
GUARD = re.compile(r"\s*#\s*ifndef\s+(\w+)\s*\n\s*#\s*define\s+\1\s*\n")


def top_includes(text):
    """The includes before the first line that is no include, inside the guard."""
    text = COMMENT.sub(lambda m: m.group() if m.group().startswith('"') else " ", text)
    guard = GUARD.match(text)
    found = []
    for line in text[guard.end() if guard else 0 :].splitlines():
        include = INCLUDE.fullmatch(line.strip())
        if include:
            found.append(include[1])
        elif line.strip():
            break
    return found


class tree:
    def __init__(self, root):
        self.root = Path(root)
        self.texts = {}
        self.closures = {}

    def text(self, header):
        if header not in self.texts:
            path = self.root / header
            self.texts[header] = path.read_text(encoding="utf-8") if path.is_file() else None
        return self.texts[header]

    def reached(self, header):
        """Headers below the root that a header reaches by includes at the top; in a cycle those found so far."""
        if header not in self.closures:
            found = self.closures[header] = set()
            for included in top_includes(self.text(header)):
                if self.text(included) is not None:
                    found |= {included} | self.reached(included)
        return self.closures[header]

    def all_reached(self, header):
        """The same by includes wherever they are."""
        found, open_ends = {header}, [header]
        while open_ends:
            for included in INCLUDE.findall(self.text(open_ends.pop())):
                if included not in found and self.text(included) is not None:
                    found.add(included)
                    open_ends.append(included)
        return found

    def hub_of(self, header):
        return next((hub for hub in HUBS if self.text(hub) is not None and hub in self.reached(header)), None)

    def state(self, header, command):
        """Changes if compiling the header again may have another result."""
        texts = [self.text(h) for h in sorted(self.all_reached(header))]
        return hashlib.sha256(json.dumps([command, header, texts]).encode()).hexdigest()


class compiler:
    def __init__(self, scratch, command):
        self.scratch = Path(scratch)
        self.command = command
        self.version = subprocess.run([command[0], "--version"], capture_output=True, text=True, check=True).stdout
        self.is_clang = "clang" in self.version

    def place(self, header):
        return self.scratch / header.replace("/", "_")

    def precompile(self, header):
        """Arguments that use the header precompiled."""
        source = self.place("hub_" + header)
        source.write_text(f"#include <{header}>\n", encoding="utf-8")
        made = source.with_name(source.name + (".pch" if self.is_clang else ".gch"))
        subprocess.run([*self.command, "-x", "c++-header", source, "-o", made], check=True)
        # g++ takes the .gch beside the header that -include names.
        return ["-include-pch", made] if self.is_clang else ["-Winvalid-pch", "-include", source]

    def compile(self, header, arguments):
        """Returns the errors of the compiler for the header alone, or None."""
        source = self.place(header).with_suffix(".cpp")
        source.write_text(f"#include <{header}>\n#include <{header}>\n", encoding="utf-8")
        done = subprocess.run([*self.command, *arguments, "-c", source, "-o", "/dev/null"], capture_output=True,
                              text=True,
                              check=False)
        return done.stderr or f"exit code {done.returncode}\n" if done.returncode else None


def main(include, scratch, jobs, listed, *command):
    headers = [Path(line).relative_to(include).as_posix() for line in Path(listed).read_text(encoding="utf-8").split()]
    sources, tool = tree(include), compiler(scratch, command)
    tool.scratch.mkdir(parents=True, exist_ok=True)
    memory = tool.scratch / "compiled.json"
    before = json.loads(memory.read_text(encoding="utf-8")) if memory.is_file() else {}
    states = {h: sources.state(h, [tool.version, *command]) for h in headers}
    stale = [h for h in headers if before.get(h) != states[h]]
    hubs = sorted({hub for h in stale if (hub := sources.hub_of(h))})
    with ThreadPoolExecutor(int(jobs)) as pool:
        arguments = dict(zip(hubs, pool.map(tool.precompile, hubs)))
        faults = dict(zip(stale, pool.map(lambda h: tool.compile(h, arguments.get(sources.hub_of(h), [])), stale)))
    for made in [*tool.scratch.glob("*.gch"), *tool.scratch.glob("*.pch")]:
        made.unlink()  # hundreds of megabytes
    for header, fault in faults.items():
        if fault:
            print(f"<{header}> does not compile alone:\n{fault}")
    memory.write_text(json.dumps({h: s for h, s in states.items() if not faults.get(h)}), encoding="utf-8")
    failed = sum(fault is not None for fault in faults.values())
    print(f"{len(headers)} headers, {len(stale)} compiled, {failed} not alone")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 6:
        sys.exit(__doc__.split("\n\n")[1])
    sys.exit(main(*sys.argv[1:]))
