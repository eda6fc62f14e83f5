"""Builds a job of every kind from models, checks it, and prints its replicas. No cluster is needed."""

from __future__ import annotations

from typing import Any

import kftrain
from kftrain.models import kubeflow_v1 as v1
from kftrain.models import kubeflow_v1alpha1 as v1alpha1
from kftrain.models import kubeflow_v2beta1 as v2beta1
from kftrain.models import trainer, volcano


def pod(container: str) -> dict[str, Any]:
    """A template of pods. Most operators find the training container by its name."""
    command = ["python3", "train.py"]
    return {"spec": {"containers": [{"name": container, "image": "example.com/train:1", "command": command}]}}


def replicas(container: str, **numbers: int) -> dict[str, Any]:
    return {role: {"replicas": number, "template": pod(container)} for role, number in numbers.items()}


task = {"spec": {**pod("main")["spec"], "restart_policy": "Never"}}
JOBS = [
    v1.PyTorchJob(spec={"pytorch_replica_specs": replicas("pytorch", Master=1, Worker=2)}),
    v1.TFJob(spec={"tf_replica_specs": replicas("tensorflow", Chief=1, Worker=2, PS=1)}),
    v1.JAXJob(spec={"jax_replica_specs": replicas("jax", Worker=2)}),
    v1.XGBoostJob(spec={"xgb_replica_specs": replicas("xgboost", Master=1, Worker=2)}),
    v1.PaddleJob(spec={"paddle_replica_specs": replicas("paddle", Worker=2)}),
    v1.MXJob(spec={"job_mode": "MXTrain", "mx_replica_specs": replicas("mxnet", Scheduler=1, Server=1, Worker=2)}),
    v1.MPIJob(spec={"mpi_replica_specs": replicas("mpi", Launcher=1, Worker=2)}),
    v2beta1.MPIJob(spec={"mpi_replica_specs": replicas("mpi", Launcher=1, Worker=2)}),
    v1alpha1.ChainerJob(
        spec={
            "master": {"template": pod("chainer")},
            "worker_sets": {"gpu": {"replicas": 2, "template": pod("chainer")}},
        }
    ),
    v1alpha1.PyTorchJob(
        spec={
            "replica_specs": [
                {"replica_type": "MASTER", "template": pod("pytorch")},
                {"replica_type": "WORKER", "replicas": 2, "template": pod("pytorch")},
            ]
        }
    ),
    volcano.Job(
        spec={
            "min_available": 3,
            "plugins": {"pytorch": ["--master=master", "--worker=worker"]},
            "tasks": [
                {"name": "master", "replicas": 1, "template": task},
                {"name": "worker", "replicas": 2, "template": task},
            ],
        }
    ),
    trainer.TrainJob(spec={"runtime_ref": {"name": "torch-distributed"}, "trainer": {"num_nodes": 2}}),
]

if __name__ == "__main__":
    for job in JOBS:
        job.metadata.name = "train"
        problems = [f"{issue.path}: {issue.message}" for issue in kftrain.validate(job)]
        replicas_of_job = [f"{rank.role}-{rank.index}" for rank in kftrain.ranks(job)]
        print(f"{job.api_version} {job.kind}:", ", ".join(problems or replicas_of_job))
