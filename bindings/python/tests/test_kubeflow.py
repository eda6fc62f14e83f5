"""The API of the kubeflow-training package. Expected values are those that its version 1.9.4 gives, where the page
"Migrate from kubeflow-training" does not name a difference; `compare_kubeflow.py` runs both."""

import base64
import json
import logging
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

import pytest
from conftest import pytorch_job

import kftrain
from kftrain._client import Client
from kftrain._informer import Informer
from kftrain.kubeflow import (
    KubeflowOrgV1JobCondition,
    KubeflowOrgV1PyTorchJob,
    KubeflowOrgV1PyTorchJobSpec,
    KubeflowOrgV1ReplicaSpec,
    KubeflowOrgV1RunPolicy,
    KubeflowOrgV1TFJob,
    TrainingClient,
    V1Container,
    V1EnvVar,
    V1JobCondition,
    V1ObjectMeta,
    V1PodSpec,
    V1PodTemplateSpec,
    _follow,
    constants,
    models,
)


@pytest.fixture(scope="module")
def training(cluster):
    return TrainingClient(config_file=cluster.kubeconfig)


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """The programs of an image: python, and a torchrun that starts one process."""
    folder = tmp_path_factory.mktemp("bin")
    for name in ("python", "torchrun"):
        program = folder / name
        program.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
        program.chmod(0o755)
    return {"PATH": f"{folder}:/usr/bin:/bin"}


@pytest.fixture
def sent(monkeypatch, training):
    """Returns what create_job would send."""

    def create(**arguments):
        jobs = []
        monkeypatch.setattr(Client, "submit", lambda self, job: jobs.append(job.to_dict()))
        training.create_job(**arguments)
        return jobs[0]

    return create


def example(name, command="echo rank $RANK", **metadata):
    """The example of the original package, with its names of models."""
    container = V1Container(name="pytorch", image="example.com/none", command=["sh", "-c", command])
    replica = KubeflowOrgV1ReplicaSpec(
        replicas=1,
        restart_policy="Never",
        template=V1PodTemplateSpec(spec=V1PodSpec(containers=[container])),
    )
    return KubeflowOrgV1PyTorchJob(
        api_version=constants.API_VERSION,
        kind=constants.PYTORCHJOB_KIND,
        metadata=V1ObjectMeta(name=name, **metadata),
        spec=KubeflowOrgV1PyTorchJobSpec(
            run_policy=KubeflowOrgV1RunPolicy(clean_pod_policy="None"),
            pytorch_replica_specs={"Master": replica},
        ),
    )


def hello(parameters):
    import os

    print("rank", os.environ["RANK"], "of", os.environ["WORLD_SIZE"], parameters, "$HOME `x` \\")


def no_parameters():
    print("trained")


# Objects


def test_a_job_is_created_followed_and_deleted(training):
    assert training.create_job(example("steps")) is None
    job = training.wait_for_job_conditions("steps", wait_timeout=60)
    assert isinstance(job, KubeflowOrgV1PyTorchJob) and job.metadata.name == "steps"
    conditions = training.get_job_conditions("steps")
    assert type(conditions) is list and isinstance(conditions[0], V1JobCondition)
    assert (conditions[0].type, conditions[-1].type) == ("Created", "Succeeded")
    states = ("created", "running", "restarting", "succeeded", "failed")
    assert [getattr(training, f"is_job_{s}")("steps") for s in states] == [True, False, False, True, False]
    assert [getattr(training, f"is_job_{s}")(job=job) for s in states] == [True, False, False, True, False]
    assert training.get_job_pod_names("steps") == ["steps-master-0"]
    assert training.get_job_logs("steps") == ({"steps-master-0": "rank 0\n"}, {})
    assert "steps" in [job.metadata.name for job in training.list_jobs()]
    assert training.update_job({"metadata": {"labels": {"a": "b"}}}, "steps") is None
    assert training.get_job("steps").metadata.labels == {"a": "b"}
    assert training.delete_job("steps") is None
    with pytest.raises(RuntimeError) as caught:
        training.get_job("steps")
    assert type(caught.value) is RuntimeError and isinstance(caught.value.__cause__, kftrain.NotFound)


