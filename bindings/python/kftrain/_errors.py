"""Exceptions: one class for each kind of failure that a program handles differently."""

from __future__ import annotations

from typing import Any, NamedTuple


class Cause(NamedTuple):
    """One fault that a server or a rule found."""

    reason: str
    field: str
    message: str


class Error(Exception):
    """The base of all exceptions that the library raises.

    Attributes:
        code: A stable name: that of the library (``timeout``, ``invalid_job``), the reason of the server
            (``NotFound``), or that of the operating system (``ECONNREFUSED``).
        reason: ``Status.reason`` of the server, or an empty text.
        status: The HTTP status, or 0.
        path: The field concerned, e.g. ``spec.runPolicy.suspend``, or an empty text.
        line: The line of the text that was read, from 1, or 0.
        column: The column in that line, from 1, or 0.
        causes: Every fault that the server or the rules of the kind found.
        retry_after: The delay in seconds that the server requests, or 0.
        retryable: Whether the same call may succeed later: overload, interrupted connections, time limits.
        detail: The message without path and line.
    """

    code: str = ""
    reason: str = ""
    status: int = 0
    path: str = ""
    line: int = 0
    column: int = 0
    causes: tuple[Cause, ...] = ()
    retry_after: float = 0.0
    retryable: bool = False
    detail: str = ""

    def __reduce__(self) -> Any:
        return _make, (type(self).__name__, str(self), dict(self.__dict__))


class NotFound(Error, LookupError):
    """The object does not exist."""


class AlreadyExists(Error):
    """An object of this name exists already."""


class Conflict(Error):
    """The object has changed since it was read: read it again and retry."""


class Forbidden(Error, PermissionError):
    """The caller lacks a permission."""


class Unauthorized(Error, PermissionError):
    """Credentials are missing, wrong or expired."""


class Invalid(Error, ValueError):
    """The object violates rules of its kind; ``causes`` lists them."""


class TooManyRequests(Error):
    """The server enforces a rate limit; ``retry_after`` is the requested delay."""


class Timeout(Error, TimeoutError):
    """The time limit of the call passed, or one of the server."""


class Gone(Error):
    """The requested version is no longer available: list again."""


class Unreachable(Error, ConnectionError):
    """The server was not reached: nothing was sent."""


class Cancelled(Error):
    """The operation was cancelled, for example because the client was closed."""


class Deleted(Error):
    """The job was deleted in the meantime."""


class Incomplete(Error):
    """The condition can no longer become true, or a part of the result is missing."""


class ParseError(Error, ValueError):
    """A text could not be read; ``path``, ``line`` and ``column`` are its position."""


class TypeMismatch(ParseError, TypeError):
    """A field has a value of another type."""


class InvalidArgument(Error, ValueError):
    """An argument is invalid; the message identifies it."""


class CommandFailed(Error):
    """A command in a container has another exit code than 0.

    Attributes:
        exit_code: 128 + N after signal N.
        stdout: The standard output.
        stderr: The standard error.
    """

    exit_code: int = 0
    stdout: str = ""
    stderr: str = ""


class RankError(Error):
    """The function of `kftrain.train` raised an exception in a rank, or the rank ended before it returned.

    Attributes:
        rank: The rank that reported first; None if the job failed as a whole.
        exception: The name of the class of the exception, or an empty text if the rank ended otherwise.
        traceback: The traceback of the exception in the rank.
        others: The errors of other ranks, in the order of their reports.
    """

    rank: int | None = None
    exception: str = ""
    traceback: str = ""
    others: tuple[RankError, ...] = ()


def _make(name: str, message: str, values: dict[str, Any]) -> Error:
    """Called by the extension module, and by pickle."""
    error: Error = globals()[name](message)
    error.__dict__.update(values, causes=tuple(Cause(*cause) for cause in values.get("causes", ())))
    return error
