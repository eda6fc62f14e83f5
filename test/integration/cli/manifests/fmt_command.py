#!/usr/bin/python3
"""usage: fmt_command.py KFTRAIN TEST

Runs `kftrain fmt` and checks what it prints and its exit codes."""

import json
import os
import stat

from manifest_files import JOB, POD, contains, equal, indented, nested_lists, read, run, run_test, write


def fmt_writes_canonically():
    shuffled = ('kind: Pod\nmetadata: {name: "alone"}   # comment\nspec: {containers: [{image: i:1, name: c}]}\n'
                'apiVersion: v1\n')
    equal(run("fmt", "-", stdin=shuffled).stdout, POD)
    equal(run("fmt", "-", "-o", "json", stdin=POD).stdout,
          '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"alone"},"spec":{"containers":[{"name":"c","image":"i:1"}'
          ']}}\n')
    # Unknown fields and separate documents are kept, and formatting again changes nothing.
    both = POD.replace("    image: i:1\n", "    image: i:1\n    novel:\n      a: 1\n") + "---\n" + JOB
    once = run("fmt", "-", stdin=both)
    equal(once.returncode, 0)
    contains(once.stdout, "    novel:\n      a: 1\n")
    equal(once.stdout.count("---\n"), 1)
    equal(run("fmt", "-", stdin=once.stdout).stdout, once.stdout)
    listed = run("fmt", "-",
                 stdin="kind: List\napiVersion: v1\nitems: [{kind: Pod, metadata: {name: p}, apiVersion: v1}]\n")
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
    text = ("apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n  containers:\n  - name: c\n    livenessProbe:\n"
            "      httpGet:\n        port: 0\n        httpHeaders:\n        - name: a\n          value: \"\"\n")
    equal(run("fmt", "-", stdin=text).stdout, text)


def fmt_refuses_what_it_would_lose():
    text = JOB.replace("spec:\n", "spec:\n  zzz: 1\n  zzz: 2\n", 1)
    done = run("fmt", "-", stdin=text)
    equal((done.returncode, done.stdout), (2, ""))
    equal(done.stderr, 'kftrain: standard input:8:3: spec.zzz: duplicate field "zzz"\n')
    contains(run("lint", "-", stdin=text).stdout, 'error: spec.zzz: duplicate field "zzz" [decode.duplicate-field]\n')
    twice = '{"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",\n"kind": "TFJob", "metadata": {"name": "a"}}'
    equal(run("fmt", "-", stdin=twice).stderr, 'kftrain: standard input:2:1: kind: duplicate field "kind"\n')
    contains(run("lint", "-", stdin=twice).stdout, ':2:1: error: kind: duplicate field "kind" [decode.')


def fmt_skips_documents_that_are_null():
    equal(run("fmt", "-", stdin=POD + "---\nnull\n").stdout, POD)
    done = run("fmt", "-", stdin="apiVersion: v1\nkind: List\nitems:\n- null\n")
    equal((done.returncode, done.stderr), (2, "kftrain: standard input:4:3: items[0]: expected an object, got null\n"))


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
    equal(run("fmt", write("gizmo.yaml", "kind: Gizmo\n")).returncode, 2)
    equal(run("fmt", "-w", "-", stdin=POD).returncode, 2)


def fmt_does_not_write_through_planted_links():
    bad = write("bad.yaml", POD + "# gone\n")
    precious = write("precious", "not to be touched\n")
    os.symlink(precious, "bad.yaml.kftrain-fmt")
    equal(run("fmt", "-w", bad).returncode, 0)
    equal((read(bad), read(precious)), (POD, "not to be touched\n"))
    equal(sorted(os.listdir(".")), ["bad.yaml", "bad.yaml.kftrain-fmt", "precious"])