class Foreign:
    """In the shape of the models of the original package and of ``kubernetes``."""

    def __init__(self, **fields):
        self.attribute_map = {name: json_name for name, (json_name, _) in fields.items()}
        self.openapi_types = {name: "object" for name in fields}
        self.__dict__.update({name: value for name, (_, value) in fields.items()})


class KubeflowOrgV1TFJobOfTheOriginal(Foreign):
    pass


KubeflowOrgV1TFJobOfTheOriginal.__name__ = "KubeflowOrgV1TFJob"


def foreign_tf_job(name):
    template = {"spec": {"containers": [{"name": "tensorflow", "image": "x", "command": ["true"]}]}}
    worker = Foreign(replicas=("replicas", 1), template=("template", template))
    spec = Foreign(tf_replica_specs=("tfReplicaSpecs", {"Worker": worker}), run_policy=("runPolicy", None))
    return KubeflowOrgV1TFJobOfTheOriginal(
        api_version=("apiVersion", "kubeflow.org/v1"),
        kind=("kind", "TFJob"),
        metadata=("metadata", Foreign(name=("name", name), namespace=("namespace", None))),
        spec=("spec", spec),
        status=("status", None),
    )


def test_models_of_the_original_package_and_dicts_are_accepted(training):
    training.create_job(foreign_tf_job("foreign"))
    assert isinstance(training.get_job("foreign", job_kind="TFJob"), KubeflowOrgV1TFJob)
    changed = foreign_tf_job("foreign")
    changed.metadata.attribute_map["labels"] = "labels"
    changed.metadata.labels = {"a": "b"}
    training.update_job(changed, "foreign", job_kind="TFJob")
    assert training.get_job("foreign", job_kind="TFJob").metadata.labels == {"a": "b"}
    training.update_job(kftrain.Unstructured({"metadata": {"labels": {"a": "c"}}}), "foreign", job_kind="TFJob")
    assert training.get_job("foreign", job_kind="TFJob").metadata.labels == {"a": "c"}
    assert training.get_job_conditions(job=foreign_tf_job("x")) == []
    training.create_job(example("from-a-dict").to_dict())
    other = Foreign(uid=("uid", "00000000-0000-0000-0000-000000000000"))
    with pytest.raises(RuntimeError) as caught:
        training.delete_job("from-a-dict", delete_options=Foreign(preconditions=("preconditions", other)))
    assert isinstance(caught.value.__cause__, kftrain.Conflict)
    training.delete_job("from-a-dict", delete_options={"propagationPolicy": "Background"})


def test_constants_of_an_object_may_be_given_but_not_changed():
    job = KubeflowOrgV1PyTorchJob(api_version="kubeflow.org/v1", kind=None)
    assert (job.api_version, job.kind) == ("kubeflow.org/v1", "PyTorchJob")
    with pytest.raises(ValueError, match="expected 'PyTorchJob', got 'TFJob'"):
        KubeflowOrgV1PyTorchJob(kind="TFJob")


def test_every_name_of_the_kubernetes_package_is_a_model():
    assert models.V1HTTPGetAction is kftrain.models.core.HTTPGetAction
    assert models.V1Job is kftrain.models.batch.Job
    assert V1JobCondition is KubeflowOrgV1JobCondition
    with pytest.raises(AttributeError, match="V1Nothing"):
        _ = models.V1Nothing


def test_models_are_those_of_the_kinds():
    for kind, parameters in constants.JOB_PARAMETERS.items():
        model = getattr(models, parameters["model"])
        assert model is getattr(kftrain.models.kubeflow_v1, kind)
        assert model._type.resource[2] == parameters["plural"]


# create_job


def test_a_function_runs_with_its_parameters(training, environment):
    training.create_job(name="function", train_func=hello, parameters={"lr": 0.1}, env_vars=environment)
    training.wait_for_job_conditions("function", wait_timeout=60)
    assert training.get_job_logs("function")[0] == {
        "function-master-0": "rank 0 of 1 {'lr': 0.1} $HOME `x` \\\n"
    }


