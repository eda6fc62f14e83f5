#!/usr/bin/python3
"""usage: lint_command.py KFTRAIN TEST

Runs `kftrain lint` and checks what it prints and its exit codes."""

import json
import os
from pathlib import Path

from manifest_files import (JOB, POD, RETRIES, SCRIPT, contains, equal, indented, nested_lists, run, run_test,
                            write)


# kube-apiserver adds this fault if a type is wrong.
UNCHECKED = ('Invalid value: "null": some validation rules were not checked because the object was invalid; correct '
             'the existing '
             "errors to complete validation [schema.invalid]")


def lint_finds_nothing_in_a_good_job():
    done = run("lint", write("job.yaml", JOB))
    equal((done.returncode, done.stdout, done.stderr), (0, "", ""))


def lint_finds_nothing_in_the_examples():
    manifests = sorted((Path(__file__).resolve().parents[4] / "examples/manifests").glob("*.yaml"))
    assert len(manifests) > 5, manifests
    for manifest in manifests:
        linted, rendered = run("lint", str(manifest)), run("render", str(manifest))
        equal((linted.returncode, linted.stdout, linted.stderr), (0, "", ""), str(manifest))
        equal((rendered.returncode, rendered.stderr), (0, ""), str(manifest))


def lint_reports_positions():
    text = JOB.replace("name: LR", "name: RANK").replace("replicas: 2", "replicas: 0").replace("  namespace: team",
                                                                                               "  nmae: x")
    done = run("lint", write("job.yaml", POD + "---\n" + text))
    equal(done.returncode, 1)
    base = POD.count("\n") + 1
    lines = done.stdout.splitlines()
    contains(lines[0], f"job.yaml:{base + 5}:")
    contains(lines[0], "[decode.unknown-field]")
    contains(done.stdout, f"job.yaml:{base + 17}:17: error: spec.pytorchReplicaSpecs[Worker].replicas: Forbidden: must "
                          "be at least 1 [pytorch.worker.replicas]\n")
    # Faults that admission refuses are reported once.
    equal(done.stdout.count("[Worker].replicas"), 1)


def lint_reports_faults_of_pods_as_a_server():
    text = JOB.replace("name: LR", "name: 1R")
    done = run("lint", write("pods.yaml", text))
    equal(done.returncode, 1)
    contains(done.stdout, "pods.yaml:24:21: error: "
                          "spec.pytorchReplicaSpecs[Worker].template.spec.containers[0].env[0].name: Invalid value: "
                          '"1R": a valid environment variable name must ')
    contains(done.stdout, "[lint.pod]\n")
    contains(run("lint", "--rules").stdout, "lint.pod ")


def lint_counts_findings():
    warned = write("warned.yaml", JOB.replace("name: LR", "name: RANK"))
    done = run("lint", warned)
    equal(done.returncode, 0)
    contains(done.stdout,
             'warned.yaml:24:15: warning: spec.pytorchReplicaSpecs[Worker].template.spec.containers[0].env[0]: '
             'RANK="0.1" has no effect: the operator sets RANK="1" in mnist-worker-0 [lint.reserved-environment]\n')
    equal(run("lint", "--strict", warned).returncode, 1)
    report = json.loads(run("lint", "-o", "json", warned).stdout)
    equal((report["errors"], report["warnings"], len(report["findings"])), (0, 1, 1))
    equal({k: report["findings"][0][k] for k in ("file", "line", "column", "severity", "rule")},
          {"file": warned, "line": 24, "column": 15, "severity": "warning", "rule": "lint.reserved-environment"})
    typed = run("lint", "-", stdin=JOB.replace("replicas: 2", "replicas: two"))
    equal(typed.returncode, 1)
    contains(typed.stdout,
             'standard input:17:17: error: spec.pytorchReplicaSpecs.Worker.replicas: expected int32, got "two" ')


