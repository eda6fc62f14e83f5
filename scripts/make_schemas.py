#!/usr/bin/env python3
"""Make the compact schema data of the project from the files upstream publishes.

  make_schemas.py crd CRD.yaml [--shared FILE.json] [--server RELEASE] -o OUT.json
      the structural schema and the subresources of the storage version of a CustomResourceDefinition
  make_schemas.py shared CRD.yaml CRD.yaml... [--rename OLD NEW]... -o OUT.json
      the subschemas that all the CustomResourceDefinitions have in common, for --shared
  make_schemas.py kubernetes swagger.json TYPE... -o OUT.json
      the definitions of an OpenAPI 2 document that TYPEs reach; a TYPE is the end of a name, as core.v1.Pod

Drops descriptions and moves subschemas that occur more than once to "$defs". test/data/schemas/README.md states the
format.
Needs PyYAML. The output depends on the input alone.
"""

import argparse
import json
import os
import sys
from collections import Counter

SMALL = 48  # bytes; a subschema no longer than this is repeated rather than named


def subschemas(schema):
    """(name, place, subschema) of the direct subschemas of a schema."""
    for name, sub in schema.get("properties", {}).items():
        yield name, ("properties", name), sub
    for word in ("items", "additionalProperties", "not"):
        if isinstance(schema.get(word), dict):
            yield word, (word,), schema[word]
    for word in ("allOf", "anyOf", "oneOf"):
        for index, sub in enumerate(schema.get(word, [])):
            yield word, (word, index), sub


def replace(schema, key, value):
    holder = schema
    for step in key[:-1]:
        holder = holder[step]
    holder[key[-1]] = value


def compact(value):
    return json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False)


def without_descriptions(schema):
    """A copy that holds neither descriptions nor examples; a property may well be called description."""
    copy = {}
    for word, value in schema.items():
        if word in ("description", "example", "externalDocs", "title"):
            continue
        if word == "properties":
            copy[word] = {name: without_descriptions(sub) for name, sub in value.items()}
        elif word in ("items", "additionalProperties", "not") and isinstance(value, dict):
            copy[word] = without_descriptions(value)
        elif word in ("allOf", "anyOf", "oneOf"):
            copy[word] = [without_descriptions(sub) for sub in value]
        else:
            copy[word] = value
    return copy


class factory:
    """Compares subschemas by their text, counts them, and writes them with references."""

    def __init__(self, known):
        self.known = known  # text -> reference into a shared file
        self.seen = Counter()
        self.hint = {}

    def count(self, schema, hint):
        text = compact(schema)
        if text in self.known:
            return
        self.seen[text] += 1
        self.hint.setdefault(text, hint)
        if self.seen[text] > 1:
            return
        for name, _, sub in subschemas(schema):
            self.count(sub, hint if name in ("items", "additionalProperties", "not") else name)

    def name_repeated(self, wanted=()):
        """Chooses what is named, and the names; `wanted` are texts that get a name in any case."""
        self.names = {}
        used = set()
        for text in sorted(self.seen, key=lambda one: (self.hint[one], one)):
            if text not in wanted and (self.seen[text] < 2 or len(text) <= SMALL):
                continue
            base, number = self.hint[text], 1
            name = base
            while name in used:
                number += 1
                name = f"{base}{number}"
            used.add(name)
            self.names[text] = name

    def written(self, schema, at_definition=False):
        text = compact(schema)
        if text in self.known:
            return {"$ref": self.known[text]}
        if text in self.names and not at_definition:
            return {"$ref": "#/$defs/" + self.names[text]}
        copy = json.loads(text)
        for _, key, sub in subschemas(schema):
            replace(copy, key, self.written(sub))
        return copy

    def definitions(self):
        return {name: self.written(json.loads(text), True) for text, name in self.names.items()}


def unfolded(document, schema):
    """A schema without local references, which is compared by its text."""
    if "$ref" in schema:
        return unfolded(document, document["$defs"][schema["$ref"].removeprefix("#/$defs/")])
    copy = json.loads(json.dumps(schema))
    for _, key, sub in subschemas(schema):
        replace(copy, key, unfolded(document, sub))
    return copy


