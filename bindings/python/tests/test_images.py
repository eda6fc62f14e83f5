"""What serves the images of a local cluster."""

import os
import sys

import pytest

from kftrain import Error
from kftrain.local import LocalCluster

JOB = """apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: prefix}
spec:
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      template:
        spec:
          containers:
            - {name: pytorch, image: "example.com/mine:1", command: [python, -c, "import sys; print(sys.prefix)"]}
"""


def test_a_virtual_environment_serves_an_image(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.makedirs("env/bin")
    os.symlink(sys.executable, "env/bin/python")
    (tmp_path / "env/pyvenv.cfg").write_text("home = /usr/bin\n")
    with LocalCluster(images={"example.com/mine": "venv:env"}, image_directory=tmp_path / "store") as cluster:
        client = cluster.client()
        job = client.submit(JOB)
        client.wait(job)
        assert [line.text for line in client.logs(job)] == [os.path.realpath("env")]


def test_sources_that_cannot_be_used_are_named(tmp_path):
    for source, why in (("docker:x", "expected host, venv:PATH"), (f"dir:{tmp_path}/none", "expected an existing")):
        with pytest.raises(Error, match=rf"images\[a\]: {why}"):
            LocalCluster(images={"a": source}).start()
