"""Made by bindings/python/scripts/stubs.py from the tables of the library."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from .._model import Attribute, ListView, MapView, Model
from . import core, meta

class Job(Model):
    @property
    def api_version(self) -> str: ...
    @property
    def kind(self) -> str: ...
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    spec: Attribute[JobSpec, JobSpec | Mapping[str, Any] | None]
    status: Attribute[JobStatus, JobStatus | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: JobSpec | Mapping[str, Any] | None = ...,
        status: JobStatus | Mapping[str, Any] | None = ...,
    ) -> None: ...

class JobCondition(Model):
    type: Attribute[str, str | None]
    status: Attribute[str, str | None]
    last_probe_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    last_transition_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    reason: Attribute[str, str | None]
    message: Attribute[str, str | None]
    def __init__(
        self,
        *,
        type: str | None = ...,
        status: str | None = ...,
        last_probe_time: datetime.datetime | str | None = ...,
        last_transition_time: datetime.datetime | str | None = ...,
        reason: str | None = ...,
        message: str | None = ...,
    ) -> None: ...

class JobList(Model):
    @property
    def api_version(self) -> str: ...
    @property
    def kind(self) -> str: ...
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[Job], Sequence[Job | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[Job | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class JobSpec(Model):
    parallelism: Attribute[int | None, int | None]
    completions: Attribute[int | None, int | None]
    active_deadline_seconds: Attribute[int | None, int | None]
    pod_failure_policy: Attribute[PodFailurePolicy | None, PodFailurePolicy | Mapping[str, Any] | None]
    success_policy: Attribute[SuccessPolicy | None, SuccessPolicy | Mapping[str, Any] | None]
    backoff_limit: Attribute[int | None, int | None]
    backoff_limit_per_index: Attribute[int | None, int | None]
    max_failed_indexes: Attribute[int | None, int | None]
    selector: Attribute[meta.LabelSelector | None, meta.LabelSelector | Mapping[str, Any] | None]
    manual_selector: Attribute[bool | None, bool | None]
    template: Attribute[core.PodTemplateSpec, core.PodTemplateSpec | Mapping[str, Any] | None]
    ttl_seconds_after_finished: Attribute[int | None, int | None]
    completion_mode: Attribute[str | None, str | None]
    suspend: Attribute[bool | None, bool | None]
    pod_replacement_policy: Attribute[str | None, str | None]
    managed_by: Attribute[str | None, str | None]
    def __init__(
        self,
        *,
        parallelism: int | None = ...,
        completions: int | None = ...,
        active_deadline_seconds: int | None = ...,
        pod_failure_policy: PodFailurePolicy | Mapping[str, Any] | None = ...,
        success_policy: SuccessPolicy | Mapping[str, Any] | None = ...,
        backoff_limit: int | None = ...,
        backoff_limit_per_index: int | None = ...,
        max_failed_indexes: int | None = ...,
        selector: meta.LabelSelector | Mapping[str, Any] | None = ...,
        manual_selector: bool | None = ...,
        template: core.PodTemplateSpec | Mapping[str, Any] | None = ...,
        ttl_seconds_after_finished: int | None = ...,
        completion_mode: str | None = ...,
        suspend: bool | None = ...,
        pod_replacement_policy: str | None = ...,
        managed_by: str | None = ...,
    ) -> None: ...

class JobStatus(Model):
    conditions: Attribute[ListView[JobCondition], Sequence[JobCondition | Mapping[str, Any]] | None]
    start_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    completion_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    active: Attribute[int, int | None]
    succeeded: Attribute[int, int | None]
    failed: Attribute[int, int | None]
    terminating: Attribute[int | None, int | None]
    completed_indexes: Attribute[str, str | None]
    failed_indexes: Attribute[str | None, str | None]
    uncounted_terminated_pods: Attribute[UncountedTerminatedPods | None, UncountedTerminatedPods | Mapping[str, Any] | None]
    ready: Attribute[int | None, int | None]
    def __init__(
        self,
        *,
        conditions: Sequence[JobCondition | Mapping[str, Any]] | None = ...,
        start_time: datetime.datetime | str | None = ...,
        completion_time: datetime.datetime | str | None = ...,
        active: int | None = ...,
        succeeded: int | None = ...,
        failed: int | None = ...,
        terminating: int | None = ...,
        completed_indexes: str | None = ...,
        failed_indexes: str | None = ...,
        uncounted_terminated_pods: UncountedTerminatedPods | Mapping[str, Any] | None = ...,
        ready: int | None = ...,
    ) -> None: ...

class PodFailurePolicy(Model):
    rules: Attribute[ListView[PodFailurePolicyRule], Sequence[PodFailurePolicyRule | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        rules: Sequence[PodFailurePolicyRule | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class PodFailurePolicyOnExitCodesRequirement(Model):
    container_name: Attribute[str | None, str | None]
    operator: Attribute[str, str | None]
    values: Attribute[ListView[int], Sequence[int] | None]
    def __init__(
        self,
        *,
        container_name: str | None = ...,
        operator: str | None = ...,
        values: Sequence[int] | None = ...,
    ) -> None: ...

class PodFailurePolicyOnPodConditionsPattern(Model):
    type: Attribute[str, str | None]
    status: Attribute[str, str | None]
    def __init__(
        self,
        *,
        type: str | None = ...,
        status: str | None = ...,
    ) -> None: ...

class PodFailurePolicyRule(Model):
    action: Attribute[str, str | None]
    on_exit_codes: Attribute[PodFailurePolicyOnExitCodesRequirement | None, PodFailurePolicyOnExitCodesRequirement | Mapping[str, Any] | None]
    on_pod_conditions: Attribute[ListView[PodFailurePolicyOnPodConditionsPattern], Sequence[PodFailurePolicyOnPodConditionsPattern | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        action: str | None = ...,
        on_exit_codes: PodFailurePolicyOnExitCodesRequirement | Mapping[str, Any] | None = ...,
        on_pod_conditions: Sequence[PodFailurePolicyOnPodConditionsPattern | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class SuccessPolicy(Model):
    rules: Attribute[ListView[SuccessPolicyRule], Sequence[SuccessPolicyRule | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        rules: Sequence[SuccessPolicyRule | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class SuccessPolicyRule(Model):
    succeeded_indexes: Attribute[str | None, str | None]
    succeeded_count: Attribute[int | None, int | None]
    def __init__(
        self,
        *,
        succeeded_indexes: str | None = ...,
        succeeded_count: int | None = ...,
    ) -> None: ...

class UncountedTerminatedPods(Model):
    succeeded: Attribute[ListView[str], Sequence[str] | None]
    failed: Attribute[ListView[str], Sequence[str] | None]
    def __init__(
        self,
        *,
        succeeded: Sequence[str] | None = ...,
        failed: Sequence[str] | None = ...,
    ) -> None: ...