def write(path, document):
    """One line for each member, and for each definition."""
    lines = []
    for word, value in document.items():
        if word == "$defs":
            inner = [f"  {json.dumps(name)}: {compact(value[name])}" for name in sorted(value)]
            lines.append('"$defs": {\n' + ",\n".join(inner) + "\n}")
        else:
            lines.append(f"{json.dumps(word)}: {compact(value)}")
    with open(path, "w", encoding="utf-8") as out:
        out.write("{\n" + ",\n".join(lines) + "\n}\n")


def read_crd(path):
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    with open(path, encoding="utf-8") as text:
        crds = [one for one in yaml.load_all(text, loader) if one]
    if len(crds) != 1 or crds[0].get("apiVersion") != "apiextensions.k8s.io/v1":
        sys.exit(f"{path}: expected one CustomResourceDefinition of apiextensions.k8s.io/v1")
    spec = crds[0]["spec"]
    version = next(one for one in spec["versions"] if one["storage"])
    return spec, version, without_descriptions(version["schema"]["openAPIV3Schema"])


def make_crd(arguments):
    spec, version, schema = read_crd(arguments.input[0])
    known = {}
    if arguments.shared:
        with open(arguments.shared, encoding="utf-8") as text:
            shared = json.load(text)
        file = os.path.basename(arguments.shared)
        for name, one in shared["$defs"].items():
            known[compact(unfolded(shared, one))] = f"{file}#/$defs/{name}"
    work = factory(known)
    work.count(schema, "schema")
    work.name_repeated()
    document = {
        "group": spec["group"],
        "version": version["name"],
        "kind": spec["names"]["kind"],
        "plural": spec["names"]["plural"],
        "scope": spec["scope"],
        "subresources": version.get("subresources") or {},
        **({"server": arguments.server} if arguments.server else {}),
        "schema": work.written(schema),
        "$defs": work.definitions(),
    }
    if not document["$defs"]:
        del document["$defs"]
    write(arguments.output, document)


def make_shared(arguments):
    common = None
    first = None
    for path in arguments.input:
        schema = read_crd(path)[2]
        work = factory({})
        work.count(schema, "schema")
        if first is None:
            first, common = work, set(work.seen)
        else:
            common &= set(work.seen)
    # Common parts that are not contained in a larger common part.
    parts = Counter()
    for text in first.seen:
        if text not in common:
            for _, _, sub in subschemas(json.loads(text)):
                parts[compact(sub)] += 1
    largest = {text for text in common if parts[text] and len(text) > SMALL}
    work = factory({})
    for text in sorted(largest):
        work.count(json.loads(text), first.hint[text])
    renamed = dict(arguments.rename)
    work.hint = {text: renamed.get(hint, hint) for text, hint in first.hint.items()}
    work.name_repeated(largest)
    write(arguments.output, {"$defs": work.definitions()})


def make_kubernetes(arguments):
    with open(arguments.input[0], encoding="utf-8") as text:
        upstream = json.load(text)
    definitions = upstream["definitions"]
    waiting = []
    for wanted in arguments.input[1:]:
        found = [name for name in definitions if name.endswith("." + wanted)]
        if len(found) != 1:
            sys.exit(f"{wanted}: expected one definition, found {found}")
        waiting += found
    kept = {}
    while waiting:
        name = waiting.pop()
        if name in kept:
            continue
        text = compact(without_descriptions(definitions[name])).replace('"#/definitions/', '"#/$defs/')
        kept[name] = json.loads(text)
        waiting += [
            part.split('"')[0] for part in text.split('"$ref":"#/$defs/')[1:]
        ]
    write(arguments.output, {"version": upstream["info"]["version"], "$defs": kept})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("crd", "shared", "kubernetes"))
    parser.add_argument("input", nargs="+")
    parser.add_argument("--shared", help="a file made by the form shared; its subschemas are referred to")
    parser.add_argument("--server", help="release of Kubernetes whose messages are used for CEL rules: v1.36")
    parser.add_argument("--rename", nargs=2, metavar=("OLD", "NEW"), action="append", default=[],
                        help="name of a definition")
    parser.add_argument("-o", "--output", required=True)
    arguments = parser.parse_args()
    {"crd": make_crd, "shared": make_shared, "kubernetes": make_kubernetes}[arguments.what](arguments)


if __name__ == "__main__":
    main()
