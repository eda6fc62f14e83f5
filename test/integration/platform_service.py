#!/usr/bin/python3
"""usage: platform_service.py KFTRAIN SERVICE SOURCE_DIR

Takes the platform service of the examples through the life of its jobs, on a cluster of `kftrain local up`, as its users would: by HTTP."""

import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading

from local_server import server, until

KFTRAIN, SERVICE, SOURCES = sys.argv[1:4]

JOB = """apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {{name: {name}, labels: {{team: a}}}}
spec:
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      restartPolicy: Never
      template:
        spec:
          containers:
            - {{name: pytorch, image: none, command: [sh, -c, '{master}']}}
    Worker:
      replicas: {workers}
      restartPolicy: Never
      template:
        spec:
          containers:
            - {{name: pytorch, image: none, command: [sh, -c, '{worker}']}}
"""


def manifest(name, master="sleep 2; echo hello", worker="exit 0", workers=1):
    return JOB.format(name=name, master=master, worker=worker, workers=workers)


class service:
    def __init__(self, kubeconfig):
        environment = {"KUBECONFIG": kubeconfig, "PATH": os.environ["PATH"], "HOME": os.path.dirname(kubeconfig)}
        self.process = subprocess.Popen([SERVICE, "0"], stdout=subprocess.PIPE, text=True, env=environment)
        said = self.process.stdout.readline()
        assert said.startswith("listening on 127.0.0.1:"), said
        self.port = int(said.rsplit(":", 1)[1])

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def raw(self, sent):
        """The whole answer to these bytes, of which the service ends the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as link:
            link.sendall(sent)
            link.shutdown(socket.SHUT_WR)
            answer = b""
            while piece := link.recv(65536):
                answer += piece
        return answer.partition(b"\r\n\r\n")

    def ask(self, method, target, body=None, expect=200, headers=None):
        link = self.connection()
        link.request(method, target, body=body, headers=headers or {})
        answer = link.getresponse()
        text = answer.read().decode()
        assert answer.status == expect, f"{method} {target}: {answer.status}, expected {expect}\n{text}"
        assert answer.getheader("Content-Type") in ("application/json", "application/x-ndjson"), answer.headers
        return text

    def json(self, *arguments, **options):
        return json.loads(self.ask(*arguments, **options))

    def lines(self, target):
        return [json.loads(line) for line in self.ask("GET", target).splitlines()]

    def end(self):
        self.process.terminate()
        assert self.process.wait(30) == 0, "the service does not end as it should"


def job(name):
    return f"/jobs/pytorchjob.v1/default/{name}"


class follower(threading.Thread):
    """Keeps what `GET /watch` tells of a job until it is in the state that is waited for."""

    def __init__(self, s, name, reached):
        super().__init__(daemon=True)
        self.name_of_job, self.reached, self.seen = name, reached, []
        self.link = s.connection()
        self.link.request("GET", "/watch?kind=pytorchjob.v1&selector=team%3Da")
        self.answer = self.link.getresponse()
        self.start()

    def run(self):
        while True:
            told = json.loads(self.answer.readline())
            assert "phase" in told, told
            if told["name"] != self.name_of_job:
                continue
            self.seen.append(told)
            if self.reached(told):
                return

    def wait(self):
        self.join(60)
        assert not self.is_alive(), self.seen
        return self.seen


def in_phase(phase):
    return lambda told: told["phase"] == phase


def submits(s):
    key = {"Idempotency-Key": "request-1"}
    first = s.json("POST", "/jobs", manifest("good"), expect=200, headers=key)
    again = s.json("POST", "/jobs", manifest("good"), expect=200, headers=key)
    assert first["metadata"]["uid"] == again["metadata"]["uid"], "a repeated request made another job"
    other = s.json("POST", "/jobs", manifest("good", workers=3), expect=409, headers={"Idempotency-Key": "request-2"})
    assert "spec.pytorchReplicaSpecs.Worker.replicas" in other["message"], other
    wrong = s.json("POST", "/jobs", manifest("good").replace("workers", "w").replace("restartPolicy", "restartPolice"),
                   expect=400)
    assert "restartPolice" in wrong["message"], wrong
    broken = s.json("POST", "/jobs", manifest("bad", workers=-1), expect=422)
    assert "spec.pytorchReplicaSpecs[Worker].replicas" in broken["message"], broken


def follows_to_the_end(s):
    seen = follower(s, "good", in_phase("Succeeded")).wait()
    last = seen[-1]
    assert [r["phase"] for r in last["ranks"]] == ["Succeeded", "Succeeded"], last
    assert seen[0]["change"] == "added", seen[0]
    lines = s.lines(job("good") + "/logs")
    assert [(line["text"], line["rank"]) for line in lines] == [("hello", 0)], lines
    reasons = {event["reason"] for event in s.json("GET", job("good") + "/events")["items"]}
    assert {"SuccessfulCreatePod", "PyTorchJobSucceeded"} <= reasons, reasons


def explains(s):
    s.ask("POST", "/jobs", manifest("fails", master="exec sleep 1000", worker="echo no data; exit 3"), expect=200)
    until(lambda: "Failed" in [c["type"] for c in s.json("GET", job("fails")).get("status", {}).get("conditions", [])],
          "the job fails")
    why = s.json("GET", job("fails") + "/explanation")
    cause = why["causes"][0]
    assert cause["kind"] == "exited" and cause["code"] == 3 and cause["members"][0]["rank"] == 1, why
    assert cause["log"] == ["no data"], why


def lists(s):
    page = s.json("GET", "/jobs?kind=pytorchjob.v1&limit=1")
    assert len(page["items"]) == 1 and page["continue"], page
    rest = s.json("GET", "/jobs?kind=pytorchjob.v1&limit=1&continue=" + page["continue"].replace(":", "%3A"))
    names = [item["metadata"]["name"] for item in page["items"] + rest["items"]]
    assert names == ["fails", "good"], names
    assert s.json("GET", "/jobs?selector=team%3Db").get("items", []) == []
    s.json("GET", "/jobs?kind=nonsense", expect=400)
    s.json("GET", "/jobs?continue=nonsense", expect=400)
    wrong = s.json("GET", "/jobs/pytorchjob.v1//good", expect=400)
    assert wrong["message"] == "path: expected /jobs/KIND/NAMESPACE/NAME", wrong
    assert s.json("GET", "/jobs?kind=tfjob")["items"] == [], "a list of no jobs has no items"


def scales_and_suspends(s):
    sleeper = manifest("long", master="exec sleep 1000", worker="exec sleep 1000")
    s.ask("POST", "/jobs", sleeper, expect=200)
    refused = s.json("POST", job("long") + "/scale?role=Nobody&members=2", expect=400)
    assert "Nobody" in refused["message"], refused
    follower(s, "long", in_phase("Running")).wait()
    s.json("POST", job("long") + "/suspend")
    s.json("POST", job("long") + "/resume")  # waits for the pods of the run before, by which the job would fail
    follower(s, "long", in_phase("Running")).wait()


def refuses(s):
    s.json("GET", job("absent"), expect=404)
    s.json("DELETE", job("absent"), expect=404)
    s.json("GET", "/jobs/nonsense/default/x", expect=400)
    s.json("GET", "/nothing", expect=404)
    for target in ("/jobs//default/good", "/jobs//default/good/logs", "/jobs/TFJob//good", "/jobs/TFJob/default/"):
        s.json("GET", target, expect=400)
    s.json("GET", job("absent") + "/logs", expect=404)
    for target in ("/jobs?limit=-1", "/jobs?limit=x", "/jobs?selector=%ff", "/watch?selector=%ff", "/%ff", "/jobs/%ff/default/x"):
        s.json("GET", target, expect=400)
    wrong = s.json("GET", "/jobs?limit=-1", expect=400)
    assert "limit: expected a number of at least 0, got -1" in wrong["message"], wrong
    s.json("POST", "/jobs", manifest("good"), expect=400, headers={"Idempotency-Key": "\xff"})
    s.json("GET", "/watch/x/y", expect=404)
    wrong = s.json("GET", job("good") + "/logs?rank=99", expect=400)
    assert "99" in wrong["message"], wrong
    s.json("GET", job("absent") + "/logs?follow=false", expect=404)
    s.json("GET", "/jobs?selector=%21%21", expect=400)
    s.json("GET", "/watch?selector=%21%21", expect=400)
    s.json("GET", "/jobs//x", expect=404)
    s.ask("GET", "/healthz")


def takes_the_preferred_version(s):
    """Of the kinds `kubeflow.org/v1` and `v1alpha1`, as kubectl does."""
    assert s.json("GET", "/jobs/PyTorchJob/default/good")["apiVersion"] == "kubeflow.org/v1"
    assert {item["apiVersion"] for item in s.json("GET", "/jobs?kind=PyTorchJob")["items"]} == {"kubeflow.org/v1"}


def keeps_to_http(s):
    """RFC 9110, 9.3.2: HEAD has no body. What cannot be read ends its connection, and no other."""
    head, _, body = s.raw(f"HEAD {job('good')} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
    assert head.split()[1] == b"404" and body == b"", (head, body)
    assert "there is no PUT /jobs" in s.json("PUT", "/jobs", expect=404)["message"]
    for sent in (b"POST /jobs HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999\r\n\r\n", b"nonsense\r\n\r\n"):
        assert s.raw(sent) == (b"", b"", b""), sent
    s.ask("GET", "/healthz")


def deletes(s):
    s.ask("DELETE", job("long") + "?wait=true", expect=204)
    s.json("GET", job("long"), expect=404)


def main():
    with tempfile.TemporaryDirectory() as folder:
        cluster = server(KFTRAIN, SOURCES, os.path.join(folder, "state"))
        cluster.up()
        s = None
        try:
            s = service(cluster.config)
            for check in (submits, follows_to_the_end, explains, lists, takes_the_preferred_version, scales_and_suspends,
                          refuses, keeps_to_http, deletes):
                check(s)
                print(check.__name__, "ok", flush=True)
            s.end()
        finally:
            if s is not None:
                s.process.kill()
            cluster.local("down")


main()
