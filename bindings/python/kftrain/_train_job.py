"""The job that runs a function: `job_for`."""

from __future__ import annotations

import base64
import importlib
import json
import os
import re
import secrets
import shutil
import sys
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from . import _offline
from ._model import AnyModel

CALL_LIMIT = 512 * 1024
"""The largest function with arguments, packed, in bytes: the job must fit into the store of a cluster."""

_TEXT_LIMIT = 100_000  # Linux passes at most 128 KiB in a variable
_PROGRAM = (
    "import base64,os,zlib;"
    "exec(compile(zlib.decompress(base64.b64decode(os.environ.pop('KFTRAIN_PROGRAM'))),'<kftrain>','exec'))"
)
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"  # of containers that do not set it
_RANDOM_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


class Launch(NamedTuple):
    """How jobs of a kind run the same program in all ranks."""

    kind: str
    replicas: str
    container: str
    has_master: bool


LAUNCHES = (
    Launch("PyTorchJob", "pytorchReplicaSpecs", "pytorch", True),
    Launch("TFJob", "tfReplicaSpecs", "tensorflow", False),
    Launch("JAXJob", "jaxReplicaSpecs", "jax", False),
    Launch("XGBoostJob", "xgbReplicaSpecs", "xgboost", True),
    Launch("PaddleJob", "paddleReplicaSpecs", "paddle", False),
)


def launch_of(kind: str) -> Launch:
    for launch in LAUNCHES:
        if launch.kind.lower() == kind.lower():
            return launch
    accepted = ", ".join(launch.kind for launch in LAUNCHES)
    raise ValueError(f"train() cannot launch a function as {kind!r}, expected one of: {accepted}")


def name_for(function: Any) -> str:
    """Makes the name of a job: the name of the function and a random suffix."""
    base = re.sub(r"[^a-z0-9]+", "-", function.__name__.lower()).strip("-")[:30].rstrip("-")
    if not base[:1].isalpha():
        base = f"f-{base}".rstrip("-")
    return base + "-" + "".join(secrets.choice(_RANDOM_LETTERS) for _ in range(5))


def job_for(
    launch: Launch,
    name: str,
    namespace: str,
    call: Mapping[str, Any],
    *,
    image: str,
    python: str,
    env: Mapping[str, str],
    resources: Mapping[str, Any] | None,
    local: bool,
) -> AnyModel:
    """Makes the job. In a local one, the containers get the environment of this process."""
    command = [python, "-u", "-c", _PROGRAM]
    container: dict[str, Any] = {"name": launch.container, "image": image, "command": command}
    if resources:
        container["resources"] = dict(resources)
    variables = [*_call_variables(call), *({"name": n, "value": v} for n, v in env.items())]
    if local:
        container["workingDir"] = os.getcwd()
        # The operator sets variables of its own, which those of the caller must not replace.
        plain = _job(launch, name, namespace, call["workers"], {**container, "env": variables})
        taken = {n for rank in _offline.ranks(plain) for own in rank.environment.values() for n in own}
        variables = [*_variables_of_caller(taken | set(env)), *variables]
    made: AnyModel = _offline.job(_job(launch, name, namespace, call["workers"], {**container, "env": variables}))
    return made


def _job(
    launch: Launch, name: str, namespace: str, workers: int, container: Mapping[str, Any]
) -> dict[str, Any]:
    def replicas(number: int) -> dict[str, Any]:
        return {
            "replicas": number,
            "restartPolicy": "Never",
            "template": {"spec": {"containers": [dict(container)]}},
        }

    roles: dict[str, Any] = {}
    if launch.has_master:
        roles["Master"] = replicas(1)
    if workers > len(roles):
        roles["Worker"] = replicas(workers - len(roles))
    spec: dict[str, Any] = {"runPolicy": {"cleanPodPolicy": "None"}, launch.replicas: roles}
    if launch.kind == "TFJob":
        spec["successPolicy"] = "AllWorkers"
    meta = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": "kubeflow.org/v1", "kind": launch.kind, "metadata": meta, "spec": spec}


