import copy
import datetime
import gc
import json
import pickle
import re

import pytest
from conftest import SOURCES, pytorch_job

import kftrain
from kftrain import ObjectList, models
from kftrain.models.core import Container, EnvVar, Pod, PodSpec, ResourceRequirements
from kftrain.models.kubeflow_v1 import PyTorchJob, RunPolicy
from kftrain.models.meta import ObjectMeta

UTC = datetime.timezone.utc


def pod():
    return Pod(
        metadata={"name": "worker-0", "labels": {"team": "a"}},
        spec={"containers": [{"name": "main", "image": "python:3.12", "command": ["python", "train.py"]}]},
    )


def test_a_model_is_made_by_keyword_with_nested_dicts():
    made = pod()
    assert made.metadata.name == "worker-0"
    assert made.spec.containers[0].command == ["python", "train.py"]
    assert made.to_dict() == {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "worker-0", "labels": {"team": "a"}},
        "spec": {"containers": [{"name": "main", "image": "python:3.12", "command": ["python", "train.py"]}]},
    }


def test_models_and_dicts_give_the_same_object():
    main = Container(name="main", image="python:3.12", command=["python", "train.py"])
    assert pod() == Pod(metadata=ObjectMeta(name="worker-0", labels={"team": "a"}), spec=PodSpec(containers=[main]))


def test_names_of_json_are_accepted_in_dicts():
    assert PodSpec(**{"restart_policy": "Never"}) == Pod(spec={"restartPolicy": "Never"}).spec


@pytest.mark.parametrize(
    "make",
    [
        lambda: Pod(metdata={"name": "x"}),
        lambda: Pod(metadata={"nmae": "x"}),
        lambda: setattr(Pod(), "metdata", {}),
        lambda: setattr(pod().metadata, "nmae", "x"),
        lambda: Pod.from_dict({"metdata": {}}),
        lambda: models.from_dict({"apiVersion": "v1", "kind": "Pod", "metadata": {"nmae": "x"}}),
    ],
    ids=["keyword", "nested dict", "attribute", "nested attribute", "dict", "dict of any type"],
)
def test_an_unknown_name_is_refused_with_the_nearest_one(make):
    with pytest.raises((TypeError, AttributeError), match="did you mean '(metadata|name)'"):
        make()


def test_api_version_and_kind_are_those_of_the_type():
    assert (Pod().api_version, Pod().kind) == ("v1", "Pod")
    assert (PyTorchJob().api_version, PyTorchJob().kind) == ("kubeflow.org/v1", "PyTorchJob")
    with pytest.raises(ValueError, match="expected 'Pod', got 'Job'"):
        Pod().kind = "Job"
    assert Pod(api_version="v1", kind="Pod") == Pod()


def test_a_change_of_a_part_shows_in_the_whole():
    whole = pod()
    main = whole.spec.containers[0]
    main.image = "python:3.13"
    whole.metadata.labels["team"] = "b"
    assert whole.to_dict()["spec"]["containers"][0]["image"] == "python:3.13"
    assert whole.metadata.labels == {"team": "b"}


def test_a_part_follows_changes_of_its_list():
    whole = pod()
    main = whole.spec.containers[0]
    for i in range(100):  # moves the items in memory
        whole.spec.containers.append({"name": f"c{i}"})
    assert main.name == "main"
    main.image = "changed"
    assert whole.spec.containers[0].image == "changed"


def test_a_part_that_was_removed_is_refused():
    whole = pod()
    main = whole.spec.containers[0]
    team = whole.metadata.labels
    del whole.spec.containers[0]
    with pytest.raises(ReferenceError, match=r"spec\.containers\[0\]"):
        main.name
    del team["team"]
    assert team == {}


def test_a_part_keeps_the_whole_alive():
    containers = pod().spec.containers
    gc.collect()
    assert containers[0].name == "main"
    env = Pod(spec={"containers": [{"name": "a", "env": [{"name": "X", "value": "1"}]}]}).spec.containers[0].env[0]
    gc.collect()
    assert (env.name, env.value) == ("X", "1")


def test_lists_behave_like_lists():
    args = Container(args=["a", "b", "c"]).args
    assert (args[0], args[-1], args[1:], len(args)) == ("a", "c", ["b", "c"], 3)
    args.append("d")
    args.insert(0, "z")
    args[1] = "A"
    del args[2]
    assert args == ["z", "A", "c", "d"]
    args[1:3] = ["x", "y", "w"]
    assert args == ["z", "x", "y", "w", "d"]
    assert args.pop() == "d" and args.index("y") == 2
    args.reverse()
    assert args == ["w", "y", "x", "z"]
    args.clear()
    assert args == []
    with pytest.raises(IndexError):
        args[0]


