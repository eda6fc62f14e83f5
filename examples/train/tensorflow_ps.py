#!/usr/bin/env python3
"""Trains with ParameterServerStrategy, as one task of a TFJob with a chief, workers and parameter servers.

The chief coordinates: it creates the variables on the parameter servers and sends steps to the workers. TensorFlow
itself reads TF_CONFIG. Workers and parameter servers never end; cleanPodPolicy removes them when the chief is done.
"""

import json
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import tensorflow as tf


def print_line(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
task = json.loads(os.environ["TF_CONFIG"])["task"]
if resolver.task_type in ("worker", "ps"):
    server = tf.distribute.Server(resolver.cluster_spec(), job_name=resolver.task_type, task_index=resolver.task_id,
                                  protocol="grpc", start=True)
    print_line(f"{resolver.task_type} {resolver.task_id} serves, tensorflow {tf.__version__}")
    server.join()

strategy = tf.distribute.ParameterServerStrategy(resolver)
coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
with strategy.scope():
    weights = tf.Variable(tf.zeros((4, 1)))
    total = tf.Variable(0.0)


@tf.function
def step(seed):
    points = tf.random.stateless_normal((64, 4), seed=[seed, 0])
    values = points @ tf.constant([[1.0], [2.0], [3.0], [4.0]])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((points @ weights - values) ** 2)
    weights.assign_sub(0.1 * tape.gradient(loss, weights))
    total.assign_add(tf.cast(seed, tf.float32))
    return loss


losses, count = [], 40
for seed in range(1, count + 1):
    loss = coordinator.schedule(step, args=(tf.constant(seed),))
    losses.append(loss)
coordinator.join()
losses = [float(loss.fetch()) for loss in losses]
first, last = sum(losses[:5]) / 5, sum(losses[-5:]) / 5
spec = resolver.cluster_spec()
print_line(f"chief sum {float(total):g} expected {count * (count + 1) // 2} loss {first:.4f} -> {last:.4f} "
           f"with {spec.num_tasks('worker')} workers and {spec.num_tasks('ps')} parameter servers, "
    f"weights on {weights.device.split('/device')[0].lstrip('/')}, tensorflow {tf.__version__}")
sys.stdout.flush()
# The coordinator's threads still watch the workers, so an orderly exit would wait for them.
os._exit(0 if float(total) == count * (count + 1) / 2 and last < first else 1)
