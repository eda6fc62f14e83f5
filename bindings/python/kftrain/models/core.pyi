"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any
from . import meta
from .._model import Attribute, ListView, MapView, Model
from .._quantity import Quantity

class AWSElasticBlockStoreVolumeSource(Model):
    """An existing volume of Amazon EBS; the driver `ebs.csi.aws.com` serves it."""
    volume_id: Attribute[str, str | None]
    """ID of the volume in AWS"""
    fs_type: Attribute[str, str | None]
    """file system, e.g. ext4, xfs; empty means ext4"""
    partition: Attribute[int, int | None]
    """number of the partition; 0: the whole volume"""
    read_only: Attribute[bool, bool | None]
    """if true, the volume is mounted read-only"""
    def __init__(
        self,
        *,
        volume_id: str | None = ...,
        fs_type: str | None = ...,
        partition: int | None = ...,
        read_only: bool | None = ...,
    ) -> None: ...

class Affinity(Model):
    """Rules of the scheduler for a pod; all required parts must hold."""
    node_affinity: Attribute[NodeAffinity | None, NodeAffinity | Mapping[str, Any] | None]
    """nodes on which it may run"""
    pod_affinity: Attribute[PodAffinity | None, PodAffinity | Mapping[str, Any] | None]
    """pods near which it runs"""
    pod_anti_affinity: Attribute[PodAntiAffinity | None, PodAntiAffinity | Mapping[str, Any] | None]
    """pods near which it does not run"""
    def __init__(
        self,
        *,
        node_affinity: NodeAffinity | Mapping[str, Any] | None = ...,
        pod_affinity: PodAffinity | Mapping[str, Any] | None = ...,
        pod_anti_affinity: PodAntiAffinity | Mapping[str, Any] | None = ...,
    ) -> None: ...

class AppArmorProfile(Model):
    """The AppArmor profile of processes."""
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
    """A volume that is attached to the node."""
    name: Attribute[str, str | None]
    """unique name of the volume; begins with the plugin, e.g. `kubernetes.io/csi/`"""
    device_path: Attribute[str, str | None]
    """path of the device on the node"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        device_path: str | None = ...,
    ) -> None: ...

class AzureDiskVolumeSource(Model):
    """A data disk of Azure; the driver `disk.csi.azure.com` serves it."""
    disk_name: Attribute[str, str | None]
    """name of the disk"""
    disk_uri: Attribute[str, str | None]
    """URI of the disk"""
    caching_mode: Attribute[str | None, str | None]
    """None, ReadOnly or ReadWrite; absent means ReadWrite"""
    fs_type: Attribute[str | None, str | None]
    """file system, e.g. ext4, xfs; absent means ext4"""
    read_only: Attribute[bool | None, bool | None]
    """if true, the disk is mounted read-only; absent means false"""
    kind: Attribute[str | None, str | None]
    """Shared, Dedicated or Managed; absent means Shared"""
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
    """A share of Azure Files; the driver `file.csi.azure.com` serves it."""
    secret_name: Attribute[str, str | None]
    """Secret of the same namespace with the name and the key of the storage account"""
    share_name: Attribute[str, str | None]
    """name of the share in Azure"""
    read_only: Attribute[bool, bool | None]
    """if true, the share is mounted read-only"""
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
    """name and namespace of the pod"""
    target: Attribute[ObjectReference, ObjectReference | Mapping[str, Any] | None]
    """the node, of kind Node"""
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
    """name of the CSI driver in the cluster"""
    read_only: Attribute[bool | None, bool | None]
    """if true, the volume is mounted read-only; absent means false"""
    fs_type: Attribute[str | None, str | None]
    """file system, e.g. ext4, xfs; absent: the driver decides"""
    volume_attributes: Attribute[MapView[str], Mapping[str, str] | None]
    """parameters of the driver"""
    node_publish_secret_ref: Attribute[LocalObjectReference | None, LocalObjectReference | Mapping[str, Any] | None]
    """Secret of the same namespace; the driver receives all its values."""
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
    """names without the prefix `CAP`, e.g. `NET_ADMIN`"""
    drop: Attribute[ListView[str], Sequence[str] | None]
    """names without the prefix `CAP`; `ALL` removes all"""
    def __init__(
        self,
        *,
        add: Sequence[str] | None = ...,
        drop: Sequence[str] | None = ...,
    ) -> None: ...

class CephFSVolumeSource(Model):
    """A directory of a CephFS file system; Kubernetes 1.31 removed the plugin."""
    monitors: Attribute[ListView[str], Sequence[str] | None]
    """addresses of the Ceph monitors; required"""
    path: Attribute[str, str | None]
    """mounted directory of the file system; empty means `/`"""
    user: Attribute[str, str | None]
    """RADOS user; empty means `admin`"""
    secret_file: Attribute[str, str | None]
    """path of the keyring on the node; empty means `/etc/ceph/user.secret`"""
    secret_ref: Attribute[LocalObjectReference | None, LocalObjectReference | Mapping[str, Any] | None]
    """Secret of the same namespace with the key of `user`; overrides `secret_file`."""
    read_only: Attribute[bool, bool | None]
    """if true, the directory is mounted read-only"""
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
    """An existing volume of OpenStack Cinder; the driver `cinder.csi.openstack.org` serves it."""
    volume_id: Attribute[str, str | None]
    """ID of the volume in Cinder"""
    fs_type: Attribute[str, str | None]
    """file system, e.g. ext4, xfs; empty means ext4"""
    read_only: Attribute[bool, bool | None]
    """if true, the volume is mounted read-only"""
    secret_ref: Attribute[LocalObjectReference | None, LocalObjectReference | Mapping[str, Any] | None]
    """Secret of the same namespace with the parameters for OpenStack"""
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
    """1 to 86400; absent means 10800"""
    def __init__(
        self,
        *,
        timeout_seconds: int | None = ...,
    ) -> None: ...

class ClusterTrustBundleProjection(Model):
    """CA certificates, by name or by signer and labels."""
    name: Attribute[str | None, str | None]
    """name of one ClusterTrustBundle; excludes `signer_name` and `label_selector`"""
    signer_name: Attribute[str | None, str | None]
    """selects the bundles of this signer"""
    label_selector: Attribute[meta.LabelSelector | None, meta.LabelSelector | Mapping[str, Any] | None]
    """Narrows `signer_name`; absent: no bundle; empty: all bundles of the signer."""
    optional: Attribute[bool | None, bool | None]
    """if true, the pod starts even if no bundle exists"""
    path: Attribute[str, str | None]
    """path of the file, relative to the mount"""
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
    """Configuration that pods of the namespace read as variables or files, 1 MiB at most."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """name, namespace, labels and other metadata"""
    immutable: Attribute[bool | None, bool | None]
    """if true, the data can no longer be changed; absent means false"""
    data: Attribute[MapView[str], Mapping[str, str] | None]
    """UTF-8 text by key; keys consist of letters, digits, `-`, `` and `.`"""
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
    """A config map of the same namespace whose keys become variables."""
    name: Attribute[str, str | None]
    """name of the ConfigMap"""
    optional: Attribute[bool | None, bool | None]
    """if true, a missing object is ignored; absent means false"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        optional: bool | None = ...,
    ) -> None: ...