def lint_checks_items_of_lists():
    job = JOB.replace("name: LR", "name: RANK").replace("nprocPerNode:", "nprocPerNodes:")
    head = "apiVersion: v1\nkind: List\nitems:\n"
    text = POD + "---\n" + head + indented(POD, 0) + indented(job, 0) + "- null\n"
    listed = write("list.yaml", text)
    done = run("lint", listed)
    equal(done.returncode, 1)
    base = POD.count("\n") + 1 + head.count("\n") + POD.count("\n")
    lines = done.stdout.splitlines()
    equal(lines[0],
          f"list.yaml:{base + 7}:20: error: items[1] (PyTorchJob team/mnist): spec.nprocPerNodes: unknown field "
                    '"nprocPerNodes"; did you mean "nprocPerNode"? [decode.unknown-field]')
    contains(lines[1], f"list.yaml:{base + 24}:17: warning: items[1] (PyTorchJob team/mnist): "
                       "spec.pytorchReplicaSpecs[Worker].template.spec.containers[0].env[0]: RANK=")
    equal(lines[2], f"list.yaml:{base + 26}:3: error: items[2]: expected an object, got null [decode.type]")
    equal(len(lines), 3)
    report = json.loads(run("lint", "-o", "json", listed).stdout)
    equal((report["errors"], report["warnings"]), (2, 1))
    equal(report["findings"][0], {
        "file": listed, "document": 2, "item": "items[1]", "kind": "PyTorchJob", "namespace": "team", "name": "mnist",
        "line": base + 7, "column": 20, "severity": "error", "rule": "decode.unknown-field",
        "path": "spec.nprocPerNodes",
        "message": 'spec.nprocPerNodes: unknown field "nprocPerNodes"; did you mean "nprocPerNode"?'})
    name = b"caf\xe9.yaml"  # not UTF-8
    with open(name, "wb") as file:
        file.write(job.encode())
    equal(json.loads(run("lint", "-o", "json", name).stdout)["findings"][0]["file"], "caf\ufffd.yaml")
    # Items of a typed list may omit apiVersion and kind; lists may contain lists; faults in JSON have positions, too.
    item = "metadata: {name: a}\nspec:\n  nprocPerNode: none\n"
    typed = "apiVersion: kubeflow.org/v1\nkind: PyTorchJobList\nitems:\n" + indented(item, 0)
    contains(run("lint", "-", stdin=typed).stdout,
             'standard input:6:19: error: items[0] (PyTorchJob a): spec.nprocPerNode: "none", ')
    nested = head + indented(typed, 2)
    contains(run("lint", "-", stdin=nested).stdout,
             'input:9:23: error: items[0].items[0] (PyTorchJob a): spec.nprocPerNode: "none", ')
    as_json = '{"apiVersion": "v1",\n "kind": "List",\n "items": [\n  {"apiVersion": "v1", "kind": "Pod", "specs": 5}]}'
    equal(run("lint", "-", stdin=as_json).stdout,
          'standard input:4:48: error: items[0] (Pod): specs: unknown field "specs"; did you mean "spec"? '
          '[decode.unknown-field]\n')
    contains(run("lint", "-", stdin=head + "- {apiVersion: v9, kind: Gizmo}\n").stdout,
             "input:4:3: warning: items[0] (Gizmo): ")
    wrong = run("lint", "-", stdin="apiVersion: v1\nkind: List\nitems: {a: 1}\n")
    equal((wrong.returncode, wrong.stdout),
          (1, "standard input:3:8: error: items: expected a list, got an object [decode.type]\n"))
    equal(run("lint", "-", stdin=nested_lists(8)).stdout, "")
    contains(run("lint", "-", stdin=nested_lists(9)).stdout,
             "items: more than 8 nested lists; the items were not checked [lint.list-depth]")


