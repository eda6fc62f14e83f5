"""Runs a function as a training job: `kftrain.train`."""

from __future__ import annotations

import importlib.metadata
import os
import secrets
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any, Callable

from . import _carry
from ._client import Client
from ._checked import check_value
from ._convert import check_texts
from ._errors import Error, NotFound
from ._progress import progress_for
from ._train_job import check_installed, check_name_lookup, check_replicas, job_for, launch_of, name_for
from ._train_run import Output, OutputLine, Run
from .local import LocalCluster, cluster_of

__all__ = ["OutputLine", "train"]

RESULT_LIMIT = 1 << 20
"""The largest result of a function, in bytes of its pickle."""

_kept: list[LocalCluster] = []  # until the process ends


def train(
    function: Callable[..., Any],
    args: Sequence[Any] = (),
    kwargs: Mapping[str, Any] | None = None,
    *,
    workers: int = 1,
    kind: str = "PyTorchJob",
    client: Client | LocalCluster | None = None,
    name: str | None = None,
    namespace: str = "",
    image: str | None = None,
    packages: Sequence[str] = (),
    python: str | None = None,
    env: Mapping[str, str] | None = None,
    resources: Mapping[str, Any] | None = None,
    edit: Callable[[Any], object] | None = None,
    serializer: str = "source",
    returns: bool = False,
    output: Output = True,
    progress: bool | None = None,
    timeout: float | None = None,
    keep: bool = False,
) -> Any:
    """Runs a function as a training job, in each of its ranks, and waits until it has returned in all of them.

    On a local cluster, the ranks run with the interpreter, the import path, the environment variables and the working
    directory of the caller. On another cluster they run in containers of ``image``, which needs Python 3.8 or newer
    but not kftrain.

    The job is removed at the end, also after Ctrl-C. The output of all ranks is printed while the job runs.

    Args:
        function: Defined with ``def``. It may use names of modules, and functions and classes that can be imported.
        args: Its positional arguments; they are pickled.
        kwargs: Its keyword arguments.
        workers: The number of ranks. In kinds with a master, the master is one of them.
        kind: ``PyTorchJob``, ``TFJob``, ``JAXJob``, ``XGBoostJob`` or ``PaddleJob``. The operator of the kind sets
            the variables from which the framework reads ranks and addresses.
        client: Where the job runs: a client, or a local cluster; None: a new local cluster, which is removed at the
            end.
        name: The name of the job; None: the name of the function and a random suffix.
        namespace: The namespace of the job; empty: that of the client.
        image: The image of the containers; required for a client that does not belong to a `LocalCluster`.
        packages: Requirements such as ``"torch==2.4"``, which each container installs with pip. On a local cluster
            nothing is installed: a missing package is refused.
        python: The interpreter; None: on a local cluster that of the caller, otherwise ``python3``.
        env: Further environment variables of the ranks.
        resources: The resources of each container: ``{"limits": {"nvidia.com/gpu": 1}}``.
        edit: Called with the model of the job before it is submitted, for fields without an argument here.
        serializer: ``source`` carries the text of the function, ``cloudpickle`` the function with everything that it
            refers to; the latter needs the package cloudpickle, and the same version of Python in the container.
        returns: Whether to return the return value of rank 0, which must be picklable and is at most 1 MiB.
        output: Whether to print the output of the ranks, or a function that is called with each `OutputLine`.
        progress: Whether to show a line with the state of the job; None: in terminals and notebooks.
        timeout: A time limit in seconds.
        keep: Whether to keep the job, and the local cluster until the process ends.

    Returns:
        The return value of rank 0 with ``returns``, otherwise None.

    Raises:
        RankError: The function raised an exception in a rank, or a rank ended otherwise.
        ValueError: The function uses something that cannot be carried, or a package is missing.
        Timeout: The time limit passed.
        Error: The cluster refused the job, or cannot be reached.
    """
    launch = launch_of(kind)
    if not hasattr(workers, "__index__"):
        raise TypeError(f"workers: expected an int, got {workers!r}")
    workers = workers.__index__()
    if workers < 1:
        raise ValueError(f"workers: expected at least 1, got {workers}")
    if isinstance(packages, str):
        raise TypeError(f"packages: expected a list of requirements, got the str {packages!r}")
    check_value(timeout, ["float", "None"], "timeout")
    for variable, text in (env or {}).items():
        check_texts([variable], "env")
        check_texts([text], f"env[{variable!r}]")
    for key in resources or ():
        if key not in ("limits", "requests", "claims"):
            raise ValueError(f"resources: expected limits or requests, got {key!r}: {{'limits': {{{key!r}: ...}}}}")
    _check_client(client)
    if client is None and image is not None:
        raise ValueError("image is for a cluster: pass a client, such as client=kftrain.Client()")
    local = not isinstance(client, Client) or cluster_of(client) is not None
    if not local and image is None:
        raise ValueError("image is required on this cluster: the image of the containers in which the function runs")

    call = _carried(function, args, kwargs or {}, serializer)
    mark = f"kftrain-{secrets.token_hex(12)}"
    call.update(mark=mark, has_master=launch.has_master, workers=workers)
    call.update(returns=returns, limit=RESULT_LIMIT, print_errors=keep)
    if local:
        check_installed(packages)
        call.update(packages=[], path=[os.path.abspath(entry) for entry in sys.path])
    elif serializer == "cloudpickle":
        call.update(packages=[*packages, f"cloudpickle=={importlib.metadata.version('cloudpickle')}"])
    else:
        call.update(packages=list(packages))
    job = job_for(
        launch,
        name or name_for(function),
        namespace,
        call,
        image=image or "none",
        python=python or (sys.executable if local else "python3"),
        env=env or {},
        resources=resources,
        local=local,
    )
    if edit is not None:
        edit(job)
        check_replicas(launch, job, workers)
    if local:
        check_name_lookup(job)

    started = LocalCluster() if client is None else None
    with ExitStack() as stack, ExitStack() as removal:
        if started is not None:
            client = started.start()
            removal.callback(started.stop)
        if not isinstance(client, Client):
            assert client is not None
            client = stack.enter_context(client.client())
        shown = stack.enter_context(progress_for(progress))
        removal.callback(_remove, client, job, mark)
        stored = client.submit(job, idempotency_key=mark)
        if keep:
            removal.pop_all()
            _keep(started, stored)
        run = Run(
            client,
            stored,
            mark,
            container=launch.container,
            workers=workers,
            has_master=launch.has_master,
            output=output,
            progress=shown,
            timeout=timeout,
            cluster=cluster_of(client),
        )
        run.follow()
        return run.result() if returns else None