class ConfigMapKeySelector(Model):
    """A key of a config map of the same namespace."""
    name: Attribute[str, str | None]
    """name of the ConfigMap"""
    key: Attribute[str, str | None]
    """key whose value the variable gets"""
    optional: Attribute[bool | None, bool | None]
    """If true, the variable is omitted if the config map or key does not exist; absent means false."""
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
    """namespace of the config map"""
    name: Attribute[str, str | None]
    """name of the config map"""
    uid: Attribute[str, str | None]
    """uid of the config map; only in the status"""
    resource_version: Attribute[str, str | None]
    """version of the config map; only in the status"""
    kubelet_config_key: Attribute[str, str | None]
    """key of the config map with the configuration"""
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
    """The keys of a config map as files in a projected volume."""
    name: Attribute[str, str | None]
    """name of the config map, of the same namespace"""
    items: Attribute[ListView[KeyToPath], Sequence[KeyToPath | Mapping[str, Any]] | None]
    """empty: all keys"""
    optional: Attribute[bool | None, bool | None]
    """if true, the config map and its keys need not exist"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        items: Sequence[KeyToPath | Mapping[str, Any]] | None = ...,
        optional: bool | None = ...,
    ) -> None: ...

class ConfigMapVolumeSource(Model):
    """The keys of a config map as files."""
    name: Attribute[str, str | None]
    """name of the config map, of the same namespace"""
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
    """A container of a pod."""
    name: Attribute[str, str | None]
    """a DNS label, unique in the pod; cannot be changed"""
    image: Attribute[str, str | None]
    """e.g. `docker.io/library/busybox:1.36`; the tag `latest` by default"""
    command: Attribute[ListView[str], Sequence[str] | None]
    """replaces the entry point of the image; not run in a shell"""
    args: Attribute[ListView[str], Sequence[str] | None]
    """replaces the arguments of the image"""
    working_dir: Attribute[str, str | None]
    """empty: that of the image"""
    ports: Attribute[ListView[ContainerPort], Sequence[ContainerPort | Mapping[str, Any]] | None]
    """declared ports; without effect on the ports that are reachable"""
    env_from: Attribute[ListView[EnvFromSource], Sequence[EnvFromSource | Mapping[str, Any]] | None]
    """Objects whose keys become variables; later entries and `env` take precedence."""
    env: Attribute[ListView[EnvVar], Sequence[EnvVar | Mapping[str, Any]] | None]
    """environment variables; take precedence over `env_from`"""
    resources: Attribute[ResourceRequirements, ResourceRequirements | Mapping[str, Any] | None]
    """requests and limits, e.g. of `cpu`, `memory` and `nvidia.com/gpu`"""
    resize_policy: Attribute[ListView[ContainerResizePolicy], Sequence[ContainerResizePolicy | Mapping[str, Any]] | None]
    """Whether a change of a resource restarts the container; NotRequired by default."""
    restart_policy: Attribute[str | None, str | None]
    """absent: that of the pod; Always makes an init container a sidecar"""
    restart_policy_rules: Attribute[ListView[ContainerRestartRule], Sequence[ContainerRestartRule | Mapping[str, Any]] | None]
    """The first matching rule takes precedence over `restart_policy`, which must be set."""
    volume_mounts: Attribute[ListView[VolumeMount], Sequence[VolumeMount | Mapping[str, Any]] | None]
    """volumes of the pod that are directories or files in the container"""
    volume_devices: Attribute[ListView[VolumeDevice], Sequence[VolumeDevice | Mapping[str, Any]] | None]
    """claims of mode Block that are devices in the container"""
    liveness_probe: Attribute[Probe | None, Probe | Mapping[str, Any] | None]
    """ends the container when it fails; the restart policy then applies"""
    readiness_probe: Attribute[Probe | None, Probe | Mapping[str, Any] | None]
    """while it fails, services do not route requests to the pod"""
    startup_probe: Attribute[Probe | None, Probe | Mapping[str, Any] | None]
    """the other probes wait until it succeeds; ends the container when it fails"""
    lifecycle: Attribute[Lifecycle | None, Lifecycle | Mapping[str, Any] | None]
    """hooks after the start and before the end of the container"""
    termination_message_path: Attribute[str, str | None]
    """File with the last message of the container; empty means `/dev/termination-log`."""
    termination_message_policy: Attribute[str, str | None]
    """File or FallbackToLogsOnError; empty means File"""
    image_pull_policy: Attribute[str, str | None]
    """Always, Never or IfNotPresent; empty means Always for the tag `latest`, otherwise IfNotPresent."""
    security_context: Attribute[SecurityContext | None, SecurityContext | Mapping[str, Any] | None]
    """takes precedence over that of the pod"""
    stdin: Attribute[bool, bool | None]
    """whether the container has a standard input to which clients can attach"""
    stdin_once: Attribute[bool, bool | None]
    """whether the input closes when the first client detaches"""
    tty: Attribute[bool, bool | None]
    """whether the container has a terminal; requires `stdin`"""
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
    """A container image on the node."""
    names: Attribute[ListView[str], Sequence[str] | None]
    """all its names, with tag or digest"""
    size_bytes: Attribute[int, int | None]
    """size in bytes"""
    def __init__(
        self,
        *,
        names: Sequence[str] | None = ...,
        size_bytes: int | None = ...,
    ) -> None: ...

class ContainerPort(Model):
    """A declared port of a container. Ports that are not declared are reachable, too."""
    name: Attribute[str, str | None]
    """unique in the pod; services and probes may refer to it"""
    host_port: Attribute[int, int | None]
    """port of the node that leads to it, 1 to 65535; 0: none"""
    container_port: Attribute[int, int | None]
    """port on the address of the pod, 1 to 65535"""
    protocol: Attribute[str, str | None]
    """TCP, UDP or SCTP; empty means TCP"""
    host_ip: Attribute[str, str | None]
    """address of the node to which `host_port` is bound; empty: all"""
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
    """exit codes of the container to which the rule applies"""
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
    """exit codes that are compared, at most 255"""
    def __init__(
        self,
        *,
        operator: str | None = ...,
        values: Sequence[int] | None = ...,
    ) -> None: ...

class ContainerState(Model):
    """At most one of the three is set; none means waiting."""
    waiting: Attribute[ContainerStateWaiting | None, ContainerStateWaiting | Mapping[str, Any] | None]
    """not started yet, or before a restart"""
    running: Attribute[ContainerStateRunning | None, ContainerStateRunning | Mapping[str, Any] | None]
    """runs now"""
    terminated: Attribute[ContainerStateTerminated | None, ContainerStateTerminated | Mapping[str, Any] | None]
    """has ended"""
    def __init__(
        self,
        *,
        waiting: ContainerStateWaiting | Mapping[str, Any] | None = ...,
        running: ContainerStateRunning | Mapping[str, Any] | None = ...,
        terminated: ContainerStateTerminated | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ContainerStateRunning(Model):
    """The state of a container that runs."""
    started_at: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """time of the last start"""
    def __init__(
        self,
        *,
        started_at: datetime.datetime | str | None = ...,
    ) -> None: ...

class ContainerStateTerminated(Model):
    """The state of a container that has ended."""
    exit_code: Attribute[int, int | None]
    """exit code of the first process; 0 is success"""
    signal: Attribute[int, int | None]
    """number of the signal that ended it; 0: none is reported"""
    reason: Attribute[str, str | None]
    """e.g. Completed, Error, OOMKilled"""
    message: Attribute[str, str | None]
    """text of its termination message, or details of the reason"""
    started_at: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """time of the start of this run"""
    finished_at: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """time of the end of this run"""
    container_id: Attribute[str, str | None]
    """`runtime://id`"""
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
    """The state of a container that has not started yet or will be restarted."""
    reason: Attribute[str, str | None]
    """e.g. ContainerCreating, ImagePullBackOff, CrashLoopBackOff"""
    message: Attribute[str, str | None]
    """details of the reason"""
    def __init__(
        self,
        *,
        reason: str | None = ...,
        message: str | None = ...,
    ) -> None: ...

class ContainerStatus(Model):
    """The status of one container of a pod."""
    name: Attribute[str, str | None]
    """name of the container in the specification"""
    state: Attribute[ContainerState, ContainerState | Mapping[str, Any] | None]
    """current state"""
    last_state: Attribute[ContainerState, ContainerState | Mapping[str, Any] | None]
    """state before the last restart; empty if there was none"""
    ready: Attribute[bool, bool | None]
    """whether the readiness probe succeeds; without one, equal to `started`"""
    restart_count: Attribute[int, int | None]
    """number of restarts; restarts of the node may reset it"""
    image: Attribute[str, str | None]
    """name of the image as the runtime resolved it"""
    image_id: Attribute[str, str | None]
    """with the digest"""
    container_id: Attribute[str, str | None]
    """`runtime://id`; empty before the first start"""
    started: Attribute[bool | None, bool | None]
    """whether the startup probe has succeeded; absent means false"""
    allocated_resources: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """resources that the node has reserved"""
    resources: Attribute[ResourceRequirements | None, ResourceRequirements | Mapping[str, Any] | None]
    """resources in effect"""
    volume_mounts: Attribute[ListView[VolumeMountStatus], Sequence[VolumeMountStatus | Mapping[str, Any]] | None]
    """effective mounts, by `mount_path`"""
    user: Attribute[ContainerUser | None, ContainerUser | Mapping[str, Any] | None]
    """user of its first process"""
    allocated_resources_status: Attribute[ListView[ResourceStatus], Sequence[ResourceStatus | Mapping[str, Any]] | None]
    """health of its devices, by resource"""
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
    """The user of the first process of a container."""
    linux: Attribute[LinuxContainerUser | None, LinuxContainerUser | Mapping[str, Any] | None]
    """User in a Linux container; absent for other operating systems."""
    def __init__(
        self,
        *,
        linux: LinuxContainerUser | Mapping[str, Any] | None = ...,
    ) -> None: ...

class DaemonEndpoint(Model):
    """The port of a daemon on the node."""
    port: Attribute[int, int | None]
    """TCP port"""
    def __init__(
        self,
        *,
        port: int | None = ...,
    ) -> None: ...

class DownwardAPIProjection(Model):
    """Fields of the pod, and resources of its containers, as files in a projected volume."""
    items: Attribute[ListView[DownwardAPIVolumeFile], Sequence[DownwardAPIVolumeFile | Mapping[str, Any]] | None]
    """the files"""
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
    """labels, annotations, name, namespace or uid of the pod"""
    resource_field_ref: Attribute[ResourceFieldSelector | None, ResourceFieldSelector | Mapping[str, Any] | None]
    """a limit or request of a container"""
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
    """Fields of the pod, and resources of its containers, as files."""
    items: Attribute[ListView[DownwardAPIVolumeFile], Sequence[DownwardAPIVolumeFile | Mapping[str, Any]] | None]
    """the files"""
    default_mode: Attribute[int | None, int | None]
    """permission bits; absent means 0644"""
    def __init__(
        self,
        *,
        items: Sequence[DownwardAPIVolumeFile | Mapping[str, Any]] | None = ...,
        default_mode: int | None = ...,
    ) -> None: ...

class EmptyDirVolumeSource(Model):
    """A directory that is empty when the pod starts and is deleted with it."""
    medium: Attribute[str, str | None]
    """Memory, HugePages or `HugePages-SIZE`; empty: the disk of the node"""
    size_limit: Attribute[Quantity | None, str | int | float | None]
    """the pod is evicted if it exceeds the limit; absent: none"""
    def __init__(
        self,
        *,
        medium: str | None = ...,
        size_limit: str | int | float | None = ...,
    ) -> None: ...

class EndpointAddress(Model):
    """The address of an endpoint, usually a pod."""
    ip: Attribute[str, str | None]
    """IP address; neither loopback nor link-local"""
    hostname: Attribute[str, str | None]
    """makes `hostname.service.namespace.svc` resolvable"""
    node_name: Attribute[str | None, str | None]
    """node of the endpoint"""
    target_ref: Attribute[ObjectReference | None, ObjectReference | Mapping[str, Any] | None]
    """the object behind the address, usually a pod"""
    def __init__(
        self,
        *,
        ip: str | None = ...,
        hostname: str | None = ...,
        node_name: str | None = ...,
        target_ref: ObjectReference | Mapping[str, Any] | None = ...,
    ) -> None: ...

class EndpointPort(Model):
    """A port of the endpoints in a subset."""
    name: Attribute[str, str | None]
    """name of the port of the service; may be empty if there is only one"""
    port: Attribute[int, int | None]
    """port of the endpoints, 1 to 65535"""
    protocol: Attribute[str, str | None]
    """TCP, UDP or SCTP; empty means TCP"""
    app_protocol: Attribute[str | None, str | None]
    """as in the port of the service"""
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
    """ready endpoints"""
    not_ready_addresses: Attribute[ListView[EndpointAddress], Sequence[EndpointAddress | Mapping[str, Any]] | None]
    """endpoints that are starting or fail their readiness probe"""
    ports: Attribute[ListView[EndpointPort], Sequence[EndpointPort | Mapping[str, Any]] | None]
    """ports of each of the addresses"""
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
    """the name is that of the service"""
    subsets: Attribute[ListView[EndpointSubset], Sequence[EndpointSubset | Mapping[str, Any]] | None]
    """groups of addresses with the same ports"""
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
    """the config map"""
    secret_ref: Attribute[SecretEnvSource | None, SecretEnvSource | Mapping[str, Any] | None]
    """the secret"""
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
    """name of the variable; must not contain `=`"""
    value: Attribute[str, str | None]
    """`$$` stands for a dollar sign; empty by default"""
    value_from: Attribute[EnvVarSource | None, EnvVarSource | Mapping[str, Any] | None]
    """source of the value; only if `value` is empty"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        value: str | None = ...,
        value_from: EnvVarSource | Mapping[str, Any] | None = ...,
    ) -> None: ...

class EnvVarSource(Model):
    """The source of the value of a variable. At most one member is set."""
    field_ref: Attribute[ObjectFieldSelector | None, ObjectFieldSelector | Mapping[str, Any] | None]
    """a field of the pod"""
    resource_field_ref: Attribute[ResourceFieldSelector | None, ResourceFieldSelector | Mapping[str, Any] | None]
    """a request or limit of a container"""
    config_map_key_ref: Attribute[ConfigMapKeySelector | None, ConfigMapKeySelector | Mapping[str, Any] | None]
    """a key of a config map of the same namespace"""
    secret_key_ref: Attribute[SecretKeySelector | None, SecretKeySelector | Mapping[str, Any] | None]
    """a key of a secret of the same namespace"""
    file_key_ref: Attribute[FileKeySelector | None, FileKeySelector | Mapping[str, Any] | None]
    """a key of a file in a volume of the pod"""
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
    """a DNS label, unique among all containers of the pod"""
    image: Attribute[str, str | None]
    """e.g. `docker.io/library/busybox:1.36`; the tag `latest` by default"""
    command: Attribute[ListView[str], Sequence[str] | None]
    """replaces the entry point of the image; not run in a shell"""
    args: Attribute[ListView[str], Sequence[str] | None]
    """replaces the arguments of the image"""
    working_dir: Attribute[str, str | None]
    """empty: that of the image"""
    ports: Attribute[ListView[ContainerPort], Sequence[ContainerPort | Mapping[str, Any]] | None]
    """not allowed"""
    env_from: Attribute[ListView[EnvFromSource], Sequence[EnvFromSource | Mapping[str, Any]] | None]
    """Objects whose keys become variables; later entries and `env` take precedence."""
    env: Attribute[ListView[EnvVar], Sequence[EnvVar | Mapping[str, Any]] | None]
    """environment variables; take precedence over `env_from`"""
    resources: Attribute[ResourceRequirements, ResourceRequirements | Mapping[str, Any] | None]
    """not allowed"""
    resize_policy: Attribute[ListView[ContainerResizePolicy], Sequence[ContainerResizePolicy | Mapping[str, Any]] | None]
    """not allowed"""
    restart_policy: Attribute[str | None, str | None]
    """not allowed"""
    restart_policy_rules: Attribute[ListView[ContainerRestartRule], Sequence[ContainerRestartRule | Mapping[str, Any]] | None]
    """not allowed"""
    volume_mounts: Attribute[ListView[VolumeMount], Sequence[VolumeMount | Mapping[str, Any]] | None]
    """Volumes of the pod that are directories in the container; `sub_path` is not allowed."""
    volume_devices: Attribute[ListView[VolumeDevice], Sequence[VolumeDevice | Mapping[str, Any]] | None]
    """claims of mode Block that are devices in the container"""
    liveness_probe: Attribute[Probe | None, Probe | Mapping[str, Any] | None]
    """not allowed"""
    readiness_probe: Attribute[Probe | None, Probe | Mapping[str, Any] | None]
    """not allowed"""
    startup_probe: Attribute[Probe | None, Probe | Mapping[str, Any] | None]
    """not allowed"""
    lifecycle: Attribute[Lifecycle | None, Lifecycle | Mapping[str, Any] | None]
    """not allowed"""
    termination_message_path: Attribute[str, str | None]
    """File with the last message of the container; empty means `/dev/termination-log`."""
    termination_message_policy: Attribute[str, str | None]
    """File or FallbackToLogsOnError; empty means File"""
    image_pull_policy: Attribute[str, str | None]
    """Always, Never or IfNotPresent; empty means Always for the tag `latest`, otherwise IfNotPresent."""
    security_context: Attribute[SecurityContext | None, SecurityContext | Mapping[str, Any] | None]
    """takes precedence over that of the pod"""
    stdin: Attribute[bool, bool | None]
    """whether the container has a standard input to which clients can attach"""
    stdin_once: Attribute[bool, bool | None]
    """whether the input closes when the first client detaches"""
    tty: Attribute[bool, bool | None]
    """whether the container has a terminal; requires `stdin`"""
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
    """Required; the claim is named `POD-VOLUME` and the pod owns it."""
    def __init__(
        self,
        *,
        volume_claim_template: PersistentVolumeClaimTemplate | Mapping[str, Any] | None = ...,
    ) -> None: ...

