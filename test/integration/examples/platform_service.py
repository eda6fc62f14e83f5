#!/usr/bin/python3
"""usage: platform_service.py KFTRAIN SERVICE SOURCE_DIR

Takes the platform service of the examples through the life of its jobs, on a cluster of `kftrain local up`, as its
users would: by HTTP."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading

sys.path += [os.path.join(os.path.dirname(os.path.abspath(__file__)), folder) for folder in ("../cli", "../cli/local")]

from local_server import server, until  # pylint: disable=wrong-import-position
from production_operator import check_permissions  # pylint: disable=wrong-import-position
from service_process import ServiceProcess  # pylint: disable=wrong-import-position

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


def service(kubeconfig, *arguments):
    return ServiceProcess(SERVICE, kubeconfig, *arguments)


def job(name):
    return f"/jobs/pytorchjob.v1/default/{name}"


class follower(threading.Thread):
    """Records the states of a job from `GET /watch` until it has reached the expected one."""

    def __init__(self, s, name, reached):
        super().__init__(daemon=True)
        self.name_of_job, self.reached, self.states = name, reached, []
        self.link = s.connection()
        self.link.request("GET", "/watch?kind=pytorchjob.v1&selector=team%3Da")
        self.answer = self.link.getresponse()
        self.start()

    def run(self):
        while True:
            state = json.loads(self.answer.readline())
            assert "phase" in state, state
            if state["name"] != self.name_of_job:
                continue
            self.states.append(state)
            if self.reached(state):
                return

    def wait(self):
        self.join(60)
        assert not self.is_alive(), self.states
        return self.states


def in_phase(phase):
    return lambda state: state["phase"] == phase


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
    # The job ends with its master, and the worker may not have started yet.
    assert [r["role"] for r in last["ranks"]] == ["Master", "Worker"], last
    assert last["ranks"][0]["phase"] == "Succeeded", last
    assert seen[0]["change"] == "added", seen[0]
    lines = s.lines(job("good") + "/logs")
    assert [(line["text"], line["rank"]) for line in lines] == [("hello", 0)], lines
    reasons = {event["reason"] for event in s.json("GET", job("good") + "/events")["items"]}
    assert {"SuccessfulCreatePod", "PyTorchJobSucceeded"} <= reasons, reasons


def explains(s):
    s.send("POST", "/jobs", manifest("fails", master="exec sleep 1000", worker="echo no data; exit 3"), expect=200)
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
    for limit, count in ((0, 1), (1000, 2)):
        assert len(s.json("GET", f"/jobs?kind=pytorchjob.v1&limit={limit}")["items"]) == count, limit
    assert s.json("GET", "/jobs?selector=team%3Db").get("items", []) == []
    s.json("GET", "/jobs?kind=nonsense", expect=400)
    s.json("GET", "/jobs?continue=nonsense", expect=400)
    wrong = s.json("GET", "/jobs/pytorchjob.v1//good", expect=400)
    assert wrong["message"] == "path: expected /jobs/KIND/NAMESPACE/NAME", wrong
    assert s.json("GET", "/jobs?kind=tfjob")["items"] == [], "a list of no jobs has no items"


def scales_and_suspends(s):
    sleeper = manifest("long", master="exec sleep 1000", worker="exec sleep 1000")
    s.send("POST", "/jobs", sleeper, expect=200)
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
    for target in ("/jobs?limit=-1", "/jobs?limit=x", "/jobs?selector=%ff", "/watch?selector=%ff", "/%ff",
                   "/jobs/%ff/default/x"):
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
    s.send("GET", "/healthz")


def takes_the_preferred_version(s):
    """The service prefers `kubeflow.org/v1` to `v1alpha1`, as kubectl does."""
    assert s.json("GET", "/jobs/PyTorchJob/default/good")["apiVersion"] == "kubeflow.org/v1"
    assert {item["apiVersion"] for item in s.json("GET", "/jobs?kind=PyTorchJob")["items"]} == {"kubeflow.org/v1"}


def keeps_to_http(s):
    """RFC 9110, 9.3.2: answers to HEAD have no body. An unreadable request ends its connection, and no other."""
    head, _, body = s.raw(f"HEAD {job('good')} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    assert head.split()[1] == b"200" and body == b"", (head, body)
    assert "there is no PUT /jobs" in s.json("PUT", "/jobs", expect=404)["message"]
    for sent, status in ((b"POST /jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999\r\n\r\n", b"413"),
                         (b"nonsense\r\n\r\n", b"400"), (b"GET /jobs", b"400")):
        head, _, _ = s.raw(sent)
        assert head.split()[1] == status, (sent, head)
    large = "a" * (1 << 20)
    assert "too large" in s.json("POST", "/jobs", large + "a", expect=413)["message"]
    s.json("POST", "/jobs", large, expect=400)
    s.send("GET", "/healthz")


def events_of(text):
    """(name, data) of the server-sent events of a stream that has ended; comments are left out."""
    found = []
    for event in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in event.splitlines() if not line.startswith(":"))
        if fields:
            found.append((fields.get("event", "message"), json.loads(fields["data"])))
    return found


def sends_events(s):
    link = s.connection()
    link.request("GET", job("good") + "/logs", headers={"Accept": "text/event-stream"})
    answer = link.getresponse()
    assert answer.getheader("Content-Type") == "text/event-stream", answer.headers
    lines, end = events_of(answer.read().decode())
    assert lines[0] == "message" and lines[1]["text"] == "hello" and end == ("end", {}), (lines, end)

    link = s.connection()
    link.request("GET", job("good") + "/watch", headers={"Accept": "text/event-stream"})
    first = link.getresponse().readline().decode()
    assert json.loads(first.removeprefix("data: "))["phase"] == "Succeeded", first
    link.close()


def serves_the_page(s):
    link = s.connection()
    link.request("GET", "/")
    answer = link.getresponse()
    text = answer.read().decode()
    assert answer.status == 200 and answer.getheader("Content-Type") == "text/html; charset=utf-8"
    assert "default-src 'none'" in answer.getheader("Content-Security-Policy")
    assert text.startswith("<!doctype html>") and "//" not in text.replace("// ", ""), "the page loads from elsewhere"


def refuses_other_sites(s):
    """Links from other sites to the page are accepted."""
    for site, status in (("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)):
        s.json("GET", "/jobs", expect=status, headers={"Sec-Fetch-Site": site})
    followed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    head, _, body = s.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nSec-Fetch-Site: cross-site\r\n"
                          b"Sec-Fetch-Mode: navigate\r\n\r\n")
    assert head.split()[1] == b"200" and body.startswith(b"<!doctype html>"), (head, body)
    for method, target in (("GET", "/jobs"), ("POST", "/")):
        s.json(method, target, expect=403, headers=followed)
    s.json("GET", "/", expect=403, headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"})


def refuses_other_host_names(s):
    """Requests have no token. A browser sends such host names if the DNS of another site resolves to 127.0.0.1."""
    for host, status in (("localhost", 200), (f"LOCALHOST:{s.port}", 200), ("127.0.0.1", 200), (f"[::1]:{s.port}", 200),
                         ("other.example", 403), (f"other.example:{s.port}", 403), ("localhost.other.example", 403),
                         ("127.0.0.1.other.example", 403), ("10.0.0.1", 403), ("[::2]", 403), ("", 403)):
        answer = s.json("GET", "/jobs", expect=status, headers={"Host": host})
        assert status == 200 or answer["message"].startswith("Host: expected localhost"), (host, answer)
    for origin, status in ((f"http://127.0.0.1:{s.port}", 200), ("http://127.0.0.1:1", 403),
                           (f"http://other.example:{s.port}", 403), ("null", 403)):
        answer = s.json("GET", "/jobs", expect=status, headers={"Origin": origin})
        assert status == 200 or answer["message"].startswith("Origin: expected"), (origin, answer)


def counts(s):
    s.json("GET", "/readyz")
    lines = s.metrics().splitlines()
    for wanted in ('platform_service_requests_total{route="POST /jobs",code="409"} 1',
                   'platform_service_requests_total{route="other",code="413"} 2',
                   "platform_service_streams 0"):
        assert wanted in lines, "\n".join(lines)
    assert any(line.startswith("kftrain_requests_total{") for line in lines), "the requests to the cluster are absent"


def keeps_to_its_role(s):
    """All requests of the checks before are allowed by the ClusterRole of the Deployment."""
    check_permissions(s.metrics(),
                      os.path.join(SOURCES, "packaging/container/platform-service/rbac.yaml"))


def is_healthy(s):
    """Runs the health check of the container."""
    check = os.path.join(SOURCES, "packaging/container/healthy")
    assert subprocess.run([check, str(s.port)], timeout=60, check=False).returncode == 0
    with socket.create_server(("127.0.0.1", 0)) as other:
        closed = other.getsockname()[1]
    assert subprocess.run([check, str(closed)], stderr=subprocess.DEVNULL, timeout=60, check=False).returncode != 0


def needs_the_token(config, folder):
    file = os.path.join(folder, "token")
    with open(file, "w", encoding="utf-8") as out:
        out.write("s3cret\n")
    s = service(config, "--token-file", file)
    try:
        s.json("GET", "/healthz")
        s.json("GET", "/readyz")
        for given in (None, "Bearer s3creT", "Bearer s3cre", "Bearer s3crets", "Bearer ", "s3cret", "Basic s3cret"):
            headers = {"Authorization": given} if given else {}
            refused = s.json("GET", "/jobs", expect=401, headers=headers)
            assert "bearer token" in refused["message"], refused
        s.json("GET", "/metrics", expect=401)
        s.json("GET", "/jobs", headers={"Authorization": "bearer s3cret"})
        s.json("GET", "/jobs", headers={"Authorization": "Bearer s3cret", "Host": "jobs.example.com"})
    finally:
        s.process.kill()
    for arguments, message in ((["--address", "0.0.0.0"], "--token-file is required to listen on 0.0.0.0"),
                               (["--token-file", file + "x"], "--token-file: no token in "),
                               (["--port", "70000"], "--port: expected 0 to 65535, got 70000"),
                               (["--port"], "usage: ")):
        done = subprocess.run([SERVICE, *arguments], capture_output=True, text=True, timeout=60, check=False,
                              env={"KUBECONFIG": config, "PATH": os.environ["PATH"]})
        assert done.returncode == 1 and message in done.stderr, (arguments, done)


def is_not_ready_without_a_cluster(s):
    """The cluster of the running service is down."""
    s.json("GET", "/healthz")
    s.json("GET", "/readyz", expect=503)
    s.json("GET", "/jobs?kind=pytorchjob.v1", expect=502)


def shuts_down_gracefully(s):
    """A stream ends as HTTP requires, an idle connection is closed, and the service exits with 0."""
    idle, live = s.connection(), s.connection()
    idle.request("GET", "/healthz")
    idle.getresponse().read()
    live.request("GET", "/watch")
    answer = live.getresponse()
    assert json.loads(answer.readline())["change"] == "added"
    s.process.terminate()
    answer.read()  # fails if the last chunk is missing
    assert s.process.wait(15) == 0, "the service does not end as it should"


def deletes(s):
    s.send("DELETE", job("long") + "?wait=true", expect=204)
    s.json("GET", job("long"), expect=404)


def main():
    with tempfile.TemporaryDirectory() as folder:
        cluster = server(KFTRAIN, SOURCES, os.path.join(folder, "state"))
        cluster.up()
        s = None
        try:
            s = service(cluster.config)
            for check in (submits, follows_to_the_end, explains, lists, takes_the_preferred_version,
                          scales_and_suspends, refuses, keeps_to_http, sends_events, serves_the_page,
                          refuses_other_sites, refuses_other_host_names, counts, deletes,
                          keeps_to_its_role, is_healthy, shuts_down_gracefully):
                check(s)
                print(check.__name__, "ok", flush=True)
            needs_the_token(cluster.config, folder)
            s = service(cluster.config)
            s.json("GET", "/readyz")
            cluster.local("down")
            is_not_ready_without_a_cluster(s)
        finally:
            if s is not None:
                s.process.kill()
            cluster.local("down")


main()
