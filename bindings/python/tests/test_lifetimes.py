import asyncio
import copy
import gc
import os
import pickle
import signal
import threading

from conftest import pytorch_job, resident_bytes

import kftrain
from kftrain import until
from kftrain.local import LocalCluster
from kftrain.models.core import ConfigMap, Pod


def growth_of(work, rounds):
    """The growth of memory in bytes while `work` runs; it has run before, so that caches are full."""
    for _ in range(rounds // 4):
        work()
    gc.collect()
    before = resident_bytes()
    for _ in range(rounds):
        work()
    gc.collect()
    return resident_bytes() - before


def test_models_do_not_leak():
    def work():
        pod = Pod(metadata={"name": "x" * 1000}, spec={"containers": [{"name": "a"}, {"name": "b"}]})
        part = pod.spec.containers[1]
        pod.spec.containers.insert(0, {"name": "c", "env": [{"name": "X", "value": "y" * 1000}]})
        assert part.name == "a"
        assert pickle.loads(pickle.dumps(pod)) == copy.deepcopy(pod)
        try:
            part.image = 1
        except TypeError:
            pass

    # One leaked pod for each round would be more than 10 MB.
    assert growth_of(work, 4000) < 3_000_000


def test_jobs_do_not_leak():
    text = pytorch_job()

    def work():
        job = kftrain.parse_jobs(text)[0]
        kftrain.render(job)
        kftrain.ranks(job)
        try:
            kftrain.parse_jobs("kind: [")
        except kftrain.ParseError:
            pass

    assert growth_of(work, 1000) < 3_000_000


def test_apis_and_informers_do_not_leak(cluster, client):
    maps = client.api("configmaps")
    for number in range(50):
        maps.create(ConfigMap(metadata={"name": f"kept-{number}"}, data={"text": "x" * 1000}))

    def work():
        api = client.api("configmaps")
        assert sum(len(item.data["text"]) for item in api.list()) == 50_000
        with api.watch() as changes:
            for _ in range(50):
                next(changes)
        with client.informer("configmaps") as informer:
            assert len(informer.list()) == 50
            next(informer.changes())
        try:
            api.get("none")
        except kftrain.NotFound:
            pass

    # One leaked list for each round would be more than 10 MB.
    assert growth_of(work, 200) < 5_000_000


def child_processes():
    children = []
    for thread in os.listdir("/proc/self/task"):
        with open(f"/proc/self/task/{thread}/children") as file:
            children += file.read().split()
    return children


def test_a_cluster_that_is_dropped_ends_its_pods():
    before = set(child_processes())
    cluster = LocalCluster().start()
    client = cluster.client()
    client.wait(client.submit(pytorch_job("dropped", "sleep 600")), until.all_ranks_ready(), timeout=60)
    kubeconfig = cluster.kubeconfig
    assert set(child_processes()) - before
    del cluster
    gc.collect()
    assert set(child_processes()) <= before
    assert not os.path.exists(kubeconfig)
    try:
        client.list(timeout=2)
    except kftrain.Error:
        pass
    else:
        raise AssertionError("the server still answers")


def test_clients_do_not_leak_threads_and_descriptors(cluster):
    def work():
        client = cluster.client()
        client.list()
        changes = client.watch()
        cluster._clients.clear()
        del client
        gc.collect()
        del changes

    work()
    gc.collect()
    threads = len(os.listdir("/proc/self/task"))
    descriptors = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        work()
    gc.collect()
    assert len(os.listdir("/proc/self/task")) <= threads + 1
    assert len(os.listdir("/proc/self/fd")) <= descriptors + 3


def test_calls_of_a_cluster_that_has_ended_fail(monkeypatch):
    before = set(child_processes())
    cluster = LocalCluster().start()
    client = cluster.client()
    monkeypatch.setenv("KUBECONFIG", cluster.kubeconfig)
    other = kftrain.Client()
    helpers = set(child_processes()) - before
    job = client.submit(pytorch_job("ended", "sleep 600"))
    client.wait(job, until.all_ranks_ready(), timeout=60)
    lines, changes, pods = client.logs(job), other.watch(job), other.api("pods").watch()
    for stream in (changes, pods):
        next(stream)
    informer = other.informer("pods")
    informer.wait_for_sync(timeout=60)
    failures, opened = {}, threading.Event()

    async def wait():
        async with kftrain.AsyncClient(cluster.kubeconfig) as waiting:
            opened.set()
            await waiting.wait(job)

    def run(name, call):
        try:
            call()
        except kftrain.Error as error:
            failures[name] = (error.code, str(error))

    calls = {
        "wait": lambda: client.wait(job),
        "logs": lambda: list(lines),
        "watch": lambda: list(changes),
        "objects": lambda: list(pods),
        "informer": lambda: list(informer.changes()),
        "asyncio": lambda: asyncio.run(wait()),
    }
    threads = [threading.Thread(target=run, args=item) for item in calls.items()]
    for thread in threads:
        thread.start()
    opened.wait(60)
    for helper in helpers:
        os.kill(int(helper), signal.SIGKILL)
    for thread in threads:
        thread.join(60)
    calls["get"] = lambda: client.get(job)  # and all later ones
    run("get", calls["get"])
    assert failures == dict.fromkeys(calls, ("helper_failed", "the local cluster has ended: sandbox helper failed"))
    run("stop", cluster.stop)
    assert failures["stop"] == failures["get"]
