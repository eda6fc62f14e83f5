#!/usr/bin/env python3
"""Trains a linear model with ChainerMN: each rank has its own data, and the optimizer averages the gradients.

The communicator `naive` needs no GPU; `pure_nccl` is for GPUs. The exit code is 0 if the all-reduce of the ranks is
right and the loss fell, else 1.
"""

import socket
import sys

import chainer
import chainermn
import numpy as np

STEPS = 40

comm = chainermn.create_communicator("naive")
rank, world = comm.rank, comm.size
total = comm.allreduce_obj(rank + 1)
expected = world * (world + 1) // 2

random = np.random.RandomState(rank)
points = random.randn(64, 4).astype(np.float32)
values = points.sum(axis=1, keepdims=True)
model = chainer.links.Linear(4, 1)
optimizer = chainermn.create_multi_node_optimizer(chainer.optimizers.SGD(lr=0.1), comm)
optimizer.setup(model)
losses = []


def loss_of(inputs, wanted):
    loss = chainer.functions.mean_squared_error(model(inputs), wanted)
    losses.append(comm.allreduce_obj(float(loss.array)) / world)
    return loss


for _ in range(STEPS):
    optimizer.update(loss_of, points, values)  # the first call only sends the weights of rank 0 to all ranks

losses.pop(0)
sys.stdout.write(f"rank {rank} of {world} on {socket.gethostname()} sum {total} expected {expected} "
                 f"loss {losses[0]:.4f} -> {losses[-1]:.4f}, Chainer {chainer.__version__}\n")
sys.stdout.flush()
sys.exit(0 if total == expected and losses[-1] < losses[0] else 1)
