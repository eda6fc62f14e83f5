#!/usr/bin/env python3
r"""Packs recorded cases into text files small enough for the repository, and unpacks them again.

    pack_cases.py pack RECORDINGS OUT     one file OUT/<kind>/<group>.jsonl, or
                                          OUT/<operator>/<version>/<group>.jsonl, per group; a member "index.json" is
                                          left out
    pack_cases.py unpack PACKED... OUT    writes the folders <kind>/<group>/<case>/ again
    pack_cases.py check PACKED... [--against RECORDINGS [--some]]
                                          exit code 1 unless packing what was unpacked gives the same bytes and, with
                                          --against, every case equals its folder in the recordings and, unless --some
                                          of them were packed only, none lacks

A packed file holds one JSON object per line:

    {"recordings": 1, "group": "<kind>/<group>"}             the first line
    {"shared": "<id>", "value": ...}                         a part that occurs more than once
    {"case": "<name>", "job": "<name of the job>"}           begins a case
    {"file": "<name>.json", "value": ...}                    a file of the case, which holds an object
    {"file": "<name>.json", "item": ...}                     one element of a file that holds an array, in order

In strings and keys, "~" stands for the name of the case's job, "\u001f" for "~". A string "@<id>" stands for the
shared part of that id, which may refer to others; "@@..." is a string that begins with "@".

Ids are hashes of the content and lines are sorted, so that a further case changes few lines.
"""

import argparse
import hashlib
import json
import pathlib
import re
import sys
from collections import Counter

SMALLEST_SHARED = 32  # characters; a line for a shorter part costs more than it saves


def text_of(value):
    return json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False)


def children(value):
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


class Interner:
    """Finds the parts that occur more than once and writes references to them."""

    def __init__(self, roots):
        self.texts = {}  # by identity of the part
        self.parts = {}
        times = Counter()
        stack = list(roots)
        while stack:
            value = stack.pop()
            text = self.text(value)
            if len(text) >= SMALLEST_SHARED:
                times[text] += 1
                self.parts.setdefault(text, value)
            stack.extend(children(value))
        self.shared = {t for t, n in times.items() if n > 1}
        # Parts that occur only inside one shared part need not be shared themselves.
        while True:
            used = Counter()
            for root in roots:
                self.count(root, used)
            for text in sorted(self.shared):
                for child in children(self.parts[text]):
                    self.count(child, used)
            once = {t for t in self.shared if used[t] < 2}
            if not once:
                break
            self.shared -= once
        self.ids = {}
        for text in sorted(self.shared):
            digest = hashlib.sha256(text.encode()).hexdigest()
            length = next(n for n in range(5, 65) if digest[:n] not in self.ids.values())
            self.ids[text] = digest[:length]

    def text(self, value):
        if not isinstance(value, (dict, list)):
            return text_of(value)
        key = id(value)
        if key not in self.texts:
            self.texts[key] = text_of(value)
        return self.texts[key]

    def count(self, value, used):
        text = self.text(value)
        if text in self.shared:
            used[text] += 1
        else:
            for child in children(value):
                self.count(child, used)

    def write(self, value):
        """`value` with references."""
        text = self.text(value)
        return "@" + self.ids[text] if text in self.shared else self.inside(value)

    def inside(self, value):
        if isinstance(value, dict):
            return {k: self.write(v) for k, v in value.items()}
        if isinstance(value, list):
            return [self.write(v) for v in value]
        return "@" + value if isinstance(value, str) and value.startswith("@") else value

    def lines(self):
        for text in sorted(self.shared, key=self.ids.get):
            yield {"shared": self.ids[text], "value": self.inside(self.parts[text])}


def map_strings(value, change):
    """A copy of `value` with every string, the keys of objects too, given to `change`."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [map_strings(v, change) for v in value]
    if isinstance(value, dict):
        return {change(k): map_strings(v, change) for k, v in value.items()}
    return value


def with_tilde(files, place):
    """The files of a case with `~` for the job's name, so that cases with jobs of other names look alike."""
    name = files.get("job.json", {}).get("metadata", {}).get("name") or ""
    word = re.compile(r"(?<![A-Za-z0-9])" + re.escape(name) + r"(?![A-Za-z0-9])")

    def change(text):
        if "\x1f" in text:
            raise SystemExit(f"{place}: a text that contains U+001F cannot be packed: {text}")
        text = text.replace("~", "\x1f")
        return word.sub("~", text) if name else text

    return map_strings(files, change), name


def named(text, job):
    """Undoes with_tilde() for one text."""
    return text.replace("~", job).replace("\x1f", "~")


