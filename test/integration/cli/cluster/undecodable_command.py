#!/usr/bin/python3
"""usage: undecodable_command.py KFTRAIN TEST

The commands with a stored job that does not fit its struct, which schemas without rules allow."""

import json

import trouble_command
from manifest_files import contains, equal, run, run_test
from trouble_command import KIND, cluster

fitting_job = trouble_command.job


def job(name):
    """The job "odd" has a number among its arguments."""
    if name != "odd":
        return fitting_job(name)
    return {**KIND, "metadata": {"name": name, "namespace": "default", "uid": name, "resourceVersion": "1"},
            "spec": {"tfReplicaSpecs": {"Worker": {"template": {"spec": {"containers": [{"args": [1]}]}}}}}}


trouble_command.job = job


def undecodable_job_does_not_hide_other_jobs():
    why = ("kftrain: TFJob default/odd: spec.tfReplicaSpecs.Worker.template.spec.containers[0].args[0]: "
           "expected string, got 1\n")
    with cluster(names=["odd", "a"]):
        for form in ("table", "json", "yaml", "name"):
            done = run("list", "TFJob", "-o", form)
            equal((done.returncode, done.stderr), (3, why + "kftrain: 1 job cannot be read\n"), form)
            contains(done.stdout, "a")
        done = run("watch", "TFJob", "--no-pods", "--timeout", "1")
        equal((done.returncode, done.stderr), (3, why))
        contains(done.stdout, "added    TFJob/a")
        done = run("wait", "TFJob/a", "--for", "running")
        equal((done.returncode, done.stderr), (0, ""))


def undecodable_job_can_be_deleted():
    """The job exists for a moment after the request, as one with finalizers does."""
    event = json.dumps({"type": "DELETED", "object": job("odd")}) + "\n"
    trouble_command.job_server.do_DELETE = lambda self: self.send_json(200, job("odd"))
    trouble_command.job_server.watch = lambda self: self.send_text(200, "application/json", event)
    with cluster(names=["odd"]):
        done = run("delete", "TFJob/odd", "--wait", "--timeout", "20")
        equal((done.returncode, done.stdout, done.stderr), (0, "TFJob/odd deleted\n", ""))


if __name__ == "__main__":
    run_test(globals())