def test_several_workers_run_torchrun_and_lambdas_are_functions(training, environment):
    training.create_job(name="two", train_func=lambda: print("lambda"), num_workers=2, env_vars=environment)
    training.wait_for_job_conditions("two", wait_timeout=60)
    script = training.get_job("two").spec.pytorch_replica_specs["Worker"].template.spec.containers[0].args[0]
    assert 'exec torchrun "$program"' in script
    assert training.get_job_logs("two")[0] == {"two-master-0": "lambda\n"}


POD = {"metadata": {"annotations": {"sidecar.istio.io/inject": "false"}}}


def test_a_pytorch_job_is_made_of_an_image(sent):
    made = sent(
        name="image",
        base_image="example.com/a",
        num_workers=3,
        num_procs_per_worker="auto",
        labels={"a": "b"},
        annotations={"c": "d"},
        env_vars={"E": "1"},
        resources_per_worker={"CPU": 1, "memory": "2Gi", "gpu": "1"},
        volumes=[{"name": "v", "emptyDir": {"medium": "Memory"}}],
        volume_mounts=[{"name": "v", "mountPath": "/mnt"}],
    )
    resources = {"cpu": "1", "memory": "2Gi", "nvidia.com/gpu": "1"}
    container = {
        "name": "pytorch",
        "image": "example.com/a",
        "env": [{"name": "E", "value": "1"}],
        "resources": {"limits": resources, "requests": resources},
        "volumeMounts": [{"name": "v", "mountPath": "/mnt"}],
    }
    spec = {"containers": [container], "volumes": [{"name": "v", "emptyDir": {"medium": "Memory"}}]}
    template = {**POD, "spec": spec}
    assert made == {
        "apiVersion": "kubeflow.org/v1",
        "kind": "PyTorchJob",
        "metadata": {"name": "image", "namespace": "default", "labels": {"a": "b"}, "annotations": {"c": "d"}},
        "spec": {
            "nprocPerNode": "auto",
            "pytorchReplicaSpecs": {
                "Master": {"replicas": 1, "template": template},
                "Worker": {"replicas": 2, "template": template},
            },
        },
    }


def test_a_tf_job_is_made_of_an_image(sent):
    made = sent(name="tf", job_kind="TFJob", num_workers=2, num_chief_replicas=1, num_ps_replicas=3, base_image="x")
    template = {**POD, "spec": {"containers": [{"name": "tensorflow", "image": "x"}]}}
    assert made["spec"] == {
        "tfReplicaSpecs": {
            role: {"replicas": replicas, "template": template}
            for role, replicas in (("Chief", 1), ("PS", 3), ("Worker", 2))
        }
    }


def test_variables_come_from_models_and_sources(sent):
    source = Foreign(config_map_ref=("configMapRef", {"name": "c"}), prefix=("prefix", None))
    made = sent(name="x", base_image="x", env_vars=[V1EnvVar(name="A", value="1"), {"name": "B"}, source])
    container = made["spec"]["pytorchReplicaSpecs"]["Master"]["template"]["spec"]["containers"][0]
    assert container["env"] == [{"name": "A", "value": "1"}, {"name": "B"}]
    assert container["envFrom"] == [{"configMapRef": {"name": "c"}}]


def test_labels_and_annotations_are_added_to_a_job(sent):
    job = example("labels", labels={"own": "1"})
    made = sent(job=job, labels={"a": "b"}, annotations={"c": "d"})
    assert made["metadata"]["labels"] == {"own": "1", "a": "b"}
    assert made["metadata"]["annotations"] == {"c": "d"}
    assert job.metadata.labels == {"own": "1"}


