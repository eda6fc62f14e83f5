#!/usr/bin/python3
"""usage: end_to_end.py KFTRAIN SOURCE_DIR TEST

Runs the command as a user does and checks what it prints, its exit code, and that nothing is left behind."""

import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from bad_manifests import bad_manifests
from kubectl_calls import kubectl_calls
from local_server import local_server
from watched_command import watched_command

KFTRAIN, SOURCES, TEST = sys.argv[1:4]
MANIFESTS = os.path.join(SOURCES, "examples", "manifests")
SKIPPED = 77

JOB = """apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: %s}
spec:
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      template:
        spec:
          containers:
            - {name: pytorch, image: none, command: [sh, -c, '%s']}
    Worker:
      replicas: 1
      template:
        spec:
          containers:
            - {name: pytorch, image: none, command: [sh, -c, '%s']}
"""


def run(*arguments, **options):
    options.setdefault("cwd", SOURCES)
    return watched_command([KFTRAIN, *arguments], **options)


def need_torch():
    if importlib.util.find_spec("torch") is None:
        print("SKIPPED: PyTorch is not there; install the package python3-torch")
        sys.exit(SKIPPED)


def write(folder, text, name="job.yaml"):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def equal(got, want, context=""):
    assert got == want, f"got\n  {got}\nexpected\n  {want}\n{context}"


def section(lines, name):
    """The indented lines below a heading."""
    after = lines[lines.index(name) + 1:]
    end = next((i for i, line in enumerate(after) if not line.startswith("  ")), len(after))
    return [line.strip() for line in after[:end]]


def check_created(job, events):
    """Takes the events about creation out of the set and checks that there was one for each child."""
    children = [f"{job}-master-0", f"{job}-worker-0", f"{job}-worker-1"]
    created = {f"Normal  SuccessfulCreate{kind}  Created {kind.lower()}: {name}"
               for kind in ("Pod", "Service") for name in children}
    assert created <= events, created - events
    return events - created


def trains_to_the_end(**options):
    need_torch()
    command = run("run", os.path.join(MANIFESTS, "pytorch_digits.yaml"), **options)
    equal(command.end(120), 0, command.text)
    lines = command.lines
    for rank in range(3):
        mine = [line for line in lines if line.startswith(f"[rank {rank}] ")]
        losses = [float(line.rsplit(" ", 1)[1]) for line in mine if f"rank {rank} epoch" in line]
        equal(len(losses), 5, command.text)
        assert losses[-1] < losses[0] / 4, losses
    weights = re.findall(r"\[rank (\d)\] rank \1 weights ([0-9a-f]{8}), the same on every rank", command.text)
    equal(sorted(rank for rank, _ in weights), ["0", "1", "2"], command.text)
    equal(len({checksum for _, checksum in weights}), 1)
    accuracy = re.search(r"accuracy (0\.\d+|1\.0+) on 400 digits", command.text)
    assert accuracy and float(accuracy.group(1)) >= 0.9, command.text
    for name, rank in (("master-0", 0), ("worker-0", 1), ("worker-1", 2)):
        assert f"pytorch-digits-{name}  rank {rank}  Running" in lines, command.text
    assert "pytorch-digits-master-0  rank 0  Succeeded" in lines, command.text

    equal(section(lines, "Conditions"), [
        "Created=True  PyTorchJobCreated  PyTorchJob pytorch-digits is created.",
        "Running=False  PyTorchJobRunning  PyTorchJob pytorch-digits is running.",
        "Succeeded=True  PyTorchJobSucceeded  PyTorchJob pytorch-digits is successfully completed."])
    events = section(lines, "Events")
    equal(len(events), len(set(events)), events)
    rest = check_created("pytorch-digits", set(events))
    # The job is finished with its master; workers that end later are ignored.
    rest -= {f"Normal  ExitedWithCode  Pod: default.pytorch-digits-worker-{i} exited with code 0" for i in range(2)}
    equal(rest, {"Normal  ExitedWithCode  Pod: default.pytorch-digits-master-0 exited with code 0",
                 "Normal  PyTorchJobSucceeded  PyTorchJob pytorch-digits is successfully completed."})
    equal(lines[-1], "PyTorchJob pytorch-digits Succeeded")
    assert command.family and command.folders, "nothing was watched"
    command.check_nothing_left()
    return command


