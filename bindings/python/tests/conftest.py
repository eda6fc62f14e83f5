import atexit
import json
import os
import pathlib
import shutil
import tempfile
import textwrap

import pytest

import kftrain
from kftrain.local import LocalCluster

SOURCES = pathlib.Path(os.environ["KFTRAIN_SOURCE_DIR"])


# A job ends with its master. A real one waits for its workers; so does this one, by files that the workers make.
ENDED = tempfile.mkdtemp(prefix="kftrain-test-")
atexit.register(shutil.rmtree, ENDED, ignore_errors=True)

SAY_RANK = "echo rank $RANK of $WORLD_SIZE"


def pytorch_job(name="hello", command=SAY_RANK, workers=1):
    """The text of a PyTorchJob whose replicas run a shell command.

    The master ends after the workers. To run, a job needs a name that is new in this process.
    """
    ended = f"{ENDED}/{name}."
    wait = " && ".join(f"test -e {ended}{rank}" for rank in range(1, workers + 1)) or "true"
    command += f"\nif test $RANK = 0; then until {wait}; do sleep 0.05; done; else : >{ended}$RANK; fi"
    replica = textwrap.dedent(
        f"""\
        restartPolicy: Never
        template:
          spec:
            containers:
              - name: pytorch
                image: example.com/none
                command: [sh, -c, {json.dumps(command)}]
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
