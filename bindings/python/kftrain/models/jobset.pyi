"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""

from collections.abc import Mapping, Sequence
from typing import Any
from . import batch, core, meta
from .._model import Attribute, ListView, Model

class Coordinator(Model):
    """The pod whose address all Jobs and pods carry as a label and an annotation."""
    replicated_job: Attribute[str, str | None]
    """name of its entry"""
    job_index: Attribute[int, int | None]
    """index of its Job"""
    pod_index: Attribute[int, int | None]
    """its completion index"""
    def __init__(
        self,
        *,
        replicated_job: str | None = ...,
        job_index: int | None = ...,
        pod_index: int | None = ...,
    ) -> None: ...

class DependsOn(Model):
    """An earlier entry of the list that must reach a state before the Jobs of this one are created."""
    name: Attribute[str, str | None]
    """name of the earlier entry"""
    status: Attribute[str, str | None]
    """Ready or Complete"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        status: str | None = ...,
    ) -> None: ...

class FailurePolicy(Model):
    """Consequences of the failure of a Job. Without a policy, the set fails."""
    max_restarts: Attribute[int, int | None]
    """restarts after which the next failure fails the set"""
    restart_strategy: Attribute[str, str | None]
    """Recreate (also if empty), BlockingRecreate or InPlaceRestart"""
    rules: Attribute[ListView[FailurePolicyRule], Sequence[FailurePolicyRule | Mapping[str, Any]] | None]
    """the first that matches applies; if none does, the set restarts"""
    def __init__(
        self,
        *,
        max_restarts: int | None = ...,
        restart_strategy: str | None = ...,
        rules: Sequence[FailurePolicyRule | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class FailurePolicyRule(Model):
    """The reaction to a failed Job."""
    name: Attribute[str, str | None]
    """empty: `failurePolicyRule` and the index of the rule"""
    action: Attribute[str, str | None]
    """FailJobSet, RestartJobSet, RestartJobSetAndIgnoreMaxRestarts, RestartJob or RestartJobAndIgnoreMaxRestarts."""
    on_job_failure_reasons: Attribute[ListView[str], Sequence[str] | None]
    """reasons of the failed Job; empty: any"""
    on_job_failure_message_patterns: Attribute[ListView[str], Sequence[str] | None]
    """regular expressions for its message; empty: any"""
    target_replicated_jobs: Attribute[ListView[str], Sequence[str] | None]
    """entries to which the rule applies; empty: all"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        action: str | None = ...,
        on_job_failure_reasons: Sequence[str] | None = ...,
        on_job_failure_message_patterns: Sequence[str] | None = ...,
        target_replicated_jobs: Sequence[str] | None = ...,
    ) -> None: ...