def test_packages_are_installed_before_the_function(sent, tmp_path):
    made = sent(
        name="x",
        train_func=no_parameters,
        packages_to_install=["torch>=2 numpy", "a @ https://$TOKEN@example.com/a.zip", "b; python_version > '3.8'"],
        pip_index_url="https://example.com/simple",
    )
    container = made["spec"]["pytorchReplicaSpecs"]["Master"]["template"]["spec"]["containers"][0]
    assert container["image"] == constants.PYTORCHJOB_BASE_IMAGE
    assert container["command"] == ["bash", "-c"]
    for name, text in (("pip", ""), ("python", 'printf "%s\\n" "$@" >>calls')):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "TOKEN": "secret", "TMPDIR": str(tmp_path)}
    subprocess.run([*container["command"], *container["args"]], cwd=tmp_path, env=environment, check=True)
    calls = (tmp_path / "calls").read_text().splitlines()
    assert calls[:7] == [
        "-m", "pip", "install", "--quiet", "--no-warn-script-location", "--index-url", "https://example.com/simple",
    ]  # fmt: skip
    assert calls[7:11] == ["torch>=2", "numpy", "a @ https://secret@example.com/a.zip", "b; python_version > '3.8'"]
    assert calls[11] == "-u" and calls[12].endswith(".py")


def test_invalid_arguments_are_refused(training):
    for arguments, message in (
        ({}, "job, train_func or base_image"),
        ({"job_kind": "Deployment", "base_image": "x"}, "job_kind: expected one of"),
        ({"base_image": "x"}, "a name"),
        ({"name": "x", "base_image": "x", "num_workers": 0}, "num_workers: expected at least 1, got 0"),
        ({"name": "x", "base_image": "x", "num_ps_replicas": 1}, "not allowed for a PyTorchJob"),
        ({"name": "x", "base_image": "x", "job_kind": "TFJob", "num_procs_per_worker": 1}, "for a TFJob"),
        ({"name": "x", "base_image": "x", "job_kind": "JAXJob"}, "a JAXJob cannot be created"),
        ({"name": "x", "base_image": "x", "volumes": [{"name": "v"}]}, "got 1 and 0"),
        ({"name": "x", "train_func": "train"}, "train_func: expected a function, got str"),
        ({"name": "x", "train_func": print}, "train_func: expected a function, got builtin"),
        ({"name": "x", "train_func": hello, "parameters": {"x": object()}}, "parameters: expected values"),
        ({"job": example("x"), "base_image": "x"}, "base_image: not allowed together with job"),
        ({"job": kftrain.models.core.Pod()}, "job_kind: expected one of"),
    ):
        with pytest.raises(ValueError, match=message) as caught:
            training.create_job(**arguments)
        assert type(caught.value) is ValueError
    with pytest.raises(TypeError, match="num_workers: expected an int, got '2'"):
        training.create_job(name="x", base_image="x", num_workers="2")


def test_a_function_that_needs_others_is_refused_or_warned_of(sent, caplog):
    rate = 1

    def inner():
        print(rate)

    def recursive(n=2):
        return recursive(n - 1) if n else None

    with pytest.raises(ValueError, match="inner uses 'rate'"):
        sent(name="x", train_func=inner)
    sent(name="x", train_func=recursive)
    assert not caplog.records
    sent(name="x", train_func=lambda: json.dumps(1))
    assert "does not import or define: json" in caplog.text


def test_the_namespace_is_that_of_the_argument_the_job_or_the_client(sent):
    assert sent(job=example("x"))["metadata"]["namespace"] == "default"
    assert sent(job=example("x"), namespace="a")["metadata"]["namespace"] == "a"
    assert sent(job=example("x", namespace="b"))["metadata"]["namespace"] == "b"
    with pytest.raises(RuntimeError, match="the namespace 'b', but namespace is 'a'"):
        sent(job=example("x", namespace="b"), namespace="a")


def test_a_job_that_exists_is_a_runtime_error(training):
    training.create_job(example("twice"))
    with pytest.raises(RuntimeError) as caught:
        training.create_job(example("twice"))
    assert type(caught.value) is RuntimeError and caught.value.__cause__.status == 409


def test_a_missing_queue_is_logged(training, caplog):
    training.create_job(example("queued"), queue_name="none")
    assert training.get_job("queued").metadata.labels == {"kueue.x-k8s.io/queue-name": "none"}
    assert "the queue default/none was not read" in caplog.text


