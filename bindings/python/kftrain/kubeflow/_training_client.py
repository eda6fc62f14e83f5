"""The client of the ``kubeflow-training`` package."""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Optional, Union, cast
from urllib.parse import urlencode

from .. import _errors, _offline
from .._client import Client
from .._convert import plain_json
from .._shared import JobReference
from ..models.core import Pod
from . import _configuration, _new_job, constants, models
from ._arguments import check_kind, failures, job_model, kind_of, labels_of, name_of, segment
from ._follow import states_of
from .constants import DEFAULT_PIP_INDEX_URL, DEFAULT_TIMEOUT, JOB_PARAMETERS

logger = logging.getLogger("kftrain.kubeflow")

Job = constants.JOB_MODELS_TYPE
JobArgument = Union[Job, Mapping[str, Any], Any]
"""A model of kftrain, of ``kubeflow.training``, or a dict in the form of the server."""
EnvVars = Union[Mapping[str, str], list[Any], None]


class TrainingClient:
    """Creates and follows training jobs of the six Kubeflow kinds, with the methods of ``kubeflow.training``.

    All methods raise ValueError for invalid arguments, TimeoutError when a time limit passes, and RuntimeError for
    other failures; the exception of kftrain is its ``__cause__``. ``namespace`` and ``job_kind`` of a method are by
    default those of the client; ``timeout`` is the time limit of a request in seconds.

    Args:
        config_file: The kubeconfig; None: what kubectl reads, and in a pod its service account.
        context: The context of the kubeconfig; None: its current context.
        client_configuration: A ``kubernetes.client.Configuration`` to use in place of a kubeconfig.
        namespace: None: the namespace of the context or of the service account.
        job_kind: ``PyTorchJob``, ``TFJob``, ``XGBoostJob``, ``MPIJob``, ``PaddleJob`` or ``JAXJob``.
    """

    def __init__(
        self,
        config_file: str | None = None,
        context: str | None = None,
        client_configuration: Any = None,
        namespace: str | None = None,
        job_kind: str = constants.PYTORCHJOB_KIND,
    ) -> None:
        check_kind(job_kind)
        self.job_kind = job_kind
        self._configuration = client_configuration
        self._authorization = ""
        if client_configuration is None:
            file = None if config_file is None else os.path.expanduser(config_file)
            self._open_client = Client(file, context, namespace)
        else:
            self._open_client = _configuration.open_client(client_configuration, namespace)
            self._authorization = _configuration.authorization_of(client_configuration)
        self.namespace = namespace or self._open_client.namespace

    @property
    def _client(self) -> Client:
        if self._configuration is not None:
            authorization = _configuration.authorization_of(self._configuration)
            if authorization != self._authorization:  # a token was renewed
                self._open_client = _configuration.open_client(self._configuration, self.namespace)
                self._authorization = authorization
        return self._open_client

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            hint = "; use kftrain.Client().api(...)" if name in ("api_client", "core_api", "custom_api") else ""
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{hint}")

    def train(
        self,
        name: str,
        namespace: str | None = None,
        labels: Mapping[str, str] | None = None,
        annotations: Mapping[str, str] | None = None,
        num_workers: int = 1,
        num_procs_per_worker: int = 1,
        resources_per_worker: Any = None,
        model_provider_parameters: Any = None,
        dataset_provider_parameters: Any = None,
        trainer_parameters: Any = None,
        init_env_vars: EnvVars = None,
        env_vars: EnvVars = None,
        storage_config: Any = None,
        queue_name: str | None = None,
    ) -> None:
        """Not supported: raises NotImplementedError."""
        raise NotImplementedError(
            "train() fine-tunes models with images of the Kubeflow project, which kftrain does not have: call"
            " create_job(train_func=...) or kftrain.train() with a function that loads model and data, or use"
            " kubeflow-training for this call"
        )

    def create_job(
        self,
        job: JobArgument = None,
        name: str | None = None,
        namespace: str | None = None,
        labels: Mapping[str, str] | None = None,
        annotations: Mapping[str, str] | None = None,
        job_kind: str | None = None,
        base_image: str | None = None,
        train_func: Callable[..., Any] | None = None,
        parameters: Mapping[str, Any] | None = None,
        num_workers: int | None = 1,
        num_procs_per_worker: int | str | None = None,
        resources_per_worker: Any = None,
        num_chief_replicas: int | None = None,
        num_ps_replicas: int | None = None,
        packages_to_install: list[str] | None = None,
        pip_index_url: str = DEFAULT_PIP_INDEX_URL,
        env_vars: EnvVars = None,
        queue_name: str | None = None,
        volumes: list[Any] | None = None,
        volume_mounts: list[Any] | None = None,
    ) -> None:
        """Creates a job from an object, from a training function, or from an image.

        Args:
            job: An object; then only ``namespace``, ``labels``, ``annotations`` and ``queue_name`` are allowed, too.
            name: The name of the job; required without ``job``.
            labels: Labels of the job.
            annotations: Annotations of the job.
            base_image: The image of all replicas; None: the default image of the kind.
            train_func: A function whose source is run by all replicas. Everything that it uses must be defined or
                imported in it.
            parameters: The only argument of the function, of values that can be written in Python source.
            num_workers: The number of replicas. In a PyTorchJob the first one is the master.
            num_procs_per_worker: The processes per replica of a PyTorchJob, or ``auto``.
            resources_per_worker: A dict with ``cpu``, ``memory``, ``gpu`` and other resources, used as requests and
                limits, or a ``V1ResourceRequirements``.
            num_chief_replicas: Chiefs of a TFJob.
            num_ps_replicas: Parameter servers of a TFJob.
            packages_to_install: Requirements that pip installs before the function runs.
            pip_index_url: The package index for these packages.
            env_vars: A dict, or a list of ``V1EnvVar``, ``V1EnvFromSource`` and dicts.
            queue_name: The local queue of Kueue. If it does not exist, a warning is logged.
            volumes: The volumes of the pods, as many as ``volume_mounts``.
            volume_mounts: Where containers mount them.
        """
        if job is not None:
            only_without_job = {
                "name": name,
                "job_kind": job_kind,
                "base_image": base_image,
                "train_func": train_func,
                "parameters": parameters,
                "num_procs_per_worker": num_procs_per_worker,
                "resources_per_worker": resources_per_worker,
                "num_chief_replicas": num_chief_replicas,
                "num_ps_replicas": num_ps_replicas,
                "packages_to_install": packages_to_install,
                "env_vars": env_vars,
                "volumes": volumes,
                "volume_mounts": volume_mounts,
            }
            for argument, value in only_without_job.items():
                if value is not None:
                    raise ValueError(f"{argument}: not allowed together with job")
            created = job_model(job).copy()
            created.metadata.labels.update(labels or {})
            created.metadata.annotations.update(annotations or {})
        else:
            kind = job_kind or self.job_kind
            check_kind(kind)
            if len(volumes or []) != len(volume_mounts or []):
                raise ValueError(
                    f"expected as many volumes as volume_mounts, got {len(volumes or [])} and"
                    f" {len(volume_mounts or [])}"
                )
            if train_func is None and base_image is None:
                raise ValueError("expected job, train_func or base_image")
            if name is None:
                raise ValueError("expected a name for the job")
            if num_workers is not None and not hasattr(num_workers, "__index__"):
                raise TypeError(f"num_workers: expected an int, got {num_workers!r}")
            if num_workers is None or num_workers < 1:
                raise ValueError(f"num_workers: expected at least 1, got {num_workers}")
            script = None
            if train_func is not None:
                uses_torchrun = kind == constants.PYTORCHJOB_KIND and (
                    num_workers > 1 or num_procs_per_worker is not None
                )
                entrypoint = constants.ENTRYPOINT_TORCH if uses_torchrun else constants.ENTRYPOINT_PYTHON
                script = _new_job.script_for(train_func, entrypoint, parameters, packages_to_install, pip_index_url)
            template = _new_job.template(
                kind, base_image, script, resources_per_worker, env_vars, volumes, volume_mounts
            )
            metadata = {"name": name, "labels": labels, "annotations": annotations}
            created = _new_job.job(
                kind, metadata, template, num_workers, num_procs_per_worker, num_chief_replicas, num_ps_replicas
            )

        with failures(f"creating {created.kind} {created.metadata.name}"):
            if namespace and created.metadata.namespace not in ("", namespace):
                raise RuntimeError(
                    f"the job has the namespace {created.metadata.namespace!r}, but namespace is {namespace!r}"
                )
            created.metadata.namespace = created.metadata.namespace or namespace or self.namespace
            if queue_name and queue_name.strip():
                self._check_queue(queue_name, created.metadata.namespace)
                created.metadata.labels[constants.LOCAL_QUEUE_LABEL] = queue_name
            self._client.submit(created)
        logger.debug("created %s %s/%s", created.kind, created.metadata.namespace, created.metadata.name)

    def _check_queue(self, name: str, namespace: str) -> None:
        target = f"/apis/kueue.x-k8s.io/v1beta1/namespaces/{segment(namespace)}/localqueues/{segment(name)}"
        try:
            self._raw("GET", target)
        except _errors.Error as error:
            if error.status == 500:
                raise ConnectionError("Kueue does not respond") from error
            logger.warning("the queue %s/%s was not read: %s", namespace, name, error)

    def get_job(
        self,
        name: str,
        namespace: str | None = None,
        job_kind: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> Job:
        """Reads a job."""
        reference = self._reference(name, namespace, job_kind)
        with failures(f"reading {name_of(reference)}"):
            return cast(Job, self._client.get(reference, timeout=timeout))

    def list_jobs(
        self,
        namespace: str | None = None,
        job_kind: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> list[Job]:
        """Reads all jobs of a kind in a namespace. Jobs that do not fit their kind are logged and left out."""
        reference = self._reference("", namespace, job_kind)
        with failures(f"listing {kind_of(reference)} in {reference.namespace}"):
            page = self._client.list([reference.kind], namespace=reference.namespace, timeout=timeout)
        for text in page.unread:
            logger.warning("a job was not read: %s", text)
        return list(cast("list[Job]", page))

    def get_job_conditions(
        self,
        name: str | None = None,
        namespace: str | None = None,
        job_kind: str | None = None,
        job: JobArgument = None,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> list[models.V1JobCondition]:
        """Returns the conditions of a job, either of an object or of the stored job with this name."""
        if job_kind is not None:
            check_kind(job_kind)
        if job is None:
            if name is None:
                raise ValueError("expected name or job")
            job = self.get_job(name, namespace, job_kind, timeout)
        else:
            job = job_model(job, allow_unknown=True)
        found = cast(Any, job)
        if job_kind is not None and found.kind != job_kind:
            raise ValueError(f"expected a {job_kind}, got a {found.kind}")
        return list(found.status.conditions)

    def _has_condition(self, condition: str, *arguments: Any) -> bool:
        return _holds(self.get_job_conditions(*arguments), condition)

    def is_job_created(
        self,
        name: str | None = None,
        namespace: str | None = None,
        job_kind: str | None = None,
        job: JobArgument = None,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> bool:
        """Whether the condition Created is True."""
        return self._has_condition(constants.JOB_CONDITION_CREATED, name, namespace, job_kind, job, timeout)

    def is_job_running(
        self,
        name: str | None = None,
        namespace: str | None = None,
        job_kind: str | None = None,
        job: JobArgument = None,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> bool:
        """Whether the condition Running is True."""
        return self._has_condition(constants.JOB_CONDITION_RUNNING, name, namespace, job_kind, job, timeout)

    def is_job_restarting(
        self,
        name: str | None = None,
        namespace: str | None = None,
        job_kind: str | None = None,
        job: JobArgument = None,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> bool:
        """Whether the condition Restarting is True."""
        return self._has_condition(constants.JOB_CONDITION_RESTARTING, name, namespace, job_kind, job, timeout)

    def is_job_succeeded(
        self,
        name: str | None = None,
        namespace: str | None = None,
        job_kind: str | None = None,
        job: JobArgument = None,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> bool:
        """Whether the condition Succeeded is True."""
        return self._has_condition(constants.JOB_CONDITION_SUCCEEDED, name, namespace, job_kind, job, timeout)

    def is_job_failed(
        self,
        name: str | None = None,
        namespace: str | None = None,
        job_kind: str | None = None,
        job: JobArgument = None,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> bool:
        """Whether the condition Failed is True."""
        return self._has_condition(constants.JOB_CONDITION_FAILED, name, namespace, job_kind, job, timeout)

    def wait_for_job_conditions(
        self,
        name: str,
        namespace: str | None = None,
        job_kind: str | None = None,
        expected_conditions: set[str] = {constants.JOB_CONDITION_SUCCEEDED},  # noqa: B006
        wait_timeout: float = 600,
        polling_interval: float = 15,
        callback: Callable[[Job], Any] | None = None,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> Job:
        """Waits until one of the conditions is True, and returns the job. Watches the job and does not poll.

        Raises RuntimeError if the job does not exist or is deleted, and as soon as it is finished with none of the
        conditions.

        Args:
            expected_conditions: Of Created, Running, Restarting, Succeeded and Failed.
            wait_timeout: The time limit in seconds.
            polling_interval: Ignored.
            callback: Called with the job at the beginning and after each change of its status.
        """
        expected = set(expected_conditions)
        if not expected <= constants.JOB_CONDITIONS:
            raise ValueError(
                f"expected_conditions: expected some of {', '.join(sorted(constants.JOB_CONDITIONS))},"
                f" got {', '.join(sorted(map(str, expected)))}"
            )
        reference = self._reference(name, namespace, job_kind)
        what = name_of(reference)
        with failures(f"waiting for {what}"):
            if wait_timeout <= 0:
                raise TimeoutError(f"waiting for {what}: no time")
            for state in self._states(reference, wait_timeout):
                if callback is not None:
                    callback(state)
                found = _expected(state, expected)
                if found is not None:
                    return found
        raise RuntimeError(f"{what} is no longer watched")

    def _states(self, reference: JobReference, limit: float) -> Iterator[Job]:
        """The job now, and after each change, without end."""
        kind = f"{constants.API_VERSION}/{kind_of(reference)}"
        try:
            yield from states_of(self._client, reference, kind, limit)
        except _errors.Forbidden:  # to list the jobs of the namespace
            yield from self._changes(reference, limit)
        except _errors.NotFound as error:
            raise RuntimeError(f"{name_of(reference)} does not exist or was deleted") from error

    def _changes(self, reference: JobReference, limit: float) -> Iterator[Job]:
        """The same from a watch of this job alone."""
        deadline = time.monotonic() + limit
        job = cast(Job, self._client.get(reference, timeout=limit))
        yield job
        with self._client.watch(reference, pods=False) as changes:
            while True:
                change = changes.next(timeout=max(deadline - time.monotonic(), 0.001))
                if change.change == "deleted":
                    raise RuntimeError(f"{name_of(reference)} was deleted")
                if change.resource_version != job.metadata.resource_version:
                    job = cast(Job, self._client.get(reference, timeout=max(deadline - time.monotonic(), 0.001)))
                    yield job

    def get_job_pods(
        self,
        name: str,
        namespace: str | None = None,
        is_master: bool = False,
        replica_type: str | None = None,
        replica_index: int | None = None,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> list[Pod]:
        """Reads the pods of a job.

        Args:
            is_master: Only the pod with the label ``training.kubeflow.org/job-role=master``.
            replica_type: A role in lower case: ``master``, ``worker``, ``chief``, ``ps`` or ``launcher``.
            replica_index: Only the replica with this index.
        """
        labels = labels_of(name, is_master, replica_type, replica_index)
        namespace = namespace or self.namespace
        selector = ",".join(f"{label}={value}" for label, value in labels.items())
        with failures(f"listing the pods of {namespace}/{name}"):
            return self._pods(namespace, selector, timeout)

    def get_job_pod_names(
        self,
        name: str,
        namespace: str | None = None,
        is_master: bool = False,
        replica_type: str | None = None,
        replica_index: int | None = None,
        timeout: float = DEFAULT_TIMEOUT,
    ) -> list[str]:
        """Returns the names of the pods that `get_job_pods` returns."""
        pods = self.get_job_pods(name, namespace, is_master, replica_type, replica_index, timeout)
        return [pod.metadata.name for pod in pods]

    def get_job_logs(
        self,
        name: str,
        namespace: str | None = None,
        job_kind: str | None = None,
        is_master: bool = True,
        replica_type: str | None = None,
        replica_index: int | None = None,
        follow: bool = False,
        timeout: float = DEFAULT_TIMEOUT,
        verbose: bool = False,
    ) -> tuple[dict[str, str], dict[str, list[str]]]:
        """Returns the output of pods by name, and with ``verbose`` the events of the job and of these pods.

        Args:
            is_master: Only the pod with the label ``training.kubeflow.org/job-role=master``.
            replica_type: A role in lower case, as in `get_job_pods`.
            replica_index: Only the replica with this index.
            follow: Print lines as they come, until the job is finished. Pods that start later are followed, too.
            verbose: Read events.
        """
        reference = self._reference(name, namespace, job_kind)
        kind = job_kind or self.job_kind
        labels = labels_of(name, is_master, replica_type, replica_index)
        logs: dict[str, str] = {}
        pods: list[Any] = []
        with failures(f"reading the logs of {name_of(reference)}"):
            if follow:
                self._follow_logs(reference, labels, JOB_PARAMETERS[kind]["container"], logs)
            if not follow or verbose:
                pods += self.get_job_pods(
                    name, reference.namespace, is_master, replica_type, replica_index, timeout
                )
            if not follow:
                for pod in pods:
                    if pod.status.phase != constants.POD_PHASE_PENDING:
                        query = urlencode({"container": JOB_PARAMETERS[kind]["container"]})
                        path = f"/api/v1/namespaces/{segment(reference.namespace)}/pods/{segment(pod.metadata.name)}"
                        logs[pod.metadata.name] = self._raw("GET", f"{path}/log?{query}", timeout=timeout)
            events: dict[str, list[str]] = {}
            if verbose:
                wanted = {(kind, name), *((constants.POD_KIND, pod.metadata.name) for pod in pods)}
                for event in self._client.events(reference, timeout=timeout):
                    if (event.object_kind, event.object_name) in wanted:
                        when = (event.first or event.last or "")[:19].replace("T", " ")
                        key = f"{event.object_kind.lower()}/{event.object_name}"
                        events.setdefault(key, []).append(f"{when} {event.message}")
        return logs, events

    def _follow_logs(
        self, reference: JobReference, labels: Mapping[str, str], container: str, logs: dict[str, str]
    ) -> None:
        try:
            job = self._client.get(reference)
        except _errors.NotFound:
            return
        # Which replicas have the labels is known before their pods exist.
        pods = {
            pod.metadata.name
            for pod in _offline.render(job)
            if isinstance(pod, Pod) and all(pod.metadata.labels.get(name) == value for name, value in labels.items())
        }
        members = [member for member in _offline.ranks(job) if member.pod in pods]
        if not members:
            return
        roles = sorted({member.role for member in members})
        ranks = [member.rank for member in members if member.rank is not None]
        if len(ranks) != len(members):
            ranks = []  # all of these roles
        lines: dict[str, list[str]] = {}
        try:
            for line in self._client.logs(job, roles=roles, ranks=ranks, containers=[container]):
                if line.pod in pods:
                    print(f"[Pod {line.pod}]: {line.text}")
                    lines.setdefault(line.pod, []).append(line.text + "\n")
        except (_errors.Incomplete, _errors.Deleted, _errors.NotFound) as error:
            logger.warning("the output is not complete: %s", error)
        logs.update((pod, "".join(parts)) for pod, parts in lines.items())

    def update_job(
        self,
        job: JobArgument,
        name: str,
        namespace: str | None = None,
        job_kind: str | None = None,
    ) -> None:
        """Changes the fields of the stored job that ``job`` has. A dict is a JSON merge patch, a list a JSON patch."""
        reference = self._reference(name, namespace, job_kind)
        with failures(f"updating {name_of(reference)}"):
            is_patch = isinstance(job, (Mapping, list))
            self._client.patch(reference, cast(Any, job) if is_patch else job_model(job))
        logger.debug("updated %s", name_of(reference))

    def delete_job(
        self,
        name: str,
        namespace: str | None = None,
        job_kind: str | None = None,
        delete_options: Any = None,
    ) -> None:
        """Deletes a job, with the options of a ``V1DeleteOptions`` or a dict."""
        namespace = namespace or self.namespace
        kind = job_kind or self.job_kind
        with failures(f"deleting {kind} {namespace}/{name}"):
            if kind not in JOB_PARAMETERS:
                raise RuntimeError(f"unknown kind {kind!r}")
            plural = JOB_PARAMETERS[kind]["plural"]
            path = f"/apis/{constants.API_VERSION}/namespaces/{segment(namespace)}/{plural}/{segment(name)}"
            self._raw("DELETE", path, "" if delete_options is None else json.dumps(plain_json(delete_options)))
        logger.debug("deleted %s %s/%s", kind, namespace, name)

    def _reference(self, name: str, namespace: str | None, job_kind: str | None) -> JobReference:
        kind = job_kind or self.job_kind
        check_kind(kind)
        return JobReference(f"{kind}.v1.kubeflow.org", name, namespace or self.namespace)

    def _raw(self, method: str, target: str, body: str = "", timeout: float = DEFAULT_TIMEOUT) -> str:
        client = self._client
        call = client._core.raw(method, target, "application/json" if body else "", body, timeout=timeout)
        return str(client._wait(call))

    def _pods(self, namespace: str, selector: str, timeout: float) -> list[Pod]:
        return list(self._client.api(Pod, namespace=namespace).list(label_selector=selector, timeout=timeout))


def _holds(conditions: Any, type_: str) -> bool:
    return any(c.type == type_ and c.status == constants.CONDITION_STATUS_TRUE for c in conditions)


def _expected(job: Job, expected: set[str]) -> Optional[Job]:
    """The job, if one of the conditions is True; None, if one still may become True."""
    conditions = job.status.conditions
    logger.debug("%s %s: %s", job.kind, job.metadata.name, conditions[-1].type if conditions else "no conditions")
    failed = [c for c in conditions if c.type == constants.JOB_CONDITION_FAILED and c.status == "True"]
    if failed and constants.JOB_CONDITION_FAILED not in expected:
        raise RuntimeError(f"{job.kind} {job.metadata.name} failed: {failed[0].message}")
    if any(_holds(conditions, condition) for condition in expected):
        return job
    if failed or _holds(conditions, constants.JOB_CONDITION_SUCCEEDED):
        _never(f"{job.kind} {job.metadata.name}", job)
    return None


def _never(what: str, job: Any) -> Job:
    raise RuntimeError(f"{what} is {_offline.phase(job)}: none of the conditions can become True any more")
