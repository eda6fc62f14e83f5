#!/usr/bin/env python3
"""Adds one number of each rank with torch.distributed: the smallest test of a rendezvous.

Reads MASTER_ADDR, MASTER_PORT, RANK and WORLD_SIZE. The exit code is 0 if the sum is right, else 1.
"""

import sys
from datetime import timedelta

import torch
import torch.distributed as dist

dist.init_process_group("gloo", timeout=timedelta(seconds=120))
rank, world = dist.get_rank(), dist.get_world_size()
value = torch.tensor([rank + 1.0])
dist.all_reduce(value)
expected = world * (world + 1) // 2
sys.stdout.write(f"rank {rank} of {world} sum {value.item():g} expected {expected}, torch {torch.__version__}\n")
sys.stdout.flush()
dist.barrier()  # the job can end with rank 0, and then the others are killed
dist.destroy_process_group()
sys.exit(0 if value.item() == expected else 1)
