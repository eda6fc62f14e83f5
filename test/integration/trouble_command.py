#!/usr/bin/python3
"""usage: trouble_command.py KFTRAIN TEST

The commands over a cluster that goes away, answers what no API server says, or is not heard because nobody reads the output."""

import http.server
import json
import os
import re
import signal
import subprocess
import threading

from cluster_of_commands import CONFIG, begun, call, ended, is_full, refused, until
from manifest_files import JOB, KFTRAIN, contains, equal, run, run_test, write

KIND = {"kind": "TFJob", "apiVersion": "kubeflow.org/v1"}
TEMPLATE = {"spec": {"containers": [{"name": "tensorflow", "image": "none"}]}}


def job(name):
    return {**KIND, "metadata": {"name": name, "namespace": "default", "uid": name, "resourceVersion": "1"},
            "spec": {"tfReplicaSpecs": {"Worker": {"replicas": 1, "restartPolicy": "Never", "template": TEMPLATE}}},
            "status": {"conditions": [{"type": "Running", "status": "True"}]}}


class asked(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def tell(self, code, kind, text):
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        try:
            self.wfile.write(text.encode())
        except OSError:
            self.close_connection = True  # the command has gone

    def tell_json(self, code, body):
        self.tell(code, "application/json", json.dumps(body))

    def do_POST(self):  # pylint: disable=invalid-name
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.delay()
        if not self.is_in_trouble():
            self.tell_json(201, job("a"))

    def delay(self):
        with self.server.changed:
            self.server.changed.wait_for(lambda: self.server.way != "well", timeout=self.server.delay)

    def do_GET(self):  # pylint: disable=invalid-name
        self.delay()
        if self.is_in_trouble():
            return
        if "/events" in self.path:
            self.events()
        elif "watch=" in self.path:
            self.watch()
        elif "/tfjobs/" in self.path:
            self.server.reads += 1
            self.tell_json(200, job("a"))
        elif "/pods" in self.path and self.server.hidden_pods:
            self.server.hidden_pods -= 1
            self.forbid()
        elif "/pods" in self.path:
            self.tell_json(200, {"kind": "PodList", "apiVersion": "v1", "metadata": {"resourceVersion": "1"}, "items": []})
        else:
            self.tell_json(200, {"kind": "TFJobList", "apiVersion": "kubeflow.org/v1",
                                 "metadata": {"resourceVersion": "1"}, "items": [job(n) for n in self.server.names]})

    def is_in_trouble(self):
        """Answers as the server does in the way that it is in, unless all is well."""
        way = self.server.way
        if isinstance(way, int):
            self.tell_json(way, {"kind": "Status", "apiVersion": "v1", "code": way, "message": f"it is {way}"})
        elif way == "garbage":
            self.tell(200, "application/json", "no object")
        elif way == "page":
            self.tell(200, "text/html; charset=utf-8", "<html>Please log in</html>")
        elif way == "gone":
            self.close_connection = True
        return way != "well"

    def forbid(self):
        self.tell_json(403, {"kind": "Status", "apiVersion": "v1", "code": 403, "reason": "Forbidden",
                             "message": "no"})

    def events(self):
        """Those of the job; about a pod nobody may read any."""
        if "kind%3DPod%2C" in self.path:
            self.forbid()
            return
        one = {"metadata": {"name": "e", "uid": "e"}, "reason": "Known", "message": "all is well", "type": "Normal",
               "involvedObject": {"kind": "TFJob", "name": "a", "uid": "a"}}
        self.tell_json(200, {"kind": "EventList", "apiVersion": "v1", "metadata": {},
                             "items": [one] if "uid%3Da" in self.path else []})

    def watch(self):
        """Stands until the server is in another way, and breaks off then."""
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.server.watches += "/tfjobs" in self.path
        with self.server.changed:
            self.server.changed.wait_for(lambda: self.server.way != "well")
        self.close_connection = True

    def log_message(self, *_):
        pass


class cluster:
    """A server with TFJobs, which can be brought into other ways to answer: a status, "garbage", "page", "gone"."""

    def __init__(self, names=("a",), way="well", delay=0):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), asked)
        self.server.daemon_threads = True
        self.server.names, self.server.way, self.server.watches = names, way, 0
        self.server.reads = self.server.hidden_pods = 0
        self.server.changed, self.server.delay = threading.Condition(), delay
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        write("config", CONFIG % self.server.server_address[1])
        os.environ["KUBECONFIG"] = os.path.abspath("config")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.turn("gone")
        self.server.shutdown()
        self.server.server_close()

    def turn(self, way):
        with self.server.changed:
            self.server.way = way
            self.server.changed.notify_all()

    def begun(self, *arguments, **options):
        """A command that follows jobs, and is at it."""
        before = self.server.watches
        process = begun(*arguments, **options)
        until(lambda: self.server.watches > before, "the command follows the cluster")
        return process


