"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any
from . import core, jobset, meta
from .._model import Attribute, ListView, MapView, Model

class ClusterTrainingRuntime(Model):
    """A runtime for TrainJobs of all namespaces."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """TrainJobs refer to the name; it has no namespace"""
    spec: Attribute[TrainingRuntimeSpec, TrainingRuntimeSpec | Mapping[str, Any] | None]
    """the runtime"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: TrainingRuntimeSpec | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class ClusterTrainingRuntimeList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[ClusterTrainingRuntime], Sequence[ClusterTrainingRuntime | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[ClusterTrainingRuntime | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class ContainerPatch(Model):
    """Changes of a container of the runtime."""
    name: Attribute[str, str | None]
    """name of the container"""
    env: Attribute[ListView[core.EnvVar], Sequence[core.EnvVar | Mapping[str, Any]] | None]
    """not for `node` and the containers of initializers"""
    volume_mounts: Attribute[ListView[core.VolumeMount], Sequence[core.VolumeMount | Mapping[str, Any]] | None]
    """further mounts"""
    security_context: Attribute[core.SecurityContext | None, core.SecurityContext | Mapping[str, Any] | None]
    """changed settings"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        env: Sequence[core.EnvVar | Mapping[str, Any]] | None = ...,
        volume_mounts: Sequence[core.VolumeMount | Mapping[str, Any]] | None = ...,
        security_context: core.SecurityContext | Mapping[str, Any] | None = ...,
    ) -> None: ...

class CoschedulingPolicy(Model):
    """A gang of scheduler-plugins."""
    schedule_timeout_seconds: Attribute[int | None, int | None]
    """how long placed pods wait for others; absent means 60"""
    def __init__(
        self,
        *,
        schedule_timeout_seconds: int | None = ...,
    ) -> None: ...

class EnvInjection(Model):
    """Further containers with the variables of torchrun."""
    targets: Attribute[ListView[EnvInjectionTarget], Sequence[EnvInjectionTarget | Mapping[str, Any]] | None]
    """at most 16, one for each Job"""
    def __init__(
        self,
        *,
        targets: Sequence[EnvInjectionTarget | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class EnvInjectionTarget(Model):
    """Containers of one Job that receive the variables of torchrun in addition to the container `node`."""
    job_name: Attribute[str, str | None]
    """name of an entry of the template's `replicatedJobs`"""
    container_names: Attribute[ListView[str], Sequence[str] | None]
    """its containers or init containers; not `node`"""
    def __init__(
        self,
        *,
        job_name: str | None = ...,
        container_names: Sequence[str] | None = ...,
    ) -> None: ...

class FluxPolicy(Model):
    """Processes that the brokers of Flux start."""
    num_proc_per_node: Attribute[int | None, int | None]
    """processes on a host, at least 1; absent means 1"""
    def __init__(
        self,
        *,
        num_proc_per_node: int | None = ...,
    ) -> None: ...

class Initializer(Model):
    """The sources that initializers fetch before the training starts. The runtime must have a Job for each."""
    dataset: Attribute[StorageSource | None, StorageSource | Mapping[str, Any] | None]
    """absent: the settings of the runtime"""
    model: Attribute[StorageSource | None, StorageSource | Mapping[str, Any] | None]
    """absent: the settings of the runtime"""
    def __init__(
        self,
        *,
        dataset: StorageSource | Mapping[str, Any] | None = ...,
        model: StorageSource | Mapping[str, Any] | None = ...,
    ) -> None: ...

class JAXPolicy(Model):
    """One JAX process in each pod."""

