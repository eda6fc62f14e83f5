#!/usr/bin/env python3
"""Trains a linear model on all nodes of a Ray cluster: a driver outside of the cluster, which connects as a Ray client.

Each node computes a gradient on data of its own in every step. The exit code is 0 if every node took part, the sum is
right and the loss fell, else 1.
"""

import argparse
import socket
import sys
import time

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy


@ray.remote(num_cpus=1)
def work(rank, slope):
    import random  # runs on a node, not in this process
    draw = random.Random(rank)
    points = [draw.uniform(-1, 1) for _ in range(64)]
    loss = sum((slope * x - 3.0 * x) ** 2 for x in points) / len(points)  # the data has the slope 3
    gradient = sum(2 * x * (slope * x - 3.0 * x) for x in points) / len(points)
    return rank + 1, loss, gradient, socket.gethostname()


def connect(address, seconds=120):
    """The head starts at the same time as this program."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            return ray.init(address=address)
        except ConnectionError:
            if time.monotonic() > deadline:
                raise
            time.sleep(1)


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--nodes", type=int, default=3)
parser.add_argument("--address", default="auto")
options = parser.parse_args()
connect(options.address)
nodes = []
while len(nodes) < options.nodes:
    time.sleep(0.5)
    nodes = [node["NodeID"] for node in ray.nodes() if node["Alive"]]

slope, losses, hosts = 0.0, [], set()
for _ in range(10):
    parts = ray.get([
        work.options(scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=False)).remote(rank, slope)
        for rank, node in enumerate(nodes)])
    total = sum(part[0] for part in parts)
    losses.append(sum(part[1] for part in parts) / len(parts))
    slope -= 0.5 * sum(part[2] for part in parts) / len(parts)
    hosts.update(part[3] for part in parts)
expected = options.nodes * (options.nodes + 1) // 2
sys.stdout.write(f"nodes {len(nodes)} sum {total} expected {expected} loss {losses[0]:.4f} -> {losses[-1]:.4f} "
                 f"on {' '.join(sorted(hosts))}, ray {ray.__version__}\n")
sys.stdout.flush()
sys.exit(0 if total == expected and losses[-1] < losses[0] and len(hosts) == options.nodes else 1)
