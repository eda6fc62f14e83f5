"""The calls of `compare_kubeflow.py`. Each gets a client, its package and its namespace."""

import contextlib
import io
import pathlib
import re
import threading
import types

import kubeflow.training as original
import kubernetes.client as k8s
from kubeflow_proxy import FOLDER, Proxy
from kubernetes import config as k8s_config

from kftrain._model import Model

CALLS = []
ENVIRONMENT = {"PATH": f"{FOLDER.name}:/usr/bin:/bin"}
"""For functions: the local cluster has no images, so that python and torchrun are programs of this machine."""


def make_programs():
    for program, text in (("python", "exec /usr/bin/python3"), ("torchrun", "exec /usr/bin/python3 -u")):
        path = pathlib.Path(FOLDER.name, program)
        path.write_text(f'#!/bin/sh\n{text} "$@"\n')
        path.chmod(0o755)


def call(method, text, differs=""):
    """Registers a call: a function of the client, the package and the namespace. `differs`: how and why."""

    def add(function):
        CALLS.append((method, text, function, differs))
        return function

    return add


def plain(value):
    """Dicts, lists and scalars without what differs between two jobs."""
    if isinstance(value, Model):
        value = value.to_dict()
    if hasattr(value, "attribute_map"):
        value = k8s.ApiClient().sanitize_for_serialization(value)
    if isinstance(value, dict):
        own = ("uid", "resourceVersion", "creationTimestamp", "namespace", "generation", "managedFields")
        items = {name: plain(item) for name, item in value.items() if name not in own}
        items.pop("status", None)
        if items.get("runPolicy") == {"suspend": False}:
            del items["runPolicy"]  # the default of the server for an empty policy
        # An empty object is the same as an absent one.
        return {name: item for name, item in items.items() if item not in ({}, [], None)}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def container(command="echo rank $RANK", **fields):
    return k8s.V1Container(name="pytorch", image="example.com/none", command=["sh", "-c", command], **fields)


def pytorch_job(package, name, command="echo rank $RANK", workers=0, **metadata):
    """The example of the original package: models of both packages, mixed."""
    template = k8s.V1PodTemplateSpec(spec=k8s.V1PodSpec(containers=[container(command)]))
    replicas = {"Master": package.KubeflowOrgV1ReplicaSpec(replicas=1, restart_policy="Never", template=template)}
    if workers:
        replicas["Worker"] = package.KubeflowOrgV1ReplicaSpec(
            replicas=workers, restart_policy="Never", template=template
        )
    return package.KubeflowOrgV1PyTorchJob(
        api_version=package.constants.API_VERSION,
        kind=package.constants.PYTORCHJOB_KIND,
        metadata=k8s.V1ObjectMeta(name=name, **metadata),
        spec=package.KubeflowOrgV1PyTorchJobSpec(
            run_policy=package.KubeflowOrgV1RunPolicy(clean_pod_policy="None"), pytorch_replica_specs=replicas
        ),
    )


def tf_job(package, name):
    main = k8s.V1Container(name="tensorflow", image="example.com/none", command=["true"])
    template = k8s.V1PodTemplateSpec(spec=k8s.V1PodSpec(containers=[main]))
    return package.KubeflowOrgV1TFJob(
        api_version="kubeflow.org/v1",
        kind="TFJob",
        metadata=k8s.V1ObjectMeta(name=name),
        spec=package.KubeflowOrgV1TFJobSpec(
            run_policy=package.KubeflowOrgV1RunPolicy(),
            tf_replica_specs={"Worker": package.KubeflowOrgV1ReplicaSpec(replicas=1, template=template)},
        ),
    )


# The other kinds: their plural, their containers, and the fields of their replicas.
KINDS = {
    "XGBoostJob": ("xgboost", "xgb_replica_specs", ("Master", "Worker")),
    "MPIJob": ("mpi", "mpi_replica_specs", ("Launcher",)),
    "PaddleJob": ("paddle", "paddle_replica_specs", ("Worker",)),
    "JAXJob": ("jax", "jax_replica_specs", ("Worker",)),
}


