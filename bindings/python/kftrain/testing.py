"""A plugin for pytest: fixtures for tests of programs that use kftrain.

pytest loads it when the package is installed; elsewhere add ``pytest_plugins = ["kftrain.testing"]`` to conftest.py.
The fixtures start nothing that a test does not use.
"""

from __future__ import annotations

import datetime
import secrets
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from .local import LocalCluster

if TYPE_CHECKING:
    from ._client import Client
    from ._rest import Rest
    from ._shared import Reference
    from .models.core import Pod

__all__ = ["ApiServer", "kftrain_client", "kftrain_cluster", "kftrain_namespace", "kftrain_server"]


class ApiServer(LocalCluster):
    """An API server and the operators of all job kinds, without anything that runs pods.

    It starts in some milliseconds. Jobs get their pods, which stay pending: a test checks what was created, and sets
    phases of pods itself.
    """

    def __init__(self, *, port: int = 0) -> None:
        super().__init__(pods=False, port=port)

    def create_namespace(self, name: str) -> str:
        """Creates a namespace; returns its name. Objects in other namespaces than ``default`` need it."""
        _create_namespace(_rest_of(self), name)
        return name

    def pods(self, job: Reference, *, namespace: str = "", timeout: float = 30.0) -> list[Pod]:
        """Returns the pods of a job in the order of ranks, when the operator has created all of them.

        Raises `kftrain.Timeout` if it has not in time.
        """
        from .models.core import Pod

        client = self.client(namespace or None)
        end = time.monotonic() + timeout
        with client.watch(job) as changes:
            while True:
                state = changes.next(timeout=max(end - time.monotonic(), 0.001))
                ranks = state.ranks or []
                wanted = sum(role.wanted or 0 for role in state.roles or [])
                if len(ranks) == wanted and all(rank.phase not in (None, "", "Absent") for rank in ranks):
                    break
        rest = _rest_of(self)
        return [
            Pod.from_dict(rest.request("GET", f"/api/v1/namespaces/{state.namespace}/pods/{rank.pod}"))
            for rank in ranks
        ]

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
        path = f"/api/v1/namespaces/{meta.namespace}/pods/{meta.name}/status"
        _rest_of(self).request("PATCH", path, {"status": status}, "application/merge-patch+json")


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


def _rest_of(cluster: LocalCluster) -> Rest:
    from ._rest import Rest

    return Rest(cluster.kubeconfig)


def _create_namespace(rest: Rest, name: str) -> None:
    rest.request("POST", "/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})


def _remove_namespace(rest: Rest, client: Client, name: str) -> None:
    for job in client.list():
        client.delete(job)
    # At once: a test does not wait for programs that ignore SIGTERM.
    rest.request("DELETE", f"/api/v1/namespaces/{name}/pods?gracePeriodSeconds=0")
    rest.request("DELETE", f"/api/v1/namespaces/{name}")


@pytest.fixture(scope="session")
def kftrain_cluster() -> Iterator[LocalCluster]:
    """A local cluster for all tests of the session, which really runs jobs."""
    with LocalCluster() as cluster:
        yield cluster


@pytest.fixture
def kftrain_namespace(kftrain_cluster: LocalCluster) -> Iterator[str]:
    """The name of a new namespace in `kftrain_cluster`; it and its jobs are removed after the test."""
    name = f"test-{secrets.token_hex(4)}"
    rest = _rest_of(kftrain_cluster)
    _create_namespace(rest, name)
    yield name
    client = kftrain_cluster.client(name)
    try:
        _remove_namespace(rest, client, name)
    finally:
        client.close()


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
