#!/usr/bin/python3
"""usage: limits_command.py KFTRAIN TEST

Limits of memory and processors, which control groups enforce, in jobs as a user runs them."""

import glob
import os
import signal
import subprocess
import sys
import time

from local_server import below, gone
from manifest_files import KFTRAIN, contains, equal, read, run, run_test, write

SKIPPED = 77
STATE = ("--kubeconfig", "state/kubeconfig")
UNENFORCED = "limits of containers are not enforced: "
JOB = """apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: limited}
spec:
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      restartPolicy: Never
      template:
        spec:
          containers:
          - {name: pytorch, image: none, command: [%s], resources: {limits: {memory: 64Mi, cpu: 1500m}}}
"""
TRAIN = """print("load the data", flush=True)
data = [bytearray(8 << 20) for _ in range(64)]
print("train")
"""
# Its limits, an attempt to raise one, and a child that exceeds it.
PARENT = """import os, subprocess, sys, time
groups = [line.split(":")[1] for line in open("/proc/self/cgroup")]
def find(controller, old, new):
    for names in groups:
        if controller in names.split(","):
            return f"/sys/fs/cgroup/{names}/{old}"
    return f"/sys/fs/cgroup/{new}"
print("memory", open(find("memory", "memory.limit_in_bytes", "memory.max")).read().strip())
print("quota", open(find("cpu", "cpu.cfs_quota_us", "cpu.max")).read().split()[0], flush=True)
try:
    open(find("memory", "memory.limit_in_bytes", "memory.max"), "w").write(str(1 << 40))
    print("raised", flush=True)
except OSError as e:
    print("refused", e.strerror, flush=True)
while not os.path.exists("GO"):
    time.sleep(0.05)
print("child", subprocess.run(["python3", "TRAIN"]).returncode, flush=True)
sys.exit(5)
"""


