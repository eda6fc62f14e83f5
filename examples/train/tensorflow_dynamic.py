#!/usr/bin/env python3
"""Trains with workers that come and go: a task of a TFJob with dynamic workers and parameter servers.

TensorFlow itself reads TF_CONFIG, in which a worker finds itself and the parameter servers, but no other worker. Each
worker therefore brings its cluster along in a session of its own; the variables on the servers are common to all of
them. Worker 0 creates the variables, and its end is that of the job. Its exit code is 0 if every step of a worker was
counted and the loss fell, else 1.
"""

import argparse
import os
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import tensorflow as tf

graphs = tf.compat.v1  # eager execution has no variables that several clients share
MOST_WORKERS = 16


def print_line(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def session_of(cluster, index):
    """A session in which this worker and the parameter servers are the whole cluster."""
    # The server has a job name of its own: the cluster of a session may not rename the server that it starts from.
    own = tf.train.ClusterSpec({"client": [cluster.task_address("worker", index)]})
    server = tf.distribute.Server(own, "client", 0)
    options = graphs.ConfigProto(cluster_def=cluster.as_cluster_def())
    options.experimental.share_session_state_in_clusterspec_propagation = True  # the variables of the other sessions
    return graphs.Session(server.target, config=options)


def train(options, cluster, index):
    graphs.disable_eager_execution()
    with graphs.device("/job:ps/task:0"):
        weights = graphs.get_variable("weights", initializer=tf.zeros((4, 1)))
        counts = graphs.get_variable("counts", initializer=tf.zeros((MOST_WORKERS,), tf.int32))  # steps of each worker
    with graphs.device(f"/job:worker/task:{index}"):
        points = tf.random.normal((64, 4))
        values = points @ tf.constant([[1.0], [2.0], [3.0], [4.0]])
        loss = tf.reduce_mean((points @ weights - values) ** 2)
        gradient = graphs.gradients(loss, weights)[0]
    with graphs.device("/job:ps/task:0"):
        step = tf.group(graphs.assign_sub(weights, 0.01 * gradient, use_locking=True),
                        graphs.scatter_add(counts, [index], [1], use_locking=True))
    create = graphs.global_variables_initializer()
    missing = graphs.report_uninitialized_variables()
    with session_of(cluster, index) as session:
        if index == 0:
            session.run(create)
        while len(session.run(missing)):
            time.sleep(0.2)
        losses, total = [], 0
        while total < options.steps:
            losses.append(float(session.run([loss, step])[0]))
            total = int(session.run(counts).sum())
            if len(losses) % 10 == 1:
                print_line(f"worker {index} step {len(losses)} of {total} loss {losses[-1]:.4f}")
            time.sleep(options.seconds_per_step)
        found = session.run(counts).tolist()
    print_line(f"worker {index} done loss {losses[0]:.4f} -> {losses[-1]:.4f} steps {found[:4]}, "
               f"tensorflow {tf.__version__}")
    return found[index] == len(losses) and losses[-1] < losses[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=600, help="of all workers together")
    parser.add_argument("--seconds-per-step", type=float, default=0.1, help="wait so long after each step")
    options = parser.parse_args()
    resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    cluster = resolver.cluster_spec()
    if resolver.task_type == "ps":
        print_line(f"ps {resolver.task_id} serves")
        tf.distribute.Server(cluster, "ps", resolver.task_id).join()
    return 0 if train(options, cluster, resolver.task_id) else 1


if __name__ == "__main__":
    sys.exit(main())
