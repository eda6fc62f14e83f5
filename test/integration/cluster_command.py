#!/usr/bin/python3
"""usage: cluster_command.py KFTRAIN TEST

The commands that take a cluster, by the kubeconfig of `kftrain local up`: what they take, print and answer."""

import json
import os
import re
import signal
import socket
import subprocess
import time

from manifest_files import KFTRAIN, contains, equal, read, run, run_test, write

REPLICA = """    %s:
      replicas: %d
      restartPolicy: %s
      template:
        spec:
          containers:
            - {name: pytorch, image: none, command: [sh, -c, '%s']}
"""


def job(name, script="exec sleep 1000", workers=0, elastic=False, namespace=None, labels="{}", policy="Never"):
    """A PyTorchJob whose members run the script."""
    where = f", namespace: {namespace}" if namespace else ""
    text = f"apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {{name: {name}{where}, labels: {labels}}}\nspec:\n"
    if elastic:
        text += "  elasticPolicy: {minReplicas: 1, maxReplicas: 3, rdzvBackend: c10d}\n"
    text += "  pytorchReplicaSpecs:\n"
    if not elastic:
        text += REPLICA % ("Master", 1, policy, script)
    return text + (REPLICA % ("Worker", workers, policy, script) if workers else "")


def call(*arguments, expect=0, stdin=""):
    """Runs the command; returns what it prints, with what it complains of if it is expected to fail."""
    done = run(*arguments, stdin=stdin)
    equal(done.returncode, expect, f"{' '.join(arguments)}\n{done.stdout}{done.stderr}")
    for line in done.stderr.splitlines():
        assert line.startswith("kftrain: "), f"{' '.join(arguments)} complains in another form:\n{done.stderr}"
    return done.stdout + (done.stderr if expect else "")


def refused(code, part, *arguments, stdin=""):
    said = call(*arguments, expect=code, stdin=stdin)
    contains(said, part)
    return said


def submit(text, *more):
    return call("submit", "-f", "-", *more, stdin=text)


