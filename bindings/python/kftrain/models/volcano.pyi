"""Made by bindings/python/scripts/stubs.py from the tables of the library."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from .._model import Attribute, ListView, MapView, Model
from . import core, meta

class Affinity(Model):
    node_group_affinity: Attribute[NodeGroupAffinity | None, NodeGroupAffinity | Mapping[str, Any] | None]
    node_group_anti_affinity: Attribute[NodeGroupAffinity | None, NodeGroupAffinity | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        node_group_affinity: NodeGroupAffinity | Mapping[str, Any] | None = ...,
        node_group_anti_affinity: NodeGroupAffinity | Mapping[str, Any] | None = ...,
    ) -> None: ...

class Cluster(Model):
    name: Attribute[str, str | None]
    weight: Attribute[int, int | None]
    capacity: Attribute[MapView[str], Mapping[str, str | int] | None]
    def __init__(
        self,
        *,
        name: str | None = ...,
        weight: int | None = ...,
        capacity: Mapping[str, str | int] | None = ...,
    ) -> None: ...

class Command(Model):
    @property
    def api_version(self) -> str: ...
    @property
    def kind(self) -> str: ...
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    action: Attribute[str, str | None]
    target: Attribute[meta.OwnerReference | None, meta.OwnerReference | Mapping[str, Any] | None]
    reason: Attribute[str, str | None]
    message: Attribute[str, str | None]
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        action: str | None = ...,
        target: meta.OwnerReference | Mapping[str, Any] | None = ...,
        reason: str | None = ...,
        message: str | None = ...,
    ) -> None: ...

class CommandList(Model):
    @property
    def api_version(self) -> str: ...
    @property
    def kind(self) -> str: ...
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[Command], Sequence[Command | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[Command | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class DependsOn(Model):
    name: Attribute[ListView[str], Sequence[str] | None]
    iteration: Attribute[str, str | None]
    def __init__(
        self,
        *,
        name: Sequence[str] | None = ...,
        iteration: str | None = ...,
    ) -> None: ...

class Guarantee(Model):
    resource: Attribute[MapView[str], Mapping[str, str | int] | None]
    def __init__(
        self,
        *,
        resource: Mapping[str, str | int] | None = ...,
    ) -> None: ...

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
    status: Attribute[str, str | None]
    last_transition_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    def __init__(
        self,
        *,
        status: str | None = ...,
        last_transition_time: datetime.datetime | str | None = ...,
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
    scheduler_name: Attribute[str, str | None]
    min_available: Attribute[int, int | None]
    volumes: Attribute[ListView[VolumeSpec], Sequence[VolumeSpec | Mapping[str, Any]] | None]
    tasks: Attribute[ListView[TaskSpec], Sequence[TaskSpec | Mapping[str, Any]] | None]
    policies: Attribute[ListView[LifecyclePolicy], Sequence[LifecyclePolicy | Mapping[str, Any]] | None]
    plugins: Attribute[MapView[ListView[str]], Mapping[str, Sequence[str]] | None]
    running_estimate: Attribute[datetime.timedelta | None, datetime.timedelta | str | None]
    queue: Attribute[str, str | None]
    max_retry: Attribute[int, int | None]
    ttl_seconds_after_finished: Attribute[int | None, int | None]
    priority_class_name: Attribute[str, str | None]
    min_success: Attribute[int | None, int | None]
    def __init__(
        self,
        *,
        scheduler_name: str | None = ...,
        min_available: int | None = ...,
        volumes: Sequence[VolumeSpec | Mapping[str, Any]] | None = ...,
        tasks: Sequence[TaskSpec | Mapping[str, Any]] | None = ...,
        policies: Sequence[LifecyclePolicy | Mapping[str, Any]] | None = ...,
        plugins: Mapping[str, Sequence[str]] | None = ...,
        running_estimate: datetime.timedelta | str | None = ...,
        queue: str | None = ...,
        max_retry: int | None = ...,
        ttl_seconds_after_finished: int | None = ...,
        priority_class_name: str | None = ...,
        min_success: int | None = ...,
    ) -> None: ...

class JobState(Model):
    phase: Attribute[str, str | None]
    reason: Attribute[str, str | None]
    message: Attribute[str, str | None]
    last_transition_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    def __init__(
        self,
        *,
        phase: str | None = ...,
        reason: str | None = ...,
        message: str | None = ...,
        last_transition_time: datetime.datetime | str | None = ...,
    ) -> None: ...

class JobStatus(Model):
    state: Attribute[JobState, JobState | Mapping[str, Any] | None]
    min_available: Attribute[int, int | None]
    task_status_count: Attribute[MapView[TaskState], Mapping[str, TaskState | Mapping[str, Any]] | None]
    pending: Attribute[int, int | None]
    running: Attribute[int, int | None]
    succeeded: Attribute[int, int | None]
    failed: Attribute[int, int | None]
    terminating: Attribute[int, int | None]
    unknown_count: Attribute[int, int | None]
    version: Attribute[int, int | None]
    retry_count: Attribute[int, int | None]
    running_duration: Attribute[datetime.timedelta | None, datetime.timedelta | str | None]
    controlled_resources: Attribute[MapView[str], Mapping[str, str] | None]
    conditions: Attribute[ListView[JobCondition], Sequence[JobCondition | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        state: JobState | Mapping[str, Any] | None = ...,
        min_available: int | None = ...,
        task_status_count: Mapping[str, TaskState | Mapping[str, Any]] | None = ...,
        pending: int | None = ...,
        running: int | None = ...,
        succeeded: int | None = ...,
        failed: int | None = ...,
        terminating: int | None = ...,
        unknown_count: int | None = ...,
        version: int | None = ...,
        retry_count: int | None = ...,
        running_duration: datetime.timedelta | str | None = ...,
        controlled_resources: Mapping[str, str] | None = ...,
        conditions: Sequence[JobCondition | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class LifecyclePolicy(Model):
    action: Attribute[str, str | None]
    event: Attribute[str, str | None]
    events: Attribute[ListView[str], Sequence[str] | None]
    exit_code: Attribute[int | None, int | None]
    timeout: Attribute[datetime.timedelta | None, datetime.timedelta | str | None]
    def __init__(
        self,
        *,
        action: str | None = ...,
        event: str | None = ...,
        events: Sequence[str] | None = ...,
        exit_code: int | None = ...,
        timeout: datetime.timedelta | str | None = ...,
    ) -> None: ...

class NodeGroupAffinity(Model):
    required_during_scheduling_ignored_during_execution: Attribute[ListView[str], Sequence[str] | None]
    preferred_during_scheduling_ignored_during_execution: Attribute[ListView[str], Sequence[str] | None]
    def __init__(
        self,
        *,
        required_during_scheduling_ignored_during_execution: Sequence[str] | None = ...,
        preferred_during_scheduling_ignored_during_execution: Sequence[str] | None = ...,
    ) -> None: ...

class PodGroup(Model):
    @property
    def api_version(self) -> str: ...
    @property
    def kind(self) -> str: ...
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    spec: Attribute[PodGroupSpec, PodGroupSpec | Mapping[str, Any] | None]
    status: Attribute[PodGroupStatus, PodGroupStatus | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: PodGroupSpec | Mapping[str, Any] | None = ...,
        status: PodGroupStatus | Mapping[str, Any] | None = ...,
    ) -> None: ...

class PodGroupCondition(Model):
    type: Attribute[str, str | None]
    status: Attribute[str, str | None]
    transition_id: Attribute[str, str | None]
    last_transition_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    reason: Attribute[str, str | None]
    message: Attribute[str, str | None]
    def __init__(
        self,
        *,
        type: str | None = ...,
        status: str | None = ...,
        transition_id: str | None = ...,
        last_transition_time: datetime.datetime | str | None = ...,
        reason: str | None = ...,
        message: str | None = ...,
    ) -> None: ...

class PodGroupList(Model):
    @property
    def api_version(self) -> str: ...
    @property
    def kind(self) -> str: ...
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[PodGroup], Sequence[PodGroup | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[PodGroup | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class PodGroupSpec(Model):
    min_member: Attribute[int, int | None]
    min_task_member: Attribute[MapView[int], Mapping[str, int] | None]
    queue: Attribute[str, str | None]
    priority_class_name: Attribute[str, str | None]
    min_resources: Attribute[MapView[str] | None, Mapping[str, str | int] | None]
    def __init__(
        self,
        *,
        min_member: int | None = ...,
        min_task_member: Mapping[str, int] | None = ...,
        queue: str | None = ...,
        priority_class_name: str | None = ...,
        min_resources: Mapping[str, str | int] | None = ...,
    ) -> None: ...

class PodGroupStatus(Model):
    phase: Attribute[str, str | None]
    conditions: Attribute[ListView[PodGroupCondition], Sequence[PodGroupCondition | Mapping[str, Any]] | None]
    running: Attribute[int, int | None]
    succeeded: Attribute[int, int | None]
    failed: Attribute[int, int | None]
    def __init__(
        self,
        *,
        phase: str | None = ...,
        conditions: Sequence[PodGroupCondition | Mapping[str, Any]] | None = ...,
        running: int | None = ...,
        succeeded: int | None = ...,
        failed: int | None = ...,
    ) -> None: ...

class Queue(Model):
    @property
    def api_version(self) -> str: ...
    @property
    def kind(self) -> str: ...
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    spec: Attribute[QueueSpec, QueueSpec | Mapping[str, Any] | None]
    status: Attribute[QueueStatus, QueueStatus | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: QueueSpec | Mapping[str, Any] | None = ...,
        status: QueueStatus | Mapping[str, Any] | None = ...,
    ) -> None: ...

class QueueList(Model):
    @property
    def api_version(self) -> str: ...
    @property
    def kind(self) -> str: ...
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[Queue], Sequence[Queue | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[Queue | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class QueueSpec(Model):
    weight: Attribute[int, int | None]
    capability: Attribute[MapView[str], Mapping[str, str | int] | None]
    reclaimable: Attribute[bool | None, bool | None]
    extend_clusters: Attribute[ListView[Cluster], Sequence[Cluster | Mapping[str, Any]] | None]
    guarantee: Attribute[Guarantee | None, Guarantee | Mapping[str, Any] | None]
    affinity: Attribute[Affinity | None, Affinity | Mapping[str, Any] | None]
    type: Attribute[str, str | None]
    parent: Attribute[str, str | None]
    deserved: Attribute[MapView[str], Mapping[str, str | int] | None]
    def __init__(
        self,
        *,
        weight: int | None = ...,
        capability: Mapping[str, str | int] | None = ...,
        reclaimable: bool | None = ...,
        extend_clusters: Sequence[Cluster | Mapping[str, Any]] | None = ...,
        guarantee: Guarantee | Mapping[str, Any] | None = ...,
        affinity: Affinity | Mapping[str, Any] | None = ...,
        type: str | None = ...,
        parent: str | None = ...,
        deserved: Mapping[str, str | int] | None = ...,
    ) -> None: ...

class QueueStatus(Model):
    state: Attribute[str, str | None]
    unknown_count: Attribute[int, int | None]
    pending: Attribute[int, int | None]
    running: Attribute[int, int | None]
    inqueue: Attribute[int, int | None]
    completed: Attribute[int, int | None]
    reservation: Attribute[Reservation | None, Reservation | Mapping[str, Any] | None]
    allocated: Attribute[MapView[str], Mapping[str, str | int] | None]
    def __init__(
        self,
        *,
        state: str | None = ...,
        unknown_count: int | None = ...,
        pending: int | None = ...,
        running: int | None = ...,
        inqueue: int | None = ...,
        completed: int | None = ...,
        reservation: Reservation | Mapping[str, Any] | None = ...,
        allocated: Mapping[str, str | int] | None = ...,
    ) -> None: ...

class Reservation(Model):
    nodes: Attribute[ListView[str], Sequence[str] | None]
    resource: Attribute[MapView[str], Mapping[str, str | int] | None]
    def __init__(
        self,
        *,
        nodes: Sequence[str] | None = ...,
        resource: Mapping[str, str | int] | None = ...,
    ) -> None: ...

class TaskSpec(Model):
    name: Attribute[str, str | None]
    replicas: Attribute[int, int | None]
    min_available: Attribute[int | None, int | None]
    template: Attribute[core.PodTemplateSpec, core.PodTemplateSpec | Mapping[str, Any] | None]
    policies: Attribute[ListView[LifecyclePolicy], Sequence[LifecyclePolicy | Mapping[str, Any]] | None]
    topology_policy: Attribute[str, str | None]
    max_retry: Attribute[int, int | None]
    depends_on: Attribute[DependsOn | None, DependsOn | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        name: str | None = ...,
        replicas: int | None = ...,
        min_available: int | None = ...,
        template: core.PodTemplateSpec | Mapping[str, Any] | None = ...,
        policies: Sequence[LifecyclePolicy | Mapping[str, Any]] | None = ...,
        topology_policy: str | None = ...,
        max_retry: int | None = ...,
        depends_on: DependsOn | Mapping[str, Any] | None = ...,
    ) -> None: ...

class TaskState(Model):
    phase: Attribute[MapView[int], Mapping[str, int] | None]
    def __init__(
        self,
        *,
        phase: Mapping[str, int] | None = ...,
    ) -> None: ...

class VolumeSpec(Model):
    mount_path: Attribute[str, str | None]
    volume_claim_name: Attribute[str, str | None]
    volume_claim: Attribute[core.PersistentVolumeClaimSpec | None, core.PersistentVolumeClaimSpec | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        mount_path: str | None = ...,
        volume_claim_name: str | None = ...,
        volume_claim: core.PersistentVolumeClaimSpec | Mapping[str, Any] | None = ...,
    ) -> None: ...
