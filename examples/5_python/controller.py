"""A controller in Python: makes a PyTorchJob for each learning rate of a Sweep, and counts them in its status.

It keeps no state: when it starts again, it finds its jobs by their names. Stop it with Ctrl-C or SIGTERM. Run only one
at a time; the controllers of the C++ library have leader election, workers and metrics.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from typing import Any

import kftrain
from kftrain.models.kubeflow_v1 import PyTorchJob
from kftrain.models.meta import OwnerReference
from own_kind import create_crd

KIND = "sweeps.acme.example.com"


def job_of(sweep: Any, number: int) -> PyTorchJob:
    """The job of a learning rate. It has the Sweep as its owner, so that it is deleted with the Sweep."""
    rate = {"name": "LEARNING_RATE", "value": sweep.spec.learning_rates[number]}
    container = {"name": "pytorch", "image": sweep.spec.image, "command": sweep.spec.command, "env": [rate]}
    replica = {"template": {"spec": {"containers": [container]}}}
    owner = OwnerReference(
        api_version=sweep.api_version,
        kind=sweep.kind,
        name=sweep.metadata.name,
        uid=sweep.metadata.uid,
        controller=True,
    )
    return PyTorchJob(
        metadata={
            "name": f"{sweep.metadata.name}-{number}",
            "namespace": sweep.metadata.namespace,
            "owner_references": [owner],
        },
        spec={
            "pytorch_replica_specs": {
                "Master": {"replicas": 1, **replica},
                "Worker": {"replicas": sweep.spec.workers, **replica},
            }
        },
    )


async def reconcile(client: kftrain.AsyncClient, sweep: Any, jobs: Any) -> None:
    """Compares what the Sweep wants with what exists, and creates the difference. Safe to call again at any time."""
    phases = []
    for number in range(len(sweep.spec.learning_rates)):
        wanted = job_of(sweep, number)
        job = jobs.get(wanted.metadata.name)
        if job is None:  # in the local copy, which may be older than the server: a retry finds the existing job
            job = await client.submit(wanted, idempotent=True)
        phases.append(kftrain.phase(job))
    status = {"created": len(phases), "succeeded": phases.count("Succeeded"), "failed": phases.count("Failed")}
    if sweep.to_dict().get("status") != status:
        await client.api(KIND).patch(sweep, {"status": status}, subresource="status")


async def main() -> None:
    loop, queue = asyncio.get_running_loop(), asyncio.Queue()  # of the names of Sweeps
    task = asyncio.current_task()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, task.cancel)

    async def follow_sweeps() -> None:
        async for change in sweeps.changes():
            queue.put_nowait(change.object.metadata.name)

    async def follow_jobs() -> None:
        async for change in jobs.changes():
            for owner in change.object.metadata.owner_references:
                if owner.kind == "Sweep" and owner.controller:
                    queue.put_nowait(owner.name)

    async def work() -> None:
        while True:
            name = await queue.get()
            sweep = sweeps.get(name)
            try:
                if sweep is not None:
                    await reconcile(client, sweep, jobs)
            except kftrain.Error as error:
                print(f"{name}: {error}; trying again in a second", file=sys.stderr)
                loop.call_later(1, queue.put_nowait, name)

    async with kftrain.AsyncClient() as client:
        async with client.informer(KIND) as sweeps, client.informer(PyTorchJob) as jobs:
            print("ready", flush=True)
            await asyncio.gather(follow_sweeps(), follow_jobs(), work())


if __name__ == "__main__":
    with kftrain.Client() as blocking:
        create_crd(blocking)
    with contextlib.suppress(asyncio.CancelledError):
        asyncio.run(main())
