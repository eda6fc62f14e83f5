import asyncio
import contextlib
import subprocess
import sys
import time

import pytest
from conftest import SOURCES, pytorch_job

import kftrain
from kftrain import until


def in_client(cluster, work):
    """Runs a coroutine function with an asynchronous client, on an event loop of its own."""

    async def main():
        async with kftrain.AsyncClient(cluster.kubeconfig) as client:
            try:
                return await asyncio.wait_for(work(client), 60)
            finally:
                for job in await client.list():
                    await client.delete(job, wait=True)

    return asyncio.run(main())


def test_both_clients_have_the_same_methods():
    script = SOURCES / "bindings/python/scripts/async_client.py"
    subprocess.run([sys.executable, script, "--check"], check=True)


def test_jobs_run_at_the_same_time(cluster):
    async def work(client):
        async def one(number):
            job = await client.submit(pytorch_job(f"async-{number}"))
            lines = [line.text async for line in client.logs(job)]
            return kftrain.phase(await client.wait(job)), sorted(lines)

        return await asyncio.gather(*(one(n) for n in range(3)))

    # A job ends with its master: on a slow machine, before the worker writes.
    for phase, lines in in_client(cluster, work):
        assert phase == "Succeeded"
        assert "rank 0 of 2" in lines and set(lines) <= {"rank 0 of 2", "rank 1 of 2"}


def test_errors_are_raised_by_await(cluster):
    async def work(client):
        with pytest.raises(kftrain.NotFound):
            await client.get("tfjob/none")
        job = await client.submit(pytorch_job("late", "sleep 60"))
        with pytest.raises(kftrain.Timeout):
            await client.wait(job, until.succeeded(), timeout=0.1)

    in_client(cluster, work)


def test_cancelling_a_task_cancels_the_operation(cluster):
    async def work(client):
        job = await client.submit(pytorch_job("cancelled", "sleep 60"))
        lines = client.logs(job)
        for operation in (client.wait(job), lines.next(), client.watch(job, pods=False).next()):
            task = asyncio.ensure_future(operation)
            await asyncio.sleep(0.1)
            task.cancel()
            with pytest.raises((asyncio.CancelledError, StopAsyncIteration)):
                await task
                raise StopAsyncIteration  # the watch had its item before
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(client.wait(job), 0.1)
        assert (await client.get(job)).metadata.name == "cancelled"
        # The stream is not damaged by the cancelled step.
        with pytest.raises(kftrain.Timeout):
            await lines.next(timeout=0.1)

    in_client(cluster, work)


def test_a_step_whose_task_was_cancelled_loses_nothing(cluster):
    async def work(client):
        job = await client.submit(pytorch_job("cancelled-steps", "test $RANK = 0 || seq 0 9"))
        await client.wait(job, timeout=60)
        lines = client.logs(job, roles=["Worker"])
        for _ in range(5):
            step = asyncio.ensure_future(lines.next())
            await asyncio.sleep(0)
            time.sleep(0.02)  # the line arrives while the loop cannot take it
            step.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                raise AssertionError(await step)
        return [line.text async for line in lines]

    assert in_client(cluster, work) == [str(n) for n in range(10)]


def test_a_position_is_that_of_the_last_line_that_was_fetched(cluster):
    async def work(client):
        job = await client.submit(pytorch_job("positions", "test $RANK = 0 || seq 1 3"))
        await client.wait(job, timeout=60)
        lines = client.logs(job, roles=["Worker"])
        assert (await lines.next()).text == "1"
        step = asyncio.ensure_future(lines.next())
        await asyncio.sleep(0)
        time.sleep(0.2)  # the line arrives meanwhile
        step.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await step
        position = await lines.position()
        assert [line.text async for line in client.logs(job, roles=["Worker"], position=position)] == ["2", "3"]

    in_client(cluster, work)


def test_a_cancelled_step_does_not_disturb_the_next(cluster):
    async def work(client):
        changes = client.watch(kinds=["TFJob.v1"])
        for _ in range(50):
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(changes.next(), 0.005)

    in_client(cluster, work)


def test_changes_are_an_asynchronous_iterator(cluster):
    async def work(client):
        async with client.watch(kinds=["PyTorchJob.v1"]) as changes:
            await client.submit(pytorch_job("followed"))
            async for change in changes:
                if change.phase == "Succeeded":
                    return change.name

    assert in_client(cluster, work) == "followed"


def test_a_client_serves_several_loops(cluster):
    client = kftrain.AsyncClient(cluster.kubeconfig)

    async def work():
        return await asyncio.gather(*(client.list() for _ in range(20)))

    assert asyncio.run(work()) == asyncio.run(work()) == [[]] * 20
    client.close()


def test_a_loop_ends_while_operations_are_pending(cluster):
    client = kftrain.AsyncClient(cluster.kubeconfig)

    async def work():
        waiting = asyncio.ensure_future(client.watch().next())
        await asyncio.sleep(0.05)
        assert not waiting.done()

    asyncio.run(work())
    client.close()


def test_the_loop_is_not_blocked(cluster):
    async def work(client):
        job = await client.submit(pytorch_job("slow", "sleep 60"))
        waiting = asyncio.ensure_future(client.wait(job, timeout=0.5))
        ticks = 0
        while not waiting.done():
            ticks += 1
            await asyncio.sleep(0.01)
        with pytest.raises(kftrain.Timeout):
            await waiting
        return ticks

    assert in_client(cluster, work) > 5