def check_replicas(launch: Launch, job: Any, workers: int) -> None:
    """Refuses roles and numbers of replicas that `edit` changed: `workers` determines them."""
    expected = {"Master": 1, "Worker": workers - 1} if launch.has_master else {"Worker": workers}
    found = Counter(rank.role for rank in _offline.ranks(job))
    for role in sorted({*expected, *found}):
        if role not in expected:
            raise ValueError(
                f"edit: spec.{launch.replicas}.{role}: expected only the roles {' and '.join(expected)}, got {role}"
            )
        if found[role] != expected[role]:
            raise ValueError(
                f"edit: spec.{launch.replicas}.{role}.replicas: expected {expected[role]}, got {found[role]}: "
                "set the number of ranks with workers"
            )


def check_name_lookup(job: AnyModel) -> None:
    """Refuses a job whose pods would wait for a name for ever, since the program that looks it up is not installed."""
    for rendered in _offline.render(job):
        containers = getattr(getattr(rendered, "spec", None), "init_containers", ())
        if any("nslookup" in word for container in containers for word in (*container.command, *container.args)):
            if shutil.which("nslookup", path=_PATH) is None:
                raise ValueError(
                    f"the workers of a {job.kind} run nslookup, which is not installed here: on Debian, install "
                    "bind9-dnsutils"
                )
            return


def _call_variables(call: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The program of a rank and its input."""
    yield {"name": "KFTRAIN_POD", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}
    yield {"name": "KFTRAIN_PROGRAM", "value": _packed(Path(__file__).with_name("_rank.py").read_bytes())}
    text = _packed(json.dumps(call).encode())
    if len(text) > CALL_LIMIT:
        raise ValueError(
            f"the function and its arguments have {len(text)} bytes when packed, expected at most {CALL_LIMIT}: "
            "load large data in the function"
        )
    for number, start in enumerate(range(0, len(text), _TEXT_LIMIT)):
        yield {"name": f"KFTRAIN_CALL_{number}", "value": text[start : start + _TEXT_LIMIT]}


def _packed(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 9)).decode()


def _variables_of_caller(taken: set[str]) -> Iterator[dict[str, Any]]:
    for name, value in os.environ.items():
        if name in taken or name == "HOSTNAME" or not re.fullmatch(r"[-._a-zA-Z][-._a-zA-Z0-9]*", name):
            continue
        if value.encode("utf-8", "replace") == os.fsencode(value):  # otherwise it is not text
            yield {"name": name, "value": value.replace("$", "$$")}  # a single one begins a reference


def check_installed(packages: Sequence[str]) -> None:
    """Refuses requirements that this environment does not fulfil."""
    missing = [text for text in packages if not _is_installed(text)]
    if missing:
        raise ValueError(
            f"packages: not installed here: {', '.join(missing)}; a local cluster uses the environment of "
            f"{sys.executable}, install them there"
        )


def _is_installed(requirement: str) -> bool:
    try:
        module: Any = importlib.import_module("packaging.requirements")
    except ImportError:
        if not re.fullmatch(r"\s*[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?\s*", requirement):
            raise ValueError(
                f"packages: expected the name of a package, got {requirement!r}: "
                "the package packaging, which is not installed, is needed to compare versions"
            ) from None
        return _version_of(requirement.strip()) is not None
    try:
        return _is_fulfilled(module.Requirement, module.Requirement(requirement), "")
    except module.InvalidRequirement:
        raise ValueError(f"packages: expected a requirement such as 'torch==2.4', got {requirement!r}") from None


def _is_fulfilled(parse: Any, wanted: Any, extra: str) -> bool:
    """Whether pip would install nothing. ``extra`` is that of the package which has the requirement."""
    if wanted.marker is not None and not wanted.marker.evaluate({"extra": extra}):
        return True
    if wanted.url is not None:
        raise ValueError(f"packages: expected a requirement with a version, got the URL {wanted.url}")
    version = _version_of(wanted.name)
    if version is None or not wanted.specifier.contains(version, prereleases=True):
        return False
    for name in wanted.extras:
        for text in metadata.requires(wanted.name) or ():
            further = parse(text)
            is_of_extra = further.marker is not None and not further.marker.evaluate({"extra": ""})
            if is_of_extra and not _is_fulfilled(parse, further, name):
                return False
    return True


def _version_of(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
