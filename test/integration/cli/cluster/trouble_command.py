#!/usr/bin/python3
"""usage: trouble_command.py KFTRAIN TEST

The commands with a server that fails, disappears or sends invalid answers, and with an output that nobody reads."""

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


class job_server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def send_text(self, code, kind, text):
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        try:
            self.wfile.write(text.encode())
        except OSError:
            self.close_connection = True  # the command has gone

    def send_json(self, code, body):
        self.send_text(code, "application/json", json.dumps(body))

    def do_POST(self):  # pylint: disable=invalid-name
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.delay()
        if not self.is_in_trouble():
            self.send_json(201, job("a"))

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
            self.send_json(200, job("a"))
        elif "/pods" in self.path and self.server.hidden_pods:
            self.server.hidden_pods -= 1
            self.forbid()
        elif "/pods" in self.path:
            self.send_json(200,
                           {"kind": "PodList", "apiVersion": "v1", "metadata": {"resourceVersion": "1"}, "items": []})
        else:
            self.send_json(200, {"kind": "TFJobList", "apiVersion": "kubeflow.org/v1",
                                 "metadata": {"resourceVersion": "1"}, "items": [job(n) for n in self.server.names]})

    def is_in_trouble(self):
        """Sends the failure of the current mode. False, without an answer, in the mode `well`."""
        way = self.server.way
        if isinstance(way, int):
            self.send_json(way, {"kind": "Status", "apiVersion": "v1", "code": way, "message": f"it is {way}"})
        elif way == "garbage":
            self.send_text(200, "application/json", "no object")
        elif way == "page":
            self.send_text(200, "text/html; charset=utf-8", "<html>Please log in</html>")
        elif way == "gone":
            self.close_connection = True
        return way != "well"

    def forbid(self):
        self.send_json(403, {"kind": "Status", "apiVersion": "v1", "code": 403, "reason": "Forbidden",
                             "message": "no"})

    def events(self):
        """Sends the events of the job; events of pods are forbidden."""
        if "kind%3DPod%2C" in self.path:
            self.forbid()
            return
        one = {"metadata": {"name": "e", "uid": "e"}, "reason": "Known", "message": "all is well", "type": "Normal",
               "involvedObject": {"kind": "TFJob", "name": "a", "uid": "a"}}
        self.send_json(200, {"kind": "EventList", "apiVersion": "v1", "metadata": {},
                             "items": [one] if "uid%3Da" in self.path else []})

    def watch(self):
        """Keeps the watch open until the mode changes, then closes the connection."""
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
    """A server with TFJobs, and with modes in which it fails: a status, "garbage", "page" or "gone"."""

    def __init__(self, names=("a",), way="well", delay=0):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), job_server)
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
        """Starts a command that follows jobs; returns when it has opened its watch."""
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


def trouble_is_part_of_timeout_messages():
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
    """The time that an operation had according to a message, in milliseconds."""
    return int(re.search(r"not complete after (\d+) ms", text)[1])


def trouble_with_a_slow_server_ends_with_the_timeout():
    with cluster(delay=1.5) as c:
        manifest = write("a.json", json.dumps(job("a")))
        for command in FOLLOWING[1:]:
            assert left_of(refused(4, "", *command, "--timeout", "4")) <= 2500, command
        # The wait and the logs have the rest of the time, not all of it again.
        assert left_of(refused(4, "", "submit", "-f", manifest, "--wait", "--timeout", "4")) <= 2500
        assert left_of(refused(4, "", "submit", "-f", manifest, "--follow", "--timeout", "4")) <= 2500
        c.server.delay = 600
        for command in (*FOLLOWING, ("watch", "TFJob", "PyTorchJob"), ("get", "TFJob/a", "TFJob/b"), ("list",),
                        ("list", "TFJob", "PyTorchJob"), ("events", "TFJob/a"), ("explain", "TFJob/a"),
                        ("scale", "TFJob/a", "Worker=2"), ("suspend", "TFJob/a"), ("resume", "TFJob/a"),
                        ("plan", "-f", manifest), ("preflight", "-f", manifest), ("submit", "-f", manifest),
                        ("submit", "-f", manifest, "--wait"), ("submit", "-f", manifest, "--follow")):
            refused(4, "", *command, "--timeout", "1")
        # The second of two jobs has the rest of the time.
        equal(left_of(refused(4, "", "get", "TFJob/a", "TFJob/b", "--timeout", "1").splitlines()[1]), 1)


