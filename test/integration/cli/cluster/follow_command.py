#!/usr/bin/python3
"""usage: follow_command.py KFTRAIN TEST

The commands that follow jobs of a cluster: they wait, watch, print output, events and explanations."""

import json
import os
import re
import signal
import socket
import tempfile
import threading
import time

from cluster_of_commands import begun, call, ended, is_full, job, refused, submit, until, with_cluster
from manifest_files import contains, equal, read, run, run_test, write


@with_cluster
def follow_waits_for_jobs():
    equal(submit(job("fine", "echo done"), "--wait"), "PyTorchJob/fine submitted\nPyTorchJob/fine Succeeded\n")
    equal(call("wait", "PyTorchJob/fine"), "PyTorchJob/fine Succeeded\n")
    equal(refused(1, "", "submit", "-f", "-", "--wait", stdin=job("bad", "exit 3")),
          "PyTorchJob/bad submitted\nPyTorchJob/bad Failed\n")
    done = run("submit", "-f", "-", "--wait", "-o", "json", stdin=job("quiet", "echo done"))
    equal((json.loads(done.stdout)["metadata"]["name"], done.stderr),
          ("quiet", "kftrain: PyTorchJob/quiet Succeeded\n"))
    equal(refused(1, "", "wait", "PyTorchJob", "bad", "fine", "--timeout", "60").count("\n"), 2)
    equal(call("wait", "PyTorchJob/bad", "--for", "failed"), "PyTorchJob/bad Failed\n")
    equal(refused(1, "", "wait", "PyTorchJob/bad", "--for", "succeeded", "--timeout", "60").count("default/bad"), 1)
    refused(1, "PyTorchJob default/bad: ", "wait", "PyTorchJob/bad", "--for", "ready", "--timeout", "60")
    refused(4, "PyTorchJob default/later: ", "wait", "PyTorchJob/later", "--timeout", "2s")
    refused(2, "--for: expected finished, succeeded", "wait", "PyTorchJob/bad", "--for", "better")
    refused(2, "--for: expected finished, succeeded", "wait", "PyTorchJob/bad", "--for", "ready=Worker")
    refused(2, 'PyTorchJob default/bad: role: "master", expected "Master"', "wait", "PyTorchJob/bad", "--for",
            "ready=master:1",
            "--timeout", "60")

    later = begun("wait", "PyTorchJob/later", "--for", "ready=Worker:2")
    submit(job("later", workers=2))
    equal(ended(later, 0), ("PyTorchJob/later ready=Worker:2\n", ""))
    gone = begun("wait", "PyTorchJob/later", "--for", "deleted")
    lost = begun("wait", "PyTorchJob/later")
    time.sleep(0.5)
    call("delete", "PyTorchJob/later")
    equal(ended(gone, 0), ("PyTorchJob/later deleted\n", ""))
    contains(ended(lost, 1)[1], "kftrain: PyTorchJob default/later was deleted")


@with_cluster
def follow_watches_jobs():
    submit(job("first"))
    json_watch = begun("watch", "-o", "json")
    text_watch = begun("watch", "PyTorchJob/first")
    change = json.loads(json_watch.stdout.readline())
    equal((change["change"], change["kind"], change["name"]), ("added", "PyTorchJob", "first"))
    submit(job("second", "echo done"))
    last = {}
    while last.get("second") != "Succeeded":
        change = json.loads(json_watch.stdout.readline())
        last[change["name"]] = change["phase"]
    call("delete", "PyTorchJob/first")
    while change["change"] != "deleted":
        change = json.loads(json_watch.stdout.readline())
    equal(change["name"], "first")
    line = text_watch.stdout.readline()
    assert re.match(r"added    PyTorchJob/first  \w+", line), line
    while not line.startswith("deleted"):
        before, line = line, text_watch.stdout.readline()
        assert line, text_watch.stderr.read()
        assert line.split(None, 1)[1] != before.split(None, 1)[1], f"the same state twice: {line}"
    equal(line, "deleted  PyTorchJob/first\n")
    for process in (json_watch, text_watch):
        process.send_signal(signal.SIGINT)
        equal(ended(process, 130)[1], "")
    contains(call("watch", "-A", "--no-pods", "--timeout", "4"), "added    default  PyTorchJob/second  Succeeded")
    equal(call("watch", "TFJob", "--timeout", "2"), "")
    refused(2, "KIND/NAME cannot be combined with -A or -l", "watch", "PyTorchJob/a", "-A")


