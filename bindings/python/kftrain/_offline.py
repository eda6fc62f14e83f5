"""What can be computed about a job without a cluster."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, List, NamedTuple, Optional, TypeVar, Union, cast, overload

from . import _core, models
from ._checked import checked
from ._convert import refuse
from ._model import AnyModel, Model, wrap
from ._registry import class_of

M = TypeVar("M", bound=Model)

JobLike = Union[Model, str, Mapping[str, Any], Any]
"""A model, a YAML or JSON text, a dict in the form of the server, or an object of the ``kubernetes`` client."""


Flags = Optional[Mapping[str, str]]
ObjectLike = Union[Model, str, Mapping[str, Any]]
"""A model, a YAML or JSON text with one object, or a dict in the form of the server."""


class Issue(NamedTuple):
    """One finding of a check."""

    rule: str
    """The stable name of the rule, e.g. ``lint.child-name``."""
    path: str
    message: str
    level: str
    """``error``, ``warning`` or ``info``."""
    keeps_from_starting: bool
    """The server accepts the job, but it never starts."""


class Change(NamedTuple):
    """A field that a conversion did not copy unchanged."""

    path: str
    value: Any
    becomes: str
    """``changed``: the result is equivalent; ``approximated`` or ``dropped``: it is not."""
    result_path: str
    why: str


class Conversion(NamedTuple):
    """A converted job, and the fields that are not the same."""

    job: AnyModel
    changes: list[Change]


@dataclass(frozen=True)
class Rank:
    """One replica of a job."""

    role: str
    index: int
    rank: int | None
    """None if the framework assigns ranks when it starts, or if the replica has none."""
    pod: str
    address: str
    environment: dict[str, dict[str, str]] = field(repr=False)
    """The variables that the operator and the job set, by container."""


class Ranks(List[Rank]):
    """The replicas of a job in the order of their ranks, which notebooks show as a table."""

    _variables_of_job: frozenset[str] = frozenset()  # notebooks hide their values, which may be secrets

    def _repr_html_(self) -> str:
        from ._html import ranks_html

        return ranks_html(self, self._variables_of_job)


@checked
def parse_jobs(text: str, *, allow_unknown: bool = False) -> list[AnyModel]:
    """Reads the jobs of all documents and lists of a YAML or JSON text.

    Raises `ParseError` for a field that the kind does not have. With ``allow_unknown``, such fields are kept.
    """
    return [wrap(value) for value in _core.parse_jobs(text, not allow_unknown)]


@overload
def job(value: M, *, allow_unknown: bool = False) -> M: ...
@overload
def job(value: JobLike, *, allow_unknown: bool = False) -> Any: ...
@checked
def job(value: JobLike, *, allow_unknown: bool = False) -> Model:
    """Returns the model of a job in any form: a model, a text with one job, a dict, or a ``kubernetes`` object.

    Texts and dicts are refused if they have fields that the kind does not have. With ``allow_unknown``, such fields
    are kept.
    """
    if isinstance(value, Model):
        return value
    if isinstance(value, str):
        found = parse_jobs(value, allow_unknown=allow_unknown)
        if len(found) != 1:
            raise ValueError(f"expected one job, got {len(found)}")
        return found[0]
    if isinstance(value, Mapping):
        return models.from_dict(value, allow_unknown=allow_unknown)
    if hasattr(value, "attribute_map"):
        cls = class_of(getattr(value, "api_version", None) or "", getattr(value, "kind", None) or "")
        return cls.from_dict(value, allow_unknown=allow_unknown)
    refuse(value, "a job", "value")


def flag_texts(flags: Flags) -> list[str]:
    return [f"--{name}={value}" for name, value in (flags or {}).items()]


def _values(references: Sequence[ObjectLike]) -> list[_core.Value]:
    def model(value: ObjectLike) -> Model:
        if isinstance(value, Model):
            return value
        return models.from_yaml(value) if isinstance(value, str) else models.from_dict(value)

    return [model(value)._value for value in references]


@checked
def render(value: JobLike, *, references: Sequence[ObjectLike] = (), operator_flags: Flags = None) -> list[AnyModel]:
    """Returns the objects that an operator creates for a job, in the order of their creation.

    Args:
        references: The objects to which the job refers, such as its runtime. Those that an installation of the
            operator contains need not be passed.
        operator_flags: The flags with which the operator runs, such as ``{"gang-scheduler-name": "volcano"}``.

    Raises `Invalid` if the job violates rules of its kind, and `InvalidArgument` if an object is missing.
    """
    return [wrap(item) for item in _core.render(job(value)._value, _values(references), flag_texts(operator_flags))]


@checked
def ranks(value: JobLike, *, references: Sequence[ObjectLike] = (), operator_flags: Flags = None) -> Ranks:
    """Returns role, index, rank, address and environment of every replica, without a cluster.

    The other arguments are those of `render`. Raises `Invalid` if the job violates rules of its kind, and
    `InvalidArgument` if an object is missing.
    """
    model = job(value)
    made = Ranks(Rank(**item) for item in _core.ranks(model._value, _values(references), flag_texts(operator_flags)))
    made._variables_of_job = frozenset(_variables(model.to_dict()))
    return made


def _variables(value: Any, name: str = "") -> Iterator[str]:
    """The names of all variables that the containers of an object set. ``name`` is that of the field."""
    if isinstance(value, (list, tuple)):
        for item in cast("Sequence[Any]", value):
            yield from _variables(item, name)
    elif isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        if name == "env":
            yield str(fields.get("name"))
        for key, item in fields.items():
            yield from _variables(item, key)


@checked
def lint(value: JobLike, *, references: Sequence[ObjectLike] = (), operator_flags: Flags = None) -> list[Issue]:
    """Returns likely mistakes that a server accepts. The other arguments are those of `render`."""
    return [Issue(**item) for item in _core.lint(job(value)._value, _values(references), flag_texts(operator_flags))]


@checked
def validate(value: JobLike, *, references: Sequence[ObjectLike] = (), operator_flags: Flags = None) -> list[Issue]:
    """Returns every rule of its kind that the job violates. Empty: the job is valid. The other arguments are those of
    `render`."""
    found = _core.validate(job(value)._value, _values(references), flag_texts(operator_flags))
    return [Issue(**item) for item in found]


@overload
def with_defaults(value: M) -> M: ...
@overload
def with_defaults(value: JobLike) -> Any: ...
@checked
def with_defaults(value: JobLike) -> Model:
    """Returns a copy with the fields that the operator sets if the author leaves them out."""
    model: Model = wrap(_core.with_defaults(job(value)._value))
    return model


@checked
def phase(value: JobLike) -> str:
    """Returns the phase by the status: Created, Running, Restarting, Suspended, Succeeded or Failed."""
    return str(_core.phase(job(value)._value))


@checked
def convert(value: JobLike, kind: str) -> Conversion:
    """Converts a job to another kind, e.g. ``PyTorchJob`` or ``MPIJob.v2beta1``.

    A text or dict may also be of a form that no server has any more, such as jobs of ``v1alpha1``.
    """
    if isinstance(value, str):
        text = value
    elif isinstance(value, Mapping):
        text = json.dumps(value)
    else:
        text = job(value).to_json()
    converted, changes = _core.convert(text, kind)
    return Conversion(wrap(converted), [Change(**change) for change in changes])
