#!/usr/bin/env python3
"""Trains boosted trees with XGBoost 3, as one process of an XGBoostJob.

The master hosts the tracker at MASTER_PORT, and all processes join it. Task names with zeros in front make XGBoost's
ranks those of the operator. The exit code is 0 if the sum over all ranks is right, the loss fell and all ranks have
the same model, else 1.
"""

import hashlib
import os
import socket
import sys

import numpy as np
import xgboost as xgb
from xgboost import collective
from xgboost.tracker import RabitTracker

rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
host, port = os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"])
tracker = None
if rank == 0:
    address = socket.gethostbyname(socket.gethostname())
    tracker = RabitTracker(n_workers=world, host_ip=address, port=port, sortby="task")
    tracker.start()
joined = {"dmlc_tracker_uri": host, "dmlc_tracker_port": port, "dmlc_task_id": f"rank-{rank:05d}",
          "dmlc_nworker": world, "dmlc_timeout": 120, "dmlc_retry": 20}
with collective.CommunicatorContext(**joined):
    total = collective.allreduce(np.array([rank + 1.0]), collective.Op.SUM)[0]
    random = np.random.default_rng(rank)
    points = random.random((300, 4))
    data = xgb.DMatrix(points, points[:, 0] + points[:, 1] > 1.0)
    history = {}
    model = xgb.train({"objective": "binary:logistic", "tree_method": "hist", "nthread": 1}, data, num_boost_round=10,
                      evals=[(data, "train")], evals_result=history, verbose_eval=False)
    losses = history["train"]["logloss"]
    digest = hashlib.sha256(model.save_raw("json")).digest()[:4]
    digests = {bytes(d) for d in np.split(collective.allreduce(
        np.concatenate([np.frombuffer(digest, np.uint8) if r == rank else np.zeros(4, np.uint8) for r in range(world)]),
        collective.Op.SUM), world)}
    sys.stdout.write(f"rank {collective.get_rank()} of {collective.get_world_size()} sum {total:g} expected "
                     f"{world * (world + 1) // 2} loss {losses[0]:.4f} -> {losses[-1]:.4f} model {digest.hex()}, "
                     f"xgboost {xgb.__version__}\n")
    sys.stdout.flush()
    sound = (collective.get_rank() == rank and total == world * (world + 1) / 2 and losses[-1] < losses[0]
             and digests == {digest})
if tracker:
    tracker.wait_for(60)
sys.exit(0 if sound else 1)
