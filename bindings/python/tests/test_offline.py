import pickle

import pytest
from conftest import SOURCES, pytorch_job

import kftrain
from kftrain.models import trainer
from kftrain.models.core import ConfigMap, Pod, Service
from kftrain.models.jobset import JobSet
from kftrain.models.kubeflow_v1 import PyTorchJob


def test_jobs_of_all_documents_are_read():
    jobs = kftrain.parse_jobs(pytorch_job("a") + "---\n" + pytorch_job("b"))
    assert [(type(job), job.metadata.name) for job in jobs] == [(PyTorchJob, "a"), (PyTorchJob, "b")]


def test_a_fault_in_a_text_has_path_and_line():
    text = pytorch_job().replace("replicas: 1", "replicas: one", 1)
    with pytest.raises(kftrain.TypeMismatch) as caught:
        kftrain.parse_jobs(text)
    error = caught.value
    assert (error.code, error.path) == ("type_mismatch", "spec.pytorchReplicaSpecs.Master.replicas")
    assert error.line == text[: text.index("one")].count("\n") + 1
    assert isinstance(error, (kftrain.ParseError, ValueError)) and isinstance(error, TypeError)
    assert str(error).startswith("spec.pytorchReplicaSpecs.Master.replicas: ")
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), copy.args, copy.path, copy.line) == (type(error), error.args, error.path, error.line)


def test_an_unknown_kind_is_refused():
    with pytest.raises(kftrain.InvalidArgument) as caught:
        kftrain.parse_jobs("apiVersion: v1\nkind: Pod\n")
    assert caught.value.code == "unknown_kind"


def test_render_makes_the_pods_and_services_of_the_operator(job):
    objects = kftrain.render(job)
    assert {(type(o), o.metadata.name) for o in objects} == {
        (Pod, "hello-master-0"),
        (Pod, "hello-worker-0"),
        (Service, "hello-master-0"),
        (Service, "hello-worker-0"),
    }


def test_flags_of_the_operator_have_their_effect(job):
    flags = {"gang-scheduler-name": "volcano"}
    kinds = {o.kind: o for o in kftrain.render(job, operator_flags=flags)}
    assert kinds["PodGroup"].spec.min_member == 2 and kinds["Pod"].spec.scheduler_name == "volcano"
    ranks = kftrain.ranks(job, operator_flags={"pytorch-init-container-image": "none"})
    assert [rank.pod for rank in ranks] == ["hello-master-0", "hello-worker-0"]
    for function in (kftrain.render, kftrain.ranks, kftrain.lint, kftrain.validate):
        with pytest.raises(kftrain.InvalidArgument, match="no-such-flag"):
            function(job, operator_flags={"no-such-flag": "1"})
        with pytest.raises(TypeError, match="operator_flags: expected a dict or None, got the str 'a=b'"):
            function(job, operator_flags="a=b")
    assert kftrain.lint(job, operator_flags=flags) == kftrain.lint(job)
    assert kftrain.validate(job, operator_flags=flags) == []


def test_ranks_have_addresses_and_environments(job):
    job.metadata.namespace = "team-a"
    master, worker = kftrain.ranks(job)
    assert (master.role, master.index, master.rank, master.pod) == ("Master", 0, 0, "hello-master-0")
    assert (worker.role, worker.index, worker.rank, worker.pod) == ("Worker", 0, 1, "hello-worker-0")
    assert worker.address == "hello-worker-0.team-a.svc"
    assert worker.environment["pytorch"]["RANK"] == "1"
    assert worker.environment["pytorch"]["WORLD_SIZE"] == "2"


def test_an_invalid_job_raises_every_violated_rule(job):
    job.spec.pytorch_replica_specs["Master"].replicas = 2
    issues = kftrain.validate(job)
    assert issues and issues[0].level == "error"
    for function in (kftrain.render, kftrain.ranks):
        with pytest.raises(kftrain.Invalid) as caught:
            function(job)
        assert caught.value.code == "invalid_job"
        assert [cause.field for cause in caught.value.causes] == [issue.path for issue in issues]


def test_lint_finds_likely_mistakes(job):
    assert all(issue.rule.startswith("lint.") for issue in kftrain.lint(job))
    job.metadata.name = "x" * 60
    found = [issue for issue in kftrain.lint(job) if issue.keeps_from_starting]
    assert [issue.rule for issue in found] == ["lint.child-name"] * len(found) and found


def test_defaults_are_those_of_the_operator(job):
    complete = kftrain.with_defaults(job)
    assert complete.spec.run_policy.clean_pod_policy == "None"
    assert job.spec.run_policy.clean_pod_policy != "None"


def test_a_job_of_a_former_api_is_converted():
    text = (SOURCES / "examples/manifests/pytorch_job_v1alpha1.yaml").read_text()
    job, changes = kftrain.convert(text, "PyTorchJob.v1")
    assert type(job) is PyTorchJob
    assert {change.becomes for change in changes} <= {"changed", "approximated", "dropped"}
    with pytest.raises(kftrain.InvalidArgument):
        kftrain.convert(text, "TFJob")


def test_a_job_is_taken_in_every_form(job):
    for form in (job, job.to_yaml(), job.to_json(), job.to_dict()):
        assert kftrain.job(form) == job
        assert len(kftrain.render(form)) == 4
    with pytest.raises(TypeError):
        kftrain.job(1)
    with pytest.raises(ValueError, match="expected one job, got 2"):
        kftrain.job(job.to_yaml() + "---\n" + job.to_yaml())


def test_the_phase_follows_the_conditions(job):
    assert kftrain.phase(job) == "Created"
    job.status = {"conditions": [{"type": "Succeeded", "status": "True"}]}
    assert kftrain.phase(job) == "Succeeded"


def test_a_job_gets_the_objects_to_which_it_refers():
    job = trainer.TrainJob(metadata={"name": "tj"}, spec={"runtime_ref": {"name": "own"}, "trainer": {"num_nodes": 2}})
    missing = 'refers to the ClusterTrainingRuntime "own", which is missing'
    for function in (kftrain.render, kftrain.ranks, kftrain.lint, kftrain.validate):
        with pytest.raises(kftrain.InvalidArgument, match=missing):
            function(job)
    node = {"name": "node", "image": "i:1"}
    entry = {"name": "node", "template": {"spec": {"template": {"spec": {"containers": [node]}}}}}
    entry["template"]["metadata"] = {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}}
    spec = {"ml_policy": {"torch": {}}, "template": {"spec": {"replicated_jobs": [entry]}}}
    runtime = trainer.ClusterTrainingRuntime(metadata={"name": "own"}, spec=spec)
    for form in (runtime, runtime.to_yaml(), runtime.to_dict()):
        made = kftrain.render(job, references=[form])
        assert [type(item) for item in made] == [ConfigMap, JobSet]
    ranks = kftrain.ranks(job, references=[runtime])
    assert [(rank.rank, rank.address) for rank in ranks] == [(i, f"tj-node-0-{i}.tj.default.svc") for i in (0, 1)]
    assert ranks[1].environment["node"]["PET_NODE_RANK"] == "1"
    assert kftrain.validate(job, references=[runtime]) == kftrain.lint(job, references=[runtime]) == []
    job.spec.runtime_ref.name = "torch-distributed"  # one of an installation
    assert len(kftrain.ranks(job)) == 2


def test_models_other_than_jobs_are_rejected():
    with pytest.raises(TypeError, match="expected a job, got a kftrain::core::pod"):
        kftrain.render(Pod())
