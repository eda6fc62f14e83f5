"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any
from . import core, meta
from .._model import Attribute, ListView, Model

class Job(Model):
    """Pods that run until a number of them has succeeded."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """the name prefixes the names of the pods"""
    spec: Attribute[JobSpec, JobSpec | Mapping[str, Any] | None]
    """desired state"""
    status: Attribute[JobStatus, JobStatus | Mapping[str, Any] | None]
    """observed state, written by the controller"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: JobSpec | Mapping[str, Any] | None = ...,
        status: JobStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class JobCondition(Model):
    """An observation about a Job."""
    type: Attribute[str, str | None]
    """Complete, Failed, Suspended, FailureTarget or SuccessCriteriaMet"""
    status: Attribute[str, str | None]
    """True, False or Unknown"""
    last_probe_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """when the condition was last checked"""
    last_transition_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """when `status` last changed"""
    reason: Attribute[str, str | None]
    """reason of the last change, one word in CamelCase, e.g. `BackoffLimitExceeded`"""
    message: Attribute[str, str | None]
    """details of the last change, as text"""
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
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[Job], Sequence[Job | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[Job | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class JobSpec(Model):
    """The requested pods of a Job and the conditions of its end."""
    parallelism: Attribute[int | None, int | None]
    """pods at a time; absent means 1"""
    completions: Attribute[int | None, int | None]
    """absent: one success is enough, and the other pods run to their end"""
    active_deadline_seconds: Attribute[int | None, int | None]
    """Seconds from the start until the job fails; absent: no limit."""
    pod_failure_policy: Attribute[PodFailurePolicy | None, PodFailurePolicy | Mapping[str, Any] | None]
    """Reactions to failed pods; requires restartPolicy Never."""
    success_policy: Attribute[SuccessPolicy | None, SuccessPolicy | Mapping[str, Any] | None]
    """When an Indexed job succeeds early; absent: when it is complete."""
    backoff_limit: Attribute[int | None, int | None]
    """failed pods; absent means 6"""
    backoff_limit_per_index: Attribute[int | None, int | None]
    """the same for each index"""
    max_failed_indexes: Attribute[int | None, int | None]
    """More failed indexes fail the job; only with `backoff_limit_per_index`."""
    selector: Attribute[meta.LabelSelector | None, meta.LabelSelector | Mapping[str, Any] | None]
    """selects the pods; see `manual_selector`"""
    manual_selector: Attribute[bool | None, bool | None]
    """if true, `selector` is set by the author, otherwise by the server"""
    template: Attribute[core.PodTemplateSpec, core.PodTemplateSpec | Mapping[str, Any] | None]
    """every pod is made from it; its restartPolicy must be Never or OnFailure"""
    ttl_seconds_after_finished: Attribute[int | None, int | None]
    """time until the finished job is deleted; absent: never"""
    completion_mode: Attribute[str | None, str | None]
    """NonIndexed or Indexed; absent means NonIndexed"""
    suspend: Attribute[bool | None, bool | None]
    """if true, running pods are deleted and none are created; absent means false"""
    pod_replacement_policy: Attribute[str | None, str | None]
    """State of a pod when it is replaced: TerminatingOrFailed or Failed; absent means Failed if there is a pod failure
    policy, otherwise TerminatingOrFailed."""
    managed_by: Attribute[str | None, str | None]
    """absent or `kubernetes.io/job-controller`: Kubernetes itself"""
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
    """The observed state of a Job."""
    conditions: Attribute[ListView[JobCondition], Sequence[JobCondition | Mapping[str, Any]] | None]
    """at most one of each type"""
    start_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """Start of the current run: set again when the job is resumed; absent while it is suspended."""
    completion_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """when the job succeeded; absent for failed jobs"""
    active: Attribute[int, int | None]
    """pods that are neither finished nor being deleted"""
    succeeded: Attribute[int, int | None]
    """pods that succeeded so far"""
    failed: Attribute[int, int | None]
    """pods that failed so far"""
    terminating: Attribute[int | None, int | None]
    """pods that are being deleted"""
    completed_indexes: Attribute[str, str | None]
    """e.g. `1,3-5`"""
    failed_indexes: Attribute[str | None, str | None]
    """e.g. `1,3-5`"""
    uncounted_terminated_pods: Attribute[UncountedTerminatedPods | None, UncountedTerminatedPods | Mapping[str, Any] | None]
    """Finished pods that are not yet in `succeeded` and `failed`."""
    ready: Attribute[int | None, int | None]
    """active pods that are ready"""
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

class JobTemplateSpec(Model):
    """The template of Jobs that another object creates."""
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """labels and annotations of the Jobs"""
    spec: Attribute[JobSpec, JobSpec | Mapping[str, Any] | None]
    """desired state of the Jobs"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: JobSpec | Mapping[str, Any] | None = ...,
    ) -> None: ...

class PodFailurePolicy(Model):
    """The first rule that matches a failed pod applies; without one the failure counts."""
    rules: Attribute[ListView[PodFailurePolicyRule], Sequence[PodFailurePolicyRule | Mapping[str, Any]] | None]
    """evaluated in order; at most 20"""
    def __init__(
        self,
        *,
        rules: Sequence[PodFailurePolicyRule | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class PodFailurePolicyOnExitCodesRequirement(Model):
    """Holds if a failed container has such an exit code."""
    container_name: Attribute[str | None, str | None]
    """absent: any container"""
    operator: Attribute[str, str | None]
    """In or NotIn"""
    values: Attribute[ListView[int], Sequence[int] | None]
    """1 to 255 exit codes in ascending order; 0 is rejected for In"""
    def __init__(
        self,
        *,
        container_name: str | None = ...,
        operator: str | None = ...,
        values: Sequence[int] | None = ...,
    ) -> None: ...

class PodFailurePolicyOnPodConditionsPattern(Model):
    """A condition of the failed pod."""
    type: Attribute[str, str | None]
    """type of the condition, e.g. `DisruptionTarget`"""
    status: Attribute[str, str | None]
    """True (also if empty), False or Unknown"""
    def __init__(
        self,
        *,
        type: str | None = ...,
        status: str | None = ...,
    ) -> None: ...

class PodFailurePolicyRule(Model):
    """Exactly one of the two requirements is set."""
    action: Attribute[str, str | None]
    """FailJob, FailIndex, Ignore or Count"""
    on_exit_codes: Attribute[PodFailurePolicyOnExitCodesRequirement | None, PodFailurePolicyOnExitCodesRequirement | Mapping[str, Any] | None]
    """holds for these exit codes"""
    on_pod_conditions: Attribute[ListView[PodFailurePolicyOnPodConditionsPattern], Sequence[PodFailurePolicyOnPodConditionsPattern | Mapping[str, Any]] | None]
    """Holds if the pod has one of these conditions."""
    def __init__(
        self,
        *,
        action: str | None = ...,
        on_exit_codes: PodFailurePolicyOnExitCodesRequirement | Mapping[str, Any] | None = ...,
        on_pod_conditions: Sequence[PodFailurePolicyOnPodConditionsPattern | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class SuccessPolicy(Model):
    """The job succeeds when one of the rules holds."""
    rules: Attribute[ListView[SuccessPolicyRule], Sequence[SuccessPolicyRule | Mapping[str, Any]] | None]
    """evaluated in order; at most 20"""
    def __init__(
        self,
        *,
        rules: Sequence[SuccessPolicyRule | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class SuccessPolicyRule(Model):
    """Holds if this number of these indexes has succeeded."""
    succeeded_indexes: Attribute[str | None, str | None]
    """e.g. `1,3-5`; absent: all"""
    succeeded_count: Attribute[int | None, int | None]
    """absent: all of the indexes"""
    def __init__(
        self,
        *,
        succeeded_indexes: str | None = ...,
        succeeded_count: int | None = ...,
    ) -> None: ...

class UncountedTerminatedPods(Model):
    """Finished pods that are not yet in the counts, by uid."""
    succeeded: Attribute[ListView[str], Sequence[str] | None]
    """uids of succeeded pods"""
    failed: Attribute[ListView[str], Sequence[str] | None]
    """uids of failed pods"""
    def __init__(
        self,
        *,
        succeeded: Sequence[str] | None = ...,
        failed: Sequence[str] | None = ...,
    ) -> None: ...
