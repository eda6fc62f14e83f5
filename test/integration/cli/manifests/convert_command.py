#!/usr/bin/python3
"""usage: convert_command.py KFTRAIN TEST

Runs `kftrain convert` and checks what it prints, what it reports and its exit codes."""

import json
import os
import re
import shutil
import sys
from pathlib import Path

from manifest_files import JOB, POD, contains, equal, indented, read, run, run_test, write

MPI = """apiVersion: kubeflow.org/v1
kind: MPIJob
metadata:
  name: hvd
  namespace: team
spec:
  cleanPodPolicy: Running
  mpiReplicaSpecs:
    Launcher:
      restartPolicy: Never
      template:
        spec:
          containers:
          - name: mpi
            image: i:1
"""
OLD = """apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata:
  name: old
spec:
  backoffLimit: 3
  pytorchReplicaSpecs:
    Master:
      template:
        spec:
          containers:
          - name: pytorch
            image: i:1
"""


def convert_prints_the_job_and_its_changes():
    done = run("convert", "--to", "MPIJob", write("job.yaml", MPI))
    equal(done.returncode, 0)
    equal(done.stdout, MPI.replace("kubeflow.org/v1", "kubeflow.org/v2beta1").replace(
        "  cleanPodPolicy: Running\n", "  runPolicy:\n    cleanPodPolicy: Running\n    backoffLimit: 0\n").replace(
        "      restartPolicy: Never\n", "") + "      restartPolicy: Never\n")
    changes = done.stderr.splitlines()
    equal(len(changes), 3, done.stderr)
    contains(changes[0],
             'job.yaml:1:13: approximated: apiVersion = "kubeflow.org/v1": Processes start in the workers by ssh')
    equal(changes[1], 'job.yaml:7:19: changed: spec.cleanPodPolicy = "Running" -> spec.runPolicy.cleanPodPolicy: The '
                      'field is now in runPolicy.')
    contains(changes[2], "changed: spec.runPolicy.backoffLimit: ")
    equal(run("lint", "-", stdin=done.stdout).returncode, 0)


def convert_reports_as_json():
    done = run("convert", "--to", "PyTorchJob.v1", "--report", "report.json", "-", stdin=OLD + "---\n" + JOB)
    equal(done.returncode, 0)
    report = json.loads(read("report.json"))
    equal([(c["document"], c["name"], len(c["changes"])) for c in report["conversions"]],
          [(1, "old", 2), (2, "mnist", 0)])
    equal((report["changed"], report["approximated"], report["dropped"]), (2, 0, 0))
    first = report["conversions"][0]
    equal((first["from"], first["to"]), ({"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob"},) * 2)
    equal(first["changes"][0], {"path": "spec.backoffLimit", "value": 3, "becomes": "changed",
                                "resultPath": "spec.runPolicy.backoffLimit",
                                "why": "The field is now in runPolicy."})
    equal("value" in first["changes"][1], False)  # the master's number of replicas, which the source leaves out


