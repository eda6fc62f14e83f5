"""A local copy of objects. `scripts/async_client.py` makes the asynchronous form from this file."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from ._checked import checked
from ._objects import ObjectChange, ObjectList, list_of_handles, place_of, to_object
from ._streams import BatchStream, Deadline, seconds_left

T = TypeVar("T")


@checked
class Informer(Generic[T]):
    """A copy of the objects of a type, which follows the server. `Client.informer` makes it.

    It lists and watches by itself, also after interruptions, until it is closed. `get` and `list` read the copy, which
    may be a little older than the server. Objects that they return are independent of it.

    ``with client.informer("pods") as pods:`` begins when the copy is complete.
    """

    def __init__(self, client: Any, name: str, namespace: str, labels: str, fields: str) -> None:
        self._client = client  # which ends its operations when it is destroyed
        self._name = name
        self.namespace = namespace
        """Empty: all namespaces."""
        self._core: Any = client._core.api(name).informer(namespace, label_selector=labels, field_selector=fields)
        self._start = self._core.wait_for_sync()

    @staticmethod
    def _wait(call: Any) -> Any:
        return call.wait()

    def _open(self) -> Any:
        if self._core is None:
            raise ValueError("the informer is closed")
        return self._core

    def wait_for_sync(self, timeout: float | None = None) -> None:
        """Waits until the copy has all objects that existed at the start. Raises `Timeout`."""
        self._wait(self._open().wait_for_sync(timeout=timeout))

    def get(self, name: str, *, namespace: str = "") -> T | None:
        """Returns an object of the copy; None if there is none."""
        own, text, _ = place_of(name)
        place = namespace or own or self.namespace
        raw = self._open().get(place, text)
        if raw is None and place:  # an object without a namespace
            raw = self._open().get("", text)
        return None if raw is None else to_object(raw)

    def list(self, *, namespace: str = "") -> ObjectList[T]:
        """Returns the objects of the copy, by namespace and name."""
        return list_of_handles(self._open().list(namespace))

    def changes(self) -> InformerChanges[T]:
        """Returns changes as an iterator that does not end: known objects first, as ``added``.

        Of an object that changes several times before a step, only the last state is reported. So a slow reader
        needs no more memory than the copy.
        """
        return InformerChanges(self)

    def close(self) -> None:
        """Ends the informer and its iterators."""
        self._start.cancel()
        self._core = None

    def __enter__(self) -> Informer[T]:
        self.wait_for_sync()
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._name} in {self.namespace or 'all namespaces'}>"


class InformerChanges(BatchStream[ObjectChange[T]]):
    """Changes of objects, as `Informer.changes` returns them."""

    def __init__(self, informer: Informer[T]) -> None:
        core = informer._open()
        super().__init__(informer, core.changes())  # the informer ends its operations when it is destroyed
        self._core: Any = core

    def _open_stream(self, stream: Any, deadline: Deadline | None) -> None:
        self._wait(self._core.wait_for_sync(timeout=seconds_left(deadline)))
        self._core = None

    def _item(self, raw: Any) -> ObjectChange[T]:
        change, handle = raw
        return ObjectChange(change, to_object(handle.copy()))
