"""The constants of the ``kubeflow-training`` package, except those of its `train` method."""

from __future__ import annotations

import sys
from typing import Union

from . import models

constants = sys.modules[__name__]  # the original package has a package and a module of this name

DEFAULT_TIMEOUT = 120
"""The time limit of a request in seconds."""
DEFAULT_PIP_INDEX_URL = "https://pypi.org/simple"
DEFAULT_NAMESPACE = "default"
ISTIO_SIDECAR_INJECTION = "sidecar.istio.io/inject"

GROUP = "kubeflow.org"
VERSION = "v1"
API_VERSION = "kubeflow.org/v1"
POD_KIND = "Pod"
POD_PHASE_PENDING = "Pending"

JOB_CONDITION_CREATED = "Created"
JOB_CONDITION_RUNNING = "Running"
JOB_CONDITION_RESTARTING = "Restarting"
JOB_CONDITION_SUCCEEDED = "Succeeded"
JOB_CONDITION_FAILED = "Failed"
JOB_CONDITIONS = {
    JOB_CONDITION_CREATED,
    JOB_CONDITION_RUNNING,
    JOB_CONDITION_RESTARTING,
    JOB_CONDITION_SUCCEEDED,
    JOB_CONDITION_FAILED,
}
CONDITION_STATUS_TRUE = "True"

JOB_NAME_LABEL = "training.kubeflow.org/job-name"
JOB_ROLE_LABEL = "training.kubeflow.org/job-role"
JOB_ROLE_MASTER = "master"
REPLICA_TYPE_LABEL = "training.kubeflow.org/replica-type"
REPLICA_INDEX_LABEL = "training.kubeflow.org/replica-index"
LOCAL_QUEUE_LABEL = "kueue.x-k8s.io/queue-name"

REPLICA_TYPE_CHIEF = "Chief"
REPLICA_TYPE_PS = "PS"
REPLICA_TYPE_MASTER = "Master"
REPLICA_TYPE_WORKER = "Worker"
REPLICA_TYPE_SCHEDULER = "Scheduler"
REPLICA_TYPE_SERVER = "Server"
REPLICA_TYPE_LAUNCHER = "Launcher"

ENTRYPOINT_TORCH = "torchrun"
ENTRYPOINT_PYTHON = "python -u"
DEFAULT_COMMAND = ["bash", "-c"]

TFJOB_KIND = "TFJob"
TFJOB_MODEL = "KubeflowOrgV1TFJob"
TFJOB_PLURAL = "tfjobs"
TFJOB_CONTAINER = "tensorflow"
TFJOB_REPLICA_TYPES = ("ps", "chief", "worker")
TFJOB_BASE_IMAGE = "docker.io/tensorflow/tensorflow:2.9.1"
TFJOB_BASE_IMAGE_GPU = "docker.io/tensorflow/tensorflow:2.9.1-gpu"

PYTORCHJOB_KIND = "PyTorchJob"
PYTORCHJOB_MODEL = "KubeflowOrgV1PyTorchJob"
PYTORCHJOB_PLURAL = "pytorchjobs"
PYTORCHJOB_CONTAINER = "pytorch"
PYTORCHJOB_REPLICA_TYPES = ("master", "worker")
PYTORCHJOB_BASE_IMAGE = "docker.io/pytorch/pytorch:2.1.2-cuda11.8-cudnn8-runtime"

XGBOOSTJOB_KIND = "XGBoostJob"
XGBOOSTJOB_MODEL = "KubeflowOrgV1XGBoostJob"
XGBOOSTJOB_PLURAL = "xgboostjobs"
XGBOOSTJOB_CONTAINER = "xgboost"
XGBOOSTJOB_REPLICA_TYPES = ("master", "worker")

MPIJOB_KIND = "MPIJob"
MPIJOB_MODEL = "KubeflowOrgV1MPIJob"
MPIJOB_PLURAL = "mpijobs"
MPIJOB_CONTAINER = "mpi"
MPIJOB_REPLICA_TYPES = ("launcher", "worker")

PADDLEJOB_KIND = "PaddleJob"
PADDLEJOB_MODEL = "KubeflowOrgV1PaddleJob"
PADDLEJOB_PLURAL = "paddlejobs"
PADDLEJOB_CONTAINER = "paddle"
PADDLEJOB_REPLICA_TYPES = ("master", "worker")
PADDLEJOB_BASE_IMAGE = "docker.io/paddlepaddle/paddle:2.4.0rc0-gpu-cuda11.2-cudnn8.1-trt8.0"

JAXJOB_KIND = "JAXJob"
JAXJOB_MODEL = "KubeflowOrgV1JAXJob"
JAXJOB_PLURAL = "jaxjobs"
JAXJOB_CONTAINER = "jax"
JAXJOB_REPLICA_TYPES = ("worker",)
JAXJOB_BASE_IMAGE = "ghcr.io/kubeflow/training-v1/jaxjob-dist-spmd-mnist:latest"

JOB_PARAMETERS = {
    kind: {"model": f"KubeflowOrgV1{kind}", "plural": f"{kind.lower()}s", "container": container, "base_image": image}
    for kind, container, image in (
        (TFJOB_KIND, TFJOB_CONTAINER, TFJOB_BASE_IMAGE),
        (PYTORCHJOB_KIND, PYTORCHJOB_CONTAINER, PYTORCHJOB_BASE_IMAGE),
        (XGBOOSTJOB_KIND, XGBOOSTJOB_CONTAINER, ""),
        (MPIJOB_KIND, MPIJOB_CONTAINER, ""),
        (PADDLEJOB_KIND, PADDLEJOB_CONTAINER, PADDLEJOB_BASE_IMAGE),
        (JAXJOB_KIND, JAXJOB_CONTAINER, JAXJOB_BASE_IMAGE),
    )
}
"""Model, plural, main container and default image of each kind."""

JOB_MODELS = tuple(parameters["model"] for parameters in JOB_PARAMETERS.values())
JOB_MODELS_TYPE = Union[
    models.KubeflowOrgV1TFJob,
    models.KubeflowOrgV1PyTorchJob,
    models.KubeflowOrgV1XGBoostJob,
    models.KubeflowOrgV1MPIJob,
    models.KubeflowOrgV1PaddleJob,
    models.KubeflowOrgV1JAXJob,
]
