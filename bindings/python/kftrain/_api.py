"""The objects of one type. `scripts/async_client.py` makes the asynchronous form from this file."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import Any, Callable, Generic, List, TypeVar

from . import _archive, _core
from ._checked import checked
from ._commands import Command, PodPlace, PortForward
from ._model import wrap
from ._objects import ObjectLike, ObjectList, list_of, parsed, place_of, to_object, written_object
from ._shared import CommandResult, patch_text
from ._streams import ObjectChanges, PodLines

T = TypeVar("T")


@checked
class Api(Generic[T]):
    """The objects of one type, in one namespace or in all: read, write, watch. `Client.api` makes it.

    Objects are models of `kftrain.models`; those of other types are `kftrain.Unstructured`. An object to write may
    also be a YAML or JSON text, a dict in the form of the server, or an object of the ``kubernetes`` client. Methods
    that take the name of an object also take the object, and use its namespace.

    ``namespace`` of a method takes precedence over that of the api. ``timeout`` is in seconds, for the whole
    operation; None is 65 seconds. Failures raise `kftrain.Error`.
    """

    def __init__(self, client: Any, name: str, namespace: str) -> None:
        self._client = client  # keeps the client alive; its operations end when it is destroyed
        self._core = client._core.api(name)
        self._name = name
        self.namespace = namespace
        """Empty: all namespaces."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._name} in {self.namespace or 'all namespaces'}>"

    @staticmethod
    def _wait(call: Any) -> Any:
        return call.wait()

    def _place(self, value: Any, namespace: str) -> tuple[str, str, str]:
        own, name, uid = place_of(value)
        return namespace or own or self.namespace, name, uid

    def _written(self, value: ObjectLike, namespace: str) -> tuple[str, Any]:
        value = parsed(value) if isinstance(value, str) else value
        # An object of another namespace than `namespace` is refused by the library.
        own = place_of(value)[0]
        return namespace or ("" if own else self.namespace), written_object(value)

    def get(self, name: str | T, *, namespace: str = "", timeout: float | None = None) -> T:
        """Reads an object."""
        place, text, _ = self._place(name, namespace)
        result: T = to_object(self._wait(self._core.get(place, text, timeout=timeout)))
        return result

    def list(
        self,
        *,
        namespace: str = "",
        label_selector: str = "",
        field_selector: str = "",
        limit: int = 0,
        continue_token: str = "",
        resource_version: str = "",
        timeout: float | None = None,
    ) -> ObjectList[T]:
        """Reads all objects, page by page, or one page with ``limit``.

        Objects are decoded when they are used, so a long list costs little more than its text.
        """
        place = namespace or self.namespace
        options = {
            "label_selector": label_selector,
            "field_selector": field_selector,
            "resource_version": resource_version,
        }
        if limit or continue_token:
            call = self._core.list(place, limit=limit, continue_=continue_token, timeout=timeout, **options)
        else:
            call = self._core.list_all(place, total_timeout=timeout, **options)
        return list_of(self._wait(call))

    def create(
        self,
        object: ObjectLike,
        *,
        namespace: str = "",
        dry_run: bool = False,
        field_manager: str = "",
        timeout: float | None = None,
    ) -> T:
        """Creates an object; returns it as stored."""
        place, written = self._written(object, namespace)
        call = self._core.create(place, written, dry_run=dry_run, field_manager=field_manager, timeout=timeout)
        result: T = to_object(self._wait(call))
        return result

    def update(
        self,
        object: ObjectLike,
        *,
        namespace: str = "",
        subresource: str = "",
        dry_run: bool = False,
        field_manager: str = "",
        timeout: float | None = None,
    ) -> T:
        """Replaces the stored object. Raises `Conflict` if it has changed since ``metadata.resource_version``.

        With ``subresource="status"`` only the status changes; without it everything but the status.
        """
        place, written = self._written(object, namespace)
        call = self._core.replace(
            place, written, _is_status(subresource), dry_run=dry_run, field_manager=field_manager, timeout=timeout
        )
        result: T = to_object(self._wait(call))
        return result

    def patch(
        self,
        name: str | T,
        patch: Mapping[str, Any] | List[Any],
        *,
        namespace: str = "",
        strategic: bool = False,
        subresource: str = "",
        dry_run: bool = False,
        field_manager: str = "",
        timeout: float | None = None,
    ) -> T:
        """Changes fields of the stored object: a dict is a JSON merge patch, a list a JSON patch.

        Field names in a merge patch may be those of Python. A field that the model does not have is rejected; a
        JSON patch can set it. A dict with ``strategic`` is a strategic merge patch, which merges lists by the keys of
        their items. Servers reject it for custom resources.
        """
        form = "json" if isinstance(patch, list) else "strategic" if strategic else "merge"
        place, text, _ = self._place(name, namespace)
        status = _is_status(subresource)
        body = patch_text(None if strategic else _core.object_type(self._name), patch)
        call = self._core.patch(
            place, text, body, form, status, dry_run=dry_run, field_manager=field_manager, timeout=timeout
        )
        result: T = to_object(self._wait(call))
        return result

    def apply(
        self,
        object: ObjectLike,
        *,
        field_manager: str,
        namespace: str = "",
        force: bool = False,
        dry_run: bool = False,
        timeout: float | None = None,
    ) -> T:
        """Server-side apply: creates the object, or sets the fields that ``object`` has."""
        place, written = self._written(object, namespace)
        call = self._core.apply(
            place, written, field_manager=field_manager, force=force, dry_run=dry_run, timeout=timeout
        )
        result: T = to_object(self._wait(call))
        return result

    def delete(
        self,
        name: str | T,
        *,
        namespace: str = "",
        grace_period: int | None = None,
        propagation: str = "",
        dry_run: bool = False,
        timeout: float | None = None,
    ) -> None:
        """Requests the deletion of an object. Of an object with a uid, never deletes a later one of the same name.

        Args:
            grace_period: Seconds that a pod has to end; None: the default of the object.
            propagation: ``Background``, ``Foreground`` or ``Orphan``, for the objects that it owns.
        """
        place, text, uid = self._place(name, namespace)
        call = self._core.delete(
            place,
            text,
            precondition_uid=uid,
            grace_period_seconds=grace_period,
            propagation_policy=propagation or None,
            dry_run=dry_run,
            timeout=timeout,
        )
        self._wait(call)

    def delete_all(
        self,
        *,
        label_selector: str = "",
        field_selector: str = "",
        namespace: str = "",
        grace_period: int | None = None,
        propagation: str = "",
        dry_run: bool = False,
        timeout: float | None = None,
    ) -> None:
        """Requests the deletion of all objects of a namespace that the selectors select. One is required."""
        call = self._core.delete_all(
            namespace or self.namespace,
            label_selector,
            field_selector,
            grace_period_seconds=grace_period,
            propagation_policy=propagation or None,
            dry_run=dry_run,
            timeout=timeout,
        )
        self._wait(call)

    def get_scale(self, name: str | T, *, namespace: str = "", timeout: float | None = None) -> Any:
        """Reads the subresource ``scale``: the desired and the actual number of replicas."""
        place, text, _ = self._place(name, namespace)
        return wrap(self._wait(self._core.get_scale(place, text, timeout=timeout)))

    def scale(
        self,
        name: str | T,
        replicas: int,
        *,
        namespace: str = "",
        dry_run: bool = False,
        field_manager: str = "",
        timeout: float | None = None,
    ) -> Any:
        """Sets the number of replicas through the subresource ``scale``, which it returns."""
        place, text, _ = self._place(name, namespace)
        call = self._core.set_scale(
            place, text, replicas, dry_run=dry_run, field_manager=field_manager, timeout=timeout
        )
        return wrap(self._wait(call))

    def watch(
        self,
        *,
        namespace: str = "",
        label_selector: str = "",
        field_selector: str = "",
        resource_version: str = "",
    ) -> ObjectChanges[T]:
        """Returns changes as an iterator that does not end: existing objects first, as ``added``.

        The iterator continues after interruptions, and reports what it missed, deletions included. At most 256
        changes are read ahead.

        Args:
            resource_version: Only changes after this version. If the server no longer has the version at which the
                iterator continues, the iterator lists again: it then reports all objects that it has not reported
                before as ``added``, and cannot report deletions of such objects.
        """
        place = namespace or self.namespace
        return ObjectChanges(self, place, label_selector, field_selector, resource_version)

    def wait(
        self, name: str | T, condition: Callable[[T | None], bool], *, namespace: str = "", timeout: float | None = None
    ) -> T | None:
        """Waits until a condition holds for the state of an object, and returns that state, without polling.

        ``condition`` is called with each state that is observed, and with None while the object does not exist:
        ``wait("web", lambda pod: pod is None)`` waits for the deletion. Without ``timeout``, waits without a limit.
        """
        place, text, _ = self._place(name, namespace)
        changes: ObjectChanges[T] = ObjectChanges(self, place, "", f"metadata.name={text}", "")
        return changes.wait_for(condition, timeout)

    def logs(
        self,
        name: str | T,
        *,
        namespace: str = "",
        container: str = "",
        follow: bool = False,
        previous: bool = False,
        timestamps: bool = False,
        tail: int | None = None,
        since: float | None = None,
        limit_bytes: int | None = None,
    ) -> PodLines:
        """Returns the output of a container of a pod as an iterator of lines.

        Args:
            container: Required if the pod has several.
            follow: Continue until the container ends.
            previous: The output before the last restart.
            timestamps: Each line starts with an RFC 3339 time.
            tail: The number of lines from the end.
            since: Only lines of the last seconds.
            limit_bytes: The size of the output at most.
        """
        place, text, _ = self._pod(name, namespace, "logs")
        stream = self._core.logs(
            place,
            text,
            container=container,
            follow=follow,
            previous=previous,
            timestamps=timestamps,
            tail_lines=tail,
            since_seconds=None if since is None else math.ceil(since),
            limit_bytes=limit_bytes,
        )
        return PodLines(self, stream)

    def exec(
        self,
        name: str | T,
        command: Sequence[str],
        *,
        namespace: str = "",
        container: str = "",
        input: bytes | str | None = None,
        check: bool = False,
        limit: int = 64 * 1024 * 1024,
        timeout: float | None = None,
    ) -> CommandResult:
        """Runs a command in a container of a pod, and returns its exit code and output. No shell is involved.

        Args:
            container: Required if the pod has several.
            input: For the standard input of the command; None: it is empty.
            check: Raises `CommandFailed` if the exit code is not 0.
            limit: The size of the output in bytes at most. A command that writes more raises `Incomplete`.
            timeout: For the whole command. When it has passed, the connection is closed and `Timeout` is raised.
        """
        started = self._command(name, command, namespace, container, timeout, input=input is not None)
        result = started.communicate(input, limit=limit, timeout=timeout)
        return result.check() if check else result

    def open_exec(
        self,
        name: str | T,
        command: Sequence[str],
        *,
        namespace: str = "",
        container: str = "",
        stdin: bool = False,
        tty: bool = False,
        timeout: float | None = None,
    ) -> Command:
        """Returns a command for a container of a pod, whose output and input the caller reads and writes meanwhile.

        This function starts nothing: ``with`` starts the command, or else the first read or write. See `Command`.

        Args:
            container: Required if the pod has several.
            stdin: The command reads what `Command.write` sends; otherwise its input is empty.
            tty: The command has a terminal; its standard error is then a part of its output.
            timeout: Until the command runs; None is 65 seconds.
        """
        return self._command(name, command, namespace, container, timeout, input=stdin, tty=tty)

    def attach(
        self,
        name: str | T,
        *,
        namespace: str = "",
        container: str = "",
        stdin: bool = False,
        tty: bool = False,
        timeout: float | None = None,
    ) -> Command:
        """Returns a connection to the program of a container of a pod. Its output begins when it connects.

        This function connects to nothing: ``with`` does, or else the first read or write. See `Command`.

        Args:
            container: Required if the pod has several.
            stdin: The program reads what `Command.write` sends. Its container must have ``stdin: true``.
            tty: The program has a terminal. Its container must have ``tty: true``.
            timeout: Until the program is attached; None is 65 seconds.
        """
        return self._command(name, None, namespace, container, timeout, input=stdin, tty=tty)

    def port_forward(self, name: str | T, port: int, *, local_port: int = 0, namespace: str = "") -> PortForward:
        """Returns a port of 127.0.0.1 that leads to a port of a pod: ``with pods.port_forward("web", 80) as forward``.

        This function opens nothing: ``with`` or `PortForward.start` does. ``local_port`` 0 is any free port.
        """
        place, text, _ = self._pod(name, namespace, "ports")
        return PortForward(PodPlace(self._client, self._core, place, text, ""), port, local_port)

    def copy_from(
        self,
        name: str | T,
        path: str,
        directory: str | os.PathLike[str] = ".",
        *,
        namespace: str = "",
        container: str = "",
        limit: int | None = None,
        timeout: float | None = None,
    ) -> str:
        """Copies a file or directory of a container into a directory of this machine; returns its place there.

        Files that exist are replaced. Only files and directories are copied, without owners, and hard links as files:
        if there are others, raises `Incomplete` at the end, with their names. The container needs the program ``tar``.

        Args:
            limit: The size of the archive that the container sends, and of the files in it, in bytes at most. If it is
                larger, nothing is copied, and `Incomplete` is raised. None: no limit; a container can then fill the
                disks of this machine, as with ``kubectl cp``.
            timeout: For the whole copy; None: no limit.
        """
        command, base = _archive.pack_command(path)
        started = self._command(name, command, namespace, container, timeout)
        return started._copy_from(base, os.fspath(directory), limit, timeout)

    def copy_to(
        self,
        name: str | T,
        path: str | os.PathLike[str],
        directory: str,
        *,
        namespace: str = "",
        container: str = "",
        timeout: float | None = None,
    ) -> None:
        """Copies a file or directory of this machine into a directory of a container, which must exist.

        The container needs the program ``tar``. ``timeout`` is for the whole copy; None: no limit.
        """
        command = _archive.unpack_command(directory)
        started = self._command(name, command, namespace, container, timeout, input=True)
        started._copy_to(os.fspath(path), timeout)

    def evict(
        self, name: str | T, *, namespace: str = "", grace_period: int | None = None, timeout: float | None = None
    ) -> None:
        """Requests the deletion of a pod. Raises `TooManyRequests` if it would violate a disruption budget."""
        place, text, uid = self._pod(name, namespace, "evictions")
        call = self._core.evict(
            place, text, precondition_uid=uid, grace_period_seconds=grace_period, timeout=timeout
        )
        self._wait(call)

    def _pod(self, name: Any, namespace: str, what: str) -> tuple[str, str, str]:
        if self._name.lower() not in ("pods", "pod", "po", "v1/pod", "v1/pods"):
            raise TypeError(f"only pods have {what}, not {self._name}")
        return self._place(name, namespace)

    def _command(
        self,
        name: Any,
        command: Sequence[str] | None,
        namespace: str,
        container: str,
        timeout: float | None,
        **options: Any,
    ) -> Command:
        place, text, _ = self._pod(name, namespace, "commands")
        return Command(PodPlace(self._client, self._core, place, text, container), command, timeout, **options)


def _is_status(subresource: str) -> bool:
    if subresource not in ("", "status"):
        raise ValueError(f"subresource: expected 'status', got {subresource!r}")
    return subresource == "status"