class JobSetSpecPatch(Model):
    """Changes of the specification of the JobSet."""
    replicated_jobs: Attribute[ListView[ReplicatedJobPatch], Sequence[ReplicatedJobPatch | Mapping[str, Any]] | None]
    """changes of its Jobs"""
    def __init__(
        self,
        *,
        replicated_jobs: Sequence[ReplicatedJobPatch | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class JobSetTemplatePatch(Model):
    """Changes of the template of the JobSet."""
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """labels and annotations of the JobSet"""
    spec: Attribute[JobSetSpecPatch | None, JobSetSpecPatch | Mapping[str, Any] | None]
    """changes of the JobSet"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: JobSetSpecPatch | Mapping[str, Any] | None = ...,
    ) -> None: ...

class JobSetTemplateSpec(Model):
    """The template of the JobSet of a TrainJob."""
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """labels and annotations of the JobSet"""
    spec: Attribute[jobset.JobSetSpec, jobset.JobSetSpec | Mapping[str, Any] | None]
    """desired state of the JobSet"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: jobset.JobSetSpec | Mapping[str, Any] | None = ...,
    ) -> None: ...

class JobSpecPatch(Model):
    """Changes of the specification of a Job."""
    template: Attribute[PodTemplatePatch | None, PodTemplatePatch | Mapping[str, Any] | None]
    """changes of the pods"""
    def __init__(
        self,
        *,
        template: PodTemplatePatch | Mapping[str, Any] | None = ...,
    ) -> None: ...

class JobStatus(Model):
    """Counts of the Jobs of one entry of the JobSet. A TrainJob has one Job for each entry."""
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
    def __init__(
        self,
        *,
        name: str | None = ...,
        ready: int | None = ...,
        succeeded: int | None = ...,
        failed: int | None = ...,
        active: int | None = ...,
        suspended: int | None = ...,
    ) -> None: ...

class JobTemplatePatch(Model):
    """Changes of a Job template."""
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """labels and annotations of the Job"""
    spec: Attribute[JobSpecPatch | None, JobSpecPatch | Mapping[str, Any] | None]
    """changes of the Job"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: JobSpecPatch | Mapping[str, Any] | None = ...,
    ) -> None: ...

class JobTrainer(Model):
    """The program in the container `node` of the Job that trains. Absent fields are those of the runtime."""
    image: Attribute[str, str | None]
    """image of the container"""
    command: Attribute[ListView[str], Sequence[str] | None]
    """replaces the command; the arguments of the runtime stay"""
    args: Attribute[ListView[str], Sequence[str] | None]
    """replaces the arguments"""
    env: Attribute[ListView[core.EnvVar], Sequence[core.EnvVar | Mapping[str, Any]] | None]
    """further variables; take precedence over those of the runtime"""
    num_nodes: Attribute[int | None, int | None]
    """number of pods"""
    resources_per_node: Attribute[core.ResourceRequirements | None, core.ResourceRequirements | Mapping[str, Any] | None]
    """Added to the resources of the runtime by name, but counted alone: see `num_proc_per_node`."""
    num_proc_per_node: Attribute[int | None, int | None]
    """Processes in each pod; absent: by the policy of the runtime, for PyTorch from GPUs or CPUs."""
    def __init__(
        self,
        *,
        image: str | None = ...,
        command: Sequence[str] | None = ...,
        args: Sequence[str] | None = ...,
        env: Sequence[core.EnvVar | Mapping[str, Any]] | None = ...,
        num_nodes: int | None = ...,
        resources_per_node: core.ResourceRequirements | Mapping[str, Any] | None = ...,
        num_proc_per_node: int | None = ...,
    ) -> None: ...

class MPIPolicy(Model):
    """Processes that `mpirun` starts over ssh."""
    num_proc_per_node: Attribute[int | None, int | None]
    """slots of a host; absent means 1"""
    mpi_implementation: Attribute[str | None, str | None]
    """OpenMPI, also if absent; no other can be rendered"""
    ssh_auth_mount_path: Attribute[str | None, str | None]
    """directory of the ssh keys; absent means `/root/.ssh`"""
    run_launcher_as_node: Attribute[bool | None, bool | None]
    """Whether the launcher is a host, too; absent means false."""
    def __init__(
        self,
        *,
        num_proc_per_node: int | None = ...,
        mpi_implementation: str | None = ...,
        ssh_auth_mount_path: str | None = ...,
        run_launcher_as_node: bool | None = ...,
    ) -> None: ...

class Metric(Model):
    """A value that the training program reports."""
    name: Attribute[str, str | None]
    """e.g. `loss`"""
    value: Attribute[str, str | None]
    """the value as text"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        value: str | None = ...,
    ) -> None: ...

