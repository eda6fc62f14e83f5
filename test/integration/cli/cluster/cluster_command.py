#!/usr/bin/python3
"""usage: cluster_command.py KFTRAIN TEST

The commands that read and change jobs of a cluster, with the kubeconfig of `kftrain local up`: arguments, output and
exit codes."""

import http.server
import json
import os
import re
import socket
import threading

from cluster_of_commands import CONFIG, call, job, refused, submit, with_cluster, with_flags
from manifest_files import contains, equal, read, run, run_test, write


def cluster_reports_unusable_servers_and_kubeconfigs():
    os.environ.pop("KUBECONFIG", None)
    os.environ["HOME"] = os.getcwd()
    refused(2, ".kube/config", "list")
    refused(2, "missing.yaml", "list", "--kubeconfig", "missing.yaml")
    write("config", CONFIG % 1)
    refused(2, "nowhere", "list", "--kubeconfig", "config", "--context", "nowhere")
    refused(3, "TFJob default/a: ", "get", "TFJob/a", "--kubeconfig", "config")
    for follows in ("wait", "logs"):
        refused(3, "TFJob default/a: ", follows, "TFJob/a", "--kubeconfig", "config")
    for what in ((), ("TFJob",), ("TFJob/a",)):
        refused(3, "kftrain: ", "watch", *what, "--kubeconfig", "config")
    refused(3, "PyTorchJob default/a: ", "submit", "-f", "-", "--wait", "--kubeconfig", "config", stdin=job("a"))
    # The first request is for the preferred version of the kind.
    for asks in ("get", "wait", "logs", "watch", "list"):
        refused(3, "PyTorchJob", asks, "PyTorchJob" if asks == "list" else "PyTorchJob/a", "--kubeconfig", "config")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        write("config", CONFIG % silent.getsockname()[1])
        refused(4, "TFJob default/a: ", "get", "TFJob/a", "--kubeconfig", "config", "--timeout", "300ms")
        refused(4, "TFJob default/a: ", "wait", "TFJob/a", "--kubeconfig", "config", "--timeout", "300ms")
        refused(4, "list of jobs: not complete after ", "list", "--kubeconfig", "config", "--timeout", "300ms")
    for port in ("0", "65536", "65537", "4294967376"):
        write("config", CONFIG.replace("%d", "%s") % port)
        refused(2, "server: expected a port from 1 to 65535", "list", "--kubeconfig", "config")
    write("config", "{{{{")
    where = '(in the kubeconfig "config") (line 1, column 2)'
    refused(2, f"kftrain: invalid JSON: syntax error {where}\n", "list", "--kubeconfig", "config")
    refused(2, "--namespace: expected a name, got an empty text", "list", "-n", "")
    for names, number in ((("list",), "--limit"), (("logs", "TFJob/a"), "--open-logs"),
                          (("explain", "TFJob/a"), "--log-lines")):
        refused(2, number, *names, number, "-1")
    for time_given in ("-1s", "soon", "20000h"):
        refused(2, "--timeout: expected a duration such as 90s, 5m or 1h30m", "list", f"--timeout={time_given}")


class without_kinds(http.server.BaseHTTPRequestHandler):
    """A cluster without definitions of job kinds."""

    def answer(self, code, reason):
        text = json.dumps({"kind": "Status", "apiVersion": "v1", "code": code, "reason": reason}).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self):  # pylint: disable=invalid-name
        self.answer(404, "NotFound")

    def log_message(self, *_):
        pass


def cluster_reports_a_kind_that_is_not_served():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), without_kinds) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        write("config", CONFIG % server.server_address[1])
        done = run("watch", "TFJob", "--kubeconfig", "config", "--timeout", "300ms")
        equal((done.returncode, done.stdout, done.stderr),
              (0, "", "kftrain: the cluster does not serve TFJob; kftrain checks again once a minute\n"))
        server.shutdown()


