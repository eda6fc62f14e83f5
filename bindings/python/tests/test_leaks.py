"""Ten thousand operations, objects and cancellations leave memory and descriptors as they were."""

import asyncio
import contextlib
import gc
import os
import subprocess
import sys

import pytest
from conftest import pytorch_job, resident_bytes

import kftrain
from kftrain import until
from kftrain.models.core import ConfigMap

ROUNDS = 40  # of about 250 operations
WARM_UP = 10  # further ones, which fill caches
TOLERANCE = 2_000_000  # bytes: 200 for each operation

TEXT = "x" * 2_000


# A process of its own, whose memory is not measured: the server keeps a history of what it stored.
SERVER = """
import sys
from kftrain.testing import ApiServer

with ApiServer() as server:
    print(server.kubeconfig, flush=True)
    server.pods(sys.stdin.readline().strip())
    print("ready", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def server():
    with subprocess.Popen(
        [sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        process.stdin.close()


def descriptors():
    return len(os.listdir("/proc/self/fd"))


def use_objects(client, kept, number):
    """About 100 operations."""
    maps = client.api(ConfigMap)
    for i in range(10):
        made = maps.create(ConfigMap(metadata={"name": f"map-{i}"}, data={"a": "b"}))
        maps.patch(made, {"data": {"a": None}})
        assert sum(len(item.data.get("text", "")) for item in maps.list()) == len(TEXT)
        assert len(maps.get("kept").data["text"]) == len(TEXT)
        with pytest.raises(kftrain.NotFound):
            maps.get("none")
        maps.delete(made)
        assert client.get(kept) == client.get("pytorchjob.v1/kept")
        with pytest.raises(kftrain.AlreadyExists):
            client.submit(pytorch_job("kept"))
        with pytest.raises(kftrain.Timeout):
            client.wait(kept, until.succeeded(), timeout=0.001)
        client.explain(kept)
    if number % 2 == 0:
        client.delete(client.submit(pytorch_job(f"job-{number}")))


def use_models():
    """60 objects."""
    for _ in range(20):
        job = kftrain.job(pytorch_job())
        part = job.spec.pytorch_replica_specs["Worker"].template.spec.containers[0]
        part.env.append({"name": "X", "value": TEXT})
        assert job.copy() == job
        with pytest.raises(TypeError):
            part.image = 1
        kftrain.ranks(job)


def abandon_streams(client, kept):
    """28 streams, of which half have a reader."""
    maps = client.api("configmaps")
    for _ in range(7):
        next(client.watch(kept))
        client.logs(kept)
        next(maps.watch())
        maps.watch()


async def cancel_tasks(kubeconfig, kept):
    """60 cancellations."""
    async with kftrain.AsyncClient(kubeconfig) as client:
        maps = client.api("configmaps")
        changes = client.watch(kept)
        await changes.next()
        tasks = []
        for _ in range(15):
            tasks += map(
                asyncio.ensure_future,
                (client.wait(kept), maps.list(), maps.wait("never", lambda it: it is not None), client.explain(kept)),
            )
        tasks.append(asyncio.ensure_future(changes.next()))
        await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        for task in tasks:
            with contextlib.suppress(asyncio.CancelledError):
                await task


def test_memory_and_descriptors_stay_flat(server):
    kubeconfig = server.stdout.readline().strip()
    client = kftrain.Client(kubeconfig=kubeconfig)
    client.api(ConfigMap).create(ConfigMap(metadata={"name": "kept"}, data={"text": TEXT}))
    kept = client.submit(pytorch_job("kept"))
    print("pytorchjob.v1/kept", file=server.stdin, flush=True)
    assert server.stdout.readline() == "ready\n"

    def work(number):
        use_objects(client, kept, number)
        use_models()
        abandon_streams(client, kept)
        asyncio.run(cancel_tasks(kubeconfig, kept))
        gc.collect()

    for number in range(WARM_UP):
        work(number)
    memory, open_files = resident_bytes(), descriptors()
    for number in range(WARM_UP, WARM_UP + ROUNDS):
        work(number)
    assert descriptors() <= open_files + 3  # connections that are kept for the next request
    assert resident_bytes() - memory < TOLERANCE
