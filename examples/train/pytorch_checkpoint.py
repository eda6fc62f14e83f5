#!/usr/bin/env python3
"""Trains with torch.distributed and continues from a checkpoint after a restart, as one rank of a PyTorchJob.

Rank 0 writes a checkpoint after each epoch and sends the newest one to all ranks when they start. So only rank 0 needs
the volume, and all ranks continue with the same epoch. The epochs draw their data from their own numbers: an
interrupted training ends with the weights of an uninterrupted one.

A rank that loses its peers exits with 138 (128 + SIGUSR1). A restart policy ExitCode restarts a replica with a code
of 128 or more, and treats a lower one as a permanent fault.

The exit code is 0 if the loss fell and all ranks have the same weights at the end, else 1.
"""

import argparse
import os
import sys
import time
import zlib
from datetime import timedelta

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

BATCHES, BATCH, INPUTS = 8, 32, 8
RESTART_ME = 138


def print_line(text):
    sys.stdout.write(text + "\n")  # one write, so that lines of ranks do not mix
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


def batches(epoch, rank):
    """The data of a rank in an epoch: points, and a function of them that the network has to find."""
    random = torch.Generator().manual_seed(1000 * epoch + rank)
    for _ in range(BATCHES):
        points = torch.randn(BATCH, INPUTS, generator=random)
        yield points, torch.sin(points.sum(dim=1, keepdim=True))


def load(path):
    """The checkpoint of rank 0 on all ranks, or None."""
    found = [None]
    if dist.get_rank() == 0 and os.path.exists(path):
        found[0] = torch.load(path, map_location="cpu")
    dist.broadcast_object_list(found, src=0)
    return found[0]


def save(path, state):
    torch.save(state, path + ".new")
    os.replace(path + ".new", path)  # a kill during the write leaves the old checkpoint


def checksum(model):
    weights = torch.cat([parameter.detach().flatten() for parameter in model.parameters()])
    return zlib.crc32(weights.cpu().numpy().tobytes())


def train(options, device, rank, world):
    torch.manual_seed(0)
    network = nn.Sequential(nn.Linear(INPUTS, 32), nn.Tanh(), nn.Linear(32, 1)).to(device)
    optimizer = torch.optim.SGD(network.parameters(), lr=0.05, momentum=0.9)
    losses = []
    path = os.path.join(options.checkpoints, "checkpoint.pt")
    kept = load(path)
    if kept:
        network.load_state_dict(kept["network"])
        optimizer.load_state_dict(kept["optimizer"])
        losses = kept["losses"]
        print_line(f"rank {rank} continues after epoch {len(losses)}")
    model = DistributedDataParallel(network)
    for epoch in range(len(losses) + 1, options.epochs + 1):
        total = torch.zeros(1, device=device)
        for points, values in batches(epoch, rank):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(points.to(device)), values.to(device))
            loss.backward()  # averages the gradients of all ranks
            optimizer.step()
            total += loss.detach()
        dist.all_reduce(total)
        losses.append(total.item() / BATCHES / world)
        if rank == 0:
            save(path, {"network": network.state_dict(), "optimizer": optimizer.state_dict(), "losses": losses})
        print_line(f"rank {rank} epoch {epoch} of {options.epochs} loss {losses[-1]:.6f}")
        time.sleep(options.seconds_per_epoch)
    mine = checksum(network)
    sums = [None] * world
    dist.all_gather_object(sums, mine)
    print_line(f"rank {rank} weights {mine:08x} loss {losses[0]:.6f} -> {losses[-1]:.6f}")
    return len(set(sums)) == 1 and losses[-1] < losses[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkpoints", default=".", help="the directory for the checkpoint")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--backend", default="gloo", choices=["gloo", "nccl"], help="nccl needs a GPU for each rank")
    parser.add_argument("--seconds-per-epoch", type=float, default=0.0, help="wait so long after each epoch")
    options = parser.parse_args()
    torch.set_num_threads(1)
    device = device_of(options.backend)
    try:
        dist.init_process_group(options.backend, timeout=timedelta(seconds=300))
        rank, world = dist.get_rank(), dist.get_world_size()
        print_line(f"rank {rank} of {world}, torch {torch.__version__}")
        sound = train(options, device, rank, world)
        dist.destroy_process_group()
    except RuntimeError as lost:
        print_line(f"rank {os.environ.get('RANK')} lost its peers: {str(lost).splitlines()[0]}")
        os._exit(RESTART_ME)  # an orderly exit waits for threads of gloo
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
