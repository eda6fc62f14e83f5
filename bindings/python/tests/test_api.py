import asyncio
import copy
import datetime
import gc
import http.server
import json
import os
import pickle
import subprocess
import sys
import textwrap
import threading
import time

import pytest
from conftest import pytorch_job

import kftrain
from kftrain import Unstructured, _objects
from kftrain.models.core import ConfigMap, Pod
from kftrain.models.kubeflow_v1 import PyTorchJob

DEFINITION = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.acme.example}
spec:
  group: acme.example
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: widget, shortNames: [wd]}
  versions:
    - name: v1
      served: true
      storage: true
      subresources:
        status: {}
        scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}
      schema:
        openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
"""

WIDGET = """
apiVersion: acme.example/v1
kind: Widget
metadata: {name: one, labels: {team: a}}
spec: {replicas: 2, partSizes: [{sizeInMm: 3}]}
"""


@pytest.fixture(scope="module")
def widgets(client):
    client.api("customresourcedefinitions").create(DEFINITION)
    api = client.api("widgets.acme.example")
    with client.api("customresourcedefinitions").watch() as changes:  # it takes effect a moment later
        while "Established" not in [c.type for c in changes.next(timeout=20).object.status.conditions or []]:
            pass
    return api


@pytest.fixture
def maps(client):
    api = client.api("configmaps")
    yield api
    for item in api.list():
        api.delete(item)


def config_map(name, **data):
    return ConfigMap(metadata={"name": name, "labels": {"team": name[0]}}, data=data)


def test_an_object_is_created_read_changed_and_deleted(maps):
    stored = maps.create(config_map("one", a="1"))
    assert isinstance(stored, ConfigMap) and stored.metadata.uid
    assert maps.get("one") == maps.get(stored) == stored
    stored.data["b"] = "2"
    changed = maps.update(stored)
    assert changed.data == {"a": "1", "b": "2"}
    with pytest.raises(kftrain.Conflict):
        maps.update(stored)
    assert maps.patch("one", {"data": {"a": None}}).data == {"b": "2"}
    assert maps.patch(stored, [{"op": "add", "path": "/data/c", "value": "3"}]).data == {"b": "2", "c": "3"}
    for name in ("binary", "binaryDate"):
        with pytest.raises(TypeError, match=f"ConfigMap has no field '{name}'; did you mean 'binaryData'"):
            maps.patch(stored, {name: {"a": "AA=="}})
    assert maps.patch("one", {"binary_data": {"d": b"1"}}).binary_data == {"d": b"1"}
    maps.delete(stored)
    with pytest.raises(kftrain.NotFound) as caught:
        maps.get("one")
    assert not caught.value.retryable


def test_types_are_named_by_class_plural_kind_and_version(client, maps):
    stored = maps.create(config_map("named"))
    for kind in (ConfigMap, "configmap", "ConfigMap", "v1/ConfigMap", "v1/configmaps", "configmaps.v1", "cm"):
        found = client.api(kind).get("named")
        assert type(found) is ConfigMap and found.metadata.uid == stored.metadata.uid
    for kind in (PyTorchJob, "pytorchjobs.kubeflow.org", "kubeflow.org/v1/PyTorchJob", "pytorchjobs.v1.kubeflow.org"):
        assert len(client.api(kind).list()) == 0
    for kind in ("nosuch", "v2/ConfigMap", "configmaps.nosuch.example"):
        with pytest.raises(kftrain.InvalidArgument, match="the server has no type of objects"):
            client.api(kind).list()
    for kind in (dict, ConfigMap.from_dict, kftrain.models.core.PodSpec, kftrain.models.core.PodList, 3):
        with pytest.raises(TypeError, match="expected the name of a type"):
            client.api(kind)


def test_an_object_is_written_in_any_form(maps):
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\ndata: {a: b}\n"
    data = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "dict"}, "data": {"a": "b"}}
    for form in (text % "yaml", data, json.dumps({**data, "metadata": {"name": "json"}}), config_map("model", a="b")):
        assert maps.create(form).data == {"a": "b"}
    with pytest.raises(kftrain.ParseError, match="expected ConfigMap of v1, got Pod of v1"):
        maps.create(Pod(metadata={"name": "x"}))
    with pytest.raises(TypeError, match=r"data: expected a mapping, got the list \[1\]"):
        maps.create({**data, "data": [1]})
    with pytest.raises(TypeError, match="name: expected an object or its name, got the ObjectMeta ObjectMeta.name="):
        maps.create(kftrain.models.meta.ObjectMeta(name="x"))


class KubernetesMeta:
    attribute_map = {"name": "name", "creation_timestamp": "creationTimestamp", "owner_references": "ownerReferences"}

    def __init__(self, name):
        self.name = name
        self.creation_timestamp = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
        self.owner_references = None
        self.namespace = self.uid = None


class KubernetesConfigMap:
    attribute_map = {"api_version": "apiVersion", "kind": "kind", "metadata": "metadata", "data": "data"}

    def __init__(self, name):
        self.api_version = self.kind = None
        self.metadata = KubernetesMeta(name)
        self.data = {"a": "b"}


def test_an_object_may_lack_its_type(maps):
    assert maps.create(KubernetesConfigMap("kubernetes")).data == {"a": "b"}
    assert maps.create({"metadata": {"name": "dict"}, "data": {"a": "b"}}).kind == "ConfigMap"


def test_the_namespace_of_an_object_counts(client, maps):
    other = ConfigMap(metadata={"name": "elsewhere", "namespace": "kube-system"})
    stored = maps.create(other)
    assert stored.metadata.namespace == "kube-system"
    with pytest.raises(kftrain.NotFound):
        maps.get("elsewhere")
    assert maps.get(stored) == maps.get("elsewhere", namespace="kube-system") == stored
    everywhere = client.api("configmaps", all_namespaces=True)
    assert stored in list(everywhere.list()) and stored not in list(maps.list())
    with pytest.raises(kftrain.InvalidArgument):
        maps.create(other, namespace="default")
    maps.delete(stored)
    assert client.api("nodes").namespace == "default" and client.api("nodes").list() is not None


def test_a_list_has_selectors_and_pages(maps):
    for name in ("a1", "a2", "a3", "b1"):
        maps.create(config_map(name))
    everything = maps.list()
    assert [m.metadata.name for m in everything] == ["a1", "a2", "a3", "b1"]
    assert everything[-1].metadata.name == "b1" and len(everything[1:3]) == 2
    assert everything == maps.list() == list(everything) and everything != everything[1:]
    assert [m.metadata.name for m in maps.list(label_selector="team=a")] == ["a1", "a2", "a3"]
    assert [m.metadata.name for m in maps.list(field_selector="metadata.name=b1")] == ["b1"]
    page = maps.list(limit=3)
    assert (len(page), page.remaining) == (3, 1) and page.continue_token
    rest = maps.list(limit=3, continue_token=page.continue_token)
    assert [m.metadata.name for m in rest] == ["b1"] and not rest.continue_token
    maps.delete_all(label_selector="team=a")
    assert [m.metadata.name for m in maps.list()] == ["b1"]
    with pytest.raises(kftrain.InvalidArgument):
        maps.delete_all()
    with pytest.raises(IndexError):
        page[3]


def test_objects_of_a_list_are_converted_when_they_are_used(maps, monkeypatch):
    for number in range(20):
        maps.create(config_map(f"lazy-{number:02}"))
    converted = []
    monkeypatch.setattr(_objects, "to_object", lambda raw: converted.append(raw) or _objects.wrap(raw))
    items = maps.list()
    assert len(items) == 20 and not converted
    last = items[19]
    assert last.metadata.name == "lazy-19" and len(converted) == 1
    last.data["a"] = "b"
    assert items[19].data == {"a": "b"}
    del items
    gc.collect()
    assert last.metadata.name == "lazy-19"


def test_an_object_of_a_list_is_one_object(maps):
    for number in range(3):
        maps.create(config_map(f"one-{number}"))
    for items in (maps.list(), maps.list(limit=3)):
        first, again = items[0], items[0]
        owners = first.metadata.owner_references
        owners.append({"name": "a"})
        part = again.metadata.owner_references[0]
        for number in range(20):  # which moves the items in memory
            owners.insert(0, {"name": f"b{number}"})
        assert part.name == owners[0].name == "b19"
        del first, again, owners, part
        items[1].data["x"] = "y"
        items[2].metadata.labels = {"a": "b"}
        gc.collect()
        assert [len(item.metadata.owner_references) for item in items] == [21, 0, 0]
        assert items[1].data == {"x": "y"} and items[2].metadata.labels == {"a": "b"}
        assert items[0] == items[0] and items != maps.list()


def test_lists_of_objects_are_copied_and_pickled(widgets, client, maps):
    maps.create(config_map("a", x="1"))
    widgets.create(WIDGET)
    with client.informer("configmaps") as informer:
        for objects in (maps.list(), widgets.list(), informer.list()):
            for again in (copy.copy(objects), copy.deepcopy(objects), pickle.loads(pickle.dumps(objects))):
                assert again == objects and len(again) == 1 and type(again[0]) is type(objects[0])
                assert (again.resource_version, again.remaining) == (objects.resource_version, objects.remaining)
    objects = maps.list()
    again = copy.deepcopy(objects)
    again[0].data["x"] = "2"
    assert objects[0].data["x"] == "1"
    widgets.delete("one")


def test_a_custom_resource_is_a_dict(widgets, client):
    stored = widgets.create(WIDGET)
    assert isinstance(stored, Unstructured)
    assert stored["spec"]["replicas"] == stored.spec.replicas == 2
    assert stored.spec.part_sizes[0].size_in_mm == 3
    assert (stored.kind, stored.api_version, stored.metadata.name) == ("Widget", "acme.example/v1", "one")
    assert stored.status is None and not hasattr(stored, "_repr_html_")
    stored.spec.replicas = 4
    stored.spec.new_field = {"a": 1}
    changed = widgets.update(stored)
    assert changed["spec"]["replicas"] == 4 and changed.spec.new_field.a == 1
    assert widgets.patch("one", {"spec": {"newField": None}}).spec.new_field is None
    assert pickle.loads(pickle.dumps(changed)) == changed == Unstructured.from_yaml(changed.to_yaml())
    assert type(changed.to_dict()["spec"]) is dict
    named = [client.api(kind).get("one") for kind in ("widget", "wd", "acme.example/v1/Widget")]
    assert all(n.metadata.uid == stored.metadata.uid for n in named)
    items = widgets.list(label_selector="team=a")
    items[0].spec.replicas = 9
    assert items[0].spec.replicas == 9
    widgets.delete(stored)
    assert len(widgets.list()) == 0


def test_status_and_scale_are_changed_by_themselves(widgets):
    widget = widgets.create(WIDGET)
    widget.status = {"replicas": 1}
    widget.spec.replicas = 7
    stored = widgets.update(widget, subresource="status")
    assert (stored.spec.replicas, stored.status.replicas) == (2, 1)
    stored = widgets.patch("one", {"status": {"replicas": 5}}, subresource="status")
    assert stored.status.replicas == 5
    assert (widgets.get_scale("one").spec.replicas, widgets.get_scale("one").status.replicas) == (2, 5)
    assert widgets.scale("one", 3).spec.replicas == 3
    assert widgets.get("one").spec.replicas == 3
    with pytest.raises(ValueError, match="subresource"):
        widgets.update(stored, subresource="scale")
    widgets.delete("one")


def test_a_later_object_of_the_name_is_not_deleted(maps):
    first = maps.create(config_map("twice"))
    maps.delete(first)
    maps.create(config_map("twice"))
    with pytest.raises(kftrain.Conflict):
        maps.delete(first)
    maps.delete("twice")


def test_a_watch_reports_existing_objects_and_changes(maps):
    stored = maps.create(config_map("a", x="1"))
    with maps.watch(label_selector="team=a") as changes:
        first = changes.next(timeout=20)
        assert (first.change, first.object) == ("added", stored)
        maps.create(config_map("b"))
        maps.patch("a", {"data": {"x": "2"}})
        second = changes.next(timeout=20)
        assert (second.change, second.object.data["x"]) == ("modified", "2")
        with pytest.raises(kftrain.Timeout):
            changes.next(timeout=0.1)
        maps.delete("a")
        third = changes.next(timeout=20)
        assert (third.change, third.object.data["x"]) == ("deleted", "2")
    with pytest.raises(StopIteration):
        next(changes)


def test_a_watch_continues_from_a_version(maps):
    maps.create(config_map("a"))
    version = maps.list().resource_version
    maps.create(config_map("b"))
    with maps.watch(resource_version=version) as changes:
        assert changes.next(timeout=20).object.metadata.name == "b"


def test_a_watch_reports_what_it_missed(maps):
    for name in ("a", "b", "c"):
        maps.create(config_map(name, x="1"))
    with maps.watch() as changes:
        assert {changes.next(timeout=20).object.metadata.name for _ in range(3)} == {"a", "b", "c"}
        # As after an interruption that was too long to continue from the version.
        changes._version, changes._stream = "", None
        maps.delete("a")
        maps.patch("b", {"data": {"x": "2"}})
        maps.create(config_map("d"))
        maps.delete("c")
        maps.create(config_map("c", x="3"))
        found = [changes.next(timeout=20) for _ in range(5)]
        assert {(f.change, f.object.metadata.name, f.object.data.get("x")) for f in found} == {
            ("deleted", "a", "1"),
            ("modified", "b", "2"),
            ("deleted", "c", "1"),
            ("added", "c", "3"),
            ("added", "d", None),
        }
        # As after the regular end of a watch: nothing is reported twice.
        changes._stream = None
        maps.patch("d", {"data": {"x": "4"}})
        assert changes.next(timeout=20).object.data["x"] == "4"


def test_a_watch_starts_again_if_its_version_is_gone(maps):
    maps.create(config_map("a"))
    changes = maps.watch()
    assert changes.next(timeout=20).object.metadata.name == "a"
    failures = [kftrain.Gone("gone"), kftrain.Unreachable("lost")]
    failures[1].retryable = True
    advance = changes._advance

    def fail_first(deadline):
        if failures:
            raise failures.pop(0)
        advance(deadline)

    changes._advance = fail_first
    maps.create(config_map("b"))
    assert changes.next(timeout=20).object.metadata.name == "b" and not failures
    changes._advance = lambda deadline: (_ for _ in ()).throw(kftrain.Forbidden("no"))
    with pytest.raises(kftrain.Forbidden):
        changes.next(timeout=20)
    # A server that has none of its listed versions is not queried again at once.
    changes, attempts = maps.watch(), []
    changes.next(timeout=20)

    def fail_always(deadline):
        attempts.append(deadline)
        if deadline - time.monotonic() <= 0.01:
            raise kftrain.Timeout("late")
        raise kftrain.Gone("gone")

    changes._ready.clear()
    changes._advance = fail_always
    with pytest.raises(kftrain.Timeout):
        changes.next(timeout=0.5)
    assert 2 <= len(attempts) < 10
    # A version that the caller gave is not replaced.
    changes = maps.watch(resource_version="1")
    changes._advance = lambda deadline: (_ for _ in ()).throw(kftrain.Gone("gone"))
    with pytest.raises(kftrain.Gone):
        changes.next(timeout=20)


@pytest.fixture
def empty_watches(tmp_path):
    """A client of a server that ends each watch at once, without an event, and the paths of the requests."""
    paths = []

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            paths.append(self.path)
            listed = {"apiVersion": "v1", "kind": "ConfigMapList", "metadata": {"resourceVersion": "5"}, "items": []}
            body = b"" if "watch=" in self.path else json.dumps(listed).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *about):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        file = tmp_path / "kubeconfig"
        file.write_text(
            "apiVersion: v1\nkind: Config\ncurrent-context: c\n"
            f"clusters: [{{name: c, cluster: {{server: 'http://127.0.0.1:{server.server_port}'}}}}]\n"
            "contexts: [{name: c, context: {cluster: c, user: u}}]\nusers: [{name: u}]\n"
        )
        with kftrain.Client(file) as client:
            yield client, paths
        server.shutdown()


def test_a_time_limit_counts_if_each_watch_ends_at_once(empty_watches):
    client, paths = empty_watches
    api = client.api("configmaps")
    begin = time.monotonic()
    with api.watch() as changes, pytest.raises(kftrain.Timeout):
        changes.next(timeout=0.5)
    with pytest.raises(kftrain.Timeout):
        api.wait("a", lambda state: state is not None, timeout=0.5)
    assert time.monotonic() - begin < 1.2
    assert len(paths) < 20


def test_many_changes_are_read_in_order(maps):
    with maps.watch() as changes:
        maps.create(config_map("many", n="0"))
        assert changes.next(timeout=20).change == "added"
        for number in range(1, 400):
            maps.patch("many", {"data": {"n": str(number)}})
        assert [int(changes.next(timeout=20).object.data["n"]) for _ in range(399)] == list(range(1, 400))


POD = """
apiVersion: v1
kind: Pod
metadata: {name: %s}
spec:
  restartPolicy: Never
  containers:
    - name: main
      image: example.com/none
      command: [sh, -c, %s]
      resources: {limits: {cpu: 1500m, memory: 1Gi}}