def trouble_has_its_own_exit_code():
    for way, reason in (
            ("garbage", "the server's answer cannot be read: "),
            ("page", "expected JSON of a Kubernetes API server, got text/html: <html>Please log in")):
        with cluster(way=way):
            for command in (("get", "TFJob/a"), ("list", "TFJob"), ("watch", "TFJob"), ("wait", "TFJob/a"),
                            ("logs", "TFJob/a")):
                refused(3, reason, *command)


def trouble_makes_preflight_fail():
    manifest = write("a.json", json.dumps(job("b")))
    for way in ("page", "garbage", 403):
        with cluster(way=way):
            for form in ("text", "json"):
                done = run("preflight", "-f", manifest, "-o", form)
                equal(done.returncode, 3, done.stdout + done.stderr)
                last = done.stderr.splitlines()[-1]
                contains(last, "kftrain: TFJob default/b: not checked: served, ")
                contains(last, "may-create")


def trouble_with_standard_output_is_reported():
    stored = write("a.json", json.dumps(job("a")))
    manifest = write("a.yaml", JOB)
    messy = write("b.yaml", JOB.replace("replicas: 2", "replicas:  2"))
    with cluster():
        for command in (("--help",), ("--version",), ("get", "--help"), ("lint", "--rules"),
                        ("lint", messy, "-o", "json"),
                        ("render", manifest), ("ranks", manifest), ("fmt", messy), ("diff", manifest, "--defaults"),
                        ("convert", manifest, "--to", "PyTorchJob"), ("get", "TFJob/a"),
                        ("get", "TFJob/a", "-o", "yaml"),
                        ("list", "TFJob"), ("events", "TFJob/a"), ("explain", "TFJob/a"),
                        ("plan", "-f", stored, "-o", "json"),
                        ("wait", "TFJob/a", "--for", "running"), ("submit", "-f", stored, "--dry-run"),
                        ("watch", "TFJob", "--no-pods", "--timeout", "60")):
            for output in (">/dev/full", ">&-"):
                done = subprocess.run(["sh", "-c", f'exec "$@" {output}', "sh", KFTRAIN, *command],
                                      capture_output=True, text=True, check=False)
                equal((done.returncode, done.stderr.splitlines()[-1:]),
                      (2, ["kftrain: cannot write to standard output"]), (command, output, done.stderr))


def fill(end):
    """Fills a pipe, so that the next write blocks."""
    os.set_blocking(end, False)
    try:
        while True:
            os.write(end, b"x" * 4096)
    except BlockingIOError:
        os.set_blocking(end, True)


def trouble_with_a_stopped_reader_does_not_block_the_end():
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
        # A blocked standard error does not block the end, either.
        process = begun("watch", "TFJob", "--no-pods", "--timeout", "2", stdout=writing, stderr=writing)
        equal(process.wait(60), 4)


def trouble_with_forbidden_events_is_reported():
    with cluster():
        for form in ("table", "json", "yaml"):
            done = run("events", "TFJob/a", "-o", form)
            equal(done.returncode, 3, done.stderr)
            contains(done.stdout, "all is well")
            equal(done.stderr, "kftrain: events are missing: events of Pod a-worker-0: no\n")
        equal(call("events", "TFJob/a", "--job-only").count("all is well"), 1)


def trouble_for_a_moment_does_not_change_explanations():
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


def trouble_with_slow_lists_ends_with_the_timeout():
    with cluster() as c:
        equal(json.loads(call("list", "TFJob", "-o", "json"))["items"][0]["metadata"]["name"], "a")
        c.turn(503)
        done = run("list", "TFJob", "--timeout", "5")
        equal(done.returncode, 3, done.stderr)
        equal([line.endswith("; retrying") for line in done.stderr.splitlines()], [True, False], done.stderr)


if __name__ == "__main__":
    run_test(globals())