class Event(Model):
    """A report about an object, which the server keeps for one hour by default."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """in the namespace of the object; `default` for objects without one"""
    involved_object: Attribute[ObjectReference, ObjectReference | Mapping[str, Any] | None]
    """the object that the event is about"""
    reason: Attribute[str, str | None]
    """one word in CamelCase"""
    message: Attribute[str, str | None]
    """human-readable text"""
    source: Attribute[EventSource, EventSource | Mapping[str, Any] | None]
    """origin; newer components set `reporting_component`"""
    first_timestamp: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """time of the first occurrence"""
    last_timestamp: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """time of the last occurrence"""
    count: Attribute[int, int | None]
    """number of occurrences"""
    type: Attribute[str, str | None]
    """Normal or Warning"""
    event_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """time of the first occurrence, in the newer form"""
    series: Attribute[EventSeries | None, EventSeries | Mapping[str, Any] | None]
    """set if the event occurs repeatedly, in the newer form"""
    action: Attribute[str, str | None]
    """one word in CamelCase: the attempted action"""
    related: Attribute[ObjectReference | None, ObjectReference | Mapping[str, Any] | None]
    """a second object, if there is one"""
    reporting_component: Attribute[str, str | None]
    """the controller, e.g. `kubernetes.io/kubelet`"""
    reporting_instance: Attribute[str, str | None]
    """instance of the controller, e.g. a pod name"""
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
    """number of occurrences so far"""
    last_observed_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """time of the last occurrence"""
    def __init__(
        self,
        *,
        count: int | None = ...,
        last_observed_time: datetime.datetime | str | None = ...,
    ) -> None: ...

class EventSource(Model):
    """The origin of an event."""
    component: Attribute[str, str | None]
    """e.g. `kubelet`"""
    host: Attribute[str, str | None]
    """name of the node; empty if the component does not belong to one"""
    def __init__(
        self,
        *,
        component: str | None = ...,
        host: str | None = ...,
    ) -> None: ...

class ExecAction(Model):
    """Runs a command in the container."""
    command: Attribute[ListView[str], Sequence[str] | None]
    """program and arguments; not run in a shell; exit code 0 is success"""
    def __init__(
        self,
        *,
        command: Sequence[str] | None = ...,
    ) -> None: ...

class FCVolumeSource(Model):
    """A Fibre Channel disk, either by `wwids` or by `target_wwns` and `lun`."""
    target_wwns: Attribute[ListView[str], Sequence[str] | None]
    """worldwide names of the targets"""
    lun: Attribute[int | None, int | None]
    """logical unit number of the disk, 0 to 255"""
    fs_type: Attribute[str, str | None]
    """file system, e.g. ext4, xfs; empty means ext4"""
    read_only: Attribute[bool, bool | None]
    """if true, the disk is mounted read-only"""
    wwids: Attribute[ListView[str], Sequence[str] | None]
    """worldwide identifiers of the disk"""
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
    """name in the file whose value the variable gets"""
    optional: Attribute[bool | None, bool | None]
    """If true, the variable is omitted if the key or file does not exist; absent means false."""
    def __init__(
        self,
        *,
        volume_name: str | None = ...,
        path: str | None = ...,
        key: str | None = ...,
        optional: bool | None = ...,
    ) -> None: ...

class FlexVolumeSource(Model):
    """A volume of a FlexVolume driver, an executable on the node; deprecated in favour of CSI drivers."""
    driver: Attribute[str, str | None]
    """name of the driver, e.g. `vendor/driver`"""
    fs_type: Attribute[str, str | None]
    """file system, e.g. ext4, xfs; empty: the driver decides"""
    secret_ref: Attribute[LocalObjectReference | None, LocalObjectReference | Mapping[str, Any] | None]
    """Secret of the same namespace; the driver receives all its values"""
    read_only: Attribute[bool, bool | None]
    """if true, the volume is mounted read-only"""
    options: Attribute[MapView[str], Mapping[str, str] | None]
    """further options for the driver"""
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
    """A dataset of Flocker, by name or UUID; Kubernetes 1.25 removed the plugin."""
    dataset_name: Attribute[str, str | None]
    """name in the metadata of the dataset; deprecated, excludes `dataset_uuid`"""
    dataset_uuid: Attribute[str, str | None]
    """UUID of the dataset"""
    def __init__(
        self,
        *,
        dataset_name: str | None = ...,
        dataset_uuid: str | None = ...,
    ) -> None: ...

class GCEPersistentDiskVolumeSource(Model):
    """An existing persistent disk of Google Compute Engine; the driver `pd.csi.storage.gke.io` serves it."""
    pd_name: Attribute[str, str | None]
    """name of the disk in GCE"""
    fs_type: Attribute[str, str | None]
    """file system, e.g. ext4, xfs; empty means ext4"""
    partition: Attribute[int, int | None]
    """number of the partition; 0: the whole disk"""
    read_only: Attribute[bool, bool | None]
    """if true, the disk is mounted read-only"""
    def __init__(
        self,
        *,
        pd_name: str | None = ...,
        fs_type: str | None = ...,
        partition: int | None = ...,
        read_only: bool | None = ...,
    ) -> None: ...

class GRPCAction(Model):
    """Calls the health service of gRPC in the container."""
    port: Attribute[int, int | None]
    """number of the port, 1 to 65535"""
    service: Attribute[str | None, str | None]
    """name in the health check request; absent means empty"""
    def __init__(
        self,
        *,
        port: int | None = ...,
        service: str | None = ...,
    ) -> None: ...

class GitRepoVolumeSource(Model):
    """A clone of a Git repository; deprecated in favour of an init container that clones into an empty directory."""
    repository: Attribute[str, str | None]
    """URL"""
    revision: Attribute[str, str | None]
    """commit hash to check out"""
    directory: Attribute[str, str | None]
    """directory for the clone in the volume; `.`: the volume itself; must not contain `..`"""
    def __init__(
        self,
        *,
        repository: str | None = ...,
        revision: str | None = ...,
        directory: str | None = ...,
    ) -> None: ...

class GlusterfsVolumeSource(Model):
    """A GlusterFS volume; Kubernetes 1.26 removed the plugin."""
    endpoints: Attribute[str, str | None]
    """name of an Endpoints object with the servers"""
    path: Attribute[str, str | None]
    """name of the GlusterFS volume"""
    read_only: Attribute[bool, bool | None]
    """if true, the volume is mounted read-only"""
    def __init__(
        self,
        *,
        endpoints: str | None = ...,
        path: str | None = ...,
        read_only: bool | None = ...,
    ) -> None: ...

class HTTPGetAction(Model):
    """Sends an HTTP request of the kubelet to the container; status 200 to 399 is success."""
    path: Attribute[str, str | None]
    """path of the URL; empty means `/`"""
    port: Attribute[int | str | None, int | str | None]
    """number, or name of a port of the container"""
    host: Attribute[str, str | None]
    """empty: the address of the pod"""
    scheme: Attribute[str, str | None]
    """HTTP or HTTPS; empty means HTTP"""
    http_headers: Attribute[ListView[HTTPHeader], Sequence[HTTPHeader | Mapping[str, Any]] | None]
    """further headers of the request"""
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
    """One header of a request; names may repeat."""
    name: Attribute[str, str | None]
    """e.g. `Authorization`"""
    value: Attribute[str, str | None]
    """value of the header; may be empty"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        value: str | None = ...,
    ) -> None: ...

class HostAlias(Model):
    """A line of `/etc/hosts`."""
    ip: Attribute[str, str | None]
    """IP address of the host names"""
    hostnames: Attribute[ListView[str], Sequence[str] | None]
    """names that resolve to the address"""
    def __init__(
        self,
        *,
        ip: str | None = ...,
        hostnames: Sequence[str] | None = ...,
    ) -> None: ...

class HostIP(Model):
    """One address of the node of a pod."""
    ip: Attribute[str, str | None]
    """IPv4 or IPv6 address"""
    def __init__(
        self,
        *,
        ip: str | None = ...,
    ) -> None: ...

class HostPathVolumeSource(Model):
    """A file or directory of the node."""
    path: Attribute[str, str | None]
    """path on the node, without `..`; symbolic links are followed"""
    type: Attribute[str | None, str | None]
    """DirectoryOrCreate, Directory, FileOrCreate, File, Socket, CharDevice or BlockDevice; empty: no check."""
    def __init__(
        self,
        *,
        path: str | None = ...,
        type: str | None = ...,
    ) -> None: ...

class ISCSIVolumeSource(Model):
    """A disk of an iSCSI target, attached to the node."""
    target_portal: Attribute[str, str | None]
    """address, with port unless that is 3260"""
    iqn: Attribute[str, str | None]
    """name of the target"""
    lun: Attribute[int, int | None]
    """logical unit number of the disk, 0 to 255"""
    iscsi_interface: Attribute[str, str | None]
    """interface for the transport; empty means `default` (TCP)"""
    fs_type: Attribute[str, str | None]
    """file system, e.g. ext4, xfs; empty means ext4"""
    read_only: Attribute[bool, bool | None]
    """if true, the disk is mounted read-only"""
    portals: Attribute[ListView[str], Sequence[str] | None]
    """further portals of the target, in the form of `target_portal`"""
    chap_auth_discovery: Attribute[bool, bool | None]
    """whether discovery uses CHAP authentication"""
    chap_auth_session: Attribute[bool, bool | None]
    """whether sessions use CHAP authentication"""
    secret_ref: Attribute[LocalObjectReference | None, LocalObjectReference | Mapping[str, Any] | None]
    """Secret of the same namespace with the CHAP credentials; required for CHAP."""
    initiator_name: Attribute[str | None, str | None]
    """name of the initiator; absent: that of the node"""
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
    """image, in the form of `image` of containers"""
    pull_policy: Attribute[str, str | None]
    """Always, Never or IfNotPresent; empty: Always for the tag `latest`, otherwise IfNotPresent."""
    def __init__(
        self,
        *,
        reference: str | None = ...,
        pull_policy: str | None = ...,
    ) -> None: ...

class KeyToPath(Model):
    """The path of one key of a config map or secret in a volume."""
    key: Attribute[str, str | None]
    """a key of the config map or secret"""
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
    """starts together with the container; a failure ends the container"""
    pre_stop: Attribute[LifecycleHandler | None, LifecycleHandler | Mapping[str, Any] | None]
    """runs before the stop signal; its time is part of the grace period"""
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
    """The action of a hook. At most one member is set."""
    exec: Attribute[ExecAction | None, ExecAction | Mapping[str, Any] | None]
    """a command in the container"""
    http_get: Attribute[HTTPGetAction | None, HTTPGetAction | Mapping[str, Any] | None]
    """an HTTP request"""
    tcp_socket: Attribute[TCPSocketAction | None, TCPSocketAction | Mapping[str, Any] | None]
    """not supported; the hook fails"""
    sleep: Attribute[SleepAction | None, SleepAction | Mapping[str, Any] | None]
    """a pause"""
    def __init__(
        self,
        *,
        exec: ExecAction | Mapping[str, Any] | None = ...,
        http_get: HTTPGetAction | Mapping[str, Any] | None = ...,
        tcp_socket: TCPSocketAction | Mapping[str, Any] | None = ...,
        sleep: SleepAction | Mapping[str, Any] | None = ...,
    ) -> None: ...

class LimitRange(Model):
    """Limits and defaults that a server applies to new pods and claims of the namespace."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """name, labels, annotations"""
    spec: Attribute[LimitRangeSpec, LimitRangeSpec | Mapping[str, Any] | None]
    """the limits"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: LimitRangeSpec | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class LimitRangeItem(Model):
    """Limits and defaults for objects of one type, by the name of the resource, e.g. `cpu`."""
    type: Attribute[str, str | None]
    """Container, Pod or PersistentVolumeClaim"""
    max: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """largest request and limit"""
    min: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """smallest request and limit"""
    default: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """limits of containers that have none"""
    default_request: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """requests of containers that have none"""
    max_limit_request_ratio: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """largest limit divided by the request"""
    def __init__(
        self,
        *,
        type: str | None = ...,
        max: Mapping[str, str | int | float] | None = ...,
        min: Mapping[str, str | int | float] | None = ...,
        default: Mapping[str, str | int | float] | None = ...,
        default_request: Mapping[str, str | int | float] | None = ...,
        max_limit_request_ratio: Mapping[str, str | int | float] | None = ...,
    ) -> None: ...

