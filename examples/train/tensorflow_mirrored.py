#!/usr/bin/env python3
"""Trains with MultiWorkerMirroredStrategy, as one task of a TFJob or of a Job of Volcano.

TensorFlow itself reads TF_CONFIG. The chief and the workers train together, and the chief saves checkpoints. An
evaluator, if the job has one, evaluates them meanwhile; the chief waits for its last result, because the job ends with
the chief. The exit code is 0 if the sum over all replicas is right and the loss fell, else 1.
"""

import argparse
import json
import os
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import tensorflow as tf

STEPS = 20


def print_line(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def evaluate(options):
    """Evaluates each new checkpoint until that of the last step."""
    weights = tf.Variable(tf.zeros((4, 1)))
    step = tf.Variable(0, dtype=tf.int64)
    checkpoint = tf.train.Checkpoint(weights=weights, step=step)
    points = tf.random.stateless_normal((64, 4), seed=(99, 0))
    values = points @ tf.constant([[1.0], [2.0], [3.0], [4.0]])
    seen = None
    losses = []
    while step < STEPS:
        newest = tf.train.latest_checkpoint(options.checkpoints)
        if newest in (None, seen):
            time.sleep(0.2)
            continue
        checkpoint.restore(newest).assert_consumed()
        seen = newest
        losses.append(float(tf.reduce_mean((points @ weights - values) ** 2)))
        print_line(f"evaluator step {int(step)} loss {losses[-1]:.4f}")
    with open(os.path.join(options.checkpoints, "evaluated"), "w", encoding="utf-8") as file:
        file.write(f"{losses[-1]:.4f}\n")
    return len(losses) < 2 or losses[-1] < losses[0]


def train(options, task, cluster):
    strategy = tf.distribute.MultiWorkerMirroredStrategy(
        communication_options=tf.distribute.experimental.CommunicationOptions(
            implementation=tf.distribute.experimental.CommunicationImplementation.RING))
    world = strategy.num_replicas_in_sync
    is_chief = task["type"] == "chief" or ("chief" not in cluster and task["index"] == 0)
    rank = 0 if is_chief else task["index"] + (1 if "chief" in cluster else 0)
    points = tf.random.stateless_normal((64, 4), seed=(rank, 0))
    values = points @ tf.constant([[1.0], [2.0], [3.0], [4.0]])
    with strategy.scope():
        weights = tf.Variable(tf.zeros((4, 1)))

    @tf.function
    def step():
        def replica():
            context = tf.distribute.get_replica_context()
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((points @ weights - values) ** 2)
            # Only a value that was computed on the device of the replica can be reduced.
            rank_plus_one = 0.0 * loss + (rank + 1.0)
            gradient, loss, total = context.all_reduce(
                tf.distribute.ReduceOp.SUM, [tape.gradient(loss, weights), loss, rank_plus_one])
            weights.assign_sub(0.1 * gradient / world)
            return loss / world, total
        return strategy.run(replica)

    counted = tf.Variable(0, dtype=tf.int64)
    keeper = None
    if is_chief and options.checkpoints:
        checkpoint = tf.train.Checkpoint(weights=weights, step=counted)
        keeper = tf.train.CheckpointManager(checkpoint, options.checkpoints, max_to_keep=3)
    losses = []
    for number in range(1, STEPS + 1):
        loss, total = step()
        losses.append(float(loss))
        counted.assign(number)
        if keeper and number % 5 == 0:
            keeper.save(checkpoint_number=number)
    expected = world * (world + 1) / 2
    print_line(f"{task['type']} {task['index']} rank {rank} of {world} sum {float(total):g} expected {expected:g} "
               f"loss {losses[0]:.4f} -> {losses[-1]:.4f}, tensorflow {tf.__version__}")
    if is_chief and options.wait_for_evaluator:
        while not os.path.exists(os.path.join(options.checkpoints, "evaluated")):
            time.sleep(0.2)
    return float(total) == expected and losses[-1] < losses[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkpoints", help="the directory for checkpoints, which the evaluator shares")
    parser.add_argument("--wait-for-evaluator", action="store_true")
    options = parser.parse_args()
    config = json.loads(os.environ["TF_CONFIG"])
    task = config["task"]
    if task["type"] == "evaluator":
        return 0 if evaluate(options) else 1
    return 0 if train(options, task, config["cluster"]) else 1


if __name__ == "__main__":
    sys.exit(main())
