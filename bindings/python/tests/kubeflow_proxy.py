"""A local cluster behind a proxy that counts requests."""

import contextlib
import http.client
import http.server
import json
import pathlib
import re
import socketserver
import ssl
import subprocess
import tempfile
import threading

import kubernetes.client as k8s
from kubernetes import config as k8s_config

from kftrain.local import LocalCluster

FOLDER = tempfile.TemporaryDirectory()


class Proxy(http.server.BaseHTTPRequestHandler):
    """Forwards requests to the API server, counts them by user agent, and keeps the last created job by namespace."""

    protocol_version = "HTTP/1.1"
    counts: dict = {}
    sent: dict = {}
    target = ("", 0)
    context = None
    kubeconfig = ""

    def do_GET(self):
        who = "kftrain" if self.headers.get("User-Agent", "").startswith("kftrain") else "original"
        self.counts[who] = self.counts.get(who, 0) + 1
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        created = re.fullmatch("/apis/kubeflow.org/v1/namespaces/([^/]+)/[a-z]+", self.path.partition("?")[0])
        if self.command == "POST" and created:
            self.sent[created[1]] = json.loads(body)
        upstream = http.client.HTTPSConnection(*self.target, context=self.context)
        headers = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection")}
        upstream.request(self.command, self.path, body, headers)
        answer = upstream.getresponse()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "content-length", "connection", "date", "server"):
                self.send_header(name, value)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        with contextlib.suppress(OSError):
            while True:
                piece = answer.read1(65536)
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                self.wfile.flush()
                if not piece:
                    break
        upstream.close()

    do_POST = do_PUT = do_PATCH = do_DELETE = do_GET

    def log_message(self, *arguments):
        pass


class ProxyServer(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, request, address):
        pass  # a client closed its connection


@contextlib.contextmanager
def proxied_cluster():
    """Runs a local cluster; `Proxy.kubeconfig` leads to it through the proxy."""
    folder = pathlib.Path(FOLDER.name)
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=proxy"
    names = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder / "key", "-out", folder / "certificate"]
    subprocess.run([*command.split(), *names], check=True, capture_output=True)
    with LocalCluster() as cluster:
        loaded = k8s.Configuration()
        k8s_config.load_kube_config(cluster.kubeconfig, client_configuration=loaded)
        host, port = loaded.host.rpartition("/")[2].split(":")
        Proxy.target = (host, int(port))
        Proxy.context = ssl.create_default_context(cafile=loaded.ssl_ca_cert)
        server = ProxyServer(("127.0.0.1", 0), Proxy)
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(folder / "certificate", folder / "key")
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        text = pathlib.Path(cluster.kubeconfig).read_text()
        text = re.sub(r"server: .*", f"server: https://127.0.0.1:{server.server_port}", text)
        text = re.sub(r"certificate-authority-data: .*", f"certificate-authority: {folder / 'certificate'}", text)
        (folder / "kubeconfig").write_text(text)
        Proxy.kubeconfig = str(folder / "kubeconfig")
        yield cluster
        server.shutdown()
