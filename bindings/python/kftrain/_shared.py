"""What the blocking and the asynchronous client have in common."""

from __future__ import annotations

import atexit
import importlib
import json
import sys
import time
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, List, Union

from . import _core
from ._checked import checked
from ._convert import plain, plain_json, refuse
from ._errors import CommandFailed
from ._model import AnyModel, Model, wrap
from ._offline import JobLike, job
from ._record import record_from_json

if TYPE_CHECKING:
    from .results import JobTimeline


@checked
@dataclass(frozen=True)
class JobReference:
    """Names a job: ``JobReference("PyTorchJob.v1", "digits")``."""

    kind: str
    """A kind, plural or short name, if needed with version and group: ``pytorchjob``, ``MPIJob.v2beta1``."""
    name: str
    namespace: str = ""
    """Empty: the namespace of the client."""
    uid: str = ""
    """If it is set, another job of the same name counts as deleted."""


Reference = Union[Model, JobReference, str]
"""A job: a model, a `JobReference`, or a text such as ``pytorchjob.v1/digits``."""


class JobPage(List[AnyModel]):
    """The jobs of `Client.list`."""

    def __init__(self, jobs: list[AnyModel], continue_token: str, unread: list[str]) -> None:
        super().__init__(jobs)
        self.continue_token = continue_token
        """The token of the next page; empty: this is the last page."""
        self.unread = unread
        """What could not be read, and why: a kind, or a job that does not fit its kind."""

    def _repr_html_(self) -> str:
        from ._html import jobs_html

        return jobs_html(self)


@dataclass(frozen=True)
class CommandOutput:
    """A part of the output of a `Command`."""

    data: bytes
    """Never empty."""
    text: str
    """The same as text. A character that continues in the next part is there; other bytes than UTF-8 are U+FFFD."""
    is_error: bool
    """Whether it is standard error."""


@dataclass(frozen=True)
class CommandResult:
    """The output and the exit code of a command that has ended, as `Api.exec` returns it."""

    exit_code: int
    """128 + N after signal N."""
    stdout_bytes: bytes
    stderr_bytes: bytes

    @property
    def stdout(self) -> str:
        """The standard output; other bytes than UTF-8 are U+FFFD."""
        return self.stdout_bytes.decode(errors="replace")

    @property
    def stderr(self) -> str:
        """The standard error; other bytes than UTF-8 are U+FFFD."""
        return self.stderr_bytes.decode(errors="replace")

    def check(self) -> CommandResult:
        """Raises `CommandFailed` if the exit code is not 0; otherwise returns the result."""
        if self.exit_code != 0:
            text = self.stderr.strip()[-1000:]
            error = CommandFailed(f"the command ended with exit code {self.exit_code}" + (text and f": {text}"))
            error.exit_code, error.stdout, error.stderr = self.exit_code, self.stdout, self.stderr
            raise error
        return self


class Timeline:
    """The history of a job, from `Client.timeline`; a notebook shows it as a picture."""

    def __init__(self, fields: str, text: str, svg: str, html: str) -> None:
        self._fields = fields
        self._text = text
        self._svg = svg
        self._html = html

    @property
    def data(self) -> JobTimeline:
        """The times of pods, conditions, sizes and reports."""
        result: JobTimeline = record_from_json(self._fields, "job_timeline")
        return result

    def to_text(self) -> str:
        """Draws the timeline as text, 100 columns wide."""
        return self._text

    def to_svg(self) -> str:
        """Draws the timeline as a picture, in colours for light and dark mode."""
        return self._svg

    def to_html(self) -> str:
        """Returns a page with the picture and tables."""
        return self._html

    __str__ = to_text

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x:auto">{self._svg}</div>'


open_clients: weakref.WeakSet[Any] = weakref.WeakSet()


def _close_all() -> None:
    # Threads that wait get an exception now, while Python can still run it: when the interpreter ends, a thread that
    # comes back from C++ would abort the process.
    for client in list(open_clients):
        try:
            client.close()
        except Exception as error:  # the others are closed all the same
            print(f"kftrain: {error}", file=sys.stderr)
    for _ in range(100):
        if _core.waiting_threads() == 0:
            break
        time.sleep(0.01)


atexit.register(_close_all)


def end_with_cluster(core: Any) -> None:
    """Lets the calls of a client fail as soon as the local cluster of this process that it uses has ended by itself."""
    for cluster in list(open_clients):
        if getattr(cluster, "_server", None) == core.server:
            cluster._core.add_client(core.engine)


def job_patch(job: Reference, patch: Any) -> str:
    """The JSON of a patch for a job."""
    return patch_text(type(job)._type if isinstance(job, Model) else _core.job_type(reference_tuple(job, "")[0]), patch)


def patch_text(type_: Any, patch: Any) -> str:
    """The JSON of a patch. Names of fields in a merge patch of a type are checked, and may be those of Python."""
    merge = isinstance(patch, Mapping) and type_ is not None
    return json.dumps(plain(type_, patch, "", True) if merge else plain_json(patch))


def fallback_authorities() -> str:
    """The file of the package ``certifi``, if the system has no certificates of authorities; otherwise empty."""
    if _core.find_system_authorities():
        return ""
    try:
        return str(importlib.import_module("certifi").where())
    except ImportError:
        return ""


def to_model(value: Any) -> AnyModel:
    model: AnyModel = wrap(value)
    return model


def job_value(value: JobLike) -> Any:
    return job(value)._value


def reference_tuple(value: object, namespace: str) -> tuple[str, str, str, str]:
    if isinstance(value, Model):
        resource = type(value)._type.resource
        metadata = getattr(value, "metadata", None)
        if resource is None or metadata is None:
            refuse(value, "a job", "job")
        group, _, version = resource[0].rpartition("/")
        kind = f"{resource[2]}.{version}.{group}"
        return kind, metadata.namespace or namespace, metadata.name, metadata.uid
    if isinstance(value, JobReference):
        return value.kind, value.namespace or namespace, value.name, value.uid
    if isinstance(value, str):
        kind, slash, name = value.partition("/")
        if not slash or not kind or not name:
            raise ValueError(f"expected a text such as 'pytorchjob.v1/digits', got {value!r}")
        return kind, namespace, name, ""
    refuse(value, "a job", "job")