@with_cluster
def follow_prints_logs():
    script = "echo one; echo two; if [ $RANK = 1 ]; then echo rank 1; fi; echo error >&2"
    submit(job("talks", script, workers=1))
    lines = call("logs", "PyTorchJob/talks").splitlines()
    equal([line for line in lines if line.startswith("[rank 0] ")], ["[rank 0] one", "[rank 0] two", "[rank 0] error"])
    submit(job("stays", script + "; exec sleep 1000", workers=1))
    until(lambda: call("logs", "PyTorchJob/stays", "--no-follow").count("error") == 2, "all wrote")
    equal(call("logs", "PyTorchJob/stays", "--no-follow", "--rank", "1", "--tail", "2"),
          "[rank 1] rank 1\n[rank 1] error\n")
    equal(call("logs", "PyTorchJob/stays", "--no-follow", "--role", "Master", "--tail", "1"), "[rank 0] error\n")
    stamped = call("logs", "PyTorchJob/stays", "--no-follow", "--timestamps", "--role", "Master", "--since", "1h")
    assert re.match(r"\[rank 0\] \d{4}-\d\d-\d\dT\S+Z one\n", stamped), stamped
    refused(2, "kftrain: ", "logs", "PyTorchJob/stays", "--no-follow", "-c", "nobody")
    refused(2, "kftrain: ", "logs", "PyTorchJob/stays", "--no-follow", "--rank", "7")
    refused(2, "--tail", "logs", "PyTorchJob/stays", "--tail", "-1")
    refused(4, "kftrain: ", "logs", "PyTorchJob/stays", "-f", "--timeout", "1")
    refused(1, "kftrain: ", "logs", "PyTorchJob/nobody", "--no-follow")
    refused(1, "kftrain: ", "logs", "PyTorchJob/nobody")

    follows = begun("logs", "--filename", write("stays.yaml", job("stays")))
    for _ in range(7):
        follows.stdout.readline()
    follows.send_signal(signal.SIGINT)
    equal(ended(follows, 130), ("", ""))


class gate:
    """Forwards connections to the server of a kubeconfig. While it is shut, it refuses new connections and closes
    others."""

    def __init__(self, config):
        text = read(config)
        self.server = int(re.search(r"127\.0\.0\.1:(\d+)", text)[1])
        self.ends, self.door = [], None
        self.open()
        write("gate", text.replace(f"127.0.0.1:{self.server}", f"127.0.0.1:{self.port}"))

    def open(self):
        port = self.port if self.door else 0
        self.door = socket.create_server(("127.0.0.1", port))
        self.port = self.door.getsockname()[1]
        threading.Thread(target=self.let_in, args=(self.door,), daemon=True).start()

    def shut(self):
        for end in (self.door, *self.ends):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # it is closed already
        self.door.close()
        self.ends.clear()

    def let_in(self, door):
        try:
            while True:
                ends = (door.accept()[0], socket.create_connection(("127.0.0.1", self.server)))
                self.ends += ends
                for source, to in (ends, ends[::-1]):
                    threading.Thread(target=self.pass_on, args=(source, to), daemon=True).start()
        except OSError:
            pass  # it was shut

    @staticmethod
    def pass_on(source, to):
        try:
            while data := source.recv(65536):
                to.sendall(data)
            to.shutdown(socket.SHUT_WR)
        except OSError:
            to.close()


