"""Jobs from a training function or an image."""

from __future__ import annotations

import ast
import builtins
import dis
import inspect
import logging
import textwrap
from collections.abc import Callable, Iterator, Mapping
from types import CodeType
from typing import Any, cast

from . import constants, models

logger = logging.getLogger("kftrain.kubeflow")


def template(
    kind: str,
    image: str | None,
    script: str | None,
    resources: Any,
    env_vars: Any,
    volumes: list[Any] | None,
    volume_mounts: list[Any] | None,
) -> models.V1PodTemplateSpec:
    """The template of the pods of all replicas."""
    env, env_from = _environment(env_vars)
    if isinstance(resources, Mapping):
        given = cast("Mapping[str, Any]", resources)
        named = {key.lower(): str(value) for key, value in given.items()}
        if "gpu" in named:
            named["nvidia.com/gpu"] = named.pop("gpu")
        resources = {"requests": named, "limits": named}
    container = models.V1Container(
        name=constants.JOB_PARAMETERS[kind]["container"],
        image=image or constants.JOB_PARAMETERS[kind]["base_image"],
        command=constants.DEFAULT_COMMAND if script is not None else None,
        args=[script] if script is not None else None,
        env=env,
        env_from=env_from,
        resources=resources,
        volume_mounts=volume_mounts,
    )
    return models.V1PodTemplateSpec(
        metadata={"annotations": {constants.ISTIO_SIDECAR_INJECTION: "false"}},
        spec={"containers": [container], "volumes": volumes},
    )


def _environment(env_vars: Any) -> tuple[list[Any], list[Any]]:
    """The variables, and the sources of variables."""
    if isinstance(env_vars, Mapping):
        given = cast("Mapping[str, Any]", env_vars)
        return [{"name": name, "value": value} for name, value in given.items()], []
    variables: list[Any] = []
    sources: list[Any] = []
    for item in cast("list[Any]", env_vars or []):
        (sources if hasattr(item, "config_map_ref") else variables).append(item)
    return variables, sources


def job(
    kind: str,
    metadata: Mapping[str, Any],
    template: models.V1PodTemplateSpec,
    num_workers: int,
    num_procs_per_worker: int | str | None,
    num_chief_replicas: int | None,
    num_ps_replicas: int | None,
) -> Any:
    """A job whose replicas all have the same template."""
    if kind == constants.TFJOB_KIND:
        if num_procs_per_worker is not None:
            raise ValueError("num_procs_per_worker: not allowed for a TFJob")
        roles = {"Chief": num_chief_replicas, "PS": num_ps_replicas, "Worker": num_workers}
        return models.KubeflowOrgV1TFJob(
            metadata=metadata, spec={"tf_replica_specs": _replicas(roles, template)}
        )
    if kind == constants.PYTORCHJOB_KIND:
        if num_chief_replicas is not None or num_ps_replicas is not None:
            raise ValueError("num_chief_replicas and num_ps_replicas: not allowed for a PyTorchJob")
        roles = {"Master": 1, "Worker": num_workers - 1 or None}  # the master is one of the workers
        job = models.KubeflowOrgV1PyTorchJob(
            metadata=metadata, spec={"pytorch_replica_specs": _replicas(roles, template)}
        )
        if num_procs_per_worker is not None:
            job.spec.nproc_per_node = str(num_procs_per_worker)
        return job
    raise ValueError(f"a {kind} cannot be created from a function or an image: pass job")


def _replicas(roles: Mapping[str, int | None], template: models.V1PodTemplateSpec) -> dict[str, Any]:
    return {
        role: {"replicas": replicas, "template": template} for role, replicas in roles.items() if replicas is not None
    }


def script_for(
    function: Callable[..., Any],
    entrypoint: str,
    parameters: Mapping[str, Any] | None,
    packages: list[str] | None,
    pip_index_url: str,
) -> str:
    """A shell script that installs the packages, writes the function to a file and runs it."""
    program = _program(function, parameters)
    end = "END_OF_PROGRAM"
    while end in program:
        end += "_"
    install = ""
    if packages is not None:
        listed = " ".join(_shell_word(word) for package in packages for word in _requirements(str(package)))
        install = (
            "command -v pip >/dev/null || python -m ensurepip || python -m ensurepip --user || exit\n"
            "PIP_DISABLE_PIP_VERSION_CHECK=1 python -m pip install --quiet --no-warn-script-location"
            f" --index-url {_shell_word(pip_index_url)} {listed} || exit\n"
        )
    # The quotes around the mark keep the shell from changing the program.
    return (
        f"{install}program=$(mktemp -d)/train.py || exit\ncat >\"$program\" <<'{end}'\n{program}{end}\n"
        f'exec {entrypoint} "$program"\n'
    )


def _requirements(package: str) -> list[str]:
    """One requirement, or several that are separated by spaces."""
    return [package] if ";" in package or " @ " in package else package.split()


def _shell_word(text: str) -> str:
    """Quotes a text, but lets variables such as tokens in URLs be replaced in the pod."""
    for character in '\\"`':
        text = text.replace(character, "\\" + character)
    return f'"{text}"'


def _program(function: Callable[..., Any], parameters: Mapping[str, Any] | None) -> str:
    if not inspect.isfunction(inspect.unwrap(function)):
        raise ValueError(f"train_func: expected a function, got {type(function).__name__}")
    _check_names(function)
    if function.__name__ == "<lambda>":
        name, source = "train_func", f"train_func = {_lambda_source(function)}\n"
    else:
        name, source = function.__name__, textwrap.dedent(inspect.getsource(function))
    arguments = "" if parameters is None else _literal(parameters)
    return f"{source}\n{name}({arguments})\n"


def _literal(parameters: Mapping[str, Any]) -> str:
    text = repr(parameters)
    try:
        names = {node.id for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name)}
    except SyntaxError:
        names = {text}
    unknown = sorted(names - set(dir(builtins)))
    if unknown:
        raise ValueError(f"parameters: expected values that can be written in Python source, got {unknown[0]}")
    return text


def _lambda_source(function: Callable[..., Any]) -> str:
    lines, _ = inspect.findsource(function)
    code = function.__code__
    found = [
        node
        for node in ast.walk(ast.parse("".join(lines)))
        if isinstance(node, ast.Lambda) and node.lineno == code.co_firstlineno
    ]
    if len(found) != 1:
        raise ValueError(f"train_func: expected one lambda in line {code.co_firstlineno}, got {len(found)}; use def")
    return ast.unparse(found[0])


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _check_names(function: Callable[..., Any]) -> None:
    """Only the source of the function is in the pod: refuses variables of an enclosing function, warns of others."""
    code = inspect.unwrap(function).__code__
    enclosing = sorted(set(code.co_freevars) - {function.__name__, "__class__"})
    if enclosing:
        raise ValueError(
            f"train_func: {function.__name__} uses {enclosing[0]!r} of the function around it, which the pod does not"
            " have; pass it in parameters"
        )
    used: set[str] = set()
    defined = {function.__name__, *dir(builtins)}
    for part in _codes(code):
        for instruction in dis.get_instructions(part):
            if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                used.add(instruction.argval)
            elif instruction.opname in ("STORE_GLOBAL", "STORE_NAME"):
                defined.add(instruction.argval)
    missing = sorted(used - defined)
    if missing:
        logger.warning(
            "train_func: %s uses names that it does not import or define: %s", function.__name__, ", ".join(missing)
        )