def fmt_keeps_all_fields_of_lists():
    for text in ("apiVersion: v1\nkind: List\nmetadata:\n  resourceVersion: \"7\"\n  novel: 1\nitems:\n"
                 "- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: p\n  novel: [1, 2]\n"
                 "- apiVersion: kubeflow.org/v1\n  kind: PyTorchJob\n  metadata:\n    name: j\n  spec:\n    novel:\n"
                 "      a: 1\nother: x\n",
                 "apiVersion: kubeflow.org/v1\nkind: PyTorchJobList\nmetadata:\n  continue: c\n  novel: 1\nitems:\n"
                 "- apiVersion: kubeflow.org/v1\n  kind: PyTorchJob\n  metadata:\n    name: j\n  novel:\n    a: 1\n"
                 "other: x\n"):
        for form in ("yaml", "json"):
            done = run("fmt", "-o", form, "-", stdin=text)
            equal(done.returncode, 0)
            plain = done.stdout if form == "json" else run("fmt", "-o", "json", "-", stdin=done.stdout).stdout
            written = json.loads(plain)
            equal((written["metadata"]["novel"], written["other"]), (1, "x"))
            equal([i["metadata"]["name"] for i in written["items"]], ["p", "j"] if written["kind"] == "List" else ["j"])
            for part in ('"novel":[1,2]',
                         '"spec":{"novel":{"a":1}}') if written["kind"] == "List" else ('"novel":{"a":1}',
                                                                                        '"continue":"c"'):
                contains(plain, part)
    gizmo = run("fmt", "-", stdin="apiVersion: v1\nkind: List\nitems: [[], {apiVersion: v9, kind: Gizmo}]\n")
    equal((gizmo.returncode, gizmo.stdout), (2, ""))
    contains(gizmo.stderr, "standard input:3:9: items[0]: expected an object, got a list")
    typed = run("fmt", "-", stdin=POD + "---\napiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n"
                                        "  metadata:\n    name: [p]\n")
    contains(typed.stderr,
             f"standard input:{POD.count(chr(10)) + 8}:11: items[0].metadata.name: expected string, got a list")


FLAVOR = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: f} # kept\n"


def fmt_leaves_objects_of_other_types_as_they_are():
    done = run("fmt", "-", stdin=FLAVOR + "---\n" + POD.replace("i:1", "'i:1'"))
    equal((done.returncode, done.stdout), (0, FLAVOR + "---\n" + POD))
    equal(done.stderr, "kftrain: standard input: line 1: ResourceFlavor f has an unknown type: left unchanged\n")
    again = run("fmt", "--check", "-", stdin=done.stdout)
    equal((again.returncode, again.stdout), (0, ""))
    as_json = run("fmt", "-o", "json", "-", stdin=FLAVOR + "---\n" + POD)
    equal([json.loads(line)["kind"] for line in as_json.stdout.splitlines()], ["ResourceFlavor", "Pod"])
    back = run("fmt", "-o", "yaml", "-", stdin=as_json.stdout.splitlines()[0])
    equal(back.stdout, FLAVOR.replace("{name: f} # kept", "\n  name: f").replace("metadata: \n", "metadata:\n"))
    listed = run("fmt", "-", stdin="apiVersion: v1\nkind: List\nitems:\n" + indented(FLAVOR, 0) + indented(POD, 0))
    equal(listed.returncode, 0, listed.stderr)
    contains(listed.stdout, "ResourceFlavor")


def fmt_refuses_misspelt_jobs():
    done = run("fmt", "-", stdin=POD + "---\napiVersion: kubeflow.org/v1\nkind: PytorchJob\n")
    equal((done.returncode, done.stdout), (2, ""))
    contains(done.stderr, 'standard input:10:1: apiVersion "kubeflow.org/v1" and kind "PytorchJob" are not a known job '
                          'kind; did you mean PyTorchJob?')


def fmt_refuses_lists_that_are_too_deep():
    equal(run("fmt", "-", stdin=nested_lists(8)).returncode, 0)
    done = run("fmt", "-", stdin=nested_lists(9))
    equal((done.returncode, done.stdout), (2, ""))
    contains(done.stderr, "standard input:1:333: " + "items[0]." * 8 + "items: expected at most 8 nested lists")


def fmt_refuses_to_lose_one_of_two_fields():
    twice = run("fmt", "-", stdin='{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","name":"b"}}')
    equal((twice.returncode, twice.stdout), (2, ""))
    contains(twice.stderr, "metadata.name")
    contains(twice.stderr, "1:56")


def fmt_reads_utf_16_as_kubectl_does():
    wanted = run("fmt", write("utf8.yaml", JOB)).stdout
    contains(wanted, "name: mnist\n")
    for encoding in ("utf-16-le", "utf-16-be"):
        with open("utf16.yaml", "wb") as file:
            file.write(("\ufeff" + JOB.replace("\n", "\r\n")).encode(encoding))
        done = run("fmt", "utf16.yaml")
        equal((done.returncode, done.stdout, done.stderr), (0, wanted, ""))


def fmt_keeps_json_behind_a_byte_order_mark():
    marked = write("marked.json", "\ufeff" + '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}')
    equal(run("fmt", marked).stdout, '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}\n')


run_test(globals())