def until(condition, what, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
        time.sleep(0.05)


def with_cluster(test):
    """Runs the test with a cluster of its own, which KUBECONFIG names."""
    def run_it():
        said = run("local", "--state", "state", "up")
        equal(said.returncode, 0, said.stdout + said.stderr)
        os.environ["KUBECONFIG"] = os.path.abspath("state/kubeconfig")
        try:
            test()
        finally:
            run("local", "--state", "state", "down", "--timeout", "5")
    return run_it


def begun(*arguments, **options):
    return subprocess.Popen([KFTRAIN, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            bufsize=1, **options)


def ended(process, code):
    out, err = process.communicate(timeout=60)
    equal(process.returncode, code, out + err)
    return out, err


def cluster_says_where_it_looked():
    os.environ.pop("KUBECONFIG", None)
    os.environ["HOME"] = os.getcwd()
    refused(2, ".kube/config", "list")
    refused(2, "missing.yaml", "list", "--kubeconfig", "missing.yaml")
    write("config", "apiVersion: v1\nkind: Config\nclusters: [{name: a, cluster: {server: 'http://127.0.0.1:1'}}]\n"
          "contexts: [{name: a, context: {cluster: a}}]\ncurrent-context: a\n")
    refused(2, "nowhere", "list", "--kubeconfig", "config", "--context", "nowhere")
    refused(3, "TFJob default/a: ", "get", "TFJob/a", "--kubeconfig", "config")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        write("config", read("config").replace("127.0.0.1:1'", f"127.0.0.1:{silent.getsockname()[1]}'"))
        refused(4, "TFJob default/a: ", "get", "TFJob/a", "--kubeconfig", "config", "--timeout", "300ms")
    for time_given in ("-1s", "soon", "20000h"):
        refused(2, "expected seconds or a time such as 90s", "list", f"--timeout={time_given}")


@with_cluster
def cluster_names_jobs_as_kubectl():
    submit(job("digits"))
    for names in (["PyTorchJob/digits"], ["pytorchjob", "digits"], ["pytorchjobs.kubeflow.org", "digits"],
                  ["pytorchjobs.v1.kubeflow.org/digits"], ["PYTORCHJOB.V1/digits"], ["-f", "digits.yaml"]):
        write("digits.yaml", job("digits"))
        equal(call("get", *names, "-o", "name"), "PyTorchJob/digits\n", names)
    refused(2, 'kind "pod" names no known job kind; known are: PyTorchJob.v1, TFJob, ', "get", "pod/a")
    refused(2, 'expected KIND/NAME, or KIND and then NAME, got "digits"', "get", "digits")
    refused(2, 'expected KIND/NAME, got "b"', "get", "TFJob/a", "b")
    refused(2, 'expected a name behind the kind "TFJob", got "a/b"', "get", "TFJob", "a/b")
    refused(2, "expected a job as KIND/NAME, or a manifest by --filename", "get")
    refused(2, "JOB excludes", "get", "TFJob/a", "-f", "digits.yaml")
    refused(2, "metadata.name: expected the name of a job", "get", "-f", "-", stdin=job("x").replace("name: x, ", ""))
    refused(2, 'metadata.namespace: expected "other" as --namespace says, found "team"', "get", "-n", "other", "-f", "-",
            stdin=job("x", namespace="team"))
    refused(2, "expected one job, found 2", "events", "TFJob", "a", "b")
    refused(1, "PyTorchJob default/nobody: ", "get", "PyTorchJob/nobody")
    refused(1, "PyTorchJob other/digits: ", "get", "PyTorchJob/digits", "-n", "other")


@with_cluster
def cluster_submits_what_keeps_to_the_rules():
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
    refused(2, "required", "submit")
    refused(1, "", "get", "PyTorchJob/six")

    equal(submit(job("again"), "--token", "a1"), submit(job("again"), "--token", "a1"))
    refused(2, "PyTorchJob default/again", "submit", "-f", "-", "--token", "a2", stdin=job("again"))
    equal(submit(job("same"), "--idempotent"), submit(job("same"), "--idempotent"))
    refused(2, "excludes", "submit", "-f", "-", "--idempotent", "--token", "a", stdin=job("same"))
    refused(2, "dryRun is not supported by this server", "submit", "-f", "-", "--dry-run", stdin=job("dry"))
    refused(2, "--dry-run stores no job", "submit", "-f", "-", "--dry-run", "--wait", stdin=job("dry"))


@with_cluster
def cluster_lists_jobs():
    equal(call("list"), "no jobs\n")
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
    token = re.fullmatch(r"kftrain: there are more jobs: --continue (\S+)\n", page.stderr)
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
    refused(2, "PyTorchJob default/grows: ", "scale", "PyTorchJob", "grows", "Boss=1")
    refused(2, "PyTorchJob default/rigid: ", "scale", "PyTorchJob", "rigid", "Master=2")
    for words in (["PyTorchJob/grows", "Worker=-1"], ["PyTorchJob/grows", "Worker"], ["PyTorchJob/grows"]):
        refused(2, "expected ROLE=N, as in Worker=3", "scale", *words)
    refused(2, "expected ROLE=N", "scale")
    refused(1, "PyTorchJob default/nobody: ", "scale", "PyTorchJob/nobody", "Worker=1")

    equal(call("suspend", "PyTorchJob/rigid"), "PyTorchJob/rigid suspended\n")
    equal(call("wait", "PyTorchJob/rigid", "--for", "suspended", "--timeout", "60"), "PyTorchJob/rigid Suspended\n")
    equal(call("resume", "PyTorchJob/rigid"), "PyTorchJob/rigid resumed\n")
    equal(call("wait", "PyTorchJob/rigid", "--for", "ready", "--timeout", "60"), "PyTorchJob/rigid Running\n")
    refused(1, "PyTorchJob default/nobody: ", "suspend", "PyTorchJob", "nobody")
    refused(1, "PyTorchJob default/nobody: ", "resume", "PyTorchJob", "nobody")


@with_cluster
def cluster_deletes_jobs():
    submit("---\n".join(job(name) for name in ("one", "two", "three")))
    said = refused(1, "PyTorchJob default/nobody: ", "delete", "PyTorchJob", "one", "nobody", "two", "--wait")
    contains(said, "PyTorchJob/one deleted\nPyTorchJob/two deleted\n")
    equal(call("list", "-o", "name"), "PyTorchJob/three\n")
    equal(call("delete", "-f", "-", "--foreground", "--wait", stdin=job("three")), "PyTorchJob/three deleted\n")
    equal(call("list"), "no jobs\n")
    equal(call("delete", "PyTorchJob/three", "--ignore-not-found"), "")


@with_cluster
def cluster_waits_for_jobs():
    equal(submit(job("fine", "echo done"), "--wait"), "PyTorchJob/fine submitted\n")
    equal(call("wait", "PyTorchJob/fine"), "PyTorchJob/fine Succeeded\n")
    equal(refused(1, "", "submit", "-f", "-", "--wait", stdin=job("bad", "exit 3")),
          "PyTorchJob/bad submitted\nkftrain: PyTorchJob/bad Failed\n")
    equal(refused(1, "", "wait", "PyTorchJob", "bad", "fine", "--timeout", "60").count("\n"), 2)
    equal(call("wait", "PyTorchJob/bad", "--for", "failed"), "PyTorchJob/bad Failed\n")
    refused(1, "PyTorchJob default/bad: ", "wait", "PyTorchJob/bad", "--for", "succeeded", "--timeout", "60")
    refused(1, "PyTorchJob default/bad: ", "wait", "PyTorchJob/bad", "--for", "ready", "--timeout", "60")
    refused(4, "PyTorchJob default/later: ", "wait", "PyTorchJob/later", "--timeout", "200ms")
    refused(2, "--for: expected finished, succeeded", "wait", "PyTorchJob/bad", "--for", "better")
    refused(2, "--for: expected finished, succeeded", "wait", "PyTorchJob/bad", "--for", "ready=Worker")

    later = begun("wait", "PyTorchJob/later", "--for", "ready=Worker:2")
    submit(job("later", workers=2))
    equal(ended(later, 0), ("PyTorchJob/later Running\n", ""))
    gone = begun("wait", "PyTorchJob/later", "--for", "deleted")
    lost = begun("wait", "PyTorchJob/later")
    time.sleep(0.5)
    call("delete", "PyTorchJob/later")
    equal(ended(gone, 0), ("PyTorchJob/later deleted\n", ""))
    contains(ended(lost, 1)[1], "kftrain: PyTorchJob default/later: ")


@with_cluster
def cluster_watches_jobs():
    submit(job("first"))
    told = begun("watch", "-o", "json")
    text = begun("watch", "PyTorchJob/first")
    change = json.loads(told.stdout.readline())
    equal((change["change"], change["initial"], change["state"]["job"]["name"]), ("added", True, "first"))
    submit(job("second", "echo done"))
    last = {}
    while last.get("second") != "Succeeded":
        change = json.loads(told.stdout.readline())
        last[change["state"]["job"]["name"]] = change["state"]["phase"]
    call("delete", "PyTorchJob/first")
    while change["change"] != "deleted":
        change = json.loads(told.stdout.readline())
    equal(change["state"]["job"]["name"], "first")
    line = text.stdout.readline()
    assert re.match(r"added    PyTorchJob/first  \w+", line), line
    while not line.startswith("deleted"):
        line = text.stdout.readline()
        assert line, text.stderr.read()
    equal(line, "deleted  PyTorchJob/first\n")
    for process in (told, text):
        process.send_signal(signal.SIGINT)
        equal(ended(process, 130)[1], "")
    contains(call("watch", "-A", "--no-pods", "--timeout", "1"), "added    default  PyTorchJob/second  Succeeded")
    equal(call("watch", "TFJob", "--timeout", "500ms"), "")
    refused(2, "expected no -A", "watch", "PyTorchJob/a", "-A")


@with_cluster
def cluster_prints_logs():
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

    follows = begun("logs", "--filename", write("stays.yaml", job("stays")))
    for _ in range(7):
        follows.stdout.readline()
    follows.send_signal(signal.SIGINT)
    equal(ended(follows, 130), ("", ""))


@with_cluster
def cluster_ends_quietly_when_nobody_reads():
    submit(job("endless", "while true; do echo line; sleep 0.01; done"))
    for handler in (signal.SIG_DFL, signal.SIG_IGN):
        process = begun("logs", "PyTorchJob/endless", preexec_fn=lambda h=handler: signal.signal(signal.SIGPIPE, h),
                        restore_signals=False)
        equal(process.stdout.readline(), "[rank 0] line\n")
        process.stdout.close()
        code = process.wait(30)
        equal(process.stderr.read(), "", handler)
        equal(128 - code if code < 0 else code, 141, handler)
    follows = begun("submit", "-f", write("quick.yaml", job("quick", "echo hello; exit 3")), "--follow")
    out, err = ended(follows, 1)
    equal((out, err), ("PyTorchJob/quick submitted\n[rank 0] hello\n", "kftrain: PyTorchJob/quick Failed\n"))


@with_cluster
def cluster_tells_events_and_why():
    submit(job("bad", "echo going down; exit 3"))
    call("wait", "PyTorchJob/bad", "--for", "failed")
    table = call("events", "PyTorchJob/bad")
    assert re.match(r"LAST +COUNT +TYPE +REASON +OBJECT +MESSAGE\n", table), table
    contains(table, "Pod/bad-master-0")
    listed = json.loads(call("events", "PyTorchJob/bad", "-o", "json"))
    assert any(e["objectKind"] == "PyTorchJob" and e["reason"] for e in listed["items"]), listed
    alone = json.loads(call("events", "PyTorchJob/bad", "--job-alone", "-o", "json"))
    equal({e["objectKind"] for e in alone["items"]}, {"PyTorchJob"})
    newest = json.loads(call("events", "PyTorchJob/bad", "--most", "1", "-o", "json"))
    equal((len(newest["items"]), newest["leftOut"]), (1, len(listed["items"]) - 1))
    refused(1, "PyTorchJob default/nobody: ", "events", "PyTorchJob/nobody")

    text = call("explain", "PyTorchJob/bad")
    contains(text, "going down")
    why = json.loads(call("explain", "PyTorchJob/bad", "-o", "json"))
    equal((why["causes"][0]["kind"], why["causes"][0]["code"]), ("exited", 3))
    equal(why["causes"][0]["log"], ["going down"])
    equal((why["state"]["phase"], why["state"]["job"]["name"]), ("Failed", "bad"))
    assert "log" not in json.loads(call("explain", "PyTorchJob/bad", "--log-lines", "0", "-o", "json"))["causes"][0]
    contains(call("explain", "PyTorchJob/bad", "-o", "yaml"), "kind: exited\n")
    refused(1, "PyTorchJob default/nobody: ", "explain", "PyTorchJob/nobody")
    refused(2, "--quiet", "explain", "PyTorchJob/bad", "--quiet", "long")


@with_cluster
def cluster_plans_and_looks_ahead():
    write("job.yaml", job("grows", workers=1, elastic=True))
    created = json.loads(call("plan", "-f", "job.yaml", "-o", "json", expect=1))
    equal(created["exists"], False)
    call("submit", "-f", "job.yaml")
    call("plan", "-f", "job.yaml")
    equal(json.loads(call("plan", "-f", "job.yaml", "-o", "json"))["exists"], True)
    write("job.yaml", read("job.yaml").replace("replicas: 1", "replicas: 2"))
    contains(call("plan", "-f", "job.yaml", expect=1), "Worker.replicas")
    changed = json.loads(call("plan", "-f", "job.yaml", "-o", "json", expect=1))
    fields = [(f["path"], f["before"], f["after"], f["effect"]) for f in changed["fields"]]
    equal(fields, [("spec.pytorchReplicaSpecs.Worker.replicas", 1, 2, "in place")])
    broken = job("bad").replace("replicas: 1", "replicas: 2")
    refused(2, "PyTorchJob default/bad: error: ", "plan", "-f", "-", stdin=broken)
    refused(2, "required", "plan")

    report = json.loads(call("preflight", "-f", "job.yaml", "-o", "json"))
    equal((report["passed"], report["job"]["name"]), (True, "grows"))
    assert {c["verdict"] for c in report["checks"]} <= {"passed", "warned", "unknown"}, report
    contains(call("preflight", "-f", "job.yaml"), "served")
    failed = json.loads(call("preflight", "-f", "-", "-o", "json", "-n", "nowhere", expect=1,
                             stdin=job("x")).splitlines()[0])
    equal(failed["passed"], False)
    equal(len(call("preflight", "-f", "-", "-o", "json", stdin=job("x") + "---\n" + job("y")).splitlines()), 2)
    refused(2, "missing.yaml", "preflight", "-f", "missing.yaml")


if __name__ == "__main__":
    run_test(globals())