def convert_makes_volcano_jobs_of_the_examples():
    """For each kind of `kubeflow.org/v1` the result is valid and has as many pods as the source, with their names."""
    examples = Path(__file__).resolve().parents[4] / "examples/manifests"
    plugins = {"pytorch_digits": ["pytorch", "svc"], "tf_job": ["svc", "tensorflow"], "xgboost_job": ["pytorch", "svc"],
               "mx_job": ["svc"], "mpi_job_v1": ["mpi", "ssh", "svc"], "mpi_hosts": ["mpi", "ssh", "svc"],
               "jax_job": ["svc"]}
    for name, expected in plugins.items():
        source = write("source.yaml", read(examples / f"{name}.yaml"))
        done = run("convert", "--to", "Job", "--report", "report.json", source)
        equal(done.returncode, 0, done.stderr)
        manifest = write("made.yaml", done.stdout)
        contains(done.stdout, "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\n")
        linted = run("lint", manifest)
        equal(linted.returncode, 0, name + ": " + linted.stdout)
        job = json.loads(run("fmt", "-o", "json", manifest).stdout)
        equal(sorted(job["spec"]["plugins"]), expected, name)
        before, after = (json.loads(run("ranks", "-o", "json", file).stdout)["replicas"] for file in (source, manifest))
        equal(len(after), len(before), name)
        equal(*(sorted(m["pod"] for m in side if m["type"].lower() != "launcher") for side in (after, before)), name)
        report = json.loads(read("report.json"))
        equal(report["conversions"][0]["to"], {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job"})
        equal(report["conversions"][0]["changes"][0]["path"], "apiVersion")
        equal(len(done.stderr.splitlines()), report["changed"] + report["approximated"] + report["dropped"], name)
    done = run("convert", "--to", "Job", str(examples / "paddle_job.yaml"))
    equal(done.returncode, 0, done.stderr)
    manifest = write("made.yaml", done.stdout)
    equal(run("lint", manifest).returncode, 0)
    replicas = json.loads(run("ranks", "-o", "json", manifest).stdout)["replicas"]
    equal([m["pod"] for m in replicas],
          ["paddle-resnet-worker-0", *(f"paddle-resnet-worker-others-{i}" for i in range(3))])


MX = """apiVersion: kubeflow.org/v1
kind: MXJob
metadata: {name: mx}
spec:
  jobMode: MXTrain
  mxReplicaSpecs:
    Scheduler: {template: {spec: {containers: [{name: mxnet, image: none, command: [sh, -c, sleep 1]}]}}}
    Worker:
      replicas: 2
      template:
        spec:
          containers:
          - {name: mxnet, image: none, command: [sh, -c, 'echo "$DMLC_WORKER_ID of $DMLC_NUM_WORKER $MX_CONFIG"']}
"""


def convert_gives_replicas_of_mx_jobs_their_index():
    made = run("convert", "--to", "Job", "-", stdin=MX)
    done = run("run", write("made.yaml", made.stdout))
    equal(done.returncode, 0, done.stdout + done.stderr)
    for index in (0, 1):
        line = next(line for line in done.stdout.splitlines() if line.startswith(f"[mx-worker-{index}] "))
        number, total, config = re.match(r"\S+ (\d) of (\d) (.*)", line).groups()
        equal((int(number), int(total)), (index, 2), line)
        equal(json.loads(config)["task"], {"type": "worker", "index": index})


def convert_makes_mpi_jobs_that_run():
    """mpirun starts three processes on each of two hosts by ssh."""
    if not shutil.which("mpirun") or not os.path.exists("/usr/sbin/sshd") or os.geteuid() != 0:
        print("SKIPPED: needs the packages openmpi-bin and openssh-server, and root")
        sys.exit(77)
    job = read(Path(__file__).resolve().parents[4] / "examples/manifests/mpi_hosts.yaml")
    job = re.sub(".*discover_hosts.*\n", "", job).replace("slotsPerWorker: 1",
                                                          "slotsPerWorker: 3").replace("-n 2 ", "-n 6 ")
    made = run("convert", "--to", "Job", "-", stdin=job)
    done = run("run", write("made.yaml", made.stdout))
    equal(done.returncode, 0, done.stdout + done.stderr)
    ranks = sorted(re.findall(r"rank (\d) of 6 on hosts-worker-(\d)", done.stdout))
    equal(ranks, [(str(rank), str(rank // 3)) for rank in range(6)], done.stdout)


def convert_takes_several_documents_and_lists():
    done = run("convert", "--to", "PyTorchJob", "-", stdin=OLD + "---\n# two\n---\n" + OLD.replace("old", "other"))
    equal((done.returncode, done.stdout.count("---\n"), done.stdout.count("runPolicy:")), (0, 1, 2))
    listed = "apiVersion: v1\nkind: List\nitems:\n" + indented(OLD, 0)
    done = run("convert", "--to", "PyTorchJob", "--report", "report.json", "-", stdin=listed)
    equal(done.returncode, 0)
    contains(done.stderr,
             "standard input:9:19: changed: items[0].spec.backoffLimit = 3 -> spec.runPolicy.backoffLimit: ")
    equal(json.loads(read("report.json"))["conversions"][0]["item"], "items[0]")


def convert_leaves_jobs_of_the_kind_as_they_are():
    done = run("convert", "--to", "PyTorchJob", "-", stdin=JOB)
    equal((done.returncode, done.stdout, done.stderr), (0, run("fmt", "-", stdin=JOB).stdout, ""))


def convert_lists_the_possible_targets():
    done = run("convert", "--to", "MPIJob", "-", stdin=MPI + "---\n" + JOB)
    equal((done.returncode, done.stdout), (2, ""))
    contains(done.stderr, f"kftrain: standard input:{MPI.count(chr(10)) + 2}:1: PyTorchJob of kubeflow.org/v1 cannot "
                          "be converted to MPIJob; known conversions: ")
    contains(done.stderr, "PyTorchJob of kubeflow.org/v1 to Job of batch.volcano.sh/v1alpha1")
    contains(run("convert", "--help").stdout, "MPIJob of kubeflow.org/v1 to MPIJob of kubeflow.org/v2beta1\n")


FLAVOR = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: f} # kept\n"


def convert_leaves_other_objects_as_they_are():
    alone = run("convert", "--to", "MPIJob", "-", stdin=MPI).stdout
    done = run("convert", "--to", "MPIJob", "-", stdin=FLAVOR + "---\n" + MPI + "---\n" + POD)
    equal((done.returncode, done.stdout), (0, FLAVOR + "---\n" + alone + "---\n" + POD))
    contains(done.stderr, "standard input: line 1: ResourceFlavor f is not a job: copied unchanged\n")
    contains(done.stderr, f"standard input: line {MPI.count(chr(10)) + 6}: Pod alone is not a job: copied unchanged\n")
    listed = run("convert", "--to", "MPIJob", "-",
                 stdin="apiVersion: v1\nkind: List\nitems:\n" + indented(FLAVOR, 0) + indented(MPI, 0))
    equal(listed.returncode, 0, listed.stderr)
    contains(listed.stdout, "kind: ResourceFlavor\n")
    contains(listed.stderr, "standard input: line 4: ResourceFlavor f is not a job: copied unchanged\n")
    none = run("convert", "--to", "MPIJob", "-", stdin=FLAVOR)
    equal((none.returncode, none.stdout), (2, ""))
    contains(none.stderr, "standard input: expected a job, got none\n")


def convert_names_templates_and_misspelt_kinds():
    done = run("convert", "--to", "MPIJob", "-", stdin="{{- if .Values.x }}\n" + MPI + "---\n" + MPI)
    equal((done.returncode, done.stdout), (2, ""))
    equal(done.stderr,
          "kftrain: standard input:1:1: looks like a template of Helm ({{ ... }}); render it first, for example: "
                       "helm template CHART | kftrain convert -\n")
    done = run("convert", "--to", "MPIJob", "-", stdin=MPI.replace("MPIJob", "MpiJobs"))
    contains(done.stderr, "did you mean MPIJob?")


def train_jobs_with_generated_names_pass_lint():
    pod = "{spec: {containers: [{name: pytorch, image: 'i:1', command: [torchrun, t.py]}]}}"
    job = ("apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {generateName: b-}\n"
           "spec: {pytorchReplicaSpecs: {Master: {replicas: 1, template: " + pod + "}}}\n")
    made = run("convert", "--to", "TrainJob", "-", stdin=job)
    equal(made.returncode, 0, made.stderr)
    contains(made.stdout, "generateName: b-\n")
    linted = run("lint", "-", stdin=made.stdout)
    equal((linted.returncode, linted.stdout), (0, ""))


def convert_results_pass_lint():
    old = OLD.replace("  name: old\n", "  name: old\n  clusterName: ''\n").replace("v1\n", "v1alpha2\n", 1).replace(
        "  backoffLimit: 3\n", "").replace("      template:\n",
                                           "      template:\n        metadata: {creationTimestamp: null}\n")
    done = run("convert", "--to", "PyTorchJob", "-", stdin=old)
    equal(done.returncode, 0, done.stderr)
    contains(done.stderr, 'dropped: metadata.clusterName = "": ')
    linted = run("lint", "-", stdin=done.stdout)
    equal((linted.returncode, linted.stdout), (0, ""))


def convert_refuses_with_the_position():
    done = run("convert", "--to", "MPIJob", "-", stdin=MPI.replace("Running", "Maybe"))
    equal((done.returncode, done.stdout), (2, ""))
    contains(done.stderr,
             "standard input:7:19: spec.cleanPodPolicy: MPIJob of kubeflow.org/v2beta1 rejects the result: ")
    done = run("convert", "--to", "PyTorchJob", "-", stdin=OLD.replace("backoffLimit: 3", "backoffLimit: many"))
    contains(done.stderr, "standard input:6:17: spec.backoffLimit: expected int32")
    equal(run("convert", "--to", "MPIJob", "missing.yaml").returncode, 2)
    equal(run("convert", "--to", "MPIJob", "-", stdin="# nothing\n").returncode, 2)
    equal(run("convert", write("job.yaml", MPI)).returncode, 2)
    done = run("convert", "--to", "MPIJob", "--report", "no/such/folder", "job.yaml")
    equal((done.returncode, done.stdout), (2, ""))
    contains(done.stderr, 'cannot write "no/such/folder"')
    equal(sorted(os.listdir(".")), ["job.yaml"])
    done = run("convert", "--to", "MPIJob", "--report", "./job.yaml", "job.yaml")
    equal((done.returncode, done.stdout, read("job.yaml")), (2, "", MPI))
    contains(done.stderr, 'kftrain: --report: "./job.yaml" is the input file, expected another file')


def convert_reads_an_old_form_first():
    done = run("convert", "--to", "Job", "-", stdin=OLD)
    equal((done.returncode, done.stdout), (2, ""))
    contains(done.stderr,
             "PyTorchJob of kubeflow.org/v1 in the format of pytorch-operator cannot be converted to Job in "
                          "one step, expected a conversion first to PyTorchJob")


run_test(globals())
