"""An image whose program prints what it was given, and a job that runs it."""

import os

from manifest_files import equal, run
from oci_image import make_layout, system_layer

JOB = """apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: %s}
spec:
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      restartPolicy: Never
      template: {spec: {containers: [{name: pytorch, image: "example.com/tiny:1"%s}]}}
"""
SHOW = """echo "$0 $* in $(pwd) as $(id -u):$(id -g):$(id -G) home $HOME"; echo "$GREETING $OWN $PATH"
test -e /etc/debian_version || echo "files of the image"
echo mine > /written; cat /written; head -1 /etc/hosts"""
PROGRAMS = ("/bin/sh", "/usr/bin/id", "/usr/bin/head", "/bin/cat")


def tiny(layout="tiny", **config):
    """An image whose program prints what it was given."""
    settings = {"Entrypoint": ["/bin/sh", "-c", SHOW, "tiny"], "Cmd": ["one", "two"],
                "Env": ["GREETING=hello", "OWN=image", "PATH=/bin"], "WorkingDir": "/work"}
    return make_layout(layout, system_layer(*PROGRAMS), **(settings | config))


def output_of(*arguments, job=JOB % ("tiny", ""), code=0):
    """What the replica prints."""
    done = run("run", "-", *arguments, stdin=job)
    equal(done.returncode, code, done.stdout + done.stderr)
    return [line.partition("] ")[2] for line in done.stdout.splitlines() if line.startswith("[rank 0] ")]


def is_root():
    return os.geteuid() == 0
