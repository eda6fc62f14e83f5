"""Common parts of the tests of commands that only need files: manifests, and ways to run a command."""

import os
import subprocess
import sys
import tempfile

KFTRAIN = os.path.abspath(sys.argv[1])

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

RETRIES = """apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: j}
spec:
  maxRetry: %d
  tasks:
  - name: t
    replicas: 1
    template: {spec: {restartPolicy: Never, containers: [{name: m, image: "i:1", command: [a]}]}}
"""

SCRIPT = """apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: j}
spec:
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      template: {spec: {containers: [{name: pytorch, image: "i:1", command: [python3, src/train.py]}]}}
"""


def run(*arguments, stdin=""):
    return subprocess.run([KFTRAIN, *arguments], input=stdin, capture_output=True, text=True, check=False)


def equal(got, want, context=""):
    assert got == want, f"got\n  {got!r}\nexpected\n  {want!r}\n{context}"


def contains(text, part):
    assert part in text, f"expected {part!r} in\n{text}"


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)
    return name


def read(name):
    with open(name, encoding="utf-8") as file:
        return file.read()


def indented(text, by):
    """The text as an item of a YAML list, `by` columns to the right."""
    lines = text.splitlines()
    return " " * by + "- " + lines[0] + "\n" + "".join(" " * (by + 2) + line + "\n" for line in lines[1:])


def nested_lists(depth):
    """That many lists within each other, the innermost with a pod."""
    head = "{apiVersion: v1, kind: List, items: ["
    return head * depth + "{apiVersion: v1, kind: Pod, metadata: {name: alone}}" + "]}" * depth


def run_test(tests):
    """Runs the test that the command line names, in its own folder."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["XDG_CACHE_HOME"] = os.path.join(folder, "cache")  # of images
        tests[sys.argv[2]]()
        os.chdir("/")