def test_lists_of_models_behave_like_lists():
    spec = PodSpec(containers=[{"name": "a"}, {"name": "b"}])
    spec.containers.insert(0, Container(name="first"))
    assert [c.name for c in spec.containers] == ["first", "a", "b"]
    spec.containers[1] = {"name": "c", "image": "i"}
    assert spec.containers[1] == Container(name="c", image="i")
    with pytest.raises(TypeError, match=r"spec|containers\[3\]"):
        spec.containers.append({"nmae": "d"})
    with pytest.raises(TypeError):
        spec.containers.append(EnvVar(name="X"))
    assert len(spec.containers) == 3
    spec.containers.reverse()
    assert [c.name for c in spec.containers] == ["b", "c", "first"]


def test_an_item_that_is_popped_is_independent():
    spec = PodSpec(containers=[{"name": "a"}, {"name": "b"}, {"name": "c"}])
    assert spec.containers.pop() == Container(name="c")
    assert spec.containers.pop(0).name == "a"
    assert [c.name for c in spec.containers] == ["b"]
    with pytest.raises(IndexError):
        spec.containers.pop(1)
    spec.containers.clear()
    with pytest.raises(IndexError):
        spec.containers.pop()
    job = kftrain.job(pytorch_job("popped"))
    replicas = job.spec.pytorch_replica_specs
    replicas["Chief"] = replicas.pop("Master")
    assert sorted(replicas) == ["Chief", "Worker"] and replicas["Chief"].replicas == 1
    assert replicas.pop("Master", None) is None
    with pytest.raises(KeyError, match="Master"):
        replicas.pop("Master")
    items = [replicas.popitem(), replicas.popitem()]
    assert sorted((name, value.restart_policy) for name, value in items) == [("Chief", "Never"), ("Worker", "Never")]
    with pytest.raises(KeyError):
        replicas.popitem()


def test_a_list_is_extended_by_itself():
    spec = PodSpec(containers=[{"name": "a", "args": ["x"]}, {"name": "b"}])
    spec.containers.extend(spec.containers)
    spec.containers += spec.containers[:1]
    assert [c.name for c in spec.containers] == ["a", "b", "a", "b", "a"]
    args = spec.containers[0].args
    args += args
    args.extend(a + "y" for a in list(args))
    assert args == ["x", "x", "xy", "xy"]


def test_arguments_of_a_wrong_type_have_an_ordinary_message():
    with pytest.raises(TypeError, match="list indices must be integers or slices, not str"):
        PodSpec().containers["a"]
    with pytest.raises(TypeError, match="list indices must be integers or slices, not str"):
        ObjectList(0, [].__getitem__, "", "", None)["a"]
    with pytest.raises(ValueError, match="members: expected 0 to 2147483647, got -1"):
        kftrain.until.ranks_ready("worker", -1)
    with pytest.raises(TypeError, match="workers: expected an int, got '2'"):
        kftrain.train(print, workers="2")


def test_a_value_that_contains_itself_is_refused():
    from kftrain.models.meta import ManagedFieldsEntry

    cyclic = {"a": []}
    cyclic["a"].append(cyclic)
    with pytest.raises(ValueError, match="^fieldsV1: the value contains itself"):
        ManagedFieldsEntry(fields_v1=cyclic)
    with pytest.raises(ValueError, match="the value contains itself"):
        Pod.from_dict({"metadata": {"name": "a"}, "more": cyclic}, allow_unknown=True)
    with pytest.raises(ValueError, match="the value contains itself"):
        kftrain.Unstructured(cyclic).to_json()


def test_a_value_that_the_library_refuses_is_not_inserted():
    spec = PodSpec(containers=[{"name": "a", "resources": {"limits": {"cpu": "1"}}}])
    with pytest.raises(kftrain.ParseError, match="abc") as caught:
        spec.containers.append({"name": "b", "resources": {"limits": {"cpu": "abc"}}})
    assert caught.value.path == "containers[1].resources.limits.cpu"
    limits = spec.containers[0].resources.limits
    for name in ("cpu", "memory"):
        with pytest.raises(kftrain.ParseError):
            limits[name] = "abc"
    with pytest.raises(kftrain.ParseError):
        spec.containers[0] = {"name": "c", "resources": {"limits": {"cpu": "abc"}}}
    assert spec.to_dict() == {"containers": [{"name": "a", "resources": {"limits": {"cpu": "1"}}}]}