class LimitRangeList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[LimitRange], Sequence[LimitRange | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[LimitRange | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class LimitRangeSpec(Model):
    """The limits of a LimitRange."""
    limits: Attribute[ListView[LimitRangeItem], Sequence[LimitRangeItem | Mapping[str, Any]] | None]
    """all of them apply"""
    def __init__(
        self,
        *,
        limits: Sequence[LimitRangeItem | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class LinuxContainerUser(Model):
    """The user of the first process of a Linux container."""
    uid: Attribute[int, int | None]
    """number of the user"""
    gid: Attribute[int, int | None]
    """number of the primary group"""
    supplemental_groups: Attribute[ListView[int], Sequence[int] | None]
    """numbers of the other groups"""
    def __init__(
        self,
        *,
        uid: int | None = ...,
        gid: int | None = ...,
        supplemental_groups: Sequence[int] | None = ...,
    ) -> None: ...

class LoadBalancerIngress(Model):
    """An entry point of a load balancer, by IP address or host name."""
    ip: Attribute[str, str | None]
    """set by load balancers that have an address"""
    hostname: Attribute[str, str | None]
    """set by load balancers that have a DNS name"""
    ip_mode: Attribute[str | None, str | None]
    """VIP or Proxy; only with `ip`"""
    ports: Attribute[ListView[PortStatus], Sequence[PortStatus | Mapping[str, Any]] | None]
    """state of each port of the service"""
    def __init__(
        self,
        *,
        ip: str | None = ...,
        hostname: str | None = ...,
        ip_mode: str | None = ...,
        ports: Sequence[PortStatus | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class LoadBalancerStatus(Model):
    """The state of a load balancer."""
    ingress: Attribute[ListView[LoadBalancerIngress], Sequence[LoadBalancerIngress | Mapping[str, Any]] | None]
    """entry points that receive the traffic"""
    def __init__(
        self,
        *,
        ingress: Sequence[LoadBalancerIngress | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class LocalObjectReference(Model):
    """An object of the same namespace, of a kind that the context determines."""
    name: Attribute[str, str | None]
    """name of the object, e.g. of a Secret"""
    def __init__(
        self,
        *,
        name: str | None = ...,
    ) -> None: ...

class LocalVolumeSource(Model):
    """A directory or block device of one node."""
    path: Attribute[str, str | None]
    """path on the node"""
    fs_type: Attribute[str | None, str | None]
    """file system of a block device"""
    def __init__(
        self,
        *,
        path: str | None = ...,
        fs_type: str | None = ...,
    ) -> None: ...

class ModifyVolumeStatus(Model):
    """A pending change of the volume attributes class."""
    target_volume_attributes_class_name: Attribute[str, str | None]
    """class to which the volume is changed"""
    status: Attribute[str, str | None]
    """Pending, InProgress or Infeasible"""
    def __init__(
        self,
        *,
        target_volume_attributes_class_name: str | None = ...,
        status: str | None = ...,
    ) -> None: ...

class NFSVolumeSource(Model):
    """A directory that an NFS server exports."""
    server: Attribute[str, str | None]
    """host name or IP address"""
    path: Attribute[str, str | None]
    """exported path; must be absolute"""
    read_only: Attribute[bool, bool | None]
    """if true, the directory is mounted read-only"""
    def __init__(
        self,
        *,
        server: str | None = ...,
        path: str | None = ...,
        read_only: bool | None = ...,
    ) -> None: ...

class Namespace(Model):
    """A scope for names, quotas and permissions."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """name, labels, annotations"""
    spec: Attribute[NamespaceSpec, NamespaceSpec | Mapping[str, Any] | None]
    """settings of the deletion"""
    status: Attribute[NamespaceStatus, NamespaceStatus | Mapping[str, Any] | None]
    """phase and, during the deletion, its problems"""
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
    """One condition of a namespace, about its deletion."""
    type: Attribute[str, str | None]
    """e.g. NamespaceContentRemaining, NamespaceFinalizersRemaining, NamespaceDeletionContentFailure"""
    status: Attribute[str, str | None]
    """True, False or Unknown"""
    last_transition_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """when `status` last changed"""
    reason: Attribute[str, str | None]
    """reason for the last transition, in CamelCase"""
    message: Attribute[str, str | None]
    """details as text, e.g. the kinds of the remaining objects"""
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
    """The settings of a namespace."""
    finalizers: Attribute[ListView[str], Sequence[str] | None]
    """finalizers that block the deletion; usually `kubernetes`"""
    def __init__(
        self,
        *,
        finalizers: Sequence[str] | None = ...,
    ) -> None: ...

class NamespaceStatus(Model):
    """The observed state of a namespace."""
    phase: Attribute[str, str | None]
    """Active or Terminating"""
    conditions: Attribute[ListView[NamespaceCondition], Sequence[NamespaceCondition | Mapping[str, Any]] | None]
    """present during the deletion; at most one of each type"""
    def __init__(
        self,
        *,
        phase: str | None = ...,
        conditions: Sequence[NamespaceCondition | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class Node(Model):
    """A machine of the cluster on which pods run."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """name, labels, annotations; pods select nodes by their labels"""
    spec: Attribute[NodeSpec, NodeSpec | Mapping[str, Any] | None]
    """settings, e.g. taints"""
    status: Attribute[NodeStatus, NodeStatus | Mapping[str, Any] | None]
    """resources, addresses and conditions"""
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
    """One address of a node."""
    type: Attribute[str, str | None]
    """Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS"""
    address: Attribute[str, str | None]
    """IP address or host name"""
    def __init__(
        self,
        *,
        type: str | None = ...,
        address: str | None = ...,
    ) -> None: ...

class NodeAffinity(Model):
    """The nodes on which a pod may run. The scheduler checks them once, before the pod starts."""
    required_during_scheduling_ignored_during_execution: Attribute[NodeSelector | None, NodeSelector | Mapping[str, Any] | None]
    """nodes that are allowed; absent: all"""
    preferred_during_scheduling_ignored_during_execution: Attribute[ListView[PreferredSchedulingTerm], Sequence[PreferredSchedulingTerm | Mapping[str, Any]] | None]
    """Preferences; the allowed node with the largest sum of weights is preferred."""
    def __init__(
        self,
        *,
        required_during_scheduling_ignored_during_execution: NodeSelector | Mapping[str, Any] | None = ...,
        preferred_during_scheduling_ignored_during_execution: Sequence[PreferredSchedulingTerm | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class NodeCondition(Model):
    """One condition of a node."""
    type: Attribute[str, str | None]
    """Ready, MemoryPressure, DiskPressure, PIDPressure or NetworkUnavailable"""
    status: Attribute[str, str | None]
    """True, False or Unknown"""
    last_heartbeat_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """when the kubelet last reported the condition"""
    last_transition_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """when `status` last changed"""
    reason: Attribute[str, str | None]
    """reason for the last transition, e.g. KubeletReady"""
    message: Attribute[str, str | None]
    """details of the last transition, as text"""
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
    """the config map with the configuration of the kubelet"""
    def __init__(
        self,
        *,
        config_map: ConfigMapNodeConfigSource | Mapping[str, Any] | None = ...,
    ) -> None: ...

class NodeConfigStatus(Model):
    """Not served since Kubernetes 1.24."""
    assigned: Attribute[NodeConfigSource | None, NodeConfigSource | Mapping[str, Any] | None]
    """the configuration that the kubelet will try to use"""
    active: Attribute[NodeConfigSource | None, NodeConfigSource | Mapping[str, Any] | None]
    """the configuration in use"""
    last_known_good: Attribute[NodeConfigSource | None, NodeConfigSource | Mapping[str, Any] | None]
    """the configuration in use if `assigned` fails"""
    error: Attribute[str, str | None]
    """problem with the configuration; empty: none"""
    def __init__(
        self,
        *,
        assigned: NodeConfigSource | Mapping[str, Any] | None = ...,
        active: NodeConfigSource | Mapping[str, Any] | None = ...,
        last_known_good: NodeConfigSource | Mapping[str, Any] | None = ...,
        error: str | None = ...,
    ) -> None: ...

class NodeDaemonEndpoints(Model):
    """The ports of the daemons on the node."""
    kubelet_endpoint: Attribute[DaemonEndpoint, DaemonEndpoint | Mapping[str, Any] | None]
    """port of the kubelet, usually 10250"""
    def __init__(
        self,
        *,
        kubelet_endpoint: DaemonEndpoint | Mapping[str, Any] | None = ...,
    ) -> None: ...

class NodeFeatures(Model):
    """The features of the container runtime that do not depend on the handler."""
    supplemental_groups_policy: Attribute[bool | None, bool | None]
    """whether pods can set `supplemental_groups_policy`"""
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
    """A handler of the container runtime, to which a RuntimeClass refers."""
    name: Attribute[str, str | None]
    """empty for the default handler"""
    features: Attribute[NodeRuntimeHandlerFeatures | None, NodeRuntimeHandlerFeatures | Mapping[str, Any] | None]
    """features that the handler supports"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        features: NodeRuntimeHandlerFeatures | Mapping[str, Any] | None = ...,
    ) -> None: ...

class NodeRuntimeHandlerFeatures(Model):
    """The features of a runtime handler."""
    recursive_read_only_mounts: Attribute[bool | None, bool | None]
    """whether mounts can be read-only recursively"""
    user_namespaces: Attribute[bool | None, bool | None]
    """whether pods can have `host_users` false"""
    def __init__(
        self,
        *,
        recursive_read_only_mounts: bool | None = ...,
        user_namespaces: bool | None = ...,
    ) -> None: ...

class NodeSelector(Model):
    """One of the terms must hold."""
    node_selector_terms: Attribute[ListView[NodeSelectorTerm], Sequence[NodeSelectorTerm | Mapping[str, Any]] | None]
    """alternatives, at least one"""
    def __init__(
        self,
        *,
        node_selector_terms: Sequence[NodeSelectorTerm | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class NodeSelectorRequirement(Model):
    """One condition on a label or on the name of a node."""
    key: Attribute[str, str | None]
    """a label of nodes; `metadata.name` in `match_fields`"""
    operator: Attribute[str, str | None]
    """In, NotIn, Exists, DoesNotExist, Gt or Lt"""
    values: Attribute[ListView[str], Sequence[str] | None]
    """empty for Exists and DoesNotExist, one integer for Gt and Lt"""
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
    """The settings of a node."""
    pod_cidr: Attribute[str, str | None]
    """range of addresses for the pods of this node"""
    pod_cidrs: Attribute[ListView[str], Sequence[str] | None]
    """at most one range of IPv4 and one of IPv6; the first is `pod_cidr`"""
    provider_id: Attribute[str, str | None]
    """`provider://id`"""
    unschedulable: Attribute[bool, bool | None]
    """no new pods are scheduled to the node"""
    taints: Attribute[ListView[Taint], Sequence[Taint | Mapping[str, Any]] | None]
    """effects on pods without a matching toleration"""
    config_source: Attribute[NodeConfigSource | None, NodeConfigSource | Mapping[str, Any] | None]
    """not used since Kubernetes 1.24"""
    external_id: Attribute[str, str | None]
    """not used by current releases"""
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
    """The state of a node, which the kubelet reports."""
    capacity: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """total resources"""
    allocatable: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """resources available to pods; default: `capacity`"""
    phase: Attribute[str, str | None]
    """never set by current releases"""
    conditions: Attribute[ListView[NodeCondition], Sequence[NodeCondition | Mapping[str, Any]] | None]
    """Ready, MemoryPressure, ...; at most one of each type"""
    addresses: Attribute[ListView[NodeAddress], Sequence[NodeAddress | Mapping[str, Any]] | None]
    """addresses that reach the node"""
    daemon_endpoints: Attribute[NodeDaemonEndpoints, NodeDaemonEndpoints | Mapping[str, Any] | None]
    """ports of the daemons on the node"""
    node_info: Attribute[NodeSystemInfo, NodeSystemInfo | Mapping[str, Any] | None]
    """versions and identifiers"""
    images: Attribute[ListView[ContainerImage], Sequence[ContainerImage | Mapping[str, Any]] | None]
    """images on the node; the kubelet lists at most 50 by default"""
    volumes_in_use: Attribute[ListView[str], Sequence[str] | None]
    """unique names of the attachable volumes that are mounted"""
    volumes_attached: Attribute[ListView[AttachedVolume], Sequence[AttachedVolume | Mapping[str, Any]] | None]
    """volumes that are attached to the node"""
    config: Attribute[NodeConfigStatus | None, NodeConfigStatus | Mapping[str, Any] | None]
    """not used since Kubernetes 1.24"""
    runtime_handlers: Attribute[ListView[NodeRuntimeHandler], Sequence[NodeRuntimeHandler | Mapping[str, Any]] | None]
    """handlers to which a RuntimeClass can refer"""
    features: Attribute[NodeFeatures | None, NodeFeatures | Mapping[str, Any] | None]
    """features of the container runtime"""
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
    """Versions and identifiers of the software of a node."""
    machine_id: Attribute[str, str | None]
    """from `/etc/machine-id`; preferred to identify the machine"""
    system_uuid: Attribute[str, str | None]
    """UUID of the hardware or virtual machine"""
    boot_id: Attribute[str, str | None]
    """changes with every boot"""
    kernel_version: Attribute[str, str | None]
    """as `uname -r` prints it"""
    os_image: Attribute[str, str | None]
    """name of the operating system, from `/etc/os-release`"""
    container_runtime_version: Attribute[str, str | None]
    """runtime and version, e.g. `containerd://1.7.22`"""
    kubelet_version: Attribute[str, str | None]
    """e.g. `v1.31.1`"""
    kube_proxy_version: Attribute[str, str | None]
    """deprecated; empty or the version of the kubelet"""
    operating_system: Attribute[str, str | None]
    """linux or windows"""
    architecture: Attribute[str, str | None]
    """e.g. amd64, arm64"""
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
    """version in which `field_path` is expressed; empty means v1"""
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
    """e.g. `Pod`"""
    namespace: Attribute[str, str | None]
    """empty for objects without a namespace"""
    name: Attribute[str, str | None]
    """name of the object"""
    uid: Attribute[str, str | None]
    """differs from those of earlier objects with this name"""
    api_version: Attribute[str, str | None]
    """group and version, e.g. `batch/v1`"""
    resource_version: Attribute[str, str | None]
    """version of the object to which the reference was made"""
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

class PersistentVolume(Model):
    """Storage of the cluster that a claim can be bound to."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """claims refer to the name and select by labels"""
    spec: Attribute[PersistentVolumeSpec, PersistentVolumeSpec | Mapping[str, Any] | None]
    """size, source and the claim"""
    status: Attribute[PersistentVolumeStatus, PersistentVolumeStatus | Mapping[str, Any] | None]
    """phase"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: PersistentVolumeSpec | Mapping[str, Any] | None = ...,
        status: PersistentVolumeStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class PersistentVolumeClaim(Model):
    """A request of a namespace for storage, and the volume that is bound to it."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """name, labels, annotations; pods refer to the name"""
    spec: Attribute[PersistentVolumeClaimSpec, PersistentVolumeClaimSpec | Mapping[str, Any] | None]
    """desired size, access modes and storage class"""
    status: Attribute[PersistentVolumeClaimStatus, PersistentVolumeClaimStatus | Mapping[str, Any] | None]
    """phase and actual size"""
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
    """One condition of a claim, about its resize or change."""
    type: Attribute[str, str | None]
    """Resizing, FileSystemResizePending, ModifyingVolume, ..."""
    status: Attribute[str, str | None]
    """True, False or Unknown"""
    last_probe_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """when the condition was last checked"""
    last_transition_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """when `status` last changed"""
    reason: Attribute[str, str | None]
    """reason for the last transition, in CamelCase"""
    message: Attribute[str, str | None]
    """details of the last transition, as text"""
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
    """The desired storage of a claim."""
    access_modes: Attribute[ListView[str], Sequence[str] | None]
    """ReadWriteOnce, ReadOnlyMany, ReadWriteMany, ReadWriteOncePod"""
    selector: Attribute[meta.LabelSelector | None, meta.LabelSelector | Mapping[str, Any] | None]
    """labels of the volumes that can be bound; absent: any"""
    resources: Attribute[VolumeResourceRequirements, VolumeResourceRequirements | Mapping[str, Any] | None]
    """minimum size, as request of `storage`"""
    volume_name: Attribute[str, str | None]
    """the bound volume"""
    storage_class_name: Attribute[str | None, str | None]
    """absent: the default of the cluster; empty: none"""
    volume_mode: Attribute[str | None, str | None]
    """Filesystem or Block; absent means Filesystem"""
    data_source: Attribute[TypedLocalObjectReference | None, TypedLocalObjectReference | Mapping[str, Any] | None]
    """a snapshot or claim that provides the initial content"""
    data_source_ref: Attribute[TypedObjectReference | None, TypedObjectReference | Mapping[str, Any] | None]
    """as `data_source`, also of other kinds and namespaces"""
    volume_attributes_class_name: Attribute[str | None, str | None]
    """VolumeAttributesClass; can change after creation"""
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
    """The observed state of a claim."""
    phase: Attribute[str, str | None]
    """Pending, Bound or Lost"""
    access_modes: Attribute[ListView[str], Sequence[str] | None]
    """access modes of the bound volume"""
    capacity: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """actual capacity of the volume"""
    conditions: Attribute[ListView[PersistentVolumeClaimCondition], Sequence[PersistentVolumeClaimCondition | Mapping[str, Any]] | None]
    """at most one of each type"""
    allocated_resources: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """larger than `capacity` during a resize"""
    allocated_resource_statuses: Attribute[MapView[str], Mapping[str, str] | None]
    """resize status by resource, e.g. NodeResizePending"""
    current_volume_attributes_class_name: Attribute[str | None, str | None]
    """VolumeAttributesClass of the volume; absent: none."""
    modify_volume_status: Attribute[ModifyVolumeStatus | None, ModifyVolumeStatus | Mapping[str, Any] | None]
    """pending change of the class; absent: none"""
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
    """labels and annotations of the claim; no other fields"""
    spec: Attribute[PersistentVolumeClaimSpec, PersistentVolumeClaimSpec | Mapping[str, Any] | None]
    """desired storage of the claim"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: PersistentVolumeClaimSpec | Mapping[str, Any] | None = ...,
    ) -> None: ...

class PersistentVolumeClaimVolumeSource(Model):
    """The volume of an existing claim."""
    claim_name: Attribute[str, str | None]
    """name of a PersistentVolumeClaim of the same namespace"""
    read_only: Attribute[bool, bool | None]
    """if true, all mounts of the volume are read-only"""
    def __init__(
        self,
        *,
        claim_name: str | None = ...,
        read_only: bool | None = ...,
    ) -> None: ...

class PersistentVolumeList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[PersistentVolume], Sequence[PersistentVolume | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[PersistentVolume | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class PersistentVolumeSpec(Model):
    """A volume and where it is. Members for storage systems of vendors, such as `csi`, are among the unknown fields."""
    capacity: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """size, as `storage`"""
    host_path: Attribute[HostPathVolumeSource | None, HostPathVolumeSource | Mapping[str, Any] | None]
    """a file or directory of the node"""
    nfs: Attribute[NFSVolumeSource | None, NFSVolumeSource | Mapping[str, Any] | None]
    """a directory of an NFS server"""
    local: Attribute[LocalVolumeSource | None, LocalVolumeSource | Mapping[str, Any] | None]
    """a directory or device of one node"""
    access_modes: Attribute[ListView[str], Sequence[str] | None]
    """all that the volume supports, as those of a claim"""
    claim_ref: Attribute[ObjectReference | None, ObjectReference | Mapping[str, Any] | None]
    """the bound claim, or the one for which the volume is kept"""
    persistent_volume_reclaim_policy: Attribute[str, str | None]
    """Retain, Delete or Recycle"""
    storage_class_name: Attribute[str, str | None]
    """only claims of this class are bound; empty: those without one"""
    mount_options: Attribute[ListView[str], Sequence[str] | None]
    """options of mount(8)"""
    volume_mode: Attribute[str | None, str | None]
    """Filesystem or Block; absent means Filesystem"""
    node_affinity: Attribute[VolumeNodeAffinity | None, VolumeNodeAffinity | Mapping[str, Any] | None]
    """absent: all nodes"""
    volume_attributes_class_name: Attribute[str | None, str | None]
    """VolumeAttributesClass; absent: none"""
    def __init__(
        self,
        *,
        capacity: Mapping[str, str | int | float] | None = ...,
        host_path: HostPathVolumeSource | Mapping[str, Any] | None = ...,
        nfs: NFSVolumeSource | Mapping[str, Any] | None = ...,
        local: LocalVolumeSource | Mapping[str, Any] | None = ...,
        access_modes: Sequence[str] | None = ...,
        claim_ref: ObjectReference | Mapping[str, Any] | None = ...,
        persistent_volume_reclaim_policy: str | None = ...,
        storage_class_name: str | None = ...,
        mount_options: Sequence[str] | None = ...,
        volume_mode: str | None = ...,
        node_affinity: VolumeNodeAffinity | Mapping[str, Any] | None = ...,
        volume_attributes_class_name: str | None = ...,
    ) -> None: ...

class PersistentVolumeStatus(Model):
    """The observed state of a volume."""
    phase: Attribute[str, str | None]
    """Pending, Available, Bound, Released or Failed"""
    message: Attribute[str, str | None]
    """why the volume is in this phase, as text"""
    reason: Attribute[str, str | None]
    """why it failed, in CamelCase"""
    last_phase_transition_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """when `phase` last changed"""
    def __init__(
        self,
        *,
        phase: str | None = ...,
        message: str | None = ...,
        reason: str | None = ...,
        last_phase_transition_time: datetime.datetime | str | None = ...,
    ) -> None: ...

class PhotonPersistentDiskVolumeSource(Model):
    """A disk of VMware Photon Controller; Kubernetes does not support it any more."""
    pd_id: Attribute[str, str | None]
    """ID of the disk in Photon Controller"""
    fs_type: Attribute[str, str | None]
    """file system, e.g. ext4, xfs; empty means ext4"""
    def __init__(
        self,
        *,
        pd_id: str | None = ...,
        fs_type: str | None = ...,
    ) -> None: ...

class Pod(Model):
    """Containers that run together on one node."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """name, namespace, labels and other metadata"""
    spec: Attribute[PodSpec, PodSpec | Mapping[str, Any] | None]
    """desired state"""
    status: Attribute[PodStatus, PodStatus | Mapping[str, Any] | None]
    """observed state; the kubelet writes it"""
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
    """The pods near which a pod runs. The scheduler checks them once, before the pod starts."""
    required_during_scheduling_ignored_during_execution: Attribute[ListView[PodAffinityTerm], Sequence[PodAffinityTerm | Mapping[str, Any]] | None]
    """terms that must all hold"""
    preferred_during_scheduling_ignored_during_execution: Attribute[ListView[WeightedPodAffinityTerm], Sequence[WeightedPodAffinityTerm | Mapping[str, Any]] | None]
    """Preferences; the node with the largest sum of weights is preferred."""
    def __init__(
        self,
        *,
        required_during_scheduling_ignored_during_execution: Sequence[PodAffinityTerm | Mapping[str, Any]] | None = ...,
        preferred_during_scheduling_ignored_during_execution: Sequence[WeightedPodAffinityTerm | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class PodAffinityTerm(Model):
    """Selects pods; the pod must, or must not, run on nodes with the same value of `topology_key` as these."""
    label_selector: Attribute[meta.LabelSelector | None, meta.LabelSelector | Mapping[str, Any] | None]
    """labels of these pods; absent selects none"""
    namespaces: Attribute[ListView[str], Sequence[str] | None]
    """Namespaces of these pods; empty without `namespace_selector`: that of the pod."""
    topology_key: Attribute[str, str | None]
    """a label of nodes, e.g. `kubernetes.io/hostname`"""
    namespace_selector: Attribute[meta.LabelSelector | None, meta.LabelSelector | Mapping[str, Any] | None]
    """Further namespaces by their labels; without parts it selects all."""
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
    """The pods near which a pod does not run. The scheduler checks them once, before the pod starts."""
    required_during_scheduling_ignored_during_execution: Attribute[ListView[PodAffinityTerm], Sequence[PodAffinityTerm | Mapping[str, Any]] | None]
    """Terms that must all hold: no selected pod is near."""
    preferred_during_scheduling_ignored_during_execution: Attribute[ListView[WeightedPodAffinityTerm], Sequence[WeightedPodAffinityTerm | Mapping[str, Any]] | None]
    """Preferences; the node with the smallest sum of weights is preferred."""
    def __init__(
        self,
        *,
        required_during_scheduling_ignored_during_execution: Sequence[PodAffinityTerm | Mapping[str, Any]] | None = ...,
        preferred_during_scheduling_ignored_during_execution: Sequence[WeightedPodAffinityTerm | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class PodCertificateProjection(Model):
    """A key and a certificate that a signer issues for the pod and the kubelet renews."""
    signer_name: Attribute[str, str | None]
    """signer to which the kubelet sends the requests"""
    key_type: Attribute[str, str | None]
    """RSA3072, RSA4096, ECDSAP256, ECDSAP384, ECDSAP521 or ED25519"""
    max_expiration_seconds: Attribute[int | None, int | None]
    """Maximum lifetime of the certificate, 3600 to 7862400; absent means 86400."""
    credential_bundle_path: Attribute[str, str | None]
    """path of the file with key and certificates, relative to the mount"""
    key_path: Attribute[str, str | None]
    """path of a separate file with the key"""
    certificate_chain_path: Attribute[str, str | None]
    """path of a separate file with the certificates"""
    user_annotations: Attribute[MapView[str], Mapping[str, str] | None]
    """further data for the signer; keys have a domain prefix"""
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
    """One condition of a pod."""
    type: Attribute[str, str | None]
    """PodScheduled, Initialized, ContainersReady, Ready, DisruptionTarget, ..."""
    status: Attribute[str, str | None]
    """True, False or Unknown"""
    last_probe_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """time of the last check; usually absent"""
    last_transition_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """time of the last change of `status`"""
    reason: Attribute[str, str | None]
    """one word in CamelCase, e.g. Unschedulable"""
    message: Attribute[str, str | None]
    """details of the reason"""
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
    """DNS settings that are added to those of the DNS policy."""
    nameservers: Attribute[ListView[str], Sequence[str] | None]
    """IP addresses of further name servers"""
    searches: Attribute[ListView[str], Sequence[str] | None]
    """further domains for the lookup of short names"""
    options: Attribute[ListView[PodDNSConfigOption], Sequence[PodDNSConfigOption | Mapping[str, Any]] | None]
    """resolver options; they override those of the policy"""
    def __init__(
        self,
        *,
        nameservers: Sequence[str] | None = ...,
        searches: Sequence[str] | None = ...,
        options: Sequence[PodDNSConfigOption | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class PodDNSConfigOption(Model):
    """An option of the DNS resolver, as in `/etc/resolv.conf`."""
    name: Attribute[str, str | None]
    """name of the option, e.g. `ndots`"""
    value: Attribute[str | None, str | None]
    """value of the option; absent: the option has none"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        value: str | None = ...,
    ) -> None: ...

class PodIP(Model):
    """One address of a pod."""
    ip: Attribute[str, str | None]
    """IPv4 or IPv6 address"""
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
    """The operating system of the containers."""
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
    """type of a condition in the status of the pod"""
    def __init__(
        self,
        *,
        condition_type: str | None = ...,
    ) -> None: ...

class PodResourceClaim(Model):
    """A claim of devices, or its template, that containers refer to by name."""
    name: Attribute[str, str | None]
    """unique in the pod"""
    resource_claim_name: Attribute[str | None, str | None]
    """Name of a ResourceClaim of the same namespace; excludes a template."""
    resource_claim_template_name: Attribute[str | None, str | None]
    """ResourceClaimTemplate of the same namespace, for a claim that the pod owns."""
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
    """name of the claim in the specification of the pod"""
    resource_claim_name: Attribute[str | None, str | None]
    """name of the ResourceClaim; absent if none was necessary"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        resource_claim_name: str | None = ...,
    ) -> None: ...

class PodSchedulingGate(Model):
    """The pod is not scheduled while it has a gate."""
    name: Attribute[str, str | None]
    """unique in the pod, e.g. `example.com/quota`"""
    def __init__(
        self,
        *,
        name: str | None = ...,
    ) -> None: ...

class PodSecurityContext(Model):
    """For all containers of a pod, and its volumes."""
    se_linux_options: Attribute[SELinuxOptions | None, SELinuxOptions | Mapping[str, Any] | None]
    """absent: the runtime chooses a label for each container"""
    windows_options: Attribute[WindowsSecurityContextOptions | None, WindowsSecurityContextOptions | Mapping[str, Any] | None]
    """for Windows nodes only"""
    run_as_user: Attribute[int | None, int | None]
    """uid of the first process of each container; absent: that of the image"""
    run_as_group: Attribute[int | None, int | None]
    """Gid of the first process of each container; absent: the default of the runtime."""
    run_as_non_root: Attribute[bool | None, bool | None]
    """if true, the kubelet starts no container as uid 0; absent means false"""
    supplemental_groups: Attribute[ListView[int], Sequence[int] | None]
    """further gids of the first process of each container"""
    supplemental_groups_policy: Attribute[str | None, str | None]
    """Merge, with groups of the image, or Strict; absent means Merge."""
    fs_group: Attribute[int | None, int | None]
    """gid that owns the volumes; absent: their owners do not change"""
    sysctls: Attribute[ListView[Sysctl], Sequence[Sysctl | Mapping[str, Any]] | None]
    """kernel parameters by name; containers may fail to start if one is not supported"""
    fs_group_change_policy: Attribute[str | None, str | None]
    """OnRootMismatch or Always; absent means Always"""
    se_linux_change_policy: Attribute[str | None, str | None]
    """how volumes get their labels: Recursive or MountOption"""
    seccomp_profile: Attribute[SeccompProfile | None, SeccompProfile | Mapping[str, Any] | None]
    """absent: the default of the node"""
    app_armor_profile: Attribute[AppArmorProfile | None, AppArmorProfile | Mapping[str, Any] | None]
    """absent: the default of the runtime"""
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
    """The desired state of a pod."""
    volumes: Attribute[ListView[Volume], Sequence[Volume | Mapping[str, Any]] | None]
    """volumes that containers can mount"""
    init_containers: Attribute[ListView[Container], Sequence[Container | Mapping[str, Any]] | None]
    """Run in order, each to completion, before `containers`; sidecars keep running."""
    containers: Attribute[ListView[Container], Sequence[Container | Mapping[str, Any]] | None]
    """run in parallel; at least one"""
    ephemeral_containers: Attribute[ListView[EphemeralContainer], Sequence[EphemeralContainer | Mapping[str, Any]] | None]
    """For debugging; added to running pods by the subresource `ephemeralcontainers`."""
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
    """ServiceAccount of the same namespace; empty means `default`"""
    service_account: Attribute[str, str | None]
    """deprecated name of `service_account_name`; servers keep both equal"""
    automount_service_account_token: Attribute[bool | None, bool | None]
    """absent: the setting of the service account, or true"""
    node_name: Attribute[str, str | None]
    """node of the pod, usually set by the scheduler; empty: not scheduled"""
    host_network: Attribute[bool, bool | None]
    """if true, the pod uses the network of the node"""
    host_pid: Attribute[bool, bool | None]
    """if true, the pod sees the processes of the node"""
    host_ipc: Attribute[bool, bool | None]
    """if true, the pod uses the IPC namespace of the node"""
    share_process_namespace: Attribute[bool | None, bool | None]
    """Whether containers see the processes of each other; absent means false."""
    security_context: Attribute[PodSecurityContext | None, PodSecurityContext | Mapping[str, Any] | None]
    """user, groups and other settings of all containers"""
    image_pull_secrets: Attribute[ListView[LocalObjectReference], Sequence[LocalObjectReference | Mapping[str, Any]] | None]
    """Secrets of the same namespace; empty: those of the service account."""
    hostname: Attribute[str, str | None]
    """empty: the name of the pod"""
    subdomain: Attribute[str, str | None]
    """name of a headless service; makes `hostname.subdomain.namespace.svc` resolvable"""
    affinity: Attribute[Affinity | None, Affinity | Mapping[str, Any] | None]
    """rules about nodes and about other pods on them"""
    scheduler_name: Attribute[str, str | None]
    """empty means `default-scheduler`"""
    tolerations: Attribute[ListView[Toleration], Sequence[Toleration | Mapping[str, Any]] | None]
    """taints of nodes that the pod tolerates"""
    host_aliases: Attribute[ListView[HostAlias], Sequence[HostAlias | Mapping[str, Any]] | None]
    """further lines of `/etc/hosts`"""
    priority_class_name: Attribute[str, str | None]
    """name of a PriorityClass; empty: the default class of the cluster, if any"""
    priority: Attribute[int | None, int | None]
    """set by the server from the class"""
    dns_config: Attribute[PodDNSConfig | None, PodDNSConfig | Mapping[str, Any] | None]
    """added to the settings of `dns_policy`; required if that is None"""
    readiness_gates: Attribute[ListView[PodReadinessGate], Sequence[PodReadinessGate | Mapping[str, Any]] | None]
    """further conditions of readiness"""
    runtime_class_name: Attribute[str | None, str | None]
    """name of a RuntimeClass; absent: the default handler of the node"""
    enable_service_links: Attribute[bool | None, bool | None]
    """variables for each service of the namespace; absent means true"""
    preemption_policy: Attribute[str | None, str | None]
    """PreemptLowerPriority or Never; absent means PreemptLowerPriority"""
    overhead: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """of the runtime, in addition to the containers; set by the server"""
    topology_spread_constraints: Attribute[ListView[TopologySpreadConstraint], Sequence[TopologySpreadConstraint | Mapping[str, Any]] | None]
    """all must hold"""
    set_hostname_as_fqdn: Attribute[bool | None, bool | None]
    """if true, the host name is the full domain name; absent means false"""
    os: Attribute[PodOS | None, PodOS | Mapping[str, Any] | None]
    """absent: any; restricts which other fields may be set"""
    host_users: Attribute[bool | None, bool | None]
    """if false, uids are mapped in a separate user namespace; absent means true"""
    scheduling_gates: Attribute[ListView[PodSchedulingGate], Sequence[PodSchedulingGate | Mapping[str, Any]] | None]
    """set on creation; clients can later only remove them"""
    resource_claims: Attribute[ListView[PodResourceClaim], Sequence[PodResourceClaim | Mapping[str, Any]] | None]
    """claims of devices that must be allocated before the pod starts"""
    resources: Attribute[ResourceRequirements | None, ResourceRequirements | Mapping[str, Any] | None]
    """of all containers together: cpu, memory and huge pages"""
    hostname_override: Attribute[str | None, str | None]
    """takes precedence over `hostname` and `subdomain`"""
    workload_ref: Attribute[WorkloadReference | None, WorkloadReference | Mapping[str, Any] | None]
    """unit with which the pod is scheduled; absent: none"""
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
    """The observed state of a pod."""
    phase: Attribute[str, str | None]
    """Pending, Running, Succeeded, Failed or Unknown"""
    conditions: Attribute[ListView[PodCondition], Sequence[PodCondition | Mapping[str, Any]] | None]
    """conditions by type"""
    message: Attribute[str, str | None]
    """details of the reason"""
    reason: Attribute[str, str | None]
    """why it is in this phase, e.g. Evicted"""
    nominated_node_name: Attribute[str, str | None]
    """node on which pods are preempted to make room for it"""
    host_ip: Attribute[str, str | None]
    """address of its node; empty before the pod starts"""
    host_ips: Attribute[ListView[HostIP], Sequence[HostIP | Mapping[str, Any]] | None]
    """Addresses of its node, `host_ip` first; at most one of each IP version."""
    pod_ip: Attribute[str, str | None]
    """address of the pod; empty before it has one"""
    pod_ips: Attribute[ListView[PodIP], Sequence[PodIP | Mapping[str, Any]] | None]
    """Addresses of the pod, `pod_ip` first; at most one of each IP version."""
    start_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """when the kubelet accepted the pod"""
    init_container_statuses: Attribute[ListView[ContainerStatus], Sequence[ContainerStatus | Mapping[str, Any]] | None]
    """one entry for each init container"""
    container_statuses: Attribute[ListView[ContainerStatus], Sequence[ContainerStatus | Mapping[str, Any]] | None]
    """one entry for each container"""
    qos_class: Attribute[str, str | None]
    """Guaranteed, Burstable or BestEffort; follows from its requests and limits"""
    ephemeral_container_statuses: Attribute[ListView[ContainerStatus], Sequence[ContainerStatus | Mapping[str, Any]] | None]
    """one entry for each ephemeral container that has run"""
    resize: Attribute[str, str | None]
    """Proposed, InProgress, Deferred or Infeasible; empty: no change of resources is pending"""
    resource_claim_statuses: Attribute[ListView[PodResourceClaimStatus], Sequence[PodResourceClaimStatus | Mapping[str, Any]] | None]
    """Claims that were created from templates, by name."""
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
    """A template of pods that is stored by itself."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """name, namespace, labels and other metadata"""
    template: Attribute[PodTemplateSpec, PodTemplateSpec | Mapping[str, Any] | None]
    """metadata and specification of the pods"""
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
    """The template of pods, e.g. of a replica type or a batch job."""
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """labels and annotations of the pods"""
    spec: Attribute[PodSpec, PodSpec | Mapping[str, Any] | None]
    """desired state of the pods"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: PodSpec | Mapping[str, Any] | None = ...,
    ) -> None: ...

class PortStatus(Model):
    """The state of one port of a load balancer."""
    port: Attribute[int, int | None]
    """port of the service"""
    protocol: Attribute[str, str | None]
    """TCP, UDP or SCTP"""
    error: Attribute[str | None, str | None]
    """problem with the port, in CamelCase; absent: none"""
    def __init__(
        self,
        *,
        port: int | None = ...,
        protocol: str | None = ...,
        error: str | None = ...,
    ) -> None: ...

class PortworxVolumeSource(Model):
    """An existing Portworx volume."""
    volume_id: Attribute[str, str | None]
    """ID of the volume in Portworx"""
    fs_type: Attribute[str, str | None]
    """file system, e.g. ext4, xfs; empty means ext4"""
    read_only: Attribute[bool, bool | None]
    """if true, the volume is mounted read-only"""
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
    """1 to 100; the scheduler adds the weights of all matching terms"""
    preference: Attribute[NodeSelectorTerm, NodeSelectorTerm | Mapping[str, Any] | None]
    """the nodes that are preferred"""
    def __init__(
        self,
        *,
        weight: int | None = ...,
        preference: NodeSelectorTerm | Mapping[str, Any] | None = ...,
    ) -> None: ...

class Probe(Model):
    """A check of a container that the kubelet repeats. One of the first four members is set."""
    exec: Attribute[ExecAction | None, ExecAction | Mapping[str, Any] | None]
    """a command in the container"""
    http_get: Attribute[HTTPGetAction | None, HTTPGetAction | Mapping[str, Any] | None]
    """an HTTP request"""
    tcp_socket: Attribute[TCPSocketAction | None, TCPSocketAction | Mapping[str, Any] | None]
    """a connection to a port"""
    grpc: Attribute[GRPCAction | None, GRPCAction | Mapping[str, Any] | None]
    """a call of the health service of gRPC"""
    initial_delay_seconds: Attribute[int, int | None]
    """time between the start of the container and the first check"""
    timeout_seconds: Attribute[int, int | None]
    """time limit of one check; 0 means 1"""
    period_seconds: Attribute[int, int | None]
    """time between checks; 0 means 10"""
    success_threshold: Attribute[int, int | None]
    """consecutive successes; 0 means 1; only readiness probes may have more"""
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
    """sources of the files; their paths must not collide"""
    default_mode: Attribute[int | None, int | None]
    """permission bits; absent means 0644"""
    def __init__(
        self,
        *,
        sources: Sequence[VolumeProjection | Mapping[str, Any]] | None = ...,
        default_mode: int | None = ...,
    ) -> None: ...

class QuobyteVolumeSource(Model):
    """A Quobyte volume; Kubernetes 1.25 removed the plugin."""
    registry: Attribute[str, str | None]
    """`host:port`, several with commas"""
    volume: Attribute[str, str | None]
    """name of an existing volume"""
    read_only: Attribute[bool, bool | None]
    """if true, the volume is mounted read-only"""
    user: Attribute[str, str | None]
    """user for all accesses; empty: the user of the service account"""
    group: Attribute[str, str | None]
    """group for all accesses; empty: none"""
    tenant: Attribute[str, str | None]
    """tenant that owns the volume; the plugin sets it when it creates the volume"""
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
    """A RADOS block device of Ceph; Kubernetes 1.31 removed the plugin."""
    monitors: Attribute[ListView[str], Sequence[str] | None]
    """addresses of the Ceph monitors; required"""
    image: Attribute[str, str | None]
    """name of the RADOS image"""
    fs_type: Attribute[str, str | None]
    """file system, e.g. ext4, xfs; empty means ext4"""
    pool: Attribute[str, str | None]
    """RADOS pool of the image; empty means `rbd`"""
    user: Attribute[str, str | None]
    """RADOS user; empty means `admin`"""
    keyring: Attribute[str, str | None]
    """path of the keyring on the node; empty means `/etc/ceph/keyring`"""
    secret_ref: Attribute[LocalObjectReference | None, LocalObjectReference | Mapping[str, Any] | None]
    """Secret of the same namespace with the key of `user`; overrides `keyring`."""
    read_only: Attribute[bool, bool | None]
    """if true, the device is mounted read-only"""
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
    """name of an entry in `resource_claims` of the pod"""
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
    """required in volumes; empty in variables: the container itself"""
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
    """Limits of the total resources and object counts in a namespace."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """name, labels, annotations"""
    spec: Attribute[ResourceQuotaSpec, ResourceQuotaSpec | Mapping[str, Any] | None]
    """limits and scopes"""
    status: Attribute[ResourceQuotaStatus, ResourceQuotaStatus | Mapping[str, Any] | None]
    """limits in force and their use"""
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
    """The limits of a quota and the objects that it counts."""
    hard: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """by name, e.g. `requests.cpu`, `pods`, `count/jobs.batch`"""
    scopes: Attribute[ListView[str], Sequence[str] | None]
    """Terminating, NotTerminating, BestEffort, NotBestEffort, PriorityClass, CrossNamespacePodAffinity; only pods that
    match all scopes are counted; empty: all objects."""
    scope_selector: Attribute[ScopeSelector | None, ScopeSelector | Mapping[str, Any] | None]
    """as `scopes`, with operators and values; both must match"""
    def __init__(
        self,
        *,
        hard: Mapping[str, str | int | float] | None = ...,
        scopes: Sequence[str] | None = ...,
        scope_selector: ScopeSelector | Mapping[str, Any] | None = ...,
    ) -> None: ...

class ResourceQuotaStatus(Model):
    """The limits and the use of a quota, as the quota controller last counted them."""
    hard: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """enforced limits, by the names in `spec.hard`"""
    used: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """current total in the namespace, by the same names"""
    def __init__(
        self,
        *,
        hard: Mapping[str, str | int | float] | None = ...,
        used: Mapping[str, str | int | float] | None = ...,
    ) -> None: ...

class ResourceRequirements(Model):
    """The resources of one container, by resource name, e.g. `cpu`, `memory`, `nvidia.com/gpu`."""
    limits: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """maximum amounts; absent resources are not limited"""
    requests: Attribute[MapView[Quantity], Mapping[str, str | int | float] | None]
    """amounts that the scheduler reserves; at most the limits, which are the default"""
    claims: Attribute[ListView[ResourceClaim], Sequence[ResourceClaim | Mapping[str, Any]] | None]
    """claims of devices that the container uses"""
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
    """name of the resource, e.g. `nvidia.com/gpu`"""
    resources: Attribute[ListView[ResourceHealth], Sequence[ResourceHealth | Mapping[str, Any]] | None]
    """health by device"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        resources: Sequence[ResourceHealth | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class SELinuxOptions(Model):
    """Parts of an SELinux label; the runtime chooses the empty ones."""
    user: Attribute[str, str | None]
    """user of the label"""
    role: Attribute[str, str | None]
    """role of the label"""
    type: Attribute[str, str | None]
    """type of the label"""
    level: Attribute[str, str | None]
    """level of the label, e.g. `s0:c123,c456`"""
    def __init__(
        self,
        *,
        user: str | None = ...,
        role: str | None = ...,
        type: str | None = ...,
        level: str | None = ...,
    ) -> None: ...

class ScaleIOVolumeSource(Model):
    """A ScaleIO volume; Kubernetes does not support it any more."""
    gateway: Attribute[str, str | None]
    """address of the API gateway"""
    system: Attribute[str, str | None]
    """name of the storage system in ScaleIO"""
    secret_ref: Attribute[LocalObjectReference | None, LocalObjectReference | Mapping[str, Any] | None]
    """Secret of the same namespace with the user and password; required"""
    ssl_enabled: Attribute[bool, bool | None]
    """whether connections to the gateway use TLS"""
    protection_domain: Attribute[str, str | None]
    """name of the protection domain"""
    storage_pool: Attribute[str, str | None]
    """name of the pool in the protection domain"""
    storage_mode: Attribute[str, str | None]
    """ThickProvisioned or ThinProvisioned; empty means ThinProvisioned"""
    volume_name: Attribute[str, str | None]
    """name of an existing volume"""
    fs_type: Attribute[str, str | None]
    """file system, e.g. ext4, xfs; empty means xfs"""
    read_only: Attribute[bool, bool | None]
    """if true, the volume is mounted read-only"""
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
    """A selector of pods by quota scopes."""
    match_expressions: Attribute[ListView[ScopedResourceSelectorRequirement], Sequence[ScopedResourceSelectorRequirement | Mapping[str, Any]] | None]
    """all must hold"""
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
    """e.g. names of priority classes; empty for Exists and DoesNotExist"""
    def __init__(
        self,
        *,
        scope_name: str | None = ...,
        operator: str | None = ...,
        values: Sequence[str] | None = ...,
    ) -> None: ...

class SeccompProfile(Model):
    """The filter of system calls."""
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
    """Confidential data that pods of the namespace read as variables or files, 1 MiB at most. Values are stored
    decoded."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """name, namespace, labels and other metadata"""
    immutable: Attribute[bool | None, bool | None]
    """if true, the data can no longer be changed; absent means false"""
    data: Attribute[MapView[bytes], Mapping[str, bytes] | None]
    """any bytes by key; keys consist of letters, digits, `-`, `` and `.`"""
    string_data: Attribute[MapView[str], Mapping[str, str] | None]
    """only when writing: the server moves it into `data`"""
    type: Attribute[str, str | None]
    """e.g. Opaque, `kubernetes.io/tls`; empty means Opaque; cannot be changed"""
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
    """A secret of the same namespace whose keys become variables."""
    name: Attribute[str, str | None]
    """name of the Secret"""
    optional: Attribute[bool | None, bool | None]
    """if true, a missing object is ignored; absent means false"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        optional: bool | None = ...,
    ) -> None: ...

class SecretKeySelector(Model):
    """A key of a secret of the same namespace."""
    name: Attribute[str, str | None]
    """name of the Secret"""
    key: Attribute[str, str | None]
    """key whose value the variable gets"""
    optional: Attribute[bool | None, bool | None]
    """If true, the variable is omitted if the secret or key does not exist; absent means false."""
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
    """The keys of a Secret as files in a projected volume."""
    name: Attribute[str, str | None]
    """name of the Secret, of the same namespace"""
    items: Attribute[ListView[KeyToPath], Sequence[KeyToPath | Mapping[str, Any]] | None]
    """empty: all keys"""
    optional: Attribute[bool | None, bool | None]
    """if true, the Secret and its keys need not exist"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        items: Sequence[KeyToPath | Mapping[str, Any]] | None = ...,
        optional: bool | None = ...,
    ) -> None: ...

class SecretVolumeSource(Model):
    """The keys of a Secret as files."""
    secret_name: Attribute[str, str | None]
    """name of the Secret, of the same namespace"""
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
    """absent: the default of the runtime"""
    privileged: Attribute[bool | None, bool | None]
    """whether its processes have all rights of root on the node; absent means false"""
    se_linux_options: Attribute[SELinuxOptions | None, SELinuxOptions | Mapping[str, Any] | None]
    """absent: those of the pod"""
    windows_options: Attribute[WindowsSecurityContextOptions | None, WindowsSecurityContextOptions | Mapping[str, Any] | None]
    """for Windows nodes only; absent: those of the pod"""
    run_as_user: Attribute[int | None, int | None]
    """uid of the first process; absent: that of the pod, else of the image"""
    run_as_group: Attribute[int | None, int | None]
    """Gid of the first process; absent: that of the pod, else the default of the runtime."""
    run_as_non_root: Attribute[bool | None, bool | None]
    """if true, the kubelet does not start it as uid 0; absent: as in the pod"""
    read_only_root_filesystem: Attribute[bool | None, bool | None]
    """absent means false"""
    allow_privilege_escalation: Attribute[bool | None, bool | None]
    """Whether processes may gain privileges, e.g. by setuid programs; absent means true."""
    proc_mount: Attribute[str | None, str | None]
    """Default or Unmasked; absent means Default"""
    seccomp_profile: Attribute[SeccompProfile | None, SeccompProfile | Mapping[str, Any] | None]
    """absent: that of the pod"""
    app_armor_profile: Attribute[AppArmorProfile | None, AppArmorProfile | Mapping[str, Any] | None]
    """absent: that of the pod"""
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
    """A stable name and address for a set of pods."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """name, labels, annotations; the name is the DNS name in the namespace"""
    spec: Attribute[ServiceSpec, ServiceSpec | Mapping[str, Any] | None]
    """ports, selector and type"""
    status: Attribute[ServiceStatus, ServiceStatus | Mapping[str, Any] | None]
    """state of the load balancer"""
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
    """The identity of pods towards the API server."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """name, namespace, labels and other metadata"""
    secrets: Attribute[ListView[ObjectReference], Sequence[ObjectReference | Mapping[str, Any]] | None]
    """Secrets that its pods may use; enforced with the annotation `kubernetes.io/enforce-mountable-secrets` only."""
    image_pull_secrets: Attribute[ListView[LocalObjectReference], Sequence[LocalObjectReference | Mapping[str, Any]] | None]
    """Credentials of registries for pods that have no `image_pull_secrets`."""
    automount_service_account_token: Attribute[bool | None, bool | None]
    """Whether pods get a token as a file; absent means true; the pod takes precedence."""
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
    """requested validity, at least 600; absent means 3600"""
    path: Attribute[str, str | None]
    """path of the file, relative to the mount; must not contain `..`"""
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
    """A port of a service."""
    name: Attribute[str, str | None]
    """unique in the service; may be empty if there is only one port"""
    protocol: Attribute[str, str | None]
    """TCP, UDP or SCTP; empty means TCP"""
    app_protocol: Attribute[str | None, str | None]
    """hint for proxies: an IANA service name, or e.g. `kubernetes.io/h2c`"""
    port: Attribute[int, int | None]
    """port of the service, 1 to 65535"""
    target_port: Attribute[int | str | None, int | str | None]
    """port of the pods, as number or name; absent: `port`"""
    node_port: Attribute[int, int | None]
    """port of every node, for NodePort and LoadBalancer; 0: the server assigns one"""
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
    """The desired state of a service."""
    ports: Attribute[ListView[ServicePort], Sequence[ServicePort | Mapping[str, Any]] | None]
    """may be empty for headless services and ExternalName"""
    selector: Attribute[MapView[str], Mapping[str, str] | None]
    """selects pods; empty: the endpoints are managed externally"""
    cluster_ip: Attribute[str, str | None]
    """virtual address; empty: the server assigns one; `None_` makes the service headless"""
    cluster_ips: Attribute[ListView[str], Sequence[str] | None]
    """at most one address of IPv4 and one of IPv6; the first is `cluster_ip`"""
    type: Attribute[str, str | None]
    """ClusterIP, NodePort, LoadBalancer or ExternalName; empty means ClusterIP"""
    external_ips: Attribute[ListView[str], Sequence[str] | None]
    """Further addresses that nodes accept; Kubernetes does not route them to nodes."""
    session_affinity: Attribute[str, str | None]
    """None or ClientIP; empty means None"""
    load_balancer_ip: Attribute[str, str | None]
    """requested address of the load balancer; deprecated"""
    load_balancer_source_ranges: Attribute[ListView[str], Sequence[str] | None]
    """CIDRs of clients that may use the load balancer; empty: all."""
    external_name: Attribute[str, str | None]
    """the alias, with type ExternalName"""
    external_traffic_policy: Attribute[str, str | None]
    """Cluster or Local, for traffic from outside; empty means Cluster"""
    health_check_node_port: Attribute[int, int | None]
    """for LoadBalancer with the policy Local; 0: the server assigns one"""
    publish_not_ready_addresses: Attribute[bool, bool | None]
    """names of pods resolve before they are ready"""
    session_affinity_config: Attribute[SessionAffinityConfig | None, SessionAffinityConfig | Mapping[str, Any] | None]
    """timeout of the session affinity"""
    ip_families: Attribute[ListView[str], Sequence[str] | None]
    """IPv4, IPv6, or both; empty: the server assigns them"""
    ip_family_policy: Attribute[str | None, str | None]
    """SingleStack, PreferDualStack or RequireDualStack; absent means SingleStack."""
    allocate_load_balancer_node_ports: Attribute[bool | None, bool | None]
    """whether a LoadBalancer gets node ports; absent: true"""
    load_balancer_class: Attribute[str | None, str | None]
    """Implementation of the load balancer; absent: that of the cluster."""
    internal_traffic_policy: Attribute[str | None, str | None]
    """Cluster or Local, for traffic within the cluster; absent means Cluster."""
    traffic_distribution: Attribute[str | None, str | None]
    """Preference for endpoints, e.g. PreferClose; absent: the proxy decides."""
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
    """The observed state of a service."""
    load_balancer: Attribute[LoadBalancerStatus, LoadBalancerStatus | Mapping[str, Any] | None]
    """for services of type LoadBalancer"""
    conditions: Attribute[ListView[meta.Condition], Sequence[meta.Condition | Mapping[str, Any]] | None]
    """at most one of each type"""
    def __init__(
        self,
        *,
        load_balancer: LoadBalancerStatus | Mapping[str, Any] | None = ...,
        conditions: Sequence[meta.Condition | Mapping[str, Any]] | None = ...,
    ) -> None: ...

class SessionAffinityConfig(Model):
    """The settings of session affinity."""
    client_ip: Attribute[ClientIPConfig | None, ClientIPConfig | Mapping[str, Any] | None]
    """for the affinity ClientIP"""
    def __init__(
        self,
        *,
        client_ip: ClientIPConfig | Mapping[str, Any] | None = ...,
    ) -> None: ...

class SleepAction(Model):
    """Waits for a fixed time."""
    seconds: Attribute[int, int | None]
    """duration in seconds, at most the grace period of the pod"""
    def __init__(
        self,
        *,
        seconds: int | None = ...,
    ) -> None: ...

class StorageOSVolumeSource(Model):
    """A StorageOS volume; Kubernetes 1.25 removed the plugin."""
    volume_name: Attribute[str, str | None]
    """name, unique in `volume_namespace`"""
    volume_namespace: Attribute[str, str | None]
    """namespace within StorageOS; empty: the namespace of the pod"""
    fs_type: Attribute[str, str | None]
    """file system, e.g. ext4, xfs; empty means ext4"""
    read_only: Attribute[bool, bool | None]
    """if true, the volume is mounted read-only"""
    secret_ref: Attribute[LocalObjectReference | None, LocalObjectReference | Mapping[str, Any] | None]
    """Secret of the same namespace with the credentials for the StorageOS API."""
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
    """e.g. `net.core.somaxconn`"""
    value: Attribute[str, str | None]
    """text of the value, also for numbers"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        value: str | None = ...,
    ) -> None: ...

class TCPSocketAction(Model):
    """Connects to a port of the container; an open connection is success."""
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
    """label key, e.g. `nvidia.com/gpu`"""
    value: Attribute[str, str | None]
    """value that a toleration with the operator Equal must have; may be empty"""
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
    """key of the taint; empty: all, with the operator Exists"""
    operator: Attribute[str, str | None]
    """Exists or Equal; empty means Equal"""
    value: Attribute[str, str | None]
    """value of the taint; empty for Exists"""
    effect: Attribute[str, str | None]
    """NoSchedule, PreferNoSchedule or NoExecute; empty: all"""
    toleration_seconds: Attribute[int | None, int | None]
    """Seconds until a taint NoExecute evicts the pod; absent: without limit."""
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
    """maximum difference of the counts, at least 1"""
    topology_key: Attribute[str, str | None]
    """a label of nodes, e.g. `topology.kubernetes.io/zone`; each value is a domain"""
    when_unsatisfiable: Attribute[str, str | None]
    """DoNotSchedule or ScheduleAnyway"""
    label_selector: Attribute[meta.LabelSelector | None, meta.LabelSelector | Mapping[str, Any] | None]
    """labels of the pods that are counted; absent selects none"""
    min_domains: Attribute[int | None, int | None]
    """with fewer domains the smallest count is 0; absent means 1"""
    node_affinity_policy: Attribute[str | None, str | None]
    """Whether only nodes that match the affinity of the pod count: Honor or Ignore; absent means Honor."""
    node_taints_policy: Attribute[str | None, str | None]
    """Whether only nodes whose taints the pod tolerates count: Honor or Ignore; absent means Ignore."""
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
    """e.g. `PersistentVolumeClaim`"""
    name: Attribute[str, str | None]
    """name of the object"""
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
    """e.g. `PersistentVolumeClaim`"""
    name: Attribute[str, str | None]
    """name of the object"""
    namespace: Attribute[str | None, str | None]
    """absent: the namespace of the object that contains the reference"""
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
    """unique in the pod; mounts refer to it"""
    host_path: Attribute[HostPathVolumeSource | None, HostPathVolumeSource | Mapping[str, Any] | None]
    """a file or directory of the node"""
    empty_dir: Attribute[EmptyDirVolumeSource | None, EmptyDirVolumeSource | Mapping[str, Any] | None]
    """a directory that is deleted with the pod"""
    gce_persistent_disk: Attribute[GCEPersistentDiskVolumeSource | None, GCEPersistentDiskVolumeSource | Mapping[str, Any] | None]
    """a disk of Google Compute Engine"""
    aws_elastic_block_store: Attribute[AWSElasticBlockStoreVolumeSource | None, AWSElasticBlockStoreVolumeSource | Mapping[str, Any] | None]
    """a volume of Amazon EBS"""
    git_repo: Attribute[GitRepoVolumeSource | None, GitRepoVolumeSource | Mapping[str, Any] | None]
    """a clone of a Git repository; deprecated"""
    secret: Attribute[SecretVolumeSource | None, SecretVolumeSource | Mapping[str, Any] | None]
    """keys of a Secret"""
    nfs: Attribute[NFSVolumeSource | None, NFSVolumeSource | Mapping[str, Any] | None]
    """a directory of an NFS server"""
    iscsi: Attribute[ISCSIVolumeSource | None, ISCSIVolumeSource | Mapping[str, Any] | None]
    """a disk of an iSCSI target"""
    glusterfs: Attribute[GlusterfsVolumeSource | None, GlusterfsVolumeSource | Mapping[str, Any] | None]
    """a GlusterFS volume; removed in 1.26"""
    persistent_volume_claim: Attribute[PersistentVolumeClaimVolumeSource | None, PersistentVolumeClaimVolumeSource | Mapping[str, Any] | None]
    """the volume of an existing claim"""
    rbd: Attribute[RBDVolumeSource | None, RBDVolumeSource | Mapping[str, Any] | None]
    """a block device of Ceph; removed in 1.31"""
    flex_volume: Attribute[FlexVolumeSource | None, FlexVolumeSource | Mapping[str, Any] | None]
    """a FlexVolume; deprecated"""
    cinder: Attribute[CinderVolumeSource | None, CinderVolumeSource | Mapping[str, Any] | None]
    """a volume of OpenStack Cinder"""
    cephfs: Attribute[CephFSVolumeSource | None, CephFSVolumeSource | Mapping[str, Any] | None]
    """a directory of CephFS; removed in 1.31"""
    flocker: Attribute[FlockerVolumeSource | None, FlockerVolumeSource | Mapping[str, Any] | None]
    """a dataset of Flocker; removed in 1.25"""
    downward_api: Attribute[DownwardAPIVolumeSource | None, DownwardAPIVolumeSource | Mapping[str, Any] | None]
    """fields of the pod and its containers"""
    fc: Attribute[FCVolumeSource | None, FCVolumeSource | Mapping[str, Any] | None]
    """a Fibre Channel disk"""
    azure_file: Attribute[AzureFileVolumeSource | None, AzureFileVolumeSource | Mapping[str, Any] | None]
    """a share of Azure Files"""
    config_map: Attribute[ConfigMapVolumeSource | None, ConfigMapVolumeSource | Mapping[str, Any] | None]
    """keys of a config map"""
    vsphere_volume: Attribute[VsphereVirtualDiskVolumeSource | None, VsphereVirtualDiskVolumeSource | Mapping[str, Any] | None]
    """a virtual disk of vSphere"""
    quobyte: Attribute[QuobyteVolumeSource | None, QuobyteVolumeSource | Mapping[str, Any] | None]
    """a Quobyte volume; removed in 1.25"""
    azure_disk: Attribute[AzureDiskVolumeSource | None, AzureDiskVolumeSource | Mapping[str, Any] | None]
    """a data disk of Azure"""
    photon_persistent_disk: Attribute[PhotonPersistentDiskVolumeSource | None, PhotonPersistentDiskVolumeSource | Mapping[str, Any] | None]
    """a disk of Photon Controller; unsupported"""
    projected: Attribute[ProjectedVolumeSource | None, ProjectedVolumeSource | Mapping[str, Any] | None]
    """several sources in one directory"""
    portworx_volume: Attribute[PortworxVolumeSource | None, PortworxVolumeSource | Mapping[str, Any] | None]
    """a Portworx volume"""
    scale_io: Attribute[ScaleIOVolumeSource | None, ScaleIOVolumeSource | Mapping[str, Any] | None]
    """a ScaleIO volume; unsupported"""
    storageos: Attribute[StorageOSVolumeSource | None, StorageOSVolumeSource | Mapping[str, Any] | None]
    """a StorageOS volume; removed in 1.25"""
    csi: Attribute[CSIVolumeSource | None, CSIVolumeSource | Mapping[str, Any] | None]
    """a volume of a CSI driver, for this pod"""
    ephemeral: Attribute[EphemeralVolumeSource | None, EphemeralVolumeSource | Mapping[str, Any] | None]
    """a claim that is deleted with the pod"""
    image: Attribute[ImageVolumeSource | None, ImageVolumeSource | Mapping[str, Any] | None]
    """the files of an image; read-only"""
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
    """name of a volume of the pod that is a claim"""
    device_path: Attribute[str, str | None]
    """path of the device in the container"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        device_path: str | None = ...,
    ) -> None: ...

class VolumeMount(Model):
    """The place of a volume in a container."""
    name: Attribute[str, str | None]
    """name of a volume of the pod"""
    read_only: Attribute[bool, bool | None]
    """whether the container cannot write to the volume"""
    recursive_read_only: Attribute[str | None, str | None]
    """Whether `read_only` applies to mounts below, too: Disabled, IfPossible or Enabled; absent means Disabled."""
    mount_path: Attribute[str, str | None]
    """path in the container; may not contain `:`"""
    sub_path: Attribute[str, str | None]
    """path within the volume; empty: the whole volume"""
    mount_propagation: Attribute[str | None, str | None]
    """None, HostToContainer or Bidirectional; absent means None"""
    sub_path_expr: Attribute[str, str | None]
    """in place of `sub_path`, with `$(NAME)` expanded from the environment"""
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
    """name of the volume"""
    mount_path: Attribute[str, str | None]
    """path in the container"""
    read_only: Attribute[bool, bool | None]
    """whether the container cannot write to the volume"""
    recursive_read_only: Attribute[str | None, str | None]
    """Disabled or Enabled; absent for writable mounts"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        mount_path: str | None = ...,
        read_only: bool | None = ...,
        recursive_read_only: str | None = ...,
    ) -> None: ...

class VolumeNodeAffinity(Model):
    """Nodes from which a volume can be used."""
    required: Attribute[NodeSelector | None, NodeSelector | Mapping[str, Any] | None]
    """absent: all nodes"""
    def __init__(
        self,
        *,
        required: NodeSelector | Mapping[str, Any] | None = ...,
    ) -> None: ...

class VolumeProjection(Model):
    """Exactly one is set."""
    secret: Attribute[SecretProjection | None, SecretProjection | Mapping[str, Any] | None]
    """keys of a Secret"""
    downward_api: Attribute[DownwardAPIProjection | None, DownwardAPIProjection | Mapping[str, Any] | None]
    """fields of the pod and its containers"""
    config_map: Attribute[ConfigMapProjection | None, ConfigMapProjection | Mapping[str, Any] | None]
    """keys of a config map"""
    service_account_token: Attribute[ServiceAccountTokenProjection | None, ServiceAccountTokenProjection | Mapping[str, Any] | None]
    """a token of the service account of the pod"""
    cluster_trust_bundle: Attribute[ClusterTrustBundleProjection | None, ClusterTrustBundleProjection | Mapping[str, Any] | None]
    """CA certificates"""
    pod_certificate: Attribute[PodCertificateProjection | None, PodCertificateProjection | Mapping[str, Any] | None]
    """a key and a certificate for the pod"""
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
    """The size of a volume."""
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
    """A virtual disk of vSphere; the driver `csi.vsphere.vmware.com` serves it."""
    volume_path: Attribute[str, str | None]
    """path of the disk, e.g. `[datastore] volumes/disk`"""
    fs_type: Attribute[str, str | None]
    """file system, e.g. ext4, xfs; empty means ext4"""
    storage_policy_name: Attribute[str, str | None]
    """name of the storage policy"""
    storage_policy_id: Attribute[str, str | None]
    """ID of the storage policy `storage_policy_name`"""
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
    """1 to 100; the scheduler adds the weights of all matching terms"""
    pod_affinity_term: Attribute[PodAffinityTerm, PodAffinityTerm | Mapping[str, Any] | None]
    """the pods of this preference"""
    def __init__(
        self,
        *,
        weight: int | None = ...,
        pod_affinity_term: PodAffinityTerm | Mapping[str, Any] | None = ...,
    ) -> None: ...

class WindowsSecurityContextOptions(Model):
    """The identity of processes on Windows nodes."""
    gmsa_credential_spec_name: Attribute[str | None, str | None]
    """name of a credential of a group managed service account"""
    gmsa_credential_spec: Attribute[str | None, str | None]
    """Text of that credential; an admission webhook sets it from the name."""
    run_as_user_name: Attribute[str | None, str | None]
    """user of the first process; absent: that of the image"""
    host_process: Attribute[bool | None, bool | None]
    """whether it runs as a process of the host; requires `host_network` of the pod"""
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
    """name of a Workload of the same namespace"""
    pod_group: Attribute[str, str | None]
    """name of a pod group in the workload"""
    pod_group_replica_key: Attribute[str, str | None]
    """distinguishes replicas of the group; each is scheduled as a separate unit"""
    def __init__(
        self,
        *,
        name: str | None = ...,
        pod_group: str | None = ...,
        pod_group_replica_key: str | None = ...,
    ) -> None: ...
