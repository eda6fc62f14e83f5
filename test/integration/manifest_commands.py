#!/usr/bin/python3
"""usage: manifest_commands.py KFTRAIN TEST

Runs the commands that need files only (lint, diff, fmt, ranks) and checks what they print and their exit codes."""

import json
import os
import stat
import subprocess
import sys
import tempfile

KFTRAIN, TEST = sys.argv[1:3]

JOB = """apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata:
  name: mnist
  namespace: team
spec:
  nprocPerNode: "4"
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      template:
        spec:
          containers:
          - name: pytorch
            image: example.com/mnist:1
    Worker:
      replicas: 2
      template:
        spec:
          containers:
          - name: pytorch
            image: example.com/mnist:1
            env:
            - name: LR
              value: "0.1"
"""
POD = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: alone\nspec:\n  containers:\n  - name: c\n    image: i:1\n"


def run(*arguments, stdin=""):
    return subprocess.run([KFTRAIN, *arguments], input=stdin, capture_output=True, text=True, check=False)


def equal(got, want):
    assert got == want, f"got\n  {got!r}\nexpected\n  {want!r}"


def contains(text, part):
    assert part in text, f"expected {part!r} in\n{text}"


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)
    return name


def read(name):
    with open(name, encoding="utf-8") as file:
        return file.read()


def ranks_tells_every_replica():
    done = run("ranks", write("job.yaml", JOB))
    equal(done.returncode, 0)
    equal(done.stdout, """PyTorchJob team/mnist: world size 3, 12 processes

RANK  PROCESSES  TYPE    INDEX  POD             ADDRESS
0     0-3        Master  0      mnist-master-0  mnist-master-0.team.svc
1     4-7        Worker  0      mnist-worker-0  mnist-worker-0.team.svc
2     8-11       Worker  1      mnist-worker-1  mnist-worker-1.team.svc
""")


def ranks_tells_the_environment_of_one():
    write("job.yaml", JOB)
    by_pod = run("ranks", "job.yaml", "--pod", "mnist-worker-1")
    equal(by_pod.returncode, 0)
    contains(by_pod.stdout, "\nmnist-worker-1, container pytorch\n  LR=0.1\n  PYTHONUNBUFFERED=1\n  MASTER_PORT=23456\n")
    contains(by_pod.stdout, "  WORLD_SIZE=12\n  RANK=2\n")
    for key in (("--host", "mnist-worker-1.team.svc"), ("--rank", "2"), ("--process", "11")):
        equal(run("ranks", "job.yaml", *key).stdout, by_pod.stdout)
    told = json.loads(run("ranks", "-", "--rank", "0", "-o", "json", stdin=JOB).stdout)
    equal((told["worldSize"], told["processes"]), (3, 12))
    equal([(r["rank"], r["index"], r["pod"]) for r in told["replicas"]], [(0, 0, "mnist-master-0")])
    environment = {v["name"]: v["value"] for v in told["replicas"][0]["containers"][0]["env"]}
    equal((environment["RANK"], environment["MASTER_ADDR"]), ("0", "mnist-master-0"))
    contains(run("ranks", "job.yaml", "-o", "yaml").stdout, "worldSize: 3\n")


def ranks_says_what_is_not_there():
    write("job.yaml", JOB)
    done = run("ranks", "job.yaml", "--pod", "mnist-worker-2")
    equal((done.returncode, done.stdout), (2, ""))
    contains(done.stderr, 'pod "mnist-worker-2" is not of this job; pods are mnist-master-0, mnist-worker-0 to mnist-worker-1')
    contains(run("ranks", "job.yaml", "--rank", "3").stderr, "rank 3 is not of this job; ranks are 0 to 2")
    equal(run("ranks", "job.yaml", "--rank", "1", "--pod", "x").returncode, 2)
    equal(run("ranks", "nowhere.yaml").returncode, 2)
    workers = JOB[:JOB.index("    Master:")] + JOB[JOB.index("    Worker:"):]
    alone = run("ranks", write("workers.yaml", workers))
    equal(alone.returncode, 0)
    contains(alone.stdout, "no ranks, torchrun assigns ranks at the rendezvous")
    contains(alone.stdout, "\n-     -          Worker  0 ")


def lint_finds_nothing_in_a_good_job():
    done = run("lint", write("job.yaml", JOB))
    equal((done.returncode, done.stdout, done.stderr), (0, "", ""))