def test_maps_behave_like_dicts():
    labels = pod().metadata.labels
    labels.update(zone="1", app="x")
    assert dict(labels) == {"team": "a", "zone": "1", "app": "x"}
    assert labels.get("none") is None and "zone" in labels and len(labels) == 3
    assert labels.pop("zone") == "1"
    with pytest.raises(KeyError):
        labels["zone"]
    with pytest.raises(TypeError):
        labels["number"] = 1
    assert labels == {"team": "a", "app": "x"}


def test_scalars_have_types_of_python():
    policy = RunPolicy(active_deadline_seconds=60, suspend=True)
    assert (policy.active_deadline_seconds, policy.suspend, policy.backoff_limit) == (60, True, None)
    policy.active_deadline_seconds = None
    assert policy.active_deadline_seconds is None
    del policy.suspend
    assert policy.suspend is None


@pytest.mark.parametrize("wrong", ["60", 1.5, True, [], {}, datetime.timedelta(1)])
def test_a_value_of_another_type_is_refused_and_changes_nothing(wrong):
    policy = RunPolicy(active_deadline_seconds=60)
    with pytest.raises(TypeError):
        policy.active_deadline_seconds = wrong
    assert policy.active_deadline_seconds == 60


def test_a_number_that_does_not_fit_is_refused():
    policy = RunPolicy(backoff_limit=3)
    with pytest.raises(kftrain.ParseError, match="2147483648") as caught:
        policy.backoff_limit = 2**31
    assert caught.value.path == "backoffLimit"
    for number in (2**63, 2**70, -(2**70)):
        with pytest.raises(kftrain.ParseError):
            policy.backoff_limit = number
    assert policy.backoff_limit == 3


def test_texts_are_unicode():
    text = "\u00e9\u4e2d\U0001f600\x00 '\"\\"
    container = Container(name=text, args=[text])
    assert (container.name, container.args[0]) == (text, text)
    assert Container.from_yaml(container.to_yaml()) == Container.from_json(container.to_json()) == container
    with pytest.raises(UnicodeEncodeError):
        container.name = "\udcff"
    assert container.name == text


def test_an_error_names_the_place_in_the_whole_object():
    whole = pod()
    with pytest.raises(TypeError, match=r"spec\.containers\[0\]\.image"):
        whole.spec.containers[0].image = 3
    with pytest.raises(TypeError, match=r"spec\.containers\[0\]\.ports\[0\]"):
        whole.spec.containers[0].ports = [{"containerProt": 1}]


def test_times_are_aware_datetimes():
    meta = ObjectMeta(creation_timestamp=datetime.datetime(2026, 3, 1, 10, 11, 12, tzinfo=UTC))
    assert meta.to_dict() == {"creationTimestamp": "2026-03-01T10:11:12Z"}
    assert meta.creation_timestamp == datetime.datetime(2026, 3, 1, 10, 11, 12, tzinfo=UTC)
    meta.creation_timestamp = datetime.datetime(
        2026, 3, 1, 10, 11, 12, tzinfo=datetime.timezone(datetime.timedelta(hours=2))
    )
    assert meta.to_dict() == {"creationTimestamp": "2026-03-01T08:11:12Z"}
    meta.creation_timestamp = "1969-12-31T23:59:59Z"
    assert meta.creation_timestamp == datetime.datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)
    with pytest.raises(TypeError, match="time zone"):
        meta.creation_timestamp = datetime.datetime(2026, 3, 1)


def test_times_of_all_years_are_read_and_written():
    meta = ObjectMeta(creation_timestamp=datetime.datetime(800, 1, 2, tzinfo=UTC))
    assert meta.to_dict() == {"creationTimestamp": "0800-01-02T00:00:00Z"}
    assert meta.creation_timestamp == datetime.datetime(800, 1, 2, tzinfo=UTC)
    with pytest.raises(ValueError, match="creationTimestamp: .* is outside of the years 1 to 9999"):
        meta.creation_timestamp = datetime.datetime(
            1, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=5))
        )
    meta.creation_timestamp = "0001-01-01T00:00:00+05:00"
    assert meta.creation_timestamp == "0000-12-31T19:00:00Z"
    assert "0000-12-31T19:00:00Z" in repr(meta)