@with_cluster
def follow_resumes_logs_after_an_outage():
    outage = 6  # longer than a refused log is requested again
    door = gate("state/kubeconfig")
    script = "i=0; while [ $i -lt 100 ]; do i=$((i+1)); echo line $i; sleep 0.1; done"
    followed = begun("submit", "-f", write("a.yaml", job("a", script)), "--follow", "--kubeconfig", "gate")
    submit(job("b", script, workers=1))
    waits = begun("wait", "PyTorchJob/b", "--kubeconfig", "gate")  # first: it has to reach the server before the outage
    logs = begun("logs", "PyTorchJob/b", "--kubeconfig", "gate")
    printed = [followed.stdout.readline() for _ in range(3)]
    first = logs.stdout.readline()
    door.shut()
    time.sleep(outage)
    door.open()
    out, err = ended(followed, 0)
    equal("".join(printed) + out, "PyTorchJob/a submitted\n" + "".join(f"[rank 0] line {n}\n" for n in range(1, 101)),
          err)
    contains(err, "; retrying")
    lines = (first + ended(logs, 0)[0]).splitlines()
    equal([line for line in lines if line.startswith("[rank 0]")], [f"[rank 0] line {n}" for n in range(1, 101)])
    worker = [line for line in lines if line.startswith("[rank 1]")]  # it begins later, and logs end with the job
    equal(worker, [f"[rank 1] line {n}" for n in range(1, len(worker) + 1)])
    assert len(worker) > 20, worker
    equal(ended(waits, 0)[0], "PyTorchJob/b Succeeded\n")


NEGATIVE = """apiVersion: %s
kind: %s
metadata: {name: less}
spec: {%s: {Worker: {replicas: -1, restartPolicy: Never, template: {spec: {containers: [{name: %s, image: 'x:1'}]}}}}}
"""
NEGATIVE_TASK = """apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: less}
spec:
  tasks:
  - {name: a, replicas: -1, template: {spec: {restartPolicy: Never, containers: [{name: c, image: 'x:1'}]}}}
"""


@with_cluster
def follow_refuses_invalid_arguments():
    output = refused(2, "jobs of this API cannot be suspended", "wait", "ChainerJob/a", "--for", "suspended")
    contains(output, "ChainerJob default/a: --for suspended: ")
    refused(4, "", "wait", "PyTorchJob/a", "--for", "suspended", "--timeout", "1")
    for kind, field, container in (("TFJob", "tf", "tensorflow"), ("XGBoostJob", "xgb", "xgboost"),
                                   ("PaddleJob", "paddle", "paddle"), ("JAXJob", "jax", "jax")):
        text = NEGATIVE % ("kubeflow.org/v1", kind, field + "ReplicaSpecs", container)
        for command in (("submit", "-f", "-"), ("run", "-")):
            refused(2, "Worker.replicas: expected at least 0, got -1" if kind == "TFJob" else "", *command, stdin=text)
    refused(2, "", "submit", "-f", "-", stdin=NEGATIVE_TASK)
    equal(call("list"), "no jobs\n")


