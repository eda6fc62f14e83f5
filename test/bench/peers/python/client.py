"""One library at one task against an API server; prints the figures as a line of JSON.

usage: client.py LIBRARY TASK [--kubeconfig FILE] [--namespace NAME] [--count N] [--prefix TEXT]

LIBRARY is one of kftrain, kftrain-async, kubernetes, kubernetes_asyncio, kr8s, and for import also kubeflow-training;
TASK is one of list, watch, create, import.

list    reads all pods into objects, then name, phase and node of each
watch   reads --count events of a watch of pods, and the name of each
create  creates --count PyTorchJobs, 16 in flight
import  imports the library

`cpu` and `wall` are seconds after the import, `per` microseconds of processor time for each thing, `maxrss_mb` the peak
of the whole process.
"""

import argparse
import asyncio
import concurrent.futures
import importlib
import json
import resource
import sys
import time

MODULES = {"kftrain-async": "kftrain", "kubeflow-training": "kubeflow.training"}
IN_FLIGHT = 16
GROUP, VERSION, PLURAL = "kubeflow.org", "v1", "pytorchjobs"


def job(name):
    template = {"spec": {"containers": [{"name": "pytorch", "image": "example.com/train:1", "command": ["train"]}]}}
    replica = {"replicas": 1, "restartPolicy": "Never", "template": template}
    return {
        "apiVersion": f"{GROUP}/{VERSION}",
        "kind": "PyTorchJob",
        "metadata": {"name": name},
        "spec": {"pytorchReplicaSpecs": {"Master": replica, "Worker": dict(replica, replicas=3)}},
    }


def in_threads(names, create):
    with concurrent.futures.ThreadPoolExecutor(IN_FLIGHT) as pool:
        return len(list(pool.map(create, names)))


async def in_tasks(names, create):
    free = asyncio.Semaphore(IN_FLIGHT)

    async def one(name):
        async with free:
            await create(name)

    await asyncio.gather(*(one(name) for name in names))
    return len(names)


def check(name, phase, node):
    if not (name and phase and node):
        raise SystemExit(f"a pod lacks a field: {name!r}, {phase!r}, {node!r}")


class Kftrain:
    def __init__(self, options):
        import kftrain

        self.client = kftrain.Client(options.kubeconfig, namespace=options.namespace)

    def list(self):
        pods = self.client.api("pods", all_namespaces=True).list()
        for pod in pods:
            check(pod.metadata.name, pod.status.phase, pod.spec.node_name)
        return len(pods)

    def watch(self, count):
        with self.client.api("pods", all_namespaces=True).watch(resource_version="1") as events:
            for _, event in zip(range(count), events):
                event.object.metadata.name
        return count

    def create(self, names):
        api = self.client.api(f"{PLURAL}.{GROUP}")
        return in_threads(names, lambda name: api.create(job(name)))


class KftrainAsync:
    def __init__(self, options):
        self.options = options

    def run(self, work):
        import kftrain

        async def body():
            async with kftrain.AsyncClient(self.options.kubeconfig, namespace=self.options.namespace) as client:
                return await work(client)

        return asyncio.run(body())

    def list(self):
        async def work(client):
            pods = await client.api("pods", all_namespaces=True).list()
            for pod in pods:
                check(pod.metadata.name, pod.status.phase, pod.spec.node_name)
            return len(pods)

        return self.run(work)

    def watch(self, count):
        async def work(client):
            left = count
            async for event in client.api("pods", all_namespaces=True).watch(resource_version="1"):
                event.object.metadata.name
                left -= 1
                if left == 0:
                    return count

        return self.run(work)

    def create(self, names):
        async def work(client):
            api = client.api(f"{PLURAL}.{GROUP}")
            return await in_tasks(names, lambda name: api.create(job(name)))

        return self.run(work)


