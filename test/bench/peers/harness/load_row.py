"""Row of the load of API servers over HTTPS: processor time of a create, and of an event to each of many watchers."""

import base64
import concurrent.futures
import contextlib
import http.client
import json
import re
import selectors
import socket
import ssl

from . import control_plane
from .processes import running, wait_until
from .rounds import Ratio, interleave, median
from .table import Line, at_least
from .tree import Broken

UPSTREAM = "kube-apiserver 1.31.3 with etcd"
CONNECTIONS, WATCHERS = 16, 50
POD_BYTES = 4700
TIMEOUT = 60  # seconds without a byte
PATH = "/api/v1/namespaces/default/pods"
ADDED = b'{"type":"ADDED"'
GOALS = (("create", "create", 10_000), ("event", f"event to one of {WATCHERS} watchers", 200_000))  # of one core, a second


class Server:
    """How to reach a server, and the programs that it consists of."""

    def __init__(self, kubeconfig, programs):
        def field(name):
            found = re.search(rf'"?{name}"?: *"?([^",\s]+)', kubeconfig)
            if not found:
                raise Broken(f"the kubeconfig has no {name}")
            return found.group(1)

        self.host, port = field("server").removeprefix("https://").split(":")
        self.port, self.programs = int(port), programs
        self.trust = ssl.create_default_context(
            cadata=base64.b64decode(field("certificate-authority-data")).decode())
        self.headers = {"Authorization": f"Bearer {field('token')}", "Content-Type": "application/json"}

    def cpu(self):
        return sum(program.cpu() for program in self.programs)

    def connection(self):
        return http.client.HTTPSConnection(self.host, self.port, context=self.trust, timeout=TIMEOUT)

    def call(self, connection, method, path, body=None):
        connection.request(method, path, body, self.headers)
        answer = connection.getresponse()
        text = answer.read()
        if answer.status not in (200, 201):
            raise Broken(f"{method} {path}: {answer.status} {text[:200]!r}")
        return json.loads(text)


def pod(name):
    made = {"metadata": {"name": name, "labels": {"job": "load"}, "annotations": {"text": ""}},
            "spec": {"nodeName": "none", "containers": [{"name": "train", "image": "none", "command": ["true"]}]}}
    made["metadata"]["annotations"]["text"] = "x" * (POD_BYTES - len(json.dumps(made)))
    return json.dumps(made)


def create_pods(server, prefix, count):
    def work(first):
        with contextlib.closing(server.connection()) as connection:
            for number in range(first, count, CONNECTIONS):
                server.call(connection, "POST", PATH, pod(f"{prefix}{number}"))

    with concurrent.futures.ThreadPoolExecutor(CONNECTIONS) as pool:
        for done in [pool.submit(work, first) for first in range(CONNECTIONS)]:
            done.result()


class Watchers:
    """Connections that count the events of new pods; they parse nothing, so that the servers are what is busy."""

    def __init__(self, server, version):
        self.ready = selectors.DefaultSelector()
        self.rests = {}
        token = server.headers["Authorization"]
        for _ in range(WATCHERS):
            plain = socket.create_connection((server.host, server.port), TIMEOUT)
            stream = server.trust.wrap_socket(plain, server_hostname=server.host)
            stream.sendall(f"GET {PATH}?watch=1&resourceVersion={version} HTTP/1.1\r\nHost: {server.host}\r\n"
                           f"Authorization: {token}\r\n\r\n".encode())
            head = stream.recv(65536)
            if b" 200 " not in head[:20]:
                raise Broken(f"watch: {head[:200]!r}")
            stream.setblocking(False)
            self.ready.register(stream, selectors.EVENT_READ)
            self.rests[stream] = head[-len(ADDED):]
        self.seen = 0

    def read(self, stream):
        while True:
            try:
                piece = stream.recv(1 << 18)
            except (ssl.SSLWantReadError, BlockingIOError):
                return
            if not piece:
                raise Broken("a watch ended")
            text = self.rests[stream] + piece
            self.seen += text.count(ADDED)
            self.rests[stream] = text[-len(ADDED) + 1:]

    def count(self, expected):
        while self.seen < expected:
            found = self.ready.select(TIMEOUT)
            if not found:
                raise Broken(f"{self.seen} of {expected} events, then none for {TIMEOUT} s")
            for key, _ in found:
                self.read(key.fileobj)

    def close(self):
        for stream in self.rests:
            stream.close()
        self.ready.close()


def measured(server, count):
    with contextlib.closing(server.connection()) as connection:
        create_pods(server, "warm-", CONNECTIONS)
        before = server.cpu()
        create_pods(server, "a-", count)
        create = server.cpu() - before
        version = server.call(connection, "GET", PATH + "?limit=1")["metadata"]["resourceVersion"]
    with contextlib.closing(Watchers(server, version)) as watchers, \
            concurrent.futures.ThreadPoolExecutor(1) as pool:
        counted = pool.submit(watchers.count, count * WATCHERS)
        before = server.cpu()
        create_pods(server, "b-", count)
        counted.result()
        both = server.cpu() - before
    return {"cpu": create + both, "create": create / count, "event": max(both - create, 0) / (count * WATCHERS)}


def own(session):
    folder = session.new_folder("load")
    kubeconfig = folder / "kubeconfig"
    with running([session.kftrain.program("bench_server"), "--serve", kubeconfig], folder / "log") as program:
        program.line()  # its address, once it serves
        return measured(Server(kubeconfig.read_text(encoding="utf-8"), [program]), session.options.loaded)


def upstream(session):
    with control_plane.started(session.new_folder("load") / "plane", session.port) as plane:
        def has_namespace():
            return b'"default"' in plane.call("GET", "/api/v1/namespaces")

        wait_until(has_namespace, "the namespace default exists", step=0.2)
        return measured(Server(plane.kubeconfig.read_text(encoding="utf-8"), plane.programs), session.options.loaded)


def load_rows(session):
    taken = session.raw["load"] = interleave(
        session.rounds, {"kftrain": lambda _: own(session), UPSTREAM: lambda _: upstream(session)})
    lines = []
    for field, what, goal in GOALS:
        def text(value):
            return f"{value * 1e6:.1f} µs"

        ours, theirs = median(taken["kftrain"], field), median(taken[UPSTREAM], field)
        ratio = Ratio(taken["kftrain"], taken[UPSTREAM], field)
        lines.append(Line(f"API server over HTTPS, pods of {POD_BYTES / 1e3:.1f} KB: {what}",
                          f"{text(ours)}, {1 / ours:,.0f} a second of one core", f"{UPSTREAM}: {text(theirs)}",
                          f"{ratio.text()} ×", f"≥ {goal:,} a second", at_least(1 / ours, goal)))
    return lines
