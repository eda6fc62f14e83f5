"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any
from . import meta
from .._model import Attribute, ListView, MapView, Model
from .._quantity import Quantity

class AWSElasticBlockStoreVolumeSource(Model):
    volume_id: Attribute[str, str | None]
    fs_type: Attribute[str, str | None]
    partition: Attribute[int, int | None]
    """0: the whole volume"""
    read_only: Attribute[bool, bool | None]
    def __init__(
        self,
        *,
        volume_id: str | None = ...,
        fs_type: str | None = ...,
        partition: int | None = ...,
        read_only: bool | None = ...,
    ) -> None: ...

class Affinity(Model):
    node_affinity: Attribute[NodeAffinity | None, NodeAffinity | Mapping[str, Any] | None]
    pod_affinity: Attribute[PodAffinity | None, PodAffinity | Mapping[str, Any] | None]
    pod_anti_affinity: Attribute[PodAntiAffinity | None, PodAntiAffinity | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        node_affinity: NodeAffinity | Mapping[str, Any] | None = ...,
        pod_affinity: PodAffinity | Mapping[str, Any] | None = ...,
        pod_anti_affinity: PodAntiAffinity | Mapping[str, Any] | None = ...,
    ) -> None: ...

class AppArmorProfile(Model):
    type: Attribute[str, str | None]
    """Localhost, RuntimeDefault or Unconfined"""
    localhost_profile: Attribute[str | None, str | None]
    """name of a loaded profile, with type Localhost"""
    def __init__(
        self,
        *,
        type: str | None = ...,
        localhost_profile: str | None = ...,
    ) -> None: ...

class AttachedVolume(Model):
    name: Attribute[str, str | None]
    device_path: Attribute[str, str | None]
    def __init__(
        self,
        *,
        name: str | None = ...,
        device_path: str | None = ...,
    ) -> None: ...

class AzureDiskVolumeSource(Model):
    disk_name: Attribute[str, str | None]
    disk_uri: Attribute[str, str | None]
    caching_mode: Attribute[str | None, str | None]
    """None, ReadOnly or ReadWrite"""
    fs_type: Attribute[str | None, str | None]
    read_only: Attribute[bool | None, bool | None]
    kind: Attribute[str | None, str | None]
    """Shared, Dedicated or Managed"""
    def __init__(
        self,
        *,
        disk_name: str | None = ...,
        disk_uri: str | None = ...,
        caching_mode: str | None = ...,
        fs_type: str | None = ...,
        read_only: bool | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class AzureFileVolumeSource(Model):
    secret_name: Attribute[str, str | None]
    share_name: Attribute[str, str | None]
    read_only: Attribute[bool, bool | None]
    def __init__(
        self,
        *,
        secret_name: str | None = ...,
        share_name: str | None = ...,
        read_only: bool | None = ...,
    ) -> None: ...

class Binding(Model):
    """Assigns the pod of the same name to the node `target`."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    target: Attribute[ObjectReference, ObjectReference | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        target: ObjectReference | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class CSIVolumeSource(Model):
    """A volume that a storage driver creates for the pod."""
    driver: Attribute[str, str | None]
    read_only: Attribute[bool | None, bool | None]
    fs_type: Attribute[str | None, str | None]
    volume_attributes: Attribute[MapView[str], Mapping[str, str] | None]
    node_publish_secret_ref: Attribute[LocalObjectReference | None, LocalObjectReference | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        driver: str | None = ...,
        read_only: bool | None = ...,
        fs_type: str | None = ...,
        volume_attributes: Mapping[str, str] | None = ...,
        node_publish_secret_ref: LocalObjectReference | Mapping[str, Any] | None = ...,
    ) -> None: ...

class Capabilities(Model):
    """Linux capabilities, in addition to the default of the runtime."""
    add: Attribute[ListView[str], Sequence[str] | None]
    drop: Attribute[ListView[str], Sequence[str] | None]
    def __init__(
        self,
        *,
        add: Sequence[str] | None = ...,
        drop: Sequence[str] | None = ...,
    ) -> None: ...

class CephFSVolumeSource(Model):
    monitors: Attribute[ListView[str], Sequence[str] | None]
    path: Attribute[str, str | None]
    user: Attribute[str, str | None]
    secret_file: Attribute[str, str | None]
    secret_ref: Attribute[LocalObjectReference | None, LocalObjectReference | Mapping[str, Any] | None]
    read_only: Attribute[bool, bool | None]
    def __init__(
        self,
        *,
        monitors: Sequence[str] | None = ...,
        path: str | None = ...,
        user: str | None = ...,
        secret_file: str | None = ...,
        secret_ref: LocalObjectReference | Mapping[str, Any] | None = ...,
        read_only: bool | None = ...,
    ) -> None: ...

class CinderVolumeSource(Model):
    volume_id: Attribute[str, str | None]
    fs_type: Attribute[str, str | None]
    read_only: Attribute[bool, bool | None]
    secret_ref: Attribute[LocalObjectReference | None, LocalObjectReference | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        volume_id: str | None = ...,
        fs_type: str | None = ...,
        read_only: bool | None = ...,
        secret_ref: LocalObjectReference | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ClientIPConfig(Model):
    """Sends a client to the same pod for this time."""
    timeout_seconds: Attribute[int | None, int | None]
    """absent means 10800"""
    def __init__(
        self,
        *,
        timeout_seconds: int | None = ...,
    ) -> None: ...

class ClusterTrustBundleProjection(Model):
    """CA certificates, by name or by signer and labels."""
    name: Attribute[str | None, str | None]
    signer_name: Attribute[str | None, str | None]
    label_selector: Attribute[meta.LabelSelector | None, meta.LabelSelector | Mapping[str, Any] | None]
    optional: Attribute[bool | None, bool | None]
    path: Attribute[str, str | None]
    def __init__(
        self,
        *,
        name: str | None = ...,
        signer_name: str | None = ...,
        label_selector: meta.LabelSelector | Mapping[str, Any] | None = ...,
        optional: bool | None = ...,
        path: str | None = ...,
    ) -> None: ...

class ConfigMap(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    immutable: Attribute[bool | None, bool | None]
    """if true, the data can no longer be changed"""
    data: Attribute[MapView[str], Mapping[str, str] | None]
    """UTF-8"""
    binary_data: Attribute[MapView[bytes], Mapping[str, bytes] | None]
    """its keys must differ from those of `data`"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        immutable: bool | None = ...,
        data: Mapping[str, str] | None = ...,
        binary_data: Mapping[str, bytes] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class ConfigMapEnvSource(Model):
    name: Attribute[str, str | None]
    optional: Attribute[bool | None, bool | None]
    """if true, a missing object is ignored"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        optional: bool | None = ...,
    ) -> None: ...

class ConfigMapKeySelector(Model):
    name: Attribute[str, str | None]
    key: Attribute[str, str | None]
    optional: Attribute[bool | None, bool | None]
    """if true, the variable is omitted if the key does not exist"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        key: str | None = ...,
        optional: bool | None = ...,
    ) -> None: ...

