#!/usr/bin/python3
"""usage: custom_kind.py KFTRAIN EXAMPLE SOURCE_DIR

Installs a custom kind on a local cluster with kubectl, and runs its controller: the commands of the guides
custom-kind.md and custom-controller.md."""

import os
import re
import signal
import subprocess
import sys
import tempfile

sys.path += [os.path.join(os.path.dirname(os.path.abspath(__file__)), folder) for folder in ("../cli", "../cli/local")]

from local_server import server, until  # pylint: disable=wrong-import-position


def check_kind(s, folder):
    output = s.kubectl("apply", "-f", os.path.join(folder, "crd.yaml"))
    assert output == "customresourcedefinition.apiextensions.k8s.io/sweeps.acme.example.com created\n", output
    assert "unchanged" in s.kubectl("apply", "-f", os.path.join(folder, "crd.yaml"))
    s.kubectl("wait", "--for=condition=Established", "crd/sweeps.acme.example.com", "--timeout=10s")
    assert re.search(r"^sweeps +sw +acme\.example\.com/v1 +true +Sweep$", s.kubectl("api-resources"), re.M)
    refused = s.kubectl("create", "-f", os.path.join(folder, "crd.yaml"), expect=1)
    assert "AlreadyExists" in refused, refused


def check_validation(s, folder):
    with open(os.path.join(folder, "sweep.yaml"), encoding="utf-8") as file:
        good = file.read()
    bad = os.path.join(s.state, "bad.yaml")
    for change, fault in ((("workers: 1", "workers: 0"), "should be greater than or equal to 1"),
                         (("workers: 1", "workers: 1\n  bogus: 1"), 'unknown field "spec.bogus"'),
                         (("  image: example.com/train:1\n", ""), "spec.image: Required value")):
        with open(bad, "w", encoding="utf-8") as file:
            file.write(good.replace(*change))
        output = s.kubectl("apply", "-f", bad, expect=1)
        assert fault in output, output


def check_controller(s, folder):
    output = s.kubectl("apply", "-f", os.path.join(folder, "sweep.yaml"))
    assert output == "sweep.acme.example.com/rates created\n", output
    until(lambda: re.search(r"^rates +3 +3 +\d+s$", s.kubectl("get", "sw"), re.M), "three jobs succeed", 60)
    assert "0.01" in s.kubectl("logs", "rates-1-master-0")
    assert s.kubectl("get", "pytorchjobs", "-o", "name").count("rates-") == 3
    s.kubectl("delete", "sweep", "rates")
    until(lambda: s.kubectl("get", "pytorchjobs", "-o", "name") == "", "the jobs go with their owner")


def check_removal(s, folder):
    s.kubectl("apply", "-f", os.path.join(folder, "sweep.yaml"))
    until(lambda: s.kubectl("get", "pytorchjobs", "-o", "name").count("rates-") == 3, "the jobs are made")
    s.kubectl("delete", "-f", os.path.join(folder, "crd.yaml"))
    s.kubectl("get", "sweeps", expect=1)
    until(lambda: s.kubectl("get", "pytorchjobs", "-o", "name") == "", "the jobs of the deleted sweep go")


def main():
    kftrain, example, sources = sys.argv[1:4]
    folder = os.path.join(sources, "examples/3_custom_kind")
    with tempfile.TemporaryDirectory() as temporary:
        s = server(kftrain, sources, os.path.join(temporary, "state"))
        try:
            s.up()
            check_kind(s, folder)
            check_validation(s, folder)
            environment = {"KUBECONFIG": s.config, "PATH": os.environ["PATH"], "HOME": temporary}
            process = subprocess.Popen([example, "--cluster"], env=environment, stderr=subprocess.PIPE, text=True)
            try:
                check_controller(s, folder)
                check_removal(s, folder)
                process.send_signal(signal.SIGTERM)
                assert process.wait(timeout=30) == 0, process.stderr.read()
            finally:
                process.kill()
                process.wait()
        finally:
            s.local("down")


if __name__ == "__main__":
    main()
