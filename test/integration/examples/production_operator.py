#!/usr/bin/python3
"""usage: production_operator.py KFTRAIN EXAMPLE SOURCE_DIR

Runs the operator of the examples as a Deployment does: it leads, answers probes and metrics, sends only requests that
its manifest allows, and releases the Lease on SIGTERM."""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

sys.path += [os.path.join(os.path.dirname(os.path.abspath(__file__)), folder) for folder in ("../cli", "../cli/local")]

from local_server import server, until  # pylint: disable=wrong-import-position


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def read(port, path):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as answer:
        return answer.code, ""
    except OSError:
        return 0, ""


def allowed(manifest):
    """(verb, resource) of every rule of the manifest."""
    with open(manifest, encoding="utf-8") as file:
        rules = re.findall(r"^ +resources: \[(.*?)\].*?\n +verbs: \[(.*?)\]", file.read(), re.M)
    return {(verb, resource) for resources, verbs in rules
            for resource in resources.split(", ") for verb in verbs.split(", ")}


def check_permissions(metrics, manifest):
    """The program sends no request that its manifest does not allow. Discovery is allowed to everyone."""
    sent = re.findall(r"^kftrain_requests_total{(.*)}", metrics, re.M)
    words = [dict(re.findall(r'(\w+)="([^"]*)"', labels)) for labels in sent]
    used = {(w["verb"], w["resource"].split(".")[0]) for w in words if w["resource"]}  # named with their group
    assert ("watch", "pods") in used, metrics
    assert used <= allowed(manifest), f"not in {manifest}: {sorted(used - allowed(manifest))}"


def main():
    kftrain, example, sources = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as folder:
        s = server(kftrain, sources, os.path.join(folder, "state"))
        try:
            s.up()
            port = free_port()
            environment = {"KUBECONFIG": s.config, "PATH": os.environ["PATH"], "HOME": folder, "HOSTNAME": "pod-1"}
            process = subprocess.Popen([example, str(port)], env=environment, stderr=subprocess.PIPE, text=True)
            try:
                until(lambda: read(port, "/readyz")[0] == 200, "the operator is ready")
                until(lambda: "leader_election_master_status" in read(port, "/metrics")[1]
                      and "} 1\n" in read(port, "/metrics")[1].split("leader_election_master_status")[-1],
                      "the operator leads")
                check_permissions(read(port, "/metrics")[1],
                                  os.path.join(sources, "examples/4_production_operator/operator.yaml"))
                holder = ["get", "lease", "trainer-operator", "-o", "jsonpath={.spec.holderIdentity}"]
                assert s.kubectl(*holder).startswith("pod-1_"), s.kubectl(*holder)
                process.send_signal(signal.SIGTERM)
                assert process.wait(timeout=30) == 0, process.stderr.read()
                assert s.kubectl(*holder) == "", "the lease is given back"
            finally:
                process.kill()
                process.wait()
        finally:
            s.local("down")


if __name__ == "__main__":
    main()
