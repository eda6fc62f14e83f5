"""A real etcd and kube-apiserver, without kubelet and controllers, on free ports of the loopback address."""

import base64
import contextlib
import json
import secrets
import ssl
import subprocess
import urllib.error
import urllib.request

from . import builds
from .processes import need, running, say, wait_until
from .tree import Broken

READY_LIMIT = 120


class ControlPlane:
    def __init__(self, folder, address, token, certificate, store):
        self.folder, self.address, self.token, self.store = folder, address, token, store
        self.processes = ()  # of etcd and kube-apiserver
        self.trust = ssl.create_default_context(cadata=certificate)
        self.kubeconfig = folder / "kubeconfig"
        self.kubeconfig.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "peers",
            "clusters": [{"name": "peers", "cluster": {
                "server": address, "certificate-authority-data": base64.b64encode(certificate.encode()).decode()}}],
            "users": [{"name": "peers", "user": {"token": token}}],
            "contexts": [{"name": "peers", "context": {"cluster": "peers", "user": "peers"}}],
        }))

    def call(self, method, path, body=None, kind="application/json"):
        text = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, text, {"Authorization": f"Bearer {self.token}", "Content-Type": kind}, method=method)
        try:
            with urllib.request.urlopen(request, context=self.trust, timeout=30) as answer:
                return answer.read()
        except urllib.error.HTTPError as fault:
            raise Broken(f"{method} {path}: {fault.code} {fault.read()[:300]!r}") from fault

    def ready(self):
        try:
            return self.call("GET", "/readyz") == b"ok"
        except (Broken, OSError):
            return False

    def create_namespace(self, name):
        self.call("POST", "/api/v1/namespaces", {"metadata": {"name": name}})

    def add_resources(self, files):
        """Custom resource definitions, and the wait until they are served."""
        path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
        for file in files:
            self.call("POST", path, file.read_bytes(), "application/yaml")

        def established():
            found = json.loads(self.call("GET", path))["items"]
            conditions = [d.get("status", {}).get("conditions") or [] for d in found]  # null at first
            return all(any((c["type"], c["status"]) == ("Established", "True") for c in one) for one in conditions)

        wait_until(established, "custom resources are served", step=0.2)


def make_account_keys(folder):
    openssl = need("openssl", "openssl")
    key, public = folder / "accounts.key", folder / "accounts.pub"
    for command in ([openssl, "genrsa", "-out", key, "2048"], [openssl, "rsa", "-in", key, "-pubout", "-out", public]):
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    return key, public


@contextlib.contextmanager
def started(folder, port, server=None, etcd=None, more=()):
    """Etcd keeps its files without fsync: the disk is not what is measured. `port` finds free ports. `server` and `etcd` are programs
    instead of the one that is built for this and the distribution's, `more` arguments for the server."""
    etcd, server = etcd or need("etcd", "etcd-server"), server or builds.kube_apiserver()
    folder.mkdir(parents=True)
    store, peer, secure = (f"127.0.0.1:{port()}" for _ in range(3))
    key, public = make_account_keys(folder)
    token = secrets.token_hex(16)
    (folder / "tokens.csv").write_text(f'{token},admin,admin,"system:masters"\n')
    etcd_command = [etcd, "--data-dir", folder / "etcd", "--unsafe-no-fsync", "--listen-client-urls", f"http://{store}",
                    "--advertise-client-urls", f"http://{store}", "--listen-peer-urls", f"http://{peer}",
                    "--initial-advertise-peer-urls", f"http://{peer}", "--initial-cluster", f"default=http://{peer}"]
    server_command = [server, f"--etcd-servers=http://{store}", f"--cert-dir={folder}/certificates", f"--secure-port={secure.split(':')[1]}",
                      "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", "--service-cluster-ip-range=10.96.0.0/16",
                      f"--service-account-key-file={public}", f"--service-account-signing-key-file={key}",
                      "--service-account-issuer=https://kubernetes.default.svc", f"--token-auth-file={folder}/tokens.csv",
                      "--authorization-mode=RBAC", "--allow-privileged", "--disable-admission-plugins=ServiceAccount", *more]
    # The server goes first: without its etcd it does not end for long.
    with running(etcd_command, folder / "etcd.log") as storage, running(server_command, folder / "apiserver.log") as program:
        certificate = folder / "certificates/apiserver.crt"

        def certified():
            program.fail_if_ended()
            return certificate.exists() and certificate.read_text().endswith("-----END CERTIFICATE-----\n")

        wait_until(certified, "the certificate of kube-apiserver", READY_LIMIT)
        plane = ControlPlane(folder, f"https://{secure}", token, certificate.read_text(), f"http://{store}")
        plane.processes = tuple(p.process.pid for p in (storage, program))

        def ready():
            program.fail_if_ended()
            return plane.ready()

        wait_until(ready, "kube-apiserver is ready", READY_LIMIT, step=0.2)
        say(f"kube-apiserver is ready at {plane.address}")
        yield plane
