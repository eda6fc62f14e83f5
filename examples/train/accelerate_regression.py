#!/usr/bin/env python3
"""Trains a small network with Accelerate of Hugging Face, as one rank of a PyTorchJob, without a GPU.

Accelerate reads MASTER_ADDR, MASTER_PORT, RANK and WORLD_SIZE. `prepare` wraps the model for the averages of the
gradients, and gives each rank its share of the data. The exit code is 0 if the sum of the ranks is right and the loss
fell, else 1.
"""

import sys

import accelerate
import torch
from torch import nn

SAMPLES, INPUTS, EPOCHS = 384, 4, 10

torch.set_num_threads(1)
accelerator = accelerate.Accelerator(cpu=True)  # with GPUs: no argument, and torchrun or LOCAL_RANK in the manifest
rank, world = accelerator.process_index, accelerator.num_processes
total = accelerator.reduce(torch.tensor([rank + 1.0]), "sum")
expected = world * (world + 1) // 2

accelerate.utils.set_seed(0)  # the same data and weights on all ranks
points = torch.randn(SAMPLES, INPUTS)
data = torch.utils.data.TensorDataset(points, torch.sin(points.sum(dim=1, keepdim=True)))
network = nn.Sequential(nn.Linear(INPUTS, 32), nn.Tanh(), nn.Linear(32, 1))
model, optimizer, loader = accelerator.prepare(
    network, torch.optim.Adam(network.parameters(), lr=0.01),
    torch.utils.data.DataLoader(data, batch_size=16, shuffle=True))
losses, samples = [], 0  # samples of this rank
for _ in range(EPOCHS):
    for inputs, wanted in loader:
        loss = nn.functional.mse_loss(model(inputs), wanted)
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
        losses.append(accelerator.reduce(loss.detach(), "mean").item())
        samples += len(inputs)

sys.stdout.write(f"rank {rank} of {world} sum {total.item():g} expected {expected} "
                 f"loss {losses[0]:.4f} -> {losses[-1]:.4f} samples {samples}, Accelerate {accelerate.__version__}\n")
sys.stdout.flush()
accelerator.wait_for_everyone()  # the job can end with rank 0, and then the others are killed
sys.exit(0 if total.item() == expected and losses[-1] < losses[0] else 1)