def lint_checks_fields_as_written():
    """Empty objects are faults, although the decoder drops them. Texts: kube-apiserver's for the CRD."""
    text = JOB.replace("spec:\n  nproc", "spec:\n  runPolicy:\n    backoffLimit: many\n  nproc").replace("- name: LR",
                                                                                                         "- nmae: LR")
    done = run("lint", "-", stdin=text)
    equal(done.returncode, 1)
    lines = done.stdout.splitlines()
    equal(lines[0], 'standard input:8:19: error: spec.runPolicy.backoffLimit: expected int32, got "many" [decode.type]')
    contains(lines[1], 'standard input:26:15: error: '
                       'spec.pytorchReplicaSpecs.Worker.template.spec.containers[0].env[0].nmae: unknown ')
    contains(done.stdout,
             "standard input:26:15: error: spec.pytorchReplicaSpecs.Worker.template.spec.containers[0].env[0].name: "
                          "Required value [schema.required]\n")
    equal(done.stdout.count("backoffLimit"), 1)
    bare = JOB.replace("            image: example.com/mnist:1\n            env:",
                       "            env:\n            - value: x")
    contains(run("lint", "-", stdin=bare).stdout,
             "standard input:23:15: error: spec.pytorchReplicaSpecs.Worker.template.spec.containers[0].env[0].name: "
             "Required value [schema.required]\n")
    # Pods have the field, and the CRD prunes it nevertheless.
    pruned = JOB.replace("      template:\n", "      template:\n        metadata:\n          creationTimestamp: null\n",
                         1)
    warned = run("lint", "-", stdin=pruned)
    equal((warned.returncode, warned.stdout),
          (0, 'standard input:13:30: warning: unknown field '
              '"spec.pytorchReplicaSpecs.Master.template.metadata.creationTimestamp" '
              "[schema.unknown-field]\n"))
    equal(run("lint", "--strict", "-", stdin=pruned).returncode, 1)


def lint_reports_every_fault_once():
    """Decoder, schemas and rules write the same path in different ways."""
    image = "            image: example.com/mnist:1\n"
    listed = JOB.replace(image, image + "            resources: {limits: {nvidia.com/gpu: [1]}}\n", 1)
    done = run("lint", "-", stdin=listed)
    contains(done.stdout,
             'containers[0].resources.limits["nvidia.com/gpu"]: expected quantity, got a list [decode.type]\n')
    equal(done.stdout.count("[schema.type]"), 0)
    # Two faults with the same path in the notation of the schema.
    alike = JOB.replace("replicas: 2", "replicas: two")
    output = run("lint", "-", stdin=alike + "    Worker.replicas: 5\n").stdout
    path = "spec.pytorchReplicaSpecs"
    equal(output, f'standard input:17:17: error: {path}.Worker.replicas: expected int32, got "two" [decode.type]\n'
                f'standard input:26:22: error: {path}["Worker.replicas"]: expected an object, got 5 [decode.type]\n'
                f"standard input:1:1: error: {UNCHECKED}\n")


def lint_continues_after_values_of_the_wrong_type():
    text = JOB.replace("replicas: 1", "replicas: one").replace("replicas: 2", "replicas: 99999999999")
    text = text.replace('"4"', "[4, [5]]").replace("            env:\n",
                                                   "            imagPullPolicy: x\n            env:\n")
    expected = [
        ("7:17", "decode.type", "spec.nprocPerNode: expected string, got a list"),
        ("10:17", "decode.type", 'spec.pytorchReplicaSpecs.Master.replicas: expected int32, got "one"'),
        ("17:17", "decode.type", "spec.pytorchReplicaSpecs.Worker.replicas: expected int32, got 99999999999"),
        ("23:13", "decode.unknown-field",
         "spec.pytorchReplicaSpecs.Worker.template.spec.containers[0].imagPullPolicy: unknown field "
                                          '"imagPullPolicy"; did you mean "imagePullPolicy"?')]
    done = run("lint", "-", stdin=text)
    equal((done.returncode, done.stderr), (1, ""))
    equal(done.stdout.splitlines(),
          [f"standard input:{at}: error: {message} [{rule}]" for at, rule, message in expected]
          + [f"standard input:1:1: error: {UNCHECKED}"])
    report = json.loads(run("lint", "-o", "json", "-", stdin=text).stdout)
    equal(report["errors"], len(expected) + 1)
    # Within a list, and as JSON.
    listed = run("lint", "-", stdin="apiVersion: v1\nkind: List\nitems:\n" + indented(text, 0))
    equal([line.split(": ", 3)[3] for line in listed.stdout.splitlines()],
          [f"{message} [{rule}]" for _, rule, message in expected] + [UNCHECKED])
    outer = run("lint", "-",
                stdin="apiVersion: v1\nkind: List\nmetadata: 5\nitems:\n" + indented(POD.replace("spec", "spce"), 0))
    equal([line.split(": ", 2)[2].split(",")[0] for line in outer.stdout.splitlines()],
          ["metadata: expected an object",
           'items[0] (Pod alone): spce: unknown field "spce"; did you mean "spec"? [decode.unknown-field]'])
    pod = '{"apiVersion": "v1", "kind": "Pod",\n "metadata": 5,\n "spec": {"containers": [{"name": 1}, 2]}, "spec": []}'
    equal(run("lint", "-", stdin=pod).stdout,
          "standard input:2:14: error: metadata: expected an object, got 5 [decode.type]\n"
          "standard input:3:35: error: spec.containers[0].name: expected string, got 1 [decode.type]\n"
          "standard input:3:39: error: spec.containers[1]: expected an object, got 2 [decode.type]\n"
          'standard input:3:44: error: spec: duplicate field "spec" [decode.duplicate-field]\n'
          "standard input:3:52: error: spec: expected an object, got a list [decode.type]\n")
    # Commands that need a whole object name the first value that does not fit.
    equal(run("fmt", "-", stdin="x: 1\n" + POD.replace("i:1", "[]") + "  hostname: {}\n").stderr,
          "kftrain: standard input:9:12: spec.containers[0].image: expected string, got a list\n")