def fails_with_its_worker():
    need_torch()
    job = "pytorch-failing-worker"
    command = run("run", os.path.join(MANIFESTS, "pytorch_failing_worker.yaml"))
    equal(command.end(120), 1, command.text)
    lines = command.lines
    assert f"{job}-worker-1  rank 2  Failed (exit 3)" in lines, command.text
    assert "[rank 2] rank 2 gives up with exit code 3, as --fail-rank requests" in lines, command.text
    assert not re.search(r"Running \(exit", command.text), "a replica that is being ended is shown as running"
    equal(section(lines, "Conditions"), [
        f"Created=True  PyTorchJobCreated  PyTorchJob {job} is created.",
        f"Running=False  PyTorchJobRunning  PyTorchJob {job} is running.",
        f"Failed=True  PyTorchJobFailed  PyTorchJob {job} is failed because 1 Worker replica(s) failed."])
    events = section(lines, "Events")
    equal(len(events), len(set(events)), events)
    left = {f"{job}-master-0", f"{job}-worker-0"}
    equal(check_created(job, set(events)),
          {f"Normal  ExitedWithCode  Pod: default.{job}-worker-1 exited with code 3",
           f"Normal  PyTorchJobFailed  PyTorchJob {job} is failed because 1 Worker replica(s) failed."}
          | {f"Normal  SuccessfulDelete{kind}  Deleted {kind.lower()}: {name}"
             for kind in ("Pod", "Service") for name in left})
    equal(lines[-1], f"PyTorchJob {job} Failed")
    command.check_nothing_left()


def reports_why_a_container_did_not_start():
    with tempfile.TemporaryDirectory() as folder:
        job = (JOB % ("lost", "true", "true")).replace("replicas: 1", "replicas: 1\n      restartPolicy: Never", 1)
        job = job.replace("image: none", "image: none, workingDir: /not/there", 1)
        command = run("run", write(folder, job))
        equal(command.end(60), 1, command.text)
        why = r'^lost-master-0  rank 0  Failed \(StartError: .*"/not/there".*No such file or directory\)$'
        assert re.search(why, command.text, re.M), command.text
        command.check_nothing_left()


def stops_when_interrupted():
    with tempfile.TemporaryDirectory() as folder:
        slow = write(folder, JOB % ("slow", "echo up; trap : INT TERM; sleep 100 & wait; sleep 100",
                                    "echo up; sleep 100"))
        for wait in (*(i * 0.002 for i in range(16)), 0.05, 0.1, 0.2):
            command = run("run", slow)
            time.sleep(wait)
            command.interrupt()
            equal(command.end(20), 130, f"interrupted after {wait} s\n{command.text}")
            command.check_nothing_left()
        for moment in ("submitted", r"Pending \(PodInitializing\)", r"Pending \(init-pytorch\)", r"^\[rank 1\] up"):
            command = run("run", slow)
            command.wait_for(moment)
            command.interrupt()
            equal(command.end(20), 130, f"interrupted at {moment}\n{command.text}")
            assert "Conditions" not in command.lines, command.text
            command.check_nothing_left()
        for number in (signal.SIGINT, signal.SIGTERM):
            command = run("run", slow)
            command.wait_for(r"^\[rank 1\] up")
            command.process.send_signal(number)
            command.process.send_signal(signal.SIGINT)
            equal(command.end(20), 130, command.text)
            command.check_nothing_left()


