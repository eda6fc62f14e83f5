#!/usr/bin/env python3
"""Trains a linear model with jax.distributed, as one process of a JAXJob.

JAX looks for JAX_COORDINATOR_ADDRESS; the training operator sets COORDINATOR_ADDRESS, COORDINATOR_PORT, NUM_PROCESSES
and PROCESS_ID. So the program passes them on. The exit code is 0 if the sum over all processes is right and the loss
fell, else 1.
"""

import os
import sys

import jax

jax.distributed.initialize(
    coordinator_address=f"{os.environ['COORDINATOR_ADDRESS']}:{os.environ['COORDINATOR_PORT']}",
    num_processes=int(os.environ["NUM_PROCESSES"]),
    process_id=int(os.environ["PROCESS_ID"]),
    initialization_timeout=120,  # the default is five minutes
)

import jax.numpy as jnp  # after initialize(), which has to come before the first use of a device
from jax.sharding import Mesh, NamedSharding, PartitionSpec

rank, world = jax.process_index(), jax.process_count()
mesh = Mesh(jax.devices(), ("data",))
rows = NamedSharding(mesh, PartitionSpec("data"))  # each process holds its rows of an array


def shared(local):
    return jax.make_array_from_process_local_data(rows, local)


@jax.jit
def step(weights, points, values):
    loss, gradient = jax.value_and_grad(lambda w: jnp.mean((points @ w - values) ** 2))(weights)
    return weights - 0.1 * gradient, loss  # XLA inserts the all-reduce: the mean is over the rows of all processes


total = float(jax.jit(jnp.sum)(shared(jnp.array([rank + 1.0]))))
expected = world * (world + 1) / 2
local = jax.random.normal(jax.random.key(rank), (64, 4))
points, values = shared(local), shared(local @ jnp.arange(1.0, 5.0))
weights, losses = jnp.zeros(4), []
for _ in range(30):
    weights, loss = step(weights, points, values)
    losses.append(float(loss))
sys.stdout.write(f"rank {rank} of {world} sum {total:g} expected {expected:g} "
                 f"loss {losses[0]:.4f} -> {losses[-1]:.4f}, jax {jax.__version__}\n")
sys.stdout.flush()
jax.distributed.shutdown()  # all processes leave together
sys.exit(0 if total == expected and losses[-1] < losses[0] else 1)