# Waits


@pytest.fixture
def requests(monkeypatch):
    """The reads of waits, of which each is a list and a watch, or a read of one job."""
    made = []

    def count(name):
        original = getattr(Client, name)

        def counted(self, *arguments, **options):
            made.append(name)
            return original(self, *arguments, **options)

        monkeypatch.setattr(Client, name, counted)

    for name in ("get", "wait", "watch", "informer"):
        count(name)
    return made


def test_waits_at_the_same_time_share_one_list_and_one_watch(training, requests, monkeypatch, tmp_path):
    monkeypatch.setattr(_follow, "_DELAY", 0)
    names = [f"shared-{i}" for i in range(6)]
    for name in names:
        training.create_job(example(name, f"until test -e {tmp_path}/{name}; do sleep 0.05; done"))
    phases = {}

    def begin(name):
        job = training.wait_for_job_conditions(name, wait_timeout=60, polling_interval=3600)
        phases[name] = kftrain.phase(job)

    def waits():
        with _follow._lock:
            followers = _follow._followers.get(training._client, {})
            return sum(len(queues) for follower in followers.values() for queues in follower.queues.values())

    threads = [threading.Thread(target=begin, args=[name]) for name in names]
    for thread in threads:
        thread.start()
    while waits() < len(names):
        time.sleep(0.01)
    for name in names:
        training.wait_for_job_conditions(name, expected_conditions={"Running"}, wait_timeout=60)
        (tmp_path / name).touch()
    for thread in threads:
        thread.join(60)
    assert phases == dict.fromkeys(names, "Succeeded")
    assert requests == ["informer"] and waits() == 0


def test_a_wait_does_not_end_with_a_former_job_of_the_name(training, monkeypatch):
    training.create_job(example("former", "exit 0"))
    former = training.wait_for_job_conditions("former", wait_timeout=60)
    training._client.delete("pytorchjob.v1/former", wait=True)
    training.create_job(example("former", "sleep 1"))
    monkeypatch.setattr(Informer, "get", lambda informer, name: former)  # it has not received the new job yet
    job = training.wait_for_job_conditions("former", wait_timeout=60)
    assert job.metadata.uid != former.metadata.uid


def test_a_wait_needs_no_permission_to_list_jobs(training, requests, monkeypatch):
    def forbid(informer, timeout):
        raise kftrain.Forbidden("jobs")

    training.create_job(example("alone", "sleep 0.5"))
    monkeypatch.setattr(Informer, "wait_for_sync", forbid)
    assert training.is_job_succeeded(job=training.wait_for_job_conditions("alone", wait_timeout=float("inf")))
    monkeypatch.undo()
    assert training.is_job_succeeded(job=training.wait_for_job_conditions("alone", wait_timeout=float("inf")))
    assert "watch" in requests


def test_the_callback_gets_the_job_after_each_change(training, tmp_path):
    seen = []

    def callback(job):
        seen.append([c.type for c in job.status.conditions][-1:])
        (tmp_path / "called").touch()

    training.create_job(example("called", f"until test -e {tmp_path}/called; do sleep 0.05; done"))
    training.wait_for_job_conditions("called", wait_timeout=60, callback=callback)
    assert seen[0] != ["Succeeded"] and seen[-1] == ["Succeeded"]


def test_a_wait_ends_with_each_expected_condition(training):
    training.create_job(example("long", "sleep 60"))
    for condition in ("Created", "Running"):
        job = training.wait_for_job_conditions("long", expected_conditions={condition}, wait_timeout=60)
        assert condition in [c.type for c in job.status.conditions]
    with pytest.raises(TimeoutError) as caught:
        training.wait_for_job_conditions("long", wait_timeout=0.2, polling_interval=0.1)
    assert type(caught.value) is TimeoutError
    with pytest.raises(TimeoutError):
        training.wait_for_job_conditions("long", wait_timeout=0.2, callback=lambda job: None)
    threading.Timer(0.2, training.delete_job, ["long"]).start()
    with pytest.raises(RuntimeError, match="deleted"):
        training.wait_for_job_conditions("long", wait_timeout=60)


