"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any
from . import core, meta
from .._model import Attribute, ListView, MapView, Model
from .._quantity import Quantity

class JobCondition(Model):
    """A state of a job."""
    type: Attribute[str, str | None]
    """Created, Running, Succeeded, Suspended or Failed; Restarting is declared and never written"""
    status: Attribute[str, str | None]
    """True, False or Unknown"""
    reason: Attribute[str, str | None]
    """one word in CamelCase, e.g. `MPIJobCreated`"""
    message: Attribute[str, str | None]
    """details as text"""
    last_update_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """when `status` or `reason` last changed"""
    last_transition_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """when `status` last changed"""
    def __init__(
        self,
        *,
        type: str | None = ...,
        status: str | None = ...,
        reason: str | None = ...,
        message: str | None = ...,
        last_update_time: datetime.datetime | str | None = ...,
        last_transition_time: datetime.datetime | str | None = ...,
    ) -> None: ...

class JobStatus(Model):
    """The observed state of a job."""
    conditions: Attribute[ListView[JobCondition], Sequence[JobCondition | Mapping[str, Any]] | None]
    """at most one of each type; the last one that changed comes last"""
    replica_statuses: Attribute[MapView[ReplicaStatus], Mapping[str, ReplicaStatus | Mapping[str, Any]] | None]
    """counts of pods by replica type"""
    start_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """of the latest run: for a resumed job the time of its resumption"""
    completion_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """when the launcher ended; absent before"""
    last_reconcile_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """declared, never written"""
    def __init__(
        self,
        *,
        conditions: Sequence[JobCondition | Mapping[str, Any]] | None = ...,
        replica_statuses: Mapping[str, ReplicaStatus | Mapping[str, Any]] | None = ...,
        start_time: datetime.datetime | str | None = ...,
        completion_time: datetime.datetime | str | None = ...,
        last_reconcile_time: datetime.datetime | str | None = ...,
    ) -> None: ...

