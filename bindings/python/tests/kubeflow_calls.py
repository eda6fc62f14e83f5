"""Other calls of `compare_kubeflow.py`. Each gets a client, its package and its namespace."""

import contextlib
import io
import re
import threading

import kubeflow_creations  # noqa: F401 - registers its calls first: the others use its jobs
import kubernetes.client as k8s
from kubeflow_jobs import call, names_of, plain, pytorch_job, stored
from kubeflow_proxy import Proxy
from kubernetes import config as k8s_config

# get_job, list_jobs, conditions


@call("get_job", "name")
def _(client, package, namespace):
    return client.get_job("object")


@call("get_job", "name, namespace, job_kind, timeout")
def _(client, package, namespace):
    return client.get_job("tf", namespace, "TFJob", timeout=5)


@call("get_job", "name that does not exist")
def _(client, package, namespace):
    client.get_job("none")


@call("get_job", "job_kind that is unknown")
def _(client, package, namespace):
    client.get_job("object", job_kind="Deployment")


@call("get_job", "unknown parameter")
def _(client, package, namespace):
    client.get_job("object", test=1)


@call("list_jobs", "nothing")
def _(client, package, namespace):
    jobs = client.list_jobs()
    return type(jobs).__name__, [name for name in ("object", "object-2", "none") if name in names_of(jobs)]


@call("list_jobs", "namespace, job_kind, timeout")
def _(client, package, namespace):
    return [plain(job) for job in client.list_jobs(namespace, "TFJob", 5)]


@call("list_jobs", "namespace that does not exist")
def _(client, package, namespace):
    return client.list_jobs("nowhere")


@call("list_jobs", "job_kind that is unknown")
def _(client, package, namespace):
    client.list_jobs(job_kind="Deployment")


@call("get_job_conditions", "name")
def _(client, package, namespace):
    conditions = client.get_job_conditions("function")
    return type(conditions).__name__, [(c.type, c.status, c.reason, type(c.last_update_time)) for c in conditions]


@call("get_job_conditions", "job without a status")
def _(client, package, namespace):
    return client.get_job_conditions(job=pytorch_job(package, "x"))


@call("get_job_conditions", "job of another kind than job_kind")
def _(client, package, namespace):
    client.get_job_conditions(job=pytorch_job(package, "x"), job_kind="TFJob")


@call(
    "get_job_conditions",
    "job of another kind than the client, without job_kind",
    differs="better: the kind of the job counts",
)
def _(client, package, namespace):
    return len(client.get_job_conditions(job=client.get_job("tf", job_kind="TFJob"))) > 0


@call("get_job_conditions", "nothing")
def _(client, package, namespace):
    client.get_job_conditions()


for state in ("created", "running", "restarting", "succeeded", "failed"):

    @call(f"is_job_{state}", "name")
    def _(client, package, namespace, state=state):
        return getattr(client, f"is_job_{state}")("function")

    @call(f"is_job_{state}", f"job, job_kind, timeout ({state})")
    def _(client, package, namespace, state=state):
        return getattr(client, f"is_job_{state}")(
            job=client.get_job("function"), job_kind="PyTorchJob", namespace=namespace, timeout=5
        )

    @call(f"is_job_{state}", f"name that does not exist ({state})")
    def _(client, package, namespace, state=state):
        getattr(client, f"is_job_{state}")("none")


# wait_for_job_conditions


@call("wait_for_job_conditions", "name, polling_interval, wait_timeout")
def _(client, package, namespace):
    client.create_job(pytorch_job(package, "waited"))
    job = client.wait_for_job_conditions("waited", polling_interval=1, wait_timeout=30)
    return job.metadata.name, job.status.conditions[-1].type


@call("wait_for_job_conditions", "expected_conditions={Running}, callback")
def _(client, package, namespace):
    client.create_job(pytorch_job(package, "waited-2", "sleep 4"))
    seen = []
    client.wait_for_job_conditions(
        "waited-2", namespace, "PyTorchJob", {"Running"}, 30, 1, lambda job: seen.append(job.kind), 5
    )
    return set(seen)


@call("wait_for_job_conditions", "expected_conditions={Created}")
def _(client, package, namespace):
    return client.wait_for_job_conditions("waited", expected_conditions={"Created"}).metadata.name


