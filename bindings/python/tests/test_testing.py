import subprocess
import sys
import textwrap

import pytest
from conftest import pytorch_job

import kftrain
from kftrain import until
from kftrain.local import LocalCluster

pytest_plugins = ["kftrain.testing"]

seen = []


def test_the_server_creates_pods_and_runs_nothing(kftrain_server):
    client = kftrain_server.client()
    job = client.submit(pytorch_job("made", workers=2))
    pods = kftrain_server.pods(job)
    assert [pod.metadata.name for pod in pods] == ["made-master-0", "made-worker-0", "made-worker-1"]
    assert {variable.name for variable in pods[1].spec.containers[0].env} >= {"RANK", "WORLD_SIZE"}
    assert {pod.status.phase for pod in pods} <= {"", "Pending"}
    with pytest.raises(kftrain.Timeout):
        client.wait(job, until.running(), timeout=0.2)


def test_phases_of_pods_change_the_status_of_the_job(kftrain_server):
    client = kftrain_server.client()
    job = client.submit(pytorch_job("phases"))
    pods = kftrain_server.pods(job)
    for pod in pods:
        kftrain_server.set_phase(pod, "Running")
    client.wait(job, until.all_ranks_ready(), timeout=60)
    assert kftrain.phase(client.wait(job, until.running(), timeout=60)) == "Running"
    kftrain_server.set_phase(pods[0], "Succeeded")
    assert kftrain.phase(client.wait(job, timeout=60)) == "Succeeded"
    with pytest.raises(ValueError, match="phase: expected Pending, Running, Succeeded or Failed, got 'Done'"):
        kftrain_server.set_phase(pods[0], "Done")


def test_a_failed_pod_has_an_exit_code_and_a_reason(kftrain_server):
    client = kftrain_server.client()
    job = client.submit(pytorch_job("failed"))
    pods = kftrain_server.pods(job)
    kftrain_server.set_phase(pods[1], "Failed", exit_code=137, reason="OOMKilled")
    assert kftrain.phase(client.wait(job, timeout=60)) == "Failed"
    assert client.explain(job).causes[0].code == 137


def test_each_test_has_its_own_server(kftrain_server):
    assert kftrain_server.client().list() == []


def test_the_server_has_further_namespaces(kftrain_server):
    assert kftrain_server.create_namespace("team-a") == "team-a"
    client = kftrain_server.client("team-a")
    job = client.submit(pytorch_job("other"))
    assert [pod.metadata.namespace for pod in kftrain_server.pods(job)] == ["team-a", "team-a"]
    with pytest.raises(kftrain.AlreadyExists) as caught:
        kftrain_server.create_namespace("team-a")
    assert caught.value.status == 409


def test_pods_are_waited_for_until_a_time_limit(kftrain_server):
    client = kftrain_server.client()
    job = kftrain.job(pytorch_job("held"))
    job.spec.run_policy = {"suspend": True}
    job = client.submit(job)
    with pytest.raises(kftrain.Timeout):
        kftrain_server.pods(job, timeout=0.3)


def test_jobs_that_nothing_here_could_run_are_accepted(kftrain_server):
    job = kftrain.job(pytorch_job("volumes"))
    template = job.spec.pytorch_replica_specs["Master"].template
    template.spec.volumes = [{"name": "data", "persistent_volume_claim": {"claim_name": "data"}}]
    template.spec.containers[0].command = []
    assert kftrain_server.client().submit(job).metadata.uid


def test_the_server_ends_and_cannot_be_started_again():
    from kftrain.testing import ApiServer  # not above: pytest imports plugins itself

    server = ApiServer()
    with server:
        client = server.client()
    with pytest.raises(RuntimeError, match="closed"):
        client.list()
    with pytest.raises(RuntimeError, match="started before"):
        server.start()


@pytest.mark.parametrize("number", [1, 2])
def test_a_test_has_its_own_namespace(kftrain_cluster, kftrain_namespace, kftrain_client, number):
    assert isinstance(kftrain_cluster, LocalCluster)
    assert kftrain_client.namespace == kftrain_namespace
    assert kftrain_client.list() == []
    job = kftrain_client.submit(pytorch_job("same", "trap '' TERM; echo started; sleep 60 & wait"))
    assert next(kftrain_client.logs(job)).text == "started"
    assert job.metadata.namespace == kftrain_namespace
    seen.append((kftrain_cluster, kftrain_namespace))


def test_a_test_may_delete_its_namespace(kftrain_client, kftrain_namespace):
    kftrain_client.api("namespaces").delete(kftrain_namespace)


def test_namespaces_are_removed_after_their_test(kftrain_cluster):
    assert len(seen) == 2 and {cluster for cluster, _ in seen} == {kftrain_cluster}
    assert seen[0][1] != seen[1][1]
    assert kftrain_cluster.client().list(all_namespaces=True) == []


def test_the_plugin_is_loaded_once_when_it_is_installed_and_named(tmp_path):
    # The files that pip writes for the entry point of the package.
    folder = tmp_path / "kftrain_plugin-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: kftrain-plugin\nVersion: 1\n")
    (folder / "entry_points.txt").write_text("[pytest11]\nkftrain.testing = kftrain.testing\n")
    for first_line in ("", 'pytest_plugins = ["kftrain.testing"]'):
        (tmp_path / "test_it.py").write_text(
            first_line
            + textwrap.dedent(
                """
                def test_it(kftrain_server):
                    assert kftrain_server.client().list() == []
                """
            )
        )
        result = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert result.returncode == 0, result.stdout
