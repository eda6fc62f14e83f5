"""Conditions for `Client.wait`; combine them with ``&``, ``|`` and ``~``::

    client.wait(job, until.all_ranks_ready() | until.finished())

A wait ends with `Incomplete` if the job is finished and the condition can no longer become true.
"""

from __future__ import annotations

import operator

from ._checked import checked
from ._core import Condition
from ._core import until as _until

__all__ = [
    "Condition",
    "all_ranks_ready",
    "deleted",
    "failed",
    "finished",
    "ranks_ready",
    "running",
    "succeeded",
    "suspended",
]


def finished() -> Condition:
    """The job succeeded or failed."""
    return _until.finished()


def succeeded() -> Condition:
    """The job succeeded."""
    return _until.succeeded()


def failed() -> Condition:
    """The job failed."""
    return _until.failed()


def running() -> Condition:
    """The status reports that the job runs, or the job is already finished."""
    return _until.running()


def all_ranks_ready() -> Condition:
    """All replicas of all roles are ready at the same time."""
    return _until.all_ranks_ready()


@checked
def ranks_ready(role: str, members: int) -> Condition:
    """At least this many replicas of a role are ready."""
    number = operator.index(members)
    if not 0 <= number < 2**31:
        raise ValueError(f"members: expected 0 to {2**31 - 1}, got {number}")
    return _until.ranks_ready(role, number)


def suspended() -> Condition:
    """The job is suspended, and none of its pods exists any more."""
    return _until.suspended()


def deleted() -> Condition:
    """The job does not exist."""
    return _until.deleted()
