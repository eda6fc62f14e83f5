"""Made by bindings/python/scripts/stubs.py from the tables of the library."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from .._model import Attribute, ListView, MapView, Model
from . import batch, core, meta

class ChainerJob(Model):
    @property
    def api_version(self) -> str: ...
    @property
    def kind(self) -> str: ...
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    spec: Attribute[ChainerJobSpec, ChainerJobSpec | Mapping[str, Any] | None]
    status: Attribute[batch.JobStatus, batch.JobStatus | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: ChainerJobSpec | Mapping[str, Any] | None = ...,
        status: batch.JobStatus | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ChainerJobList(Model):
    @property
    def api_version(self) -> str: ...
    @property
    def kind(self) -> str: ...
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[ChainerJob], Sequence[ChainerJob | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[ChainerJob | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class ChainerJobSpec(Model):
    backend: Attribute[str, str | None]
    master: Attribute[ChainerMaster, ChainerMaster | Mapping[str, Any] | None]
    worker_sets: Attribute[MapView[ChainerWorkerSet], Mapping[str, ChainerWorkerSet | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        backend: str | None = ...,
        master: ChainerMaster | Mapping[str, Any] | None = ...,
        worker_sets: Mapping[str, ChainerWorkerSet | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class ChainerMaster(Model):
    active_deadline_seconds: Attribute[int | None, int | None]
    backoff_limit: Attribute[int | None, int | None]
    mpi_config: Attribute[MpiConfig | None, MpiConfig | Mapping[str, Any] | None]
    template: Attribute[core.PodTemplateSpec, core.PodTemplateSpec | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        active_deadline_seconds: int | None = ...,
        backoff_limit: int | None = ...,
        mpi_config: MpiConfig | Mapping[str, Any] | None = ...,
        template: core.PodTemplateSpec | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ChainerWorkerSet(Model):
    replicas: Attribute[int | None, int | None]
    mpi_config: Attribute[MpiConfig | None, MpiConfig | Mapping[str, Any] | None]
    template: Attribute[core.PodTemplateSpec, core.PodTemplateSpec | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        replicas: int | None = ...,
        mpi_config: MpiConfig | Mapping[str, Any] | None = ...,
        template: core.PodTemplateSpec | Mapping[str, Any] | None = ...,
    ) -> None: ...

class MpiConfig(Model):
    slots: Attribute[int | None, int | None]
    def __init__(
        self,
        *,
        slots: int | None = ...,
    ) -> None: ...

class PyTorchJob(Model):
    @property
    def api_version(self) -> str: ...
    @property
    def kind(self) -> str: ...
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    spec: Attribute[PytorchJobSpec, PytorchJobSpec | Mapping[str, Any] | None]
    status: Attribute[PytorchJobStatus, PytorchJobStatus | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: PytorchJobSpec | Mapping[str, Any] | None = ...,
        status: PytorchJobStatus | Mapping[str, Any] | None = ...,
    ) -> None: ...

class PyTorchJobList(Model):
    @property
    def api_version(self) -> str: ...
    @property
    def kind(self) -> str: ...
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[PyTorchJob], Sequence[PyTorchJob | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[PyTorchJob | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class PytorchJobSpec(Model):
    runtime_id: Attribute[str, str | None]
    replica_specs: Attribute[ListView[PytorchReplicaSpec], Sequence[PytorchReplicaSpec | Mapping[str, Any]] | None]
    pytorch_image: Attribute[str, str | None]
    termination_policy: Attribute[PytorchTerminationPolicy | None, PytorchTerminationPolicy | Mapping[str, Any] | None]
    scheduler_name: Attribute[str, str | None]
    backend: Attribute[str, str | None]
    master_port: Attribute[int | str | None, int | str | None]
    def __init__(
        self,
        *,
        runtime_id: str | None = ...,
        replica_specs: Sequence[PytorchReplicaSpec | Mapping[str, Any]] | None = ...,
        pytorch_image: str | None = ...,
        termination_policy: PytorchTerminationPolicy | Mapping[str, Any] | None = ...,
        scheduler_name: str | None = ...,
        backend: str | None = ...,
        master_port: int | str | None = ...,
    ) -> None: ...

class PytorchJobStatus(Model):
    phase: Attribute[str, str | None]
    reason: Attribute[str, str | None]
    state: Attribute[str, str | None]
    replica_statuses: Attribute[ListView[PytorchReplicaStatus], Sequence[PytorchReplicaStatus | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        phase: str | None = ...,
        reason: str | None = ...,
        state: str | None = ...,
        replica_statuses: Sequence[PytorchReplicaStatus | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class PytorchReplicaSpec(Model):
    replicas: Attribute[int | None, int | None]
    template: Attribute[core.PodTemplateSpec | None, core.PodTemplateSpec | Mapping[str, Any] | None]
    master_port: Attribute[int | None, int | None]
    replica_type: Attribute[str, str | None]
    pytorch_replica_type: Attribute[str, str | None]
    def __init__(
        self,
        *,
        replicas: int | None = ...,
        template: core.PodTemplateSpec | Mapping[str, Any] | None = ...,
        master_port: int | None = ...,
        replica_type: str | None = ...,
        pytorch_replica_type: str | None = ...,
    ) -> None: ...

class PytorchReplicaStatus(Model):
    replica_type: Attribute[str, str | None]
    state: Attribute[str, str | None]
    replicas_states: Attribute[MapView[int], Mapping[str, int] | None]
    def __init__(
        self,
        *,
        replica_type: str | None = ...,
        state: str | None = ...,
        replicas_states: Mapping[str, int] | None = ...,
    ) -> None: ...

class PytorchTerminationMaster(Model):
    replica_name: Attribute[str, str | None]
    replica_rank: Attribute[int, int | None]
    def __init__(
        self,
        *,
        replica_name: str | None = ...,
        replica_rank: int | None = ...,
    ) -> None: ...

class PytorchTerminationPolicy(Model):
    master: Attribute[PytorchTerminationMaster | None, PytorchTerminationMaster | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        master: PytorchTerminationMaster | Mapping[str, Any] | None = ...,
    ) -> None: ...