class MPIJob(Model):
    """An MPI job: one launcher, which is a Job of Kubernetes, and any number of workers, which are pods that the
    launcher reaches by ssh."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """the name prefixes the names of all children, e.g. `<name>-worker-<index>`"""
    spec: Attribute[MPIJobSpec, MPIJobSpec | Mapping[str, Any] | None]
    """desired state"""
    status: Attribute[JobStatus, JobStatus | Mapping[str, Any] | None]
    """observed state, written by the operator"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: MPIJobSpec | Mapping[str, Any] | None = ...,
        status: JobStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class MPIJobList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[MPIJob], Sequence[MPIJob | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[MPIJob | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class MPIJobSpec(Model):
    """The specification of an MPIJob."""
    slots_per_worker: Attribute[int | None, int | None]
    """processes on each host; absent means 1"""
    run_launcher_as_worker: Attribute[bool | None, bool | None]
    """the launcher is the first of the hosts; absent means false"""
    run_policy: Attribute[RunPolicy, RunPolicy | Mapping[str, Any] | None]
    """limits, clean-up, suspension and gang scheduling"""
    mpi_replica_specs: Attribute[MapView[ReplicaSpec], Mapping[str, ReplicaSpec | Mapping[str, Any]] | None]
    """Launcher and Worker; Launcher must exist, with 1 replica"""
    ssh_auth_mount_path: Attribute[str, str | None]
    """directory of the keys in the pods; empty means /root/.ssh"""
    launcher_creation_policy: Attribute[str, str | None]
    """AtStartup (also if empty) or WaitForWorkersReady"""
    mpi_implementation: Attribute[str, str | None]
    """OpenMPI (also if empty), Intel or MPICH"""
    def __init__(
        self,
        *,
        slots_per_worker: int | None = ...,
        run_launcher_as_worker: bool | None = ...,
        run_policy: RunPolicy | Mapping[str, Any] | None = ...,
        mpi_replica_specs: Mapping[str, ReplicaSpec | Mapping[str, Any]] | None = ...,
        ssh_auth_mount_path: str | None = ...,
        launcher_creation_policy: str | None = ...,
        mpi_implementation: str | None = ...,
    ) -> None: ...

class ReplicaSpec(Model):
    """Pods of one replica type, made from one template."""
    replicas: Attribute[int | None, int | None]
    """absent means 1 for the launcher and 0 for workers, which is rejected"""
    template: Attribute[core.PodTemplateSpec, core.PodTemplateSpec | Mapping[str, Any] | None]
    """its restartPolicy is replaced by `restart_policy`"""
    restart_policy: Attribute[str, str | None]
    """Never or OnFailure; empty: OnFailure for the launcher, Never for workers"""
    def __init__(
        self,
        *,
        replicas: int | None = ...,
        template: core.PodTemplateSpec | Mapping[str, Any] | None = ...,
        restart_policy: str | None = ...,
    ) -> None: ...

class ReplicaStatus(Model):
    """Counts of pods; pending pods are not counted."""
    active: Attribute[int, int | None]
    """running pods"""
    succeeded: Attribute[int, int | None]
    """for the launcher: 1 after its success"""
    failed: Attribute[int, int | None]
    """for the launcher: all its failed pods so far"""
    label_selector: Attribute[meta.LabelSelector | None, meta.LabelSelector | Mapping[str, Any] | None]
    """declared, never written"""
    selector: Attribute[str, str | None]
    """declared, never written"""
    def __init__(
        self,
        *,
        active: int | None = ...,
        succeeded: int | None = ...,
        failed: int | None = ...,
        label_selector: meta.LabelSelector | Mapping[str, Any] | None = ...,
        selector: str | None = ...,
    ) -> None: ...

class RunPolicy(Model):
    """The limits, clean-up, suspension and gang scheduling of a job."""
    clean_pod_policy: Attribute[str | None, str | None]
    """for the workers: All, Running or None (also if absent)"""
    ttl_seconds_after_finished: Attribute[int | None, int | None]
    """Seconds from the end until the launcher is deleted; the job itself stays. Absent: never."""
    active_deadline_seconds: Attribute[int | None, int | None]
    """Seconds from its start until the launcher fails; absent: no limit."""
    backoff_limit: Attribute[int | None, int | None]
    """failed pods of the launcher; absent means 6"""
    scheduling_policy: Attribute[SchedulingPolicy | None, SchedulingPolicy | Mapping[str, Any] | None]
    """Settings of the gang; without effect unless the operator schedules gangs."""
    suspend: Attribute[bool | None, bool | None]
    """if true, the launcher is suspended and workers are deleted; absent means false"""
    managed_by: Attribute[str | None, str | None]
    """`kubeflow.org/mpi-operator` (also if absent) or `kueue.x-k8s.io/multikueue`."""
    def __init__(
        self,
        *,
        clean_pod_policy: str | None = ...,
        ttl_seconds_after_finished: int | None = ...,
        active_deadline_seconds: int | None = ...,
        backoff_limit: int | None = ...,
        scheduling_policy: SchedulingPolicy | Mapping[str, Any] | None = ...,
        suspend: bool | None = ...,
        managed_by: str | None = ...,
    ) -> None: ...

class SchedulingPolicy(Model):
    """The requirements of the gang of a job; the configured gang scheduler determines which fields have an effect."""
    min_available: Attribute[int | None, int | None]
    """Number of pods that must fit before any starts; absent: all pods of the job."""
    queue: Attribute[str, str | None]
    """for Volcano; empty: the queue in the annotation of the job"""
    min_resources: Attribute[MapView[Quantity] | None, Mapping[str, str | int | float] | None]
    """absent: the requests of the pods of `min_available`"""
    priority_class: Attribute[str, str | None]
    """for Volcano; empty: that of the launcher, then of the workers"""
    schedule_timeout_seconds: Attribute[int | None, int | None]
    """for scheduler-plugins; absent means 0"""
    def __init__(
        self,
        *,
        min_available: int | None = ...,
        queue: str | None = ...,
        min_resources: Mapping[str, str | int | float] | None = ...,
        priority_class: str | None = ...,
        schedule_timeout_seconds: int | None = ...,
    ) -> None: ...
