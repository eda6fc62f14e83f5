#!/usr/bin/python3
"""usage: misfit_command.py KFTRAIN TEST

The commands over a cluster that stores a job which does not fit its struct, as schemas without rules allow."""

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


def misfit_hides_no_other_job():
    why = ("kftrain: TFJob default/odd: spec.tfReplicaSpecs.Worker.template.spec.containers[0].args[0]: "
           "expected string, got 1\n")
    with cluster(names=["odd", "a"]):
        for form in ("table", "json", "yaml", "name"):
            told = run("list", "TFJob", "-o", form)
            equal((told.returncode, told.stderr), (3, why + "kftrain: 1 job cannot be read\n"), form)
            contains(told.stdout, "a")
        told = run("watch", "TFJob", "--no-pods", "--timeout", "1")
        equal((told.returncode, told.stderr), (3, why))
        contains(told.stdout, "added    TFJob/a")
        told = run("wait", "TFJob/a", "--for", "running")
        equal((told.returncode, told.stderr), (0, ""))


def misfit_is_waited_for_when_it_is_deleted():
    """It stays for a moment, as one with finalizers does."""
    event = json.dumps({"type": "DELETED", "object": job("odd")}) + "\n"
    trouble_command.asked.do_DELETE = lambda self: self.tell_json(200, job("odd"))
    trouble_command.asked.watch = lambda self: self.tell(200, "application/json", event)
    with cluster(names=["odd"]):
        told = run("delete", "TFJob/odd", "--wait", "--timeout", "20")
        equal((told.returncode, told.stdout, told.stderr), (0, "TFJob/odd deleted\n", ""))


if __name__ == "__main__":
    run_test(globals())
