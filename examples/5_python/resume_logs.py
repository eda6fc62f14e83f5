"""Reads the output of a job in two parts; the second one continues where the first one stopped.

The position is a text, so that the second part may run in another process.
"""

from __future__ import annotations

import kftrain
from kftrain.models.kubeflow_v1 import PyTorchJob

script = "for step in 1 2 3 4 5; do echo step $step; sleep 0.1; done"
container = {"name": "pytorch", "image": "example.com/train:1", "command": ["sh", "-c", script]}
replica = {"replicas": 1, "template": {"spec": {"containers": [container]}}}

with kftrain.Client() as client:
    job = client.submit(PyTorchJob(metadata={"name": "talks"}, spec={"pytorch_replica_specs": {"Master": replica}}))
    with client.logs(job) as lines:
        for _ in range(2):
            print(lines.next(timeout=60).text)
        position = lines.position()  # store it after the lines that your program has handled

    print("continued")
    for line in client.logs(job, position=position, timeout=60):
        print(line.text)
    client.delete(job, wait=True)
