"""Conversions of arguments and errors for the methods of the client."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, cast
from urllib.parse import quote

from .. import _errors
from .._shared import JobReference
from . import constants, models
from .constants import JOB_PARAMETERS

REPLICA_TYPES = {role for kind in JOB_PARAMETERS for role in getattr(constants, f"{kind.upper()}_REPLICA_TYPES")}


@contextmanager
def failures(what: str) -> Generator[None, None, None]:
    """Turns the exceptions of kftrain into those of the original package."""
    try:
        yield
    except _errors.Timeout as error:
        raise TimeoutError(f"{what}: {error}") from error
    except _errors.Error as error:
        raise RuntimeError(f"{what}: {error}") from error


def segment(name: str) -> str:
    return quote(name, safe="")


def kind_of(reference: JobReference) -> str:
    return reference.kind.partition(".")[0]


def name_of(reference: JobReference) -> str:
    return f"{kind_of(reference)} {reference.namespace}/{reference.name}"


def check_kind(kind: str) -> None:
    if kind not in JOB_PARAMETERS:
        raise ValueError(f"job_kind: expected one of {', '.join(JOB_PARAMETERS)}, got {kind!r}")


def labels_of(name: str, is_master: bool, replica_type: str | None, replica_index: int | None) -> dict[str, str]:
    if replica_type is not None and replica_type not in REPLICA_TYPES:
        raise ValueError(f"replica_type: expected one of {', '.join(sorted(REPLICA_TYPES))}, got {replica_type!r}")
    labels = {constants.JOB_NAME_LABEL: name}
    if is_master:
        labels[constants.JOB_ROLE_LABEL] = constants.JOB_ROLE_MASTER
    if replica_type:
        labels[constants.REPLICA_TYPE_LABEL] = replica_type
    if replica_index is not None:
        labels[constants.REPLICA_INDEX_LABEL] = str(replica_index)
    return labels


def _as_mapping(value: Any) -> Mapping[str, Any] | None:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else None


def job_model(job: Any, *, allow_unknown: bool = False) -> Any:
    """The model of a job in any form."""
    mapping = _as_mapping(job)
    kind = str(getattr(job, "kind", None) if mapping is None else mapping.get("kind"))
    check_kind(kind)
    name = JOB_PARAMETERS[kind]["model"]
    expected: Any = getattr(models, name)
    if isinstance(job, expected):
        return job
    if mapping is not None or type(job).__name__ == name:
        return expected.from_dict(job, allow_unknown=allow_unknown)
    raise ValueError(f"job: expected one of {', '.join(constants.JOB_MODELS)} or a dict, got {type(job).__name__}")