class hostile(http.server.BaseHTTPRequestHandler):
    """A server that sends control characters in its texts."""
    words = "\x1b[2J\x07\u009b1A\nfake"

    def answer(self, code, body):
        text = json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self):  # pylint: disable=invalid-name
        job_of = {"metadata": {"name": "a", "namespace": "default", "labels": {"a": self.words}},
                  "status": {"conditions": [
            {"type": "Running", "status": "True", "reason": self.words, "message": self.words}]}}
        if self.path.endswith("/refused"):
            self.answer(403, {"kind": "Status", "apiVersion": "v1", "code": 403, "reason": "Forbidden",
                              "message": self.words})
        elif self.path.endswith("/tfjobs/a"):
            self.answer(200, {"kind": "TFJob", "apiVersion": "kubeflow.org/v1", **job_of})
        else:
            self.answer(200, {"kind": "TFJobList", "apiVersion": "kubeflow.org/v1", "metadata": {}, "items": [job_of]})

    def log_message(self, *_):
        pass


def cluster_escapes_control_characters_of_servers():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), hostile) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        write("config", CONFIG % server.server_port)
        os.environ["KUBECONFIG"] = os.path.abspath("config")
        shown = "\\u001b[2J\\u0007\\u009b1A; fake"
        contains(call("get", "TFJob/a"), shown)
        contains(call("list", "TFJob", "-A"), shown)
        refused(3, shown, "get", "TFJob/refused")
        listed = call("list", "TFJob", "-o", "json")
        assert listed.isprintable() or listed.count("\n") == 1 and "\x1b" not in listed, listed
        equal(json.loads(listed)["items"][0]["metadata"]["labels"]["a"], hostile.words)
        refused(3, 'cannot find the preferred version of "PyTorchJob": kind: expected API', "get", "PyTorchJob/a")
        write("config", (CONFIG % server.server_port).replace("cluster: a}}]", "cluster: a, namespace: team}}]"))
        refused(3, "kftrain: TFJob team/refused: ", "get", "TFJob/refused")
        refused(3, "kftrain: TFJob other/refused: ", "get", "TFJob/refused", "-n", "other")
        server.shutdown()


@with_cluster
def cluster_names_jobs_as_kubectl():
    submit(job("digits"))
    for names in (["PyTorchJob/digits"], ["pytorchjob", "digits"], ["pytorchjobs.kubeflow.org", "digits"],
                  ["pytorchjobs.v1.kubeflow.org/digits"], ["PYTORCHJOB.V1/digits"], ["-f", "digits.yaml"]):
        write("digits.yaml", job("digits"))
        equal(call("get", *names, "-o", "name"), "PyTorchJob/digits\n", names)
    refused(2, 'kind "pod" is not a known job kind; known kinds are: PyTorchJob.v1, TFJob, ', "get", "pod/a")
    refused(2, 'expected KIND/NAME or KIND NAME, got "digits"', "get", "digits")
    refused(2, 'expected KIND/NAME, got "b"', "get", "TFJob/a", "b")
    refused(2, 'expected a name after the kind "TFJob", got "a/b"', "get", "TFJob", "a/b")
    refused(2, "expected a job as KIND/NAME or a manifest with --filename, got neither", "get")
    refused(2, "JOB cannot be combined with --filename", "get", "TFJob/a", "-f", "digits.yaml")
    refused(2, "metadata.name: expected the name of an existing job", "get", "-f", "-",
            stdin=job("x").replace("name: x, ", ""))
    refused(2, 'metadata.namespace: expected "other" from --namespace, got "team"', "get", "-n", "other", "-f", "-",
            stdin=job("x", namespace="team"))
    refused(2, "expected one job, got 2", "events", "TFJob", "a", "b")
    refused(1, "PyTorchJob default/nobody: ", "get", "PyTorchJob/nobody")
    for asks in ("get", "delete", "explain", "events", "suspend"):
        refused(1, "kftrain: PyTorchJob/digits exists in namespace default\n", asks, "TFJob/digits")
    refused(1, "PyTorchJob other/digits: ", "get", "PyTorchJob/digits", "-n", "other")


