#!/usr/bin/env python3
"""usage: scripts/sbom.py BUILD_TREE [FILE]

Writes a bill of materials of what a build tree installs, in CycloneDX 1.5 as JSON: kftrain with its libraries and
programs, and the packages of the system whose libraries they link and whose headers they include. Reads build.ninja
and the dependencies that ninja has recorded, so build the tree first. Needs Debian's dpkg. The same tree gives the same
file. Fails if a package has no license in LICENSES.
"""

import json
import os
import re
import subprocess
import sys
import uuid
from pathlib import Path

# Source package: SPDX license expression of what the build takes from it.
LICENSES = {
    "boost1.81": "BSL-1.0",
    "cli11": "BSD-3-Clause",
    "gcc-12": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libyaml": "MIT",
    "openssl": "Apache-2.0",
    "pybind11": "BSD-3-Clause",
    "range-v3": "BSL-1.0",
    "re2": "BSD-3-Clause",
}
# The C library and Python come from the machine that runs the program; the headers of the kernel leave no code.
OF_THE_PLATFORM = {"glibc", "linux", "python3.11", "python3-defaults", "llvm-toolchain-19", "libxcrypt"}
LIBRARY = r"libkftrain_(?:core|kube|training|control|local)\.(?:a|so[.\d]*)"
INSTALLED = re.compile(rf"(?:.*/)?({LIBRARY}|kftrain|kftrain-sandbox|_core\.[\w.-]+\.so)$")


def fail(text):
    sys.exit(f"sbom.py: {text}")


def run(*command):
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode:
        fail(f"{' '.join(command)[:200]}: {answer.stderr.strip()}")
    return answer.stdout


def read_targets(tree):
    """Returns the installed files of build.ninja: {name: (objects, linked files and names, is a static library)}."""
    targets = {}
    name = None
    for line in (tree / "build.ninja").read_text().splitlines():
        if match := re.match(r"build ([^|:]+?)(?: \|[^:]*)?: CXX_(\w+?)_LINKER\w* ([^|]*)", line):
            output = match[1].split()[0]
            name = output if INSTALLED.match(output) else None
            if name:
                objects = [word for word in match[3].split() if word.endswith(".o")]
                targets[name] = (objects, [], match[2] == "STATIC_LIBRARY")
        elif not line.strip():
            name = None
        elif name and (match := re.match(r"\s+LINK_LIBRARIES = (.*)", line)):
            targets[name][1].extend(word for word in match[1].split() if not word.startswith("-W"))
    if not targets:
        fail(f"expected libraries of kftrain in {tree}/build.ninja, got none")
    return targets


def read_headers(tree):
    """Returns {object: headers outside of the sources and the build tree}."""
    headers = {}
    current = None
    for line in run("ninja", "-C", str(tree), "-t", "deps").splitlines():
        if line and not line[0].isspace():
            current = headers.setdefault(line.partition(":")[0], set())
        elif line.startswith("    /usr/"):
            current.add(line.strip())
    return headers


class Packages:
    """The packages of the system, by the files that they own."""

    def __init__(self):
        self.owners = {}
        self.known = {}

    def find(self, paths):
        """Returns the packages that own files. The files of a folder below /usr/include share one lookup."""
        groups = {}
        for path in paths:
            real = os.path.realpath(path)
            match = re.match(r"/usr/(?:local/)?include/(?:x86_64-linux-gnu/|aarch64-linux-gnu/)?([^/]+)/", real)
            groups.setdefault(match[0] if match and match[1] not in ("c++", "bits", "sys", "asm") else real, real)
        unowned = [real for key, real in groups.items() if key not in self.owners]
        if unowned:
            answer = run("dpkg-query", "--search", *unowned)
            owner_of = {file: owners.split(", ")[0].split(":")[0]
                        for owners, _, file in (line.partition(": ") for line in answer.splitlines())}
            for key, real in groups.items():
                if key not in self.owners:
                    self.owners[key] = owner_of[real]
        return {self.owners[key] for key in groups}

    def describe(self, name):
        """Returns (source package, version, architecture)."""
        if name not in self.known:
            form = "${source:Package}\t${Version}\t${Architecture}\n"
            answer = run("dpkg-query", "--show", f"--showformat={form}", name)
            self.known[name] = tuple(answer.splitlines()[0].split("\t"))
        return self.known[name]


def system_libraries(words):
    """The files among the words of a link command that packages own; `-lx` is a library that the linker searches."""
    for word in words:
        if word.startswith("-l"):
            found = run("g++-12", f"-print-file-name=lib{word[2:]}.so").strip()
            if os.path.isabs(found):
                yield found
        elif word.startswith("/usr/") and re.search(r"\.(a|so[.\d]*)$", word):
            yield word


def make(tree):
    version = re.search(r'return "([\d.]+)"', Path("include/kftrain/version.hpp").read_text())[1]
    targets = read_targets(tree)
    headers = read_headers(tree)
    packages = Packages()
    components = []
    edges = {}
    used = set()
    for name, (objects, words, is_static) in sorted(targets.items()):
        reference = f"kftrain/{os.path.basename(name)}"
        included = set().union(*(headers.get(item, set()) for item in objects))
        if not included:
            fail(f"expected recorded dependencies of {name}, got none: build the tree first")
        names = packages.find(included | set(system_libraries(words)))
        names = {item for item in names if packages.describe(item)[0] not in OF_THE_PLATFORM}
        used |= names
        own = {f"kftrain/{os.path.basename(word)}" for word in words if INSTALLED.match(word)}
        edges[reference] = sorted(own | {purl(packages, item) for item in names})
        kind = "application" if "." not in os.path.basename(name) else "library"
        components.append({"type": kind, "bom-ref": reference, "name": os.path.basename(name), "version": version,
                           "licenses": [{"expression": "Apache-2.0"}],
                           "properties": [{"name": "kftrain:linkage", "value": "static" if is_static else "dynamic"}]})
    for name in sorted(used):
        source, package_version, _ = packages.describe(name)
        if source not in LICENSES:
            fail(f"the package {name} of the source {source} has no license in LICENSES")
        components.append({"type": "library", "bom-ref": purl(packages, name), "name": name, "version": package_version,
                           "licenses": [{"expression": LICENSES[source]}], "purl": purl(packages, name)})
    top = {"type": "library", "bom-ref": f"pkg:generic/kftrain@{version}", "name": "kftrain", "version": version,
           "purl": f"pkg:generic/kftrain@{version}", "licenses": [{"expression": "Apache-2.0"}]}
    edges[top["bom-ref"]] = sorted(item["bom-ref"] for item in components if item["bom-ref"].startswith("kftrain/"))
    bom = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": {"component": top},
           "components": components,
           "dependencies": [{"ref": item, "dependsOn": edges[item]} for item in sorted(edges)]}
    bom["serialNumber"] = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(bom, sort_keys=True)).urn
    return bom


def purl(packages, name):
    _, version, architecture = packages.describe(name)
    return f"pkg:deb/debian/{name}@{version.replace(':', '%3A').replace('+', '%2B')}?arch={architecture}"


def main():
    arguments = sys.argv[1:]
    if not 1 <= len(arguments) <= 2 or arguments[0].startswith("-"):
        print(__doc__)
        sys.exit(0 if arguments in (["-h"], ["--help"]) else 2)
    out = Path(arguments[1]).resolve() if len(arguments) == 2 else None
    tree = Path(arguments[0]).resolve()
    os.chdir(Path(__file__).resolve().parents[1])
    text = json.dumps(make(tree), indent=2) + "\n"
    if out:
        out.write_text(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