def lint_names_the_place():
    text = JOB.replace("name: LR", "name: RANK").replace("replicas: 2", "replicas: 0").replace("  namespace: team", "  nmae: x")
    done = run("lint", write("job.yaml", POD + "---\n" + text))
    equal(done.returncode, 1)
    base = POD.count("\n") + 1
    lines = done.stdout.splitlines()
    contains(lines[0], f"job.yaml:{base + 5}:")
    contains(lines[0], "[decode.unknown-field]")
    contains(done.stdout, f"job.yaml:{base + 17}:17: error: spec.pytorchReplicaSpecs[Worker].replicas: Forbidden: must be at least 1 "
                          "[pytorch.worker.replicas]\n")
    # What admission refuses is told once.
    equal(done.stdout.count("[Worker].replicas"), 1)


def lint_counts_what_it_finds():
    warned = write("warned.yaml", JOB.replace("name: LR", "name: RANK"))
    done = run("lint", warned)
    equal(done.returncode, 0)
    contains(done.stdout, 'warned.yaml:24:15: warning: spec.pytorchReplicaSpecs[Worker].template.spec.containers[0].env[0]: '
                          'RANK="0.1" has no effect, the operator sets RANK="1" in mnist-worker-0 [lint.reserved-environment]\n')
    equal(run("lint", "--strict", warned).returncode, 1)
    told = json.loads(run("lint", "-o", "json", warned).stdout)
    equal((told["errors"], told["warnings"], len(told["findings"])), (0, 1, 1))
    equal({k: told["findings"][0][k] for k in ("file", "line", "column", "severity", "rule")},
          {"file": warned, "line": 24, "column": 15, "severity": "warning", "rule": "lint.reserved-environment"})
    typed = run("lint", "-", stdin=JOB.replace("replicas: 2", "replicas: two"))
    equal(typed.returncode, 1)
    contains(typed.stdout, 'standard input:17:17: error: spec.pytorchReplicaSpecs.Worker.replicas: expected int32, got "two" ')


def indented(text, by):
    """As an item of a YAML list, `by` columns to the right."""
    lines = text.splitlines()
    return " " * by + "- " + lines[0] + "\n" + "".join(" " * (by + 2) + line + "\n" for line in lines[1:])


def lint_looks_into_lists():
    job = JOB.replace("name: LR", "name: RANK").replace("nprocPerNode:", "nprocPerNodes:")
    head = "apiVersion: v1\nkind: List\nitems:\n"
    text = POD + "---\n" + head + indented(POD, 0) + indented(job, 0) + "- null\n"
    listed = write("list.yaml", text)
    done = run("lint", listed)
    equal(done.returncode, 1)
    base = POD.count("\n") + 1 + head.count("\n") + POD.count("\n")
    lines = done.stdout.splitlines()
    equal(lines[0], f"list.yaml:{base + 7}:20: error: items[1] (PyTorchJob team/mnist): spec.nprocPerNodes: unknown field "
                    '"nprocPerNodes"; did you mean "nprocPerNode"? [decode.unknown-field]')
    contains(lines[1], f"list.yaml:{base + 24}:17: warning: items[1] (PyTorchJob team/mnist): "
                       "spec.pytorchReplicaSpecs[Worker].template.spec.containers[0].env[0]: RANK=")
    equal(lines[2], f"list.yaml:{base + 26}:3: error: items[2]: expected an object, got null [decode.type]")
    equal(len(lines), 3)
    told = json.loads(run("lint", "-o", "json", listed).stdout)
    equal((told["errors"], told["warnings"]), (2, 1))
    equal(told["findings"][0], {
        "file": listed, "document": 2, "item": "items[1]", "kind": "PyTorchJob", "namespace": "team", "name": "mnist",
        "line": base + 7, "column": 20, "severity": "error", "rule": "decode.unknown-field", "path": "spec.nprocPerNodes",
        "message": 'spec.nprocPerNodes: unknown field "nprocPerNodes"; did you mean "nprocPerNode"?'})
    # Items of a list of one kind need not say what they are; lists may hold lists; JSON has positions, too.
    item = "metadata: {name: a}\nspec:\n  nprocPerNode: none\n"
    typed = "apiVersion: kubeflow.org/v1\nkind: PyTorchJobList\nitems:\n" + indented(item, 0)
    contains(run("lint", "-", stdin=typed).stdout, 'standard input:6:19: error: items[0] (PyTorchJob a): spec.nprocPerNode: "none", ')
    nested = head + indented(typed, 2)
    contains(run("lint", "-", stdin=nested).stdout, 'input:9:23: error: items[0].items[0] (PyTorchJob a): spec.nprocPerNode: "none", ')
    as_json = '{"apiVersion": "v1",\n "kind": "List",\n "items": [\n  {"apiVersion": "v1", "kind": "Pod", "specs": 5}]}'
    equal(run("lint", "-", stdin=as_json).stdout,
          'standard input:4:48: error: items[0] (Pod): specs: unknown field "specs"; did you mean "spec"? [decode.unknown-field]\n')
    contains(run("lint", "-", stdin=head + "- {apiVersion: v9, kind: Gizmo}\n").stdout, "input:4:3: warning: items[0] (Gizmo): ")
    wrong = run("lint", "-", stdin="apiVersion: v1\nkind: List\nitems: {a: 1}\n")
    equal((wrong.returncode, wrong.stdout), (1, "standard input:3:8: error: items: expected a list, got an object [decode.type]\n"))
    deep = "{apiVersion: v1, kind: List, items: [" * 12 + "]}" * 12
    contains(run("lint", "-", stdin=deep).stdout, "items: a list within 8 lists, whose items were not checked [lint.list-depth]")


