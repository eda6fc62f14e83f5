"""Training jobs on Kubernetes: create, scale, watch and explain them, on a cluster or on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import models, until
from ._client import Client, JobChanges, LogLines
from ._core import version as __version__
from ._errors import (
    AlreadyExists,
    Cancelled,
    Cause,
    Conflict,
    Deleted,
    Error,
    Forbidden,
    Gone,
    Incomplete,
    Invalid,
    InvalidArgument,
    NotFound,
    ParseError,
    RankError,
    Timeout,
    TooManyRequests,
    TypeMismatch,
    Unauthorized,
    Unreachable,
)
from ._offline import (
    Change,
    Conversion,
    Issue,
    Rank,
    convert,
    job,
    lint,
    parse_jobs,
    phase,
    ranks,
    render,
    validate,
    with_defaults,
)
from ._record import Record
from ._shared import JobPage, JobReference

if TYPE_CHECKING:
    from ._aio import AsyncClient, AsyncJobChanges, AsyncLogLines
    from ._train import OutputLine, train

__all__ = [
    "AlreadyExists",
    "AsyncClient",
    "AsyncJobChanges",
    "AsyncLogLines",
    "Cancelled",
    "Cause",
    "Change",
    "Client",
    "Conflict",
    "Conversion",
    "Deleted",
    "Error",
    "Forbidden",
    "Gone",
    "Incomplete",
    "Invalid",
    "InvalidArgument",
    "Issue",
    "JobChanges",
    "JobPage",
    "JobReference",
    "LogLines",
    "NotFound",
    "OutputLine",
    "ParseError",
    "Rank",
    "RankError",
    "Record",
    "Timeout",
    "TooManyRequests",
    "TypeMismatch",
    "Unauthorized",
    "Unreachable",
    "__version__",
    "convert",
    "job",
    "lint",
    "models",
    "parse_jobs",
    "phase",
    "ranks",
    "render",
    "train",
    "until",
    "validate",
    "with_defaults",
]


def __getattr__(name: str) -> Any:
    # The imports of asyncio and inspect take longer than that of everything else.
    if name in ("AsyncClient", "AsyncJobChanges", "AsyncLogLines"):
        from . import _aio

        return getattr(_aio, name)
    if name in ("OutputLine", "train"):
        from . import _train

        return getattr(_train, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