NAME_PART = ("name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
             "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
             "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')")


def lint_reports_faults_of_metadata_as_a_server():
    """Texts: ValidateObjectMeta of apimachinery v0.31.3."""
    place = "  namespace: team\n"
    labelled = JOB.replace(place, place + '  labels:\n    fine: ok\n    "a b": good\n  annotations: {Example.com/Any: '
                                          '"x y"}\n')
    done = run("lint", "-", stdin=labelled)
    equal((done.returncode, done.stdout),
          (1, f'standard input:8:12: error: metadata.labels: Invalid value: "a b": {NAME_PART} [metadata.labels]\n'))
    report = json.loads(run("lint", "-o", "json", "-", stdin=labelled).stdout)
    equal([(f["rule"], f["severity"], f["path"]) for f in report["findings"]],
          [("metadata.labels", "error", "metadata.labels")])
    several = JOB.replace(place, "  namespace: a.b\n  finalizers: [hold, a/]\n  ownerReferences:\n  - {apiVersion: v1, "
                                 "kind: Pod, name: p}\n")
    lines = run("lint", "-", stdin=several).stdout.splitlines()
    equal(lines, [
        'standard input:5:14: error: metadata.namespace: Invalid value: "a.b": must not contain dots '
        '[metadata.namespace]',
        'standard input:8:5: error: metadata.ownerReferences.uid: Invalid value: "": uid must not be empty '
        '[metadata.owner-references]',
        'standard input:6:22: error: metadata.finalizers: Invalid value: "a/": name part must be non-empty '
        '[metadata.finalizers]',
        f'standard input:6:22: error: metadata.finalizers: Invalid value: "a/": {NAME_PART} [metadata.finalizers]',
        'standard input:6:16: warning: metadata.finalizers: "hold": prefer a domain-qualified finalizer name to avoid '
        'accidental conflicts with other finalizer writers [metadata.finalizers]'])


def lint_checks_names_as_a_server_does_before_webhooks():
    # The webhook would refuse the name, too, but the server does not call it.
    lines = run("lint", "-", stdin=JOB.replace("name: mnist\n", "name: Bad_Name\n", 1)).stdout.splitlines()
    equal(len(lines), 1)
    contains(lines[0], 'standard input:4:9: error: metadata.name: Invalid value: "Bad_Name": a lowercase RFC 1123 '
                       'subdomain must ')
    contains(lines[0], " [metadata.name]")
    # The server accepts this name, the webhook does not.
    lines = run("lint", "-", stdin=JOB.replace("name: mnist\n", "name: 9.mnist\n", 1)).stdout.splitlines()
    equal(len(lines), 1)
    contains(lines[0], 'metadata.name: Invalid value: "9.mnist": should match: a DNS-1035 label must ')
    contains(lines[0], " [job.name]")
    nameless = run("lint", "-", stdin=JOB.replace("  name: mnist\n", "", 1)).stdout
    equal(nameless, "standard input:4:3: error: metadata.name: Required value: name or generateName is required "
                    "[metadata.name]\n")
    generated = JOB.replace("name: mnist\n", "generateName: mnist-\n", 1)
    equal(run("lint", "-", stdin=generated).stdout, "")
    lines = run("lint", "-", stdin=generated.replace("mnist-", "Bad_")).stdout.splitlines()
    equal(len(lines), 1)
    contains(lines[0],
             'input:4:17: error: metadata.generateName: Invalid value: "Bad_": a lowercase RFC 1123 subdomain must ')
    contains(run("lint", "-", stdin=generated.replace("mnist-", "9-")).stdout,
             'metadata.name: Invalid value: "9-xxxxx": should match: a DNS-1035 label must ')
    # A value that the model cannot read does not hide other faults, and is reported once.
    wrong = JOB.replace("  name: mnist\n", '  name: 5\n  labels: {a: 1, "b c": x}\n', 1).replace("replicas: 2",
                                                                                                 "replicas: two")
    lines = run("lint", "-", stdin=wrong).stdout.splitlines()
    equal([line.rsplit("[", 1)[1] for line in lines if "metadata" in line],
          ["decode.type]", "decode.type]", "metadata.labels]"])


