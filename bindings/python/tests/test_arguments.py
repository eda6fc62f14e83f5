"""Arguments of another type than that of their annotation."""

import asyncio
import inspect
import os

import pytest

import kftrain
from kftrain import until
from kftrain._checked import TYPES, alternatives
from kftrain.local import LocalCluster
from kftrain.models.core import ConfigMap

CLASSES = [
    kftrain.Client,
    kftrain.AsyncClient,
    kftrain.Api,
    kftrain.AsyncApi,
    kftrain.Informer,
    kftrain.AsyncInformer,
    kftrain.LogLines,
    kftrain.AsyncLogLines,
    kftrain.Command,
    kftrain.AsyncCommand,
    kftrain.PortForward,
    kftrain.AsyncPortForward,
    kftrain.JobReference,
    LocalCluster,
    ConfigMap,
]
# Internal, or checked by the method itself.
UNCHECKED = {"kind", "client", "owner", "place", "options", "stream", "data", "fields", "self", "cls", "model"}


def arguments():
    for cls in CLASSES:
        for name, method in inspect.getmembers(cls, callable):
            if name != "__init__" and (name.startswith("_") or getattr(method, "__module__", None) == "builtins"):
                continue
            for argument, annotation in getattr(method, "__annotations__", {}).items():
                if argument != "return" and argument not in UNCHECKED:
                    yield pytest.param(cls, method, argument, annotation, id=f"{cls.__name__}.{name}.{argument}")


class Wrong:
    """A value that no argument accepts."""

    def __repr__(self):
        return "wrong"


@pytest.mark.parametrize(("cls", "method", "argument", "annotation"), arguments())
def test_every_argument_is_checked_by_its_annotation(cls, method, argument, annotation):
    assert [member for member in alternatives(annotation) if member not in TYPES] == []
    owner = () if inspect.ismethod(method) else (object.__new__(cls),)
    with pytest.raises(TypeError) as caught:
        made = method(*owner, **{argument: Wrong()})
        asyncio.run(made)
    assert str(caught.value).startswith(f"{argument}: expected ")
    assert str(caught.value).endswith(", got the Wrong wrong")


def test_errors_name_the_expected_type():
    with pytest.raises(TypeError, match=r"^timeout: expected float, got the str '1'$"):
        LocalCluster().start(timeout="1")
    with pytest.raises(TypeError, match=r"^port: expected int, got the float 1\.5$"):
        LocalCluster(port=1.5)
    with pytest.raises(TypeError, match=r"^pods: expected bool, got None$"):
        LocalCluster(pods=None)
    with pytest.raises(TypeError, match=r"^directory: expected str, os\.PathLike or None, got the int 3$"):
        LocalCluster(directory=3)
    with pytest.raises(TypeError, match=r"^commands: expected a dict or None, got the int 3$"):
        LocalCluster(commands=3)
    with pytest.raises(TypeError, match=r"^host_paths: expected a list of str, got the str 'x'$"):
        LocalCluster(host_paths="x")
    with pytest.raises(TypeError, match=r"^members: expected int, got the str '2'$"):
        until.ranks_ready("Worker", "2")
    with pytest.raises(TypeError, match=r"^value: expected a job as a model, a text or a dict, got the int 3$"):
        kftrain.render(3)
    with pytest.raises(TypeError, match=r"^other: expected ConfigMap, got the Pod Pod\(\)$"):
        ConfigMap().diff(kftrain.models.core.Pod())
    with pytest.raises(TypeError, match=r"^replicas: expected int32, got \"two\"$"):
        kftrain.models.kubeflow_v1.ReplicaSpec(replicas="two")


class Number:
    """As the numbers of numpy, which are no int."""

    def __index__(self):
        return 2

    def __lt__(self, other):
        return other > 2