@with_cluster
def cluster_submits_valid_jobs_only():
    equal(submit(job("one") + "---\n" + job("two")), "PyTorchJob/one submitted\nPyTorchJob/two submitted\n")
    refused(2, "PyTorchJob default/one", "submit", "-f", "-", stdin=job("one"))
    stored = json.loads(submit(job("three"), "-o", "json"))
    equal((stored["kind"], stored["metadata"]["namespace"]), ("PyTorchJob", "default"))
    assert stored["metadata"]["uid"], stored
    both = json.loads(submit(job("four") + "---\n" + job("five"), "-o", "json"))
    equal((both["kind"], [j["metadata"]["name"] for j in both["items"]]), ("List", ["four", "five"]))

    broken = job("six") + "---\n" + job("seven").replace("replicas: 1", "replicas: 2")
    refused(2, "standard input: error: ", "submit", "-f", "-", stdin=broken)
    refused(2, "spce", "submit", "-f", "-", stdin=job("six").replace("spec:\n  py", "spce: {}\nspec:\n  py"))
    refused(2, "missing.yaml", "submit", "-f", "missing.yaml")
    refused(2, "expected", "submit", "-f", "-", stdin="")
    refused(2, "FILE or --filename is required", "submit")
    write("file.yaml", job("file"))
    equal(call("submit", "file.yaml"), "PyTorchJob/file submitted\n")
    refused(2, "FILE cannot be combined with --filename", "submit", "file.yaml", "-f", "file.yaml")
    refused(1, "", "get", "PyTorchJob/six")

    sidecar = job("warned").replace("metadata: {", "metadata: {annotations: {sidecar.istio.io/inject: 'false'}, ", 1)
    warned = run("submit", "-f", "-", stdin=sidecar)
    equal((warned.returncode, warned.stdout), (0, "PyTorchJob/warned submitted\n"))
    contains(warned.stderr, "metadata.annotations[sidecar.istio.io/inject]: ")
    contains(warned.stderr, "[lint.pod-annotation]\n")

    equal(submit(job("again"), "--idempotency-key", "a1"), submit(job("again"), "--idempotency-key", "a1"))
    refused(2, "PyTorchJob default/again", "submit", "-f", "-", "--idempotency-key", "a2", stdin=job("again"))
    for bad in ("", "a\nb", "a\x7f", "a\u0085", "a\u202eb"):
        output = refused(2, "--idempotency-key: expected ", "submit", "-f", "-", "--idempotency-key", bad,
                         stdin=job("again"))
        assert not bad or bad not in output, output
    refused(2, "--idempotency-key: expected UTF-8", "submit", "-f", "-", "--idempotency-key", "secret\udcff",
            stdin=job("again"))
    equal(submit(job("same"), "--idempotent"), submit(job("same"), "--idempotent"))
    refused(2, "--idempotency-key cannot be combined with --idempotent", "submit", "-f", "-", "--idempotent",
            "--idempotency-key", "a",
            stdin=job("same"))
    equal(submit(job("dry"), "--dry-run"), "PyTorchJob/dry submitted (dry run)\n")
    refused(1, "dry", "get", "PyTorchJob", "dry")
    refused(2, "--dry-run cannot be combined with --wait or --follow", "submit", "-f", "-", "--dry-run", "--wait",
            stdin=job("dry"))


@with_cluster
def cluster_submits_jobs_with_generated_names():
    drawn = job("x").replace("name: x", "generateName: digits-")
    output = [submit(drawn), submit(drawn + "---\n" + drawn)]
    assert re.fullmatch(r"(PyTorchJob/digits-[a-z0-9]{5} submitted\n){3}", "".join(output)), output
    names = re.findall(r"digits-\w+", "".join(output))
    equal(sorted(set(names)), sorted(call("get", "PyTorchJob", *names, "-o",
                                          "name").replace("PyTorchJob/", "").split()))
    refused(2, "PyTorchJob default/digits-...: metadata.generateName: --idempotent ", "submit", "-f", "-",
            "--idempotent",
            stdin=drawn)
    token = submit(drawn, "--idempotency-key", "a1")
    assert re.fullmatch(r"PyTorchJob/digits-\w+ submitted\n", token), token
    equal(submit(drawn, "--idempotency-key", "a1"), token)

    for twice, arguments in ((job("one") + "---\n" + job("one", namespace="default"), ()),
                             (drawn + "---\n" + drawn, ("--idempotency-key", "a2"))):
        refused(2, "expected each job once, got it twice", "submit", "-f", "-", *arguments, stdin=twice)
    equal(len(call("list", "-o", "name").splitlines()), 4)