class JobSet(Model):
    """A set of Jobs."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """the name prefixes the names of the Jobs"""
    spec: Attribute[JobSetSpec, JobSetSpec | Mapping[str, Any] | None]
    """desired state"""
    status: Attribute[JobSetStatus, JobSetStatus | Mapping[str, Any] | None]
    """observed state, written by the controller"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: JobSetSpec | Mapping[str, Any] | None = ...,
        status: JobSetStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class JobSetList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[JobSet], Sequence[JobSet | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[JobSet | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class JobSetSpec(Model):
    """The requested Jobs and the conditions of their common end."""
    replicated_jobs: Attribute[ListView[ReplicatedJob], Sequence[ReplicatedJob | Mapping[str, Any]] | None]
    """the Jobs, by entries of unique names"""
    network: Attribute[Network | None, Network | Mapping[str, Any] | None]
    """absent: the defaults of its fields"""
    success_policy: Attribute[SuccessPolicy | None, SuccessPolicy | Mapping[str, Any] | None]
    """absent: all Jobs must succeed"""
    failure_policy: Attribute[FailurePolicy | None, FailurePolicy | Mapping[str, Any] | None]
    """absent: a failed Job fails the set"""
    startup_policy: Attribute[StartupPolicy | None, StartupPolicy | Mapping[str, Any] | None]
    """absent: any order"""
    suspend: Attribute[bool | None, bool | None]
    """if true, the Jobs are suspended; absent means false"""
    coordinator: Attribute[Coordinator | None, Coordinator | Mapping[str, Any] | None]
    """absent: none"""
    managed_by: Attribute[str | None, str | None]
    """absent: the JobSet controller"""
    ttl_seconds_after_finished: Attribute[int | None, int | None]
    """until a finished set is deleted; absent: it stays"""
    volume_claim_policies: Attribute[ListView[VolumeClaimPolicy], Sequence[VolumeClaimPolicy | Mapping[str, Any]] | None]
    """claims that the set creates"""
    def __init__(
        self,
        *,
        replicated_jobs: Sequence[ReplicatedJob | Mapping[str, Any]] | None = ...,
        network: Network | Mapping[str, Any] | None = ...,
        success_policy: SuccessPolicy | Mapping[str, Any] | None = ...,
        failure_policy: FailurePolicy | Mapping[str, Any] | None = ...,
        startup_policy: StartupPolicy | Mapping[str, Any] | None = ...,
        suspend: bool | None = ...,
        coordinator: Coordinator | Mapping[str, Any] | None = ...,
        managed_by: str | None = ...,
        ttl_seconds_after_finished: int | None = ...,
        volume_claim_policies: Sequence[VolumeClaimPolicy | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class JobSetStatus(Model):
    """The observed state of a set."""
    conditions: Attribute[ListView[meta.Condition], Sequence[meta.Condition | Mapping[str, Any]] | None]
    """Completed, Failed, Suspended, StartupPolicyInProgress or StartupPolicyCompleted, at most one of each type."""
    restarts: Attribute[int, int | None]
    """how often all Jobs were created again"""
    restarts_count_towards_max: Attribute[int, int | None]
    """those that count towards `max_restarts`"""
    terminal_state: Attribute[str, str | None]
    """Completed or Failed; empty until the set ends"""
    replicated_jobs_status: Attribute[ListView[ReplicatedJobStatus], Sequence[ReplicatedJobStatus | Mapping[str, Any]] | None]
    """counts, by name of the entry"""
    previous_in_place_restart_attempt: Attribute[int | None, int | None]
    """last finished restart in place; absent: none"""
    current_in_place_restart_attempt: Attribute[int | None, int | None]
    """restart in place under way; absent: none"""
    def __init__(
        self,
        *,
        conditions: Sequence[meta.Condition | Mapping[str, Any]] | None = ...,
        restarts: int | None = ...,
        restarts_count_towards_max: int | None = ...,
        terminal_state: str | None = ...,
        replicated_jobs_status: Sequence[ReplicatedJobStatus | Mapping[str, Any]] | None = ...,
        previous_in_place_restart_attempt: int | None = ...,
        current_in_place_restart_attempt: int | None = ...,
    ) -> None: ...

class Network(Model):
    """The DNS names of the pods."""
    enable_dns_hostnames: Attribute[bool | None, bool | None]
    """Whether pods have the host name `<set>-<replicated job>-<job>-<index>`; absent means true."""
    subdomain: Attribute[str, str | None]
    """name of the headless service; empty: the name of the set"""
    publish_not_ready_addresses: Attribute[bool | None, bool | None]
    """Whether pods have addresses before they are ready; absent means true."""
    def __init__(
        self,
        *,
        enable_dns_hostnames: bool | None = ...,
        subdomain: str | None = ...,
        publish_not_ready_addresses: bool | None = ...,
    ) -> None: ...

class ReplicatedJob(Model):
    """Jobs made from one template."""
    name: Attribute[str, str | None]
    """part of the names of the Jobs: `<set>-<name>-<index>`"""
    group_name: Attribute[str, str | None]
    """entries of one name share a numbering of their Jobs; empty: default"""
    template: Attribute[batch.JobTemplateSpec, batch.JobTemplateSpec | Mapping[str, Any] | None]
    """every Job is made from it"""
    replicas: Attribute[int | None, int | None]
    """number of Jobs; absent means 1"""
    depends_on: Attribute[ListView[DependsOn], Sequence[DependsOn | Mapping[str, Any]] | None]
    """at most 5, all of them earlier in the list"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        group_name: str | None = ...,
        template: batch.JobTemplateSpec | Mapping[str, Any] | None = ...,
        replicas: int | None = ...,
        depends_on: Sequence[DependsOn | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class ReplicatedJobStatus(Model):
    """Counts of the Jobs of one entry."""
    name: Attribute[str, str | None]
    """name of the entry"""
    ready: Attribute[int, int | None]
    """unfinished Jobs whose ready and succeeded pods are as many as requested"""
    succeeded: Attribute[int, int | None]
    """Jobs that completed"""
    failed: Attribute[int, int | None]
    """Jobs that failed"""
    active: Attribute[int, int | None]
    """unfinished Jobs with at least one active pod"""
    suspended: Attribute[int, int | None]
    """Jobs that are suspended"""
    job_restarts: Attribute[ListView[int], Sequence[int] | None]
    """restarts of single Jobs, by index"""
    job_restarts_count_towards_max: Attribute[ListView[int], Sequence[int] | None]
    """those that count towards the limit"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        ready: int | None = ...,
        succeeded: int | None = ...,
        failed: int | None = ...,
        active: int | None = ...,
        suspended: int | None = ...,
        job_restarts: Sequence[int] | None = ...,
        job_restarts_count_towards_max: Sequence[int] | None = ...,
    ) -> None: ...

class StartupPolicy(Model):
    """The order in which the Jobs start. Deprecated: use `depends_on`."""
    startup_policy_order: Attribute[str, str | None]
    """AnyOrder, or InOrder: each entry when the one before it is ready"""
    def __init__(
        self,
        *,
        startup_policy_order: str | None = ...,
    ) -> None: ...

class SuccessPolicy(Model):
    """When the set succeeds."""
    operator: Attribute[str, str | None]
    """All or Any of the Jobs must succeed"""
    target_replicated_jobs: Attribute[ListView[str], Sequence[str] | None]
    """entries whose Jobs count; empty: all"""
    def __init__(
        self,
        *,
        operator: str | None = ...,
        target_replicated_jobs: Sequence[str] | None = ...,
    ) -> None: ...

class VolumeClaimPolicy(Model):
    """Claims that the set creates and its pods share."""
    templates: Attribute[ListView[core.PersistentVolumeClaim], Sequence[core.PersistentVolumeClaim | Mapping[str, Any]] | None]
    """Claims; the name of each is the name of the volume in the pods, and begins the name of the claim: `<name>-<set>`."""
    retention_policy: Attribute[VolumeRetentionPolicy | None, VolumeRetentionPolicy | Mapping[str, Any] | None]
    """absent: the claims are deleted with the set"""
    def __init__(
        self,
        *,
        templates: Sequence[core.PersistentVolumeClaim | Mapping[str, Any]] | None = ...,
        retention_policy: VolumeRetentionPolicy | Mapping[str, Any] | None = ...,
    ) -> None: ...

class VolumeRetentionPolicy(Model):
    """Treatment of the claims when the set is deleted."""
    when_deleted: Attribute[str, str | None]
    """Delete (also if empty) or Retain"""
    def __init__(
        self,
        *,
        when_deleted: str | None = ...,
    ) -> None: ...