def job_of_kind(package, kind):
    name, field, roles = KINDS[kind]
    main = k8s.V1Container(name=name, image="example.com/none", command=["echo", "done"])
    template = k8s.V1PodTemplateSpec(spec=k8s.V1PodSpec(containers=[main]))
    replicas = {
        role: package.KubeflowOrgV1ReplicaSpec(replicas=1, restart_policy="Never", template=template) for role in roles
    }
    spec = {field: replicas}
    if kind != "MPIJob":
        spec["run_policy"] = package.KubeflowOrgV1RunPolicy()
    return getattr(package, f"KubeflowOrgV1{kind}")(
        api_version="kubeflow.org/v1",
        kind=kind,
        metadata=k8s.V1ObjectMeta(name="other"),
        spec=getattr(package, f"KubeflowOrgV1{kind}Spec")(**spec),
    )


def stored(client, name, kind=None):
    """The job without its status and without what every job has of its own, read in the same way for both."""
    plural = f"{kind or client.job_kind}s".lower()
    api = k8s.CustomObjectsApi(k8s_config.new_client_from_config(Proxy.kubeconfig))
    return plain(api.get_namespaced_custom_object("kubeflow.org", "v1", client.namespace, plural, name))


def sent(client, namespace, **arguments):
    """The job that the client sends. The local cluster refuses it, because it has an image and no command."""
    Proxy.sent.pop(namespace, None)
    with contextlib.suppress(RuntimeError):
        client.create_job(**arguments)
    return plain(Proxy.sent[namespace])


def train(parameters):
    import os

    print("rank", os.environ["RANK"], "of", os.environ["WORLD_SIZE"], parameters)


def without_parameters():
    print("trained $HOME")


# create_job


@call("create_job", "job")
def _(client, package, namespace):
    returned = client.create_job(pytorch_job(package, "object"))
    return returned, stored(client, "object")


@call("create_job", "job, namespace (both the same)")
def _(client, package, namespace):
    client.create_job(pytorch_job(package, "object-2", namespace=namespace), namespace=namespace)
    return stored(client, "object-2")


@call("create_job", "job of another namespace than the argument")
def _(client, package, namespace):
    client.create_job(pytorch_job(package, "object-3", namespace="elsewhere"), namespace=namespace)


@call(
    "create_job",
    "job of another namespace than the client",
    differs="better: the namespace of the job is used",
)
def _(client, package, namespace):
    client.create_job(pytorch_job(package, "object-4", namespace="default"))
    client.delete_job("object-4", namespace="default")


@call("create_job", "job, labels, annotations", differs="better: the original ignores labels and annotations")
def _(client, package, namespace):
    client.create_job(pytorch_job(package, "object-5"), labels={"a": "b"}, annotations={"c": "d"})
    return stored(client, "object-5")


@call("create_job", "job, queue_name")
def _(client, package, namespace):
    client.create_job(pytorch_job(package, "object-6"), queue_name="none")
    return stored(client, "object-6")


@call("create_job", "job of the models of the original package")
def _(client, package, namespace):
    client.create_job(pytorch_job(original, "object-9"))
    return stored(client, "object-9")


@call("create_job", "job as a dict", differs="better: dicts are accepted")
def _(client, package, namespace):
    client.create_job(plain(pytorch_job(original, "object-7")))
    return stored(client, "object-7")


@call("create_job", "job of an unknown kind")
def _(client, package, namespace):
    client.create_job(types.SimpleNamespace(kind="Deployment"))


@call("create_job", "job that is no model")
def _(client, package, namespace):
    client.create_job(types.SimpleNamespace(kind="TFJob"))


@call("create_job", "job, base_image")
def _(client, package, namespace):
    client.create_job(pytorch_job(package, "object-8"), base_image="example.com/none")


@call("create_job", "job that exists already")
def _(client, package, namespace):
    client.create_job(pytorch_job(package, "object"))


@call("create_job", "nothing")
def _(client, package, namespace):
    client.create_job()


@call("create_job", "job_kind that is unknown")
def _(client, package, namespace):
    client.create_job(name="x", job_kind="Deployment", base_image="x")


@call("create_job", "base_image without name")
def _(client, package, namespace):
    client.create_job(base_image="x")


@call("create_job", "num_workers=0")
def _(client, package, namespace):
    client.create_job(name="x", base_image="x", num_workers=0)