@with_cluster
def cluster_lists_jobs():
    equal(call("list"), "no jobs\n")
    equal(json.loads(call("list", "-o", "json")), {"kind": "List", "apiVersion": "v1", "items": []})
    contains(call("list", "-o", "yaml"), "items: []\n")
    submit(job("vision", labels="{team: vision}") + "---\n" + job("text", labels="{team: text}"))
    table = call("list").splitlines()
    assert re.fullmatch(r"NAME +PHASE +AGE( +REASON)?", table[0]), table
    assert re.match(r"PyTorchJob/text +(Created|Running) +\d+s", table[1]), table
    assert re.match(r"NAMESPACE +NAME ", call("list", "-A")), "no namespaces with -A"
    contains(call("list", "-A"), "default    PyTorchJob/vision")
    equal(call("list", "-l", "team=vision", "-o", "name"), "PyTorchJob/vision\n")
    equal(call("list", "PyTorchJob", "tfjobs", "-o", "name"), "PyTorchJob/text\nPyTorchJob/vision\n")
    equal(call("list", "TFJob", "-o", "name"), "")
    listed = json.loads(call("list", "-o", "json"))
    equal((listed["kind"], [j["metadata"]["name"] for j in listed["items"]]), ("List", ["text", "vision"]))
    write("all.yaml", call("list", "-o", "yaml"))
    equal(call("get", "-f", "all.yaml", "-o", "name"), "PyTorchJob/text\nPyTorchJob/vision\n")
    page = run("list", "--limit", "1", "-o", "name")
    equal(page.stdout, "PyTorchJob/text\n")
    token = re.fullmatch(r"kftrain: more jobs follow: use --continue (\S+)\n", page.stderr)
    assert token, page.stderr
    equal(call("list", "-o", "name", "--continue", token.group(1)), "PyTorchJob/vision\n")
    refused(2, "continue: expected", "list", "--continue", "nonsense")
    refused(2, 'kind "pods"', "list", "pods")
    refused(2, "kftrain: ", "list", "-l", "a=b=c")


@with_cluster
def cluster_changes_jobs():
    submit(job("grows", workers=1, elastic=True))
    submit(job("rigid"))
    equal(call("scale", "PyTorchJob/grows", "Worker=2"), "PyTorchJob/grows scaled: Worker 2\n")
    stored = json.loads(call("get", "PyTorchJob", "grows", "-o", "json"))
    equal(stored["spec"]["pytorchReplicaSpecs"]["Worker"]["replicas"], 2)
    refused(2, "PyTorchJob default/grows: ", "scale", "PyTorchJob", "grows", "Worker=9")
    refused(2, 'PyTorchJob default/grows: role: "Boss", expected ', "scale", "PyTorchJob", "grows", "Boss=1")
    refused(2, "PyTorchJob default/rigid: ", "scale", "PyTorchJob", "rigid", "Master=2")
    for words in (["PyTorchJob/grows", "Worker=-1"], ["PyTorchJob/grows", "Worker"], ["PyTorchJob/grows"]):
        refused(2, "for example Worker=3", "scale", *words)
    refused(2, "expected ROLE=N", "scale")
    refused(1, "PyTorchJob default/nobody: ", "scale", "PyTorchJob/nobody", "Worker=1")

    equal(call("suspend", "PyTorchJob/rigid"), "PyTorchJob/rigid suspended\n")
    equal(call("wait", "PyTorchJob/rigid", "--for", "suspended", "--timeout", "60"), "PyTorchJob/rigid suspended\n")
    equal(call("resume", "PyTorchJob/rigid"), "PyTorchJob/rigid resumed\n")
    equal(call("wait", "PyTorchJob/rigid", "--for", "ready", "--timeout", "60"), "PyTorchJob/rigid ready\n")
    refused(1, "PyTorchJob default/nobody: ", "suspend", "PyTorchJob", "nobody")
    refused(1, "PyTorchJob default/nobody: ", "resume", "PyTorchJob", "nobody")