class MlPolicy(Model):
    """The settings of a framework. At most one of the frameworks is set; without one nothing is injected."""
    num_nodes: Attribute[int | None, int | None]
    """Pods of the Job that trains, unless the TrainJob has a number; absent means 1."""
    torch: Attribute[TorchPolicy | None, TorchPolicy | Mapping[str, Any] | None]
    """PyTorch"""
    mpi: Attribute[MPIPolicy | None, MPIPolicy | Mapping[str, Any] | None]
    """MPI"""
    flux: Attribute[FluxPolicy | None, FluxPolicy | Mapping[str, Any] | None]
    """Flux"""
    jax: Attribute[JAXPolicy | None, JAXPolicy | Mapping[str, Any] | None]
    """JAX"""
    xgboost: Attribute[XGBoostPolicy | None, XGBoostPolicy | Mapping[str, Any] | None]
    """XGBoost"""
    def __init__(
        self,
        *,
        num_nodes: int | None = ...,
        torch: TorchPolicy | Mapping[str, Any] | None = ...,
        mpi: MPIPolicy | Mapping[str, Any] | None = ...,
        flux: FluxPolicy | Mapping[str, Any] | None = ...,
        jax: JAXPolicy | Mapping[str, Any] | None = ...,
        xgboost: XGBoostPolicy | Mapping[str, Any] | None = ...,
    ) -> None: ...

class NetworkTopology(Model):
    """How near to each other the nodes of a gang must be."""
    mode: Attribute[str, str | None]
    """hard (also if empty) or soft"""
    highest_tier_allowed: Attribute[int | None, int | None]
    """highest tier that the gang may span; absent means 1"""
    def __init__(
        self,
        *,
        mode: str | None = ...,
        highest_tier_allowed: int | None = ...,
    ) -> None: ...

class PodGroupPolicy(Model):
    """The scheduler for which a PodGroup is created. The templates of the pods must name it themselves."""
    coscheduling: Attribute[CoschedulingPolicy | None, CoschedulingPolicy | Mapping[str, Any] | None]
    """scheduler-plugins"""
    volcano: Attribute[VolcanoPolicy | None, VolcanoPolicy | Mapping[str, Any] | None]
    """Volcano"""
    def __init__(
        self,
        *,
        coscheduling: CoschedulingPolicy | Mapping[str, Any] | None = ...,
        volcano: VolcanoPolicy | Mapping[str, Any] | None = ...,
    ) -> None: ...

class PodSpecPatch(Model):
    """Changes of the pods of a Job of the runtime. Only node selector, affinity, tolerations and scheduling gates may
    change after the creation."""
    service_account_name: Attribute[str, str | None]
    """replaces the service account"""
    node_selector: Attribute[MapView[str], Mapping[str, str] | None]
    """further labels of the node"""
    affinity: Attribute[core.Affinity | None, core.Affinity | Mapping[str, Any] | None]
    """changed rules; lists of terms are replaced"""
    tolerations: Attribute[ListView[core.Toleration], Sequence[core.Toleration | Mapping[str, Any]] | None]
    """replaces the tolerations"""
    volumes: Attribute[ListView[core.Volume], Sequence[core.Volume | Mapping[str, Any]] | None]
    """further volumes"""
    init_containers: Attribute[ListView[ContainerPatch], Sequence[ContainerPatch | Mapping[str, Any]] | None]
    """changes of init containers"""
    containers: Attribute[ListView[ContainerPatch], Sequence[ContainerPatch | Mapping[str, Any]] | None]
    """changes of containers"""
    scheduling_gates: Attribute[ListView[core.PodSchedulingGate], Sequence[core.PodSchedulingGate | Mapping[str, Any]] | None]
    """further gates"""
    image_pull_secrets: Attribute[ListView[core.LocalObjectReference], Sequence[core.LocalObjectReference | Mapping[str, Any]] | None]
    """further Secrets"""
    security_context: Attribute[core.PodSecurityContext | None, core.PodSecurityContext | Mapping[str, Any] | None]
    """changed settings"""
    termination_grace_period_seconds: Attribute[int | None, int | None]
    """replaces the grace period"""
    def __init__(
        self,
        *,
        service_account_name: str | None = ...,
        node_selector: Mapping[str, str] | None = ...,
        affinity: core.Affinity | Mapping[str, Any] | None = ...,
        tolerations: Sequence[core.Toleration | Mapping[str, Any]] | None = ...,
        volumes: Sequence[core.Volume | Mapping[str, Any]] | None = ...,
        init_containers: Sequence[ContainerPatch | Mapping[str, Any]] | None = ...,
        containers: Sequence[ContainerPatch | Mapping[str, Any]] | None = ...,
        scheduling_gates: Sequence[core.PodSchedulingGate | Mapping[str, Any]] | None = ...,
        image_pull_secrets: Sequence[core.LocalObjectReference | Mapping[str, Any]] | None = ...,
        security_context: core.PodSecurityContext | Mapping[str, Any] | None = ...,
        termination_grace_period_seconds: int | None = ...,
    ) -> None: ...