@call("create_job", "name, base_image")
def _(client, package, namespace):
    return sent(client, namespace, name="image", base_image="example.com/none")


@call("create_job", "name, base_image, num_workers, labels, annotations, env_vars (dict), resources_per_worker (dict)")
def _(client, package, namespace):
    return sent(
        client,
        namespace,
        name="image",
        base_image="example.com/none",
        num_workers=3,
        labels={"a": "b"},
        annotations={"c": "d"},
        env_vars={"E": "1"},
        resources_per_worker={"CPU": "1", "memory": "2Gi", "gpu": "1"},
    )


@call("create_job", "env_vars (list of V1EnvVar and dicts), resources_per_worker (V1ResourceRequirements)")
def _(client, package, namespace):
    source = k8s.V1EnvVarSource(field_ref=k8s.V1ObjectFieldSelector(field_path="metadata.name"))
    return sent(
        client,
        namespace,
        name="image",
        base_image="example.com/none",
        env_vars=[
            k8s.V1EnvVar(name="A", value="1"),
            {"name": "B", "value": "2"},
            k8s.V1EnvVar(name="C", value_from=source),
        ],
        resources_per_worker=k8s.V1ResourceRequirements(limits={"cpu": "1"}),
    )


@call("create_job", "env_vars (list with V1EnvFromSource)", differs="better: accepted, as documented")
def _(client, package, namespace):
    variables = k8s.V1EnvFromSource(config_map_ref=k8s.V1ConfigMapEnvSource(name="c"))
    return sent(client, namespace, name="image", base_image="example.com/none", env_vars=[variables])


@call("create_job", "volumes, volume_mounts")
def _(client, package, namespace):
    return sent(
        client,
        namespace,
        name="image",
        base_image="example.com/none",
        volumes=[k8s.V1Volume(name="v", persistent_volume_claim={"claimName": "c"})],
        volume_mounts=[k8s.V1VolumeMount(name="v", mount_path="/mnt")],
    )


@call("create_job", "volumes without volume_mounts")
def _(client, package, namespace):
    client.create_job(name="x", base_image="x", volumes=[k8s.V1Volume(name="v")])


@call("create_job", "num_procs_per_worker, queue_name")
def _(client, package, namespace):
    return sent(
        client, namespace, name="image", base_image="x", num_workers=2, num_procs_per_worker="auto", queue_name="none"
    )


@call("create_job", "TFJob: num_workers, num_chief_replicas, num_ps_replicas")
def _(client, package, namespace):
    return sent(
        client,
        namespace,
        name="image",
        job_kind="TFJob",
        base_image="x",
        num_workers=2,
        num_chief_replicas=1,
        num_ps_replicas=2,
    )


@call("create_job", "job that is a TFJob")
def _(client, package, namespace):
    client.create_job(tf_job(package, "tf"))
    return stored(client, "tf", "TFJob")


@call("create_job", "TFJob: num_procs_per_worker")
def _(client, package, namespace):
    client.create_job(name="x", job_kind="TFJob", base_image="x", num_procs_per_worker=2)


@call("create_job", "PyTorchJob: num_ps_replicas")
def _(client, package, namespace):
    client.create_job(name="x", base_image="x", num_ps_replicas=2)


@call("create_job", "PaddleJob: train_func")
def _(client, package, namespace):
    client.create_job(name="x", job_kind="PaddleJob", train_func=without_parameters)


for kind in KINDS:

    @call("create_job", f"job that is a {kind}; then get, wait, logs, update, delete")
    def _(client, package, namespace, kind=kind):
        client.create_job(job_of_kind(package, kind))
        created = plain(client.get_job("other", job_kind=kind))
        expected = {"Succeeded", "Failed"}
        client.wait_for_job_conditions("other", None, kind, expected, wait_timeout=30, polling_interval=1)
        logs, _ = client.get_job_logs("other", job_kind=kind)
        done = client.is_job_succeeded("other", job_kind=kind)
        client.update_job({"metadata": {"labels": {"a": "b"}}}, "other", job_kind=kind)
        labels = dict(client.get_job("other", job_kind=kind).metadata.labels)
        client.delete_job("other", job_kind=kind)
        return created, logs, done, labels


