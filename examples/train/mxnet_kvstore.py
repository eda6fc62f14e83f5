#!/usr/bin/env python3
"""Trains a linear model with MXNet's parameter servers, as one process of an MXJob.

The scheduler and the servers run the same program: there, `import mxnet` serves until the workers are done. The exit
code is 0 if the sum of all workers is right and the loss fell, else 1.
"""

import os
import sys

if os.environ["DMLC_ROLE"] != "worker":
    sys.stdout.write(f"{os.environ['DMLC_ROLE']} serves\n")
    sys.stdout.flush()

import mxnet as mx

store = mx.kv.create("dist_sync")
rank, world = store.rank, store.num_workers
store.init("sum", mx.nd.zeros((1,)))
store.push("sum", mx.nd.array([rank + 1.0]))  # without an optimizer, the servers store the sum of all workers
total = mx.nd.zeros((1,))
store.pull("sum", out=total)
total, expected = float(total.asscalar()), world * (world + 1) / 2

mx.random.seed(rank)
points = mx.nd.random.normal(shape=(64, 4))
values = mx.nd.dot(points, mx.nd.array([[1.0], [2.0], [3.0], [4.0]]))
weights, gradient = mx.nd.zeros((4, 1)), mx.nd.zeros((4, 1))
weights.attach_grad()
store.init("gradient", gradient)
losses = []
for _ in range(30):
    with mx.autograd.record():
        loss = ((mx.nd.dot(points, weights) - values) ** 2).mean()
    loss.backward()
    store.push("gradient", weights.grad / world)
    store.pull("gradient", out=gradient)
    weights -= 0.1 * gradient
    losses.append(float(loss.asscalar()))
sys.stdout.write(f"rank {rank} of {world} sum {total:g} expected {expected:g} "
                 f"loss {losses[0]:.4f} -> {losses[-1]:.4f}, mxnet {mx.__version__}\n")
sys.stdout.flush()
store._barrier()  # a worker that leaves early ends the servers of the others
sys.exit(0 if total == expected and losses[-1] < losses[0] else 1)