class PodTemplatePatch(Model):
    """Changes of a pod template."""
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """labels and annotations of the pods"""
    spec: Attribute[PodSpecPatch | None, PodSpecPatch | Mapping[str, Any] | None]
    """changes of the pods"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: PodSpecPatch | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ReplicatedJobPatch(Model):
    """Changes of a Job of the runtime."""
    name: Attribute[str, str | None]
    """name of an entry of the runtime's `replicatedJobs`"""
    template: Attribute[JobTemplatePatch | None, JobTemplatePatch | Mapping[str, Any] | None]
    """the changes"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        template: JobTemplatePatch | Mapping[str, Any] | None = ...,
    ) -> None: ...

class RuntimePatch(Model):
    """Changes of the runtime for one job, by one writer. They apply in the order of the list."""
    manager: Attribute[str, str | None]
    """the writer, as a path with a domain: `example.com/platform`"""
    time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """time of the last change; set by the webhook"""
    training_runtime_spec: Attribute[TrainingRuntimeSpecPatch | None, TrainingRuntimeSpecPatch | Mapping[str, Any] | None]
    """the changes"""
    def __init__(
        self,
        *,
        manager: str | None = ...,
        time: datetime.datetime | str | None = ...,
        training_runtime_spec: TrainingRuntimeSpecPatch | Mapping[str, Any] | None = ...,
    ) -> None: ...

class RuntimeRef(Model):
    """The runtime of a job."""
    name: Attribute[str, str | None]
    """name of the runtime"""
    api_group: Attribute[str | None, str | None]
    """absent means `trainer.kubeflow.org`"""
    kind: Attribute[str | None, str | None]
    """ClusterTrainingRuntime (also if absent), or TrainingRuntime of the namespace of the job."""
    def __init__(
        self,
        *,
        name: str | None = ...,
        api_group: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class StorageSource(Model):
    """The source from which an initializer copies to the shared volume of the job."""
    storage_uri: Attribute[str, str | None]
    """e.g. `hf://org/name`, `s3://bucket/path`"""
    env: Attribute[ListView[core.EnvVar], Sequence[core.EnvVar | Mapping[str, Any]] | None]
    """further variables of the initializer"""
    secret_ref: Attribute[core.LocalObjectReference | None, core.LocalObjectReference | Mapping[str, Any] | None]
    """Secret whose keys become variables of the initializer"""
    def __init__(
        self,
        *,
        storage_uri: str | None = ...,
        env: Sequence[core.EnvVar | Mapping[str, Any]] | None = ...,
        secret_ref: core.LocalObjectReference | Mapping[str, Any] | None = ...,
    ) -> None: ...

class TorchPolicy(Model):
    """Processes that `torchrun` starts."""
    env_injection: Attribute[EnvInjection | None, EnvInjection | Mapping[str, Any] | None]
    """absent: only the container `node` has the variables"""
    def __init__(
        self,
        *,
        env_injection: EnvInjection | Mapping[str, Any] | None = ...,
    ) -> None: ...

class TrainJob(Model):
    """A job of Kubeflow Trainer."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """the JobSet and its Jobs have the name; 33 to 48 characters at most"""
    spec: Attribute[TrainJobSpec, TrainJobSpec | Mapping[str, Any] | None]
    """desired state"""
    status: Attribute[TrainJobStatus, TrainJobStatus | Mapping[str, Any] | None]
    """observed state, written by the controller"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: TrainJobSpec | Mapping[str, Any] | None = ...,
        status: TrainJobStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class TrainJobList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[TrainJob], Sequence[TrainJob | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[TrainJob | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class TrainJobSpec(Model):
    """The specification of a job. Only `suspend` and `runtime_patches` may change after the creation."""
    runtime_ref: Attribute[RuntimeRef, RuntimeRef | Mapping[str, Any] | None]
    """how to run the job"""
    initializer: Attribute[Initializer | None, Initializer | Mapping[str, Any] | None]
    """absent: the settings of the runtime"""
    trainer: Attribute[JobTrainer | None, JobTrainer | Mapping[str, Any] | None]
    """absent: no variables of the framework are injected"""
    runtime_patches: Attribute[ListView[RuntimePatch], Sequence[RuntimePatch | Mapping[str, Any]] | None]
    """changes of the runtime for this job"""
    suspend: Attribute[bool | None, bool | None]
    """if true, no pods run; absent means false"""
    active_deadline_seconds: Attribute[int | None, int | None]
    """seconds until the job fails; absent: no limit"""
    managed_by: Attribute[str | None, str | None]
    """Controller of the job: `trainer.kubeflow.org/trainjob-controller` (also if absent) or
    `kueue.x-k8s.io/multikueue`."""
    def __init__(
        self,
        *,
        runtime_ref: RuntimeRef | Mapping[str, Any] | None = ...,
        initializer: Initializer | Mapping[str, Any] | None = ...,
        trainer: JobTrainer | Mapping[str, Any] | None = ...,
        runtime_patches: Sequence[RuntimePatch | Mapping[str, Any]] | None = ...,
        suspend: bool | None = ...,
        active_deadline_seconds: int | None = ...,
        managed_by: str | None = ...,
    ) -> None: ...

class TrainJobStatus(Model):
    """The observed state of a job. A job that runs and was never suspended has no conditions."""
    conditions: Attribute[ListView[meta.Condition], Sequence[meta.Condition | Mapping[str, Any]] | None]
    """Suspended, Complete or Failed, at most one of each type"""
    jobs_status: Attribute[ListView[JobStatus], Sequence[JobStatus | Mapping[str, Any]] | None]
    """counts of Jobs, in any order"""
    trainer_status: Attribute[TrainerStatus | None, TrainerStatus | Mapping[str, Any] | None]
    """absent: the program has reported nothing"""
    def __init__(
        self,
        *,
        conditions: Sequence[meta.Condition | Mapping[str, Any]] | None = ...,
        jobs_status: Sequence[JobStatus | Mapping[str, Any]] | None = ...,
        trainer_status: TrainerStatus | Mapping[str, Any] | None = ...,
    ) -> None: ...

class TrainerStatus(Model):
    """The progress that the training program reports. Needs the feature gate `TrainJobStatus`."""
    progress_percentage: Attribute[int | None, int | None]
    """0 to 100"""
    estimated_remaining_seconds: Attribute[int | None, int | None]
    """time until the end"""
    metrics: Attribute[ListView[Metric], Sequence[Metric | Mapping[str, Any]] | None]
    """at most 256"""
    last_updated_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """time of the report"""
    def __init__(
        self,
        *,
        progress_percentage: int | None = ...,
        estimated_remaining_seconds: int | None = ...,
        metrics: Sequence[Metric | Mapping[str, Any]] | None = ...,
        last_updated_time: datetime.datetime | str | None = ...,
    ) -> None: ...

class TrainingRuntime(Model):
    """A runtime for TrainJobs of its namespace."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """TrainJobs refer to the name"""
    spec: Attribute[TrainingRuntimeSpec, TrainingRuntimeSpec | Mapping[str, Any] | None]
    """the runtime"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: TrainingRuntimeSpec | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class TrainingRuntimeList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[TrainingRuntime], Sequence[TrainingRuntime | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[TrainingRuntime | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class TrainingRuntimeSpec(Model):
    """How TrainJobs that refer to the runtime run."""
    ml_policy: Attribute[MlPolicy | None, MlPolicy | Mapping[str, Any] | None]
    """absent: nothing is injected"""
    pod_group_policy: Attribute[PodGroupPolicy | None, PodGroupPolicy | Mapping[str, Any] | None]
    """absent: no gang"""
    template: Attribute[JobSetTemplateSpec, JobSetTemplateSpec | Mapping[str, Any] | None]
    """the JobSet"""
    def __init__(
        self,
        *,
        ml_policy: MlPolicy | Mapping[str, Any] | None = ...,
        pod_group_policy: PodGroupPolicy | Mapping[str, Any] | None = ...,
        template: JobSetTemplateSpec | Mapping[str, Any] | None = ...,
    ) -> None: ...

class TrainingRuntimeSpecPatch(Model):
    """Changes of the specification of the runtime."""
    template: Attribute[JobSetTemplatePatch | None, JobSetTemplatePatch | Mapping[str, Any] | None]
    """changes of the template"""
    def __init__(
        self,
        *,
        template: JobSetTemplatePatch | Mapping[str, Any] | None = ...,
    ) -> None: ...

class VolcanoPolicy(Model):
    """A gang of Volcano."""
    network_topology: Attribute[NetworkTopology | None, NetworkTopology | Mapping[str, Any] | None]
    """absent: any nodes"""
    def __init__(
        self,
        *,
        network_topology: NetworkTopology | Mapping[str, Any] | None = ...,
    ) -> None: ...

class XGBoostPolicy(Model):
    """Workers of XGBoost that find each other by a tracker."""
