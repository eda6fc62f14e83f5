#!/usr/bin/env python3
"""Adds one number of each rank with torch.distributed: the smallest test of a rendezvous.

Reads MASTER_ADDR, MASTER_PORT, RANK and WORLD_SIZE. The exit code is 0 if the sum is right, else 1.
"""

import argparse
import os
import sys
from datetime import timedelta

import torch
import torch.distributed as dist


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
dist.init_process_group(backend, timeout=timedelta(seconds=120))
rank, world = dist.get_rank(), dist.get_world_size()
value = torch.tensor([rank + 1.0], device=device)
dist.all_reduce(value)
expected = world * (world + 1) // 2
sys.stdout.write(f"rank {rank} of {world} sum {value.item():g} expected {expected}, torch {torch.__version__}\n")
sys.stdout.flush()
dist.barrier()  # the job can end with rank 0, and then the others are killed
dist.destroy_process_group()
sys.exit(0 if value.item() == expected else 1)