FOLLOWING = (("watch", "TFJob", "--no-pods"), ("wait", "TFJob/a"), ("logs", "TFJob/a"))


def trouble_is_reported_when_it_begins_and_ends():
    with cluster() as c:
        for way, reason in (("gone", ""), (500, "it is 500"), (429, "it is 429"), ("garbage", ""),
                            ("page", "got text/html: <html>Please log in</html>")):
            processes = [(command, c.begun(*command)) for command in FOLLOWING]
            c.turn(way)
            for command, process in processes:
                line = process.stderr.readline()
                assert line.startswith("kftrain: ") and line.endswith("; retrying\n"), (command, way, line)
                contains(line, reason)
            c.turn("well")
            for command, process in processes:
                equal(process.stderr.readline(), "kftrain: the cluster answers again\n", (command, way))
                process.send_signal(signal.SIGINT)
                out, err = process.communicate(timeout=60)
                equal((err, process.returncode), ("", -signal.SIGINT if command[0] == "wait" else 130), (command, out))


def trouble_is_named_by_a_timeout():
    with cluster() as c:
        following = [c.begun(*command, "--timeout", "3") for command in FOLLOWING]
        c.turn(500)
        for process in following:
            last = ended(process, 4)[1].splitlines()[-1]
            contains(last, "last failure: ")
            contains(last, "it is 500")
        c.turn(503)
        for process in [begun(*command, "--timeout", "3") for command in FOLLOWING]:
            err = ended(process, 4)[1]
            contains(err, "; retrying")
            contains(err.splitlines()[-1], "it is 503")
        c.turn("well")
        contains(call("watch", "TFJob", "--no-pods", "--timeout", "3"), "added    TFJob/a")


def left_of(text):
    """What a message says of the time that an operation had, in milliseconds."""
    return int(re.search(r"not complete after (\d+) ms", text)[1])


def trouble_with_a_slow_server_ends_with_the_timeout():
    with cluster(delay=1.5) as c:
        manifest = write("a.json", json.dumps(job("a")))
        for command in FOLLOWING[1:]:
            assert left_of(refused(4, "", *command, "--timeout", "4")) <= 2500, command
        # What was printed is not waited for again from the start.
        assert left_of(refused(4, "", "submit", "-f", manifest, "--wait", "--timeout", "4")) <= 2500
        assert left_of(refused(4, "", "submit", "-f", manifest, "--follow", "--timeout", "4")) <= 2500
        c.server.delay = 600
        for command in (*FOLLOWING, ("watch", "TFJob", "PyTorchJob"), ("get", "TFJob/a", "TFJob/b"), ("list",),
                        ("list", "TFJob", "PyTorchJob"), ("events", "TFJob/a"), ("explain", "TFJob/a"),
                        ("scale", "TFJob/a", "Worker=2"), ("suspend", "TFJob/a"), ("resume", "TFJob/a"),
                        ("plan", "-f", manifest), ("preflight", "-f", manifest), ("submit", "-f", manifest),
                        ("submit", "-f", manifest, "--wait"), ("submit", "-f", manifest, "--follow")):
            refused(4, "", *command, "--timeout", "1")
        # The second of two has what the first has left of the time.
        equal(left_of(refused(4, "", "get", "TFJob/a", "TFJob/b", "--timeout", "1").splitlines()[1]), 1)


def trouble_is_no_fault_of_the_arguments():
    for way, reason in (("garbage", "the server's answer cannot be read: "), ("page", "expected JSON of a Kubernetes API "
                                                                             "server, got text/html: <html>Please log in")):
        with cluster(way=way):
            for command in (("get", "TFJob/a"), ("list", "TFJob"), ("watch", "TFJob"), ("wait", "TFJob/a"),
                            ("logs", "TFJob/a")):
                refused(3, reason, *command)


def trouble_keeps_jobs_from_being_checked():
    manifest = write("a.json", json.dumps(job("b")))
    for way in ("page", "garbage", 403):
        with cluster(way=way):
            for form in ("text", "json"):
                told = run("preflight", "-f", manifest, "-o", form)
                equal(told.returncode, 3, told.stdout + told.stderr)
                last = told.stderr.splitlines()[-1]
                contains(last, "kftrain: TFJob default/b: not checked: served, ")
                contains(last, "may-create")