def stops_while_starting():
    """A helper that never answers must not prevent the user from interrupting the command."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(KFTRAIN, os.path.join(folder, "kftrain"))
        os.chmod(write(folder, "#!/bin/sh\nexec sleep 1000\n", "kftrain-sandbox"), 0o755)
        command = watched_command([os.path.join(folder, "kftrain"), "run",
                                   write(folder, JOB % ("small", "true", "true"))])
        while "sleep" not in command.programs:
            assert command.process.poll() is None, command.text
            time.sleep(0.02)
        command.interrupt()
        equal(command.end(20), 130, command.text)
        assert "submitted" not in command.text, command.text
        command.check_nothing_left()


def stops_while_training():
    need_torch()
    with open(os.path.join(MANIFESTS, "pytorch_digits.yaml"), encoding="utf-8") as file:
        text = file.read().replace("pytorch_digits.py]", "pytorch_digits.py, --epochs, '1000']")
    with tempfile.TemporaryDirectory() as folder:
        command = run("run", write(folder, text))
        command.wait_for(r"rank 2 epoch 3/1000")
        command.interrupt()
        equal(command.end(20), 130, command.text)
        command.check_nothing_left()


def leaves_nothing_when_it_is_killed():
    with tempfile.TemporaryDirectory() as folder:
        slow = write(folder, JOB % ("slow", "echo up; sleep 100", "echo up; sleep 100"))
        for moment in ("submitted", r"^\[rank 1\] up"):
            command = run("run", slow)
            command.wait_for(moment)
            command.look()
            command.process.kill()
            equal(command.end(5), 137)
            assert command.family, "nothing was watched"
            command.check_nothing_left(5)


def fails_with_its_helper():
    with tempfile.TemporaryDirectory() as folder:
        command = run("run", write(folder, JOB % ("slow", "echo up; sleep 100", "echo up; sleep 100")))
        command.wait_for(r"^\[rank 1\] up")
        command.look()
        oldest = min(command.family, key=lambda pid: int(command.family[pid]))
        os.kill(oldest, signal.SIGKILL)
        equal(command.end(20), 3, command.text)
        assert "kftrain: the local cluster failed: " in command.text, command.text
        command.check_nothing_left()


def refuses_bad_input():
    with tempfile.TemporaryDirectory() as folder:
        good = JOB % ("small", "true", "true")
        for path, patterns in bad_manifests(folder, good, write):
            command = run("run", path)
            equal(command.end(20), 2, f"{path}\n{command.text}")
            for pattern in patterns:
                assert re.search(pattern, command.text), f"{path}: no {pattern!r} in\n{command.text}"
            assert "submitted" not in command.text
            # The leak checker of a sanitizer build is a child, too; only the helper must not exist.
            assert "kftrain-sandbox" not in command.programs, "a cluster was started"
        for arguments in ([], ["run"], ["run", "a", "b"], ["run", good, "--isolation", "none"], ["local"], ["train"]):
            command = run(*arguments)
            equal(command.end(20), 2, f"{arguments}\n{command.text}")


def runs_in_a_namespace_of_its_own():
    with tempfile.TemporaryDirectory() as folder:
        manifest = write(folder,
                         (JOB % ("small", "true", "true")).replace("{name: small}", "{name: small, namespace: team}"))
        command = run("run", manifest)
        equal(command.end(60), 0, command.text)
        assert "PyTorchJob small Succeeded" in command.text, command.text
        assert "Normal  SuccessfulCreatePod  Created pod: small-master-0" in command.text, command.text


def runs_as_an_ordinary_user():
    need_torch()
    if os.getuid() != 0:
        print("SKIPPED: this is no root, so every other test proves it already")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as home:
        os.chown(home, 65534, 65534)
        command = trains_to_the_end(user=65534, group=65534, extra_groups=[],
                                    env={"HOME": home, "PATH": os.environ["PATH"]})
        assert "without a sandbox" not in command.text, command.text


def refuses_without_namespaces():
    """On a host that forbids network namespaces a job that needs names is refused, and the command ends."""
    with tempfile.TemporaryDirectory() as folder:
        manifest = write(folder, JOB % ("small", "true", "true"))
        forbid = 'echo 0 > /proc/sys/user/max_net_namespaces && exec "$@"'
        command = watched_command(["unshare", "-Ur", "sh", "-c", forbid, "sh", KFTRAIN, "run", manifest], cwd=SOURCES)
        equal(command.end(20), 2, command.text)
        assert "pods run without a sandbox" in command.text, command.text
        assert re.search(r"small-worker-0: spec\.initContainers: .* names of pods", command.text), command.text
        assert "submitted" not in command.text, command.text


def ends_without_output():
    """As every command, it exits with 2 if standard output is full or closed, although the job could continue."""
    with tempfile.TemporaryDirectory() as folder:
        manifest = write(folder, JOB % ("slow", "echo up; sleep 100", "echo up; sleep 100"))
        for output in (">/dev/full", ">&-"):
            done = subprocess.run(["sh", "-c", f'exec "$@" {output}', "sh", KFTRAIN, "run", manifest], cwd=SOURCES,
                                  capture_output=True, text=True, check=False, timeout=60)
            last = done.stderr.splitlines()[-1:]
            equal((done.returncode, last), (2, ["kftrain: cannot write to standard output"]), done.stderr)


TESTS = {
    "succeeds": trains_to_the_end,
    "fails": fails_with_its_worker,
    "no_start": reports_why_a_container_did_not_start,
    "interrupted": stops_when_interrupted,
    "interrupted_start": stops_while_starting,
    "interrupted_training": stops_while_training,
    "killed": leaves_nothing_when_it_is_killed,
    "helper_killed": fails_with_its_helper,
    "local_server": lambda: local_server(KFTRAIN, SOURCES, JOB),
    "kubectl_calls": lambda: kubectl_calls(KFTRAIN, SOURCES, JOB),
    "bad_input": refuses_bad_input,
    "no_namespaces": refuses_without_namespaces,
    "no_output": ends_without_output,
    "own_namespace": runs_in_a_namespace_of_its_own,
    "ordinary_user": runs_as_an_ordinary_user,
}

if __name__ == "__main__":
    TESTS[TEST]()
