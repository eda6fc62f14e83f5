"""Streams of a server. `scripts/async_client.py` makes the asynchronous form from this file."""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Any, Callable, Deque, Generic, List, TypeVar

from ._checked import checked
from ._errors import Error, Gone, Timeout
from ._objects import ObjectChange, to_object
from ._record import record_from_json

if TYPE_CHECKING:
    from .results import JobChange, LogLine

T = TypeVar("T")
S = TypeVar("S", bound="Stream[Any]")


class Deadline(float):
    """The time of the monotonic clock at which a time limit passes."""

    timeout: float
    """The time limit in seconds."""


def seconds_left(deadline: float | None) -> float | None:
    return None if deadline is None else max(0.001, deadline - time.monotonic())


def deadline_of(timeout: float | None) -> Deadline | None:
    if timeout is None:
        return None
    made = Deadline(time.monotonic() + timeout)
    made.timeout = timeout
    return made


def timed_out(deadline: Deadline | None, what: str = "no item") -> Timeout:
    error = Timeout(f"{what} within the timeout of {deadline.timeout if deadline else 0:g} s")
    error.code, error.retryable = "timeout", True
    return error


def check_deadline(deadline: Deadline | None, slack: float = 0.0) -> None:
    """Raises `Timeout` if the time limit has passed."""
    if deadline is not None and time.monotonic() >= deadline - slack:
        raise timed_out(deadline) from None


# The library rounds time limits to whole milliseconds.
SLACK = 0.01


@checked
class Stream(Generic[T]):
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
        deadline, tried = deadline_of(timeout), False
        while not self._ready:
            if self._closed:
                raise self._end()
            if tried:
                check_deadline(deadline)
            self._fetch(deadline)
            tried = True
        try:
            raw = self._ready.popleft()
        except IndexError:  # another thread has closed the stream
            raise self._end() from None
        return self._item(raw)

    def _end(self) -> Exception:
        """Returns the exception of a step after the end."""
        return StopIteration()

    def _fetch(self, deadline: Deadline | None) -> None:
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


class BatchStream(Stream[T]):
    """A stream that the extension module reads."""

    def __init__(self, owner: Any, stream: Any) -> None:
        super().__init__(owner)
        self._stream: Any = stream
        self._opened = False

    def _fetch(self, deadline: Deadline | None) -> None:
        stream = self._stream
        if stream is None:  # another thread has closed it
            return
        if not self._opened:
            self._open_stream(stream, deadline)
            self._opened = True
        try:
            batch = self._wait(stream.take(timeout=seconds_left(deadline)))
        except Timeout as error:
            if not error.detail:
                check_deadline(deadline, SLACK)
            raise
        if isinstance(batch, list):  # empty if another call, which was cancelled, took the items
            self._ready.extend(batch)
        else:
            self._finish(batch)

    def _finish(self, last: Any) -> None:
        """The stream has ended; a command has an exit code."""
        self._closed = True

    def _open_stream(self, stream: Any, deadline: Deadline | None) -> None:
        self._wait(stream.open(timeout=seconds_left(deadline)))

    def close(self) -> None:
        """Ends the stream and closes its connections."""
        super().close()
        self._stream = None


class PodLines(BatchStream[str]):
    """The lines of the output of a container, as `Api.logs` returns them."""

    def _item(self, raw: Any) -> str:
        return str(raw)


class _JobStream(BatchStream[T]):
    _type: str  # of the items

    def __init__(self, owner: Any, stream: Any) -> None:
        super().__init__(owner, stream)
        stream.open()  # begins at once
        self._opened = True

    def _item(self, raw: Any) -> T:
        if isinstance(raw, Exception):
            raise raw
        item: T = record_from_json(raw, self._type)
        return item


class LogLines(_JobStream["LogLine"]):
    """Lines of the output of a job: ``pod``, ``role``, ``index``, ``rank``, ``container``, ``run``, ``text``."""

    _type = "log_line"

    def position(self) -> str:
        """The position after the last line, for ``logs(position=...)``, also in another process."""
        if self._stream is None:
            raise ValueError("the stream is closed")
        return str(self._wait(self._stream.position()))


class JobChanges(_JobStream["JobChange"]):
    """Changes of the states of jobs: ``change`` is ``added``, ``modified`` or ``deleted``."""

    _type = "job_change"


class ObjectChanges(Stream[ObjectChange[T]]):
    """Changes of objects, as `Api.watch` returns them. It keeps the last state of each object."""

    def __init__(self, api: Any, namespace: str, labels: str, fields: str, version: str) -> None:
        super().__init__(api)
        self._core = api._core
        self._namespace = namespace
        self._selectors = {"label_selector": labels, "field_selector": fields}
        self._version = version  # empty: the objects are listed first
        self._known: dict[tuple[str, str], Any] = {}
        self._listed = False
        self._stream: Any = None
        self._delay = 0.0
        self._begin = 0.0  # of the watch

    def _fetch(self, deadline: Deadline | None) -> None:
        try:
            self._advance(deadline)
        except Gone:
            if not self._listed:
                raise
            self._version, self._stream = "", None
            self._pause(deadline)
        except Error as error:
            late = deadline is not None and time.monotonic() > deadline - SLACK
            if isinstance(error, Timeout) and late:
                if not error.detail:
                    check_deadline(deadline, SLACK)
                raise
            self._stream = None
            if late or not self._listed or not error.retryable:
                raise
            self._pause(deadline)

    def _advance(self, deadline: Deadline | None) -> None:
        stream = self._stream  # another thread may close it
        if self._closed:
            return
        if not self._version:
            left = seconds_left(deadline)
            items = self._wait(self._core.list_all(self._namespace, total_timeout=left, **self._selectors))
            self._compare([items.handle(i) for i in range(len(items))])
            self._version, self._listed = items.version, True
        elif stream is None:
            stream = self._core.watch(self._namespace, resource_version=self._version, **self._selectors)
            self._wait(stream.open(timeout=seconds_left(deadline)))
            self._stream, self._listed, self._begin = None if self._closed else stream, True, time.monotonic()
        else:
            batch = self._wait(stream.take(timeout=seconds_left(deadline)))
            if batch is None:  # the server ends watches after some minutes
                self._stream = None
                if time.monotonic() > self._begin + 1.0:
                    self._delay = 0.0
                self._pause(deadline)
                return
            if batch:
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

    def wait_for(self, condition: Callable[[T | None], bool], timeout: float | None) -> T | None:
        """Waits until a condition holds for the state of the only object; None is its absence."""
        deadline, tried = deadline_of(timeout), False
        absent = False
        try:
            while True:
                while self._ready:
                    change = self._item(self._ready.popleft())
                    state = None if change.change == "deleted" else change.object
                    if condition(state):
                        return state
                if self._listed and not self._known and not absent:
                    absent = True
                    if condition(None):
                        return None
                if tried:
                    check_deadline(deadline)
                self._fetch(deadline)
                tried = True
        finally:
            self.close()

    def _pause(self, deadline: Deadline | None) -> None:
        """Waits before the next attempt, longer after each failure."""
        delay, self._delay = self._delay, min(30.0, self._delay * 2 or 0.1)
        left = seconds_left(deadline)
        if delay:
            self._wait(self._core.sleep(timeout=delay if left is None else min(delay, left)))

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