def test_a_failed_job_is_an_error_unless_it_is_expected(training):
    training.create_job(example("fails", "exit 3"))
    with pytest.raises(RuntimeError, match="PyTorchJob fails failed: "):
        training.wait_for_job_conditions("fails", wait_timeout=60)
    job = training.wait_for_job_conditions("fails", expected_conditions={"Succeeded", "Failed"})
    assert training.is_job_failed(job=job)


def test_a_condition_that_can_no_longer_become_true_ends_the_wait(training, finished):
    for callback in (None, lambda job: None):
        with pytest.raises(RuntimeError, match="finished is Succeeded: none of the conditions can become True"):
            training.wait_for_job_conditions(
                finished, expected_conditions={"Running", "Failed"}, wait_timeout=60, callback=callback
            )


def test_a_wait_that_times_out_reports_the_last_state(training):
    job = example("blocked", "true")
    for replica in job.spec.pytorch_replica_specs.values():
        replica.template.spec.containers[0].env_from = [{"config_map_ref": {"name": "settings"}}]
    training.create_job(job)
    with pytest.raises(TimeoutError, match="last state: .*settings"):
        training.wait_for_job_conditions("blocked", wait_timeout=3)
    training.delete_job("blocked")


def test_impossible_waits_are_refused(training):
    with pytest.raises(ValueError, match="got succeeded"):
        training.wait_for_job_conditions("x", expected_conditions={"succeeded"})
    with pytest.raises(RuntimeError, match="PyTorchJob default/none does not exist"):
        training.wait_for_job_conditions("none", wait_timeout=60)
    with pytest.raises(RuntimeError):
        training.wait_for_job_conditions("none", wait_timeout=60, callback=print)
    with pytest.raises(TimeoutError):
        training.wait_for_job_conditions("none", wait_timeout=0)


# Pods and logs


@pytest.fixture(scope="module")
def finished(training):
    training.create_job(kftrain.job(pytorch_job("finished", workers=2)))
    training.wait_for_job_conditions("finished", wait_timeout=60)
    return "finished"


def test_pods_are_selected(training, finished):
    names = training.get_job_pod_names
    assert names(finished) == ["finished-master-0", "finished-worker-0", "finished-worker-1"]
    assert names(finished, is_master=True) == ["finished-master-0"]
    assert names(finished, "default", False, "worker", 1, 60) == ["finished-worker-1"]
    assert names("none") == []
    (pod,) = training.get_job_pods(finished, replica_type="master", replica_index=0)
    assert isinstance(pod, models.V1Pod) and pod.status.phase == "Succeeded"
    with pytest.raises(ValueError, match="got 'Worker'"):
        training.get_job_pods(finished, replica_type="Worker")


def test_logs_of_all_pods_are_read(training, finished):
    lines = {f"finished-{pod}": f"rank {rank} of 3\n" for rank, pod in enumerate(("master-0", "worker-0", "worker-1"))}
    assert training.get_job_logs(finished, is_master=False) == (lines, {})
    assert training.get_job_logs("none") == ({}, {})


def test_logs_are_followed_from_the_creation_of_the_job(training, capsys):
    training.create_job(kftrain.job(pytorch_job("followed", "sleep 0.5; echo one; echo two", workers=1)))
    assert training.get_job_logs("followed", follow=True) == ({"followed-master-0": "one\ntwo\n"}, {})
    assert capsys.readouterr().out == "[Pod followed-master-0]: one\n[Pod followed-master-0]: two\n"
    logs, _ = training.get_job_logs("followed", is_master=False, replica_type="worker", follow=True)
    assert logs == {"followed-worker-0": "one\ntwo\n"}
    assert training.get_job_logs("none", follow=True) == ({}, {})


def test_events_are_returned_with_their_times(training, finished):
    _, events = training.get_job_logs(finished, verbose=True)
    assert list(events) == ["pytorchjob/finished"]
    assert "Created pod: finished-worker-1" in [text[20:] for text in events["pytorchjob/finished"]]
    assert events["pytorchjob/finished"][0][4] == "-"
    with pytest.raises(RuntimeError):
        training.get_job_logs("none", verbose=True)