def directories():
    """Where kftrain makes groups: with version 1 in each hierarchy, with version 2 beside the group of this test."""
    found, unified = [], None
    for line in read("/proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        if {"cpu", "memory"} & set(controllers.split(",")):
            found.append(f"/sys/fs/cgroup/{controllers}{path}".rstrip("/"))
        if not controllers:
            unified = os.path.dirname(f"/sys/fs/cgroup{path}")
    return found or [unified]


def may_make_groups():
    enabled = f"{directories()[0]}/cgroup.subtree_control"
    return all(os.access(path, os.W_OK) for path in directories()) and (
        len(directories()) > 1 or os.path.exists(enabled) and {"cpu", "memory"} <= set(read(enabled).split()))


def need_groups():
    if not may_make_groups():
        print(f"SKIPPED: this user may not make control groups with memory and cpu in {' and '.join(directories())}")
        sys.exit(SKIPPED)


def groups(helper=None):
    """Those of this helper, and those that dead ones left; other clusters may live on the machine."""
    owned = [(path, int(path.split("kftrain-")[1].split("-")[0]))
             for directory in directories() for path in glob.glob(f"{directory}/kftrain-*")]
    return sorted(path for path, owner in owned if owner == helper or not os.path.exists(f"/proc/{owner}"))


def up():
    """Starts a cluster; returns the ids of its server and of its helper."""
    server = int(local("up").split("process ", 1)[1].split()[0].rstrip(","))
    return server, int(read(f"/proc/{server}/task/{server}/children"))


def local(verb, *more):
    done = run("local", "--state", "state", verb, *more)
    equal(done.returncode, 0, f"local {verb}\n{done.stdout}{done.stderr}")
    return done.stdout


def until(condition, what):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, f"not within a minute: {what}"
        time.sleep(0.05)


def logs():
    return run("logs", "pytorchjob/limited", *STATE, "--no-follow").stdout


def program(name, text):
    return f"python3, {os.path.abspath(write(name, text))}"


def limits_of_memory_end_a_program():
    need_groups()
    before = groups()
    done = run("run", write("job.yaml", JOB % program("train.py", TRAIN)), "--timeline", "job.txt")
    equal(done.returncode, 1, done.stdout + done.stderr)
    contains(done.stdout, "load the data\n")
    assert "train\n" not in done.stdout and UNENFORCED not in done.stderr, done.stdout + done.stderr
    contains(done.stdout, "limited-master-0  rank 0  Failed (exit 137, OOMKilled)\n")
    contains(read("job.txt"), "OOMKilled, exit code 137")
    equal(groups(), before)


def limits_cover_children_and_commands():
    need_groups()
    before = groups()
    train = program("train.py", TRAIN)
    parent = PARENT.replace("GO", os.path.abspath("go")).replace("TRAIN", os.path.abspath("train.py"))
    _, helper = up()
    try:
        run("submit", write("job.yaml", JOB % program("parent.py", parent)), *STATE)
        until(lambda: len(logs().splitlines()) == 3, "three lines")
        output = logs()
        contains(output, f"memory {64 << 20}\n")
        contains(output, "quota 150000\n")
        contains(output, "refused Read-only file system\n")
        equal(len(groups(helper)) - len(before), len(directories()))
        killed = run("exec", "pytorchjob/limited", *STATE, "--", *train.split(", "))
        equal((killed.returncode, killed.stdout), (137, "load the data\n"), killed.stderr)
        write("go", "")
        equal(run("wait", "pytorchjob/limited", *STATE).returncode, 1)
        explained = run("explain", "pytorchjob/limited", *STATE).stdout
        contains(explained, "out-of-memory: Master 0 (rank 0) was killed")
        contains(explained, "its limit is 64Mi\n")
        whole = len(directories()) == 1  # version 2 ends all processes of a container
        contains(explained, f"exit code {137 if whole else 5}, OOMKilled")
        equal("child -9\n" in logs(), not whole)
    finally:
        local("down")
    equal(groups(), before)


def limits_leave_no_group_when_a_cluster_is_killed():
    need_groups()
    before = groups()
    write("job.yaml", JOB % "sh, -c, setsid sleep 1000 & exec sleep 1000")
    try:
        for kill_helper in (False, True):
            server, helper = up()
            run("submit", "job.yaml", *STATE)
            until(lambda: len(groups(helper)) == len(before) + len(directories()), "the groups are there")
            until(lambda: "Running" in run("list", *STATE).stdout, "the job runs")
            family = below(server)
            if kill_helper:
                os.kill(server, signal.SIGSTOP)  # else it would notice that the helper ended
                os.kill(helper, signal.SIGKILL)
            os.kill(server, signal.SIGKILL)
            until(lambda: gone(family), "the processes are gone")
            if kill_helper:
                assert groups(helper) != before, "nothing was left"
                local("up")
            until(lambda: groups(helper) == before, f"the groups are gone: {groups(helper)}")
    finally:
        local("down")


def limits_that_cannot_be_enforced_are_reported_once():
    if os.geteuid() != 0 and may_make_groups():
        print("SKIPPED: this user may make control groups, and only root can hide them from a test")
        sys.exit(SKIPPED)
    write("job.yaml", JOB % 'sh, -c, "echo here I am"')
    read_only = "for d in $(awk '$3 ~ /^cgroup/ {print $2}' /proc/mounts); do mount -o remount,bind,ro $d; done; "
    script = (read_only if os.geteuid() == 0 else "") + 'exec "$@"'
    alone = ["unshare", "-m"] if os.geteuid() == 0 else []
    done = subprocess.run([*alone, "sh", "-c", script, "sh", KFTRAIN, "run", "job.yaml"], capture_output=True,
                          text=True, check=False)
    equal(done.returncode, 0, done.stdout + done.stderr)
    contains(done.stdout, "[rank 0] here I am\n")
    equal(done.stderr.count("kftrain: " + UNENFORCED), 1, done.stderr)
    unlimited = (JOB % 'sh, -c, "echo here I am"').replace("limits: {memory: 64Mi, cpu: 1500m}", "requests: {cpu: 1}")
    write("job.yaml", unlimited)
    done = subprocess.run([*alone, "sh", "-c", script, "sh", KFTRAIN, "run", "job.yaml"], capture_output=True,
                          text=True, check=False)
    equal((done.returncode, done.stderr), (0, ""), done.stdout)


if __name__ == "__main__":
    run_test(globals())
