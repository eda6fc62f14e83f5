#!/usr/bin/python3
"""usage: fmt_command.py KFTRAIN TEST

Runs `kftrain fmt` and checks what it prints and its exit codes."""

import json
import os
import stat

from manifest_files import JOB, POD, contains, equal, nested_lists, read, run, run_test, write


def fmt_writes_canonically():
    shuffled = 'kind: Pod\nmetadata: {name: "alone"}   # comment\nspec: {containers: [{image: i:1, name: c}]}\napiVersion: v1\n'
    equal(run("fmt", "-", stdin=shuffled).stdout, POD)
    equal(run("fmt", "-", "-o", "json", stdin=POD).stdout,
          '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"alone"},"spec":{"containers":[{"name":"c","image":"i:1"}]}}\n')
    # Unknown fields survive, documents stay apart, and the form is a fixed point.
    both = POD.replace("    image: i:1\n", "    image: i:1\n    novel:\n      a: 1\n") + "---\n" + JOB
    once = run("fmt", "-", stdin=both)
    equal(once.returncode, 0)
    contains(once.stdout, "    novel:\n      a: 1\n")
    equal(once.stdout.count("---\n"), 1)
    equal(run("fmt", "-", stdin=once.stdout).stdout, once.stdout)
    listed = run("fmt", "-", stdin="kind: List\napiVersion: v1\nitems: [{kind: Pod, metadata: {name: p}, apiVersion: v1}]\n")
    equal(listed.returncode, 0)
    contains(listed.stdout, "kind: List\n")
    contains(listed.stdout, "name: p\n")


def fmt_writes_quantities_as_a_server_does():
    amounts = POD + "    resources:\n      limits:\n        cpu: %s\n        memory: %s\n"
    for given, canonical in ((("1000m", "1024Mi"), ('"1"', "1Gi")), (("0.5", "2048Ki"), ("500m", "2Mi"))):
        for wrap in ("%s", "apiVersion: v1\nkind: List\nitems:\n%s"):
            text, wanted = (amounts % given, amounts % canonical)
            if wrap != "%s":
                text, wanted = (wrap % ("- " + "  ".join(t.splitlines(keepends=True))) for t in (text, wanted))
            equal(run("fmt", "-", stdin=text).stdout, wanted)
            equal(run("fmt", "--check", "-", stdin=wanted).returncode, 0)


def fmt_keeps_what_schemas_require():
    text = ("apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n  containers:\n  - name: c\n    livenessProbe:\n      httpGet:\n"
            "        port: 0\n        httpHeaders:\n        - name: a\n          value: \"\"\n")
    equal(run("fmt", "-", stdin=text).stdout, text)


def fmt_checks_and_replaces():
    good = write("good.yaml", POD)
    bad = write("bad.yaml", POD + "---\n# gone\n" + POD.replace("alone", '"alone"'))
    os.chmod(bad, 0o640)
    checked = run("fmt", "--check", good, bad)
    equal((checked.returncode, checked.stdout), (1, "bad.yaml\n"))
    equal(run("fmt", "-w", good, bad).returncode, 0)
    equal(read(bad), POD + "---\n" + POD)
    equal(stat.S_IMODE(os.stat(bad).st_mode), 0o640)
    equal(run("fmt", "--check", good, bad).returncode, 0)
    equal(sorted(os.listdir(".")), ["bad.yaml", "good.yaml"])
    equal(run("fmt", write("gizmo.yaml", "apiVersion: v9\nkind: Gizmo\n")).returncode, 2)
    equal(run("fmt", "-w", "-", stdin=POD).returncode, 2)


def fmt_writes_through_no_planted_link():
    bad = write("bad.yaml", POD + "# gone\n")
    precious = write("precious", "not to be touched\n")
    os.symlink(precious, "bad.yaml.kftrain-fmt")
    equal(run("fmt", "-w", bad).returncode, 0)
    equal((read(bad), read(precious)), (POD, "not to be touched\n"))
    equal(sorted(os.listdir(".")), ["bad.yaml", "bad.yaml.kftrain-fmt", "precious"])


def fmt_loses_nothing_of_lists():
    for text in ("apiVersion: v1\nkind: List\nmetadata:\n  resourceVersion: \"7\"\n  novel: 1\nitems:\n"
                 "- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: p\n  novel: [1, 2]\n"
                 "- apiVersion: kubeflow.org/v1\n  kind: PyTorchJob\n  metadata:\n    name: j\n  spec:\n    novel:\n      a: 1\nother: x\n",
                 "apiVersion: kubeflow.org/v1\nkind: PyTorchJobList\nmetadata:\n  continue: c\n  novel: 1\nitems:\n"
                 "- apiVersion: kubeflow.org/v1\n  kind: PyTorchJob\n  metadata:\n    name: j\n  novel:\n    a: 1\nother: x\n"):
        for form in ("yaml", "json"):
            done = run("fmt", "-o", form, "-", stdin=text)
            equal(done.returncode, 0)
            plain = done.stdout if form == "json" else run("fmt", "-o", "json", "-", stdin=done.stdout).stdout
            told = json.loads(plain)
            equal((told["metadata"]["novel"], told["other"]), (1, "x"))
            equal([i["metadata"]["name"] for i in told["items"]], ["p", "j"] if told["kind"] == "List" else ["j"])
            for part in ('"novel":[1,2]', '"spec":{"novel":{"a":1}}') if told["kind"] == "List" else ('"novel":{"a":1}', '"continue":"c"'):
                contains(plain, part)
    gizmo = run("fmt", "-", stdin="apiVersion: v1\nkind: List\nitems: [[], {apiVersion: v9, kind: Gizmo}]\n")
    equal((gizmo.returncode, gizmo.stdout), (2, ""))
    contains(gizmo.stderr, "standard input:3:9: items[0]: expected an object, got a list")
    typed = run("fmt", "-", stdin=POD + "---\napiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: [p]\n")
    contains(typed.stderr, f"standard input:{POD.count(chr(10)) + 8}:11: items[0].metadata.name: expected string, got a list")


def fmt_refuses_lists_that_are_too_deep():
    equal(run("fmt", "-", stdin=nested_lists(8)).returncode, 0)
    done = run("fmt", "-", stdin=nested_lists(9))
    equal((done.returncode, done.stdout), (2, ""))
    contains(done.stderr, "standard input:1:333: " + "items[0]." * 8 + "items: expected at most 8 lists within each other")


def fmt_refuses_to_lose_one_of_two_fields():
    twice = run("fmt", "-", stdin='{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","name":"b"}}')
    equal((twice.returncode, twice.stdout), (2, ""))
    contains(twice.stderr, "metadata.name")
    contains(twice.stderr, "1:56")


def fmt_keeps_json_behind_a_byte_order_mark():
    marked = write("marked.json", "\ufeff" + '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}')
    equal(run("fmt", marked).stdout, '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}\n')


run_test(globals())
