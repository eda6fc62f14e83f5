"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any
from . import autoscaling, core, meta
from .._model import Attribute, ListView, MapView, Model
from .._quantity import Quantity

class ElasticPolicy(Model):
    """The policy of a job whose number of workers may change while it runs; absent members have the defaults of
    torchrun."""
    min_replicas: Attribute[int | None, int | None]
    """workers; absent: `maxReplicas`, else the number of workers"""
    max_replicas: Attribute[int | None, int | None]
    """workers; absent: `minReplicas`, else the number of workers"""
    rdzv_backend: Attribute[str | None, str | None]
    """c10d, etcd or etcd-v2"""
    rdzv_port: Attribute[int | None, int | None]
    """absent: the port of the workers of the job"""
    rdzv_host: Attribute[str | None, str | None]
    """absent: the first worker"""
    rdzv_id: Attribute[str | None, str | None]
    """identifies the rendezvous if a store serves several jobs"""
    rdzv_conf: Attribute[ListView[RDZVConf], Sequence[RDZVConf | Mapping[str, Any]] | None]
    """Further settings of the rendezvous, as the variable `PET_RDZV_CONF`."""
    standalone: Attribute[bool | None, bool | None]
    """one node with its own rendezvous"""
    n_proc_per_node: Attribute[int | None, int | None]
    """replaced by `nproc_per_node` of the job"""
    max_restarts: Attribute[int | None, int | None]
    """how often torchrun restarts its workers"""
    metrics: Attribute[ListView[autoscaling.MetricSpec] | None, Sequence[autoscaling.MetricSpec | Mapping[str, Any]] | None]
    """Metrics of the autoscaler of the workers. Absent: no autoscaler; an empty list: its default, 80 % of the CPU."""
    def __init__(
        self,
        *,
        min_replicas: int | None = ...,
        max_replicas: int | None = ...,
        rdzv_backend: str | None = ...,
        rdzv_port: int | None = ...,
        rdzv_host: str | None = ...,
        rdzv_id: str | None = ...,
        rdzv_conf: Sequence[RDZVConf | Mapping[str, Any]] | None = ...,
        standalone: bool | None = ...,
        n_proc_per_node: int | None = ...,
        max_restarts: int | None = ...,
        metrics: Sequence[autoscaling.MetricSpec | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class JAXJob(Model):
    """A JAX training job: workers, the first of which is the coordinator."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """the name prefixes the names of the pods: `<name>-worker-<index>`"""
    spec: Attribute[JAXJobSpec, JAXJobSpec | Mapping[str, Any] | None]
    """desired state"""
    status: Attribute[JobStatus, JobStatus | Mapping[str, Any] | None]
    """observed state, written by the operator"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: JAXJobSpec | Mapping[str, Any] | None = ...,
        status: JobStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class JAXJobList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[JAXJob], Sequence[JAXJob | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[JAXJob | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class JAXJobSpec(Model):
    """The specification of a JAXJob."""
    run_policy: Attribute[RunPolicy, RunPolicy | Mapping[str, Any] | None]
    """limits, clean-up, suspension and gang scheduling"""
    jax_replica_specs: Attribute[MapView[ReplicaSpec], Mapping[str, ReplicaSpec | Mapping[str, Any]] | None]
    """Worker"""
    def __init__(
        self,
        *,
        run_policy: RunPolicy | Mapping[str, Any] | None = ...,
        jax_replica_specs: Mapping[str, ReplicaSpec | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class JobCondition(Model):
    """A state of a job."""
    type: Attribute[str, str | None]
    """Created, Running, Restarting, Succeeded, Suspended or Failed"""
    status: Attribute[str, str | None]
    """True, False or Unknown"""
    reason: Attribute[str, str | None]
    """one word in CamelCase, e.g. `PyTorchJobCreated`"""
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
    """start of the job, or its last resumption; absent if it never ran"""
    completion_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """end of the job; absent before, and after some failures"""
    last_reconcile_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """written only while pods wait for their gang"""
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
    """An MPI job: one launcher and any number of workers, all of them pods."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """the name prefixes the names of the pods: `<name>-launcher`, `<name>-worker-<index>`"""
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
    clean_pod_policy: Attribute[str | None, str | None]
    """All, Running or None; used if the run policy has none"""
    mpi_replica_specs: Attribute[MapView[ReplicaSpec], Mapping[str, ReplicaSpec | Mapping[str, Any]] | None]
    """Launcher and Worker"""
    main_container: Attribute[str, str | None]
    """the container of the workers in which processes start; empty: the first"""
    run_policy: Attribute[RunPolicy, RunPolicy | Mapping[str, Any] | None]
    """limits, clean-up, suspension and gang scheduling"""
    def __init__(
        self,
        *,
        slots_per_worker: int | None = ...,
        clean_pod_policy: str | None = ...,
        mpi_replica_specs: Mapping[str, ReplicaSpec | Mapping[str, Any]] | None = ...,
        main_container: str | None = ...,
        run_policy: RunPolicy | Mapping[str, Any] | None = ...,
    ) -> None: ...

class MXJob(Model):
    """A job of MXNet, BytePS or the tuner of TVM: a scheduler, servers that keep the parameters, and workers that
    train."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """the name prefixes the names of the pods, e.g. `<name>-server-<index>`"""
    spec: Attribute[MXJobSpec, MXJobSpec | Mapping[str, Any] | None]
    """desired state"""
    status: Attribute[JobStatus, JobStatus | Mapping[str, Any] | None]
    """observed state, written by the operator"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: MXJobSpec | Mapping[str, Any] | None = ...,
        status: JobStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class MXJobList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[MXJob], Sequence[MXJob | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[MXJob | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class MXJobSpec(Model):
    """The specification of an MXJob."""
    run_policy: Attribute[RunPolicy, RunPolicy | Mapping[str, Any] | None]
    """limits, clean-up, suspension and gang scheduling"""
    job_mode: Attribute[str, str | None]
    """MXTrain or MXTune; informational, the operator ignores it"""
    mx_replica_specs: Attribute[MapView[ReplicaSpec], Mapping[str, ReplicaSpec | Mapping[str, Any]] | None]
    """Scheduler, Server and Worker; for tuning: TunerTracker, TunerServer and Tuner"""
    def __init__(
        self,
        *,
        run_policy: RunPolicy | Mapping[str, Any] | None = ...,
        job_mode: str | None = ...,
        mx_replica_specs: Mapping[str, ReplicaSpec | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class PaddleElasticPolicy(Model):
    """Bounds and metrics that the operator stores but never uses: they do not reach the pods, and nothing is scaled."""
    min_replicas: Attribute[int | None, int | None]
    """workers; absent: `maxReplicas`, else the number of workers"""
    max_replicas: Attribute[int | None, int | None]
    """workers; absent: `minReplicas`, else the number of workers"""
    max_restarts: Attribute[int | None, int | None]
    """how often members may be restarted"""
    metrics: Attribute[ListView[autoscaling.MetricSpec], Sequence[autoscaling.MetricSpec | Mapping[str, Any]] | None]
    """metrics for scaling the workers"""
    def __init__(
        self,
        *,
        min_replicas: int | None = ...,
        max_replicas: int | None = ...,
        max_restarts: int | None = ...,
        metrics: Sequence[autoscaling.MetricSpec | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class PaddleJob(Model):
    """A PaddlePaddle training job: either workers only, for collective training, or workers with masters, which serve
    parameters."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """the name prefixes the names of the pods, e.g. `<name>-worker-<index>`"""
    spec: Attribute[PaddleJobSpec, PaddleJobSpec | Mapping[str, Any] | None]
    """desired state"""
    status: Attribute[JobStatus, JobStatus | Mapping[str, Any] | None]
    """observed state, written by the operator"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: PaddleJobSpec | Mapping[str, Any] | None = ...,
        status: JobStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class PaddleJobList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[PaddleJob], Sequence[PaddleJob | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[PaddleJob | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class PaddleJobSpec(Model):
    """The specification of a PaddleJob."""
    run_policy: Attribute[RunPolicy, RunPolicy | Mapping[str, Any] | None]
    """limits, clean-up, suspension and gang scheduling"""
    elastic_policy: Attribute[PaddleElasticPolicy | None, PaddleElasticPolicy | Mapping[str, Any] | None]
    """stored, but without effect"""
    paddle_replica_specs: Attribute[MapView[ReplicaSpec], Mapping[str, ReplicaSpec | Mapping[str, Any]] | None]
    """Master and Worker"""
    def __init__(
        self,
        *,
        run_policy: RunPolicy | Mapping[str, Any] | None = ...,
        elastic_policy: PaddleElasticPolicy | Mapping[str, Any] | None = ...,
        paddle_replica_specs: Mapping[str, ReplicaSpec | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class PyTorchJob(Model):
    """A PyTorch training job: at most one master, any number of workers, or workers only."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """the name prefixes the names of the pods, e.g. `<name>-worker-<index>`"""
    spec: Attribute[PyTorchJobSpec, PyTorchJobSpec | Mapping[str, Any] | None]
    """desired state"""
    status: Attribute[JobStatus, JobStatus | Mapping[str, Any] | None]
    """observed state, written by the operator"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: PyTorchJobSpec | Mapping[str, Any] | None = ...,
        status: JobStatus | Mapping[str, Any] | None = ...,
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
    run_policy: Attribute[RunPolicy, RunPolicy | Mapping[str, Any] | None]
    """limits, clean-up, suspension and gang scheduling"""
    elastic_policy: Attribute[ElasticPolicy | None, ElasticPolicy | Mapping[str, Any] | None]
    """absent: the number of workers is fixed"""
    pytorch_replica_specs: Attribute[MapView[ReplicaSpec], Mapping[str, ReplicaSpec | Mapping[str, Any]] | None]
    """Master and Worker"""
    nproc_per_node: Attribute[str | None, str | None]
    """Processes that torchrun starts in each pod: auto, cpu, gpu or a number; absent means auto, unless the elastic
    policy has a number."""
    def __init__(
        self,
        *,
        run_policy: RunPolicy | Mapping[str, Any] | None = ...,
        elastic_policy: ElasticPolicy | Mapping[str, Any] | None = ...,
        pytorch_replica_specs: Mapping[str, ReplicaSpec | Mapping[str, Any]] | None = ...,
        nproc_per_node: str | None = ...,
    ) -> None: ...

class RDZVConf(Model):
    """One `key=value` of torchrun's `--rdzv_conf`."""
    key: Attribute[str, str | None]
    """name of the setting, e.g. `timeout`"""
    value: Attribute[str, str | None]
    """value of the setting, as text"""
    def __init__(
        self,
        *,
        key: str | None = ...,
        value: str | None = ...,
    ) -> None: ...

class ReplicaSpec(Model):
    """Pods of one replica type, made from one template."""
    replicas: Attribute[int | None, int | None]
    """absent means 1, or 0 for Workers of an MPIJob"""
    template: Attribute[core.PodTemplateSpec, core.PodTemplateSpec | Mapping[str, Any] | None]
    """its restartPolicy is replaced by `restart_policy`"""
    restart_policy: Attribute[str, str | None]
    """Always, OnFailure, Never or ExitCode, which restarts pods only after exit codes of 128 or more. Empty: OnFailure
    for PyTorchJob and PaddleJob, otherwise Never."""
    def __init__(
        self,
        *,
        replicas: int | None = ...,
        template: core.PodTemplateSpec | Mapping[str, Any] | None = ...,
        restart_policy: str | None = ...,
    ) -> None: ...

class ReplicaStatus(Model):
    """Counts of the pods of one replica type; pending pods are not counted."""
    active: Attribute[int, int | None]
    """running pods, except those that are being deleted"""
    succeeded: Attribute[int, int | None]
    """pods in the phase Succeeded"""
    failed: Attribute[int, int | None]
    """pods in the phase Failed, and running pods that are being deleted"""
    label_selector: Attribute[meta.LabelSelector | None, meta.LabelSelector | Mapping[str, Any] | None]
    """from old releases; replaced by `selector`"""
    selector: Attribute[str, str | None]
    """selects the pods, as text"""
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
    """Pods that are deleted at the end: All, Running or None (also if absent)."""
    ttl_seconds_after_finished: Attribute[int | None, int | None]
    """Seconds from the end until the job is deleted; absent: never."""
    active_deadline_seconds: Attribute[int | None, int | None]
    """Seconds from the start until the job fails; absent: no limit."""
    backoff_limit: Attribute[int | None, int | None]
    """The job fails when the containers of its running pods were restarted this often in total; 0: at the first
    failure; absent: no limit."""
    scheduling_policy: Attribute[SchedulingPolicy | None, SchedulingPolicy | Mapping[str, Any] | None]
    """Settings of the gang; without effect unless the operator schedules gangs."""
    suspend: Attribute[bool | None, bool | None]
    """if true, running pods are deleted and none are created; absent means false"""
    managed_by: Attribute[str | None, str | None]
    """The controller of the job: `kubeflow.org/training-operator` (also if absent) or `kueue.x-k8s.io/multikueue`."""
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
    """The requirements of the gang of a job."""
    min_available: Attribute[int | None, int | None]
    """Number of pods that must fit before any starts; absent: all pods of the job."""
    queue: Attribute[str, str | None]
    """for Volcano; empty means `default`; cannot be changed"""
    min_resources: Attribute[MapView[Quantity] | None, Mapping[str, str | int | float] | None]
    """absent: the requests of the pods of `min_available`"""
    priority_class: Attribute[str, str | None]
    """for Volcano: name of the PriorityClass of the gang"""
    schedule_timeout_seconds: Attribute[int | None, int | None]
    """For scheduler-plugins: seconds that placed pods wait for the others; absent: the default of the plugin."""
    def __init__(
        self,
        *,
        min_available: int | None = ...,
        queue: str | None = ...,
        min_resources: Mapping[str, str | int | float] | None = ...,
        priority_class: str | None = ...,
        schedule_timeout_seconds: int | None = ...,
    ) -> None: ...

class TFJob(Model):
    """A TensorFlow training job: tasks of several types. `TF_CONFIG` passes the addresses of the other tasks to each
    task."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """the name prefixes the names of the pods, e.g. `<name>-worker-<index>`"""
    spec: Attribute[TFJobSpec, TFJobSpec | Mapping[str, Any] | None]
    """desired state"""
    status: Attribute[JobStatus, JobStatus | Mapping[str, Any] | None]
    """observed state, written by the operator"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: TFJobSpec | Mapping[str, Any] | None = ...,
        status: JobStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class TFJobList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[TFJob], Sequence[TFJob | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[TFJob | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class TFJobSpec(Model):
    """The specification of a TFJob."""
    run_policy: Attribute[RunPolicy, RunPolicy | Mapping[str, Any] | None]
    """limits, clean-up, suspension and gang scheduling"""
    success_policy: Attribute[str | None, str | None]
    """For a job without Chief and Master. Empty: it succeeds with worker 0; `AllWorkers`: with the last worker."""
    tf_replica_specs: Attribute[MapView[ReplicaSpec], Mapping[str, ReplicaSpec | Mapping[str, Any]] | None]
    """Chief or Master, Evaluator, PS and Worker"""
    enable_dynamic_worker: Attribute[bool, bool | None]
    """workers receive only their own address and those of the parameter servers"""
    def __init__(
        self,
        *,
        run_policy: RunPolicy | Mapping[str, Any] | None = ...,
        success_policy: str | None = ...,
        tf_replica_specs: Mapping[str, ReplicaSpec | Mapping[str, Any]] | None = ...,
        enable_dynamic_worker: bool | None = ...,
    ) -> None: ...

class XGBoostJob(Model):
    """A training job of XGBoost or LightGBM: one master, the rendezvous of the workers, and any number of workers."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """the name prefixes the names of the pods, e.g. `<name>-worker-<index>`"""
    spec: Attribute[XGBoostJobSpec, XGBoostJobSpec | Mapping[str, Any] | None]
    """desired state"""
    status: Attribute[JobStatus, JobStatus | Mapping[str, Any] | None]
    """observed state, written by the operator"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: XGBoostJobSpec | Mapping[str, Any] | None = ...,
        status: JobStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class XGBoostJobList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[XGBoostJob], Sequence[XGBoostJob | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[XGBoostJob | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class XGBoostJobSpec(Model):
    """The specification of an XGBoostJob."""
    run_policy: Attribute[RunPolicy, RunPolicy | Mapping[str, Any] | None]
    """limits, clean-up, suspension and gang scheduling"""
    xgb_replica_specs: Attribute[MapView[ReplicaSpec], Mapping[str, ReplicaSpec | Mapping[str, Any]] | None]
    """Master and Worker"""
    def __init__(
        self,
        *,
        run_policy: RunPolicy | Mapping[str, Any] | None = ...,
        xgb_replica_specs: Mapping[str, ReplicaSpec | Mapping[str, Any]] | None = ...,
    ) -> None: ...
