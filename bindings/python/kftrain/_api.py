"""The objects of one type. `scripts/async_client.py` makes the asynchronous form from this file."""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Mapping
from typing import Any, Deque, Generic, List, TypeVar

from ._convert import _plain_json
from ._errors import Error, Gone, Timeout
from ._model import wrap
from ._objects import ObjectChange, ObjectLike, ObjectList, list_of, parsed, place_of, to_object, written_object

T = TypeVar("T")
S = TypeVar("S", bound="_Stream[Any]")


class Api(Generic[T]):
    """The objects of one type, in one namespace or in all: read, write, watch. `Client.api` makes it.

    Objects are models of `kftrain.models`; those of other types are `kftrain.Unstructured`. An object to write may
    also be a YAML or JSON text, a dict in the form of the server, or an object of the ``kubernetes`` client. Methods
    that take the name of an object also take the object; its namespace counts then.

    ``namespace`` of a method takes precedence over that of the api. ``timeout`` is in seconds, for the whole
    operation; None is 65 seconds. All methods raise `kftrain.Error`.
    """

    def __init__(self, client: Any, name: str, namespace: str) -> None:
        self._client = client  # which ends its operations when it is destroyed
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
        result: T = to_object(self._wait(self._core.get(place, text, timeout)))
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

        An object becomes one of Python when it is used, so a long list costs little more than its text.
        """
        call = self._core.list(
            namespace or self.namespace,
            label_selector,
            field_selector,
            limit,
            continue_token,
            resource_version,
            timeout,
        )
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
        call = self._core.create(place, written, dry_run, field_manager, timeout)
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
        status = _is_status(subresource)
        call = self._core.replace(place, written, status, dry_run, field_manager, timeout)
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

        A dict with ``strategic`` is a strategic merge patch, which merges lists by the keys of their items. Servers
        reject it for custom resources.
        """
        form = "json" if isinstance(patch, list) else "strategic" if strategic else "merge"
        place, text, _ = self._place(name, namespace)
        status = _is_status(subresource)
        body = json.dumps(_plain_json(patch))
        call = self._core.patch(place, text, body, form, status, dry_run, field_manager, timeout)
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
        call = self._core.apply(place, written, field_manager, force, dry_run, timeout)
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
        self._wait(self._core.delete(place, text, uid, grace_period, propagation, dry_run, timeout))

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
        place = namespace or self.namespace
        call = self._core.delete_all(place, label_selector, field_selector, grace_period, propagation, dry_run, timeout)
        self._wait(call)

    def get_scale(self, name: str | T, *, namespace: str = "", timeout: float | None = None) -> Any:
        """Reads the subresource ``scale``: the desired and the actual number of replicas."""
        place, text, _ = self._place(name, namespace)
        return wrap(self._wait(self._core.get_scale(place, text, timeout)))

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
        return wrap(self._wait(self._core.set_scale(place, text, replicas, dry_run, field_manager, timeout)))

    def watch(
        self,
        *,
        namespace: str = "",
        label_selector: str = "",
        field_selector: str = "",
        resource_version: str = "",
    ) -> ObjectChanges[T]:
        """Returns changes as an iterator that does not end: existing objects first, as ``added``.

        With ``resource_version``, only changes after that version. The iterator continues after interruptions, and
        reports what it missed, deletions included. At most 256 changes are read ahead.
        """
        place = namespace or self.namespace
        return ObjectChanges(self, place, label_selector, field_selector, resource_version)

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
        if self._name.lower() not in ("pods", "pod", "po", "v1/pod", "v1/pods"):
            raise TypeError(f"only pods have logs, not {self._name}")
        place, text, _ = self._place(name, namespace)
        stream = self._core.logs(place, text, container, follow, previous, timestamps, tail, since, limit_bytes)
        return PodLines(self, stream)


def _is_status(subresource: str) -> bool:
    if subresource not in ("", "status"):
        raise ValueError(f"subresource: expected 'status', got {subresource!r}")
    return subresource == "status"


def _left(deadline: float | None) -> float | None:
    return None if deadline is None else max(0.001, deadline - time.monotonic())


