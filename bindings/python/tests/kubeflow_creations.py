"""Calls of `compare_kubeflow.py` that create jobs. Each gets a client, its package and its namespace."""

import types

import kubeflow.training as original
import kubernetes.client as k8s
from kubeflow_jobs import (
    ENVIRONMENT,
    KINDS,
    call,
    job_of_kind,
    plain,
    pytorch_job,
    sent,
    stored,
    tf_job,
    train,
    without_parameters,
)

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
