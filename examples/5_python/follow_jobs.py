"""Submits all jobs of a manifest and follows them side by side: states, output of all replicas, causes of a failure.

Finds the cluster as kubectl does. Each line begins with kind and name of its job. The exit code is 0 if all jobs
succeeded. The program deletes a job as soon as one of its replicas restarts.
"""

from __future__ import annotations

import asyncio
import contextlib
import pathlib
import sys
from typing import Any

import kftrain


def report(job: Any, text: str) -> None:
    print(f"{job.kind} {job.metadata.name}: {text}", flush=True)


async def follow_states(client: kftrain.AsyncClient, job: Any) -> str:
    """Reports each phase, and returns the last one."""
    last = ""
    async with client.watch(job) as changes:
        async for state in changes:
            if state.phase != last:
                last = state.phase
                report(job, f"is {last}")
            if last in ("Succeeded", "Failed") or state.restarts > 0:
                break
    return last


async def follow_output(client: kftrain.AsyncClient, job: Any) -> None:
    with contextlib.suppress(kftrain.Deleted):
        async with client.logs(job) as lines:
            async for line in lines:
                rank = "" if line.rank is None else f" rank {line.rank}"
                report(job, f"[{line.role} {line.index}{rank}] {line.text}")


async def follow(client: kftrain.AsyncClient, job: Any) -> bool:
    job = await client.submit(job)
    output = asyncio.create_task(follow_output(client, job))
    last = await follow_states(client, job)
    if last != "Succeeded":
        for cause in (await client.explain(job)).causes:
            report(job, f"{cause.kind}, exit code {cause.code}: {cause.summary}")
    if last not in ("Succeeded", "Failed"):
        await client.delete(job)
    await output
    return last == "Succeeded"


async def main(path: str) -> int:
    jobs = kftrain.parse_jobs(pathlib.Path(path).read_text(encoding="utf-8"))
    async with kftrain.AsyncClient() as client:
        succeeded = await asyncio.gather(*(follow(client, job) for job in jobs))
    return 0 if all(succeeded) else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1])))