def test_micro_times_keep_their_fraction():
    from kftrain.models.coordination import Lease

    now = datetime.datetime(2026, 3, 1, 10, 11, 12, 345678, tzinfo=UTC)
    lease = Lease(spec={"renew_time": now})
    assert lease.spec.renew_time == now
    assert lease.to_dict()["spec"] == {"renewTime": "2026-03-01T10:11:12.345678Z"}


def test_bytes_are_bytes():
    from kftrain.models.core import Secret

    secret = Secret(data={"key": b"\x00\xff", "text": b"abc"})
    assert secret.data == {"key": b"\x00\xff", "text": b"abc"}
    assert secret.to_dict()["data"] == {"key": "AP8=", "text": "YWJj"}


def test_paths_have_one_form():
    meta = ObjectMeta(labels={"a": "b"})
    for name, path in (("plain", "labels.plain"), ("example.com/x", 'labels["example.com/x"]')):
        expected = re.escape(path) + ": "
        with pytest.raises(TypeError, match=f"^{expected}"):
            ObjectMeta(labels={name: []})
        with pytest.raises(TypeError, match=f"^{expected}"):
            meta.labels[name] = []
        with pytest.raises(kftrain.ParseError) as parsed:
            ObjectMeta.from_json(json.dumps({"labels": {name: []}}))
        assert parsed.value.path == path
        other = ObjectMeta(labels={"a": "b", name: "x"})
        assert [difference.path for difference in meta.diff(other)] == [path]


@pytest.mark.parametrize(
    "wrong", [b"abc", bytearray(b"abc"), datetime.timedelta(seconds=1), datetime.datetime(2026, 3, 1, tzinfo=UTC)]
)
def test_bytes_and_times_are_refused_in_texts(wrong):
    kind = type(wrong).__name__
    with pytest.raises(TypeError, match=f"^value: expected string, got the {kind} "):
        EnvVar(name="X", value=wrong)
    with pytest.raises(TypeError, match=rf"^labels.a: expected string, got the {kind} "):
        ObjectMeta(labels={"a": wrong})
    with pytest.raises(TypeError, match=rf"^limits.cpu: expected quantity, got the {kind} "):
        ResourceRequirements(limits={"cpu": wrong})
    if not isinstance(wrong, datetime.datetime):
        with pytest.raises(TypeError, match=f"^creationTimestamp: expected RFC 3339 time, got the {kind} "):
            ObjectMeta(creation_timestamp=wrong)


def test_ports_are_integers_or_names():
    from kftrain.models.core import ServicePort

    assert ServicePort(target_port=80).target_port == 80
    assert ServicePort(target_port="80").target_port == "80"
    assert ServicePort(target_port="http").to_dict() == {"port": 0, "targetPort": "http"}


def test_an_absent_part_is_none_until_it_is_set():
    container = Container(name="a")
    assert container.liveness_probe is None
    container.liveness_probe = {"exec": {"command": ["true"]}, "period_seconds": 5}
    probe = container.liveness_probe
    assert (probe.period_seconds, probe.exec.command) == (5, ["true"])
    container.liveness_probe = None
    assert container.liveness_probe is None
    with pytest.raises(ReferenceError):
        probe.period_seconds


def test_equality_copies_and_pickles():
    first = pod()
    for second in (copy.copy(first), copy.deepcopy(first), pickle.loads(pickle.dumps(first)), first.copy()):
        assert second == first
        second.spec.containers[0].image = "other"
        assert second != first
        assert first.spec.containers[0].image == "python:3.12"
    part = pickle.loads(pickle.dumps(first.spec.containers[0]))
    assert part == first.spec.containers[0] and isinstance(part, Container)
    assert pickle.loads(pickle.dumps(first.metadata.labels)) == {"team": "a"}
    assert first != first.metadata and first != 1
    with pytest.raises(TypeError):
        hash(first)


def test_a_part_that_is_assigned_is_copied():
    first, second = pod(), Pod()
    second.spec = first.spec
    second.spec.containers[0].image = "other"
    assert first.spec.containers[0].image == "python:3.12"
    first.spec.containers = first.spec.containers
    assert len(first.spec.containers) == 1


def test_the_text_of_a_model_shows_the_fields_that_are_set():
    assert repr(Container(name="main", args=["a"])) == "Container(name='main', args=['a'])"
    assert repr(Pod(metadata={"name": "x"})) == "Pod(metadata=ObjectMeta(name='x'))"


