"""The blocking client. `scripts/async_client.py` makes the asynchronous one from this file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, List, TypeVar, overload

from . import _archive, _core, until
from ._checked import checked
from ._model import AnyModel, Model, wrap
from ._objects import type_name
from ._offline import JobLike
from ._record import record_from_json
from ._shared import (
    CommandResult,
    JobPage,
    JobReference,
    Reference,
    Timeline,
    end_with_cluster,
    fallback_authorities,
    job_patch,
    job_value,
    open_clients,
    reference_tuple,
    to_model,
)
from ._commands import Command, PodPlace, PortForward
from ._streams import JobChanges, LogLines

if TYPE_CHECKING:
    from ._api import Api
    from ._informer import Informer
    from .results import Explanation, JobEvent, JobProgress, PreflightReport, UpdatePlan

M = TypeVar("M", bound=Model)


@checked
class Client:
    """A client for training jobs of every kind on one cluster.

    Every method blocks until its result is there, with other threads running meanwhile; Ctrl-C cancels the operation
    and raises KeyboardInterrupt. ``timeout`` is in seconds, for the whole operation; None is the default of the
    operation: 65 seconds for a request, no limit for `wait`, `logs` and `watch`. A negative one raises `Timeout`.
    Failures raise `kftrain.Error`. Wrong arguments raise TypeError or ValueError, also an empty path and a text with a
    NUL character.

    Several threads may use one client. A forked process must not use it, and makes its own.

    Args:
        kubeconfig: The file to read, not empty; None: what kubectl reads, and in a pod its service account.
        context: The context of the kubeconfig; None: its current context.
        namespace: For jobs without a namespace; None: the namespace of the context.
    """

    def __init__(
        self,
        kubeconfig: str | os.PathLike[str] | None = None,
        context: str | None = None,
        namespace: str | None = None,
    ) -> None:
        path = "" if kubeconfig is None else os.fspath(kubeconfig)
        self._core = _core.CoreClient.open(path, context or "", namespace or "", fallback_authorities())
        end_with_cluster(self._core)
        open_clients.add(self)

    def close(self) -> None:
        """Ends all operations and connections. Calls that wait in other threads raise `Cancelled`."""
        self._core.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def namespace(self) -> str:
        """The namespace of jobs without a namespace."""
        return str(self._core.namespace)

    @staticmethod
    def _wait(call: Any) -> Any:
        return call.wait()

    @overload
    def submit(
        self,
        job: M,
        *,
        idempotency_key: str = "",
        idempotent: bool = False,
        dry_run: bool = False,
        timeout: float | None = None,
    ) -> M: ...
    @overload
    def submit(
        self,
        job: JobLike,
        *,
        idempotency_key: str = "",
        idempotent: bool = False,
        dry_run: bool = False,
        timeout: float | None = None,
    ) -> Any: ...
    def submit(
        self,
        job: JobLike,
        *,
        idempotency_key: str = "",
        idempotent: bool = False,
        dry_run: bool = False,
        timeout: float | None = None,
    ) -> Model:
        """Checks and creates a job; returns the job as stored.

        With ``idempotency_key``, or with ``idempotent``, the call can be repeated: if a former attempt
        created the job, the job is returned.
        """
        call = self._core.submit(
            job_value(job), idempotency_key=idempotency_key, idempotent=idempotent, dry_run=dry_run, timeout=timeout
        )
        return to_model(self._wait(call))

    @overload
    def get(self, job: M, *, namespace: str = "", timeout: float | None = None) -> M: ...
    @overload
    def get(self, job: JobReference | str, *, namespace: str = "", timeout: float | None = None) -> AnyModel: ...
    def get(self, job: Reference, *, namespace: str = "", timeout: float | None = None) -> Model:
        """Reads a job."""
        return to_model(self._wait(self._core.get(reference_tuple(job, namespace), timeout=timeout)))

    def list(
        self,
        kinds: Sequence[str] = (),
        *,
        namespace: str = "",
        all_namespaces: bool = False,
        label_selector: str = "",
        limit: int = 0,
        continue_token: str = "",
        timeout: float | None = None,
    ) -> JobPage:
        """Reads jobs of some kinds, or of all kinds that the server serves."""
        call = self._core.list(
            kinds=list(kinds),
            namespace=namespace,
            all_namespaces=all_namespaces,
            label_selector=label_selector,
            limit=limit,
            continue_=continue_token,
            timeout=timeout,
        )
        jobs, token, unread = self._wait(call)
        return JobPage([wrap(item) for item in jobs], token, unread)

    @overload
    def wait(self, job: Reference, *, namespace: str = "", timeout: float | None = None) -> AnyModel: ...
    @overload
    def wait(
        self, job: Reference, condition: until.Condition | None, *, namespace: str = "", timeout: float | None = None
    ) -> AnyModel | None: ...
    def wait(
        self,
        job: Reference,
        condition: until.Condition | None = None,
        *,
        namespace: str = "",
        timeout: float | None = None,
    ) -> AnyModel | None:
        """Waits until a condition of `kftrain.until` holds, by default until the job succeeded or failed.

        Returns the job; None if it does not exist.
        """
        condition = condition if condition is not None else until.finished()
        result = self._wait(self._core.wait(reference_tuple(job, namespace), condition, timeout=timeout))
        return None if result is None else to_model(result)

    def scale(
        self, job: Reference, role: str, members: int, *, namespace: str = "", timeout: float | None = None
    ) -> AnyModel:
        """Changes the number of replicas of a role."""
        call = self._core.scale(reference_tuple(job, namespace), role, members, timeout=timeout)
        return to_model(self._wait(call))

    def suspend(self, job: Reference, *, namespace: str = "", timeout: float | None = None) -> AnyModel:
        """Suspends a job: its pods are deleted until `resume`."""
        return to_model(self._wait(self._core.suspend(reference_tuple(job, namespace), timeout=timeout)))

    def resume(self, job: Reference, *, namespace: str = "", timeout: float | None = None) -> AnyModel:
        """Resumes a suspended job."""
        return to_model(self._wait(self._core.resume(reference_tuple(job, namespace), timeout=timeout)))

    @overload
    def update(
        self, job: M, *, dry_run: bool = False, field_manager: str = "", timeout: float | None = None
    ) -> M: ...
    @overload
    def update(
        self, job: JobLike, *, dry_run: bool = False, field_manager: str = "", timeout: float | None = None
    ) -> Any: ...
    def update(
        self, job: JobLike, *, dry_run: bool = False, field_manager: str = "", timeout: float | None = None
    ) -> Model:
        """Replaces the stored job. Raises `Conflict` if it has changed since ``metadata.resource_version``."""
        call = self._core.update(job_value(job), dry_run=dry_run, field_manager=field_manager, timeout=timeout)
        return to_model(self._wait(call))

    def patch(
        self,
        job: Reference,
        patch: Mapping[str, Any] | List[Any],
        *,
        namespace: str = "",
        dry_run: bool = False,
        field_manager: str = "",
        timeout: float | None = None,
    ) -> AnyModel:
        """Changes fields of the stored job: a dict is a JSON merge patch, a list a JSON patch."""
        call = self._core.patch(
            reference_tuple(job, namespace),
            job_patch(job, patch),
            isinstance(patch, list),
            dry_run=dry_run,
            field_manager=field_manager,
            timeout=timeout,
        )
        return to_model(self._wait(call))

    def apply(
        self,
        job: JobLike,
        *,
        field_manager: str,
        force: bool = False,
        dry_run: bool = False,
        timeout: float | None = None,
    ) -> AnyModel:
        """Server-side apply: creates the job, or sets the fields that ``job`` has."""
        call = self._core.apply(
            job_value(job), field_manager=field_manager, force=force, dry_run=dry_run, timeout=timeout
        )
        return to_model(self._wait(call))

    def events(
        self,
        job: Reference,
        *,
        namespace: str = "",
        children: bool = True,
        limit: int = 1000,
        timeout: float | None = None,
    ) -> List[JobEvent]:
        """Returns the events about a job, its pods and its other objects, oldest first."""
        call = self._core.events(reference_tuple(job, namespace), children=children, most=limit, timeout=timeout)
        return list(record_from_json(self._wait(call), "job_event_list")["items"])

    def explain(
        self, job: Reference, *, namespace: str = "", log_lines: int = 20, timeout: float | None = None
    ) -> Explanation:
        """Explains why a job is in its current state: ``causes``, the most likely one first."""
        call = self._core.explain(reference_tuple(job, namespace), log_lines=log_lines, timeout=timeout)
        result: Explanation = record_from_json(self._wait(call), "explanation")
        return result

    def timeline(
        self,
        job: Reference,
        *,
        namespace: str = "",
        follow: bool = False,
        progress: bool = True,
        timeout: float | None = None,
    ) -> Timeline:
        """Returns the history of a job: its pods, conditions, size and progress over time.

        With ``follow``, records the job until it is finished, or for ``timeout`` seconds: only a recording has pods
        that are deleted meanwhile. Without ``progress``, the output of the job is not read.
        """
        call = self._core.timeline(
            reference_tuple(job, namespace), follow=follow, progress=progress, timeout=timeout
        )
        return Timeline(*self._wait(call))

    def progress(self, job: Reference, *, namespace: str = "", timeout: float | None = None) -> JobProgress:
        """Returns the latest progress that the program of a job reported; ``step`` is None if there is none."""
        call = self._core.progress(reference_tuple(job, namespace), timeout=timeout)
        result: JobProgress = record_from_json(self._wait(call), "job_progress")
        return result

    def plan(self, job: JobLike, *, timeout: float | None = None) -> UpdatePlan:
        """Computes the changes that submitting the job would make. Changes nothing."""
        call = self._core.plan(job_value(job), timeout=timeout)
        result: UpdatePlan = record_from_json(self._wait(call), "update_plan")
        return result

    def preflight(
        self, job: JobLike, *, follow: bool = True, change: bool = True, timeout: float | None = None
    ) -> PreflightReport:
        """Checks whether the job could be submitted and followed: rules, permissions, quota. Changes nothing."""
        call = self._core.preflight(job_value(job), follow=follow, change=change, timeout=timeout)
        result: PreflightReport = record_from_json(self._wait(call), "preflight_report")
        return result

    def delete(
        self,
        job: Reference,
        *,
        namespace: str = "",
        wait: bool = False,
        foreground: bool = False,
        timeout: float | None = None,
    ) -> None:
        """Deletes a job. With ``wait``, returns when it no longer exists."""
        reference = reference_tuple(job, namespace)
        self._wait(self._core.delete(reference, wait=wait, foreground=foreground, timeout=timeout))

    def logs(
        self,
        job: Reference,
        *,
        namespace: str = "",
        roles: Sequence[str] = (),
        ranks: Sequence[int] = (),
        containers: Sequence[str] = (),
        follow: bool = True,
        previous: bool = False,
        timestamps: bool = False,
        tail: int | None = None,
        since: float | None = None,
        position: str = "",
        timeout: float | None = None,
    ) -> LogLines:
        """Returns the output of all replicas as an iterator of lines, until the job is finished."""
        stream = self._core.logs(
            reference_tuple(job, namespace),
            roles=list(roles),
            ranks=list(ranks),
            containers=list(containers),
            follow=follow,
            previous=previous,
            timestamps=timestamps,
            tail=tail,
            since=since,
            resume_after=position or None,
            timeout=timeout,
        )
        return LogLines(self, stream)

    def watch(
        self,
        job: Reference | None = None,
        *,
        kinds: Sequence[str] = (),
        namespace: str = "",
        all_namespaces: bool = False,
        label_selector: str = "",
        pods: bool = True,
    ) -> JobChanges:
        """Returns changes of the states of jobs as an iterator that does not end, existing jobs first.

        Without ``pods``, states contain the status of the job only, and no ranks.
        """
        reference = None if job is None else reference_tuple(job, namespace)
        stream = self._core.watch(
            reference,
            kinds=list(kinds),
            namespace=namespace,
            all_namespaces=all_namespaces,
            label_selector=label_selector,
            pods=pods,
        )
        return JobChanges(self, stream)

    def exec(
        self,
        job: Reference,
        command: Sequence[str],
        *,
        namespace: str = "",
        rank: int | None = None,
        role: str = "",
        index: int = 0,
        container: str = "",
        input: bytes | str | None = None,
        check: bool = False,
        limit: int = 64 * 1024 * 1024,
        timeout: float | None = None,
    ) -> CommandResult:
        """Runs a command in the container of a replica, and returns its exit code and output. No shell is involved.

        Args:
            rank: The rank of the replica; None: 0, or the first replica of a kind without ranks.
            role: Instead of a rank, a role such as ``Worker``, with ``index``.
            container: Empty: that of the annotation ``kubectl.kubernetes.io/default-container``, or the first.
            input: For the standard input of the command; None: it is empty.
            check: Raises `CommandFailed` if the exit code is not 0.
            limit: The size of the output in bytes at most. A command that writes more raises `Incomplete`.
            timeout: For the whole command. When it has passed, the connection is closed and `Timeout` is raised.
        """
        place = self._replica(job, namespace, rank, role, index, container)
        started = Command(place, command, timeout, input=input is not None)
        result = started.communicate(input, limit=limit, timeout=timeout)
        return result.check() if check else result

    def open_exec(
        self,
        job: Reference,
        command: Sequence[str],
        *,
        namespace: str = "",
        rank: int | None = None,
        role: str = "",
        index: int = 0,
        container: str = "",
        stdin: bool = False,
        tty: bool = False,
        timeout: float | None = None,
    ) -> Command:
        """Returns a command for the container of a replica, chosen as in `exec`; otherwise as `Api.open_exec`.

        ``with`` starts the command, or else the first read or write.
        """
        place = self._replica(job, namespace, rank, role, index, container)
        return Command(place, command, timeout, input=stdin, tty=tty)

    def attach(
        self,
        job: Reference,
        *,
        namespace: str = "",
        rank: int | None = None,
        role: str = "",
        index: int = 0,
        container: str = "",
        stdin: bool = False,
        tty: bool = False,
        timeout: float | None = None,
    ) -> Command:
        """Returns a connection to the program of a replica, chosen as in `exec`; otherwise as `Api.attach`.

        ``with`` connects, or else the first read or write.
        """
        place = self._replica(job, namespace, rank, role, index, container)
        return Command(place, None, timeout, input=stdin, tty=tty)

    def port_forward(
        self,
        job: Reference,
        port: int,
        *,
        local_port: int = 0,
        namespace: str = "",
        rank: int | None = None,
        role: str = "",
        index: int = 0,
    ) -> PortForward:
        """Returns a port of 127.0.0.1 that leads to a port of a replica, chosen as in `exec`.

        ``local_port`` 0 is any free port. ``with client.port_forward(job, 6006) as forward`` opens it.
        """
        return PortForward(self._replica(job, namespace, rank, role, index, ""), port, local_port)

    def copy_from(
        self,
        job: Reference,
        path: str,
        directory: str | os.PathLike[str] = ".",
        *,
        namespace: str = "",
        rank: int | None = None,
        role: str = "",
        index: int = 0,
        container: str = "",
        limit: int | None = None,
        timeout: float | None = None,
    ) -> str:
        """Copies from the container of a replica, chosen as in `exec`; otherwise as `Api.copy_from`."""
        place = self._replica(job, namespace, rank, role, index, container)
        command, base = _archive.pack_command(path)
        started = Command(place, command, timeout)
        return started._copy_from(base, os.fspath(directory), limit, timeout)

    def copy_to(
        self,
        job: Reference,
        path: str | os.PathLike[str],
        directory: str,
        *,
        namespace: str = "",
        rank: int | None = None,
        role: str = "",
        index: int = 0,
        container: str = "",
        timeout: float | None = None,
    ) -> None:
        """Copies to the container of a replica, chosen as in `exec`; otherwise as `Api.copy_to`."""
        place = self._replica(job, namespace, rank, role, index, container)
        started = Command(place, _archive.unpack_command(directory), timeout, input=True)
        started._copy_to(os.fspath(path), timeout)

    def _replica(
        self, job: Any, namespace: str, rank: int | None, role: str, index: int, container: str
    ) -> PodPlace:
        if role and rank is not None:
            raise ValueError("expected rank or role, got both")
        if index and not role:
            raise ValueError("index: expected role, too")
        reference_tuple(job, namespace)  # which checks it
        place = PodPlace(self, self._core.api("pods"), namespace, "", container)
        place.job, place.rank, place.role, place.index = job, rank, role, index
        return place

    @overload
    def api(self, kind: type[M], *, namespace: str = "", all_namespaces: bool = False) -> Api[M]: ...
    @overload
    def api(self, kind: str, *, namespace: str = "", all_namespaces: bool = False) -> Api[Any]: ...
    def api(self, kind: Any, *, namespace: str = "", all_namespaces: bool = False) -> Api[Any]:
        """Returns the operations on the objects of any type, in one namespace or in all.

        The type is a class of `kftrain.models`, or a name: ``pods``, ``deployments.apps``, ``v1/Pod``. Names are
        those of kubectl; kinds of custom resources have one, too. The client reads the server's types for names
        without a model, before the first operation.
        """
        from ._api import Api

        return Api(self, type_name(kind), "" if all_namespaces else namespace or self.namespace)

    @overload
    def informer(
        self,
        kind: type[M],
        *,
        namespace: str = "",
        all_namespaces: bool = False,
        label_selector: str = "",
        field_selector: str = "",
    ) -> Informer[M]: ...
    @overload
    def informer(
        self,
        kind: str,
        *,
        namespace: str = "",
        all_namespaces: bool = False,
        label_selector: str = "",
        field_selector: str = "",
    ) -> Informer[Any]: ...
    def informer(
        self,
        kind: Any,
        *,
        namespace: str = "",
        all_namespaces: bool = False,
        label_selector: str = "",
        field_selector: str = "",
    ) -> Informer[Any]:
        """Starts a local copy of the objects of any type, named as in `api`, that follows the server."""
        from ._informer import Informer

        place = "" if all_namespaces else namespace or self.namespace
        return Informer(self, type_name(kind), place, label_selector, field_selector)
