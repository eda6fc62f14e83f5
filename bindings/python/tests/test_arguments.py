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


def test_what_was_expected_is_named():
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


def test_what_behaves_like_the_type_is_accepted(client, tmp_path):
    assert isinstance(until.ranks_ready("Worker", Number()), until.Condition)
    assert client.list(iter(["PyTorchJob.v1"]), limit=Number(), timeout=Number()) == []
    assert client.list(("PyTorchJob.v1",)) == client.list({"PyTorchJob.v1": None}.keys()) == []
    LocalCluster(directory=os.fspath(tmp_path), port=0)
    LocalCluster(directory=tmp_path)
    LocalCluster(commands={"team/*": "true"}, volumes={"data": tmp_path}, host_paths=[os.fspath(tmp_path)])
    with pytest.raises(TypeError, match=r"^kinds: expected a list of str, got the list \[1\]$"):
        client.list([1])
