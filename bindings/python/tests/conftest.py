import asyncio
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
import uuid

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


SERVER = """
import contextlib, socket
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
while True:
    connection, _ = server.accept()
    with connection, contextlib.suppress(OSError):  # of a connection that is lost
        data = b""
        while piece := connection.recv(65536):
            data += piece
        connection.sendall(data[::-1])
"""


def pod(name, *command, **container):
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name},
        "spec": {"containers": [{"name": "main", "image": "none", "command": list(command), **container}]},
    }


def is_running(pod):
    return pod is not None and pod.status is not None and pod.status.phase == "Running"


@pytest.fixture(scope="module")
def pods(client):
    api = client.api("pods")
    api.create(pod("shell", "sleep", "1000"))
    api.create(pod("reader", "sh", "-c", "while read line; do echo got $line; done; sleep 1000", stdin=True))
    api.create(pod("server", "python3", "-c", SERVER))
    for name in ("shell", "reader", "server"):
        api.wait(name, is_running, timeout=60)
    return api


@pytest.fixture(scope="module")
def server_port(pods):
    with pods.logs("server", follow=True) as lines:
        return int(lines.next(timeout=60))


@pytest.fixture(scope="module")
def running_job(client):
    stored = client.submit(pytorch_job("commands", "sleep 1000", workers=1))
    client.wait(stored, kftrain.until.all_ranks_ready(), timeout=60)
    return stored


def processes_with(text):
    found = []
    for file in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if text.encode() in file.read_bytes():
                found.append(file.parent.name)
    return found


def wait_until(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def long_command():
    """Returns a command that does not end, and a text that its process has in its command line."""
    mark = f"mark-{uuid.uuid4().hex}"
    return ["sh", "-c", f"echo begun; sleep 1000; : {mark}"], mark


def in_pods(cluster, work):
    """Runs a coroutine function with the asynchronous API of pods."""

    async def main():
        async with kftrain.AsyncClient(cluster.kubeconfig, namespace="default") as client:
            return await work(client.api("pods"))

    return asyncio.run(main())


def client_of(port, folder, **options):
    """A client of a server on this machine."""
    cluster = {"name": "c", "cluster": {"server": f"http://127.0.0.1:{port}"}}
    context = {"name": "c", "context": {"cluster": "c", "user": "u"}}
    config = {"apiVersion": "v1", "kind": "Config", "current-context": "c", "users": [{"name": "u"}]}
    (folder / "config").write_text(json.dumps({**config, "clusters": [cluster], "contexts": [context]}))
    return kftrain.Client(folder / "config", **options)