class _Stream(Generic[T]):
    """An iterator over a stream; each step blocks until an item is there. Usable by one thread at a time."""

    def __init__(self, owner: Any) -> None:
        self._owner = owner  # keeps the connection
        self._ready: Deque[Any] = deque()
        self._closed = False

    @staticmethod
    def _wait(call: Any) -> Any:
        return call.wait()

    def __iter__(self: S) -> S:
        return self

    def __next__(self) -> T:
        return self.next()

    def next(self, timeout: float | None = None) -> T:
        """Returns the next item. Raises `Timeout` if there is none in time, and StopIteration at the end."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while not self._ready:
            if self._closed:
                raise StopIteration
            self._fetch(deadline)
        return self._item(self._ready.popleft())

    def _fetch(self, deadline: float | None) -> None:
        """Adds items to those that are ready."""
        raise NotImplementedError

    def _item(self, raw: Any) -> T:
        raise NotImplementedError

    def close(self) -> None:
        """Ends the stream and closes its connection."""
        self._closed = True
        self._ready.clear()

    def __enter__(self: S) -> S:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


class PodLines(_Stream[str]):
    """The lines of the output of a container, as `Api.logs` returns them."""

    def __init__(self, owner: Any, stream: Any) -> None:
        super().__init__(owner)
        self._stream = stream
        self._opened = False

    def _fetch(self, deadline: float | None) -> None:
        if not self._opened:
            self._wait(self._stream.open(_left(deadline)))
            self._opened = True
        lines = self._wait(self._stream.take(_left(deadline)))
        if lines is None:
            self._closed = True
        else:
            self._ready.extend(lines)

    def _item(self, raw: Any) -> str:
        return str(raw)

    def close(self) -> None:
        """Ends the stream and closes its connection."""
        super().close()
        self._stream = None


class ObjectChanges(_Stream[ObjectChange[T]]):
    """Changes of objects, as `Api.watch` returns them. It keeps the last state of each object."""

    def __init__(self, api: Api[T], namespace: str, labels: str, fields: str, version: str) -> None:
        super().__init__(api)
        self._core = api._core
        self._where = (namespace, labels, fields)
        self._version = version  # empty: the objects are listed first
        self._known: dict[tuple[str, str], Any] = {}
        self._listed = False
        self._stream: Any = None
        self._delay = 0.0

    def _fetch(self, deadline: float | None) -> None:
        try:
            self._advance(deadline)
        except Gone:
            if not self._listed:
                raise
            self._version, self._stream = "", None
        except Error as error:
            late = deadline is not None and time.monotonic() > deadline - 0.01  # limits are whole milliseconds
            if isinstance(error, Timeout) and late:
                raise
            self._stream = None
            if late or not self._listed or not error.retryable:
                raise
            self._pause()

    def _advance(self, deadline: float | None) -> None:
        if not self._version:
            items = self._wait(self._core.list(*self._where, 0, "", "", _left(deadline)))
            self._compare([items.handle(i) for i in range(len(items))])
            self._version, self._listed = items.version, True
        elif self._stream is None:
            stream = self._core.watch(*self._where, self._version)
            self._wait(stream.open(_left(deadline)))
            self._stream, self._listed = stream, True
        else:
            batch = self._wait(self._stream.take(_left(deadline)))
            if batch is None:  # the server ends watches after some minutes
                self._stream = None
                self._pause()
                return
            self._delay = 0.0
            for entry in batch:
                self._take(entry)

    def _take(self, entry: Any) -> None:
        if isinstance(entry, Exception):  # an object that cannot be read
            self._ready.append(entry)
            return
        change, handle, version = entry
        self._version = version or self._version
        if handle is None:
            return
        key = (handle.namespace, handle.name)
        if change == "deleted":
            self._known.pop(key, None)
        else:
            self._known[key] = handle
        self._ready.append((change, handle))

    def _compare(self, handles: List[Any]) -> None:
        """Reports how a list differs from the objects that are known."""
        before, self._known = self._known, {}
        for handle in handles:
            key = (handle.namespace, handle.name)
            self._known[key] = handle
            old = before.pop(key, None)
            if old is not None and old.uid != handle.uid:
                self._ready.append(("deleted", old))
                old = None
            if old is None or old.version != handle.version:
                self._ready.append(("added" if old is None else "modified", handle))
        self._ready.extend(("deleted", old) for old in before.values())

    def _pause(self) -> None:
        delay, self._delay = self._delay, min(30.0, self._delay * 2 or 0.1)
        if delay:
            self._wait(self._core.sleep(delay))

    def _item(self, raw: Any) -> ObjectChange[T]:
        if isinstance(raw, Exception):
            raise raw
        change, handle = raw
        return ObjectChange(change, to_object(handle.copy()))

    def close(self) -> None:
        """Ends the stream and closes its connection."""
        super().close()
        self._stream = None
        self._known.clear()