@with_cluster
def cluster_deletes_jobs():
    submit("---\n".join(job(name) for name in ("one", "two", "three")))
    output = refused(1, "PyTorchJob default/nobody: ", "delete", "PyTorchJob", "one", "nobody", "two", "--wait")
    contains(output, "PyTorchJob/one deleted\nPyTorchJob/two deleted\n")
    equal(call("list", "-o", "name"), "PyTorchJob/three\n")
    equal(call("delete", "-f", "-", "--foreground", "--wait", stdin=job("three")), "PyTorchJob/three deleted\n")
    equal(call("list"), "no jobs\n")
    equal(call("delete", "PyTorchJob/three", "--ignore-not-found"), "")


@with_cluster
def cluster_plans_and_runs_preflight_checks():
    write("job.yaml", job("grows", workers=1, elastic=True))
    created = json.loads(call("plan", "-f", "job.yaml", "-o", "json", expect=1))
    equal((created["name"], created["plan"]["exists"]), ("grows", False))
    call("submit", "-f", "job.yaml")
    call("plan", "-f", "job.yaml")
    equal(json.loads(call("plan", "-f", "job.yaml", "-o", "json"))["plan"]["exists"], True)
    write("job.yaml", read("job.yaml").replace("replicas: 1", "replicas: 2"))
    contains(call("plan", "-f", "job.yaml", expect=1), "Worker.replicas")
    changed = json.loads(call("plan", "-f", "job.yaml", "-o", "json", expect=1))
    fields = [(f["path"], f["before"], f["after"], f["effect"]) for f in changed["plan"]["fields"]]
    equal(fields, [("spec.pytorchReplicaSpecs.Worker.replicas", 1, 2, "in place")])
    broken = job("bad").replace("replicas: 1", "replicas: 2")
    refused(2, "PyTorchJob default/bad: error: ", "plan", "-f", "-", stdin=broken)
    refused(2, "required", "plan")

    refused(1, "PyTorchJob default/grows already exists", "preflight", "-f", "job.yaml")
    write("job.yaml", job("next"))
    report = json.loads(call("preflight", "-f", "job.yaml", "-o", "json"))
    equal((report["name"], report["preflight"]["passed"]), ("next", True))
    assert {c["verdict"] for c in report["preflight"]["checks"]} <= {"passed", "warned", "unknown"}, report
    contains(call("preflight", "-f", "job.yaml"), "served")
    failed = json.loads(call("preflight", "-f", "-", "-o", "json", "-n", "nowhere", expect=1,
                             stdin=job("x")).splitlines()[0])
    equal(failed["preflight"]["passed"], False)
    equal(len(call("preflight", "-f", "-", "-o", "json", stdin=job("a1") + "---\n" + job("b1")).splitlines()), 2)
    contains(call("preflight", "-f", "job.yaml", "-o", "yaml"), "---\napiVersion: kubeflow.org/v1\nkind: PyTorchJob\n")
    refused(2, "missing.yaml", "preflight", "-f", "missing.yaml")


RAY = """apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: ray}
spec:
  minAvailable: 1
  schedulerName: volcano
  plugins: {ray: [], svc: []}
  tasks:
    - name: head
      replicas: 1
      template: {spec: {restartPolicy: OnFailure, containers: [{name: head, image: none, command: [sleep, "1000"]}]}}
"""


@with_flags("volcano-release=v1.13.0")
def cluster_checks_jobs_by_the_operator_flags():
    """Release 1.13 has the plugin, that of the library has not."""
    flag = ("--operator-flag", "volcano-release=v1.13.0")
    for command, code in (("submit", 2), ("plan", 2), ("preflight", 1)):
        refused(code, "spec.plugins.ray: unable to find job plugin: ray", command, "-f", "-", stdin=RAY)
        refused(2, "--operator-flag: ", command, "-f", "-", "--operator-flag", "volcano-relase=v1.13.0", stdin=RAY)
    contains(call("plan", "-f", "-", *flag, expect=1, stdin=RAY), "ray")
    contains(call("preflight", "-f", "-", *flag, stdin=RAY), "served")
    equal(submit(RAY, *flag), "Job/ray submitted\n")
    call("plan", "-f", "-", *flag, stdin=RAY)


if __name__ == "__main__":
    run_test(globals())