@call("create_job", "train_func that is no function")
def _(client, package, namespace):
    client.create_job(name="x", train_func="train")


def output(client, name):
    client.wait_for_job_conditions(name, polling_interval=1, wait_timeout=30)
    logs, _ = client.get_job_logs(name)
    return logs


@call("create_job", "train_func, parameters, env_vars: the output of the job")
def _(client, package, namespace):
    client.create_job(name="function", train_func=train, parameters={"lr": 0.1}, env_vars=ENVIRONMENT)
    return output(client, "function")


@call("create_job", "train_func, num_workers=2 (torchrun): the output of the job")
def _(client, package, namespace):
    client.create_job(name="function-2", train_func=train, parameters={}, num_workers=2, env_vars=ENVIRONMENT)
    return output(client, "function-2")


@call(
    "create_job",
    "train_func with `$HOME` in its source: the output of the job",
    differs="better: the shell does not change the source",
)
def _(client, package, namespace):
    client.create_job(name="function-3", train_func=without_parameters, env_vars=ENVIRONMENT)
    return output(client, "function-3")


@call("create_job", "train_func that is a lambda: the output of the job", differs="better: lambdas run")
def _(client, package, namespace):
    client.create_job(name="lambda", train_func=lambda: print("in a lambda"), env_vars=ENVIRONMENT)
    client.wait_for_job_conditions("lambda", polling_interval=1, wait_timeout=4)
    return client.get_job_logs("lambda")


@call("create_job", "train_func, packages_to_install, pip_index_url, base_image: the job without its script")
def _(client, package, namespace):
    client.create_job(
        name="function-4",
        train_func=without_parameters,
        base_image="example.com/none",
        packages_to_install=["numpy"],
        pip_index_url="https://example.com/simple",
    )
    job = stored(client, "function-4")
    main = job["spec"]["pytorchReplicaSpecs"]["Master"]["template"]["spec"]["containers"][0]
    script = main.pop("args")[0]
    return job, "numpy" in script, "https://example.com/simple" in script


@call(
    "create_job",
    "train_func that uses a variable of the function around it",
    differs="better: refused; in the original the job fails",
)
def _(client, package, namespace):
    rate = 1

    def inner():
        print(rate)

    client.create_job(name="function-5", train_func=inner)


@call("create_job", "parameters that no source can express", differs="better: refused; in the original the job fails")
def _(client, package, namespace):
    client.create_job(name="function-6", train_func=train, parameters={"x": object()})


def check_end(client, name, namespace):
    """What the end-to-end tests of the original package check."""
    job = client.wait_for_job_conditions(name, namespace, wait_timeout=60, polling_interval=1)
    states = [getattr(client, f"is_job_{state}")(job=job) for state in ("created", "succeeded", "running", "failed")]
    return len(client.get_job_conditions(job=job)) >= 2, states, client.get_job_pod_names(name, namespace)


@call("create_job", "end-to-end test of the original: an object with a scheduling policy")
def _(client, package, namespace):
    job = pytorch_job(package, "e2e", "sleep $((1 - RANK))", 1, namespace=namespace)
    job.spec.run_policy.scheduling_policy = package.KubeflowOrgV1SchedulingPolicy(min_available=2)
    client.create_job(job=job, namespace=namespace)
    client.wait_for_job_conditions("e2e", namespace, expected_conditions={"Created"}, polling_interval=1)
    return check_end(client, "e2e", namespace), client.get_job_logs("e2e", namespace)


@call("create_job", "end-to-end test of the original: a function in a function, three workers")
def _(client, package, namespace):
    def train_func():
        import os
        import time

        for i in range(3):
            print(f"Epoch {i}", flush=True)
        time.sleep(1 if os.environ["RANK"] == "0" else 0)

    client.create_job(
        name="e2e-2", namespace=namespace, train_func=train_func, num_workers=3, env_vars=ENVIRONMENT
    )
    return check_end(client, "e2e-2", namespace), client.get_job_logs("e2e-2", namespace)


# get_job, list_jobs, conditions


def names_of(jobs):
    return [job.metadata.name for job in jobs]


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
