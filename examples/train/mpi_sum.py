#!/usr/bin/env python3
"""Trains a linear model with mpi4py: each rank has its own data, and all-reduce averages the gradients.

The exit code is 0 if the all-reduce of the ranks is right and the loss fell on every rank, else 1.
"""

import random
import socket
import sys

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, world = comm.rank, comm.size
total = comm.allreduce(rank + 1)
expected = world * (world + 1) // 2

draw = random.Random(rank)
points = [draw.uniform(-1, 1) for _ in range(64)]
slope, losses = 0.0, []
for _ in range(20):
    loss = sum((slope * x - 3.0 * x) ** 2 for x in points) / len(points)  # the data has the slope 3
    gradient = sum(2 * x * (slope * x - 3.0 * x) for x in points) / len(points)
    losses.append(comm.allreduce(loss) / world)
    slope -= 0.5 * comm.allreduce(gradient) / world
library = " ".join(MPI.Get_library_version().splitlines()[0].split(",")[0].split())
sys.stdout.write(f"rank {rank} of {world} on {socket.gethostname()} sum {total} expected {expected} "
                 f"loss {losses[0]:.4f} -> {losses[-1]:.4f}, {library}\n")
sys.stdout.flush()
sys.exit(0 if total == expected and losses[-1] < losses[0] else 1)