def lint_checks_the_metadata_of_every_kind():
    """Lint has no rules for names of other kinds."""
    pod = POD.replace("name: alone", 'name: Some_Name\n  labels: {a: "x y"}')
    done = run("lint", "-", stdin="apiVersion: v1\nkind: List\nitems:\n" + indented(POD, 0) + indented(pod, 0))
    equal(done.returncode, 1)
    contains(done.stdout, 'standard input:16:17: error: items[1] (Pod Some_Name): metadata.labels: Invalid value: "x '
                          'y": a valid label must ')
    equal(done.stdout.count("\n"), 1)
    equal(run("lint", "-", stdin="apiVersion: v1\nkind: Pod\n").returncode, 0)


def lint_reports_unreadable_files():
    equal(run("lint", "nowhere.yaml").returncode, 2)
    broken = run("lint", write("broken.yaml", POD + "---\na: [\n"))
    equal(broken.returncode, 2)
    contains(broken.stderr, "broken.yaml:")
    equal(run("lint", write("empty.yaml", "# nothing\n---\n")).returncode, 2)
    equal(run("lint").returncode, 2)
    for text in ("null", "5", "[]"):
        equal(run("lint", "-", stdin=text).returncode, 2)
    # The JSON report contains the fault as well.
    read = run("lint", "-o", "json", "-", stdin=JOB + "---\na: [")
    equal(read.returncode, 2)
    report = json.loads(read.stdout)
    equal((report["errors"], report["warnings"], len(report["findings"])), (1, 0, 1))
    line = JOB.count("\n") + 2
    equal(report["findings"][0], {
        "file": "-", "document": 2, "line": line, "column": 4, "severity": "error", "rule": "decode.syntax",
        "message": "invalid YAML: the list that begins here is not closed"})
    contains(read.stderr, f"standard input:{line}:4: invalid YAML: the list that begins here is not closed")
    equal(run("lint", "-", stdin="a: [").stdout, "")
    number = json.loads(run("lint", "-o", "json", "-", stdin="5").stdout)
    equal([(f["rule"], f["line"], f["column"]) for f in number["findings"]], [("decode.type", 1, 1)])
    unknown = run("lint", write("gizmo.yaml", "apiVersion: example.com/v1\nkind: Gizmo\n"))
    equal(unknown.returncode, 0)
    contains(unknown.stdout, "warning: apiVersion \"example.com/v1\" and kind \"Gizmo\" are not a known type")


def lint_refuses_kinds_and_versions_that_the_groups_of_jobs_do_not_have():
    update = "the current apiVersion is kubeflow.org/v1; update it with kftrain convert --to"
    for api_version, kind, hint in (("kubeflow.org/v1", "PytorchJob", "did you mean PyTorchJob?"),
                                    ("kubeflow.org/v1alpha1", "TFJob", f"{update} TFJob.v1"),
                                    ("kubeflow.org/v1alpha2", "PyTorchJob", f"{update} PyTorchJob.v1"),
                                    ("trainer.kubeflow.org/v1alpha1", "TrainJobs", "did you mean TrainJob?"),
                                    ("batch.volcano.sh/v1alpha1", "Jobs", "did you mean Job?")):
        done = run("lint", "-", stdin=f"apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: a}}\n")
        equal((done.returncode, done.stdout),
              (1, f'standard input:2:7: error: apiVersion "{api_version}" and kind "{kind}" are not a known job kind; '
                  f'{hint} [lint.unknown-kind]\n'))
        done = run("render", "-", stdin=f"apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: a}}\n")
        equal((done.returncode, done.stderr),
              (2, f'kftrain: standard input: apiVersion "{api_version}" and kind "{kind}" are not a known job kind; '
                                                  f"{hint} (line 2, column 7)\n"))
    neighbour = run("lint", "-", stdin="apiVersion: kubeflow.org/v1beta1\nkind: Experiment\nmetadata: {name: a}\n")
    equal(neighbour.returncode, 0)