def test_yaml_and_json_are_read_and_written():
    first = pod()
    assert Pod.from_yaml(first.to_yaml()) == first
    assert Pod.from_json(first.to_json()) == first
    assert Pod.from_dict(first.to_dict()) == first
    assert models.from_yaml(first.to_yaml()) == first
    assert models.from_dict(first.to_dict()) == first


NEWER = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "newer"}, "spec": {"newField": {"a": [1, 2]}}}


def test_fields_of_newer_servers_are_kept_on_request():
    text = json.dumps(NEWER)
    for newer in (
        Pod.from_dict(NEWER, allow_unknown=True),
        Pod.from_json(text, allow_unknown=True),
        Pod.from_yaml(text, allow_unknown=True),
        models.from_dict(NEWER, allow_unknown=True),
        models.from_yaml(text, allow_unknown=True),
    ):
        assert newer.to_dict() == NEWER
        assert copy.deepcopy(newer).to_dict() == newer.copy().to_dict() == NEWER
        assert pickle.loads(pickle.dumps(newer)).to_dict() == NEWER


def test_a_name_that_is_read_wrongly_has_a_hint():
    with pytest.raises(AttributeError, match="PodSpec has no field 'restartPolicy'; did you mean 'restart_policy'?"):
        print(Pod().spec.restartPolicy)


@pytest.mark.parametrize("read", [Pod.from_json, Pod.from_yaml, models.from_yaml])
def test_a_text_with_an_unknown_field_is_refused_with_its_position(read):
    text = '{"apiVersion": "v1", "kind": "Pod",\n "spec": {"restartpolicy": "Never"}}'
    with pytest.raises(kftrain.ParseError, match="restartPolicy") as caught:
        read(text)
    assert (caught.value.code, caught.value.path, caught.value.line) == ("unknown_field", "spec.restartpolicy", 2)


def test_a_text_with_a_repeated_field_is_refused():
    with pytest.raises(kftrain.ParseError) as caught:
        Pod.from_yaml("metadata: {name: a}\nmetadata: {name: b}\n")
    assert caught.value.code == "duplicate_field"


def test_the_nearest_name_is_in_the_form_of_the_name():
    with pytest.raises(TypeError, match="^spec: PodSpec has no field 'restartpolicy'; did you mean 'restartPolicy'"):
        Pod.from_dict({"spec": {"restartpolicy": "Never"}})
    with pytest.raises(TypeError, match="did you mean 'restart_policy'"):
        Pod.from_dict({"spec": {"restart_polcy": "Never"}})
    with pytest.raises(TypeError, match="did you mean 'restart_policy'"):
        PodSpec(restartPolicy="Never")


def test_a_job_with_an_unknown_field_is_refused_in_every_form():
    text = pytorch_job().replace("restartPolicy", "restartpolicy")
    fields = kftrain.job(text, allow_unknown=True).to_dict()
    assert fields["spec"]["pytorchReplicaSpecs"]["Master"]["restartpolicy"] == "Never"
    for form in (text, fields):
        for use in (kftrain.job, kftrain.lint, kftrain.render):
            with pytest.raises((TypeError, kftrain.ParseError), match="restartPolicy"):
                use(form)
    assert kftrain.parse_jobs(text, allow_unknown=True)[0].to_dict() == fields
    with pytest.raises(kftrain.ParseError):
        kftrain.parse_jobs(text)


def test_classes_have_the_names_of_kubernetes():
    names = {
        "core": "CephFSVolumeSource ClientIPConfig CSIVolumeSource DownwardAPIProjection FCVolumeSource GRPCAction"
        " HTTPGetAction HostIP ISCSIVolumeSource PodDNSConfig PodIP PodOS SELinuxOptions ScaleIOVolumeSource"
        " StorageOSVolumeSource TCPSocketAction AWSElasticBlockStoreVolumeSource",
        "autoscaling": "HPAScalingRules",
        "networking": "IPBlock",
        "kubeflow_v1": "PyTorchJobSpec TFJobSpec MPIJobSpec JAXJobSpec XGBoostJobSpec RDZVConf PaddleJobSpec",
        "kubeflow_v1alpha1": "PyTorchReplicaSpec",
        "volcano": "JobSpec",
    }
    for module, classes in names.items():
        for name in classes.split():
            assert getattr(getattr(models, module), name).__name__ == name