def lint_judges_what_is_written():
    """Not what remains of it after it was read: the reader stops at the first type, and empty objects are absent to it.
    Texts: kube-apiserver's for the CRD."""
    text = JOB.replace("spec:\n  nproc", "spec:\n  runPolicy:\n    backoffLimit: many\n  nproc").replace("replicas: 2", "replicas: two")
    done = run("lint", "-", stdin=text)
    equal(done.returncode, 1)
    lines = done.stdout.splitlines()
    equal(lines[0], 'standard input:8:19: error: spec.runPolicy.backoffLimit: expected int32, got "many" [decode.type]')
    contains(done.stdout, 'standard input:19:17: error: spec.pytorchReplicaSpecs.Worker.replicas: Invalid value: "string": '
                          'spec.pytorchReplicaSpecs.Worker.replicas in body must be of type integer: "string" [schema.type]\n')
    equal(done.stdout.count("backoffLimit"), 1)
    bare = JOB.replace("            image: example.com/mnist:1\n            env:", "            env:\n            - value: x")
    contains(run("lint", "-", stdin=bare).stdout,
             "standard input:23:15: error: spec.pytorchReplicaSpecs.Worker.template.spec.containers[0].env[0].name: Required value "
             "[schema.required]\n")
    # Known to pods, and pruned all the same.
    pruned = JOB.replace("      template:\n", "      template:\n        metadata:\n          creationTimestamp: null\n", 1)
    warned = run("lint", "-", stdin=pruned)
    equal((warned.returncode, warned.stdout),
          (0, 'standard input:13:30: warning: unknown field "spec.pytorchReplicaSpecs.Master.template.metadata.creationTimestamp" '
              "[schema.unknown-field]\n"))
    equal(run("lint", "--strict", "-", stdin=pruned).returncode, 1)


def lint_tells_what_it_cannot_read():
    equal(run("lint", "nowhere.yaml").returncode, 2)
    broken = run("lint", write("broken.yaml", POD + "---\na: [\n"))
    equal(broken.returncode, 2)
    contains(broken.stderr, "broken.yaml:")
    equal(run("lint", write("empty.yaml", "# nothing\n---\n")).returncode, 2)
    equal(run("lint").returncode, 2)
    for text in ("null", "5", "[]"):
        equal(run("lint", "-", stdin=text).returncode, 2)
    unknown = run("lint", write("gizmo.yaml", "apiVersion: example.com/v1\nkind: Gizmo\n"))
    equal(unknown.returncode, 0)
    contains(unknown.stdout, "warning: apiVersion \"example.com/v1\" and kind \"Gizmo\" name no type")


def lint_prints_its_rules():
    done = run("lint", "--rules")
    equal(done.returncode, 0)
    contains(done.stdout, "lint.child-name  error\n    Pods and services are named after job, type and index;")
    contains(done.stdout, "lint.pytorch.devices  warning\n")


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