"""


def run_pod(client, name, command):
    pods = client.api("pods")
    pod = pods.create(POD % (name, json.dumps(command)))
    pods.wait(pod, lambda state: state is not None and state.status.phase in ("Succeeded", "Failed"), timeout=60)
    return pods


def test_a_state_is_waited_for(maps):
    seen = []

    def has_two(state):
        seen.append(None if state is None else dict(state.data))
        return state is not None and state.data.get("x") == "2"

    found = []
    waiting = threading.Thread(target=lambda: found.append(maps.wait("awaited", has_two, timeout=60)))
    waiting.start()
    while not seen:
        threading.Event().wait(0.01)
    maps.create(config_map("other", x="2"))
    maps.create(config_map("awaited", x="1"))
    stored = maps.patch("awaited", {"data": {"x": "2"}})
    waiting.join(60)
    assert found == [stored] and seen == [None, {"x": "1"}, {"x": "2"}]
    with pytest.raises(kftrain.Timeout):
        maps.wait(stored, lambda state: state is None, timeout=0.1)
    with pytest.raises(ZeroDivisionError):
        maps.wait(stored, lambda state: 1 / 0)
    maps.delete(stored)
    assert maps.wait(stored, lambda state: state is None, timeout=20) is None


def test_the_output_of_a_pod_is_read_line_by_line(client):
    pods = run_pod(client, "speaking", "seq 1 1000")
    assert list(pods.logs("speaking")) == [str(n) for n in range(1, 1001)]
    assert list(pods.logs("speaking", tail=2, follow=True)) == ["999", "1000"]
    with pods.logs("speaking", limit_bytes=4) as lines:
        assert next(lines) == "1"
    with pytest.raises(StopIteration):
        next(lines)
    with pytest.raises(kftrain.NotFound):
        next(pods.logs("none"))
    with pytest.raises(TypeError, match="only pods have logs"):
        client.api("configmaps").logs("a")
    pods.delete("speaking", grace_period=0)


def test_server_side_apply_reaches_the_server(maps):
    assert maps.apply(config_map("applied"), field_manager="test").metadata.name == "applied"


def test_jobs_are_objects_too(client):
    jobs = client.api("pytorchjobs")
    job = jobs.create(pytorch_job("object", "sleep 60"))
    assert isinstance(job, PyTorchJob)
    assert client.get(job).metadata.uid == job.metadata.uid
    jobs.delete(job, propagation="Background")
    with pytest.raises(ValueError, match="expected Orphan, Background or Foreground, got 'Sideways'"):
        jobs.delete(job, propagation="Sideways")
    with pytest.raises(ValueError, match=f"grace_period: expected -{2**63} to {2**63 - 1}, got {2**70}"):
        jobs.delete(job, grace_period=2**70)
    with pytest.raises(ValueError, match=f"the number of replicas: expected at most {2**31 - 1}, got {2**40}"):
        jobs.scale(job, 2**40)


def test_an_informer_has_a_copy_of_the_objects(client, maps):
    maps.create(config_map("a", x="1"))
    maps.create(config_map("b", x="1"))
    with client.informer("configmaps") as informer:
        assert [m.metadata.name for m in informer.list()] == ["a", "b"]
        assert informer.get("a").data == {"x": "1"} and informer.get("none") is None
        copy = informer.get("a")
        copy.data["x"] = "mine"
        assert informer.get("a").data == {"x": "1"}
        changes = informer.changes()
        assert {changes.next(timeout=20).object.metadata.name for _ in range(2)} == {"a", "b"}
        maps.patch("a", {"data": {"x": "2"}})
        change = changes.next(timeout=20)
        assert (change.change, change.object.data["x"]) == ("modified", "2")
        assert informer.get("a").data == {"x": "2"}
        maps.delete("b")
        assert changes.next(timeout=20).change == "deleted"
        assert informer.get("b") is None
        with pytest.raises(kftrain.Timeout):
            changes.next(timeout=0.1)
    with pytest.raises(ValueError, match="closed"):
        informer.get("a")
    with pytest.raises(StopIteration):
        changes.next(timeout=20)


def test_changes_keep_their_informer(client, maps):
    maps.create(config_map("a"))
    changes = client.informer("configmaps").changes()
    assert changes.next(timeout=20).object.metadata.name == "a"
    maps.create(config_map("b"))
    assert changes.next(timeout=20).object.metadata.name == "b"


def test_a_slow_reader_of_an_informer_gets_the_last_state(client, maps):
    maps.create(config_map("a", n="0"))
    with client.informer("configmaps") as informer, client.informer(ConfigMap) as control:
        changes = informer.changes()
        assert changes.next(timeout=20).change == "added"
        for number in range(1, 50):
            maps.patch("a", {"data": {"n": str(number)}})
        maps.create(config_map("b"))
        following = control.changes()
        while following.next(timeout=20).object.metadata.name != "b":
            pass
        found = changes.next(timeout=20)
        while found.object.metadata.name == "a" and found.object.data["n"] != "49":
            found = changes.next(timeout=20)
        assert found.object.data["n"] == "49"
        assert changes.next(timeout=20).object.metadata.name == "b"


def test_an_informer_does_not_report_what_came_and_went(client, maps):
    with client.informer("configmaps") as informer:
        changes = informer.changes()
        maps.create(config_map("kept"))
        assert changes.next(timeout=20).object.metadata.name == "kept"
        for number in range(3):
            maps.create(config_map(f"brief-{number}"))
            maps.delete(f"brief-{number}")
        maps.create(config_map("last"))
        while informer.get("last") is None:
            time.sleep(0.01)
        assert changes.next(timeout=20).object.metadata.name == "last"
        with pytest.raises(kftrain.Timeout):
            changes.next(timeout=0.1)


def test_a_call_whose_result_is_not_fetched_loses_no_change(client, maps):
    maps.create(config_map("a"))
    with client.informer("configmaps") as informer:
        changes = informer.changes()
        assert changes.next(timeout=20).change == "added"
        abandoned = changes._stream.take()
        maps.create(config_map("b"))
        while not abandoned.done():
            time.sleep(0.01)
        del abandoned
        assert changes.next(timeout=20).object.metadata.name == "b"


def test_a_time_limit_is_a_number(client):
    with pytest.raises(ValueError, match="timeout: expected at least 0 seconds, got nan"):
        client.get("pytorchjob.v1/none", timeout=float("nan"))
    with client.api("configmaps").watch() as changes, pytest.raises(ValueError, match="got nan"):
        changes.next(timeout=float("nan"))


def test_an_informer_reports_that_its_type_is_unknown(client):
    informer = client.informer("nosuch")
    with pytest.raises(kftrain.InvalidArgument, match="nosuch"):
        informer.wait_for_sync(20)
    with pytest.raises(kftrain.InvalidArgument, match="nosuch"):
        next(informer.changes())


def test_the_asynchronous_client_has_the_same_apis(cluster, maps):
    async def work():
        async with kftrain.AsyncClient(cluster.kubeconfig) as client:
            api = client.api(ConfigMap)
            created = await asyncio.gather(*(api.create(config_map(f"async-{n}", x="1")) for n in range(10)))
            assert {m.metadata.name for m in created} == {m.metadata.name for m in await api.list()}
            async with client.informer("configmaps") as informer:
                assert len(informer.list()) == 10 and informer.get("async-3").data == {"x": "1"}
                async with informer.changes() as changes:
                    assert (await changes.next(timeout=20)).change == "added"
            async with api.watch(field_selector="metadata.name=async-0") as changes:
                assert (await changes.next(timeout=20)).change == "added"
                pending = asyncio.ensure_future(changes.next())
                await asyncio.sleep(0.05)
                pending.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await pending
                await api.patch("async-0", {"data": {"x": "2"}})
                async for change in changes:  # the cancellation ended only the step
                    assert (change.change, change.object.data["x"]) == ("modified", "2")
                    break
            waiting = asyncio.ensure_future(api.wait("async-1", lambda state: state is None))
            for item in created:
                await api.delete(item)
            assert await waiting is None
            with pytest.raises(kftrain.NotFound):
                await api.get("async-0")

    asyncio.run(asyncio.wait_for(work(), 60))


def test_a_stream_that_another_thread_closes_ends(client, maps, monkeypatch):
    maps.create(config_map("a"))
    pod = client.submit(pytorch_job("closed", "echo line"))
    client.wait(pod, timeout=20)
    for make in (maps.watch, client.informer("configmaps").changes, lambda: client.api("pods").logs("closed-master-0")):
        changes = make()
        fetch = changes._fetch

        def close_first(deadline, changes=changes, fetch=fetch):
            changes.close()  # as another thread would, after the check
            return fetch(deadline)

        monkeypatch.setattr(changes, "_fetch", close_first)
        with pytest.raises(StopIteration):
            changes.next(timeout=20)
    client.delete(pod, wait=True)


def test_a_closed_client_ends_streams(cluster, maps):
    client = cluster.client()
    changes = client.api("configmaps").watch()
    informer = client.informer("configmaps")
    caught = []

    def wait(step):
        try:
            step()
        except (kftrain.Cancelled, RuntimeError) as error:  # the latter on a machine that is too slow
            caught.append(error)

    informed = informer.changes()
    waiting = [threading.Thread(target=wait, args=(step,)) for step in (changes.next, informed.next)]
    for thread in waiting:
        thread.start()
    threading.Event().wait(0.3)
    client.close()
    for thread in waiting:
        thread.join(20)
    assert len(caught) == 2
    with pytest.raises(RuntimeError, match="closed"):
        changes.next()
    with pytest.raises(RuntimeError, match="closed"):
        client.api("pods")


def test_streams_leave_no_descriptors(cluster, maps):
    client = cluster.client()

    def work():
        api = client.api("configmaps")
        changes = api.watch()
        with pytest.raises(kftrain.Timeout):
            changes.next(timeout=0.02)
        with client.informer("configmaps") as informer:
            informer.changes()
        del changes

    def descriptors():
        gc.collect()
        client.api("configmaps").list()  # after what ends on the thread of the client
        return len(os.listdir("/proc/self/fd"))

    for _ in range(3):
        work()
    before = descriptors()
    for _ in range(20):
        work()
    for _ in range(100):
        if descriptors() <= before + 3:
            return
        threading.Event().wait(0.05)
    raise AssertionError(f"{descriptors()} descriptors, {before} before")


def run_python(program, kubeconfig):
    result = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        env={**os.environ, "KUBECONFIG": kubeconfig, "PYTHONWARNINGS": "ignore::DeprecationWarning"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    return result.returncode, result.stdout, result.stderr


def test_a_process_ends_while_streams_are_open(cluster, maps):
    program = """
        import threading, kftrain
        client = kftrain.Client()
        api = client.api("configmaps")
        changes, informer = api.watch(), client.informer("configmaps")
        informer.wait_for_sync()
        waiting = threading.Barrier(3)
        def wait(step):
            waiting.wait()
            try:
                step()
            except (kftrain.Cancelled, RuntimeError):  # which is raised if the client is closed before the step
                pass
        for step in (changes.next, informer.changes().next):
            threading.Thread(target=wait, args=(step,), daemon=True).start()
        waiting.wait()
        """
    assert run_python(program, cluster.kubeconfig) == (0, "", "")


def test_objects_are_refused_in_a_forked_process(cluster, maps):
    program = """
        import os, kftrain
        client = kftrain.Client()
        api = client.api("configmaps")
        changes, informer = api.watch(), client.informer("configmaps")
        informer.wait_for_sync()
        known = informer.changes()
        child = os.fork()
        if child == 0:
            for use in (api.list, changes.next, lambda: client.api("pods"), informer.wait_for_sync, known.next):
                try:
                    use()
                except RuntimeError as error:
                    print(error, flush=True)
            del client, api, changes, informer, known
            os._exit(0)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), len(api.list()))
        """
    refusal = "a client cannot be used after a fork: create one in each process\n"
    assert run_python(program, cluster.kubeconfig) == (0, refusal * 5 + "0 0\n", "")
