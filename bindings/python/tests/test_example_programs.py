"""Runs the programs of examples/5_python that use a cluster, on one local cluster that they find as kubectl does."""

import os
import signal
import subprocess
import sys

import pytest
from conftest import SOURCES

from kftrain.local import LocalCluster

EXAMPLES = SOURCES / "examples/5_python"


@pytest.fixture(scope="module")
def cluster():
    with LocalCluster(working_directory=EXAMPLES) as running:
        yield running


def start(program, *arguments, kubeconfig):
    environment = {**os.environ, "KUBECONFIG": str(kubeconfig)}
    return subprocess.Popen(
        [sys.executable, program, *arguments],
        cwd=EXAMPLES,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def lines_of(cluster, program, *arguments):
    """The lines that a program prints; it must succeed and write no warnings."""
    process = start(program, *arguments, kubeconfig=cluster.kubeconfig)
    output, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (0, "")
    return output.splitlines()


def test_a_job_runs_on_the_cluster_of_kubectl(cluster):
    lines = lines_of(cluster, "on_a_cluster.py", "sum.yaml")
    assert lines[-1] == "sum Succeeded"
    assert "[rank 0] the sum of all ranks is 3" in lines


def test_a_missing_cluster_is_reported(tmp_path):
    config = tmp_path / "config"
    config.write_text(
        "{apiVersion: v1, kind: Config, current-context: a, clusters: [{name: a, cluster: {server: 'http://[::1]:1'}}],"
        " contexts: [{name: a, context: {cluster: a, user: a}}], users: [{name: a, user: {}}]}"
    )
    process = start("on_a_cluster.py", "sum.yaml", kubeconfig=config)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output) == (2, "")
    assert errors.startswith("no cluster: ")


def test_the_jobs_of_a_manifest_are_followed(cluster, tmp_path):
    text = (EXAMPLES / "sum.yaml").read_text(encoding="utf-8").replace("name: sum", "name: followed")
    (tmp_path / "jobs.yaml").write_text(text)
    lines = lines_of(cluster, "follow_jobs.py", str(tmp_path / "jobs.yaml"))
    assert "PyTorchJob followed: [Master 0 rank 0] the sum of all ranks is 3" in lines
    assert "PyTorchJob followed: [Worker 1 rank 2] rank 2 of 3" in lines
    assert lines.index("PyTorchJob followed: is Running") < lines.index("PyTorchJob followed: is Succeeded")


def test_an_elastic_job_is_scaled(cluster):
    ready, refusal = lines_of(cluster, "scale.py")
    assert ready == "three workers are ready"
    assert "Worker" in refusal and "3" in refusal and "4" in refusal


def test_a_job_is_suspended_and_resumed(cluster):
    assert lines_of(cluster, "suspend.py") == ["Suspended", "Running"]


def test_a_changed_image_applies_to_new_pods(cluster):
    *checks, change = lines_of(cluster, "plan_and_preflight.py")
    assert "passed served" in checks[1] or any(line.startswith("passed served:") for line in checks)
    assert not [line for line in checks if line.startswith("failed")]
    assert "example.com/train:1" in change and "example.com/train:2" in change and "effect: later" in change


def test_output_continues_without_loss_and_repetition(cluster):
    lines = lines_of(cluster, "resume_logs.py")
    assert lines == ["step 1", "step 2", "continued", "step 3", "step 4", "step 5"]


def test_commands_run_in_replicas(cluster):
    assert lines_of(cluster, "commands.py") == ["rank 0 of 2", "rank 1 of 2", "144", "169", "status 200"]


def test_an_own_kind_has_the_schema_of_its_crd(cluster):
    created, refusal = lines_of(cluster, "own_kind.py")
    assert created == "rates ['0.1', '0.01', '0.001', '0.0001']"
    assert "spec.workers" in refusal and "greater than or equal to 1" in refusal


def test_the_controller_makes_jobs_of_a_sweep(cluster):
    controller = start("controller.py", kubeconfig=cluster.kubeconfig)
    try:
        assert controller.stdout.readline() == "ready\n", controller.stderr.read()
        with cluster.client() as client:
            sweeps = client.api("sweeps.acme.example.com")
            sweep = sweeps.create((SOURCES / "examples/3_custom_kind/sweep.yaml").read_text())
            all_succeeded = sweeps.wait(
                sweep, lambda s: s is not None and s.status is not None and s.status.succeeded == 3, timeout=60
            )
            assert all_succeeded.status.to_dict() == {"created": 3, "succeeded": 3, "failed": 0}
            output = [line.text for line in client.logs("pytorchjob.v1/rates-2", ranks=[0])]
            assert output == ["training with the learning rate 0.001"]

            sweeps.delete(sweep)  # and the jobs that it owns
            jobs = client.api("pytorchjobs.v1.kubeflow.org")
            jobs.wait("rates-2", lambda job: job is None, timeout=60)
        controller.send_signal(signal.SIGTERM)
        output, errors = controller.communicate(timeout=60)
        assert (controller.returncode, output, errors) == (0, "", "")
    finally:
        controller.kill()
        controller.wait()


def test_every_kind_is_built():
    done = subprocess.run([sys.executable, "every_kind.py"], cwd=EXAMPLES, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    replicas = dict(line.split(": ") for line in done.stdout.splitlines())
    workers = "Worker-0, Worker-1"
    assert replicas == {
        "kubeflow.org/v1 PyTorchJob": "Master-0, " + workers,
        "kubeflow.org/v1 TFJob": "Chief-0, PS-0, " + workers,
        "kubeflow.org/v1 JAXJob": workers,
        "kubeflow.org/v1 XGBoostJob": "Master-0, " + workers,
        "kubeflow.org/v1 PaddleJob": workers,
        "kubeflow.org/v1 MXJob": "Scheduler-0, Server-0, " + workers,
        "kubeflow.org/v1 MPIJob": "Launcher-0, " + workers,
        "kubeflow.org/v2beta1 MPIJob": "Launcher-0, " + workers,
        "kubeflow.org/v1alpha1 ChainerJob": "Master-0, gpu-0, gpu-1",
        "kubeflow.org/v1alpha1 PyTorchJob": "MASTER-0, WORKER-0, WORKER-1",
        "batch.volcano.sh/v1alpha1 Job": "master-0, worker-0, worker-1",
        "trainer.kubeflow.org/v1alpha1 TrainJob": "node-0, node-1",
    }