# Errors and the constructor


def test_unknown_kinds_and_jobs_are_errors(training):
    for call in (training.get_job, training.get_job_conditions, training.is_job_failed):
        with pytest.raises(ValueError, match="job_kind"):
            call("x", job_kind="Deployment")
    with pytest.raises(ValueError, match="job_kind"):
        training.update_job({}, "x", job_kind="Deployment")
    with pytest.raises(RuntimeError):
        training.delete_job("x", job_kind="Deployment")
    with pytest.raises(RuntimeError):
        training.delete_job("none")
    with pytest.raises(RuntimeError):
        training.update_job({}, "none")
    with pytest.raises(ValueError, match="expected name or job"):
        training.get_job_conditions()
    with pytest.raises(ValueError, match="expected a TFJob, got a PyTorchJob"):
        training.get_job_conditions(job=example("x"), job_kind="TFJob")
    assert training.list_jobs("nowhere", "JAXJob", 60) == []


def test_train_is_refused_with_an_alternative(training):
    with pytest.raises(NotImplementedError, match="create_job"):
        training.train(name="x", num_workers=2)
    with pytest.raises(AttributeError, match=r"'core_api'; use kftrain.Client\(\).api"):
        training.core_api.list_namespaced_pod("default")


def test_the_constructor_takes_the_parameters_of_the_original(cluster, monkeypatch):
    monkeypatch.setenv("HOME", os.path.dirname(cluster.kubeconfig))
    assert TrainingClient("~/kubeconfig").list_jobs(job_kind="JAXJob") == []
    made = TrainingClient(cluster.kubeconfig, "kftrain", None, "elsewhere", "TFJob")
    assert (made.namespace, made.job_kind) == ("elsewhere", "TFJob")
    assert TrainingClient(config_file=cluster.kubeconfig).namespace == "default"
    with pytest.raises(ValueError, match="job_kind"):
        TrainingClient(config_file=cluster.kubeconfig, job_kind="Deployment")


class Configuration:
    """In the shape of ``kubernetes.client.Configuration``."""

    verify_ssl = True
    proxy = cert_file = key_file = username = password = assert_hostname = proxy_headers = tls_server_name = None

    def __init__(self, host, ssl_ca_cert, token):
        self.host, self.ssl_ca_cert, self.token = host, ssl_ca_cert, token

    def get_api_key_with_prefix(self, name):
        return {"authorization": self.token}.get(name)


def test_a_configuration_is_used_and_its_token_renewed(cluster, tmp_path):
    text = pathlib.Path(cluster.kubeconfig).read_text()
    certificate = tmp_path / "ca"
    certificate.write_bytes(base64.b64decode(re.search(r'certificate-authority-data: "(.*)"', text)[1]))
    token = re.search("token: (.*)", text)[1]
    configuration = Configuration(re.search("server: (.*)", text)[1], str(certificate), "Bearer wrong")
    made = TrainingClient(client_configuration=configuration, namespace="default")
    with pytest.raises(RuntimeError) as caught:
        made.list_jobs()
    assert isinstance(caught.value.__cause__, kftrain.Unauthorized)
    configuration.token = f"Bearer {token}"
    assert isinstance(made.list_jobs(), list)
    for name, value in (("username", "me"), ("assert_hostname", False), ("token", "Basic abc")):
        refused = Configuration(configuration.host, None, "")
        setattr(refused, name, value)
        with pytest.raises(ValueError, match="client_configuration: "):
            TrainingClient(client_configuration=refused)
    with pytest.raises(ValueError, match="got str"):
        TrainingClient(client_configuration="kubeconfig")


def test_debug_messages_report_changes(training, finished, caplog):
    with caplog.at_level(logging.DEBUG, "kftrain.kubeflow"):
        training.wait_for_job_conditions(finished, wait_timeout=60)
    assert "PyTorchJob finished: Succeeded" in caplog.text