@with_cluster
def follow_ends_quietly_if_the_output_is_closed():
    submit(job("endless", "while true; do echo line; sleep 0.01; done"))
    for handler in (signal.SIG_DFL, signal.SIG_IGN):
        process = begun("logs", "PyTorchJob/endless", preexec_fn=lambda h=handler: signal.signal(signal.SIGPIPE, h),
                        restore_signals=False)
        equal(process.stdout.readline(), "[rank 0] line\n")
        process.stdout.close()
        code = process.wait(30)
        equal(process.stderr.read(), "", handler)
        equal(128 - code if code < 0 else code, 141, handler)
    # A reader that stops reading, but keeps the pipe open, does not block the end.
    submit(job("loud", "while true; do printf %4000d 1; echo; sleep 0.01; done"))
    process = begun("logs", "PyTorchJob/loud")
    until(lambda: is_full(process.stdout), "the pipe takes nothing more")
    process.send_signal(signal.SIGINT)
    equal((process.wait(30), process.stderr.read()), (130, ""))
    deleted = begun("submit", "-f", write("gone.yaml", job("gone", "echo hello; exec sleep 1000")), "--follow")
    equal([deleted.stdout.readline() for _ in range(2)], ["PyTorchJob/gone submitted\n", "[rank 0] hello\n"])
    call("delete", "PyTorchJob/gone")
    equal(ended(deleted, 1)[1].count("was deleted"), 1)
    follows = begun("submit", "-f", write("quick.yaml", job("quick", "echo hello; exit 3")), "--follow")
    out, err = ended(follows, 1)
    equal((out, err), ("PyTorchJob/quick submitted\n[rank 0] hello\n", "kftrain: PyTorchJob/quick Failed\n"))


@with_cluster
def follow_prints_events_and_explanations():
    submit(job("bad", "echo going down; exit 3"))
    call("wait", "PyTorchJob/bad", "--for", "failed")
    table = call("events", "PyTorchJob/bad")
    assert re.match(r"LAST +COUNT +TYPE +REASON +OBJECT +MESSAGE\n", table), table
    contains(table, "PyTorchJob/bad  Created pod: bad-master-0")
    listed = json.loads(call("events", "PyTorchJob/bad", "-o", "json"))
    assert any(e["objectKind"] == "PyTorchJob" and e["reason"] for e in listed["items"]), listed
    alone = json.loads(call("events", "PyTorchJob/bad", "--job-only", "-o", "json"))
    equal({e["objectKind"] for e in alone["items"]}, {"PyTorchJob"})
    newest = json.loads(call("events", "PyTorchJob/bad", "--limit", "1", "-o", "json"))
    equal((len(newest["items"]), newest["leftOut"] > 0), (1, True))
    refused(1, "PyTorchJob default/nobody: ", "events", "PyTorchJob/nobody")

    text = call("explain", "PyTorchJob/bad")
    contains(text, "going down")
    why = json.loads(call("explain", "PyTorchJob/bad", "-o", "json"))
    equal((why["causes"][0]["kind"], why["causes"][0]["code"]), ("exited", 3))
    equal(why["causes"][0]["log"], ["going down"])
    equal((why["job"]["phase"], why["job"]["name"]), ("Failed", "bad"))
    assert "log" not in json.loads(call("explain", "PyTorchJob/bad", "--log-lines", "0", "-o", "json"))["causes"][0]
    contains(call("explain", "PyTorchJob/bad", "-o", "yaml"), "kind: exited\n")
    refused(1, "PyTorchJob default/nobody: ", "explain", "PyTorchJob/nobody")
    refused(2, "--quiet", "explain", "PyTorchJob/bad", "--quiet", "long")


@with_cluster
def follow_watches_explanations():
    with tempfile.TemporaryDirectory() as folder:
        flag = os.path.join(folder, "flag")
        submit(job("slow", f"until [ -e {flag} ]; do sleep 0.1; done; echo torch.cuda.OutOfMemoryError; exit 3"))
        watching = begun("explain", "PyTorchJob/slow", "--watch", "-o", "json")
        lines = [json.loads(watching.stdout.readline())]
        while lines[-1]["causes"][0]["kind"] != "healthy":  # it starts
            lines.append(json.loads(watching.stdout.readline()))
        with open(flag, "w", encoding="utf-8"):
            pass
        out, _ = ended(watching, 0)
    lines += [json.loads(line) for line in out.splitlines()]
    last = lines[-1]
    equal((last["job"]["phase"], last["causes"][0]["code"]), ("Failed", 3))
    equal(last["causes"][0]["decisiveLine"], "torch.cuda.OutOfMemoryError")
    healthy = [line for line in lines if line["causes"][0]["kind"] == "healthy"]
    equal(len(healthy), 1)  # printed once, however often the job was looked at