def _carried(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any], serializer: str
) -> dict[str, Any]:
    if serializer == "source":
        return _carry.by_source(function, args, kwargs)
    if serializer == "cloudpickle":
        return _carry.by_cloudpickle(function, args, kwargs)
    raise ValueError(f"serializer: expected source or cloudpickle, got {serializer!r}")


def _check_client(client: object) -> None:
    if client is not None and not isinstance(client, (Client, LocalCluster)):
        raise TypeError(f"client: expected a Client or a LocalCluster, got {type(client).__name__}")


def _keep(cluster: LocalCluster | None, job: Any) -> None:
    if cluster is not None:
        _kept.append(cluster)
        _note(f"the cluster is kept until this process ends: KUBECONFIG={cluster.kubeconfig}")
    _note(f"the job is kept: {job.kind} {job.metadata.name}")


def _remove(client: Client, job: Any, mark: str) -> None:
    """Removes the job at the end, also if the call was interrupted while it was being created."""
    name = job.metadata.name
    try:
        stored: Any = client.get(job, timeout=30)
        # The server refused the job, and another one has the name.
        if any(mark in value for value in stored.metadata.annotations.values()):
            client.delete(stored, wait=True, timeout=30)
    except NotFound:
        pass
    except Error as error:
        _note(f"the job {name} could not be removed: {error}")


def _note(text: str) -> None:
    print(f"kftrain: {text}", file=sys.stderr, flush=True)