def test_objects_that_behave_like_the_type_are_accepted(client, tmp_path):
    assert isinstance(until.ranks_ready("Worker", Number()), until.Condition)
    assert client.list(iter(["PyTorchJob.v1"]), limit=Number(), timeout=Number()) == []
    assert client.list(("PyTorchJob.v1",)) == client.list({"PyTorchJob.v1": None}.keys()) == []
    LocalCluster(directory=os.fspath(tmp_path), port=0)
    LocalCluster(directory=tmp_path)
    LocalCluster(commands={"team/*": "true"}, volumes={"data": tmp_path}, host_paths=[os.fspath(tmp_path)])
    with pytest.raises(TypeError, match=r"^kinds: expected a list of str, got the list \[1\]$"):
        client.list([1])


NUL, SURROGATE = "a\0b", "a\udc80b"
JOB = "pytorchjob.v1/a"


def message_of(call, *arguments, **options):
    """The message of a call that refuses an argument before it sends anything."""
    with pytest.raises((TypeError, ValueError, kftrain.Timeout)) as caught:
        call(*arguments, **options)
    has_passed = options.get("timeout", 0) < 0
    assert isinstance(caught.value, kftrain.Error) == has_passed
    return str(caught.value)


def test_a_bool_is_rejected_as_a_number(client):
    assert message_of(client.exec, JOB, ["true"], rank=True) == "rank: expected int or None, got the bool True"
    assert message_of(client.logs, JOB, ranks=[True]) == "ranks: expected a list of int, got the list [True]"
    assert message_of(client.get, JOB, timeout=False) == "timeout: expected float or None, got the bool False"
    assert message_of(LocalCluster, nodes=True) == "nodes: expected int, got the bool True"


def test_numbers_are_in_their_ranges(client):
    pods = client.api("pods")
    for expected, call in {
        "timeout: expected at least 0 seconds": lambda **given: client.get(JOB, **given),
        "timeout: expected at least 0 seconds, ": lambda **given: pods.open_exec("a", ["true"]).next(**given),
        "timeout: expected at least 0 seconds, got": lambda **given: kftrain.train(print, **given),
        "since: expected at least 0 seconds": lambda **given: client.logs(JOB, **given),
        "simulate: expected at least 0 seconds": LocalCluster,
        "limit: expected at least 0": lambda **given: pods.exec("a", ["true"], **given),
        "limit: expected at least 0, ": client.list,
        "rank: expected at least 0": lambda **given: client.exec(JOB, ["true"], **given),
        "index: expected at least 0": lambda **given: client.exec(JOB, ["true"], role="Worker", **given),
        "tail: expected at least 0": lambda **given: pods.logs("a", **given),
        "limit_bytes: expected at least 1 byte": lambda **given: pods.logs("a", **given),
        "log_file_size: expected at least 4096 bytes": LocalCluster,
        "log_files: expected at least 2": LocalCluster,
    }.items():
        message = message_of(call, **{expected.partition(":")[0]: -1})
        assert message.startswith(expected) and message.endswith(", got -1")
    assert message_of(LocalCluster(port=-1).start) == "port: expected 0 to 65535, got -1"
    assert message_of(client.list, limit=1 << 32) == f"limit: expected 0 to {(1 << 32) - 1}, got {1 << 32}"


def test_an_empty_path_is_not_the_current_directory(client, tmp_path):
    pods = client.api("pods")
    for argument, call in (
        ("kubeconfig", kftrain.Client),
        *((f"{name}directory", LocalCluster) for name in ("", "working_", "image_", "data_")),
        ("directory", lambda **given: pods.copy_from("a", "/tmp", **given)),
        ("directory", lambda **given: client.copy_to(JOB, tmp_path, **given)),
        ("path", lambda **given: client.copy_from(JOB, directory=tmp_path, **given)),
        ("path", lambda **given: pods.copy_to("a", directory="/tmp", **given)),
    ):
        assert message_of(call, **{argument: ""}) == f"{argument}: expected a path, got ''"
        assert " without NUL characters, got 'a\\x00b'" in message_of(call, **{argument: NUL})
    assert message_of(LocalCluster, volumes={"a": ""}) == "volumes['a']: expected a path, got ''"
    assert message_of(LocalCluster, volumes={"a": None}).startswith("volumes['a']: expected str or os.PathLike, got No")
    assert message_of(LocalCluster, host_paths=["/", ""]) == "host_paths[1]: expected a path, got ''"


