"""Training jobs on Kubernetes: create, scale, watch and explain them, on a cluster or on this machine.

Begin with one of these:

- ``kftrain.train(function, workers=3)`` runs a function as a training job and shows the output of all ranks.
- ``kftrain.Client()`` submits, watches, waits for and explains jobs, and reads and changes any other object.
- ``kftrain.AsyncClient()`` is the same for asyncio.
- ``kftrain.local.LocalCluster()`` is a cluster on this machine that needs neither Docker nor Kubernetes.

Without a cluster: ``render``, ``ranks``, ``lint``, ``validate``, ``convert`` and ``with_defaults`` take a job and show
what an operator makes of it; ``job`` and ``parse_jobs`` read jobs.

In a training program, ``kftrain.report`` reports its progress.

Modules: ``kftrain.models`` has the classes of all objects, ``kftrain.until`` the conditions of ``Client.wait``,
``kftrain.testing`` fixtures for pytest, and ``kftrain.kubeflow`` the API of the package ``kubeflow-training``. All
exceptions are subclasses of ``kftrain.Error``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from . import _main_interpreter as _main_interpreter  # before the extension module
from . import models, until
from ._client import Client
from ._core import version as __version__
from ._errors import (
    AlreadyExists,
    Cancelled,
    Cause,
    CommandFailed,
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
from ._objects import ObjectChange, ObjectList, Unstructured
from ._offline import (
    Change,
    Conversion,
    Issue,
    Rank,
    Ranks,
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
from ._quantity import Quantity
from ._record import Record
from ._shared import CommandOutput, CommandResult, JobPage, JobReference, Timeline
from ._streams import JobChanges, LogLines

if TYPE_CHECKING:
    from ._aio import AsyncClient
    from ._aio_api import AsyncApi
    from ._aio_commands import AsyncCommand, AsyncPortForward
    from ._aio_informer import AsyncInformer, AsyncInformerChanges
    from ._aio_streams import AsyncJobChanges, AsyncLogLines, AsyncObjectChanges, AsyncPodLines
    from ._api import Api
    from ._commands import Command, PortForward
    from ._informer import Informer, InformerChanges
    from ._streams import ObjectChanges, PodLines
    from ._train import OutputLine, train

__all__ = [
    "AlreadyExists",
    "Api",
    "AsyncApi",
    "AsyncClient",
    "AsyncCommand",
    "AsyncInformer",
    "AsyncInformerChanges",
    "AsyncJobChanges",
    "AsyncLogLines",
    "AsyncObjectChanges",
    "AsyncPodLines",
    "AsyncPortForward",
    "Cancelled",
    "Cause",
    "Change",
    "Client",
    "Command",
    "CommandFailed",
    "CommandOutput",
    "CommandResult",
    "Conflict",
    "Conversion",
    "Deleted",
    "Error",
    "Forbidden",
    "Gone",
    "Incomplete",
    "Informer",
    "InformerChanges",
    "Invalid",
    "InvalidArgument",
    "Issue",
    "JobChanges",
    "JobPage",
    "JobReference",
    "LogLines",
    "NotFound",
    "ObjectChange",
    "ObjectChanges",
    "ObjectList",
    "OutputLine",
    "ParseError",
    "PodLines",
    "PortForward",
    "Quantity",
    "Rank",
    "RankError",
    "Ranks",
    "Record",
    "Timeline",
    "Timeout",
    "TooManyRequests",
    "TypeMismatch",
    "Unauthorized",
    "Unreachable",
    "Unstructured",
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


# Imported when they are used first: the imports of asyncio and inspect take longer than that of everything
# else.
_LATE = {
    "_aio": ("AsyncClient",),
    "_aio_api": ("AsyncApi",),
    "_aio_commands": ("AsyncCommand", "AsyncPortForward"),
    "_aio_informer": ("AsyncInformer", "AsyncInformerChanges"),
    "_aio_streams": ("AsyncJobChanges", "AsyncLogLines", "AsyncObjectChanges", "AsyncPodLines"),
    "_api": ("Api",),
    "_commands": ("Command", "PortForward"),
    "_informer": ("Informer", "InformerChanges"),
    "_streams": ("ObjectChanges", "PodLines"),
    "_train": ("OutputLine", "train"),
}


def __getattr__(name: str) -> Any:
    for module, names in _LATE.items():
        if name in names:
            return getattr(importlib.import_module(f".{module}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