def lint_names_templates_once():
    done = run("lint", write("chart.yaml", "{{- if .Values.x }}\n" + JOB + "---\n{{ end }}\n"))
    equal((done.returncode, done.stdout), (2, ""))
    equal(done.stderr,
          "kftrain: chart.yaml:1:1: looks like a template of Helm ({{ ... }}); render it first, for example: "
                       "helm template CHART | kftrain lint -\n")
    equal(run("lint", "-", stdin=JOB.replace("value: \"0.1\"", "value: '{{inputs.parameters.lr}}'")).stdout, "")
    count = run("lint", "-", stdin=JOB.replace("replicas: 2", "replicas: ${WORKERS}"))
    contains(count.stdout, 'expected int32, got "${WORKERS}"; ${WORKERS} is a placeholder: fill it in first, for '
                           'example: envsubst < FILE')
    slashes = run("lint", "-", stdin="// job.yaml\n" + JOB)
    equal(slashes.stderr, "kftrain: standard input:1:1: // does not begin a comment in YAML, # does\n")


HALF = JOB.replace("            env:\n", "            resources: {requests: {cpu: 0.5}}\n            env:\n")


def lint_reports_a_number_in_place_of_a_quantity_once():
    place = "spec.pytorchReplicaSpecs.Worker.template.spec.containers[0].resources.requests.cpu"
    message = f'{place}: 0.5 is a number, expected an integer or a string: write "500m" or "0.5" [schema.type]'
    done = run("lint", "-", stdin=HALF)
    equal((done.returncode, done.stdout), (1, f"standard input:23:41: error: {message}\n"))
    for command in (["render", "-"], ["ranks", "-"], ["run", "-"]):
        refused = run(*command, stdin=HALF)
        equal((refused.returncode, refused.stderr), (2, f"kftrain: standard input:23:41: error: {message}\n"), command)
    for fine in ("1", '"0.5"', "500m", "2.0"):
        equal(run("lint", "-", stdin=HALF.replace("0.5}", fine + "}")).returncode, 0, fine)


def lint_names_where_a_field_belongs():
    done = run("lint", "-", stdin=JOB.replace("spec:\n", "spec:\n  cleanPodPolicy: None\n", 1))
    equal((done.returncode, done.stdout),
          (1, 'standard input:7:3: error: spec.cleanPodPolicy: unknown field "cleanPodPolicy"; it belongs to '
              'spec.runPolicy.cleanPodPolicy; '
              "update it with kftrain convert --to PyTorchJob.v1 [decode.unknown-field]\n"))
    deeper = run("lint", "-",
                 stdin=JOB.replace("        spec:\n          containers:\n", "        containers:\n", 1).replace(
        "          - name: pytorch\n            image", "        - name: pytorch\n          image", 1))
    contains(deeper.stdout,
             'unknown field "containers"; it belongs to spec.pytorchReplicaSpecs.Master.template.spec.containers [')


def lint_reports_zeros_that_the_defaults_replace():
    equal(run("lint", "-", stdin=RETRIES % 0).stdout,
          "standard input:5:13: info: spec.maxRetry: 0 counts as 3, the default [lint.replaced-zero]\n")
    equal(run("lint", "-", stdin=RETRIES % 2).stdout, "")
    amounts = (RETRIES % 2).replace("  tasks:", '  minResources: {cpu: 0, memory: "0"}\n  tasks:')
    equal(run("lint", "-", stdin=amounts).stdout.count("lint.replaced-zero"), 0)


