#!/usr/bin/env python3
"""Trains a linear model with DeepSpeed on CPUs; mpirun or the command `deepspeed` starts it on each host of a hostfile.

Without the variables of PyTorch, DeepSpeed takes rank and world size from MPI, and the address of rank 0 is the first
one that `hostname -I` prints there. The exit code is 0 if the sum over all ranks is right, the loss fell, and every
rank has the same weights, else 1.
"""

import socket
import sys

import deepspeed
import torch
import torch.distributed as dist
from deepspeed.utils import logger

SAMPLES = 64  # of each rank in a step
CONFIG = {"train_micro_batch_size_per_gpu": SAMPLES, "steps_per_print": 1000}

logger.setLevel("WARNING")  # else it prints 100 lines about its configuration
deepspeed.init_distributed("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
total = torch.tensor([rank + 1.0])
dist.all_reduce(total)
expected = world * (world + 1) // 2

torch.manual_seed(rank)  # DeepSpeed gives all ranks the weights of rank 0
points = torch.randn(SAMPLES, 4)
values = points @ torch.tensor([[1.0], [2.0], [3.0], [4.0]])
network = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
engine, *_ = deepspeed.initialize(model=network, optimizer=optimizer, config=CONFIG)
losses = []
for _ in range(30):
    loss = torch.nn.functional.mse_loss(engine(points), values)
    engine.backward(loss)  # averages the gradients of all ranks
    engine.step()
    losses.append(loss.item())
weights = torch.cat([parameter.detach().flatten() for parameter in network.parameters()])
mean = weights.clone()
dist.all_reduce(mean)
same = torch.allclose(mean / world, weights)
sys.stdout.write(f"rank {rank} of {world} on {socket.gethostname()} sum {total.item():g} expected {expected} "
                 f"loss {losses[0]:.4f} -> {losses[-1]:.4f}, deepspeed {deepspeed.__version__}\n")
sys.stdout.flush()
dist.barrier()  # the job ends with the launcher
sys.exit(0 if total.item() == expected and losses[-1] < losses[0] and same else 1)