def diff_compares_meaning():
    before = write("a.yaml", JOB)
    equal(run("diff", before, write("b.yaml", JOB.replace("replicas: 2", "replicas:   2 # two"))).returncode, 0)
    done = run("diff", before, write("c.yaml", JOB.replace("replicas: 2", "replicas: 3").replace('  nprocPerNode: "4"\n', "")))
    equal(done.returncode, 1)
    equal(done.stdout, 'PyTorchJob team/mnist\n'
                       '  ~ spec.pytorchReplicaSpecs.Worker.replicas: 2 -> 3\n'
                       '  - spec.nprocPerNode: "4"\n')
    told = json.loads(run("diff", "-o", "json", before, "c.yaml").stdout)
    equal([d["path"] for d in told["differences"]], ["spec.pytorchReplicaSpecs.Worker.replicas", "spec.nprocPerNode"])
    equal(run("diff", before, "nowhere.yaml").returncode, 2)
    equal(run("diff", before).returncode, 2)
    # Several objects are paired by name, not by place.
    write("d.yaml", POD + "---\n" + JOB)
    equal(run("diff", "d.yaml", write("e.yaml", JOB + "---\n" + POD)).returncode, 0)
    gone = run("diff", "d.yaml", before)
    equal(gone.returncode, 1)
    contains(gone.stdout, "Pod alone\n  - the object: {")
    # Of one name, the first with the first; without a name, by their number.
    twice = POD + "---\n" + POD.replace("alone\n", "alone\n  labels: {a: b}\n")
    equal(run("diff", write("f.yaml", twice), "f.yaml").returncode, 0)
    second = run("diff", "f.yaml", write("g.yaml", POD + "---\n" + JOB))
    contains(second.stdout, "Pod alone\n  - the object: {")
    contains(second.stdout, "PyTorchJob team/mnist\n  + the object: {")
    unnamed = POD.replace("name: alone", "labels: {a: b}")
    told = run("diff", write("h.yaml", unnamed + "---\n" + POD), write("i.yaml", POD + "---\n" + unnamed))
    contains(told.stdout, "Pod #1\n  - the object: {")
    contains(told.stdout, "Pod #2\n  + the object: {")


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
    contains(gizmo.stderr, "items[0]: expected an object, got a list")


def diff_compares_items_of_lists():
    def listed(*texts, extra=""):
        return "apiVersion: v1\nkind: List\n" + extra + "items:\n" + "".join(indented(t, 0) for t in texts)

    other = JOB.replace("name: mnist", "name: other")
    before = write("a.yaml", listed(JOB, POD, other))
    equal(run("diff", before, write("b.yaml", listed(other, JOB, POD))).returncode, 0)
    equal(run("diff", before, write("c.yaml", POD + "---\n" + other + "---\n" + listed(JOB))).returncode, 0)
    done = run("diff", before, write("d.yaml", listed(POD, JOB.replace("replicas: 2", "replicas: 3"), extra="novel: 1\n")))
    equal(done.returncode, 1)
    contains(done.stdout, "PyTorchJob team/mnist\n  ~ spec.pytorchReplicaSpecs.Worker.replicas: 2 -> 3\n")
    contains(done.stdout, "PyTorchJob team/other\n  - the object: {")
    contains(done.stdout, 'List #1\n  + the object: {"apiVersion":"v1","kind":"List","novel":1}\n')
    equal(done.stdout.count("Pod alone"), 0)
    contains(run("diff", "--defaults", before).stdout, "PyTorchJob team/other\n  + spec.runPolicy.cleanPodPolicy")
    # A list of one kind is as good as a mixed one.
    bare = JOB.split("\n", 2)[2]
    typed = write("e.yaml", "apiVersion: kubeflow.org/v1\nkind: PyTorchJobList\nitems:\n" + indented(bare, 0))
    equal(run("diff", typed, write("f.yaml", listed(JOB))).returncode, 0)


def diff_shows_defaults():
    done = run("diff", "--defaults", write("a.yaml", JOB))
    equal(done.returncode, 1)
    contains(done.stdout, '  + spec.runPolicy.cleanPodPolicy: "None"\n')
    equal(run("diff", "--defaults", write("pod.yaml", POD)).returncode, 0)
    equal(run("diff", "--defaults", "a.yaml", "pod.yaml").returncode, 2)


with tempfile.TemporaryDirectory() as folder:
    KFTRAIN = os.path.abspath(KFTRAIN)
    os.chdir(folder)
    globals()[TEST]()