@with_cluster
def follow_draws_timelines():
    step = "echo kftrain-progress/1 step=$RANK total=4; "
    submit(job("steps", step + "until test -e go; do sleep 0.05; done", workers=2))
    call("wait", "PyTorchJob/steps", "--for", "running", "--timeout", "60")
    until(lambda: "step 0/4 (0%)" in call("get", "PyTorchJob/steps"), "progress of rank 0")
    watched = begun("watch", "PyTorchJob/steps")
    while not (line := watched.stdout.readline()).startswith("progress "):
        assert line, "watch shows no progress"
    equal(line, "progress PyTorchJob/steps  step 0/4 (0%)\n")
    watched.send_signal(signal.SIGINT)
    watched.wait(timeout=60)
    contains(call("timeline", "PyTorchJob/steps"), "Worker 1, rank 2  |")
    recorded = begun("timeline", "PyTorchJob/steps", "--follow", "-o", "json")
    write("go", "")
    timeline = json.loads(ended(recorded, 0)[0])
    equal((timeline["phase"], len(timeline["pods"])), ("Succeeded", 3))
    equal(timeline["progress"][-1]["pod"], "steps-master-0")
    for form in ("svg", "html"):
        contains(call("timeline", "PyTorchJob/steps", "-o", form), "<title>PyTorchJob default/steps: Succeeded</title>")
    refused(1, "not found", "timeline", "PyTorchJob/none")
    refused(2, "", "timeline", "PyTorchJob/steps", "-o", "png")


TRAIN_JOB = """apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: %s}
spec:
  runtimeRef: {name: %s}
  trainer: {numNodes: 2, image: none, command: [sh, -c, '%s']}
"""


@with_cluster
def follow_follows_train_jobs():
    """Their ranks come from a runtime, which the command reads from the server."""
    runtime = "torch-distributed"
    submit(TRAIN_JOB % ("quick", runtime, "echo node $PET_NODE_RANK of $PET_NNODES"), "--wait")
    equal(sorted(call("logs", "TrainJob/quick").splitlines()), ["[rank 0] node 0 of 2", "[rank 1] node 1 of 2"])
    submit(TRAIN_JOB % ("long", runtime, "sleep 1000"))
    call("wait", "TrainJob/long", "--for", "ready=node:2", "--timeout", "60")
    call("wait", "TrainJob/long", "--for", "running", "--timeout", "60")
    contains(call("explain", "TrainJob/long"), "TrainJob default/long: Running, node 2/2 ready")
    equal(call("exec", "TrainJob/long", "--rank", "1", "--", "sh", "-c", "echo node $PET_NODE_RANK"), "node 1\n")
    pods = json.loads(call("timeline", "TrainJob/long", "-o", "json"))["pods"]
    equal([(p["role"], p["index"]) for p in pods], [("node", 0), ("node", 1)])
    refused(2, "spec.trainer is immutable", "scale", "TrainJob/long", "node=3")
    equal(call("suspend", "TrainJob/long"), "TrainJob/long suspended\n")
    call("wait", "TrainJob/long", "--for", "suspended", "--timeout", "60")
    equal(call("resume", "TrainJob/long"), "TrainJob/long resumed\n")
    call("wait", "TrainJob/long", "--for", "ready=node:2", "--timeout", "60")
    call("delete", "TrainJob/long")
    call("wait", "TrainJob/long", "--for", "deleted", "--timeout", "60")
    for command in ("submit", "plan"):
        refused(2, 'ClusterTrainingRuntime.trainer.kubeflow.org "none" not found', command, "-f", "-",
                stdin=TRAIN_JOB % ("lost", "none", "true"))


if __name__ == "__main__":
    run_test(globals())