def trouble_with_an_output_that_takes_nothing():
    stored = write("a.json", json.dumps(job("a")))
    manifest = write("a.yaml", JOB)
    messy = write("b.yaml", JOB.replace("replicas: 2", "replicas:  2"))
    with cluster():
        for command in (("--help",), ("--version",), ("get", "--help"), ("lint", "--rules"), ("lint", messy, "-o", "json"),
                        ("render", manifest), ("ranks", manifest), ("fmt", messy), ("diff", manifest, "--defaults"),
                        ("convert", manifest, "--to", "PyTorchJob"), ("get", "TFJob/a"), ("get", "TFJob/a", "-o", "yaml"),
                        ("list", "TFJob"), ("events", "TFJob/a"), ("explain", "TFJob/a"), ("plan", "-f", stored, "-o", "json"),
                        ("wait", "TFJob/a", "--for", "running"), ("submit", "-f", stored, "--dry-run"),
                        ("watch", "TFJob", "--no-pods", "--timeout", "60")):
            for output in (">/dev/full", ">&-"):
                told = subprocess.run(["sh", "-c", f'exec "$@" {output}', "sh", KFTRAIN, *command],
                                      capture_output=True, text=True, check=False)
                equal((told.returncode, told.stderr.splitlines()[-1:]),
                      (2, ["kftrain: cannot write to standard output"]), (command, output, told.stderr))


def fill(end):
    """A pipe that takes nothing more."""
    os.set_blocking(end, False)
    try:
        while True:
            os.write(end, b"x" * 4096)
    except BlockingIOError:
        os.set_blocking(end, True)


def trouble_with_a_reader_who_has_stopped():
    with cluster(names=[f"job-{number:040}" for number in range(3000)]) as c:
        for number in (signal.SIGINT, signal.SIGTERM):
            reading, writing = os.pipe()
            process = begun("watch", "TFJob", "--no-pods", stdout=writing)
            until(lambda end=writing: is_full(end), "more is written than the pipe holds")
            process.send_signal(number)
            equal((process.wait(60), process.stderr.read()), (130, ""), number)
            os.close(reading)
            os.close(writing)
        reading, writing = os.pipe()
        fill(writing)
        for command in (("watch", "TFJob", "--no-pods"), ("wait", "TFJob/a", "--for", "running")):
            c.turn("well")
            process = begun(*command, "--timeout", "2", stdout=writing)
            equal((process.wait(60), process.stderr.read()),
                  (4, "kftrain: --timeout expired before the reader took all output\n"), command)
        # Not even who reads the complaints may hold it up.
        process = begun("watch", "TFJob", "--no-pods", "--timeout", "2", stdout=writing, stderr=writing)
        equal(process.wait(60), 4)


def trouble_with_events_that_may_not_be_read():
    with cluster():
        for form in ("table", "json", "yaml"):
            told = run("events", "TFJob/a", "-o", form)
            equal(told.returncode, 3, told.stderr)
            contains(told.stdout, "all is well")
            equal(told.stderr, "kftrain: events are missing: events of Pod a-worker-0: no\n")
        equal(call("events", "TFJob/a", "--job-only").count("all is well"), 1)


def trouble_of_a_moment_changes_no_explanation():
    with cluster() as c:
        process = begun("explain", "TFJob/a", "--watch", "-o", "json")
        assert not any(m.startswith("pods: ") for m in json.loads(process.stdout.readline())["missing"])
        c.server.hidden_pods = 1
        until(lambda: not c.server.hidden_pods, "an explanation lacks the pods")
        before = c.server.reads
        until(lambda: c.server.reads > before + 1, "the next one has them")
        c.server.hidden_pods = 1000
        assert any(m.startswith("pods: ") for m in json.loads(process.stdout.readline())["missing"])
        process.send_signal(signal.SIGINT)
        equal(process.communicate(timeout=60), ("", ""))


def trouble_with_lists_that_take_too_long():
    with cluster() as c:
        equal(json.loads(call("list", "TFJob", "-o", "json"))["items"][0]["metadata"]["name"], "a")
        c.turn(503)
        told = run("list", "TFJob", "--timeout", "5")
        equal(told.returncode, 3, told.stderr)
        equal([line.endswith("; retrying") for line in told.stderr.splitlines()], [True, False], told.stderr)


if __name__ == "__main__":
    run_test(globals())
