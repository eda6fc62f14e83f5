"""usage: bill_of_materials.py SOURCE BUILD_TREE

Compares the packages that scripts/sbom.py finds in a build tree with those that each library and program uses.
"""

import json
import re
import subprocess
import sys

# Package by its purl without version: who must depend on it directly, and who must not.
RULES = {
    "libssl-dev": ("libkftrain_kube", "libkftrain_core"),
    "libyaml-dev": ("libkftrain_core", "libkftrain_training"),
    "librange-v3-dev": ("libkftrain_core", "kftrain-sandbox"),
    "libre2-dev": ("libkftrain_local", "libkftrain_kube"),
    "libcli11-dev": ("kftrain", "libkftrain_local"),
    "libboost1.81-dev": ("kftrain-sandbox", None),
    "libre2-9": ("kftrain", "kftrain-sandbox"),
    "libyaml-0-2": ("kftrain", "kftrain-sandbox"),
    "libssl3": ("kftrain", "kftrain-sandbox"),
    "libboost-json1.81.0": ("kftrain-sandbox", None),
}
KEYS = {"bomFormat", "specVersion", "serialNumber", "version", "metadata", "components", "dependencies"}


def main():
    source, tree = sys.argv[1:3]
    answer = subprocess.run([f"{source}/scripts/sbom.py", tree], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    bom = json.loads(answer.stdout)
    assert set(bom) == KEYS and bom["bomFormat"] == "CycloneDX" and bom["specVersion"] == "1.5", bom.keys()
    version = re.search(r'return "([\d.]+)"', open(f"{source}/include/kftrain/version.hpp", encoding="utf-8").read())[1]
    assert bom["metadata"]["component"]["version"] == version
    references = [item["bom-ref"] for item in bom["components"]] + [bom["metadata"]["component"]["bom-ref"]]
    assert len(references) == len(set(references)), "a reference occurs twice"
    for edge in bom["dependencies"]:
        unknown = {edge["ref"], *edge["dependsOn"]} - set(references)
        assert not unknown, f"unknown references {unknown}"
    for item in bom["components"]:
        assert item["licenses"][0]["expression"] and item["version"], item

    uses = {}
    for edge in bom["dependencies"]:
        name = re.sub(r"^kftrain/|\.(a|so).*$", "", edge["ref"])
        uses[name] = {re.sub(r"^pkg:deb/debian/|@.*$", "", item) for item in edge["dependsOn"]}
    faults = []
    for package, (user, stranger) in RULES.items():
        if package not in uses.get(user, set()):
            faults.append(f"expected that {user} uses {package}, got {sorted(uses.get(user, set()))}")
        if stranger and package in uses.get(stranger, set()):
            faults.append(f"expected that {stranger} does not use {package}")
    if faults:
        sys.exit("\n".join(faults))
    print(f"{len(bom['components'])} components, {sum(map(len, uses.values()))} dependencies")


if __name__ == "__main__":
    main()
