"""Shares one list and one watch between all waits for jobs of a namespace."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import Any

from .. import _offline, until
from .._client import Client
from .._errors import Error, NotFound, Timeout
from .._informer import Informer
from .._objects import to_object
from .._shared import JobReference
from .._streams import deadline_of, seconds_left

_AT_ONCE = until.deleted() | ~until.deleted()  # a read that is repeated while the server cannot be reached
_DELAY = 1.0  # seconds until a new watch is up to date
_EXPLANATION = 2.0  # seconds
_SILENCE = 60.0  # seconds without a change after which the job is read, since a watch does not report its failures


class _Follower:
    """An informer, and a thread that hands each change to the waits for its job."""

    def __init__(self, informer: Informer[Any]) -> None:
        self.informer = informer
        self.queues: dict[str, list[SimpleQueue[Any]]] = {}  # by the name of the job
        self._starting = threading.Lock()
        self._started = False
        self._end: Exception | None = None

    def start(self, deadline: float | None) -> None:
        """Begins the informer, once for all waits."""
        if not self._starting.acquire(timeout=_limit(deadline)):
            raise Timeout("the jobs of the namespace were not read in time")
        try:
            if not self._started:
                self.informer.wait_for_sync(seconds_left(deadline))
                threading.Thread(target=self._read, args=[self.informer.changes()], daemon=True).start()
                self._started = True
        finally:
            self._starting.release()
        if self._end is not None:
            raise self._end

    def _read(self, changes: Any) -> None:
        end: Exception = Error("the jobs are no longer watched")
        try:
            while not changes._closed:
                changes._fetch(None)
                while changes._ready:
                    change, handle = changes._ready.popleft()
                    self._put(handle.name, (change, handle))
        except Exception as error:  # the client was closed, for example
            end = error
        with _lock:
            self._end, names = end, list(self.queues)
        for name in names:
            self._put(name, end)

    def _put(self, name: str, item: Any) -> None:
        with _lock:
            queues = list(self.queues.get(name, ()))
        for queue in queues:
            queue.put(item)


_lock = threading.Lock()
_followers: weakref.WeakKeyDictionary[Client, dict[tuple[str, str], _Follower]] = weakref.WeakKeyDictionary()


def _limit(deadline: float | None) -> float:
    left = seconds_left(deadline)
    return threading.TIMEOUT_MAX if left is None else min(left, threading.TIMEOUT_MAX)


@contextmanager
def _following(
    client: Client, kind: str, namespace: str, name: str
) -> Generator[tuple[_Follower, SimpleQueue[Any]], None, None]:
    queue: SimpleQueue[Any] = SimpleQueue()
    with _lock:
        followers = _followers.setdefault(client, {})
        follower = followers.get((kind, namespace))
        if follower is None:
            follower = followers[kind, namespace] = _Follower(client.informer(kind, namespace=namespace))
        follower.queues.setdefault(name, []).append(queue)
    try:
        yield follower, queue
    finally:
        with _lock:
            follower.queues[name].remove(queue)
            if not follower.queues[name]:
                del follower.queues[name]
            if not follower.queues:
                follower.informer.close()
                del followers[kind, namespace]


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

    with _following(client, kind, reference.namespace, reference.name) as (follower, queue):
        follower.start(deadline)
        job: Any = follower.informer.get(reference.name)
        if job is None or _is_finished(job):
            job = read()  # the informer may not have received the new job yet
        yield job
        while True:
            try:
                item = queue.get(timeout=min(_limit(deadline), _SILENCE))
            except Empty:
                if deadline is not None and time.monotonic() >= deadline:
                    last = f"last state: {_offline.phase(job)}{_why(client, reference)}"
                    raise Timeout(f"the job has none of the conditions after {limit:g} s; {last}") from None
                job = read()
                yield job
                continue
            if isinstance(item, Exception):
                raise item
            change, handle = item
            if change != "deleted" and _version(handle.version) <= _version(job.metadata.resource_version):
                continue
            job = None if change == "deleted" else to_object(handle.copy())
            if job is None or (_is_finished(job) and time.monotonic() < begin + _DELAY):
                job = read()
            yield job


def _why(client: Client, reference: JobReference) -> str:
    """What keeps the job from its end, if that is found in a short time."""
    try:
        cause = client.explain(reference, timeout=_EXPLANATION).causes[0]
    except Error:
        return ""
    return "" if cause.kind == "healthy" else f"; {cause.summary}"


def _version(text: str) -> tuple[int, str]:
    """Orders resource versions, which are numbers on all known servers."""
    return (int(text), "") if text.isdigit() else (0, text)


def _is_finished(job: Any) -> bool:
    return _offline.phase(job) in ("Succeeded", "Failed")
