"""A process of the platform service of the examples, and requests to it."""

import http.client
import json
import os
import socket
import subprocess


class ServiceProcess:
    def __init__(self, program, kubeconfig, *arguments):
        environment = {"KUBECONFIG": kubeconfig, "PATH": os.environ["PATH"], "HOME": os.path.dirname(kubeconfig)}
        self.process = subprocess.Popen([program, "--port", "0", *arguments], stdout=subprocess.PIPE, text=True,
                                        env=environment)
        line = self.process.stdout.readline()
        assert line.startswith("listening on 127.0.0.1:"), line
        self.port = int(line.rsplit(":", 1)[1])

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def raw(self, sent):
        """Returns the whole answer to these bytes, after which the service closes the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as link:
            link.sendall(sent)
            link.shutdown(socket.SHUT_WR)
            answer = b""
            while piece := link.recv(65536):
                answer += piece
        return answer.partition(b"\r\n\r\n")

    def send(self, method, target, body=None, expect=200, headers=None):
        link = self.connection()
        link.request(method, target, body=body, headers=headers or {})
        answer = link.getresponse()
        text = answer.read().decode()
        assert answer.status == expect, f"{method} {target}: {answer.status}, expected {expect}\n{text}"
        assert answer.getheader("Content-Type") in ("application/json", "application/x-ndjson"), answer.headers
        return text

    def json(self, *arguments, **options):
        return json.loads(self.send(*arguments, **options))

    def lines(self, target):
        return [json.loads(line) for line in self.send("GET", target).splitlines()]

    def metrics(self):
        link = self.connection()
        link.request("GET", "/metrics")
        answer = link.getresponse()
        assert answer.getheader("Content-Type").startswith("text/plain; version=0.0.4"), answer.headers
        return answer.read().decode()
