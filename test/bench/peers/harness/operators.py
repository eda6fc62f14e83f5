"""Operators of PyTorchJobs at a control plane: upstream's, and kftrain's."""

import base64
import contextlib
import json
import os
import time
import urllib.request
from pathlib import Path

from . import builds
from .processes import free_port, running, wait_until

NAMESPACE = "kubeflow"
SECRET = "training-operator-webhook-cert"
KEYS = ("tls.crt", "tls.key", "ca.crt", "ca.key")
THREADS = 8  # workers of a controller
SETTLE = 1  # second: in which kftrain's operator has its lists, of which it says nothing
# The operator wants to see this configuration before it starts. The server asks nobody by it: no object has such a label.
WEBHOOKS = {
    "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
    "metadata": {"name": "validator.training-operator.kubeflow.org"},
    "webhooks": [{
        "name": "validator.pytorchjob.training-operator.kubeflow.org", "sideEffects": "None", "admissionReviewVersions": ["v1"],
        "failurePolicy": "Ignore", "objectSelector": {"matchLabels": {"peers.kftrain/never": "true"}},
        "clientConfig": {"url": "https://127.0.0.1:1/validate"},
        "rules": [{"apiGroups": ["kubeflow.org"], "apiVersions": ["v1"], "resources": ["pytorchjobs"], "operations": ["CREATE"]}],
    }],
}


def resource_definitions():
    return sorted((Path(builds.operator_source()) / "manifests/base/crds").glob("kubeflow.org_*.yaml"))


def answers(address):
    try:
        with urllib.request.urlopen(address, timeout=2) as answer:
            return answer.status == 200
    except OSError:
        return False


@contextlib.contextmanager
def upstream(plane):
    program = builds.training_operator()
    folder = plane.folder / "operator"
    certificates = folder / "k8s-webhook-server/serving-certs"
    certificates.mkdir(parents=True)
    plane.create_namespace(NAMESPACE)
    secret = f"/api/v1/namespaces/{NAMESPACE}/secrets"
    plane.call("POST", secret, {"metadata": {"name": SECRET}})
    plane.call("POST", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", WEBHOOKS)
    webhooks, metrics, health = free_port(), free_port(), free_port()
    command = [program, f"--kubeconfig={plane.kubeconfig}", "--enable-scheme=pytorchjob", f"--controller-threads={THREADS}",
               f"--webhook-server-port={webhooks}", f"--metrics-bind-address=127.0.0.1:{metrics}",
               f"--health-probe-bind-address=127.0.0.1:{health}"]
    with running(command, folder / "log", dict(os.environ, TMPDIR=str(folder), MY_POD_NAMESPACE=NAMESPACE)) as operator:

        def filled():
            operator.fail_if_ended()
            return json.loads(plane.call("GET", f"{secret}/{SECRET}")).get("data")

        wait_until(filled, "the certificates of the training-operator", step=0.1)
        found = filled()
        for key in KEYS:  # what a kubelet would mount
            (certificates / key).write_bytes(base64.b64decode(found[key]))
        wait_until(lambda: answers(f"http://127.0.0.1:{health}/readyz"), "the training-operator is ready", 120, step=0.1)
        yield operator


@contextlib.contextmanager
def own(plane, program):
    with running([program, "--kubeconfig", plane.kubeconfig, "--json"], plane.folder / "operator.log") as operator:
        time.sleep(SETTLE)
        yield operator
