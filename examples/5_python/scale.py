"""Scales an elastic job while it runs; it must keep to the range of its elastic policy."""

from __future__ import annotations

import kftrain
from kftrain import until
from kftrain.models.kubeflow_v1 import ElasticPolicy, PyTorchJob

container = {"name": "pytorch", "image": "example.com/train:1", "command": ["sleep", "1000"]}
job = PyTorchJob(
    metadata={"name": "elastic"},
    spec={
        "elastic_policy": ElasticPolicy(min_replicas=1, max_replicas=3),
        "pytorch_replica_specs": {"Worker": {"replicas": 1, "template": {"spec": {"containers": [container]}}}},
    },
)

with kftrain.Client() as client:
    job = client.submit(job)
    client.wait(job, until.all_ranks_ready(), timeout=60)
    client.scale(job, "Worker", 3)
    client.wait(job, until.ranks_ready("Worker", 3), timeout=60)
    print("three workers are ready")
    try:
        client.scale(job, "Worker", 4)
    except kftrain.InvalidArgument as error:
        print(error)
    client.delete(job, wait=True)
