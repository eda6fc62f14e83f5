import atexit
import contextlib
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time

import pytest

import kftrain
from kftrain.local import LocalCluster

SOURCES = pathlib.Path(os.environ["KFTRAIN_SOURCE_DIR"])


# A job ends with its master. A real one waits for its workers; so does this one, by files that the workers make.
ENDED = tempfile.mkdtemp(prefix="kftrain-test-")
atexit.register(shutil.rmtree, ENDED, ignore_errors=True)

PRINT_RANK = "echo rank $RANK of $WORLD_SIZE"


def pytorch_job(name="hello", command=PRINT_RANK, workers=1):
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


def run_program(*arguments, timeout=150, **options):
    """Runs a Python program; if it does not end in time, the failure shows the stacks of its processes."""
    environment = {**os.environ, "PYTHONFAULTHANDLER": "1"}
    process = subprocess.Popen(
        [sys.executable, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=environment,
        **options,
    )
    try:
        output, errors = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        for child in _descendants(process.pid):
            _abort(child)  # first, so that the program can still print what they write
        time.sleep(2)
        _abort(process.pid)
        output, errors = process.communicate(timeout=30)
        pytest.fail(f"not ended after {timeout} s\n{output}\n{errors}")
    return subprocess.CompletedProcess(process.args, process.returncode, output, errors)


def resident_bytes():
    """The memory of this process; 0 with AddressSanitizer, which keeps freed memory for a while."""
    if "libclang_rt.asan" in os.environ.get("LD_PRELOAD", ""):
        return 0
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def _descendants(parent):
    parents = {}
    for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parents[int(status.parent.name)] = int(status.read_text().rpartition(")")[2].split()[1])
    found = [parent]
    for each in found:
        found += [child for child, its_parent in parents.items() if its_parent == each]
    return found[1:]


def _abort(process):
    with contextlib.suppress(OSError):
        if pathlib.Path(f"/proc/{process}/comm").read_text().startswith("python"):
            os.kill(process, signal.SIGABRT)


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