@call("wait_for_job_conditions", "a job that fails")
def _(client, package, namespace):
    client.create_job(pytorch_job(package, "fails", "exit 3"))
    client.wait_for_job_conditions("fails", polling_interval=1, wait_timeout=30)


@call("wait_for_job_conditions", "a job that fails, expected_conditions={Succeeded, Failed}")
def _(client, package, namespace):
    return client.wait_for_job_conditions("fails", expected_conditions={"Succeeded", "Failed"}).metadata.name


@call("wait_for_job_conditions", "wait_timeout=0")
def _(client, package, namespace):
    client.wait_for_job_conditions("waited", wait_timeout=0)


@call("wait_for_job_conditions", "a time limit that passes")
def _(client, package, namespace):
    client.create_job(pytorch_job(package, "waited-3", "sleep 9"))
    client.wait_for_job_conditions("waited-3", wait_timeout=2, polling_interval=1)


@call("wait_for_job_conditions", "wait_timeout shorter than polling_interval", differs="better: waits")
def _(client, package, namespace):
    client.create_job(pytorch_job(package, "waited-4"))
    return client.wait_for_job_conditions("waited-4", wait_timeout=10).metadata.name


@call(
    "wait_for_job_conditions",
    "a condition that can no longer become true",
    differs="better: RuntimeError at once; the original waits until the time limit",
)
def _(client, package, namespace):
    client.wait_for_job_conditions("waited", expected_conditions={"Failed"}, wait_timeout=2, polling_interval=1)


@call("wait_for_job_conditions", "a job that is deleted meanwhile")
def _(client, package, namespace):
    client.create_job(pytorch_job(package, "deleted", "sleep 9"))
    threading.Timer(1, client.delete_job, ("deleted",)).start()
    client.wait_for_job_conditions("deleted", polling_interval=1, wait_timeout=30)


@call("wait_for_job_conditions", "unknown condition")
def _(client, package, namespace):
    client.wait_for_job_conditions("waited", expected_conditions={"succeeded"})


@call("wait_for_job_conditions", "name that does not exist")
def _(client, package, namespace):
    client.wait_for_job_conditions("none")


# pods and logs


@call("get_job_pods", "name")
def _(client, package, namespace):
    client.create_job(pytorch_job(package, "pods", "echo rank $RANK; sleep 1", workers=2))
    client.wait_for_job_conditions("pods", polling_interval=1, wait_timeout=30)
    return [(pod.metadata.name, pod.spec.containers[0].image) for pod in client.get_job_pods("pods")]


@call("get_job_pods", "name, namespace, is_master, replica_type, replica_index, timeout")
def _(client, package, namespace):
    pods = client.get_job_pods("pods", namespace, True, "master", 0, 5)
    label = "training.kubeflow.org/job-name"
    return [(pod.metadata.name, pod.status.phase, pod.metadata.labels[label]) for pod in pods]


@call("get_job_pods", "replica_type in upper case")
def _(client, package, namespace):
    client.get_job_pods("pods", replica_type="Worker")


@call("get_job_pod_names", "name")
def _(client, package, namespace):
    return client.get_job_pod_names("pods")


@call("get_job_pod_names", "replica_type, replica_index")
def _(client, package, namespace):
    return client.get_job_pod_names("pods", replica_type="worker", replica_index=1)


@call("get_job_pod_names", "name that does not exist")
def _(client, package, namespace):
    return client.get_job_pod_names("none")


@call("get_job_logs", "name")
def _(client, package, namespace):
    return client.get_job_logs("pods")


@call("get_job_logs", "is_master=False")
def _(client, package, namespace):
    return client.get_job_logs("pods", namespace, "PyTorchJob", False)


@call("get_job_logs", "is_master=False, replica_type, replica_index, timeout")
def _(client, package, namespace):
    return client.get_job_logs("pods", is_master=False, replica_type="worker", replica_index=0, timeout=5)


@call("get_job_logs", "name that does not exist")
def _(client, package, namespace):
    return client.get_job_logs("none")