@pytest.mark.parametrize(("text", "fault"), [(NUL, "NUL characters"), (SURROGATE, "lone surrogates")])
def test_texts_that_programs_cannot_receive_are_refused(client, cluster, text, fault):
    pods = client.api("pods")
    expected = f": expected a text without {fault}, got {text!r}"
    for argument, call, value in (
        ("command", lambda **given: pods.exec("a", **given), ["echo", text]),
        ("command", lambda **given: client.open_exec(JOB, **given), iter([text])),
        ("container", lambda **given: pods.exec("a", ["true"], **given), text),
        ("namespace", lambda **given: pods.get("a", **given), text),
        ("name", pods.get, text),
        ("name", lambda **given: kftrain.JobReference("PyTorchJob.v1", **given), text),
        ("job", client.get, text),
        ("label_selector", pods.list, text),
        ("roles", lambda **given: client.logs(JOB, **given), [text]),
        ("roles", lambda **given: client.logs(JOB, **given), {text: 1}.keys()),
        ("role", lambda **given: client.scale(JOB, members=1, **given), text),
        ("user", cluster.client, text),
        ("context", kftrain.Client, text),
        ("isolation", LocalCluster, text),
        *((name, LocalCluster, {text: "host"}) for name in ("commands", "images")),
        ("users", LocalCluster, {text: []}),
        ("env", lambda **given: kftrain.train(print, **given), {text: "x"}),
    ):
        assert message_of(call, **{argument: value}) == argument + expected
    for argument, call, value in (
        *((name, LocalCluster, text) for name in ("commands", "images")),
        ("users", LocalCluster, ["team", text]),
        ("env", lambda **given: kftrain.train(print, **given), text),
    ):
        assert message_of(call, **{argument: {"jane": value}}) == f"{argument}['jane']" + expected


def test_lone_surrogates_are_rejected_where_nul_characters_are_allowed(client):
    expected = ": expected a text without lone surrogates, got 'a\\udc80b'"
    for argument, call in {
        "input": lambda **given: client.exec(JOB, ["cat"], **given),
        "data": lambda **given: client.open_exec(JOB, ["cat"], stdin=True).write(**given),
        "object": client.api("configmaps").create,
        "value": kftrain.job,
    }.items():
        assert message_of(call, **{argument: SURROGATE}) == argument + expected
    other = {"apiVersion": "example.com/v1", "kind": "Other", "spec": {"list": [{"a": SURROGATE}]}}
    assert message_of(client.api("others.example.com").create, other) == "spec.list[0].a" + expected
    assert message_of(ConfigMap, data={"k": SURROGATE}) == "data.k" + expected
    assert ConfigMap(data={"k": NUL}).data["k"] == NUL


def test_users_are_names_with_lists_of_groups():
    for users, message in (
        ({"jane": None}, "users['jane']: expected a list of groups, got None"),
        ({"jane": "team"}, "users['jane']: expected a list of groups, got the str 'team'"),
        ({"jane": [1]}, "users['jane']: expected str, got the int 1"),
        ({1: []}, "users: expected str, got the int 1"),
        (["jane"], "users: expected a dict or None, got the list ['jane']"),
    ):
        assert message_of(LocalCluster, users=users) == message


def test_a_data_directory_that_cannot_be_used_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(kftrain.InvalidArgument, match=f"^data_directory: {tmp_path}/file: expected a directory"):
        LocalCluster(data_directory=tmp_path / "file", pods=False).start()
    with LocalCluster(data_directory=tmp_path / "data", pods=False):
        with pytest.raises(kftrain.Error, match=f"^data_directory: another local cluster uses {tmp_path}/data"):
            LocalCluster(data_directory=tmp_path / "data", pods=False).start()
