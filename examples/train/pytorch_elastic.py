#!/usr/bin/env python3
"""Trains while replicas join and leave: the program that torchrun starts in each pod of an elastic PyTorchJob.

When the number of replicas changes, torchrun ends the program on all of them and starts it again with the new ranks
and the new world size. The program then continues after the last epoch of its checkpoint, which is on a volume that
all replicas share: any replica can become rank 0. The checkpoint also records the world size of each epoch.
"""

import argparse
import os
import sys
import time
from datetime import timedelta

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

SAMPLES, INPUTS = 240, 8  # samples of all replicas together in an epoch


def print_line(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def device_of(backend):
    """The GPU of this rank for nccl, else the CPU. A pod may see all GPUs of its machine, or its own only."""
    if backend != "nccl":
        return torch.device("cpu")
    if not torch.cuda.is_available():
        sys.exit("--backend nccl: PyTorch finds no GPU")
    device = torch.device("cuda", int(os.environ["RANK"]) % torch.cuda.device_count())
    torch.cuda.set_device(device)
    return device


def load(path):
    """The checkpoint of rank 0 on all ranks, or None."""
    found = [None]
    if dist.get_rank() == 0 and os.path.exists(path):
        found[0] = torch.load(path, map_location="cpu")
    dist.broadcast_object_list(found, src=0)
    return found[0]


def save(path, state):
    torch.save(state, path + ".new")
    os.replace(path + ".new", path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkpoints", default=".")
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--backend", default="gloo", choices=["gloo", "nccl"], help="nccl needs a GPU for each rank")
    parser.add_argument("--seconds-per-epoch", type=float, default=0.0, help="wait so long after each epoch")
    options = parser.parse_args()
    torch.set_num_threads(1)
    device = device_of(options.backend)
    dist.init_process_group(options.backend, timeout=timedelta(seconds=60))
    rank, world = dist.get_rank(), dist.get_world_size()

    torch.manual_seed(0)
    network = nn.Linear(INPUTS, 1).to(device)
    optimizer = torch.optim.SGD(network.parameters(), lr=0.05)
    path = os.path.join(options.checkpoints, "checkpoint.pt")
    history = []
    kept = load(path)
    if kept:
        network.load_state_dict(kept["network"])
        optimizer.load_state_dict(kept["optimizer"])
        history = kept["history"]
    print_line(f"rank {rank} of {world} begins after epoch {len(history)}, torch {torch.__version__}")
    model = DistributedDataParallel(network)
    for epoch in range(len(history) + 1, options.epochs + 1):
        random = torch.Generator().manual_seed(epoch)
        points = torch.randn(SAMPLES, INPUTS, generator=random)[rank::world].to(device)  # this replica's share
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(points), points.sum(dim=1, keepdim=True))
        loss.backward()
        optimizer.step()
        total = torch.tensor([loss.item(), 1.0], device=device)
        dist.all_reduce(total)
        history.append({"epoch": epoch, "world": int(total[1]), "loss": total[0].item() / world})
        if rank == 0:
            save(path, {"network": network.state_dict(), "optimizer": optimizer.state_dict(), "history": history})
        print_line(f"rank {rank} of {world} epoch {epoch} loss {history[-1]['loss']:.6f}")
        time.sleep(options.seconds_per_epoch)
    if rank == 0:
        for each in history:
            print_line(f"history epoch {each['epoch']} world {each['world']} loss {each['loss']:.6f}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
