import os
import pathlib
import textwrap

import pytest

import kftrain
from kftrain.local import LocalCluster

SOURCES = pathlib.Path(os.environ["KFTRAIN_SOURCE_DIR"])


# A job ends with its master. A real one waits for the workers; this one gives them time to write.
SAY_RANK = "echo rank $RANK of $WORLD_SIZE; test $RANK != 0 || sleep 4"


def pytorch_job(name="hello", command=SAY_RANK, workers=1):
    """The text of a PyTorchJob whose replicas run a shell command."""
    replica = textwrap.dedent(
        f"""\
        restartPolicy: Never
        template:
          spec:
            containers:
              - name: pytorch
                image: example.com/none
                command: [sh, -c, {command!r}]
        """
    )
    return (
        f"apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata:\n  name: {name}\nspec:\n  pytorchReplicaSpecs:\n"
        + "    Master:\n"
        + textwrap.indent("replicas: 1\n" + replica, " " * 6)
        + "    Worker:\n"
        + textwrap.indent(f"replicas: {workers}\n" + replica, " " * 6)
    )


@pytest.fixture
def job():
    return kftrain.job(pytorch_job())


@pytest.fixture(scope="module")
def cluster():
    with LocalCluster() as running:
        yield running


@pytest.fixture(scope="module")
def client(cluster):
    return cluster.client()