@call("get_job_logs", "verbose")
def _(client, package, namespace):
    logs, events = client.get_job_logs("pods", verbose=True)
    times = all(re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d ", text) for texts in events.values() for text in texts)
    return logs, times, {name: sorted(text[20:] for text in texts) for name, texts in events.items()}


@call("get_job_logs", "follow: what is printed")
def _(client, package, namespace):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        client.get_job_logs("pods", is_master=False, follow=True)
    return sorted(printed.getvalue().splitlines())


@call("get_job_logs", "follow: what is returned", differs="better: the lines keep their ends")
def _(client, package, namespace):
    client.create_job(pytorch_job(package, "followed", "echo one; echo two"))
    client.wait_for_job_conditions("followed", polling_interval=1, wait_timeout=30)
    with contextlib.redirect_stdout(io.StringIO()):
        return client.get_job_logs("followed", follow=True)


@call(
    "get_job_logs",
    "follow, right after create_job",
    differs="better: waits for the pods; the original returns nothing",
)
def _(client, package, namespace):
    client.create_job(pytorch_job(package, "followed-2", "sleep 1; echo one"))
    with contextlib.redirect_stdout(io.StringIO()):
        return client.get_job_logs("followed-2", follow=True)


# update_job, delete_job, train, constructor


@call("update_job", "job, name")
def _(client, package, namespace):
    job = pytorch_job(package, "object")
    job.metadata.labels = {"changed": "yes"}
    returned = client.update_job(job, "object")
    return returned, stored(client, "object")


@call("update_job", "job as read, changed")
def _(client, package, namespace):
    job = client.get_job("object-2")
    job.spec.run_policy.backoff_limit = 3
    client.update_job(job, "object-2", namespace, "PyTorchJob")
    return stored(client, "object-2")


@call("update_job", "job as a dict")
def _(client, package, namespace):
    client.update_job({"metadata": {"labels": {"changed": None, "more": "yes"}}}, "object")
    return stored(client, "object")


@call("update_job", "name that does not exist")
def _(client, package, namespace):
    client.update_job(pytorch_job(package, "none"), "none")


@call("update_job", "job_kind that is unknown")
def _(client, package, namespace):
    client.update_job(pytorch_job(package, "object"), "object", job_kind="Deployment")


@call("delete_job", "name")
def _(client, package, namespace):
    returned = client.delete_job("object")
    return returned, "object" in names_of(client.list_jobs())


@call("delete_job", "name, namespace, job_kind, delete_options")
def _(client, package, namespace):
    client.delete_job("tf", namespace, "TFJob", k8s.V1DeleteOptions(grace_period_seconds=0))
    return client.list_jobs(job_kind="TFJob")


@call("delete_job", "delete_options with a precondition that does not hold")
def _(client, package, namespace):
    options = k8s.V1DeleteOptions(preconditions=k8s.V1Preconditions(uid="00000000-0000-0000-0000-000000000000"))
    client.delete_job("object-2", delete_options=options)


@call("delete_job", "name that does not exist")
def _(client, package, namespace):
    client.delete_job("none")


@call("delete_job", "job_kind that is unknown")
def _(client, package, namespace):
    client.delete_job("object-2", job_kind="Deployment")


@call("train", "all", differs="refused: NotImplementedError names create_job")
def _(client, package, namespace):
    client.train(name="x")


@call("TrainingClient", "job_kind that is unknown")
def _(client, package, namespace):
    package.TrainingClient(config_file=Proxy.kubeconfig, job_kind="Deployment")


@call("TrainingClient", "config_file, context, namespace, job_kind")
def _(client, package, namespace):
    made = package.TrainingClient(Proxy.kubeconfig, "kftrain", None, namespace, "TFJob")
    return made.namespace, made.job_kind, len(made.list_jobs())


@call("TrainingClient", "config_file")
def _(client, package, namespace):
    return package.TrainingClient(config_file=Proxy.kubeconfig).namespace


@call("TrainingClient", "client_configuration with a token")
def _(client, package, namespace):
    loaded = k8s.Configuration()
    k8s_config.load_kube_config(Proxy.kubeconfig, client_configuration=loaded)
    configuration = k8s.Configuration(host=loaded.host, api_key={"authorization": loaded.api_key["authorization"]})
    configuration.ssl_ca_cert = loaded.ssl_ca_cert
    made = package.TrainingClient(client_configuration=configuration, namespace=namespace)
    return len(made.list_jobs()) > 0


@call("TrainingClient", "client_configuration of load_kube_config")
def _(client, package, namespace):
    configuration = k8s.Configuration()
    k8s_config.load_kube_config(Proxy.kubeconfig, client_configuration=configuration)
    made = package.TrainingClient(client_configuration=configuration, namespace=namespace)
    return len(made.list_jobs()) > 0
