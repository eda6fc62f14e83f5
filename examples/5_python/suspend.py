"""Suspends a running job, which frees its pods, and resumes it."""

from __future__ import annotations

import kftrain
from kftrain import until
from kftrain.models.kubeflow_v1 import PyTorchJob

container = {"name": "pytorch", "image": "example.com/train:1", "command": ["sleep", "1000"]}
replica = {"replicas": 1, "template": {"spec": {"containers": [container]}}}
job = PyTorchJob(metadata={"name": "long"}, spec={"pytorch_replica_specs": {"Master": replica, "Worker": replica}})

with kftrain.Client() as client:
    job = client.submit(job)
    client.wait(job, until.all_ranks_ready(), timeout=60)

    client.suspend(job)  # returns at once
    print(kftrain.phase(client.wait(job, until.suspended(), timeout=60)))  # waits until the pods are gone

    client.resume(job)  # the training program starts again, and reads its checkpoint
    print(kftrain.phase(client.wait(job, until.all_ranks_ready() & until.running(), timeout=60)))
    client.delete(job, wait=True)
