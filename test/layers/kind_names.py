#!/usr/bin/env python3
"""Fails on a source above kinds/ and convert/ that depends on a kind: names it or its group, a role, a field, a value
or a child of it, or includes its header or that of an object that only operators and schedulers have.

usage: kind_names.py ROOT        ROOT holds include/kftrain and src

The names come from the sources of the kinds: groups and kinds of their resource_info, the fields that they describe,
the roles that they name, and the kinds of objects that operators create. A name is a whole string literal or a part of
a path in one; texts for people may mention it.
"""

import re
import sys
from pathlib import Path

# The files that may name kinds, by folder. Each entry has a reason, and each name in it must still occur.
ALLOWED = {
    "src/cli/manifests/manifest_hints.cpp": ({"runPolicy"}, "hints at the structure of another version"),
    "src/facade/explain/collect_evidence.cpp": ({"coscheduling/pod_group", "volcano/pod_group"}, "reads gangs"),
    "src/facade/explain/causes/placement.cpp": ({"volcano/pod_group"}, "names the kind of a gang"),
    "src/facade/preflight/evidence.hpp": ({"volcano/pod_group"}, "reads the queue of a gang"),
    "src/local/scheduler/placement.hpp": ({"coscheduling/pod_group", "volcano/pod_group"}, "is a gang scheduler"),
    "src/local/cluster/local_cluster.cpp": ({"coscheduling/pod_group"}, "serves what its scheduler reads"),
}

ABOVE = ("facade", "cli", "control", "local", "apiserver", "training_client")
# These serve and run Kubernetes objects, of which some fields have the names of those of kinds.
SERVING = ("apiserver", "local")
OBJECT_FOLDERS = ("include/kftrain/objects", "include/kftrain/model")
# Headers about all kinds, and about what every cluster has.
OF_ALL_KINDS = {"controllers/autoscaler", "controllers/endpoint_slice", "controllers/registry", "kinds/all",
                "kinds/documents", "kinds/registry", "kinds/types"}

COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)
LITERAL = re.compile(r'"((?:\\.|[^"\\\n])*)"')
RESOURCE = re.compile(r'resource_info resource\{\s*"([^"]*)",\s*"[^"]*",\s*"([^"]*)"')
DESCRIBED = re.compile(r"KFTRAIN_DESCRIBE(?:_RESOURCE)?\(\s*[\w:<>]+,\s*\(([^)]*)\)")
ROLE = re.compile(r'string_view (\w+) = "([A-Z]\w*)"')
ROLES = re.compile(r"\btypes\{([\w, ]*)\}")  # of a kind of the replica family
CHILD = re.compile(r'\{"(\w+)", child_update::')
PATH = re.compile(r"\.?[\w.\[\]]+")
KIND_HEADER = re.compile(r'#[ \t]*include[ \t]*(?:<kftrain/((?:kinds|controllers)/\w+)\.hpp>'
                         r'|"(kinds/\w+/[\w/]+)\.hpp")')
OBJECT_HEADER = re.compile(r"#[ \t]*include[ \t]*<kftrain/objects/(\w+/\w+)\.hpp>")


def read(path):
    """The text without comments and includes, line for line as before."""
    def blank(match):
        found = match.group()
        return found if found.startswith('"') else re.sub(r"[^\n]", " ", found)
    text = COMMENT.sub(blank, path.read_text(encoding="utf-8"))
    return re.sub(r'^[ \t]*#[ \t]*include[^\n]*', "", text, flags=re.M)


def sources(folder):
    return [p for p in sorted(folder.rglob("*")) if p.suffix in (".hpp", ".cpp")] if folder.is_dir() else []


def camel(name):
    first, *rest = name.strip().rstrip("_").split("_")
    return first + "".join(part.capitalize() for part in rest)


def fields(paths):
    return {camel(member) for path in paths for found in DESCRIBED.findall(read(path)) for member in found.split(",")}


