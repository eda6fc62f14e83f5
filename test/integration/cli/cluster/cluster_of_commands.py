"""Common parts of the tests of commands with a cluster: one of `kftrain local up`, jobs for it, and ways to run a
command."""

import os
import select
import subprocess
import threading
import time

from manifest_files import KFTRAIN, contains, equal, run

CONFIG = """apiVersion: v1
kind: Config
clusters: [{name: a, cluster: {server: 'http://127.0.0.1:%d'}}]
contexts: [{name: a, context: {cluster: a}}]
current-context: a
"""
REPLICA = """    %s:
      replicas: %d
      restartPolicy: %s
      template:
        spec:
          containers:
            - {name: pytorch, image: none, command: [sh, -c, '%s']}
"""

begun_processes = []


def job(name, script="exec sleep 1000", workers=0, elastic=False, namespace=None, labels="{}", policy="Never"):
    """A PyTorchJob whose members run the script."""
    where = f", namespace: {namespace}" if namespace else ""
    text = (f"apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {{name: {name}{where}, labels: {labels}}}\n"
            "spec:\n")
    if elastic:
        text += "  elasticPolicy: {minReplicas: 1, maxReplicas: 3, rdzvBackend: c10d}\n"
    text += "  pytorchReplicaSpecs:\n"
    if not elastic:
        text += REPLICA % ("Master", 1, policy, script)
    return text + (REPLICA % ("Worker", workers, policy, script) if workers else "")


def call(*arguments, expect=0, stdin=""):
    """Runs the command; returns its standard output and, if it is expected to fail, standard error."""
    done = run(*arguments, stdin=stdin)
    equal(done.returncode, expect, f"{' '.join(arguments)}\n{done.stdout}{done.stderr}")
    for line in done.stderr.splitlines():
        assert line.startswith("kftrain: "), f"{' '.join(arguments)} complains in another form:\n{done.stderr}"
    return done.stdout + (done.stderr if expect else "")


def refused(code, part, *arguments, stdin=""):
    output = call(*arguments, expect=code, stdin=stdin)
    contains(output, part)
    return output


def submit(text, *more):
    return call("submit", "-f", "-", *more, stdin=text)


def until(condition, what, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
        time.sleep(0.05)


def with_cluster(test, *flags):
    """Runs the test with its own cluster, which KUBECONFIG names and which operators with these flags serve."""
    def run_it():
        up = run("local", "--state", "state", "up", *(w for flag in flags for w in ("--operator-flag", flag)))
        equal(up.returncode, 0, up.stdout + up.stderr)
        os.environ["KUBECONFIG"] = os.path.abspath("state/kubeconfig")
        try:
            test()
        finally:
            for process in begun_processes:
                process.kill()  # one that has ended is left alone
            run("local", "--state", "state", "down", "--timeout", "5")
    return run_it


def with_flags(*flags):
    return lambda test: with_cluster(test, *flags)


def begun(*arguments, **options):
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    process = subprocess.Popen([KFTRAIN, *arguments], text=True, bufsize=1, **streams)
    begun_processes.append(process)
    return process


def is_full(pipe):
    """Whether a pipe is full; for either of its ends."""
    end = os.open(f"/proc/self/fd/{pipe if isinstance(pipe, int) else pipe.fileno()}", os.O_WRONLY | os.O_NONBLOCK)
    try:
        return not select.select([], [end], [], 0)[1]
    finally:
        os.close(end)


def ended(process, code):
    """Returns the rest of both outputs. Popen.communicate() would lose lines that an earlier readline() has
    buffered."""
    rest = {}

    def read_to_end(stream):
        rest[stream] = stream.read() if stream else None

    readers = [threading.Thread(target=read_to_end, args=(stream,),
                                daemon=True) for stream in (process.stdout, process.stderr)]
    for reader in readers:
        reader.start()
    process.wait(timeout=60)
    for reader in readers:
        reader.join(timeout=60)
    out, err = rest[process.stdout], rest[process.stderr]
    equal(process.returncode, code, f"{out}{err}")
    return out, err
