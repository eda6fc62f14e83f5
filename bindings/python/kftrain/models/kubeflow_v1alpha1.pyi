"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""

from collections.abc import Mapping, Sequence
from typing import Any
from . import batch, core, meta
from .._model import Attribute, ListView, MapView, Model

class ChainerJob(Model):
    """A Chainer job: a master, which is a Job of Kubernetes, and sets of workers, which are StatefulSets. Its status is
    that of the master's Job, with the fields that upstream had."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """the name prefixes the names of the Job, the StatefulSets and their pods"""
    spec: Attribute[ChainerJobSpec, ChainerJobSpec | Mapping[str, Any] | None]
    """desired state"""
    status: Attribute[batch.JobStatus, batch.JobStatus | Mapping[str, Any] | None]
    """copied from the Job of the master"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: ChainerJobSpec | Mapping[str, Any] | None = ...,
        status: batch.JobStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class ChainerJobList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[ChainerJob], Sequence[ChainerJob | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[ChainerJob | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class ChainerJobSpec(Model):
    """The specification of a ChainerJob."""
    backend: Attribute[str, str | None]
    """for jobs with workers: mpi (also if empty)"""
    master: Attribute[ChainerMaster, ChainerMaster | Mapping[str, Any] | None]
    """its result is the result of the job"""
    worker_sets: Attribute[MapView[ChainerWorkerSet], Mapping[str, ChainerWorkerSet | Mapping[str, Any]] | None]
    """empty: the master works alone"""
    def __init__(
        self,
        *,
        backend: str | None = ...,
        master: ChainerMaster | Mapping[str, Any] | None = ...,
        worker_sets: Mapping[str, ChainerWorkerSet | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class ChainerMaster(Model):
    """The pod that starts the program, or the only pod."""
    active_deadline_seconds: Attribute[int | None, int | None]
    """Seconds from its start until its Job fails; absent: no limit."""
    backoff_limit: Attribute[int | None, int | None]
    """failed pods of its Job; absent means 6"""
    mpi_config: Attribute[MPIConfig | None, MPIConfig | Mapping[str, Any] | None]
    """absent: the default number of slots"""
    template: Attribute[core.PodTemplateSpec, core.PodTemplateSpec | Mapping[str, Any] | None]
    """restartPolicy: Never (also if empty) or OnFailure"""
    def __init__(
        self,
        *,
        active_deadline_seconds: int | None = ...,
        backoff_limit: int | None = ...,
        mpi_config: MPIConfig | Mapping[str, Any] | None = ...,
        template: core.PodTemplateSpec | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ChainerWorkerSet(Model):
    """Workers made from one template."""
    replicas: Attribute[int | None, int | None]
    """absent means 1"""
    mpi_config: Attribute[MPIConfig | None, MPIConfig | Mapping[str, Any] | None]
    """absent: the default number of slots"""
    template: Attribute[core.PodTemplateSpec, core.PodTemplateSpec | Mapping[str, Any] | None]
    """its command must wait; restartPolicy: empty or Always"""
    def __init__(
        self,
        *,
        replicas: int | None = ...,
        mpi_config: MPIConfig | Mapping[str, Any] | None = ...,
        template: core.PodTemplateSpec | Mapping[str, Any] | None = ...,
    ) -> None: ...

class MPIConfig(Model):
    """The MPI settings of the hosts of a set."""
    slots: Attribute[int | None, int | None]
    """Processes on each host; absent: the NVIDIA GPU limit of the container `chainer`, or 1 without one."""
    def __init__(
        self,
        *,
        slots: int | None = ...,
    ) -> None: ...

class PyTorchJob(Model):
    """A PyTorch job: replica sets; each replica has a pod and a service."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """the name and `runtime_id` are part of the names of pods and services"""
    spec: Attribute[PyTorchJobSpec, PyTorchJobSpec | Mapping[str, Any] | None]
    """desired state"""
    status: Attribute[PyTorchJobStatus, PyTorchJobStatus | Mapping[str, Any] | None]
    """observed state, written by the operator"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: PyTorchJobSpec | Mapping[str, Any] | None = ...,
        status: PyTorchJobStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class PyTorchJobList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[PyTorchJob], Sequence[PyTorchJob | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[PyTorchJob | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class PyTorchJobSpec(Model):
    """The specification of a PyTorchJob."""
    runtime_id: Attribute[str, str | None]
    """Part of the names of all children; empty: the operator chooses four characters and writes them here."""
    replica_specs: Attribute[ListView[PyTorchReplicaSpec], Sequence[PyTorchReplicaSpec | Mapping[str, Any]] | None]
    """the sets of pods, usually one MASTER and one WORKER"""
    pytorch_image: Attribute[str, str | None]
    """set by the operator, but never read"""
    termination_policy: Attribute[PyTorchTerminationPolicy | None, PyTorchTerminationPolicy | Mapping[str, Any] | None]
    """absent means MASTER, rank 0"""
    scheduler_name: Attribute[str, str | None]
    """for all pods, overrides their templates; empty: the default scheduler"""
    backend: Attribute[str, str | None]
    """part of the proposal, but never read: the program chooses"""
    master_port: Attribute[int | str | None, int | str | None]
    """part of the proposal, but never read: the port of each set counts"""
    def __init__(
        self,
        *,
        runtime_id: str | None = ...,
        replica_specs: Sequence[PyTorchReplicaSpec | Mapping[str, Any]] | None = ...,
        pytorch_image: str | None = ...,
        termination_policy: PyTorchTerminationPolicy | Mapping[str, Any] | None = ...,
        scheduler_name: str | None = ...,
        backend: str | None = ...,
        master_port: int | str | None = ...,
    ) -> None: ...

class PyTorchJobStatus(Model):
    """The observed state of a job."""
    phase: Attribute[str, str | None]
    """empty, Creating, Done or Failed; CleanUp and Running are declared and never written"""
    reason: Attribute[str, str | None]
    """of a failure, even if the operator retries"""
    state: Attribute[str, str | None]
    """Running from the start; Succeeded, Failed"""
    replica_statuses: Attribute[ListView[PyTorchReplicaStatus], Sequence[PyTorchReplicaStatus | Mapping[str, Any]] | None]
    """set by set"""
    def __init__(
        self,
        *,
        phase: str | None = ...,
        reason: str | None = ...,
        state: str | None = ...,
        replica_statuses: Sequence[PyTorchReplicaStatus | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class PyTorchReplicaSpec(Model):
    """A set of pods with the same template."""
    replicas: Attribute[int | None, int | None]
    """absent means 1; the MASTER must have 1"""
    template: Attribute[core.PodTemplateSpec | None, core.PodTemplateSpec | Mapping[str, Any] | None]
    """its metadata does not reach the pods; required"""
    master_port: Attribute[int | None, int | None]
    """port of the services of this set, and its MASTER_PORT; absent means 23456"""
    replica_type: Attribute[str, str | None]
    """MASTER or WORKER; empty means MASTER"""
    pytorch_replica_type: Attribute[str, str | None]
    """The same in the spelling of the first proposal; replica_type takes precedence."""
    def __init__(
        self,
        *,
        replicas: int | None = ...,
        template: core.PodTemplateSpec | Mapping[str, Any] | None = ...,
        master_port: int | None = ...,
        replica_type: str | None = ...,
        pytorch_replica_type: str | None = ...,
    ) -> None: ...

class PyTorchReplicaStatus(Model):
    """The state of the pods of a set. For workers the state of rank `i` is taken for worker `i`, so the last worker is
    never observed."""
    replica_type: Attribute[str, str | None]
    """MASTER or WORKER"""
    state: Attribute[str, str | None]
    """Failed if any failed, Running if any runs, Succeeded if all succeeded; otherwise Unknown"""
    replicas_states: Attribute[MapView[int], Mapping[str, int] | None]
    """number of replicas in each of these states"""
    def __init__(
        self,
        *,
        replica_type: str | None = ...,
        state: str | None = ...,
        replicas_states: Mapping[str, int] | None = ...,
    ) -> None: ...

class PyTorchTerminationMaster(Model):
    """The replica whose end is the end of the job."""
    replica_name: Attribute[str, str | None]
    """a replica type"""
    replica_rank: Attribute[int, int | None]
    """as in RANK, so that the first worker is 1"""
    def __init__(
        self,
        *,
        replica_name: str | None = ...,
        replica_rank: int | None = ...,
    ) -> None: ...

class PyTorchTerminationPolicy(Model):
    """How the operator detects the end of a job."""
    master: Attribute[PyTorchTerminationMaster | None, PyTorchTerminationMaster | Mapping[str, Any] | None]
    """absent means MASTER, rank 0"""
    def __init__(
        self,
        *,
        master: PyTorchTerminationMaster | Mapping[str, Any] | None = ...,
    ) -> None: ...