def roles_in(path):
    text = read(path)
    listed = {name.strip() for names in ROLES.findall(text) for name in names.split(",")}
    return {role for name, role in ROLE.findall(text) if name in listed or name.endswith(("_type", "_role"))}


def names_of_kinds(root):
    public = sources(root / "include/kftrain/kinds") + sources(root / "include/kftrain/job/v1")
    resources = [found for path in public for found in RESOURCE.findall(read(path))]
    names = {name for pair in resources for name in pair}
    private = sources(root / "src/kinds")
    names |= {role for path in private for role in roles_in(path)}
    names |= {child for path in private for child in CHILD.findall(read(path))}
    of_objects = fields(path for folder in OBJECT_FOLDERS for path in sources(root / folder))
    # One word that other objects have is a field of everything.
    named = {field for field in fields(public) if field != field.lower() or field not in of_objects}
    return names - BUILT_IN | VALUES, named - OF_ALL_OBJECTS, of_objects


# Kinds that every cluster has and that the API server and tools serve as such.
BUILT_IN = {"", "Pod", "Service", "ConfigMap", "Secret", "ServiceAccount", "Role", "RoleBinding", "Job", "StatefulSet",
            "HorizontalPodAutoscaler", "NetworkPolicy", "PersistentVolumeClaim"}


OF_ALL_OBJECTS = {"apiVersion", "event", "events", "exitCode", "initContainers", "iteration", "restartPolicy"}
# Values of fields whose name all objects have.
VALUES = {"ExitCode"}


def headers_in(path, root):
    """(line, header) of each include of a kind, and of an object that is none of Kubernetes itself."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if (found := KIND_HEADER.match(line)) and (found[1] or found[2]) not in OF_ALL_KINDS:
            yield number, found[1] or found[2]
        if found := OBJECT_HEADER.match(line):
            text = read(root / f"include/kftrain/objects/{found[1]}.hpp")
            if any("." in group and not group.endswith(".k8s.io") for group, _ in RESOURCE.findall(text)):
                yield number, found[1]


def found_in(path, names):
    """(line, name) of each literal that is a name, or whose path or label contains one."""
    for number, line in enumerate(read(path).splitlines(), 1):
        for text in LITERAL.findall(line):
            if PATH.fullmatch(text) and not text.endswith(".") or "/" in text and " " not in text:
                parts = re.split(r"[.\[\]/]", text)
            else:
                parts = re.findall(r'\\"(\w+)\\"', text)  # in a text of JSON
            for name in sorted(names):
                if text == name or name in parts or ("." in name and name in text and " " not in text):
                    yield number, name


def check(root, allowed):
    errors, files = [], 0
    of_kinds, fields_of_kinds, of_objects = names_of_kinds(root)
    for layer in ABOVE:
        names = of_kinds | (fields_of_kinds - of_objects if layer in SERVING else fields_of_kinds)
        for folder in (root / "src" / layer, root / "include/kftrain" / layer):
            for path in sources(folder):
                files += 1
                place = path.relative_to(root).as_posix()
                permitted, _ = allowed.get(place, (set(), ""))
                used = set()
                for number, name in [*found_in(path, names), *headers_in(path, root)]:
                    used.add(name)
                    if name not in permitted:
                        errors.append(f"{place}:{number}: \"{name}\" belongs to a kind: let its rules answer")
                errors += [f"{place}: \"{name}\" does not occur any more: take it off the list of kind_names.py"
                           for name in sorted(permitted - used)]
    errors += [f"{place}: does not exist: take it off the list of kind_names.py"
               for place in allowed if not (root / place).is_file()]
    return errors, files, len(of_kinds | fields_of_kinds)


def main():
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "src").is_dir():
        sys.exit(__doc__.split("\n\n")[1])
    errors, files, names = check(Path(sys.argv[1]), ALLOWED)
    for error in errors:
        print(error)
    print(f"{files} sources, {names} names, {len(errors)} faults")
    sys.exit(1 if errors or not files or not names else 0)


if __name__ == "__main__":
    main()
