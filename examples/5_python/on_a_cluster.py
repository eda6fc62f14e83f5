"""Submits a job to a cluster, prints its output and waits for its end: `python on_a_cluster.py sum.yaml`.

The client finds the cluster as kubectl does: KUBECONFIG, ~/.kube/config or, in a pod, the service account of the pod.
"""

from __future__ import annotations

import sys

import kftrain


def main(path: str) -> int:
    with open(path) as file:
        text = file.read()
    try:
        with kftrain.Client() as client:
            job = client.submit(text, idempotent=True)  # submitted again, it returns the existing job
            for line in client.logs(job):
                print(f"[rank {line.rank}] {line.text}")
            job = client.wait(job)
    except kftrain.Unreachable as error:
        print(f"no cluster: {error}", file=sys.stderr)
        return 2
    except kftrain.Error as error:  # the text has the field, or the reason of the server
        print(error, file=sys.stderr)
        return 2
    print(job.metadata.name, kftrain.phase(job))
    return 0 if kftrain.phase(job) == "Succeeded" else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
