#!/usr/bin/env python3
"""Trains a linear model with DistributedDataParallel: each rank has its own data, and the gradients are averaged.

torchrun, or the operator, sets MASTER_ADDR, MASTER_PORT, RANK and WORLD_SIZE. The exit code is 0 if the all-reduce of
the ranks is right and the loss fell, else 1.
"""

import argparse
import os
import sys
from datetime import timedelta

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

SAMPLES, INPUTS, STEPS = 64, 4, 30


def device_of(backend):
    """The GPU of this rank for nccl, else the CPU. A pod may see all GPUs of its machine, or its own only."""
    if backend != "nccl":
        return torch.device("cpu")
    if not torch.cuda.is_available():
        sys.exit("--backend nccl: PyTorch finds no GPU")
    device = torch.device("cuda", int(os.environ["RANK"]) % torch.cuda.device_count())
    torch.cuda.set_device(device)
    return device


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--backend", default="gloo", choices=["gloo", "nccl"], help="nccl needs a GPU for each rank")
backend = parser.parse_args().backend
device = device_of(backend)
torch.set_num_threads(1)
dist.init_process_group(backend, timeout=timedelta(seconds=120))
rank, world = dist.get_rank(), dist.get_world_size()
total = torch.tensor([rank + 1.0], device=device)
dist.all_reduce(total)
expected = world * (world + 1) // 2

torch.manual_seed(rank)
points = torch.randn(SAMPLES, INPUTS, device=device)
values = points.sum(dim=1, keepdim=True)
model = DistributedDataParallel(nn.Linear(INPUTS, 1).to(device))  # all ranks begin with the weights of rank 0
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
losses = []
for _ in range(STEPS):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(points), values)
    loss.backward()
    optimizer.step()
    mean = loss.detach().clone()
    dist.all_reduce(mean)
    losses.append(mean.item() / world)

sys.stdout.write(f"rank {rank} of {world} sum {total.item():g} expected {expected} "
                 f"loss {losses[0]:.4f} -> {losses[-1]:.4f}, torch {torch.__version__}\n")
sys.stdout.flush()
dist.barrier()  # the job can end with rank 0, and then the others are killed
dist.destroy_process_group()
sys.exit(0 if total.item() == expected and losses[-1] < losses[0] else 1)