def test_diff_and_patch():
    before, after = pod(), pod()
    after.metadata.labels["team"] = "b"
    after.spec.containers[0].image = None
    assert before.diff(after) == [
        models.Difference("metadata.labels.team", "a", "b"),
        models.Difference("spec.containers[name=main].image", "python:3.12", None),
    ]
    assert before.merge_patch(after)["metadata"] == {"labels": {"team": "b"}}
    with pytest.raises(TypeError):
        before.diff(before.spec)


class KubernetesContainer:
    """In the shape of the models of the package ``kubernetes``."""

    openapi_types = {"name": "str", "image_pull_policy": "str", "env": "list[V1EnvVar]", "args": "list[str]"}
    attribute_map = {"name": "name", "image_pull_policy": "imagePullPolicy", "env": "env", "args": "args"}

    def __init__(self):
        self.name, self.image_pull_policy, self.env, self.args = "main", "Always", None, ["x"]


def test_models_of_the_kubernetes_client_are_accepted():
    spec = PodSpec(containers=[KubernetesContainer()])
    assert spec.to_dict() == {"containers": [{"name": "main", "imagePullPolicy": "Always", "args": ["x"]}]}


def all_types():
    from kftrain._model import classes

    return sorted(classes.values(), key=lambda c: f"{c.__module__}.{c.__name__}")


@pytest.mark.parametrize("cls", all_types(), ids=lambda c: f"{c.__module__}.{c.__name__}")
def test_every_type_is_made_read_and_copied(cls):
    from kftrain._convert import fields_of

    made = cls()
    for field in fields_of(cls._type):
        getattr(made, field.name)
    assert cls.from_dict(made.to_dict()) == made == copy.deepcopy(made)
    assert getattr(__import__(cls.__module__, fromlist=["x"]), cls.__name__) is cls
    assert pickle.loads(pickle.dumps(made)) == made


def sample_value(type_, depth):
    kind = type_.kind
    if kind == "object":
        return sample_fields(type_, depth + 1)
    if kind == "list":
        return [sample_value(type_.element, depth)]
    if kind == "map":
        return {"key": sample_value(type_.element, depth)}
    return {
        "boolean": True,
        "integer": 7,
        "number": 1.5,
        "string": "text",
        "json": {"any": [1, None, "x"]},
        "text": {
            "RFC 3339 time": datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
            "duration": datetime.timedelta(hours=1, milliseconds=1),
            "quantity": "250m",
            "an integer or a string": "25%",
            "base64": b"\x01",
        }.get(type_.name),
    }[kind]


def sample_fields(type_, depth=0):
    from kftrain._convert import fields_of

    deep = depth > 3
    return {
        field.name: sample_value(field.type, depth)
        for field in fields_of(type_)
        if not (deep and field.type.kind in ("object", "list", "map"))
    }


@pytest.mark.parametrize("cls", all_types(), ids=lambda c: f"{c.__module__}.{c.__name__}")
def test_every_field_of_every_type_is_set_written_read_and_compared(cls):
    from kftrain._convert import fields_of

    fields = sample_fields(cls._type)
    made = cls(**fields)
    again = cls.from_json(made.to_json())
    assert again == made
    for field in fields_of(cls._type):
        value = fields.get(field.name)
        if value is not None and field.type.kind not in ("object", "list", "map"):
            assert getattr(again, field.name) == value
    for field in fields_of(cls._type):
        delattr(made, field.name)
    assert made == cls()


def jobs_of(file):
    """The jobs of a manifest, which may contain other objects."""
    documents = re.split(r"^---$", file.read_text(), flags=re.M)
    return [job for text in documents if "\nkind: ConfigMap\n" not in text for job in kftrain.parse_jobs(text)]


@pytest.mark.parametrize("file", sorted((SOURCES / "examples/manifests").rglob("*.yaml")), ids=lambda f: f.name)
def test_manifests_are_read_and_written_unchanged(file):
    jobs = jobs_of(file)
    assert jobs
    for job in jobs:
        assert type(job).from_yaml(job.to_yaml()) == job
        assert models.from_dict(job.to_dict()) == job
        fields = {name: value for name, value in job.to_dict().items() if name not in ("apiVersion", "kind")}
        rebuilt = type(job).from_dict(fields)
        assert rebuilt.to_dict() == job.to_dict()


def test_there_is_a_manifest_of_every_kind():
    from kftrain import _core

    files = (SOURCES / "examples/manifests").rglob("*.yaml")
    covered = {type(job)._type.name for file in files for job in jobs_of(file)}
    assert {t.name for t in _core.job_kinds()} == covered
