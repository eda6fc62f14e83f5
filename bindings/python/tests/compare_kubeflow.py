#!/usr/bin/env python3
"""Runs the same calls with kftrain.kubeflow and with the original package, and compares results and requests.

    python3 -m venv /tmp/original && /tmp/original/bin/pip install 'kubeflow-training==1.9.*'
    PYTHONPATH=build/dev/python /tmp/original/bin/python bindings/python/tests/compare_kubeflow.py

Both packages use one local cluster, each in its own namespace, through a proxy that counts requests. The program prints
a table of all calls, and the number of requests of waits. It fails if a result differs that is not marked as different
on purpose. `-v` prints all results; `--long` waits for 100 jobs of a minute.
"""

import inspect
import json
import sys
import threading
import time

import kubeflow.training as original
import kubeflow.training.models
import kubeflow_calls  # noqa: F401 - registers the calls
import kubernetes.client as k8s
from kubeflow_jobs import CALLS, make_programs, plain, pytorch_job
from kubeflow_proxy import Proxy, proxied_cluster

import kftrain
import kftrain.kubeflow as ours

PACKAGES = {"original": original, "kftrain": ours}


def outcome(function, client, package, namespace):
    try:
        return "returns", plain(function(client, package, namespace))
    except Exception as error:
        # NotImplementedError is a RuntimeError, and so on: the class that a program can expect.
        return "raises", type(error).__name__, str(error)


def compare():
    """Makes all calls with both clients; returns the number of differences that are not on purpose."""
    unexpected = 0
    verdicts = {}
    with proxied_cluster():
        clients = {}
        for name, package in PACKAGES.items():
            clients[name] = package.TrainingClient(config_file=Proxy.kubeconfig, namespace=name)
            clients["original"].core_api.create_namespace({"metadata": {"name": name}})
        for method, text, function, differs in CALLS:
            results = []
            for name, package in PACKAGES.items():
                result = outcome(function, clients[name], package, name)
                shown = json.dumps(result, default=str)
                results.append(json.loads(shown.replace(f'"{name}"', '"N"').replace(f": {name}.", ": N.")))
            same = results[0][:2] == results[1][:2]
            verdict = "same" if same else differs or "DIFFERENT"
            as_expected = same != bool(differs)
            unexpected += not as_expected
            verdicts.setdefault(method, []).append(verdict.partition(":")[0])
            print(f"| `{method}` | {text} | {summary(results[0])} | {summary(results[1])} | {verdict} |", flush=True)
            if not as_expected or "-v" in sys.argv:
                print("   original:", results[0], "\n   kftrain: ", results[1])
    print("\n| method | calls |\n|---|---|")
    for method, found in verdicts.items():
        print(f"| `{method}` | {', '.join(f'{found.count(v)} {v}' for v in sorted(set(found), reverse=True))} |")
    return unexpected


def summary(result):
    if result[0] == "raises":
        return result[1]
    text = json.dumps(result[1])
    return "returns" if len(text) > 40 else f"`{text}`"


# The original reads the namespace when it is imported. The others belong to its train().
EXPECTED = {"__init__(namespace)", "train(storage_config)", "INIT_CONTAINER_MOUNT_PATH", "PVC_DEFAULT_ACCESS_MODES"}
EXPECTED |= {"PVC_DEFAULT_SIZE", "STORAGE_INITIALIZER", "STORAGE_INITIALIZER_IMAGE", "STORAGE_INITIALIZER_VOLUME_MOUNT"}
EXPECTED |= {"TRAINER_TRANSFORMER_IMAGE"}


def signatures():
    """Parameters and defaults of methods, constants and names of models that differ."""
    found = set()
    for name, theirs in inspect.getmembers(original.TrainingClient, inspect.isfunction):
        if name.startswith("_") and name != "__init__":
            continue
        mine = inspect.signature(getattr(ours.TrainingClient, name)).parameters
        if list(mine) != list(inspect.signature(theirs).parameters):
            found.add(f"{name}: other parameters")
        for parameter in inspect.signature(theirs).parameters.values():
            if parameter.name in mine and mine[parameter.name].default != parameter.default:
                found.add(f"{name}({parameter.name})")
    for name in dir(original.constants):
        if name.isupper() and name not in ("JOB_MODELS_TYPE", "JOB_PARAMETERS", "JAXJOB_REPLICA_TYPES"):
            if getattr(ours.constants, name, None) != getattr(original.constants, name):
                found.add(name)
    for module in (original, kubeflow.training.models):
        found.update(name for name in dir(module) if name.startswith("KubeflowOrg") and not hasattr(ours, name))
    return found - EXPECTED


def count_requests(jobs, seconds, interval):
    """Waits for jobs that end after some seconds, one thread for each wait, as programs do with the original."""
    results = {}
    with proxied_cluster() as cluster:
        for package_name, package in PACKAGES.items():
            client = package.TrainingClient(config_file=Proxy.kubeconfig, namespace="default")
            admin = cluster.client()
            names = [f"{package_name}-{i}" for i in range(jobs)]
            for name in names:
                admin.submit(plain(pytorch_job(original, name, f"sleep {seconds}")))
            Proxy.counts.clear()
            ends, noticed = {}, {}

            def wait(name, client=client, noticed=noticed):
                client.wait_for_job_conditions(name, wait_timeout=300, polling_interval=interval)
                noticed[name] = time.time()

            threads = [threading.Thread(target=wait, args=(name,)) for name in names]
            for thread in threads:
                thread.start()
            with admin.watch(kinds=["PyTorchJob.v1"], pods=False) as changes:
                while len(ends) < jobs:
                    change = changes.next(timeout=300)
                    if change.phase == "Succeeded" and change.name in names:
                        ends.setdefault(change.name, time.time())
            for thread in threads:
                thread.join()
            delays = sorted(noticed[name] - ends[name] for name in names)
            results[package_name] = (Proxy.counts.get(package_name, 0), delays[len(delays) // 2], delays[-1])
            for name in names:
                admin.delete(f"pytorchjob.v1/{name}")
    return results


def main():
    make_programs()
    print(f"kftrain {kftrain.__version__}, kubeflow-training {original.__version__}, kubernetes {k8s.__version__}\n")
    found = signatures()
    print("signatures, constants and models:", *(sorted(found) or ["no unexpected difference"]))
    print("\n| method | call | original | kftrain | verdict |\n|---|---|---|---|---|")
    unexpected = compare()
    print("\n| waits for | package | requests | noticed after, median | most |\n|---|---|---|---|---|")
    for jobs, seconds, interval in ((20, 10, 1), (100, 60, 15)) if "--long" in sys.argv else ((10, 5, 1),):
        for name, (requests, median, most) in count_requests(jobs, seconds, interval).items():
            print(
                f"| {jobs} jobs of {seconds} s, polling_interval={interval} | {name} | {requests} |"
                f" {median:.2f} s | {most:.2f} s |"
            )
    sys.exit(bool(found) or unexpected != 0)


if __name__ == "__main__":
    main()