def lint_reports_jobs_that_a_local_cluster_cannot_run():
    path = "spec.pytorchReplicaSpecs[Master].template.spec.containers[0].command"
    bare = run("lint", "--local", "-", stdin=JOB)
    equal(bare.returncode, 1)
    equal(bare.stdout.count("[local.unsupported]"), 2)
    contains(bare.stdout, f"error: {path}: the local cluster does not support this: images are not pulled; set command")
    equal(run("lint", "-", stdin=SCRIPT).stdout, "")
    for command in (("lint", "--local", "-"), ("run", "-")):
        done = run(*command, stdin=SCRIPT)
        contains(done.stdout + done.stderr,
                 f'error: {path}: "src/train.py" does not exist here; start the command in the directory of the file, '
                 "set workingDir to it, or use the files of an image with --image [local.missing-file]\n")
    os.makedirs("src", exist_ok=True)
    write("src/train.py", "")
    equal(run("lint", "--local", "-", stdin=SCRIPT).stdout, "")
    elsewhere = SCRIPT.replace("command:", "workingDir: /nowhere, command:")
    contains(run("lint", "--local", "-", stdin=elsewhere).stdout, "[local.missing-file]")
    mounted = elsewhere.replace("command:", "volumeMounts: [{name: v, mountPath: %s}], command:")
    mounted = mounted.replace("spec: {containers", "spec: {volumes: [{name: v, configMap: {name: c}}], containers")
    for folder, found in (("/nowhere", 0), ("/nowhere/src/", 0), ("/nowhere/other", 1), ("/no", 1)):
        equal(run("lint", "--local", "-", stdin=mounted % folder).stdout.count("[local.missing-file]"), found, folder)
    in_volume = "[nosuch], env: [{name: PATH, value: /x}], volumeMounts: [{name: v, mountPath: /x}]"
    server = "file]" if os.path.exists("/usr/sbin/sshd") else "program]"
    for words, found in (("[sh, -c, cd x && python3 a.py]", ""), ("[python3, -m, a.b]", ""), ("[sh, src/train.py]", ""),
                         ("[python3, /no/a.py]", "file]"), ("[/no/x.sh]", "file]"), ("[sh, -e, x.sh]", "file]"),
                         ("[/usr/sbin/sshd, -De, -f, /no/config]", server), ("[/no/sshd]", "program]"),
                         ("[nosuch]", "program]"), (in_volume, "")):
        out = run("lint", "--local", "-", stdin=SCRIPT.replace("[python3, src/train.py]", words)).stdout
        equal([part.split("\n")[0] for part in out.split("local.missing-")[1:]], [found] if found else [], words)


def lint_follows_the_flags_of_the_operator():
    gang = SCRIPT.replace("spec:\n", "spec:\n  runPolicy: {schedulingPolicy: {minAvailable: 1}}\n", 1)
    contains(run("lint", "-", stdin=gang).stdout, "[lint.gang-flag]")
    equal(run("lint", "--operator-flag", "gang-scheduler-name=volcano", "-", stdin=gang).stdout, "")


def lint_prints_its_rules():
    done = run("lint", "--rules")
    equal(done.returncode, 0)
    contains(done.stdout, "lint.child-name  error\n    Pods and services are named after job, type and index. ")
    contains(done.stdout, "lint.pytorch.devices  warning\n")


def lint_escapes_control_characters_of_manifests():
    hostile = write("hostile.json",
                    '{"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":"A\\n\\u001b[31m\\u009b"},'
                    '"spec":{"nprocPerNode":"B\\n\\u001b[31m\\u009b"}}')
    printed = run("lint", hostile)
    equal(printed.returncode, 1)
    contains(printed.stdout, 'Invalid value: "A\\n\\x1b[31m\\u009b": ')  # as Go's %q
    contains(printed.stdout, "B; \\u001b[31m\\u009b")
    for line in printed.stdout.splitlines():
        equal(line.startswith("hostile.json"), True)


def lint_reports_missing_api_version_and_kind():
    for text in ("kind: PyTorchJob\n", "apiVersion: kubeflow.org/v1\n"):
        equal(run("lint", "-", stdin=text).returncode, 1)
    equal(run("lint", "-", stdin="kind: Foreign\napiVersion: example.com/v1\n").returncode, 0)


run_test(globals())
