"""Runs commands in the replicas of a job, and opens a port of one on this machine."""

from __future__ import annotations

import time
from urllib.error import URLError
from urllib.request import urlopen

import kftrain
from kftrain import until
from kftrain.models.kubeflow_v1 import PyTorchJob

command = ["python3", "-m", "http.server", "6006", "--bind", "127.0.0.1"]
container = {"name": "pytorch", "image": "example.com/train:1", "command": command}
replica = {"replicas": 1, "template": {"spec": {"containers": [container]}}}
job = PyTorchJob(metadata={"name": "tools"}, spec={"pytorch_replica_specs": {"Master": replica, "Worker": replica}})

with kftrain.Client() as client:
    job = client.submit(job)
    client.wait(job, until.all_ranks_ready(), timeout=60)

    for rank in range(2):
        print(client.exec(job, ["sh", "-c", "echo rank $RANK of $WORLD_SIZE"], rank=rank, check=True).stdout.strip())

    with client.open_exec(job, ["sh", "-c", "while read x; do echo $((x * x)); done"], stdin=True) as squares:
        for number in (12, 13):
            squares.write(f"{number}\n")
            print(squares.next(timeout=60).text.strip())

    with client.port_forward(job, 6006, role="Worker") as forward:
        for _ in range(600):
            try:
                with urlopen(f"http://127.0.0.1:{forward.local_port}/", timeout=60) as page:
                    print("status", page.status)
                break
            except (URLError, ConnectionError):  # the program does not listen yet
                time.sleep(0.1)
        else:
            print(forward.failure())
    client.delete(job, wait=True)
