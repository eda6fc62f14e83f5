"""Checks a job before it is submitted, and finds out what a change would do to it."""

from __future__ import annotations

import kftrain
from kftrain.models.kubeflow_v1 import PyTorchJob


def training_job(image: str) -> PyTorchJob:
    container = {"name": "pytorch", "image": image, "command": ["sleep", "1000"]}
    replica = {"replicas": 1, "template": {"spec": {"containers": [container]}}}
    return PyTorchJob(
        metadata={"name": "planned"}, spec={"pytorch_replica_specs": {"Master": replica, "Worker": replica}}
    )


with kftrain.Client() as client:
    report = client.preflight(training_job("example.com/train:1"))
    for check in report.checks:
        print(f"{check.verdict} {check.name}: {check.message}")
    if not report.passed:
        raise SystemExit(report.missing_rules)  # an RBAC Role with the missing permissions

    job = client.submit(training_job("example.com/train:1"))
    plan = client.plan(training_job("example.com/train:2"))  # changes nothing
    for field in plan.fields:
        print(f"{field.path}: {field.before} -> {field.after}, effect: {field.effect}, {field.why}")
    client.delete(job, wait=True)
