"""Trains a model with PyTorch on three workers of this machine, without Docker and without Kubernetes.

Needs torch in the environment of the interpreter. Prints the losses of all ranks while they train, then the result.
"""

from __future__ import annotations

import kftrain


def fit(steps: int, rate: float = 0.1) -> dict[str, float]:
    """Fits a linear model with DistributedDataParallel; returns the loss before and after."""
    import torch
    import torch.distributed as dist
    from torch.nn.parallel import DistributedDataParallel

    torch.set_num_threads(1)
    dist.init_process_group("gloo")  # reads the variables that the operator of PyTorchJobs has set
    rank, world_size = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(rank)  # each rank has its own data; the initial weights are those of rank 0
    model = DistributedDataParallel(torch.nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    losses = []
    for step in range(steps):
        inputs = torch.randn(64, 4)
        targets = inputs.sum(dim=1, keepdim=True) + 0.1 * torch.randn(64, 1)
        loss = ((model(inputs) - targets) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()  # averages the gradients of all ranks
        optimizer.step()
        mean = loss.detach()
        dist.all_reduce(mean)
        losses.append(mean.item() / world_size)
        if (step + 1) % 20 == 0:
            print(f"step {step + 1}: loss {losses[-1]:.4f}")
    dist.destroy_process_group()
    return {"world_size": world_size, "first": losses[0], "last": losses[-1]}


if __name__ == "__main__":
    result = kftrain.train(fit, [60], {"rate": 0.1}, workers=3, returns=True)
    print(f"{result['world_size']} workers: loss {result['first']:.4f} -> {result['last']:.4f}")