class Kubernetes:
    def __init__(self, options):
        from kubernetes import client, config

        config.load_kube_config(options.kubeconfig)
        self.library, self.namespace = client, options.namespace

    def list(self):
        pods = self.library.CoreV1Api().list_pod_for_all_namespaces().items
        for pod in pods:
            check(pod.metadata.name, pod.status.phase, pod.spec.node_name)
        return len(pods)

    def watch(self, count):
        from kubernetes import watch

        stream = watch.Watch().stream(self.library.CoreV1Api().list_pod_for_all_namespaces, resource_version="1")
        for _, event in zip(range(count), stream):
            event["object"].metadata.name
        return count

    def create(self, names):
        api = self.library.CustomObjectsApi()
        return in_threads(
            names, lambda name: api.create_namespaced_custom_object(GROUP, VERSION, self.namespace, PLURAL, job(name))
        )


class KubernetesAsyncio:
    def __init__(self, options):
        self.options = options

    def run(self, work):
        from kubernetes_asyncio import client, config

        async def body():
            await config.load_kube_config(self.options.kubeconfig)
            async with client.ApiClient() as connection:
                return await work(client, connection)

        return asyncio.run(body())

    def list(self):
        async def work(client, connection):
            pods = (await client.CoreV1Api(connection).list_pod_for_all_namespaces()).items
            for pod in pods:
                check(pod.metadata.name, pod.status.phase, pod.spec.node_name)
            return len(pods)

        return self.run(work)

    def watch(self, count):
        async def work(client, connection):
            from kubernetes_asyncio import watch

            left = count
            listing = client.CoreV1Api(connection).list_pod_for_all_namespaces
            async with watch.Watch().stream(listing, resource_version="1") as stream:
                async for event in stream:
                    event["object"].metadata.name
                    left -= 1
                    if left == 0:
                        return count

        return self.run(work)

    def create(self, names):
        async def work(client, connection):
            create = client.CustomObjectsApi(connection).create_namespaced_custom_object
            return await in_tasks(names, lambda name: create(GROUP, VERSION, self.options.namespace, PLURAL, job(name)))

        return self.run(work)


class Kr8s:
    def __init__(self, options):
        import kr8s

        self.api = kr8s.api(kubeconfig=options.kubeconfig, namespace=options.namespace)

    def list(self):
        count = 0
        for pod in self.api.get("pods", namespace="all"):
            check(pod.name, pod.status.phase, pod.spec.nodeName)
            count += 1
        return count

    def watch(self, count):
        for _, (_, pod) in zip(range(count), self.api.watch("pods", namespace="all", since="1")):
            pod.name
        return count

    def create(self, names):
        from kr8s.objects import new_class

        kind = new_class("PyTorchJob", version=f"{GROUP}/{VERSION}", namespaced=True, plural=PLURAL)
        return in_threads(names, lambda name: kind(job(name), api=self.api).create())


LIBRARIES = {
    "kftrain": Kftrain,
    "kftrain-async": KftrainAsync,
    "kubernetes": Kubernetes,
    "kubernetes_asyncio": KubernetesAsyncio,
    "kr8s": Kr8s,
}


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", choices=[*LIBRARIES, "kubeflow-training"])
    parser.add_argument("task", choices=["list", "watch", "create", "import"])
    parser.add_argument("--kubeconfig")
    parser.add_argument("--namespace", default="default")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--prefix", default="job-")
    options = parser.parse_args()

    def measured(work):
        cpu, wall = processor_seconds(), time.perf_counter()
        items = work()
        cpu, wall = processor_seconds() - cpu, time.perf_counter() - wall
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        figures = {"cpu": cpu, "wall": wall, "per": cpu / items * 1e6, "items": items, "maxrss_mb": peak}
        print(json.dumps(figures), flush=True)

    module = MODULES.get(options.library, options.library)
    if options.task == "import":
        return measured(lambda: len([importlib.import_module(module)]))
    importlib.import_module(module)
    library = LIBRARIES[options.library](options)
    if options.task == "list":
        return measured(library.list)
    if options.task == "watch":
        return measured(lambda: library.watch(options.count))
    return measured(lambda: library.create([f"{options.prefix}{i}" for i in range(options.count)]))


if __name__ == "__main__":
    sys.exit(main())
