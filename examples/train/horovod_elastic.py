#!/usr/bin/env python3
"""Trains with Horovod while hosts join and leave, in an MPIJob.

In the launcher the program starts horovodrun, which starts the program again on the workers, by ssh. horovodrun runs
/etc/mpi/discover_hosts.sh every second. When its output changes, state.commit() raises an exception that
hvd.elastic.run handles: the processes of the new hosts start, and all continue with the committed state.
"""

import argparse
import os
import sys
import time

def print_line(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--steps", type=int, default=150)
parser.add_argument("--seconds-per-step", type=float, default=0.3)
options = parser.parse_args()

if "HOROVOD_RANK" not in os.environ:  # in the launcher
    os.execv(sys.executable, [
        sys.executable, "-m", "horovod.runner.launch", "--gloo", "-np", "2", "--min-np", "1", "--max-np", "3",
        "--host-discovery-script", "/etc/mpi/discover_hosts.sh", "--slots-per-host", "1",
        sys.executable, *sys.argv])

import horovod.torch as hvd
import torch

torch.set_num_threads(1)
hvd.init()
torch.manual_seed(0)
model = torch.nn.Linear(4, 1)
optimizer = hvd.DistributedOptimizer(torch.optim.SGD(model.parameters(), lr=0.02),
                                     named_parameters=model.named_parameters())


@hvd.elastic.run
def train(state):
    while state.step < options.steps:
        points = torch.randn(32, 4, generator=torch.Generator().manual_seed(100 * state.step + hvd.rank()))
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(points), points.sum(dim=1, keepdim=True))
        loss.backward()
        optimizer.step()
        total = hvd.allreduce(torch.tensor([hvd.rank() + 1.0, loss.item()]), op=hvd.Sum, name="sum")
        state.step += 1
        state.losses.append(total[1].item() / hvd.size())
        expected = hvd.size() * (hvd.size() + 1) / 2
        print_line(f"{os.environ['HOROVOD_HOSTNAME'].split('.')[0]} rank {hvd.rank()} of {hvd.size()} "
                   f"step {state.step} sum {total[0].item():g} expected {expected:g} loss {state.losses[-1]:.6f}")
        if hvd.rank() == 0:  # docs/guides/progress-and-timeline.md describes this line
            print_line(f"kftrain-progress/1 step={state.step} total={options.steps} loss={state.losses[-1]:.6f}")
        time.sleep(options.seconds_per_step)
        state.commit()


state = hvd.elastic.TorchState(model, optimizer, step=0, losses=[])
train(state)
if hvd.rank() == 0:
    print_line(f"done after {len(state.losses)} steps, loss {state.losses[0]:.6f} -> {state.losses[-1]:.6f}, "
               f"torch {torch.__version__}")
