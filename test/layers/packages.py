#!/usr/bin/env python3
"""usage: packages.py SOURCE

The recipe for Conan and the port for vcpkg have the version, the options and the dependencies of the build.
"""

import json
import re
import sys
from pathlib import Path

# find_package() of cmake/dependencies.cmake: the names in ConanCenter and in vcpkg. The others are for tests, or
# belong to the compiler.
NAMES = {
    "Boost": ("boost", "boost-json"),
    "OpenSSL": ("openssl", "openssl"),
    "range-v3": ("range-v3", "range-v3"),
    "LibYAML": ("libyaml", "libyaml"),
    "RE2": ("re2", "re2"),
    "CLI11": ("cli11", "cli11"),
}
OTHERS = {"Threads", "Python3"}
OPTIONS = {"local": "KFTRAIN_BUILD_LOCAL", "command": "KFTRAIN_BUILD_COMMAND"}


def boost_libraries(root):
    """The first word of each header of Boost that include/ and src/ include: asio, core, throw_exception."""
    sources = [path for folder in ("include", "src") for path in (root / folder).rglob("*.[hc]pp")]
    return {name for path in sources for name in re.findall(r"#include <boost/(\w+)", path.read_text())}


def find_faults(root):
    faults = []
    version = re.search(r'return "([\d.]+)"', (root / "include/kftrain/version.hpp").read_text())[1]
    conan = (root / "conanfile.py").read_text()
    lock = json.loads((root / "packaging/conan/tested.lock").read_text())
    port = root / "packaging/vcpkg/ports/kftrain"
    manifest = json.loads((port / "vcpkg.json").read_text())
    if manifest["version"] != version:
        faults.append(f"vcpkg.json: expected version {version}, got {manifest['version']}")

    required = set(re.findall(r'self\.requires\("([\w-]+)/', conan))
    locked = {item.partition("/")[0] for item in lock["requires"]}
    names = [*manifest["dependencies"], *(d for f in manifest["features"].values() for d in f.get("dependencies", []))]
    wanted = {name for name in names if isinstance(name, str)}
    found = set(re.findall(r"find_package\((\S+)", (root / "cmake/dependencies.cmake").read_text())) - OTHERS
    for package in sorted(found):
        if package not in NAMES:
            faults.append(f"cmake/dependencies.cmake: the package {package} has no names in test/layers/packages.py")
            continue
        for place, name, there in (("conanfile.py", NAMES[package][0], required),
                                   ("tested.lock", NAMES[package][0], locked),
                                   ("vcpkg.json", NAMES[package][1], wanted)):
            if name not in there:
                faults.append(f"{place}: lacks {name}, which cmake/dependencies.cmake searches for as {package}")
    # vcpkg has a port for each library of Boost.
    for name in sorted(f"boost-{library}".replace("_", "-") for library in boost_libraries(root)):
        if name not in wanted:
            faults.append(f"vcpkg.json: lacks {name}, whose headers the sources include")
    for name in sorted(required - {names[0] for package, names in NAMES.items() if package in found}):
        faults.append(f"conanfile.py: requires {name}, which cmake/dependencies.cmake does not search for")

    portfile = (port / "portfile.cmake").read_text()
    for option, variable in OPTIONS.items():
        if f"option({variable} " not in (root / "CMakeLists.txt").read_text():
            faults.append(f"CMakeLists.txt: lacks the option {variable}")
        if f'"{variable}"] = bool(self.options.{option})' not in conan:
            faults.append(f"conanfile.py: does not pass the option {option} on as {variable}")
        if option not in manifest["features"] or not re.search(rf"^ *{option} +{variable}$", portfile, re.M):
            faults.append(f"the vcpkg port does not pass the feature {option} on as {variable}")
    return faults


def main():
    faults = find_faults(Path(sys.argv[1]))
    print("\n".join(faults) or "the packages agree with the build")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
