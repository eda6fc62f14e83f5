"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any
from . import core, meta
from .._model import Attribute, ListView, MapView, Model
from .._quantity import Quantity

class Affinity(Model):
    """The nodes for the pods of a queue."""
    node_group_affinity: Attribute[NodeGroupAffinity | None, NodeGroupAffinity | Mapping[str, Any] | None]
    """allowed groups of nodes"""
    node_group_anti_affinity: Attribute[NodeGroupAffinity | None, NodeGroupAffinity | Mapping[str, Any] | None]
    """excluded groups of nodes"""
    def __init__(
        self,
        *,
        node_group_affinity: NodeGroupAffinity | Mapping[str, Any] | None = ...,
        node_group_anti_affinity: NodeGroupAffinity | Mapping[str, Any] | None = ...,
    ) -> None: ...

class Cluster(Model):
    """A cluster to which the jobs of a queue are forwarded."""
    name: Attribute[str, str | None]
    """name of the cluster"""
    weight: Attribute[int, int | None]
    """share of the jobs relative to the other clusters"""
    capacity: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """resources of the cluster"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        weight: int | None = ...,
        capacity: Mapping[str, str | int | float] | None = ...,
    ) -> None: ...

class Command(Model):
    """A command to a job or a queue. The handling controller deletes it first, so it is executed at most once. Changes
    of a command have no effect."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """the namespace is that of the job; the name is arbitrary"""
    action: Attribute[str, str | None]
    """for a job: AbortJob, ResumeJob, ...; for a queue: OpenQueue, CloseQueue"""
    target: Attribute[meta.OwnerReference | None, meta.OwnerReference | Mapping[str, Any] | None]
    """a Job of `batch.volcano.sh/v1alpha1`, or a Queue; the uid is ignored"""
    reason: Attribute[str, str | None]
    """one word in CamelCase; informational"""
    message: Attribute[str, str | None]
    """details as text; informational"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        action: str | None = ...,
        target: meta.OwnerReference | Mapping[str, Any] | None = ...,
        reason: str | None = ...,
        message: str | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class CommandList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[Command], Sequence[Command | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[Command | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class DependsOn(Model):
    """Tasks that must run before the pods of another task are created."""
    name: Attribute[ListView[str], Sequence[str] | None]
    """names of the tasks"""
    iteration: Attribute[str, str | None]
    """all (also if empty) or any: one of several tasks is enough"""
    def __init__(
        self,
        *,
        name: Sequence[str] | None = ...,
        iteration: str | None = ...,
    ) -> None: ...

class Guarantee(Model):
    """Resources that no other queue may use."""
    resource: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """reserved for the queue, and not available to others"""
    def __init__(
        self,
        *,
        resource: Mapping[str, str | int | float] | None = ...,
    ) -> None: ...

class Job(Model):
    """A Volcano job."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """the name prefixes the names of the pods: `<name>-<task>-<index>`"""
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
    """A phase that a job entered."""
    status: Attribute[str, str | None]
    """the phase"""
    last_transition_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """when the job entered the phase"""
    def __init__(
        self,
        *,
        status: str | None = ...,
        last_transition_time: datetime.datetime | str | None = ...,
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
    """The specification of a job."""
    scheduler_name: Attribute[str, str | None]
    """for pods without one in their template; empty: volcano"""
    min_available: Attribute[int, int | None]
    """pods that the gang needs; 0 at creation means the sum over the tasks"""
    volumes: Attribute[ListView[VolumeSpec], Sequence[VolumeSpec | Mapping[str, Any]] | None]
    """mounted in all pods"""
    tasks: Attribute[ListView[TaskSpec], Sequence[TaskSpec | Mapping[str, Any]] | None]
    """all their pods belong to one gang"""
    policies: Attribute[ListView[LifecyclePolicy], Sequence[LifecyclePolicy | Mapping[str, Any]] | None]
    """reactions to events, for all tasks"""
    plugins: Attribute[MapView[ListView[str]], Mapping[str, Sequence[str]] | None]
    """e.g. `svc`, `env`, `ssh`, `pytorch`, with their arguments"""
    running_estimate: Attribute[datetime.timedelta | None, datetime.timedelta | str | None]
    """ignored"""
    queue: Attribute[str, str | None]
    """empty: default"""
    max_retry: Attribute[int, int | None]
    """the restart of this number fails the job; 0 at creation means 3"""
    ttl_seconds_after_finished: Attribute[int | None, int | None]
    """until a finished job is deleted; absent: it stays"""
    priority_class_name: Attribute[str, str | None]
    """of the gang; since v1.11 also of pods without one"""
    min_success: Attribute[int | None, int | None]
    """This number of succeeded pods completes the job, regardless of the others."""
    network_topology: Attribute[NetworkTopologySpec | None, NetworkTopologySpec | Mapping[str, Any] | None]
    """Copied to the gang since v1.12; earlier servers drop it. Absent: any nodes."""
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
        network_topology: NetworkTopologySpec | Mapping[str, Any] | None = ...,
    ) -> None: ...

class JobState(Model):
    """The current phase of a job."""
    phase: Attribute[str, str | None]
    """Pending, Aborting, Aborted, Running, Restarting, Completing, Completed, Terminating, Terminated or Failed; empty:
    Pending."""
    reason: Attribute[str, str | None]
    """FailedValidation, written only by the operator of kftrain; upstream declares this field and the next"""
    message: Attribute[str, str | None]
    """the reason of the failed validation"""
    last_transition_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """when the job entered the phase"""
    def __init__(
        self,
        *,
        phase: str | None = ...,
        reason: str | None = ...,
        message: str | None = ...,
        last_transition_time: datetime.datetime | str | None = ...,
    ) -> None: ...

class JobStatus(Model):
    """Counts exclude pods that are being deleted."""
    state: Attribute[JobState, JobState | Mapping[str, Any] | None]
    """the current phase"""
    min_available: Attribute[int, int | None]
    """as in the spec"""
    task_status_count: Attribute[MapView[TaskState], Mapping[str, TaskState | Mapping[str, Any]] | None]
    """pods by phase, by name of the task"""
    pending: Attribute[int, int | None]
    """pods in the phase Pending"""
    running: Attribute[int, int | None]
    """pods in the phase Running"""
    succeeded: Attribute[int, int | None]
    """pods in the phase Succeeded"""
    failed: Attribute[int, int | None]
    """pods in the phase Failed"""
    terminating: Attribute[int, int | None]
    """deleted by the pass that wrote this status"""
    unknown_count: Attribute[int, int | None]
    """in no known phase; `unknown` holds unknown fields"""
    version: Attribute[int, int | None]
    """increases whenever pods are killed; pods carry the version of their creation"""
    retry_count: Attribute[int, int | None]
    """restarts and resumptions"""
    running_duration: Attribute[datetime.timedelta | None, datetime.timedelta | str | None]
    """since creation, at the last kill"""
    controlled_resources: Attribute[MapView[str], Mapping[str, str] | None]
    """objects created by plugins and volumes: `plugin-svc: svc`"""
    conditions: Attribute[ListView[JobCondition], Sequence[JobCondition | Mapping[str, Any]] | None]
    """oldest first"""
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
    """The reaction to an event: a policy has either events or an exit code."""
    action: Attribute[str, str | None]
    """AbortJob, RestartJob, RestartTask, TerminateJob, CompleteJob or ResumeJob"""
    event: Attribute[str, str | None]
    """PodFailed, PodEvicted, Unknown, TaskCompleted, TaskFailed, JobUpdated, or `*` for any"""
    events: Attribute[ListView[str], Sequence[str] | None]
    """additional events"""
    exit_code: Attribute[int | None, int | None]
    """of the first container of a failed pod; 0 is rejected"""
    timeout: Attribute[datetime.timedelta | None, datetime.timedelta | str | None]
    """since v1.11: delay of the action; ignored before"""
    def __init__(
        self,
        *,
        action: str | None = ...,
        event: str | None = ...,
        events: Sequence[str] | None = ...,
        exit_code: int | None = ...,
        timeout: datetime.timedelta | str | None = ...,
    ) -> None: ...

class NetworkTopologySpec(Model):
    """Where the network places the pods of a gang, since v1.12; HyperNodes describe the tiers of the network."""
    mode: Attribute[str, str | None]
    """hard: the pods must fit below the tier; soft: they may spread further; empty: hard"""
    highest_tier_allowed: Attribute[int | None, int | None]
    """the highest tier that the pods may span; absent: 1"""
    highest_tier_name: Attribute[str, str | None]
    """the same by the name of the tier; instead of the number"""
    def __init__(
        self,
        *,
        mode: str | None = ...,
        highest_tier_allowed: int | None = ...,
        highest_tier_name: str | None = ...,
    ) -> None: ...

class NodeGroupAffinity(Model):
    """Groups of nodes; the names are values of the node label `volcano.sh/nodegroup-name`."""
    required_during_scheduling_ignored_during_execution: Attribute[ListView[str], Sequence[str] | None]
    """Groups that a node must belong to; as anti-affinity: must not."""
    preferred_during_scheduling_ignored_during_execution: Attribute[ListView[str], Sequence[str] | None]
    """Groups that a node should belong to; as anti-affinity: should not."""
    def __init__(
        self,
        *,
        required_during_scheduling_ignored_during_execution: Sequence[str] | None = ...,
        preferred_during_scheduling_ignored_during_execution: Sequence[str] | None = ...,
    ) -> None: ...

class PodGroup(Model):
    """A gang: pods that start together or not at all. The status is not a subresource."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """pods name it by the annotation `scheduling.k8s.io/group-name`"""
    spec: Attribute[PodGroupSpec, PodGroupSpec | Mapping[str, Any] | None]
    """the requirements"""
    status: Attribute[PodGroupStatus, PodGroupStatus | Mapping[str, Any] | None]
    """observed state, written by the scheduler"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: PodGroupSpec | Mapping[str, Any] | None = ...,
        status: PodGroupStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class PodGroupCondition(Model):
    """Whether the last session of the scheduler could place the gang."""
    type: Attribute[str, str | None]
    """Scheduled or Unschedulable"""
    status: Attribute[str, str | None]
    """True, False or Unknown"""
    transition_id: Attribute[str, str | None]
    """id of the scheduler session that wrote it"""
    last_transition_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """when the scheduler last wrote the condition"""
    reason: Attribute[str, str | None]
    """one word, e.g. NotEnoughResources"""
    message: Attribute[str, str | None]
    """details as text"""
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
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[PodGroup], Sequence[PodGroup | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[PodGroup | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class PodGroupSpec(Model):
    """The requirements of a gang before any of its pods starts."""
    min_member: Attribute[int, int | None]
    """number of pods that must fit before any of them starts"""
    min_task_member: Attribute[MapView[int], Mapping[str, int] | None]
    """the same for each task, by name"""
    queue: Attribute[str, str | None]
    """empty means `default`; without the queue nothing is scheduled"""
    priority_class_name: Attribute[str, str | None]
    """empty: the default class of the cluster, or priority 0 if there is none"""
    min_resources: Attribute[MapView[Quantity] | None, Mapping[str, str | int | float] | None]
    """Resources that must be free in its queue before the group leaves the phase Pending; absent: not checked."""
    network_topology: Attribute[NetworkTopologySpec | None, NetworkTopologySpec | Mapping[str, Any] | None]
    """since v1.12; absent: any nodes"""
    def __init__(
        self,
        *,
        min_member: int | None = ...,
        min_task_member: Mapping[str, int] | None = ...,
        queue: str | None = ...,
        priority_class_name: str | None = ...,
        min_resources: Mapping[str, str | int | float] | None = ...,
        network_topology: NetworkTopologySpec | Mapping[str, Any] | None = ...,
    ) -> None: ...

class PodGroupStatus(Model):
    """The state of a gang that the scheduler last observed; counts are of pods."""
    phase: Attribute[str, str | None]
    """Pending; Inqueue: pods may be created; Running: at least `minMember` pods are placed; Unknown: some run and the
    rest cannot be placed; Completed: all have succeeded."""
    conditions: Attribute[ListView[PodGroupCondition], Sequence[PodGroupCondition | Mapping[str, Any]] | None]
    """at most one of each type"""
    running: Attribute[int, int | None]
    """pods in the phase Running"""
    succeeded: Attribute[int, int | None]
    """pods in the phase Succeeded"""
    failed: Attribute[int, int | None]
    """pods in the phase Failed"""
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
    """A share of the cluster; each pod group belongs to one."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """jobs and pod groups refer to it by its name; it has no namespace"""
    spec: Attribute[QueueSpec, QueueSpec | Mapping[str, Any] | None]
    """the requested share"""
    status: Attribute[QueueStatus, QueueStatus | Mapping[str, Any] | None]
    """observed state, written by the controller"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: QueueSpec | Mapping[str, Any] | None = ...,
        status: QueueStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class QueueList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[Queue], Sequence[Queue | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[Queue | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class QueueSpec(Model):
    """The share of a queue in the cluster, and whether it can be reclaimed."""
    weight: Attribute[int, int | None]
    """share of the cluster relative to other queues; admission changes 0 to 1"""
    capability: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """upper limit; absent resources have no limit"""
    reclaimable: Attribute[bool | None, bool | None]
    """whether others may reclaim its use beyond its share; default true"""
    extend_clusters: Attribute[ListView[Cluster], Sequence[Cluster | Mapping[str, Any]] | None]
    """if not empty, jobs of the queue are forwarded to them"""
    guarantee: Attribute[Guarantee | None, Guarantee | Mapping[str, Any] | None]
    """resources that only this queue may use; absent: none"""
    affinity: Attribute[Affinity | None, Affinity | Mapping[str, Any] | None]
    """Nodes for its pods, if the scheduler runs the plugin `nodegroup`; absent: all nodes."""
    type: Attribute[str, str | None]
    """free text without effect"""
    parent: Attribute[str, str | None]
    """the parent queue; v1.9.0 ignores it, later releases treat empty as `root`"""
    deserved: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """Its share if the scheduler runs the plugin `capacity`, which uses it instead of weights; lent to others while
    unused."""
    def __init__(
        self,
        *,
        weight: int | None = ...,
        capability: Mapping[str, str | int | float] | None = ...,
        reclaimable: bool | None = ...,
        extend_clusters: Sequence[Cluster | Mapping[str, Any]] | None = ...,
        guarantee: Guarantee | Mapping[str, Any] | None = ...,
        affinity: Affinity | Mapping[str, Any] | None = ...,
        type: str | None = ...,
        parent: str | None = ...,
        deserved: Mapping[str, str | int | float] | None = ...,
    ) -> None: ...

class QueueStatus(Model):
    """Numbers of the pod groups of the queue in the phase of the same name."""
    state: Attribute[str, str | None]
    """Open, Closed, Closing or Unknown"""
    unknown_count: Attribute[int, int | None]
    """pod groups in the phase Unknown; `unknown` contains unknown fields"""
    pending: Attribute[int, int | None]
    """pod groups in the phase Pending"""
    running: Attribute[int, int | None]
    """pod groups in the phase Running"""
    inqueue: Attribute[int, int | None]
    """pod groups in the phase Inqueue"""
    completed: Attribute[int, int | None]
    """pod groups in the phase Completed; v1.9.0 does not count these"""
    reservation: Attribute[Reservation | None, Reservation | Mapping[str, Any] | None]
    """absent, because v1.9.0 reserves no nodes"""
    allocated: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """in use; written even if empty, as the CRD requires"""
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
        allocated: Mapping[str, str | int | float] | None = ...,
    ) -> None: ...

class Reservation(Model):
    """Nodes reserved for a queue; v1.9.0 writes none."""
    nodes: Attribute[ListView[str], Sequence[str] | None]
    """locked for the queue"""
    resource: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """idle on these nodes"""
    def __init__(
        self,
        *,
        nodes: Sequence[str] | None = ...,
        resource: Mapping[str, str | int | float] | None = ...,
    ) -> None: ...

class TaskSpec(Model):
    """Pods made from one template."""
    name: Attribute[str, str | None]
    """empty: `default` and the index of the task"""
    replicas: Attribute[int, int | None]
    """there is no default of 1"""
    min_available: Attribute[int | None, int | None]
    """number of these pods that count for the gang; absent: all"""
    template: Attribute[core.PodTemplateSpec, core.PodTemplateSpec | Mapping[str, Any] | None]
    """its name is replaced by the name of the task"""
    policies: Attribute[ListView[LifecyclePolicy], Sequence[LifecyclePolicy | Mapping[str, Any]] | None]
    """evaluated before those of the job"""
    topology_policy: Attribute[str, str | None]
    """For NUMA nodes: none, best-effort, restricted or single-numa-node; except for none, CPU requests must be whole
    numbers."""
    max_retry: Attribute[int, int | None]
    """container restarts until the event TaskFailed; 0 means 3, -1 never"""
    depends_on: Attribute[DependsOn | None, DependsOn | Mapping[str, Any] | None]
    """absent: its pods wait for no other task"""
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
    """Pods of a task by phase."""
    phase: Attribute[MapView[int], Mapping[str, int] | None]
    """number of pods by phase, e.g. `Running`"""
    def __init__(
        self,
        *,
        phase: Mapping[str, int] | None = ...,
    ) -> None: ...

class VolumeSpec(Model):
    """Storage that every pod of a job mounts."""
    mount_path: Attribute[str, str | None]
    """in the main containers"""
    volume_claim_name: Attribute[str, str | None]
    """name of an existing claim; empty: a claim is created"""
    volume_claim: Attribute[core.PersistentVolumeClaimSpec | None, core.PersistentVolumeClaimSpec | Mapping[str, Any] | None]
    """spec of the claim to create"""
    def __init__(
        self,
        *,
        mount_path: str | None = ...,
        volume_claim_name: str | None = ...,
        volume_claim: core.PersistentVolumeClaimSpec | Mapping[str, Any] | None = ...,
    ) -> None: ...
