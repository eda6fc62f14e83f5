"""Jobs, functions and helpers of the calls of `compare_kubeflow.py`."""

import contextlib
import pathlib

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


def names_of(jobs):
    return [job.metadata.name for job in jobs]
