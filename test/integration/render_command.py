#!/usr/bin/python3
"""usage: render_command.py KFTRAIN TEST

Runs `kftrain render`, and its neighbours, with what an operator is told, and checks what they make of it."""

from pathlib import Path

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


run_test(globals())
