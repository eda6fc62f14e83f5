#!/usr/bin/python3
"""usage: diff_command.py KFTRAIN TEST

Runs `kftrain diff` and checks what it prints and its exit codes."""

import json

from manifest_files import JOB, POD, contains, equal, indented, nested_lists, run, run_test, write


def diff_compares_meaning():
    before = write("a.yaml", JOB)
    equal(run("diff", before, write("b.yaml", JOB.replace("replicas: 2", "replicas:   2 # two"))).returncode, 0)
    done = run("diff", before, write("c.yaml",
                                     JOB.replace("replicas: 2", "replicas: 3").replace('  nprocPerNode: "4"\n', "")))
    equal(done.returncode, 1)
    equal(done.stdout, 'PyTorchJob team/mnist\n'
                       '  ~ spec.pytorchReplicaSpecs.Worker.replicas: 2 -> 3\n'
                       '  - spec.nprocPerNode: "4"\n')
    report = json.loads(run("diff", "-o", "json", before, "c.yaml").stdout)
    equal([d["path"] for d in report["differences"]], ["spec.pytorchReplicaSpecs.Worker.replicas", "spec.nprocPerNode"])
    equal(run("diff", before, "nowhere.yaml").returncode, 2)
    equal(run("diff", before).returncode, 2)
    # Objects are paired by name, not by position.
    write("d.yaml", POD + "---\n" + JOB)
    equal(run("diff", "d.yaml", write("e.yaml", JOB + "---\n" + POD)).returncode, 0)
    gone = run("diff", "d.yaml", before)
    equal(gone.returncode, 1)
    contains(gone.stdout, "Pod alone\n  - the object: {")
    # Objects of the same name are paired in order.
    twice = POD + "---\n" + POD.replace("alone\n", "alone\n  labels: {a: b}\n")
    equal(run("diff", write("f.yaml", twice), "f.yaml").returncode, 0)
    second = run("diff", "f.yaml", write("g.yaml", POD + "---\n" + JOB))
    contains(second.stdout, "Pod alone\n  - the object: {")
    contains(second.stdout, "PyTorchJob team/mnist\n  + the object: {")


def diff_compares_items_of_lists():
    def listed(*texts, extra=""):
        return "apiVersion: v1\nkind: List\n" + extra + "items:\n" + "".join(indented(t, 0) for t in texts)

    other = JOB.replace("name: mnist", "name: other")
    before = write("a.yaml", listed(JOB, POD, other))
    equal(run("diff", before, write("b.yaml", listed(other, JOB, POD))).returncode, 0)
    equal(run("diff", before, write("c.yaml", POD + "---\n" + other + "---\n" + listed(JOB))).returncode, 0)
    done = run("diff", before, write("d.yaml",
                                     listed(POD, JOB.replace("replicas: 2", "replicas: 3"), extra="novel: 1\n")))
    equal(done.returncode, 1)
    contains(done.stdout, "PyTorchJob team/mnist\n  ~ spec.pytorchReplicaSpecs.Worker.replicas: 2 -> 3\n")
    contains(done.stdout, "PyTorchJob team/other\n  - the object: {")
    contains(done.stdout, 'List #1\n  + the object: {"apiVersion":"v1","kind":"List","novel":1}\n')
    equal(done.stdout.count("Pod alone"), 0)
    contains(run("diff", "--defaults", before).stdout, "PyTorchJob team/other\n  + spec.runPolicy.cleanPodPolicy")
    # A list of one kind is compared like a mixed one.
    bare = JOB.split("\n", 2)[2]
    typed = write("e.yaml", "apiVersion: kubeflow.org/v1\nkind: PyTorchJobList\nitems:\n" + indented(bare, 0))
    equal(run("diff", typed, write("f.yaml", listed(JOB))).returncode, 0)


def diff_numbers_objects_without_a_name_by_type():
    unnamed = POD.replace("name: alone", "labels: {a: b}")
    before = write("a.yaml", unnamed + "---\n" + POD)
    equal(run("diff", before, write("b.yaml", POD + "---\n" + unnamed)).returncode, 0)
    output = run("diff", before, write("c.yaml", unnamed + "---\n" + unnamed.replace("a: b", "a: c"))).stdout
    contains(output, "Pod alone\n  - the object: {")
    contains(output, "Pod #2\n  + the object: {")
    # An additional item in one list does not change the number of the next list.
    lists = [f"apiVersion: v1\nkind: List\nnovel: {n}\nitems:\n" + indented(POD.replace("alone", f"p{n}"), 0)
             for n in (1, 2)]
    write("d.yaml", "---\n".join(lists))
    write("e.yaml", "---\n".join([lists[0] + indented(POD, 0), lists[1]]))
    done = run("diff", "-o", "json", "d.yaml", "e.yaml")
    equal([d["object"] for d in json.loads(done.stdout)["differences"]], ["Pod alone"])


def diff_refuses_lists_that_are_too_deep():
    write("pod.yaml", POD)
    equal(run("diff", write("fits.yaml", nested_lists(8)), "pod.yaml").returncode, 1)
    done = run("diff", "pod.yaml", write("deep.yaml", nested_lists(9)))
    equal((done.returncode, done.stdout), (2, ""))
    contains(done.stderr, "deep.yaml:1:333: " + "items[0]." * 8 + "items: expected at most 8 nested lists")


def diff_shows_defaults():
    done = run("diff", "--defaults", write("a.yaml", JOB))
    equal(done.returncode, 1)
    contains(done.stdout, '  + spec.runPolicy.cleanPodPolicy: "None"\n')
    equal(run("diff", "--defaults", write("pod.yaml", POD)).returncode, 0)
    equal(run("diff", "--defaults", "a.yaml", "pod.yaml").returncode, 2)


run_test(globals())