def pack(group, cases):
    """The text of a packed file; `cases` maps name -> file name -> content."""
    rows = []
    names = {}
    for case, files in sorted(cases.items()):
        files, names[case] = with_tilde(files, f"{group}/{case}")
        for name, content in sorted(files.items()):
            if isinstance(content, list):
                rows += [(case, name, "item", item) for item in content]
                if not content:
                    raise SystemExit(f"{group}/{case}/{name}: an empty list cannot be packed")
            else:
                rows.append((case, name, "value", content))
    interner = Interner([row[3] for row in rows])
    lines = [{"recordings": 1, "group": group}, *interner.lines()]
    last = None
    for case, name, key, value in rows:
        if case != last:
            lines.append({"case": case, "job": names[case]})
            last = case
        lines.append({"file": name, key: interner.write(value)})
    return "".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n" for line in lines)


def unpack(text):
    """(group, cases) of a packed file."""
    lines = [json.loads(line) for line in text.splitlines()]
    if not lines or lines[0].get("recordings") != 1:
        raise SystemExit("not a file of packed recordings, version 1")
    shared = {line["shared"]: line["value"] for line in lines if "shared" in line}

    def read(value):
        if isinstance(value, str) and value.startswith("@"):
            return named(value[1:], job) if value.startswith("@@") else read(shared[value[1:]])
        if isinstance(value, str):
            return named(value, job)
        if isinstance(value, dict):
            return {named(k, job): read(v) for k, v in value.items()}
        if isinstance(value, list):
            return [read(v) for v in value]
        return value

    cases = {}
    for line in lines:
        if "case" in line:
            files = cases[line["case"]] = {}
            job = line["job"]
        elif "item" in line:
            files.setdefault(line["file"], []).append(read(line["item"]))
        elif "file" in line:
            files[line["file"]] = read(line["value"])
    return lines[0]["group"], cases


def group_of(folder):
    """<kind>/<group>, or <operator>/<version>/<group> where one operator was recorded in several versions."""
    parts = folder.resolve().parts[:-1]
    return "/".join(parts[-3:] if re.match(r"v[0-9]", parts[-2]) else parts[-2:])


def read_folders(top):
    """group -> case -> file -> content of all cases below a folder; a case is a folder that holds case.json."""
    groups = {}
    for marker in sorted(pathlib.Path(top).rglob("case.json")):
        folder = marker.parent
        groups.setdefault(group_of(folder), {})[folder.name] = {
            f.name: json.loads(f.read_text()) for f in sorted(folder.glob("*.json"))
        }
    return groups


def check(files, against, some=False):
    faults = []
    recorded = read_folders(against) if against else {}
    seen = {}
    for file in files:
        text = file.read_text()
        group, cases = unpack(text)
        if pack(group, cases) != text:
            faults.append(f"{file}: packing what was unpacked gives another text")
        seen[group] = cases
    for group in sorted(seen if some else {*recorded, *seen}) if against else ():
        if group not in seen:
            if any(group.split("/")[0] == other.split("/")[0] for other in seen):
                faults.append(f"{group}: recorded, but not packed")
            continue
        for case in sorted(seen[group] if some else {*recorded.get(group, {}), *seen[group]}):
            # As texts, so that 1 and 1.0 and the order of members count.
            pair = [json.dumps(g.get(case), sort_keys=False) for g in (recorded.get(group, {}), seen[group])]
            if pair[0] != pair[1]:
                faults.append(f"{group}/{case}: differs from the recording")
    print(*faults, sep="\n" if faults else "")
    print(f"{sum(map(len, seen.values()))} cases in {len(files)} files, {len(faults)} faults")
    return 1 if faults else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verb = verbs.add_parser("pack")
    verb.add_argument("recordings", type=pathlib.Path)
    verb.add_argument("out", type=pathlib.Path)
    verb = verbs.add_parser("unpack")
    verb.add_argument("packed", type=pathlib.Path, nargs="+")
    verb.add_argument("out", type=pathlib.Path)
    verb = verbs.add_parser("check")
    verb.add_argument("packed", type=pathlib.Path, nargs="+")
    verb.add_argument("--against", type=pathlib.Path)
    verb.add_argument("--some", action="store_true")
    args = parser.parse_args()
    if args.verb == "check":
        return check(args.packed, args.against, args.some)
    if args.verb == "pack":
        for group, cases in sorted(read_folders(args.recordings).items()):
            out = args.out / (group + ".jsonl")
            out.parent.mkdir(parents=True, exist_ok=True)
            out.write_text(pack(group, cases))
            print(f"{out}: {len(cases)} cases, {out.stat().st_size} bytes")
        return 0
    for file in args.packed:
        group, cases = unpack(file.read_text())
        for case, files in cases.items():
            folder = args.out / group / case
            folder.mkdir(parents=True, exist_ok=True)
            for name, content in files.items():
                (folder / name).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
