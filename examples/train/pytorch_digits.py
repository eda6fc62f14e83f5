#!/usr/bin/env python3
"""Trains a small network on drawn digits with torch.distributed, as one rank of a PyTorchJob.

Every rank runs this same program; RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, which the training operator
injects, identify the rank. Without them it trains alone. It needs nothing but PyTorch: the data set is
drawn from a built-in font, the same on every rank.

The exit code says whether the training was sound: 0 when the loss fell, the test accuracy is at least 0.9 and
all ranks ended with the same weights, else 1.
"""

import argparse
import os
import sys
import time
import zlib

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

# The ten digits, 5 x 7 dots; each number is one row, its highest bit the leftmost dot.
FONT = (
    (0x0E, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0E),
    (0x04, 0x0C, 0x04, 0x04, 0x04, 0x04, 0x0E),
    (0x0E, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1F),
    (0x1F, 0x02, 0x04, 0x02, 0x01, 0x11, 0x0E),
    (0x02, 0x06, 0x0A, 0x12, 0x1F, 0x02, 0x02),
    (0x1F, 0x10, 0x1E, 0x01, 0x01, 0x11, 0x0E),
    (0x06, 0x08, 0x10, 0x1E, 0x11, 0x11, 0x0E),
    (0x1F, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08),
    (0x0E, 0x11, 0x11, 0x0E, 0x11, 0x11, 0x0E),
    (0x0E, 0x11, 0x11, 0x0F, 0x01, 0x02, 0x0C),
)
SIDE = 8
NOISE = 0.25


def draw(count, seed):
    """Returns `count` noisy, shifted digits as (images, labels); the same for the same seed."""
    random = torch.Generator().manual_seed(seed)
    glyphs = torch.tensor([[[(row >> (4 - x)) & 1 for x in range(5)] for row in glyph] for glyph in FONT])
    labels = torch.arange(count) % len(FONT)
    right = torch.randint(0, SIDE - 5 + 1, (count,), generator=random)
    down = torch.randint(0, SIDE - 7 + 1, (count,), generator=random)
    images = torch.zeros(count, SIDE, SIDE)
    for i in range(count):
        images[i, down[i] : down[i] + 7, right[i] : right[i] + 5] = glyphs[labels[i]].float()
    images += NOISE * torch.randn(images.shape, generator=random)
    order = torch.randperm(count, generator=random)
    return images[order].flatten(1), labels[order]


def print_line(text):
    sys.stdout.write(text + "\n")  # one write, so that the lines of ranks that share a terminal do not mix
    sys.stdout.flush()


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch-size", type=int, default=20, help="images per rank and step")
    parser.add_argument("--train-size", type=int, default=3600, help="images of all ranks together")
    parser.add_argument("--seconds-per-epoch", type=float, default=0.0, help="wait so long after each epoch")
    parser.add_argument("--fail-rank", type=int, default=-1, help="the rank that gives up after the first epoch")
    parser.add_argument("--fail-code", type=int, default=1, help="its exit code")
    parser.add_argument("--linger", type=float, default=30.0,
                        help="seconds that a rank stays after it lost its peers, so that the job's status names "
                             "the replica that failed and not those it took along")
    return parser.parse_args()


def train(opts, rank, world, model):
    """Trains on this rank's share; returns the mean loss over all ranks of every epoch."""
    images, labels = draw(opts.train_size, seed=1)
    share = opts.train_size // world  # the same on every rank: a rank with one step more would wait forever
    images, labels = images[rank::world][:share], labels[rank::world][:share]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    criterion = nn.CrossEntropyLoss()
    losses = []
    for epoch in range(1, opts.epochs + 1):
        total, steps = 0.0, 0
        for start in range(0, share, opts.batch_size):
            batch = slice(start, start + opts.batch_size)
            optimizer.zero_grad()
            loss = criterion(model(images[batch]), labels[batch])
            loss.backward()  # DistributedDataParallel averages the gradients of all ranks here
            optimizer.step()
            total, steps = total + loss.item(), steps + 1
        print_line(f"rank {rank} epoch {epoch}/{opts.epochs} loss {total / steps:.4f}")
        mean = torch.tensor(total / steps)
        dist.all_reduce(mean)
        losses.append(mean.item() / world)
        if rank == opts.fail_rank:
            print_line(f"rank {rank} gives up with exit code {opts.fail_code}, as --fail-rank requests")
            # As a crash would: an orderly exit waits for threads of gloo, which can abort when the peers are gone.
            os._exit(opts.fail_code)
        time.sleep(opts.seconds_per_epoch)
    return losses


def accuracy_of(model):
    images, labels = draw(400, seed=2)
    with torch.no_grad():
        return (model(images).argmax(dim=1) == labels).float().mean().item()


def checksum_of(model):
    weights = torch.cat([parameter.detach().flatten() for parameter in model.parameters()])
    return zlib.crc32(weights.numpy().tobytes())


def run(opts, rank, world):
    model = DistributedDataParallel(nn.Sequential(nn.Linear(SIDE * SIDE, 32), nn.ReLU(), nn.Linear(32, len(FONT))))
    losses = train(opts, rank, world, model)

    mine = torch.tensor([checksum_of(model)])
    all_of_them = [torch.zeros_like(mine) for _ in range(world)]
    dist.all_gather(all_of_them, mine)
    sums = [int(each) for each in all_of_them]
    agreed = len(set(sums)) == 1
    score = torch.tensor(accuracy_of(model.module))
    dist.broadcast(score, src=0)  # one verdict, so that all ranks end with the same exit code
    accuracy = score.item()

    if rank == 0:
        print_line(f"loss {losses[0]:.4f} -> {losses[-1]:.4f}, accuracy {accuracy:.4f} on 400 digits never seen")
    verdict = "the same on every rank" if agreed else "but " + " ".join(f"{each:08x}" for each in sums)
    print_line(f"rank {rank} weights {sums[rank]:08x}, {verdict}")
    return agreed and losses[-1] < losses[0] and accuracy >= 0.9


def main():
    opts = options()
    for name, value in (("RANK", "0"), ("WORLD_SIZE", "1"), ("MASTER_ADDR", "127.0.0.1"), ("MASTER_PORT", "23456")):
        os.environ.setdefault(name, value)
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method="env://")
    rank, world = dist.get_rank(), dist.get_world_size()
    print_line(f"rank {rank} of {world} on {os.uname().nodename}, torch {torch.__version__}")
    # Each rank starts from weights of its own; DistributedDataParallel hands those of rank 0 to all.
    torch.manual_seed(rank)
    try:
        sound = run(opts, rank, world)
    except RuntimeError as lost:
        print_line(f"rank {rank} stops: {str(lost).splitlines()[0]}")
        time.sleep(opts.linger)
        return 1
    dist.destroy_process_group()
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
