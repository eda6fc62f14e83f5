#!/usr/bin/python3
"""usage: on_a_cluster.py KFTRAIN EXAMPLE SOURCE_DIR

Runs the README's example for a real cluster with `kftrain local up`, which it finds as kubectl does."""

import os
import subprocess
import sys
import tempfile

sys.path += [os.path.join(os.path.dirname(os.path.abspath(__file__)), folder) for folder in ("../cli", "../cli/local")]

from local_server import server  # pylint: disable=wrong-import-position

JOB = """apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: hello}
spec:
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      restartPolicy: Never
      template: {spec: {containers: [{name: pytorch, image: none, command: [sh, -c, 'echo rank $RANK; exit %d']}]}}
"""


def run(example, config, folder, code):
    manifest = os.path.join(folder, f"job{code}.yaml")
    with open(manifest, "w", encoding="utf-8") as file:
        file.write(JOB.replace("hello", f"hello-{code}") % code)
    environment = {"KUBECONFIG": config, "PATH": os.environ["PATH"], "HOME": folder}
    done = subprocess.run([example, manifest], capture_output=True, text=True, timeout=60, check=False, env=environment)
    return done.returncode, done.stdout, done.stderr


def main():
    kftrain, example, sources = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as folder:
        code, _, errors = run(example, os.path.join(folder, "absent"), folder, 0)
        assert code == 2 and "absent" in errors, errors
        s = server(kftrain, sources, os.path.join(folder, "state"))
        try:
            s.up()
            for expected, phase in ((0, "Succeeded"), (1, "Failed")):
                got = run(example, s.config, folder, expected)
                assert got == (expected, f"rank 0\nhello-{expected} {phase}\n", ""), got
        finally:
            s.local("down")


if __name__ == "__main__":
    main()
