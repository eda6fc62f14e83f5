#!/usr/bin/env python3
"""Trains a linear model with the fleet API of Paddle; paddle.distributed.launch starts it in each pod of a PaddleJob.

The launchers meet at PADDLE_MASTER and give out the ranks. The exit code is 0 if the sum over all ranks is right and
the loss fell, else 1.
"""

import sys

import paddle
import paddle.distributed as dist
from paddle.distributed import fleet

paddle.device.set_device("cpu")  # before init(), which then uses gloo
fleet.init(is_collective=True)
rank, world = dist.get_rank(), dist.get_world_size()
total = paddle.to_tensor([rank + 1.0])
dist.all_reduce(total)
expected = world * (world + 1) / 2

paddle.seed(rank)
points = paddle.randn([64, 4])
values = points @ paddle.to_tensor([[1.0], [2.0], [3.0], [4.0]])
model = fleet.distributed_model(paddle.nn.Linear(4, 1))
optimizer = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1, parameters=model.parameters()))
losses = []
for _ in range(30):
    loss = paddle.nn.functional.mse_loss(model(points), values)
    loss.backward()  # averages the gradients of all ranks
    optimizer.step()
    optimizer.clear_grad()
    losses.append(float(loss))
weights = paddle.concat([parameter.flatten() for parameter in model.parameters()])
mean = weights.clone()
dist.all_reduce(mean)
same = bool(paddle.allclose(mean / world, weights, rtol=1e-6))
sys.stdout.write(f"rank {rank} of {world} sum {total.item():g} expected {expected:g} "
                 f"loss {losses[0]:.4f} -> {losses[-1]:.4f}, paddle {paddle.__version__}\n")
sys.stdout.flush()
sys.exit(0 if total.item() == expected and losses[-1] < losses[0] and same else 1)
