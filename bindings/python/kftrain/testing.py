"""A plugin for pytest: fixtures for tests of programs that use kftrain.

pytest loads it when the package is installed; elsewhere add ``pytest_plugins = ["kftrain.testing"]`` to conftest.py.
The fixtures start nothing that a test does not use.
"""

from __future__ import annotations

import contextlib
import datetime
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pytest

from ._client import Client
from ._errors import NotFound
from .local import LocalCluster

if TYPE_CHECKING:
    from ._shared import Reference
    from .models.core import Pod

__all__ = ["ApiServer", "kftrain_client", "kftrain_cluster", "kftrain_namespace", "kftrain_server"]


class ApiServer(LocalCluster):
    """An API server and the operators of all job kinds, without a kubelet.

    It starts in some milliseconds. The operators create the pods of jobs, which stay pending: a test checks the
    created objects, and sets phases of pods itself.
    """

    def __init__(self, *, port: int = 0, users: Mapping[str, Sequence[str]] | None = None) -> None:
        super().__init__(pods=False, port=port, users=users)

    def create_namespace(self, name: str) -> str:
        """Creates a namespace; returns its name. Objects in other namespaces than ``default`` need it."""
        with self._own_client() as client:
            _create_namespace(client, name)
        return name

    def pods(self, job: Reference, *, namespace: str = "", timeout: float = 30.0) -> list[Pod]:
        """Returns the pods of a job in the order of ranks, when the operator has created all of them.

        Raises `kftrain.Timeout` if it has not in time.
        """
        from .models.core import Pod

        end = time.monotonic() + timeout
        with self._own_client(namespace) as client, client.watch(job) as changes:
            while True:
                state = changes.next(timeout=max(end - time.monotonic(), 0.001))
                ranks = state.ranks or ()
                wanted = sum(role.wanted or 0 for role in state.roles or ())
                if len(ranks) == wanted and all(rank.phase not in (None, "", "Absent") for rank in ranks):
                    break
            pods = client.api(Pod, namespace=state.namespace)
            return [pods.get(rank.pod) for rank in ranks]

    def set_phase(self, pod: Pod, phase: str, *, exit_code: int | None = None, reason: str = "") -> None:
        """Writes the status of a pod and its containers, as the kubelet does.

        Args:
            pod: As `pods` returned it.
            phase: Pending, Running, Succeeded or Failed. The containers of a running pod are ready.
            exit_code: Of the containers of an ended pod; None: 0 for Succeeded, 1 for Failed.
            reason: Of the ended containers, such as ``OOMKilled``; empty: Completed or Error.
        """
        meta = pod.metadata
        assert meta is not None and pod.spec is not None
        names = [container.name for container in pod.spec.containers]
        status = _status(phase, names, exit_code, reason)
        with self._own_client() as client:
            client.api("pods").patch(pod, {"status": status}, subresource="status")

    def _own_client(self, namespace: str = "") -> Client:
        return Client(kubeconfig=self.kubeconfig, namespace=namespace or None)


def _status(phase: str, containers: list[Any], exit_code: int | None, reason: str) -> dict[str, Any]:
    if phase not in ("Pending", "Running", "Succeeded", "Failed"):
        raise ValueError(f"phase: expected Pending, Running, Succeeded or Failed, got {phase!r}")
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    code = exit_code if exit_code is not None else (1 if phase == "Failed" else 0)
    ended = {"exitCode": code, "reason": reason or ("Error" if code else "Completed"), "finishedAt": now}
    state: dict[str, Any] = {
        "Pending": {"waiting": {"reason": "ContainerCreating"}},
        "Running": {"running": {"startedAt": now}},
    }.get(phase, {"terminated": ended})
    ready = phase == "Running"
    return {
        "phase": phase,
        "conditions": [{"type": "Ready", "status": str(ready), "lastTransitionTime": now}],
        "containerStatuses": [
            {"name": name, "ready": ready, "restartCount": 0, "image": "", "imageID": "", "state": state}
            for name in containers
        ],
    }


def _create_namespace(client: Client, name: str) -> None:
    client.api("namespaces").create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})


def _remove_namespace(client: Client, name: str) -> None:
    for job in client.list():
        with contextlib.suppress(NotFound):  # the test deleted it
            client.delete(job)
    pods = client.api("pods")
    for pod in pods.list():
        with contextlib.suppress(NotFound):  # it went with its job
            pods.delete(pod, grace_period=0)  # a test does not wait for programs that ignore SIGTERM
    with contextlib.suppress(NotFound):  # the test deleted it
        client.api("namespaces").delete(name)


@pytest.fixture(scope="session")
def kftrain_cluster() -> Iterator[LocalCluster]:
    """A local cluster for all tests of the session, which really runs jobs."""
    with LocalCluster() as cluster:
        yield cluster


@pytest.fixture
def kftrain_namespace(kftrain_cluster: LocalCluster) -> Iterator[str]:
    """The name of a new namespace in `kftrain_cluster`; it and its jobs are removed after the test."""
    name = f"test-{secrets.token_hex(4)}"
    with Client(kubeconfig=kftrain_cluster.kubeconfig, namespace=name) as client:
        _create_namespace(client, name)
        yield name
        _remove_namespace(client, name)


@pytest.fixture
def kftrain_client(kftrain_cluster: LocalCluster, kftrain_namespace: str) -> Iterator[Client]:
    """A client of `kftrain_cluster` whose namespace is `kftrain_namespace`."""
    client = kftrain_cluster.client(kftrain_namespace)
    yield client
    client.close()


@pytest.fixture
def kftrain_server() -> Iterator[ApiServer]:
    """A new API server with operators, for this test alone: nothing runs the pods."""
    with ApiServer() as server:
        yield server