class ConfigMapList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[ConfigMap], Sequence[ConfigMap | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[ConfigMap | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class ConfigMapNodeConfigSource(Model):
    """Not served since Kubernetes 1.24."""
    namespace: Attribute[str, str | None]
    name: Attribute[str, str | None]
    uid: Attribute[str, str | None]
    resource_version: Attribute[str, str | None]
    kubelet_config_key: Attribute[str, str | None]
    def __init__(
        self,
        *,
        namespace: str | None = ...,
        name: str | None = ...,
        uid: str | None = ...,
        resource_version: str | None = ...,
        kubelet_config_key: str | None = ...,
    ) -> None: ...

class ConfigMapProjection(Model):
    name: Attribute[str, str | None]
    items: Attribute[ListView[KeyToPath], Sequence[KeyToPath | Mapping[str, Any]] | None]
    """empty: all keys"""
    optional: Attribute[bool | None, bool | None]
    def __init__(
        self,
        *,
        name: str | None = ...,
        items: Sequence[KeyToPath | Mapping[str, Any]] | None = ...,
        optional: bool | None = ...,
    ) -> None: ...

class ConfigMapVolumeSource(Model):
    name: Attribute[str, str | None]
    items: Attribute[ListView[KeyToPath], Sequence[KeyToPath | Mapping[str, Any]] | None]
    """empty: all keys"""
    default_mode: Attribute[int | None, int | None]
    """permission bits; absent means 0644"""
    optional: Attribute[bool | None, bool | None]
    """if true, the volume is empty if the config map does not exist"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        items: Sequence[KeyToPath | Mapping[str, Any]] | None = ...,
        default_mode: int | None = ...,
        optional: bool | None = ...,
    ) -> None: ...

class Container(Model):
    name: Attribute[str, str | None]
    image: Attribute[str, str | None]
    command: Attribute[ListView[str], Sequence[str] | None]
    """replaces the entry point of the image"""
    args: Attribute[ListView[str], Sequence[str] | None]
    """replaces the arguments of the image"""
    working_dir: Attribute[str, str | None]
    """empty: that of the image"""
    ports: Attribute[ListView[ContainerPort], Sequence[ContainerPort | Mapping[str, Any]] | None]
    env_from: Attribute[ListView[EnvFromSource], Sequence[EnvFromSource | Mapping[str, Any]] | None]
    """`env` takes precedence"""
    env: Attribute[ListView[EnvVar], Sequence[EnvVar | Mapping[str, Any]] | None]
    resources: Attribute[ResourceRequirements, ResourceRequirements | Mapping[str, Any] | None]
    resize_policy: Attribute[ListView[ContainerResizePolicy], Sequence[ContainerResizePolicy | Mapping[str, Any]] | None]
    restart_policy: Attribute[str | None, str | None]
    """in init containers, Always makes a sidecar"""
    restart_policy_rules: Attribute[ListView[ContainerRestartRule], Sequence[ContainerRestartRule | Mapping[str, Any]] | None]
    """The first matching rule takes precedence over `restart_policy`"""
    volume_mounts: Attribute[ListView[VolumeMount], Sequence[VolumeMount | Mapping[str, Any]] | None]
    volume_devices: Attribute[ListView[VolumeDevice], Sequence[VolumeDevice | Mapping[str, Any]] | None]
    liveness_probe: Attribute[Probe | None, Probe | Mapping[str, Any] | None]
    readiness_probe: Attribute[Probe | None, Probe | Mapping[str, Any] | None]
    startup_probe: Attribute[Probe | None, Probe | Mapping[str, Any] | None]
    """the other probes wait until it succeeds"""
    lifecycle: Attribute[Lifecycle | None, Lifecycle | Mapping[str, Any] | None]
    termination_message_path: Attribute[str, str | None]
    """empty means `/dev/termination-log`"""
    termination_message_policy: Attribute[str, str | None]
    """File or FallbackToLogsOnError; empty means File"""
    image_pull_policy: Attribute[str, str | None]
    """Always, Never or IfNotPresent"""
    security_context: Attribute[SecurityContext | None, SecurityContext | Mapping[str, Any] | None]
    stdin: Attribute[bool, bool | None]
    stdin_once: Attribute[bool, bool | None]
    tty: Attribute[bool, bool | None]
    def __init__(
        self,
        *,
        name: str | None = ...,
        image: str | None = ...,
        command: Sequence[str] | None = ...,
        args: Sequence[str] | None = ...,
        working_dir: str | None = ...,
        ports: Sequence[ContainerPort | Mapping[str, Any]] | None = ...,
        env_from: Sequence[EnvFromSource | Mapping[str, Any]] | None = ...,
        env: Sequence[EnvVar | Mapping[str, Any]] | None = ...,
        resources: ResourceRequirements | Mapping[str, Any] | None = ...,
        resize_policy: Sequence[ContainerResizePolicy | Mapping[str, Any]] | None = ...,
        restart_policy: str | None = ...,
        restart_policy_rules: Sequence[ContainerRestartRule | Mapping[str, Any]] | None = ...,
        volume_mounts: Sequence[VolumeMount | Mapping[str, Any]] | None = ...,
        volume_devices: Sequence[VolumeDevice | Mapping[str, Any]] | None = ...,
        liveness_probe: Probe | Mapping[str, Any] | None = ...,
        readiness_probe: Probe | Mapping[str, Any] | None = ...,
        startup_probe: Probe | Mapping[str, Any] | None = ...,
        lifecycle: Lifecycle | Mapping[str, Any] | None = ...,
        termination_message_path: str | None = ...,
        termination_message_policy: str | None = ...,
        image_pull_policy: str | None = ...,
        security_context: SecurityContext | Mapping[str, Any] | None = ...,
        stdin: bool | None = ...,
        stdin_once: bool | None = ...,
        tty: bool | None = ...,
    ) -> None: ...

class ContainerImage(Model):
    names: Attribute[ListView[str], Sequence[str] | None]
    size_bytes: Attribute[int, int | None]
    """in bytes"""
    def __init__(
        self,
        *,
        names: Sequence[str] | None = ...,
        size_bytes: int | None = ...,
    ) -> None: ...

class ContainerPort(Model):
    name: Attribute[str, str | None]
    """unique in the pod; services may refer to it"""
    host_port: Attribute[int, int | None]
    """0: none"""
    container_port: Attribute[int, int | None]
    protocol: Attribute[str, str | None]
    """TCP, UDP or SCTP; empty means TCP"""
    host_ip: Attribute[str, str | None]
    """address of the node to which the port is bound"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        host_port: int | None = ...,
        container_port: int | None = ...,
        protocol: str | None = ...,
        host_ip: str | None = ...,
    ) -> None: ...

class ContainerResizePolicy(Model):
    """Whether changing a resource of a running container restarts it."""
    resource_name: Attribute[str, str | None]
    """cpu or memory"""
    restart_policy: Attribute[str, str | None]
    """NotRequired or RestartContainer"""
    def __init__(
        self,
        *,
        resource_name: str | None = ...,
        restart_policy: str | None = ...,
    ) -> None: ...

class ContainerRestartRule(Model):
    """The action after a container ended."""
    action: Attribute[str, str | None]
    """Restart or RestartAllContainers"""
    exit_codes: Attribute[ContainerRestartRuleOnExitCodes | None, ContainerRestartRuleOnExitCodes | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        action: str | None = ...,
        exit_codes: ContainerRestartRuleOnExitCodes | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ContainerRestartRuleOnExitCodes(Model):
    """The exit codes to which a rule applies."""
    operator: Attribute[str, str | None]
    """In or NotIn"""
    values: Attribute[ListView[int], Sequence[int] | None]
    def __init__(
        self,
        *,
        operator: str | None = ...,
        values: Sequence[int] | None = ...,
    ) -> None: ...

class ContainerState(Model):
    """At most one of the three is set; none means waiting."""
    waiting: Attribute[ContainerStateWaiting | None, ContainerStateWaiting | Mapping[str, Any] | None]
    running: Attribute[ContainerStateRunning | None, ContainerStateRunning | Mapping[str, Any] | None]
    terminated: Attribute[ContainerStateTerminated | None, ContainerStateTerminated | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        waiting: ContainerStateWaiting | Mapping[str, Any] | None = ...,
        running: ContainerStateRunning | Mapping[str, Any] | None = ...,
        terminated: ContainerStateTerminated | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ContainerStateRunning(Model):
    started_at: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    def __init__(
        self,
        *,
        started_at: datetime.datetime | str | None = ...,
    ) -> None: ...

class ContainerStateTerminated(Model):
    exit_code: Attribute[int, int | None]
    signal: Attribute[int, int | None]
    """0: exited without a signal"""
    reason: Attribute[str, str | None]
    message: Attribute[str, str | None]
    started_at: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    finished_at: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    container_id: Attribute[str, str | None]
    def __init__(
        self,
        *,
        exit_code: int | None = ...,
        signal: int | None = ...,
        reason: str | None = ...,
        message: str | None = ...,
        started_at: datetime.datetime | str | None = ...,
        finished_at: datetime.datetime | str | None = ...,
        container_id: str | None = ...,
    ) -> None: ...

class ContainerStateWaiting(Model):
    reason: Attribute[str, str | None]
    message: Attribute[str, str | None]
    def __init__(
        self,
        *,
        reason: str | None = ...,
        message: str | None = ...,
    ) -> None: ...

class ContainerStatus(Model):
    name: Attribute[str, str | None]
    state: Attribute[ContainerState, ContainerState | Mapping[str, Any] | None]
    last_state: Attribute[ContainerState, ContainerState | Mapping[str, Any] | None]
    """before the last restart"""
    ready: Attribute[bool, bool | None]
    restart_count: Attribute[int, int | None]
    image: Attribute[str, str | None]
    image_id: Attribute[str, str | None]
    """with the digest"""
    container_id: Attribute[str, str | None]
    """`runtime://id`"""
    started: Attribute[bool | None, bool | None]
    """whether the startup probe has succeeded"""
    allocated_resources: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """resources that the node has reserved"""
    resources: Attribute[ResourceRequirements | None, ResourceRequirements | Mapping[str, Any] | None]
    """resources in effect"""
    volume_mounts: Attribute[ListView[VolumeMountStatus], Sequence[VolumeMountStatus | Mapping[str, Any]] | None]
    user: Attribute[ContainerUser | None, ContainerUser | Mapping[str, Any] | None]
    allocated_resources_status: Attribute[ListView[ResourceStatus], Sequence[ResourceStatus | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        name: str | None = ...,
        state: ContainerState | Mapping[str, Any] | None = ...,
        last_state: ContainerState | Mapping[str, Any] | None = ...,
        ready: bool | None = ...,
        restart_count: int | None = ...,
        image: str | None = ...,
        image_id: str | None = ...,
        container_id: str | None = ...,
        started: bool | None = ...,
        allocated_resources: Mapping[str, str | int | float] | None = ...,
        resources: ResourceRequirements | Mapping[str, Any] | None = ...,
        volume_mounts: Sequence[VolumeMountStatus | Mapping[str, Any]] | None = ...,
        user: ContainerUser | Mapping[str, Any] | None = ...,
        allocated_resources_status: Sequence[ResourceStatus | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class ContainerUser(Model):
    linux: Attribute[LinuxContainerUser | None, LinuxContainerUser | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        linux: LinuxContainerUser | Mapping[str, Any] | None = ...,
    ) -> None: ...

class DaemonEndpoint(Model):
    port: Attribute[int, int | None]
    def __init__(
        self,
        *,
        port: int | None = ...,
    ) -> None: ...

class DownwardAPIProjection(Model):
    items: Attribute[ListView[DownwardAPIVolumeFile], Sequence[DownwardAPIVolumeFile | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        items: Sequence[DownwardAPIVolumeFile | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class DownwardAPIVolumeFile(Model):
    """A file with either a field of the pod or a resource of a container."""
    path: Attribute[str, str | None]
    """relative to the mount; must not contain `..`"""
    field_ref: Attribute[ObjectFieldSelector | None, ObjectFieldSelector | Mapping[str, Any] | None]
    resource_field_ref: Attribute[ResourceFieldSelector | None, ResourceFieldSelector | Mapping[str, Any] | None]
    mode: Attribute[int | None, int | None]
    """permission bits 0 to 0777; absent: that of the volume"""
    def __init__(
        self,
        *,
        path: str | None = ...,
        field_ref: ObjectFieldSelector | Mapping[str, Any] | None = ...,
        resource_field_ref: ResourceFieldSelector | Mapping[str, Any] | None = ...,
        mode: int | None = ...,
    ) -> None: ...

class DownwardAPIVolumeSource(Model):
    items: Attribute[ListView[DownwardAPIVolumeFile], Sequence[DownwardAPIVolumeFile | Mapping[str, Any]] | None]
    default_mode: Attribute[int | None, int | None]
    """permission bits; absent means 0644"""
    def __init__(
        self,
        *,
        items: Sequence[DownwardAPIVolumeFile | Mapping[str, Any]] | None = ...,
        default_mode: int | None = ...,
    ) -> None: ...

class EmptyDirVolumeSource(Model):
    medium: Attribute[str, str | None]
    """empty: the disk of the node; Memory; HugePages"""
    size_limit: Attribute[Quantity | None, str | int | float | None]
    """the pod is evicted if it exceeds the limit"""
    def __init__(
        self,
        *,
        medium: str | None = ...,
        size_limit: str | int | float | None = ...,
    ) -> None: ...

class EndpointAddress(Model):
    ip: Attribute[str, str | None]
    hostname: Attribute[str, str | None]
    node_name: Attribute[str | None, str | None]
    target_ref: Attribute[ObjectReference | None, ObjectReference | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        ip: str | None = ...,
        hostname: str | None = ...,
        node_name: str | None = ...,
        target_ref: ObjectReference | Mapping[str, Any] | None = ...,
    ) -> None: ...

class EndpointPort(Model):
    name: Attribute[str, str | None]
    port: Attribute[int, int | None]
    protocol: Attribute[str, str | None]
    app_protocol: Attribute[str | None, str | None]
    def __init__(
        self,
        *,
        name: str | None = ...,
        port: int | None = ...,
        protocol: str | None = ...,
        app_protocol: str | None = ...,
    ) -> None: ...

class EndpointSubset(Model):
    """All combinations of these addresses and ports."""
    addresses: Attribute[ListView[EndpointAddress], Sequence[EndpointAddress | Mapping[str, Any]] | None]
    not_ready_addresses: Attribute[ListView[EndpointAddress], Sequence[EndpointAddress | Mapping[str, Any]] | None]
    ports: Attribute[ListView[EndpointPort], Sequence[EndpointPort | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        addresses: Sequence[EndpointAddress | Mapping[str, Any]] | None = ...,
        not_ready_addresses: Sequence[EndpointAddress | Mapping[str, Any]] | None = ...,
        ports: Sequence[EndpointPort | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class Endpoints(Model):
    """The addresses behind the service of the same name."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    subsets: Attribute[ListView[EndpointSubset], Sequence[EndpointSubset | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        subsets: Sequence[EndpointSubset | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class EndpointsList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[Endpoints], Sequence[Endpoints | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[Endpoints | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class EnvFromSource(Model):
    """Defines a variable for every key of a config map or secret; one of the two is set."""
    prefix: Attribute[str, str | None]
    """prefix of the names of the variables"""
    config_map_ref: Attribute[ConfigMapEnvSource | None, ConfigMapEnvSource | Mapping[str, Any] | None]
    secret_ref: Attribute[SecretEnvSource | None, SecretEnvSource | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        prefix: str | None = ...,
        config_map_ref: ConfigMapEnvSource | Mapping[str, Any] | None = ...,
        secret_ref: SecretEnvSource | Mapping[str, Any] | None = ...,
    ) -> None: ...

class EnvVar(Model):
    """A name with either a value or a source; `$(NAME)` in the value is replaced by an earlier variable."""
    name: Attribute[str, str | None]
    value: Attribute[str, str | None]
    value_from: Attribute[EnvVarSource | None, EnvVarSource | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        name: str | None = ...,
        value: str | None = ...,
        value_from: EnvVarSource | Mapping[str, Any] | None = ...,
    ) -> None: ...

class EnvVarSource(Model):
    """At most one is set."""
    field_ref: Attribute[ObjectFieldSelector | None, ObjectFieldSelector | Mapping[str, Any] | None]
    resource_field_ref: Attribute[ResourceFieldSelector | None, ResourceFieldSelector | Mapping[str, Any] | None]
    config_map_key_ref: Attribute[ConfigMapKeySelector | None, ConfigMapKeySelector | Mapping[str, Any] | None]
    secret_key_ref: Attribute[SecretKeySelector | None, SecretKeySelector | Mapping[str, Any] | None]
    file_key_ref: Attribute[FileKeySelector | None, FileKeySelector | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        field_ref: ObjectFieldSelector | Mapping[str, Any] | None = ...,
        resource_field_ref: ResourceFieldSelector | Mapping[str, Any] | None = ...,
        config_map_key_ref: ConfigMapKeySelector | Mapping[str, Any] | None = ...,
        secret_key_ref: SecretKeySelector | Mapping[str, Any] | None = ...,
        file_key_ref: FileKeySelector | Mapping[str, Any] | None = ...,
    ) -> None: ...

class EphemeralContainer(Model):
    """A container that is added to a running pod for debugging; it is never restarted."""
    name: Attribute[str, str | None]
    image: Attribute[str, str | None]
    command: Attribute[ListView[str], Sequence[str] | None]
    """replaces the entry point of the image"""
    args: Attribute[ListView[str], Sequence[str] | None]
    """replaces the arguments of the image"""
    working_dir: Attribute[str, str | None]
    """empty: that of the image"""
    ports: Attribute[ListView[ContainerPort], Sequence[ContainerPort | Mapping[str, Any]] | None]
    """not allowed"""
    env_from: Attribute[ListView[EnvFromSource], Sequence[EnvFromSource | Mapping[str, Any]] | None]
    """`env` takes precedence"""
    env: Attribute[ListView[EnvVar], Sequence[EnvVar | Mapping[str, Any]] | None]
    resources: Attribute[ResourceRequirements, ResourceRequirements | Mapping[str, Any] | None]
    """not allowed"""
    resize_policy: Attribute[ListView[ContainerResizePolicy], Sequence[ContainerResizePolicy | Mapping[str, Any]] | None]
    restart_policy: Attribute[str | None, str | None]
    """not allowed"""
    restart_policy_rules: Attribute[ListView[ContainerRestartRule], Sequence[ContainerRestartRule | Mapping[str, Any]] | None]
    """not allowed"""
    volume_mounts: Attribute[ListView[VolumeMount], Sequence[VolumeMount | Mapping[str, Any]] | None]
    volume_devices: Attribute[ListView[VolumeDevice], Sequence[VolumeDevice | Mapping[str, Any]] | None]
    liveness_probe: Attribute[Probe | None, Probe | Mapping[str, Any] | None]
    """probes and hooks are not allowed"""
    readiness_probe: Attribute[Probe | None, Probe | Mapping[str, Any] | None]
    startup_probe: Attribute[Probe | None, Probe | Mapping[str, Any] | None]
    lifecycle: Attribute[Lifecycle | None, Lifecycle | Mapping[str, Any] | None]
    termination_message_path: Attribute[str, str | None]
    """empty means `/dev/termination-log`"""
    termination_message_policy: Attribute[str, str | None]
    """File or FallbackToLogsOnError; empty means File"""
    image_pull_policy: Attribute[str, str | None]
    """Always, Never or IfNotPresent"""
    security_context: Attribute[SecurityContext | None, SecurityContext | Mapping[str, Any] | None]
    stdin: Attribute[bool, bool | None]
    stdin_once: Attribute[bool, bool | None]
    tty: Attribute[bool, bool | None]
    target_container_name: Attribute[str, str | None]
    """container whose processes it can see; empty: only its own"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        image: str | None = ...,
        command: Sequence[str] | None = ...,
        args: Sequence[str] | None = ...,
        working_dir: str | None = ...,
        ports: Sequence[ContainerPort | Mapping[str, Any]] | None = ...,
        env_from: Sequence[EnvFromSource | Mapping[str, Any]] | None = ...,
        env: Sequence[EnvVar | Mapping[str, Any]] | None = ...,
        resources: ResourceRequirements | Mapping[str, Any] | None = ...,
        resize_policy: Sequence[ContainerResizePolicy | Mapping[str, Any]] | None = ...,
        restart_policy: str | None = ...,
        restart_policy_rules: Sequence[ContainerRestartRule | Mapping[str, Any]] | None = ...,
        volume_mounts: Sequence[VolumeMount | Mapping[str, Any]] | None = ...,
        volume_devices: Sequence[VolumeDevice | Mapping[str, Any]] | None = ...,
        liveness_probe: Probe | Mapping[str, Any] | None = ...,
        readiness_probe: Probe | Mapping[str, Any] | None = ...,
        startup_probe: Probe | Mapping[str, Any] | None = ...,
        lifecycle: Lifecycle | Mapping[str, Any] | None = ...,
        termination_message_path: str | None = ...,
        termination_message_policy: str | None = ...,
        image_pull_policy: str | None = ...,
        security_context: SecurityContext | Mapping[str, Any] | None = ...,
        stdin: bool | None = ...,
        stdin_once: bool | None = ...,
        tty: bool | None = ...,
        target_container_name: str | None = ...,
    ) -> None: ...

class EphemeralVolumeSource(Model):
    """A separate claim that lives as long as the pod."""
    volume_claim_template: Attribute[PersistentVolumeClaimTemplate | None, PersistentVolumeClaimTemplate | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        volume_claim_template: PersistentVolumeClaimTemplate | Mapping[str, Any] | None = ...,
    ) -> None: ...

class Event(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    involved_object: Attribute[ObjectReference, ObjectReference | Mapping[str, Any] | None]
    reason: Attribute[str, str | None]
    """one word in CamelCase"""
    message: Attribute[str, str | None]
    source: Attribute[EventSource, EventSource | Mapping[str, Any] | None]
    first_timestamp: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    last_timestamp: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    count: Attribute[int, int | None]
    type: Attribute[str, str | None]
    """Normal or Warning"""
    event_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    series: Attribute[EventSeries | None, EventSeries | Mapping[str, Any] | None]
    action: Attribute[str, str | None]
    """one word in CamelCase: the attempted action"""
    related: Attribute[ObjectReference | None, ObjectReference | Mapping[str, Any] | None]
    reporting_component: Attribute[str, str | None]
    """the controller"""
    reporting_instance: Attribute[str, str | None]
    """of the controller, e.g. a pod name"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        involved_object: ObjectReference | Mapping[str, Any] | None = ...,
        reason: str | None = ...,
        message: str | None = ...,
        source: EventSource | Mapping[str, Any] | None = ...,
        first_timestamp: datetime.datetime | str | None = ...,
        last_timestamp: datetime.datetime | str | None = ...,
        count: int | None = ...,
        type: str | None = ...,
        event_time: datetime.datetime | str | None = ...,
        series: EventSeries | Mapping[str, Any] | None = ...,
        action: str | None = ...,
        related: ObjectReference | Mapping[str, Any] | None = ...,
        reporting_component: str | None = ...,
        reporting_instance: str | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class EventList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[Event], Sequence[Event | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[Event | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class EventSeries(Model):
    """An event that occurs repeatedly."""
    count: Attribute[int, int | None]
    last_observed_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    def __init__(
        self,
        *,
        count: int | None = ...,
        last_observed_time: datetime.datetime | str | None = ...,
    ) -> None: ...

class EventSource(Model):
    component: Attribute[str, str | None]
    host: Attribute[str, str | None]
    def __init__(
        self,
        *,
        component: str | None = ...,
        host: str | None = ...,
    ) -> None: ...

class ExecAction(Model):
    command: Attribute[ListView[str], Sequence[str] | None]
    """not run in a shell; exit code 0 is success"""
    def __init__(
        self,
        *,
        command: Sequence[str] | None = ...,
    ) -> None: ...

class FCVolumeSource(Model):
    target_wwns: Attribute[ListView[str], Sequence[str] | None]
    lun: Attribute[int | None, int | None]
    fs_type: Attribute[str, str | None]
    read_only: Attribute[bool, bool | None]
    wwids: Attribute[ListView[str], Sequence[str] | None]
    def __init__(
        self,
        *,
        target_wwns: Sequence[str] | None = ...,
        lun: int | None = ...,
        fs_type: str | None = ...,
        read_only: bool | None = ...,
        wwids: Sequence[str] | None = ...,
    ) -> None: ...

class FileKeySelector(Model):
    """A variable from a file that an init container wrote."""
    volume_name: Attribute[str, str | None]
    """an emptyDir of the pod"""
    path: Attribute[str, str | None]
    """path of the file within the volume; must not contain `..`"""
    key: Attribute[str, str | None]
    optional: Attribute[bool | None, bool | None]
    """if true, the variable is omitted if the key or file does not exist"""
    def __init__(
        self,
        *,
        volume_name: str | None = ...,
        path: str | None = ...,
        key: str | None = ...,
        optional: bool | None = ...,
    ) -> None: ...

class FlexVolumeSource(Model):
    driver: Attribute[str, str | None]
    fs_type: Attribute[str, str | None]
    secret_ref: Attribute[LocalObjectReference | None, LocalObjectReference | Mapping[str, Any] | None]
    read_only: Attribute[bool, bool | None]
    options: Attribute[MapView[str], Mapping[str, str] | None]
    def __init__(
        self,
        *,
        driver: str | None = ...,
        fs_type: str | None = ...,
        secret_ref: LocalObjectReference | Mapping[str, Any] | None = ...,
        read_only: bool | None = ...,
        options: Mapping[str, str] | None = ...,
    ) -> None: ...

class FlockerVolumeSource(Model):
    dataset_name: Attribute[str, str | None]
    dataset_uuid: Attribute[str, str | None]
    def __init__(
        self,
        *,
        dataset_name: str | None = ...,
        dataset_uuid: str | None = ...,
    ) -> None: ...

class GCEPersistentDiskVolumeSource(Model):
    pd_name: Attribute[str, str | None]
    fs_type: Attribute[str, str | None]
    partition: Attribute[int, int | None]
    """0: the whole disk"""
    read_only: Attribute[bool, bool | None]
    def __init__(
        self,
        *,
        pd_name: str | None = ...,
        fs_type: str | None = ...,
        partition: int | None = ...,
        read_only: bool | None = ...,
    ) -> None: ...

class GRPCAction(Model):
    port: Attribute[int, int | None]
    service: Attribute[str | None, str | None]
    """name in the health check request; absent means empty"""
    def __init__(
        self,
        *,
        port: int | None = ...,
        service: str | None = ...,
    ) -> None: ...

class GitRepoVolumeSource(Model):
    repository: Attribute[str, str | None]
    revision: Attribute[str, str | None]
    directory: Attribute[str, str | None]
    def __init__(
        self,
        *,
        repository: str | None = ...,
        revision: str | None = ...,
        directory: str | None = ...,
    ) -> None: ...

class GlusterfsVolumeSource(Model):
    endpoints: Attribute[str, str | None]
    path: Attribute[str, str | None]
    read_only: Attribute[bool, bool | None]
    def __init__(
        self,
        *,
        endpoints: str | None = ...,
        path: str | None = ...,
        read_only: bool | None = ...,
    ) -> None: ...

class HTTPGetAction(Model):
    path: Attribute[str, str | None]
    port: Attribute[int | str | None, int | str | None]
    """number, or name of a port of the container"""
    host: Attribute[str, str | None]
    """empty: the address of the pod"""
    scheme: Attribute[str, str | None]
    """HTTP or HTTPS; empty means HTTP"""
    http_headers: Attribute[ListView[HTTPHeader], Sequence[HTTPHeader | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        path: str | None = ...,
        port: int | str | None = ...,
        host: str | None = ...,
        scheme: str | None = ...,
        http_headers: Sequence[HTTPHeader | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class HTTPHeader(Model):
    name: Attribute[str, str | None]
    value: Attribute[str, str | None]
    def __init__(
        self,
        *,
        name: str | None = ...,
        value: str | None = ...,
    ) -> None: ...

class HostAlias(Model):
    """A line of `/etc/hosts`."""
    ip: Attribute[str, str | None]
    hostnames: Attribute[ListView[str], Sequence[str] | None]
    def __init__(
        self,
        *,
        ip: str | None = ...,
        hostnames: Sequence[str] | None = ...,
    ) -> None: ...

class HostIP(Model):
    ip: Attribute[str, str | None]
    def __init__(
        self,
        *,
        ip: str | None = ...,
    ) -> None: ...

class HostPathVolumeSource(Model):
    path: Attribute[str, str | None]
    type: Attribute[str | None, str | None]
    """e.g. Directory, DirectoryOrCreate, File, Socket; empty: no check"""
    def __init__(
        self,
        *,
        path: str | None = ...,
        type: str | None = ...,
    ) -> None: ...

class ISCSIVolumeSource(Model):
    target_portal: Attribute[str, str | None]
    """address, with port unless that is 3260"""
    iqn: Attribute[str, str | None]
    """name of the target"""
    lun: Attribute[int, int | None]
    iscsi_interface: Attribute[str, str | None]
    fs_type: Attribute[str, str | None]
    read_only: Attribute[bool, bool | None]
    portals: Attribute[ListView[str], Sequence[str] | None]
    chap_auth_discovery: Attribute[bool, bool | None]
    chap_auth_session: Attribute[bool, bool | None]
    secret_ref: Attribute[LocalObjectReference | None, LocalObjectReference | Mapping[str, Any] | None]
    initiator_name: Attribute[str | None, str | None]
    def __init__(
        self,
        *,
        target_portal: str | None = ...,
        iqn: str | None = ...,
        lun: int | None = ...,
        iscsi_interface: str | None = ...,
        fs_type: str | None = ...,
        read_only: bool | None = ...,
        portals: Sequence[str] | None = ...,
        chap_auth_discovery: bool | None = ...,
        chap_auth_session: bool | None = ...,
        secret_ref: LocalObjectReference | Mapping[str, Any] | None = ...,
        initiator_name: str | None = ...,
    ) -> None: ...

class ImageVolumeSource(Model):
    """The files of an image, read-only."""
    reference: Attribute[str, str | None]
    pull_policy: Attribute[str, str | None]
    """Always, Never or IfNotPresent"""
    def __init__(
        self,
        *,
        reference: str | None = ...,
        pull_policy: str | None = ...,
    ) -> None: ...

class KeyToPath(Model):
    """The path of one key of a config map or secret in a volume."""
    key: Attribute[str, str | None]
    path: Attribute[str, str | None]
    """relative to the mount; must not contain `..`"""
    mode: Attribute[int | None, int | None]
    """permission bits 0 to 0777; absent: that of the volume"""
    def __init__(
        self,
        *,
        key: str | None = ...,
        path: str | None = ...,
        mode: int | None = ...,
    ) -> None: ...

class Lifecycle(Model):
    """Hooks that run after a container starts and before it is terminated."""
    post_start: Attribute[LifecycleHandler | None, LifecycleHandler | Mapping[str, Any] | None]
    pre_stop: Attribute[LifecycleHandler | None, LifecycleHandler | Mapping[str, Any] | None]
    """its time is part of the grace period"""
    stop_signal: Attribute[str | None, str | None]
    """e.g. SIGUSR1; absent: that of the image or the runtime"""
    def __init__(
        self,
        *,
        post_start: LifecycleHandler | Mapping[str, Any] | None = ...,
        pre_stop: LifecycleHandler | Mapping[str, Any] | None = ...,
        stop_signal: str | None = ...,
    ) -> None: ...

class LifecycleHandler(Model):
    """At most one is set."""
    exec: Attribute[ExecAction | None, ExecAction | Mapping[str, Any] | None]
    http_get: Attribute[HTTPGetAction | None, HTTPGetAction | Mapping[str, Any] | None]
    tcp_socket: Attribute[TCPSocketAction | None, TCPSocketAction | Mapping[str, Any] | None]
    """not served"""
    sleep: Attribute[SleepAction | None, SleepAction | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        exec: ExecAction | Mapping[str, Any] | None = ...,
        http_get: HTTPGetAction | Mapping[str, Any] | None = ...,
        tcp_socket: TCPSocketAction | Mapping[str, Any] | None = ...,
        sleep: SleepAction | Mapping[str, Any] | None = ...,
    ) -> None: ...

class LinuxContainerUser(Model):
    uid: Attribute[int, int | None]
    gid: Attribute[int, int | None]
    supplemental_groups: Attribute[ListView[int], Sequence[int] | None]
    def __init__(
        self,
        *,
        uid: int | None = ...,
        gid: int | None = ...,
        supplemental_groups: Sequence[int] | None = ...,
    ) -> None: ...

class LoadBalancerIngress(Model):
    """One of the two is set."""
    ip: Attribute[str, str | None]
    hostname: Attribute[str, str | None]
    ip_mode: Attribute[str | None, str | None]
    """VIP or Proxy"""
    ports: Attribute[ListView[PortStatus], Sequence[PortStatus | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        ip: str | None = ...,
        hostname: str | None = ...,
        ip_mode: str | None = ...,
        ports: Sequence[PortStatus | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class LoadBalancerStatus(Model):
    ingress: Attribute[ListView[LoadBalancerIngress], Sequence[LoadBalancerIngress | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        ingress: Sequence[LoadBalancerIngress | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class LocalObjectReference(Model):
    """An object of the same namespace, of a kind that the context determines."""
    name: Attribute[str, str | None]
    def __init__(
        self,
        *,
        name: str | None = ...,
    ) -> None: ...

class ModifyVolumeStatus(Model):
    """A pending change of the volume attributes class."""
    target_volume_attributes_class_name: Attribute[str, str | None]
    status: Attribute[str, str | None]
    """Pending, InProgress or Infeasible"""
    def __init__(
        self,
        *,
        target_volume_attributes_class_name: str | None = ...,
        status: str | None = ...,
    ) -> None: ...

class NFSVolumeSource(Model):
    server: Attribute[str, str | None]
    path: Attribute[str, str | None]
    read_only: Attribute[bool, bool | None]
    def __init__(
        self,
        *,
        server: str | None = ...,
        path: str | None = ...,
        read_only: bool | None = ...,
    ) -> None: ...

class Namespace(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    spec: Attribute[NamespaceSpec, NamespaceSpec | Mapping[str, Any] | None]
    status: Attribute[NamespaceStatus, NamespaceStatus | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: NamespaceSpec | Mapping[str, Any] | None = ...,
        status: NamespaceStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class NamespaceCondition(Model):
    type: Attribute[str, str | None]
    status: Attribute[str, str | None]
    last_transition_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    reason: Attribute[str, str | None]
    message: Attribute[str, str | None]
    def __init__(
        self,
        *,
        type: str | None = ...,
        status: str | None = ...,
        last_transition_time: datetime.datetime | str | None = ...,
        reason: str | None = ...,
        message: str | None = ...,
    ) -> None: ...

class NamespaceList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[Namespace], Sequence[Namespace | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[Namespace | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class NamespaceSpec(Model):
    finalizers: Attribute[ListView[str], Sequence[str] | None]
    """finalizers that block the deletion"""
    def __init__(
        self,
        *,
        finalizers: Sequence[str] | None = ...,
    ) -> None: ...

class NamespaceStatus(Model):
    phase: Attribute[str, str | None]
    """Active or Terminating"""
    conditions: Attribute[ListView[NamespaceCondition], Sequence[NamespaceCondition | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        phase: str | None = ...,
        conditions: Sequence[NamespaceCondition | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class Node(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    spec: Attribute[NodeSpec, NodeSpec | Mapping[str, Any] | None]
    status: Attribute[NodeStatus, NodeStatus | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: NodeSpec | Mapping[str, Any] | None = ...,
        status: NodeStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class NodeAddress(Model):
    type: Attribute[str, str | None]
    """Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS"""
    address: Attribute[str, str | None]
    def __init__(
        self,
        *,
        type: str | None = ...,
        address: str | None = ...,
    ) -> None: ...

class NodeAffinity(Model):
    required_during_scheduling_ignored_during_execution: Attribute[NodeSelector | None, NodeSelector | Mapping[str, Any] | None]
    preferred_during_scheduling_ignored_during_execution: Attribute[ListView[PreferredSchedulingTerm], Sequence[PreferredSchedulingTerm | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        required_during_scheduling_ignored_during_execution: NodeSelector | Mapping[str, Any] | None = ...,
        preferred_during_scheduling_ignored_during_execution: Sequence[PreferredSchedulingTerm | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class NodeCondition(Model):
    type: Attribute[str, str | None]
    """Ready, MemoryPressure, DiskPressure, PIDPressure or NetworkUnavailable"""
    status: Attribute[str, str | None]
    """True, False or Unknown"""
    last_heartbeat_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    last_transition_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    reason: Attribute[str, str | None]
    message: Attribute[str, str | None]
    def __init__(
        self,
        *,
        type: str | None = ...,
        status: str | None = ...,
        last_heartbeat_time: datetime.datetime | str | None = ...,
        last_transition_time: datetime.datetime | str | None = ...,
        reason: str | None = ...,
        message: str | None = ...,
    ) -> None: ...

class NodeConfigSource(Model):
    """Not served since Kubernetes 1.24."""
    config_map: Attribute[ConfigMapNodeConfigSource | None, ConfigMapNodeConfigSource | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        config_map: ConfigMapNodeConfigSource | Mapping[str, Any] | None = ...,
    ) -> None: ...

class NodeConfigStatus(Model):
    """Not served since Kubernetes 1.24."""
    assigned: Attribute[NodeConfigSource | None, NodeConfigSource | Mapping[str, Any] | None]
    active: Attribute[NodeConfigSource | None, NodeConfigSource | Mapping[str, Any] | None]
    last_known_good: Attribute[NodeConfigSource | None, NodeConfigSource | Mapping[str, Any] | None]
    error: Attribute[str, str | None]
    def __init__(
        self,
        *,
        assigned: NodeConfigSource | Mapping[str, Any] | None = ...,
        active: NodeConfigSource | Mapping[str, Any] | None = ...,
        last_known_good: NodeConfigSource | Mapping[str, Any] | None = ...,
        error: str | None = ...,
    ) -> None: ...

class NodeDaemonEndpoints(Model):
    kubelet_endpoint: Attribute[DaemonEndpoint, DaemonEndpoint | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        kubelet_endpoint: DaemonEndpoint | Mapping[str, Any] | None = ...,
    ) -> None: ...

class NodeFeatures(Model):
    supplemental_groups_policy: Attribute[bool | None, bool | None]
    def __init__(
        self,
        *,
        supplemental_groups_policy: bool | None = ...,
    ) -> None: ...

class NodeList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[Node], Sequence[Node | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[Node | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class NodeRuntimeHandler(Model):
    name: Attribute[str, str | None]
    features: Attribute[NodeRuntimeHandlerFeatures | None, NodeRuntimeHandlerFeatures | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        name: str | None = ...,
        features: NodeRuntimeHandlerFeatures | Mapping[str, Any] | None = ...,
    ) -> None: ...

class NodeRuntimeHandlerFeatures(Model):
    recursive_read_only_mounts: Attribute[bool | None, bool | None]
    user_namespaces: Attribute[bool | None, bool | None]
    def __init__(
        self,
        *,
        recursive_read_only_mounts: bool | None = ...,
        user_namespaces: bool | None = ...,
    ) -> None: ...

class NodeSelector(Model):
    """One of the terms must hold."""
    node_selector_terms: Attribute[ListView[NodeSelectorTerm], Sequence[NodeSelectorTerm | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        node_selector_terms: Sequence[NodeSelectorTerm | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class NodeSelectorRequirement(Model):
    key: Attribute[str, str | None]
    operator: Attribute[str, str | None]
    """In, NotIn, Exists, DoesNotExist, Gt or Lt"""
    values: Attribute[ListView[str], Sequence[str] | None]
    def __init__(
        self,
        *,
        key: str | None = ...,
        operator: str | None = ...,
        values: Sequence[str] | None = ...,
    ) -> None: ...

class NodeSelectorTerm(Model):
    """All of its parts must hold; a term without parts matches nothing."""
    match_expressions: Attribute[ListView[NodeSelectorRequirement], Sequence[NodeSelectorRequirement | Mapping[str, Any]] | None]
    """on labels"""
    match_fields: Attribute[ListView[NodeSelectorRequirement], Sequence[NodeSelectorRequirement | Mapping[str, Any]] | None]
    """on `metadata.name`"""
    def __init__(
        self,
        *,
        match_expressions: Sequence[NodeSelectorRequirement | Mapping[str, Any]] | None = ...,
        match_fields: Sequence[NodeSelectorRequirement | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class NodeSpec(Model):
    pod_cidr: Attribute[str, str | None]
    """range of addresses for the pods of this node"""
    pod_cidrs: Attribute[ListView[str], Sequence[str] | None]
    provider_id: Attribute[str, str | None]
    """`provider://id`"""
    unschedulable: Attribute[bool, bool | None]
    """no new pods are scheduled to the node"""
    taints: Attribute[ListView[Taint], Sequence[Taint | Mapping[str, Any]] | None]
    config_source: Attribute[NodeConfigSource | None, NodeConfigSource | Mapping[str, Any] | None]
    external_id: Attribute[str, str | None]
    """of old releases"""
    def __init__(
        self,
        *,
        pod_cidr: str | None = ...,
        pod_cidrs: Sequence[str] | None = ...,
        provider_id: str | None = ...,
        unschedulable: bool | None = ...,
        taints: Sequence[Taint | Mapping[str, Any]] | None = ...,
        config_source: NodeConfigSource | Mapping[str, Any] | None = ...,
        external_id: str | None = ...,
    ) -> None: ...

class NodeStatus(Model):
    capacity: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """total resources"""
    allocatable: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """resources available to pods"""
    phase: Attribute[str, str | None]
    """of old releases"""
    conditions: Attribute[ListView[NodeCondition], Sequence[NodeCondition | Mapping[str, Any]] | None]
    addresses: Attribute[ListView[NodeAddress], Sequence[NodeAddress | Mapping[str, Any]] | None]
    daemon_endpoints: Attribute[NodeDaemonEndpoints, NodeDaemonEndpoints | Mapping[str, Any] | None]
    node_info: Attribute[NodeSystemInfo, NodeSystemInfo | Mapping[str, Any] | None]
    images: Attribute[ListView[ContainerImage], Sequence[ContainerImage | Mapping[str, Any]] | None]
    volumes_in_use: Attribute[ListView[str], Sequence[str] | None]
    volumes_attached: Attribute[ListView[AttachedVolume], Sequence[AttachedVolume | Mapping[str, Any]] | None]
    config: Attribute[NodeConfigStatus | None, NodeConfigStatus | Mapping[str, Any] | None]
    runtime_handlers: Attribute[ListView[NodeRuntimeHandler], Sequence[NodeRuntimeHandler | Mapping[str, Any]] | None]
    features: Attribute[NodeFeatures | None, NodeFeatures | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        capacity: Mapping[str, str | int | float] | None = ...,
        allocatable: Mapping[str, str | int | float] | None = ...,
        phase: str | None = ...,
        conditions: Sequence[NodeCondition | Mapping[str, Any]] | None = ...,
        addresses: Sequence[NodeAddress | Mapping[str, Any]] | None = ...,
        daemon_endpoints: NodeDaemonEndpoints | Mapping[str, Any] | None = ...,
        node_info: NodeSystemInfo | Mapping[str, Any] | None = ...,
        images: Sequence[ContainerImage | Mapping[str, Any]] | None = ...,
        volumes_in_use: Sequence[str] | None = ...,
        volumes_attached: Sequence[AttachedVolume | Mapping[str, Any]] | None = ...,
        config: NodeConfigStatus | Mapping[str, Any] | None = ...,
        runtime_handlers: Sequence[NodeRuntimeHandler | Mapping[str, Any]] | None = ...,
        features: NodeFeatures | Mapping[str, Any] | None = ...,
    ) -> None: ...

class NodeSystemInfo(Model):
    machine_id: Attribute[str, str | None]
    system_uuid: Attribute[str, str | None]
    boot_id: Attribute[str, str | None]
    kernel_version: Attribute[str, str | None]
    os_image: Attribute[str, str | None]
    container_runtime_version: Attribute[str, str | None]
    kubelet_version: Attribute[str, str | None]
    kube_proxy_version: Attribute[str, str | None]
    operating_system: Attribute[str, str | None]
    architecture: Attribute[str, str | None]
    def __init__(
        self,
        *,
        machine_id: str | None = ...,
        system_uuid: str | None = ...,
        boot_id: str | None = ...,
        kernel_version: str | None = ...,
        os_image: str | None = ...,
        container_runtime_version: str | None = ...,
        kubelet_version: str | None = ...,
        kube_proxy_version: str | None = ...,
        operating_system: str | None = ...,
        architecture: str | None = ...,
    ) -> None: ...

class ObjectFieldSelector(Model):
    """A field of the pod itself."""
    api_version: Attribute[str, str | None]
    field_path: Attribute[str, str | None]
    """e.g. `metadata.name`, `metadata.labels['a']`, `status.podIP`"""
    def __init__(
        self,
        *,
        api_version: str | None = ...,
        field_path: str | None = ...,
    ) -> None: ...

class ObjectReference(Model):
    """Any object; the writer decides which members are set."""
    kind: Attribute[str, str | None]
    namespace: Attribute[str, str | None]
    name: Attribute[str, str | None]
    uid: Attribute[str, str | None]
    api_version: Attribute[str, str | None]
    resource_version: Attribute[str, str | None]
    field_path: Attribute[str, str | None]
    """a part of the object, e.g. `spec.containers{main}`"""
    def __init__(
        self,
        *,
        kind: str | None = ...,
        namespace: str | None = ...,
        name: str | None = ...,
        uid: str | None = ...,
        api_version: str | None = ...,
        resource_version: str | None = ...,
        field_path: str | None = ...,
    ) -> None: ...

class PersistentVolumeClaim(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    spec: Attribute[PersistentVolumeClaimSpec, PersistentVolumeClaimSpec | Mapping[str, Any] | None]
    status: Attribute[PersistentVolumeClaimStatus, PersistentVolumeClaimStatus | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: PersistentVolumeClaimSpec | Mapping[str, Any] | None = ...,
        status: PersistentVolumeClaimStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class PersistentVolumeClaimCondition(Model):
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

class PersistentVolumeClaimList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[PersistentVolumeClaim], Sequence[PersistentVolumeClaim | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[PersistentVolumeClaim | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class PersistentVolumeClaimSpec(Model):
    access_modes: Attribute[ListView[str], Sequence[str] | None]
    """ReadWriteOnce, ReadOnlyMany, ReadWriteMany, ReadWriteOncePod"""
    selector: Attribute[meta.LabelSelector | None, meta.LabelSelector | Mapping[str, Any] | None]
    resources: Attribute[VolumeResourceRequirements, VolumeResourceRequirements | Mapping[str, Any] | None]
    volume_name: Attribute[str, str | None]
    """the bound volume"""
    storage_class_name: Attribute[str | None, str | None]
    """absent: the default of the cluster; empty: none"""
    volume_mode: Attribute[str | None, str | None]
    """Filesystem or Block"""
    data_source: Attribute[TypedLocalObjectReference | None, TypedLocalObjectReference | Mapping[str, Any] | None]
    """a snapshot or claim that provides the initial content"""
    data_source_ref: Attribute[TypedObjectReference | None, TypedObjectReference | Mapping[str, Any] | None]
    """as `data_source`, also of other kinds and namespaces"""
    volume_attributes_class_name: Attribute[str | None, str | None]
    def __init__(
        self,
        *,
        access_modes: Sequence[str] | None = ...,
        selector: meta.LabelSelector | Mapping[str, Any] | None = ...,
        resources: VolumeResourceRequirements | Mapping[str, Any] | None = ...,
        volume_name: str | None = ...,
        storage_class_name: str | None = ...,
        volume_mode: str | None = ...,
        data_source: TypedLocalObjectReference | Mapping[str, Any] | None = ...,
        data_source_ref: TypedObjectReference | Mapping[str, Any] | None = ...,
        volume_attributes_class_name: str | None = ...,
    ) -> None: ...

class PersistentVolumeClaimStatus(Model):
    phase: Attribute[str, str | None]
    """Pending, Bound or Lost"""
    access_modes: Attribute[ListView[str], Sequence[str] | None]
    capacity: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """actual capacity of the volume"""
    conditions: Attribute[ListView[PersistentVolumeClaimCondition], Sequence[PersistentVolumeClaimCondition | Mapping[str, Any]] | None]
    allocated_resources: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """larger than `capacity` during a resize"""
    allocated_resource_statuses: Attribute[MapView[str], Mapping[str, str] | None]
    """resize status by resource, e.g. NodeResizePending"""
    current_volume_attributes_class_name: Attribute[str | None, str | None]
    modify_volume_status: Attribute[ModifyVolumeStatus | None, ModifyVolumeStatus | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        phase: str | None = ...,
        access_modes: Sequence[str] | None = ...,
        capacity: Mapping[str, str | int | float] | None = ...,
        conditions: Sequence[PersistentVolumeClaimCondition | Mapping[str, Any]] | None = ...,
        allocated_resources: Mapping[str, str | int | float] | None = ...,
        allocated_resource_statuses: Mapping[str, str] | None = ...,
        current_volume_attributes_class_name: str | None = ...,
        modify_volume_status: ModifyVolumeStatus | Mapping[str, Any] | None = ...,
    ) -> None: ...

class PersistentVolumeClaimTemplate(Model):
    """The template of a claim for one pod."""
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    spec: Attribute[PersistentVolumeClaimSpec, PersistentVolumeClaimSpec | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: PersistentVolumeClaimSpec | Mapping[str, Any] | None = ...,
    ) -> None: ...

class PersistentVolumeClaimVolumeSource(Model):
    claim_name: Attribute[str, str | None]
    read_only: Attribute[bool, bool | None]
    def __init__(
        self,
        *,
        claim_name: str | None = ...,
        read_only: bool | None = ...,
    ) -> None: ...

class PhotonPersistentDiskVolumeSource(Model):
    pd_id: Attribute[str, str | None]
    fs_type: Attribute[str, str | None]
    def __init__(
        self,
        *,
        pd_id: str | None = ...,
        fs_type: str | None = ...,
    ) -> None: ...

class Pod(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    spec: Attribute[PodSpec, PodSpec | Mapping[str, Any] | None]
    status: Attribute[PodStatus, PodStatus | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: PodSpec | Mapping[str, Any] | None = ...,
        status: PodStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class PodAffinity(Model):
    required_during_scheduling_ignored_during_execution: Attribute[ListView[PodAffinityTerm], Sequence[PodAffinityTerm | Mapping[str, Any]] | None]
    preferred_during_scheduling_ignored_during_execution: Attribute[ListView[WeightedPodAffinityTerm], Sequence[WeightedPodAffinityTerm | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        required_during_scheduling_ignored_during_execution: Sequence[PodAffinityTerm | Mapping[str, Any]] | None = ...,
        preferred_during_scheduling_ignored_during_execution: Sequence[WeightedPodAffinityTerm | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class PodAffinityTerm(Model):
    """Selects pods; the pod must, or must not, run on nodes with the same value of `topology_key` as these."""
    label_selector: Attribute[meta.LabelSelector | None, meta.LabelSelector | Mapping[str, Any] | None]
    namespaces: Attribute[ListView[str], Sequence[str] | None]
    """empty without a selector: the namespace of the pod"""
    topology_key: Attribute[str, str | None]
    """a label of nodes, e.g. `kubernetes.io/hostname`"""
    namespace_selector: Attribute[meta.LabelSelector | None, meta.LabelSelector | Mapping[str, Any] | None]
    match_label_keys: Attribute[ListView[str], Sequence[str] | None]
    """labels whose values must be equal in other pods"""
    mismatch_label_keys: Attribute[ListView[str], Sequence[str] | None]
    """labels whose values must differ in other pods"""
    def __init__(
        self,
        *,
        label_selector: meta.LabelSelector | Mapping[str, Any] | None = ...,
        namespaces: Sequence[str] | None = ...,
        topology_key: str | None = ...,
        namespace_selector: meta.LabelSelector | Mapping[str, Any] | None = ...,
        match_label_keys: Sequence[str] | None = ...,
        mismatch_label_keys: Sequence[str] | None = ...,
    ) -> None: ...

class PodAntiAffinity(Model):
    required_during_scheduling_ignored_during_execution: Attribute[ListView[PodAffinityTerm], Sequence[PodAffinityTerm | Mapping[str, Any]] | None]
    preferred_during_scheduling_ignored_during_execution: Attribute[ListView[WeightedPodAffinityTerm], Sequence[WeightedPodAffinityTerm | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        required_during_scheduling_ignored_during_execution: Sequence[PodAffinityTerm | Mapping[str, Any]] | None = ...,
        preferred_during_scheduling_ignored_during_execution: Sequence[WeightedPodAffinityTerm | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class PodCertificateProjection(Model):
    """A key and a certificate that a signer issues for the pod and the kubelet renews."""
    signer_name: Attribute[str, str | None]
    key_type: Attribute[str, str | None]
    """e.g. RSA3072, ECDSAP256, ED25519"""
    max_expiration_seconds: Attribute[int | None, int | None]
    credential_bundle_path: Attribute[str, str | None]
    """path of the file with key and certificates"""
    key_path: Attribute[str, str | None]
    certificate_chain_path: Attribute[str, str | None]
    user_annotations: Attribute[MapView[str], Mapping[str, str] | None]
    """for the signer"""
    def __init__(
        self,
        *,
        signer_name: str | None = ...,
        key_type: str | None = ...,
        max_expiration_seconds: int | None = ...,
        credential_bundle_path: str | None = ...,
        key_path: str | None = ...,
        certificate_chain_path: str | None = ...,
        user_annotations: Mapping[str, str] | None = ...,
    ) -> None: ...

class PodCondition(Model):
    type: Attribute[str, str | None]
    """PodScheduled, Initialized, ContainersReady, Ready, DisruptionTarget, ..."""
    status: Attribute[str, str | None]
    """True, False or Unknown"""
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

class PodDNSConfig(Model):
    nameservers: Attribute[ListView[str], Sequence[str] | None]
    """IP addresses"""
    searches: Attribute[ListView[str], Sequence[str] | None]
    options: Attribute[ListView[PodDNSConfigOption], Sequence[PodDNSConfigOption | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        nameservers: Sequence[str] | None = ...,
        searches: Sequence[str] | None = ...,
        options: Sequence[PodDNSConfigOption | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class PodDNSConfigOption(Model):
    name: Attribute[str, str | None]
    value: Attribute[str | None, str | None]
    def __init__(
        self,
        *,
        name: str | None = ...,
        value: str | None = ...,
    ) -> None: ...

class PodIP(Model):
    ip: Attribute[str, str | None]
    def __init__(
        self,
        *,
        ip: str | None = ...,
    ) -> None: ...

class PodList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[Pod], Sequence[Pod | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[Pod | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class PodOS(Model):
    name: Attribute[str, str | None]
    """linux or windows"""
    def __init__(
        self,
        *,
        name: str | None = ...,
    ) -> None: ...

class PodReadinessGate(Model):
    """A condition that must be True before the pod counts as ready."""
    condition_type: Attribute[str, str | None]
    def __init__(
        self,
        *,
        condition_type: str | None = ...,
    ) -> None: ...

class PodResourceClaim(Model):
    """A claim of devices, or its template, that containers refer to by name."""
    name: Attribute[str, str | None]
    resource_claim_name: Attribute[str | None, str | None]
    resource_claim_template_name: Attribute[str | None, str | None]
    def __init__(
        self,
        *,
        name: str | None = ...,
        resource_claim_name: str | None = ...,
        resource_claim_template_name: str | None = ...,
    ) -> None: ...

class PodResourceClaimStatus(Model):
    """The claim that was created from a template."""
    name: Attribute[str, str | None]
    resource_claim_name: Attribute[str | None, str | None]
    def __init__(
        self,
        *,
        name: str | None = ...,
        resource_claim_name: str | None = ...,
    ) -> None: ...

class PodSchedulingGate(Model):
    """The pod is not scheduled while it has a gate."""
    name: Attribute[str, str | None]
    def __init__(
        self,
        *,
        name: str | None = ...,
    ) -> None: ...

class PodSecurityContext(Model):
    """For all containers of a pod, and its volumes."""
    se_linux_options: Attribute[SELinuxOptions | None, SELinuxOptions | Mapping[str, Any] | None]
    windows_options: Attribute[WindowsSecurityContextOptions | None, WindowsSecurityContextOptions | Mapping[str, Any] | None]
    run_as_user: Attribute[int | None, int | None]
    """uid"""
    run_as_group: Attribute[int | None, int | None]
    """gid"""
    run_as_non_root: Attribute[bool | None, bool | None]
    """do not run as uid 0"""
    supplemental_groups: Attribute[ListView[int], Sequence[int] | None]
    """gids of the first process"""
    supplemental_groups_policy: Attribute[str | None, str | None]
    """Merge, with groups of the image, or Strict"""
    fs_group: Attribute[int | None, int | None]
    """gid that owns the volumes"""
    sysctls: Attribute[ListView[Sysctl], Sequence[Sysctl | Mapping[str, Any]] | None]
    fs_group_change_policy: Attribute[str | None, str | None]
    """OnRootMismatch or Always; absent means Always"""
    se_linux_change_policy: Attribute[str | None, str | None]
    """how volumes get their labels: Recursive or MountOption"""
    seccomp_profile: Attribute[SeccompProfile | None, SeccompProfile | Mapping[str, Any] | None]
    app_armor_profile: Attribute[AppArmorProfile | None, AppArmorProfile | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        se_linux_options: SELinuxOptions | Mapping[str, Any] | None = ...,
        windows_options: WindowsSecurityContextOptions | Mapping[str, Any] | None = ...,
        run_as_user: int | None = ...,
        run_as_group: int | None = ...,
        run_as_non_root: bool | None = ...,
        supplemental_groups: Sequence[int] | None = ...,
        supplemental_groups_policy: str | None = ...,
        fs_group: int | None = ...,
        sysctls: Sequence[Sysctl | Mapping[str, Any]] | None = ...,
        fs_group_change_policy: str | None = ...,
        se_linux_change_policy: str | None = ...,
        seccomp_profile: SeccompProfile | Mapping[str, Any] | None = ...,
        app_armor_profile: AppArmorProfile | Mapping[str, Any] | None = ...,
    ) -> None: ...

class PodSpec(Model):
    volumes: Attribute[ListView[Volume], Sequence[Volume | Mapping[str, Any]] | None]
    init_containers: Attribute[ListView[Container], Sequence[Container | Mapping[str, Any]] | None]
    containers: Attribute[ListView[Container], Sequence[Container | Mapping[str, Any]] | None]
    ephemeral_containers: Attribute[ListView[EphemeralContainer], Sequence[EphemeralContainer | Mapping[str, Any]] | None]
    restart_policy: Attribute[str, str | None]
    """Always, OnFailure or Never; empty means Always"""
    termination_grace_period_seconds: Attribute[int | None, int | None]
    """absent means 30"""
    active_deadline_seconds: Attribute[int | None, int | None]
    """time since the start after which the pod fails"""
    dns_policy: Attribute[str, str | None]
    """ClusterFirst, ClusterFirstWithHostNet, Default or None; empty means ClusterFirst"""
    node_selector: Attribute[MapView[str], Mapping[str, str] | None]
    """required labels of the node"""
    service_account_name: Attribute[str, str | None]
    service_account: Attribute[str, str | None]
    """deprecated name of `service_account_name`; servers keep both equal"""
    automount_service_account_token: Attribute[bool | None, bool | None]
    node_name: Attribute[str, str | None]
    host_network: Attribute[bool, bool | None]
    host_pid: Attribute[bool, bool | None]
    host_ipc: Attribute[bool, bool | None]
    share_process_namespace: Attribute[bool | None, bool | None]
    security_context: Attribute[PodSecurityContext | None, PodSecurityContext | Mapping[str, Any] | None]
    image_pull_secrets: Attribute[ListView[LocalObjectReference], Sequence[LocalObjectReference | Mapping[str, Any]] | None]
    hostname: Attribute[str, str | None]
    """empty: the name of the pod"""
    subdomain: Attribute[str, str | None]
    """name of a headless service; makes `hostname.subdomain.namespace.svc` resolvable"""
    affinity: Attribute[Affinity | None, Affinity | Mapping[str, Any] | None]
    scheduler_name: Attribute[str, str | None]
    """empty means `default-scheduler`"""
    tolerations: Attribute[ListView[Toleration], Sequence[Toleration | Mapping[str, Any]] | None]
    host_aliases: Attribute[ListView[HostAlias], Sequence[HostAlias | Mapping[str, Any]] | None]
    priority_class_name: Attribute[str, str | None]
    priority: Attribute[int | None, int | None]
    """set by the server from the class"""
    dns_config: Attribute[PodDNSConfig | None, PodDNSConfig | Mapping[str, Any] | None]
    readiness_gates: Attribute[ListView[PodReadinessGate], Sequence[PodReadinessGate | Mapping[str, Any]] | None]
    runtime_class_name: Attribute[str | None, str | None]
    enable_service_links: Attribute[bool | None, bool | None]
    """variables for each service of the namespace; absent means true"""
    preemption_policy: Attribute[str | None, str | None]
    """PreemptLowerPriority or Never"""
    overhead: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """of the runtime, in addition to the containers; set by the server"""
    topology_spread_constraints: Attribute[ListView[TopologySpreadConstraint], Sequence[TopologySpreadConstraint | Mapping[str, Any]] | None]
    set_hostname_as_fqdn: Attribute[bool | None, bool | None]
    os: Attribute[PodOS | None, PodOS | Mapping[str, Any] | None]
    host_users: Attribute[bool | None, bool | None]
    """false: uids are mapped in a separate user namespace"""
    scheduling_gates: Attribute[ListView[PodSchedulingGate], Sequence[PodSchedulingGate | Mapping[str, Any]] | None]
    resource_claims: Attribute[ListView[PodResourceClaim], Sequence[PodResourceClaim | Mapping[str, Any]] | None]
    resources: Attribute[ResourceRequirements | None, ResourceRequirements | Mapping[str, Any] | None]
    """of all containers together"""
    hostname_override: Attribute[str | None, str | None]
    """takes precedence over `hostname` and `subdomain`"""
    workload_ref: Attribute[WorkloadReference | None, WorkloadReference | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        volumes: Sequence[Volume | Mapping[str, Any]] | None = ...,
        init_containers: Sequence[Container | Mapping[str, Any]] | None = ...,
        containers: Sequence[Container | Mapping[str, Any]] | None = ...,
        ephemeral_containers: Sequence[EphemeralContainer | Mapping[str, Any]] | None = ...,
        restart_policy: str | None = ...,
        termination_grace_period_seconds: int | None = ...,
        active_deadline_seconds: int | None = ...,
        dns_policy: str | None = ...,
        node_selector: Mapping[str, str] | None = ...,
        service_account_name: str | None = ...,
        service_account: str | None = ...,
        automount_service_account_token: bool | None = ...,
        node_name: str | None = ...,
        host_network: bool | None = ...,
        host_pid: bool | None = ...,
        host_ipc: bool | None = ...,
        share_process_namespace: bool | None = ...,
        security_context: PodSecurityContext | Mapping[str, Any] | None = ...,
        image_pull_secrets: Sequence[LocalObjectReference | Mapping[str, Any]] | None = ...,
        hostname: str | None = ...,
        subdomain: str | None = ...,
        affinity: Affinity | Mapping[str, Any] | None = ...,
        scheduler_name: str | None = ...,
        tolerations: Sequence[Toleration | Mapping[str, Any]] | None = ...,
        host_aliases: Sequence[HostAlias | Mapping[str, Any]] | None = ...,
        priority_class_name: str | None = ...,
        priority: int | None = ...,
        dns_config: PodDNSConfig | Mapping[str, Any] | None = ...,
        readiness_gates: Sequence[PodReadinessGate | Mapping[str, Any]] | None = ...,
        runtime_class_name: str | None = ...,
        enable_service_links: bool | None = ...,
        preemption_policy: str | None = ...,
        overhead: Mapping[str, str | int | float] | None = ...,
        topology_spread_constraints: Sequence[TopologySpreadConstraint | Mapping[str, Any]] | None = ...,
        set_hostname_as_fqdn: bool | None = ...,
        os: PodOS | Mapping[str, Any] | None = ...,
        host_users: bool | None = ...,
        scheduling_gates: Sequence[PodSchedulingGate | Mapping[str, Any]] | None = ...,
        resource_claims: Sequence[PodResourceClaim | Mapping[str, Any]] | None = ...,
        resources: ResourceRequirements | Mapping[str, Any] | None = ...,
        hostname_override: str | None = ...,
        workload_ref: WorkloadReference | Mapping[str, Any] | None = ...,
    ) -> None: ...

class PodStatus(Model):
    phase: Attribute[str, str | None]
    """Pending, Running, Succeeded, Failed or Unknown"""
    conditions: Attribute[ListView[PodCondition], Sequence[PodCondition | Mapping[str, Any]] | None]
    message: Attribute[str, str | None]
    reason: Attribute[str, str | None]
    """e.g. Evicted"""
    nominated_node_name: Attribute[str, str | None]
    """node on which pods are preempted to make room for it"""
    host_ip: Attribute[str, str | None]
    host_ips: Attribute[ListView[HostIP], Sequence[HostIP | Mapping[str, Any]] | None]
    pod_ip: Attribute[str, str | None]
    pod_ips: Attribute[ListView[PodIP], Sequence[PodIP | Mapping[str, Any]] | None]
    start_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """when the kubelet accepted the pod"""
    init_container_statuses: Attribute[ListView[ContainerStatus], Sequence[ContainerStatus | Mapping[str, Any]] | None]
    container_statuses: Attribute[ListView[ContainerStatus], Sequence[ContainerStatus | Mapping[str, Any]] | None]
    qos_class: Attribute[str, str | None]
    """Guaranteed, Burstable or BestEffort"""
    ephemeral_container_statuses: Attribute[ListView[ContainerStatus], Sequence[ContainerStatus | Mapping[str, Any]] | None]
    resize: Attribute[str, str | None]
    """Proposed, InProgress, Deferred or Infeasible"""
    resource_claim_statuses: Attribute[ListView[PodResourceClaimStatus], Sequence[PodResourceClaimStatus | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        phase: str | None = ...,
        conditions: Sequence[PodCondition | Mapping[str, Any]] | None = ...,
        message: str | None = ...,
        reason: str | None = ...,
        nominated_node_name: str | None = ...,
        host_ip: str | None = ...,
        host_ips: Sequence[HostIP | Mapping[str, Any]] | None = ...,
        pod_ip: str | None = ...,
        pod_ips: Sequence[PodIP | Mapping[str, Any]] | None = ...,
        start_time: datetime.datetime | str | None = ...,
        init_container_statuses: Sequence[ContainerStatus | Mapping[str, Any]] | None = ...,
        container_statuses: Sequence[ContainerStatus | Mapping[str, Any]] | None = ...,
        qos_class: str | None = ...,
        ephemeral_container_statuses: Sequence[ContainerStatus | Mapping[str, Any]] | None = ...,
        resize: str | None = ...,
        resource_claim_statuses: Sequence[PodResourceClaimStatus | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class PodTemplate(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    template: Attribute[PodTemplateSpec, PodTemplateSpec | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        template: PodTemplateSpec | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class PodTemplateList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[PodTemplate], Sequence[PodTemplate | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[PodTemplate | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class PodTemplateSpec(Model):
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    spec: Attribute[PodSpec, PodSpec | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: PodSpec | Mapping[str, Any] | None = ...,
    ) -> None: ...

class PortStatus(Model):
    port: Attribute[int, int | None]
    protocol: Attribute[str, str | None]
    error: Attribute[str | None, str | None]
    def __init__(
        self,
        *,
        port: int | None = ...,
        protocol: str | None = ...,
        error: str | None = ...,
    ) -> None: ...

class PortworxVolumeSource(Model):
    volume_id: Attribute[str, str | None]
    fs_type: Attribute[str, str | None]
    read_only: Attribute[bool, bool | None]
    def __init__(
        self,
        *,
        volume_id: str | None = ...,
        fs_type: str | None = ...,
        read_only: bool | None = ...,
    ) -> None: ...

class PreferredSchedulingTerm(Model):
    """A preference with a weight of 1 to 100."""
    weight: Attribute[int, int | None]
    preference: Attribute[NodeSelectorTerm, NodeSelectorTerm | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        weight: int | None = ...,
        preference: NodeSelectorTerm | Mapping[str, Any] | None = ...,
    ) -> None: ...

class Probe(Model):
    """One of the first four is set; the kubelet runs it periodically."""
    exec: Attribute[ExecAction | None, ExecAction | Mapping[str, Any] | None]
    http_get: Attribute[HTTPGetAction | None, HTTPGetAction | Mapping[str, Any] | None]
    tcp_socket: Attribute[TCPSocketAction | None, TCPSocketAction | Mapping[str, Any] | None]
    grpc: Attribute[GRPCAction | None, GRPCAction | Mapping[str, Any] | None]
    initial_delay_seconds: Attribute[int, int | None]
    """after the start of the container"""
    timeout_seconds: Attribute[int, int | None]
    """0 means 1"""
    period_seconds: Attribute[int, int | None]
    """0 means 10"""
    success_threshold: Attribute[int, int | None]
    """consecutive successes; 0 means 1"""
    failure_threshold: Attribute[int, int | None]
    """consecutive failures; 0 means 3"""
    termination_grace_period_seconds: Attribute[int | None, int | None]
    """Grace period if the probe ends the container; absent: that of the pod."""
    def __init__(
        self,
        *,
        exec: ExecAction | Mapping[str, Any] | None = ...,
        http_get: HTTPGetAction | Mapping[str, Any] | None = ...,
        tcp_socket: TCPSocketAction | Mapping[str, Any] | None = ...,
        grpc: GRPCAction | Mapping[str, Any] | None = ...,
        initial_delay_seconds: int | None = ...,
        timeout_seconds: int | None = ...,
        period_seconds: int | None = ...,
        success_threshold: int | None = ...,
        failure_threshold: int | None = ...,
        termination_grace_period_seconds: int | None = ...,
    ) -> None: ...

class ProjectedVolumeSource(Model):
    """Several sources in one directory."""
    sources: Attribute[ListView[VolumeProjection], Sequence[VolumeProjection | Mapping[str, Any]] | None]
    default_mode: Attribute[int | None, int | None]
    """permission bits; absent means 0644"""
    def __init__(
        self,
        *,
        sources: Sequence[VolumeProjection | Mapping[str, Any]] | None = ...,
        default_mode: int | None = ...,
    ) -> None: ...

class QuobyteVolumeSource(Model):
    registry: Attribute[str, str | None]
    """`host:port`, several with commas"""
    volume: Attribute[str, str | None]
    read_only: Attribute[bool, bool | None]
    user: Attribute[str, str | None]
    group: Attribute[str, str | None]
    tenant: Attribute[str, str | None]
    def __init__(
        self,
        *,
        registry: str | None = ...,
        volume: str | None = ...,
        read_only: bool | None = ...,
        user: str | None = ...,
        group: str | None = ...,
        tenant: str | None = ...,
    ) -> None: ...

class RBDVolumeSource(Model):
    monitors: Attribute[ListView[str], Sequence[str] | None]
    image: Attribute[str, str | None]
    fs_type: Attribute[str, str | None]
    pool: Attribute[str, str | None]
    user: Attribute[str, str | None]
    keyring: Attribute[str, str | None]
    secret_ref: Attribute[LocalObjectReference | None, LocalObjectReference | Mapping[str, Any] | None]
    read_only: Attribute[bool, bool | None]
    def __init__(
        self,
        *,
        monitors: Sequence[str] | None = ...,
        image: str | None = ...,
        fs_type: str | None = ...,
        pool: str | None = ...,
        user: str | None = ...,
        keyring: str | None = ...,
        secret_ref: LocalObjectReference | Mapping[str, Any] | None = ...,
        read_only: bool | None = ...,
    ) -> None: ...

class ResourceClaim(Model):
    """A claim of the pod that the container uses."""
    name: Attribute[str, str | None]
    request: Attribute[str, str | None]
    """a request of the claim; empty: the whole claim"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        request: str | None = ...,
    ) -> None: ...

class ResourceFieldSelector(Model):
    """A request or limit of a container of the pod."""
    container_name: Attribute[str, str | None]
    """required in volumes"""
    resource: Attribute[str, str | None]
    """e.g. `limits.cpu`, `requests.memory`"""
    divisor: Attribute[Quantity | None, str | int | float | None]
    """the unit of the result; empty means 1"""
    def __init__(
        self,
        *,
        container_name: str | None = ...,
        resource: str | None = ...,
        divisor: str | int | float | None = ...,
    ) -> None: ...

class ResourceHealth(Model):
    """The health of one device."""
    resource_id: Attribute[str, str | None]
    """of the device, unique on the node"""
    health: Attribute[str, str | None]
    """Healthy, Unhealthy or Unknown"""
    def __init__(
        self,
        *,
        resource_id: str | None = ...,
        health: str | None = ...,
    ) -> None: ...

class ResourceQuota(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    spec: Attribute[ResourceQuotaSpec, ResourceQuotaSpec | Mapping[str, Any] | None]
    status: Attribute[ResourceQuotaStatus, ResourceQuotaStatus | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: ResourceQuotaSpec | Mapping[str, Any] | None = ...,
        status: ResourceQuotaStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class ResourceQuotaList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[ResourceQuota], Sequence[ResourceQuota | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[ResourceQuota | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class ResourceQuotaSpec(Model):
    hard: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """by name, e.g. `requests.cpu`, `pods`, `count/jobs.batch`"""
    scopes: Attribute[ListView[str], Sequence[str] | None]
    """E.g. Terminating, BestEffort, PriorityClass; only objects that match all scopes are counted."""
    scope_selector: Attribute[ScopeSelector | None, ScopeSelector | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        hard: Mapping[str, str | int | float] | None = ...,
        scopes: Sequence[str] | None = ...,
        scope_selector: ScopeSelector | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ResourceQuotaStatus(Model):
    hard: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    used: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    def __init__(
        self,
        *,
        hard: Mapping[str, str | int | float] | None = ...,
        used: Mapping[str, str | int | float] | None = ...,
    ) -> None: ...

class ResourceRequirements(Model):
    """By resource name, for one container."""
    limits: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    requests: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """default: the limits"""
    claims: Attribute[ListView[ResourceClaim], Sequence[ResourceClaim | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        limits: Mapping[str, str | int | float] | None = ...,
        requests: Mapping[str, str | int | float] | None = ...,
        claims: Sequence[ResourceClaim | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class ResourceStatus(Model):
    """The health of the devices of one resource."""
    name: Attribute[str, str | None]
    resources: Attribute[ListView[ResourceHealth], Sequence[ResourceHealth | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        name: str | None = ...,
        resources: Sequence[ResourceHealth | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class SELinuxOptions(Model):
    user: Attribute[str, str | None]
    role: Attribute[str, str | None]
    type: Attribute[str, str | None]
    level: Attribute[str, str | None]
    def __init__(
        self,
        *,
        user: str | None = ...,
        role: str | None = ...,
        type: str | None = ...,
        level: str | None = ...,
    ) -> None: ...

class ScaleIOVolumeSource(Model):
    gateway: Attribute[str, str | None]
    system: Attribute[str, str | None]
    secret_ref: Attribute[LocalObjectReference | None, LocalObjectReference | Mapping[str, Any] | None]
    ssl_enabled: Attribute[bool, bool | None]
    protection_domain: Attribute[str, str | None]
    storage_pool: Attribute[str, str | None]
    storage_mode: Attribute[str, str | None]
    volume_name: Attribute[str, str | None]
    fs_type: Attribute[str, str | None]
    read_only: Attribute[bool, bool | None]
    def __init__(
        self,
        *,
        gateway: str | None = ...,
        system: str | None = ...,
        secret_ref: LocalObjectReference | Mapping[str, Any] | None = ...,
        ssl_enabled: bool | None = ...,
        protection_domain: str | None = ...,
        storage_pool: str | None = ...,
        storage_mode: str | None = ...,
        volume_name: str | None = ...,
        fs_type: str | None = ...,
        read_only: bool | None = ...,
    ) -> None: ...

class ScopeSelector(Model):
    match_expressions: Attribute[ListView[ScopedResourceSelectorRequirement], Sequence[ScopedResourceSelectorRequirement | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        match_expressions: Sequence[ScopedResourceSelectorRequirement | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class ScopedResourceSelectorRequirement(Model):
    """Selects the pods that count."""
    scope_name: Attribute[str, str | None]
    """as in the scopes of a quota"""
    operator: Attribute[str, str | None]
    """In, NotIn, Exists or DoesNotExist"""
    values: Attribute[ListView[str], Sequence[str] | None]
    def __init__(
        self,
        *,
        scope_name: str | None = ...,
        operator: str | None = ...,
        values: Sequence[str] | None = ...,
    ) -> None: ...

class SeccompProfile(Model):
    type: Attribute[str, str | None]
    """Localhost, RuntimeDefault or Unconfined"""
    localhost_profile: Attribute[str | None, str | None]
    """file on the node, with type Localhost"""
    def __init__(
        self,
        *,
        type: str | None = ...,
        localhost_profile: str | None = ...,
    ) -> None: ...

class Secret(Model):
    """Values are stored decoded."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    immutable: Attribute[bool | None, bool | None]
    """if true, the data can no longer be changed"""
    data: Attribute[MapView[bytes], Mapping[str, bytes] | None]
    string_data: Attribute[MapView[str], Mapping[str, str] | None]
    """only when writing: the server moves it into `data`"""
    type: Attribute[str, str | None]
    """e.g. Opaque, `kubernetes.io/tls`"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        immutable: bool | None = ...,
        data: Mapping[str, bytes] | None = ...,
        string_data: Mapping[str, str] | None = ...,
        type: str | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class SecretEnvSource(Model):
    name: Attribute[str, str | None]
    optional: Attribute[bool | None, bool | None]
    """if true, a missing object is ignored"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        optional: bool | None = ...,
    ) -> None: ...

class SecretKeySelector(Model):
    name: Attribute[str, str | None]
    key: Attribute[str, str | None]
    optional: Attribute[bool | None, bool | None]
    """if true, the variable is omitted if the key does not exist"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        key: str | None = ...,
        optional: bool | None = ...,
    ) -> None: ...

class SecretList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[Secret], Sequence[Secret | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[Secret | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class SecretProjection(Model):
    name: Attribute[str, str | None]
    items: Attribute[ListView[KeyToPath], Sequence[KeyToPath | Mapping[str, Any]] | None]
    """empty: all keys"""
    optional: Attribute[bool | None, bool | None]
    def __init__(
        self,
        *,
        name: str | None = ...,
        items: Sequence[KeyToPath | Mapping[str, Any]] | None = ...,
        optional: bool | None = ...,
    ) -> None: ...

class SecretVolumeSource(Model):
    secret_name: Attribute[str, str | None]
    items: Attribute[ListView[KeyToPath], Sequence[KeyToPath | Mapping[str, Any]] | None]
    """empty: all keys"""
    default_mode: Attribute[int | None, int | None]
    """permission bits; absent means 0644"""
    optional: Attribute[bool | None, bool | None]
    """if true, the volume is empty if the secret does not exist"""
    def __init__(
        self,
        *,
        secret_name: str | None = ...,
        items: Sequence[KeyToPath | Mapping[str, Any]] | None = ...,
        default_mode: int | None = ...,
        optional: bool | None = ...,
    ) -> None: ...

class SecurityContext(Model):
    """For one container; takes precedence over that of the pod."""
    capabilities: Attribute[Capabilities | None, Capabilities | Mapping[str, Any] | None]
    privileged: Attribute[bool | None, bool | None]
    se_linux_options: Attribute[SELinuxOptions | None, SELinuxOptions | Mapping[str, Any] | None]
    windows_options: Attribute[WindowsSecurityContextOptions | None, WindowsSecurityContextOptions | Mapping[str, Any] | None]
    run_as_user: Attribute[int | None, int | None]
    """uid"""
    run_as_group: Attribute[int | None, int | None]
    """gid"""
    run_as_non_root: Attribute[bool | None, bool | None]
    """do not run as uid 0"""
    read_only_root_filesystem: Attribute[bool | None, bool | None]
    allow_privilege_escalation: Attribute[bool | None, bool | None]
    proc_mount: Attribute[str | None, str | None]
    """Default or Unmasked"""
    seccomp_profile: Attribute[SeccompProfile | None, SeccompProfile | Mapping[str, Any] | None]
    app_armor_profile: Attribute[AppArmorProfile | None, AppArmorProfile | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        capabilities: Capabilities | Mapping[str, Any] | None = ...,
        privileged: bool | None = ...,
        se_linux_options: SELinuxOptions | Mapping[str, Any] | None = ...,
        windows_options: WindowsSecurityContextOptions | Mapping[str, Any] | None = ...,
        run_as_user: int | None = ...,
        run_as_group: int | None = ...,
        run_as_non_root: bool | None = ...,
        read_only_root_filesystem: bool | None = ...,
        allow_privilege_escalation: bool | None = ...,
        proc_mount: str | None = ...,
        seccomp_profile: SeccompProfile | Mapping[str, Any] | None = ...,
        app_armor_profile: AppArmorProfile | Mapping[str, Any] | None = ...,
    ) -> None: ...

class Service(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    spec: Attribute[ServiceSpec, ServiceSpec | Mapping[str, Any] | None]
    status: Attribute[ServiceStatus, ServiceStatus | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: ServiceSpec | Mapping[str, Any] | None = ...,
        status: ServiceStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class ServiceAccount(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    secrets: Attribute[ListView[ObjectReference], Sequence[ObjectReference | Mapping[str, Any]] | None]
    """secrets that its pods may use"""
    image_pull_secrets: Attribute[ListView[LocalObjectReference], Sequence[LocalObjectReference | Mapping[str, Any]] | None]
    automount_service_account_token: Attribute[bool | None, bool | None]
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        secrets: Sequence[ObjectReference | Mapping[str, Any]] | None = ...,
        image_pull_secrets: Sequence[LocalObjectReference | Mapping[str, Any]] | None = ...,
        automount_service_account_token: bool | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class ServiceAccountList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[ServiceAccount], Sequence[ServiceAccount | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[ServiceAccount | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class ServiceAccountTokenProjection(Model):
    """A token that the kubelet renews."""
    audience: Attribute[str, str | None]
    """empty: that of the API server"""
    expiration_seconds: Attribute[int | None, int | None]
    """absent means 3600; at least 600"""
    path: Attribute[str, str | None]
    def __init__(
        self,
        *,
        audience: str | None = ...,
        expiration_seconds: int | None = ...,
        path: str | None = ...,
    ) -> None: ...

class ServiceList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[Service], Sequence[Service | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[Service | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class ServicePort(Model):
    name: Attribute[str, str | None]
    protocol: Attribute[str, str | None]
    """TCP, UDP or SCTP; empty means TCP"""
    app_protocol: Attribute[str | None, str | None]
    """e.g. `kubernetes.io/h2c`"""
    port: Attribute[int, int | None]
    target_port: Attribute[int | str | None, int | str | None]
    """port of the pods, as number or name; absent: `port`"""
    node_port: Attribute[int, int | None]
    """port of every node, for NodePort and LoadBalancer"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        protocol: str | None = ...,
        app_protocol: str | None = ...,
        port: int | None = ...,
        target_port: int | str | None = ...,
        node_port: int | None = ...,
    ) -> None: ...

class ServiceSpec(Model):
    ports: Attribute[ListView[ServicePort], Sequence[ServicePort | Mapping[str, Any]] | None]
    selector: Attribute[MapView[str], Mapping[str, str] | None]
    """selects pods; empty: the endpoints are managed externally"""
    cluster_ip: Attribute[str, str | None]
    """`None_` makes the service headless"""
    cluster_ips: Attribute[ListView[str], Sequence[str] | None]
    type: Attribute[str, str | None]
    """ClusterIP, NodePort, LoadBalancer or ExternalName; empty means ClusterIP"""
    external_ips: Attribute[ListView[str], Sequence[str] | None]
    session_affinity: Attribute[str, str | None]
    """None or ClientIP"""
    load_balancer_ip: Attribute[str, str | None]
    load_balancer_source_ranges: Attribute[ListView[str], Sequence[str] | None]
    """CIDRs of clients"""
    external_name: Attribute[str, str | None]
    """the alias, with type ExternalName"""
    external_traffic_policy: Attribute[str, str | None]
    """Cluster or Local"""
    health_check_node_port: Attribute[int, int | None]
    publish_not_ready_addresses: Attribute[bool, bool | None]
    """names of pods resolve before they are ready"""
    session_affinity_config: Attribute[SessionAffinityConfig | None, SessionAffinityConfig | Mapping[str, Any] | None]
    ip_families: Attribute[ListView[str], Sequence[str] | None]
    """IPv4, IPv6"""
    ip_family_policy: Attribute[str | None, str | None]
    """SingleStack, PreferDualStack or RequireDualStack"""
    allocate_load_balancer_node_ports: Attribute[bool | None, bool | None]
    load_balancer_class: Attribute[str | None, str | None]
    internal_traffic_policy: Attribute[str | None, str | None]
    """Cluster or Local"""
    traffic_distribution: Attribute[str | None, str | None]
    """e.g. PreferClose"""
    def __init__(
        self,
        *,
        ports: Sequence[ServicePort | Mapping[str, Any]] | None = ...,
        selector: Mapping[str, str] | None = ...,
        cluster_ip: str | None = ...,
        cluster_ips: Sequence[str] | None = ...,
        type: str | None = ...,
        external_ips: Sequence[str] | None = ...,
        session_affinity: str | None = ...,
        load_balancer_ip: str | None = ...,
        load_balancer_source_ranges: Sequence[str] | None = ...,
        external_name: str | None = ...,
        external_traffic_policy: str | None = ...,
        health_check_node_port: int | None = ...,
        publish_not_ready_addresses: bool | None = ...,
        session_affinity_config: SessionAffinityConfig | Mapping[str, Any] | None = ...,
        ip_families: Sequence[str] | None = ...,
        ip_family_policy: str | None = ...,
        allocate_load_balancer_node_ports: bool | None = ...,
        load_balancer_class: str | None = ...,
        internal_traffic_policy: str | None = ...,
        traffic_distribution: str | None = ...,
    ) -> None: ...

class ServiceStatus(Model):
    load_balancer: Attribute[LoadBalancerStatus, LoadBalancerStatus | Mapping[str, Any] | None]
    conditions: Attribute[ListView[meta.Condition], Sequence[meta.Condition | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        load_balancer: LoadBalancerStatus | Mapping[str, Any] | None = ...,
        conditions: Sequence[meta.Condition | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class SessionAffinityConfig(Model):
    client_ip: Attribute[ClientIPConfig | None, ClientIPConfig | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        client_ip: ClientIPConfig | Mapping[str, Any] | None = ...,
    ) -> None: ...

class SleepAction(Model):
    seconds: Attribute[int, int | None]
    def __init__(
        self,
        *,
        seconds: int | None = ...,
    ) -> None: ...

class StorageOSVolumeSource(Model):
    volume_name: Attribute[str, str | None]
    volume_namespace: Attribute[str, str | None]
    fs_type: Attribute[str, str | None]
    read_only: Attribute[bool, bool | None]
    secret_ref: Attribute[LocalObjectReference | None, LocalObjectReference | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        volume_name: str | None = ...,
        volume_namespace: str | None = ...,
        fs_type: str | None = ...,
        read_only: bool | None = ...,
        secret_ref: LocalObjectReference | Mapping[str, Any] | None = ...,
    ) -> None: ...

class Sysctl(Model):
    """A kernel parameter of the namespaces of the pod."""
    name: Attribute[str, str | None]
    value: Attribute[str, str | None]
    def __init__(
        self,
        *,
        name: str | None = ...,
        value: str | None = ...,
    ) -> None: ...

class TCPSocketAction(Model):
    port: Attribute[int | str | None, int | str | None]
    """number, or name of a port of the container"""
    host: Attribute[str, str | None]
    """empty: the address of the pod"""
    def __init__(
        self,
        *,
        port: int | str | None = ...,
        host: str | None = ...,
    ) -> None: ...

class Taint(Model):
    """Keeps pods without a matching toleration away from the node."""
    key: Attribute[str, str | None]
    value: Attribute[str, str | None]
    effect: Attribute[str, str | None]
    """NoSchedule, PreferNoSchedule or NoExecute"""
    time_added: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """for NoExecute"""
    def __init__(
        self,
        *,
        key: str | None = ...,
        value: str | None = ...,
        effect: str | None = ...,
        time_added: datetime.datetime | str | None = ...,
    ) -> None: ...

class Toleration(Model):
    """Tolerates matching taints; an empty key with the operator Exists matches all."""
    key: Attribute[str, str | None]
    operator: Attribute[str, str | None]
    """Exists or Equal; empty means Equal"""
    value: Attribute[str, str | None]
    effect: Attribute[str, str | None]
    """NoSchedule, PreferNoSchedule or NoExecute; empty: all"""
    toleration_seconds: Attribute[int | None, int | None]
    """for NoExecute; absent: without limit"""
    def __init__(
        self,
        *,
        key: str | None = ...,
        operator: str | None = ...,
        value: str | None = ...,
        effect: str | None = ...,
        toleration_seconds: int | None = ...,
    ) -> None: ...

class TopologySpreadConstraint(Model):
    """How evenly matching pods must be spread over the values of a node label."""
    max_skew: Attribute[int, int | None]
    """maximum difference of the counts"""
    topology_key: Attribute[str, str | None]
    """a label of nodes"""
    when_unsatisfiable: Attribute[str, str | None]
    """DoNotSchedule or ScheduleAnyway"""
    label_selector: Attribute[meta.LabelSelector | None, meta.LabelSelector | Mapping[str, Any] | None]
    min_domains: Attribute[int | None, int | None]
    """with fewer domains the smallest count is 0"""
    node_affinity_policy: Attribute[str | None, str | None]
    """Whether only nodes that match the affinity of the pod count: Honor or Ignore."""
    node_taints_policy: Attribute[str | None, str | None]
    """the same for taints: Honor or Ignore"""
    match_label_keys: Attribute[ListView[str], Sequence[str] | None]
    """labels whose values must be equal in other pods"""
    def __init__(
        self,
        *,
        max_skew: int | None = ...,
        topology_key: str | None = ...,
        when_unsatisfiable: str | None = ...,
        label_selector: meta.LabelSelector | Mapping[str, Any] | None = ...,
        min_domains: int | None = ...,
        node_affinity_policy: str | None = ...,
        node_taints_policy: str | None = ...,
        match_label_keys: Sequence[str] | None = ...,
    ) -> None: ...

class TypedLocalObjectReference(Model):
    """An object of the same namespace."""
    api_group: Attribute[str | None, str | None]
    """empty for the core group"""
    kind: Attribute[str, str | None]
    name: Attribute[str, str | None]
    def __init__(
        self,
        *,
        api_group: str | None = ...,
        kind: str | None = ...,
        name: str | None = ...,
    ) -> None: ...

class TypedObjectReference(Model):
    """An object of any namespace."""
    api_group: Attribute[str | None, str | None]
    """empty for the core group"""
    kind: Attribute[str, str | None]
    name: Attribute[str, str | None]
    namespace: Attribute[str | None, str | None]
    def __init__(
        self,
        *,
        api_group: str | None = ...,
        kind: str | None = ...,
        name: str | None = ...,
        namespace: str | None = ...,
    ) -> None: ...

class Volume(Model):
    """A name and one source; without a source, an empty directory."""
    name: Attribute[str, str | None]
    host_path: Attribute[HostPathVolumeSource | None, HostPathVolumeSource | Mapping[str, Any] | None]
    empty_dir: Attribute[EmptyDirVolumeSource | None, EmptyDirVolumeSource | Mapping[str, Any] | None]
    gce_persistent_disk: Attribute[GCEPersistentDiskVolumeSource | None, GCEPersistentDiskVolumeSource | Mapping[str, Any] | None]
    aws_elastic_block_store: Attribute[AWSElasticBlockStoreVolumeSource | None, AWSElasticBlockStoreVolumeSource | Mapping[str, Any] | None]
    git_repo: Attribute[GitRepoVolumeSource | None, GitRepoVolumeSource | Mapping[str, Any] | None]
    secret: Attribute[SecretVolumeSource | None, SecretVolumeSource | Mapping[str, Any] | None]
    nfs: Attribute[NFSVolumeSource | None, NFSVolumeSource | Mapping[str, Any] | None]
    iscsi: Attribute[ISCSIVolumeSource | None, ISCSIVolumeSource | Mapping[str, Any] | None]
    glusterfs: Attribute[GlusterfsVolumeSource | None, GlusterfsVolumeSource | Mapping[str, Any] | None]
    persistent_volume_claim: Attribute[PersistentVolumeClaimVolumeSource | None, PersistentVolumeClaimVolumeSource | Mapping[str, Any] | None]
    rbd: Attribute[RBDVolumeSource | None, RBDVolumeSource | Mapping[str, Any] | None]
    flex_volume: Attribute[FlexVolumeSource | None, FlexVolumeSource | Mapping[str, Any] | None]
    cinder: Attribute[CinderVolumeSource | None, CinderVolumeSource | Mapping[str, Any] | None]
    cephfs: Attribute[CephFSVolumeSource | None, CephFSVolumeSource | Mapping[str, Any] | None]
    flocker: Attribute[FlockerVolumeSource | None, FlockerVolumeSource | Mapping[str, Any] | None]
    downward_api: Attribute[DownwardAPIVolumeSource | None, DownwardAPIVolumeSource | Mapping[str, Any] | None]
    fc: Attribute[FCVolumeSource | None, FCVolumeSource | Mapping[str, Any] | None]
    azure_file: Attribute[AzureFileVolumeSource | None, AzureFileVolumeSource | Mapping[str, Any] | None]
    config_map: Attribute[ConfigMapVolumeSource | None, ConfigMapVolumeSource | Mapping[str, Any] | None]
    vsphere_volume: Attribute[VsphereVirtualDiskVolumeSource | None, VsphereVirtualDiskVolumeSource | Mapping[str, Any] | None]
    quobyte: Attribute[QuobyteVolumeSource | None, QuobyteVolumeSource | Mapping[str, Any] | None]
    azure_disk: Attribute[AzureDiskVolumeSource | None, AzureDiskVolumeSource | Mapping[str, Any] | None]
    photon_persistent_disk: Attribute[PhotonPersistentDiskVolumeSource | None, PhotonPersistentDiskVolumeSource | Mapping[str, Any] | None]
    projected: Attribute[ProjectedVolumeSource | None, ProjectedVolumeSource | Mapping[str, Any] | None]
    portworx_volume: Attribute[PortworxVolumeSource | None, PortworxVolumeSource | Mapping[str, Any] | None]
    scale_io: Attribute[ScaleIOVolumeSource | None, ScaleIOVolumeSource | Mapping[str, Any] | None]
    storageos: Attribute[StorageOSVolumeSource | None, StorageOSVolumeSource | Mapping[str, Any] | None]
    csi: Attribute[CSIVolumeSource | None, CSIVolumeSource | Mapping[str, Any] | None]
    ephemeral: Attribute[EphemeralVolumeSource | None, EphemeralVolumeSource | Mapping[str, Any] | None]
    image: Attribute[ImageVolumeSource | None, ImageVolumeSource | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        name: str | None = ...,
        host_path: HostPathVolumeSource | Mapping[str, Any] | None = ...,
        empty_dir: EmptyDirVolumeSource | Mapping[str, Any] | None = ...,
        gce_persistent_disk: GCEPersistentDiskVolumeSource | Mapping[str, Any] | None = ...,
        aws_elastic_block_store: AWSElasticBlockStoreVolumeSource | Mapping[str, Any] | None = ...,
        git_repo: GitRepoVolumeSource | Mapping[str, Any] | None = ...,
        secret: SecretVolumeSource | Mapping[str, Any] | None = ...,
        nfs: NFSVolumeSource | Mapping[str, Any] | None = ...,
        iscsi: ISCSIVolumeSource | Mapping[str, Any] | None = ...,
        glusterfs: GlusterfsVolumeSource | Mapping[str, Any] | None = ...,
        persistent_volume_claim: PersistentVolumeClaimVolumeSource | Mapping[str, Any] | None = ...,
        rbd: RBDVolumeSource | Mapping[str, Any] | None = ...,
        flex_volume: FlexVolumeSource | Mapping[str, Any] | None = ...,
        cinder: CinderVolumeSource | Mapping[str, Any] | None = ...,
        cephfs: CephFSVolumeSource | Mapping[str, Any] | None = ...,
        flocker: FlockerVolumeSource | Mapping[str, Any] | None = ...,
        downward_api: DownwardAPIVolumeSource | Mapping[str, Any] | None = ...,
        fc: FCVolumeSource | Mapping[str, Any] | None = ...,
        azure_file: AzureFileVolumeSource | Mapping[str, Any] | None = ...,
        config_map: ConfigMapVolumeSource | Mapping[str, Any] | None = ...,
        vsphere_volume: VsphereVirtualDiskVolumeSource | Mapping[str, Any] | None = ...,
        quobyte: QuobyteVolumeSource | Mapping[str, Any] | None = ...,
        azure_disk: AzureDiskVolumeSource | Mapping[str, Any] | None = ...,
        photon_persistent_disk: PhotonPersistentDiskVolumeSource | Mapping[str, Any] | None = ...,
        projected: ProjectedVolumeSource | Mapping[str, Any] | None = ...,
        portworx_volume: PortworxVolumeSource | Mapping[str, Any] | None = ...,
        scale_io: ScaleIOVolumeSource | Mapping[str, Any] | None = ...,
        storageos: StorageOSVolumeSource | Mapping[str, Any] | None = ...,
        csi: CSIVolumeSource | Mapping[str, Any] | None = ...,
        ephemeral: EphemeralVolumeSource | Mapping[str, Any] | None = ...,
        image: ImageVolumeSource | Mapping[str, Any] | None = ...,
    ) -> None: ...

class VolumeDevice(Model):
    """A claim of mode Block, as a device in the container."""
    name: Attribute[str, str | None]
    """name of the claim in the pod"""
    device_path: Attribute[str, str | None]
    """in the container"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        device_path: str | None = ...,
    ) -> None: ...

class VolumeMount(Model):
    name: Attribute[str, str | None]
    """name of the volume"""
    read_only: Attribute[bool, bool | None]
    recursive_read_only: Attribute[str | None, str | None]
    """Disabled, IfPossible or Enabled"""
    mount_path: Attribute[str, str | None]
    """in the container; may not contain `:`"""
    sub_path: Attribute[str, str | None]
    """within the volume; empty: the whole volume"""
    mount_propagation: Attribute[str | None, str | None]
    """None, HostToContainer or Bidirectional"""
    sub_path_expr: Attribute[str, str | None]
    """as `sub_path`, with `$(NAME)` expanded from the environment"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        read_only: bool | None = ...,
        recursive_read_only: str | None = ...,
        mount_path: str | None = ...,
        sub_path: str | None = ...,
        mount_propagation: str | None = ...,
        sub_path_expr: str | None = ...,
    ) -> None: ...

class VolumeMountStatus(Model):
    """The effective mount of a volume."""
    name: Attribute[str, str | None]
    mount_path: Attribute[str, str | None]
    read_only: Attribute[bool, bool | None]
    recursive_read_only: Attribute[str | None, str | None]
    def __init__(
        self,
        *,
        name: str | None = ...,
        mount_path: str | None = ...,
        read_only: bool | None = ...,
        recursive_read_only: str | None = ...,
    ) -> None: ...

class VolumeProjection(Model):
    """Exactly one is set."""
    secret: Attribute[SecretProjection | None, SecretProjection | Mapping[str, Any] | None]
    downward_api: Attribute[DownwardAPIProjection | None, DownwardAPIProjection | Mapping[str, Any] | None]
    config_map: Attribute[ConfigMapProjection | None, ConfigMapProjection | Mapping[str, Any] | None]
    service_account_token: Attribute[ServiceAccountTokenProjection | None, ServiceAccountTokenProjection | Mapping[str, Any] | None]
    cluster_trust_bundle: Attribute[ClusterTrustBundleProjection | None, ClusterTrustBundleProjection | Mapping[str, Any] | None]
    pod_certificate: Attribute[PodCertificateProjection | None, PodCertificateProjection | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        secret: SecretProjection | Mapping[str, Any] | None = ...,
        downward_api: DownwardAPIProjection | Mapping[str, Any] | None = ...,
        config_map: ConfigMapProjection | Mapping[str, Any] | None = ...,
        service_account_token: ServiceAccountTokenProjection | Mapping[str, Any] | None = ...,
        cluster_trust_bundle: ClusterTrustBundleProjection | Mapping[str, Any] | None = ...,
        pod_certificate: PodCertificateProjection | Mapping[str, Any] | None = ...,
    ) -> None: ...

class VolumeResourceRequirements(Model):
    limits: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """of `storage`"""
    requests: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """of `storage`"""
    def __init__(
        self,
        *,
        limits: Mapping[str, str | int | float] | None = ...,
        requests: Mapping[str, str | int | float] | None = ...,
    ) -> None: ...

class VsphereVirtualDiskVolumeSource(Model):
    volume_path: Attribute[str, str | None]
    fs_type: Attribute[str, str | None]
    storage_policy_name: Attribute[str, str | None]
    storage_policy_id: Attribute[str, str | None]
    def __init__(
        self,
        *,
        volume_path: str | None = ...,
        fs_type: str | None = ...,
        storage_policy_name: str | None = ...,
        storage_policy_id: str | None = ...,
    ) -> None: ...

class WeightedPodAffinityTerm(Model):
    """A preference with a weight of 1 to 100."""
    weight: Attribute[int, int | None]
    pod_affinity_term: Attribute[PodAffinityTerm, PodAffinityTerm | Mapping[str, Any] | None]
    def __init__(
        self,
        *,
        weight: int | None = ...,
        pod_affinity_term: PodAffinityTerm | Mapping[str, Any] | None = ...,
    ) -> None: ...

class WindowsSecurityContextOptions(Model):
    gmsa_credential_spec_name: Attribute[str | None, str | None]
    gmsa_credential_spec: Attribute[str | None, str | None]
    """text of the group managed service account"""
    run_as_user_name: Attribute[str | None, str | None]
    host_process: Attribute[bool | None, bool | None]
    """whether it runs as a process of the host"""
    def __init__(
        self,
        *,
        gmsa_credential_spec_name: str | None = ...,
        gmsa_credential_spec: str | None = ...,
        run_as_user_name: str | None = ...,
        host_process: bool | None = ...,
    ) -> None: ...

class WorkloadReference(Model):
    """The position of a pod in a workload that is scheduled as a unit."""
    name: Attribute[str, str | None]
    pod_group: Attribute[str, str | None]
    pod_group_replica_key: Attribute[str, str | None]
    """identifies one of several equal groups"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        pod_group: str | None = ...,
        pod_group_replica_key: str | None = ...,
    ) -> None: ...
