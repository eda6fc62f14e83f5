"""Makes the HTML of jobs, ranks and results for notebooks: without scripts, in the colours of the page around it."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import datetime
from html import escape
from typing import Any, cast

from . import _offline
from ._errors import Error, Invalid
from ._model import Model

MAX_ROWS = 100

# Text and background are those of the page; lines and marks are legible on white and on black.
STYLE = """<style>
.kftrain{color:inherit;background:transparent;overflow-x:auto}
.kftrain table{border-collapse:collapse;margin:.4em 0;color:inherit;background:transparent;font-size:inherit}
.kftrain tr,.kftrain tr:hover{background:transparent!important;color:inherit}
.kftrain th,.kftrain td{padding:.15em .8em .15em 0;text-align:left!important;vertical-align:top;color:inherit;border:0;\
border-bottom:1px solid rgba(128,128,128,.35);white-space:pre-wrap}
.kftrain th{font-weight:600}
.kftrain pre{margin:.3em 0;padding:.3em .6em;color:inherit;background:rgba(128,128,128,.14);white-space:pre-wrap}
.kftrain ul,.kftrain ol{margin:.3em 0;padding-left:1.6em}
.kftrain summary{cursor:pointer}
.kftrain small{opacity:.75}
.kftrain .good::before,.kftrain .bad::before,.kftrain .busy::before,.kftrain .idle::before{content:"\\25cf\\a0"}
.kftrain .good::before{color:#2e9e4f}
.kftrain .bad::before{color:#e5484d}
.kftrain .busy::before{color:#3b82f6}
.kftrain .idle::before{color:#8a8a8a}
</style>"""

MARKS = {
    "Succeeded": "good",
    "Failed": "bad",
    "Running": "busy",
    "Restarting": "busy",
    "passed": "good",
    "failed": "bad",
    "error": "bad",
}


def job_html(job: Model) -> str | None:
    """A job with its roles and conditions; None for a model that is no job."""
    if type(job)._type is None or type(job)._type.resource is None:
        return None
    try:
        phase = _offline.phase(job)
    except TypeError:
        return None
    return _document(_heading(job, phase), _roles(job), _conditions(job))


def jobs_html(jobs: Iterable[Model]) -> str:
    """A page of a list of jobs."""
    rows: list[dict[str, Any]] = []
    for job in jobs:
        metadata: Any = getattr(job, "metadata", None)
        rows.append(
            {
                "kind": type(job).__name__,
                "namespace": metadata.namespace,
                "name": metadata.name,
                "phase": _offline.phase(job),
                "created": metadata.creation_timestamp,
            }
        )
    return _document(_table(rows) or "no jobs")


def ranks_html(ranks: Sequence[_offline.Rank], hidden: Container[str]) -> str:
    """The replicas of a job with their addresses and environments, without the values of hidden variables."""
    rows: list[dict[str, Any]] = []
    for rank in ranks[:MAX_ROWS]:
        rows.append(
            {
                "rank": rank.rank,
                "role": rank.role,
                "index": rank.index,
                "pod": rank.pod,
                "address": rank.address,
                "environment": _Html("".join(_environment(*item, hidden) for item in rank.environment.items())),
            }
        )
    return _document(_table(rows, len(ranks)) or "no replicas")


def record_html(record: Mapping[str, Any]) -> str:
    """A result: an explanation and a plan in sentences, everything else as tables of its fields."""
    fields = dict(record)
    if {"exists", "effect"} <= fields.keys():
        return _document(*_plan(fields))
    if "step" in fields and "pod" in fields:
        return _document(_progress(fields))
    if isinstance(fields.get("job"), Mapping) and fields.keys() <= {"job", "causes", "missing"}:
        return _document(*_explanation(fields))
    return _document(_value(fields))


class _Html(str):
    """A text that is HTML already."""


def _document(*parts: str) -> str:
    return f'{STYLE}<div class="kftrain">{"".join(parts)}</div>'


def _mark(text: Any) -> str:
    return f'<span class="{MARKS.get(str(text), "idle")}">{escape(str(text))}</span>'


def _heading(job: Any, phase: str) -> str:
    metadata = job.metadata
    name = f"{metadata.namespace}/{metadata.name}" if metadata.namespace else metadata.name
    return f"<div><b>{escape(type(job).__name__)}</b> {escape(name)} {_mark(phase)}</div>"


def _roles(job: Model) -> str:
    try:
        ranks = _offline.ranks(job)
    except Invalid:
        issues = [{"rule": i.rule, "path": i.path, "message": i.message} for i in _offline.validate(job)]
        return "<div>The job violates rules of its kind:</div>" + _table(issues)
    except Error as error:  # its replicas are not computed, e.g. because another object describes them
        return f"<div><small>{escape(str(error))}</small></div>"
    roles: dict[str, list[_offline.Rank]] = {}
    for rank in ranks:
        roles.setdefault(rank.role, []).append(rank)
    rows: list[dict[str, Any]] = []
    for role, members in roles.items():
        known = [member.rank for member in members if member.rank is not None]
        span = f"{min(known)} to {max(known)}" if len(known) > 1 else "".join(map(str, known))
        rows.append({"role": role, "replicas": len(members), "ranks": span, "first address": members[0].address})
    return _table(rows)


def _conditions(job: Any) -> str:
    conditions = getattr(getattr(job, "status", None), "conditions", None) or ()
    rows = [
        {
            "condition": condition.type,
            "status": condition.status,
            "reason": condition.reason,
            "message": condition.message,
            "since": condition.last_transition_time,
        }
        for condition in conditions
        if hasattr(condition, "type")
    ]
    return _table(rows)


def _environment(container: str, variables: Mapping[str, str], hidden: Container[str]) -> str:
    text = "\n".join(name if name in hidden else f"{name}={value}" for name, value in variables.items())
    summary = f"{container}: {len(variables)} variable{'' if len(variables) == 1 else 's'}"
    return f"<details><summary>{escape(summary)}</summary><pre>{escape(text)}</pre></details>"


def _progress(fields: Mapping[str, Any]) -> str:
    """A bar with the steps, and the other fields."""
    step, total = int(fields["step"]), int(fields.get("total", 0))
    bar = f'<progress max="{total}" value="{min(step, total)}"></progress> ' if total else ""
    others = {name: value for name, value in fields.items() if name not in ("step", "total")}
    return f"<div>{bar}step {step}{f' of {total}' if total else ''}</div>{_value(others)}"


def _explanation(fields: Mapping[str, Any]) -> list[str]:
    job = fields["job"]
    name = "/".join(str(job[part]) for part in ("namespace", "name") if job.get(part))
    parts = [f"<div><b>{escape(str(job.get('kind', 'job')))}</b> {escape(name)} {_mark(job.get('phase', ''))}</div>"]
    if job.get("message"):
        parts.append(f"<div><small>{escape(str(job['message']))}</small></div>")
    items: list[str] = []
    for cause in fields.get("causes", ()):
        item = f"<b>{escape(str(cause.get('summary', '')))}</b>"
        if cause.get("advice"):
            item += f"<div>{escape(str(cause['advice']))}</div>"
        item += _value(cause.get("evidence") or None)
        if cause.get("log"):
            log = escape("\n".join(map(str, cause["log"])))
            item += f"<details open><summary>end of the log</summary><pre>{log}</pre></details>"
        items.append(f"<li>{item}</li>")
    parts.append(f"<ol>{''.join(items)}</ol>" if items else "<div>There is no known cause of a problem.</div>")
    if fields.get("missing"):
        parts.append(f"<div>Not readable:</div>{_value(fields['missing'])}")
    if job.get("ranks"):
        parts.append(f"<details><summary>ranks</summary>{_value(job['ranks'])}</details>")
    return parts


def _plan(fields: Mapping[str, Any]) -> list[str]:
    if fields["exists"]:
        first = f"The job exists. Effect of the change: <b>{escape(str(fields['effect']))}</b>"
    else:
        first = "The job does not exist. Submitting it creates the objects below."
    parts = [f"<div>{first}</div>"]
    for name, items in fields.items():
        if name not in ("exists", "effect"):
            parts.append(f"<div><b>{escape(_words(name))}</b></div>{_value(items)}")
    return parts


def _words(name: str) -> str:
    """The name of a field of JSON as words."""
    return re.sub(r"([A-Z])", lambda match: " " + match[1].lower(), name)


def _value(value: Any, name: str = "") -> str:
    if isinstance(value, _Html):
        return value
    if value is None:
        return ""
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, Any]", value).items()
        rows = "".join(f"<tr><th>{escape(_words(key))}</th><td>{_value(v, key)}</td></tr>" for key, v in fields)
        return f"<table>{rows}</table>"
    if isinstance(value, (list, tuple)):
        values = cast("Sequence[Any]", value)
        if values and all(isinstance(item, Mapping) for item in values):
            return _table(values)
        items = "".join(f"<li>{_value(item)}</li>" for item in values[:MAX_ROWS])
        return f"<ul>{items}</ul>" + _rest(len(values))
    if isinstance(value, datetime):
        return escape(value.isoformat(sep=" "))
    if name in ("phase", "verdict"):
        return _mark(value)
    text = escape(str(value))
    return re.sub(r"(?=[.\[])", "<wbr>", text) if name == "path" else text  # long ones may be broken


def _table(rows: Sequence[Mapping[str, Any]], count: int = 0) -> str:
    if not rows:
        return ""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    head = "".join(f"<th>{escape(_words(name))}</th>" for name in columns)
    body = "".join(
        f"<tr>{''.join(f'<td>{_value(row.get(name), name)}</td>' for name in columns)}</tr>" for row in rows[:MAX_ROWS]
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{_rest(count or len(rows))}"


def _rest(count: int) -> str:
    return f"<div><small>and {count - MAX_ROWS} more</small></div>" if count > MAX_ROWS else ""
