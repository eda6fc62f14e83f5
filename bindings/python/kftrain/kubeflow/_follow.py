"""The states of jobs that are waited for, from one list and one watch for all waits of a namespace."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

from .. import _offline, until
from .._client import Client
from .._errors import NotFound, Timeout
from .._informer import Informer
from .._objects import to_object
from .._shared import JobReference
from .._streams import deadline_of, seconds_left

_AT_ONCE = until.deleted() | ~until.deleted()  # a read that is repeated while the server cannot be reached
_DELAY = 1.0  # seconds after which a watch has reported what had happened before


class _Shared:
    """An informer, and the number of waits that use it."""

    def __init__(self, informer: Informer[Any]) -> None:
        self.informer = informer
        self.waits = 0
        self._syncing = threading.Lock()
        self._synced = False

    def wait_for_sync(self, deadline: float | None) -> None:
        """Begins the informer once for all waits: a request for each of them would only find the same."""
        left = seconds_left(deadline)
        if not self._syncing.acquire(timeout=-1 if left is None else left):
            raise Timeout("the jobs of the namespace were not read in time")
        try:
            if not self._synced:
                self.informer.wait_for_sync(seconds_left(deadline))
                self._synced = True
        finally:
            self._syncing.release()


_lock = threading.Lock()
_shared: weakref.WeakKeyDictionary[Client, dict[tuple[str, str], _Shared]] = weakref.WeakKeyDictionary()


@contextmanager
def _informer_of(client: Client, kind: str, namespace: str) -> Generator[_Shared, None, None]:
    with _lock:
        informers = _shared.setdefault(client, {})
        if (kind, namespace) not in informers:
            informers[kind, namespace] = _Shared(client.informer(kind, namespace=namespace))
        used = informers[kind, namespace]
        used.waits += 1
    try:
        yield used
    finally:
        with _lock:
            used.waits -= 1
            if not used.waits:
                used.informer.close()
                del informers[kind, namespace]


def states_of(client: Client, reference: JobReference, kind: str, limit: float) -> Iterator[Any]:
    """The job now, and after each change, without end.

    Raises `NotFound` if it does not exist or was deleted, and `Forbidden` at the beginning if the caller may not list
    the jobs of the namespace.
    """
    begin, deadline = time.monotonic(), deadline_of(limit)

    def read() -> Any:
        job = client.wait(reference, _AT_ONCE, timeout=seconds_left(deadline))
        if job is None:
            raise NotFound(f"{reference.name} does not exist or was deleted")
        return job

    with _informer_of(client, kind, reference.namespace) as shared:
        shared.wait_for_sync(deadline)
        with shared.informer.changes() as changes:
            job: Any = shared.informer.get(reference.name)
            if job is None or _is_finished(job):
                job = read()  # the informer may not know yet that the job was created, or created again
            yield job
            while not changes._closed:
                changes._fetch(deadline)
                while changes._ready:
                    change, handle = changes._ready.popleft()
                    if handle.name != reference.name or handle.version == job.metadata.resource_version:
                        continue
                    new = None if change == "deleted" else to_object(handle.copy())
                    if new is None or (_is_finished(new) and time.monotonic() < begin + _DELAY):
                        new = read()
                    job = new
                    yield job


def _is_finished(job: Any) -> bool:
    return _offline.phase(job) in ("Succeeded", "Failed")
