"""Commands, copies and ports over connections that end, and requests that a server rejects."""

import asyncio
import base64
import contextlib
import hashlib
import http.server
import json
import os
import pathlib
import socket
import threading

import pytest
from conftest import client_of, is_running, pod, wait_until

import kftrain


class Proxy:
    """Leads connections to a server, until it cuts them. Each passes on at most one MB in each direction."""

    def __init__(self, server):
        self._server = server
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._sockets = []
        self.full = 0  # connections that have more to pass on
        self._thread = threading.Thread(target=self._accept)
        self._thread.start()

    def _accept(self):
        with contextlib.suppress(OSError):  # until it is closed
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._server))
                self._sockets += [near, far]
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=ends, daemon=True).start()

    def _pass_on(self, source, target):
        with contextlib.suppress(OSError):  # until it is cut
            for _ in range(32):
                data = source.recv(32768)
                target.sendall(data)
                if not data:
                    return target.shutdown(socket.SHUT_WR)
            self.full += 1

    def cut(self):
        for connection in self._sockets:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self._sockets = []

    def close(self):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()
        self._thread.join()


def test_a_lost_connection_ends_calls_with_one_error(cluster, pods, server_port, tmp_path):
    target, config, file = tmp_path / "target", tmp_path / "config", tmp_path / "file"
    target.mkdir()
    file.write_bytes(os.urandom(8_000_000))
    text = pathlib.Path(cluster.kubeconfig).read_text()
    port = text.partition("127.0.0.1:")[2].split()[0].strip('"')
    begun, failures = [], {}
    with contextlib.ExitStack() as stack:
        proxy = stack.enter_context(contextlib.closing(Proxy(int(port))))
        config.write_text(text.replace(f"127.0.0.1:{port}", f"127.0.0.1:{proxy.port}"))
        own = stack.enter_context(kftrain.Client(config, namespace="default")).api("pods")
        forward = stack.enter_context(own.port_forward("server", server_port))
        command = ["sh", "-c", "echo begun; sleep 1000"]

        def read(c):
            with c:
                while True:
                    begun.append(c.next().text)

        def write():
            with own.open_exec("shell", command, stdin=True) as c:
                c.write(bytes(64_000_000))

        def use_port():
            with socket.create_connection(forward.address, timeout=60) as connection:
                connection.sendall(bytes(2_000_000))
                while connection.recv(65536):
                    pass
            wait_until(forward.failure)
            raise forward.failure()

        async def read_and_write():
            async with kftrain.AsyncClient(config, namespace="default") as client:
                async with client.api("pods").open_exec("shell", command, stdin=True) as c:
                    begun.append((await c.next()).text)
                    ended = asyncio.gather(c.next(), c.write(bytes(64_000_000)), c.write("x"), return_exceptions=True)
                    assert len({error.code for error in await ended}) == 1
                    raise (await ended)[0]

        calls = {
            "read": lambda: read(own.open_exec("shell", command)),
            "attach": lambda: read(own.attach("ticker")),
            "write": write,
            "exec": lambda: own.exec("shell", command, input=bytes(64_000_000)),
            "copy_to": lambda: own.copy_to("shell", file, str(target)),
            "copy_from": lambda: own.copy_from("shell", str(file), target),
            "port_forward": use_port,
            "asyncio": lambda: asyncio.run(read_and_write()),
        }

        def run(name):
            try:
                calls[name]()
            except kftrain.Error as error:
                failures[name] = error.code

        pods.create(pod("ticker", "sh", "-c", "while echo tick; do sleep 0.05; done"))
        pods.wait("ticker", is_running, timeout=60)
        threads = [threading.Thread(target=run, args=[name]) for name in calls]
        for thread in threads:
            thread.start()
        wait_until(lambda: proxy.full >= 6 and begun.count("begun\n") == 2 and "tick\n" in begun)
        assert failures == {}
        proxy.cut()
        for thread in threads:
            thread.join(60)
        assert failures == dict.fromkeys(calls, "connection_lost")
        assert str(forward.failure()) == f"port {server_port} of the pod: connection lost"
        assert own.exec("shell", ["cat"], input="x").stdout == "x"
        with socket.create_connection(forward.address, timeout=60) as connection:
            connection.sendall(b"abc")
            connection.shutdown(socket.SHUT_WR)
            assert connection.recv(3) == b"cba"
    pods.delete("ticker", grace_period=0)


def test_an_input_that_cannot_end_is_an_error(tmp_path):
    """Servers before Kubernetes 1.30 speak version 4 of the protocol: the command would wait for its input without
    end."""

    def serve(listener):
        connection, _ = listener.accept()
        with connection, connection.makefile("rb") as lines:
            head = b"".join(iter(lines.readline, b"\r\n")).decode()
            # RFC 6455, section 1.3
            key = head.partition("Sec-WebSocket-Key: ")[2].split()[0] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
            accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
            connection.sendall(
                b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + f"Sec-WebSocket-Accept: {accept}\r\n".encode()
                + b"Sec-WebSocket-Protocol: v4.channel.k8s.io\r\n\r\n"
            )
            while lines.read1(4096):
                pass

    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = threading.Thread(target=serve, args=[listener])
        server.start()
        with client_of(listener.getsockname()[1], tmp_path, namespace="default") as client:
            with pytest.raises(kftrain.Error, match="the server cannot end the input of a command") as caught:
                client.api("pods").exec("a", ["cat"], input="x", timeout=60)
        assert caught.value.code == "not_supported"
        server.join(60)  # the connection is closed, although `caught` refers to the command
        assert not server.is_alive()


def test_a_pod_is_evicted(tmp_path):
    requests = []

    class Handler(http.server.BaseHTTPRequestHandler):
        """A server whose disruption budget forbids the eviction."""

        protocol_version = "HTTP/1.1"

        def do_POST(self):
            requests.append((self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
            causes = [{"reason": "DisruptionBudget", "message": "needs 1 healthy pods"}]
            status = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "TooManyRequests"}
            status.update(code=429, details={"causes": causes})
            body = json.dumps(status).encode()
            self.send_response(429)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *about):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with client_of(server.server_port, tmp_path, namespace="team") as client:
            with pytest.raises(kftrain.TooManyRequests) as caught:
                client.api("pods").evict("web", grace_period=5)
            assert caught.value.causes[0].reason == "DisruptionBudget"
        server.shutdown()
    [(path, body)] = requests
    assert path == "/api/v1/namespaces/team/pods/web/eviction"
    assert (body["kind"], body["metadata"]["name"]) == ("Eviction", "web")
    assert body["deleteOptions"]["gracePeriodSeconds"] == 5
