#!/usr/bin/python3
"""usage: render_command.py KFTRAIN TEST

Runs `kftrain render`, and its neighbours, with what an operator is told, and checks what they make of it."""

import json
import os
from pathlib import Path
import subprocess
import tempfile

from manifest_files import contains, equal, run, run_test


def render_heeds_what_operators_are_told():
    manifest = str(Path(__file__).resolve().parents[2] / "examples/manifests/designed/mxnet_job.yaml")
    equal(run("lint", manifest).returncode, 1)
    contains(run("lint", manifest).stdout, "unable to find job plugin: mxnet")
    flag = ("--operator-flag", "volcano-plugins=designed")
    done = run("lint", *flag, manifest)
    equal((done.returncode, done.stdout, done.stderr), (0, "", ""))
    made = run("render", *flag, "--operator-flag=--volcano-launch-order=depends-on", manifest)
    equal(made.returncode, 0, made.stderr)
    contains(made.stdout, "DMLC_ROLE")
    assert "wait-for-tasks" not in made.stdout, made.stdout
    contains(run("render", *flag, manifest).stdout, "wait-for-tasks")
    contains(run("ranks", *flag, manifest).stdout, "the scheduler assigns ranks")
    wrong = run("render", "--operator-flag", "volcano-plugins=some", manifest)
    equal(wrong.returncode, 2)
    contains(wrong.stderr, "expected released or designed")


def render_writes_a_wait_that_a_shell_runs():
    """Against a ping and a sleep of our own: host `b` comes while the script rests, host `c` never."""
    manifest = str(Path(__file__).resolve().parents[2] / "examples/manifests/designed/mxnet_job.yaml")
    made = json.loads(run("render", "-o", "json", "--operator-flag", "volcano-plugins=designed", manifest).stdout)["items"]
    waiting = [c for o in made if o["kind"] == "Pod" for c in o["spec"].get("initContainers", [])]
    equal(len(waiting), 4)
    shell, option, script = waiting[0]["command"]
    with tempfile.TemporaryDirectory() as at:
        log = Path(at) / "log"
        for name, text in (("ping", f'echo ping "$@" >>{log}\n[ "$3" = a ] || [ "$3 $(grep -c sleep {log})" = "b 1" ]\n'),
                           ("sleep", f'echo sleep "$@" >>{log}\nexec /bin/sleep 1\n')):
            (Path(at) / name).write_text("#!/bin/sh\n" + text)
            (Path(at) / name).chmod(0o755)

        def wait(hosts, limit):
            log.unlink(missing_ok=True)
            env = dict(os.environ, PATH=at + ":" + os.environ["PATH"], IP_LIST=hosts, WAIT_TIMEOUT=limit)
            done = subprocess.run([shell, option, script], env=env, capture_output=True, text=True, timeout=60)
            return done, log.read_text().splitlines()

        done, told = wait("a b", "60")
        equal(done.returncode, 0)
        equal(told, ["ping -c 1 a", "ping -c 1 b", "sleep 5", "ping -c 1 a", "ping -c 1 b"])
        done, told = wait("c a", "1")
        equal(done.returncode, 1)
        contains(done.stderr, "c does not answer")
        assert told.count("sleep 5") >= 2 and "ping -c 1 a" not in told, told


run_test(globals())
