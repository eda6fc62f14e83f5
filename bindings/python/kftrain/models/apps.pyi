"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any
from . import core, meta
from .._model import Attribute, ListView, Model

class RollingUpdateStatefulSetStrategy(Model):
    """Limits of an update that replaces the pods one after the other, highest ordinal first."""
    partition: Attribute[int | None, int | None]
    """pods with a lower ordinal are not updated; absent means 0"""
    max_unavailable: Attribute[int | str | None, int | str | None]
    """pods or percent; absent means 1"""
    def __init__(
        self,
        *,
        partition: int | None = ...,
        max_unavailable: int | str | None = ...,
    ) -> None: ...

class StatefulSet(Model):
    """Pods with stable names, host names and storage."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ObjectMeta, meta.ObjectMeta | Mapping[str, Any] | None]
    """the name prefixes the names of the pods: `<name>-<ordinal>`"""
    spec: Attribute[StatefulSetSpec, StatefulSetSpec | Mapping[str, Any] | None]
    """desired state"""
    status: Attribute[StatefulSetStatus, StatefulSetStatus | Mapping[str, Any] | None]
    """observed state, written by the controller"""
    def __init__(
        self,
        *,
        metadata: meta.ObjectMeta | Mapping[str, Any] | None = ...,
        spec: StatefulSetSpec | Mapping[str, Any] | None = ...,
        status: StatefulSetStatus | Mapping[str, Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class StatefulSetCondition(Model):
    """An observation about a stateful set."""
    type: Attribute[str, str | None]
    """name of the condition, in CamelCase"""
    status: Attribute[str, str | None]
    """True, False or Unknown"""
    last_transition_time: Attribute[datetime.datetime | None, datetime.datetime | str | None]
    """when `status` last changed"""
    reason: Attribute[str, str | None]
    """reason of the last change, one word in CamelCase"""
    message: Attribute[str, str | None]
    """details of the last change, as text"""
    def __init__(
        self,
        *,
        type: str | None = ...,
        status: str | None = ...,
        last_transition_time: datetime.datetime | str | None = ...,
        reason: str | None = ...,
        message: str | None = ...,
    ) -> None: ...

class StatefulSetList(Model):
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    items: Attribute[ListView[StatefulSet], Sequence[StatefulSet | Mapping[str, Any]] | None]
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[StatefulSet | Mapping[str, Any]] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...

class StatefulSetOrdinals(Model):
    """The numbers of the pods."""
    start: Attribute[int, int | None]
    """ordinal of the first pod"""
    def __init__(
        self,
        *,
        start: int | None = ...,
    ) -> None: ...

class StatefulSetPersistentVolumeClaimRetentionPolicy(Model):
    """Treatment of claims from the templates: Delete or Retain."""
    when_deleted: Attribute[str, str | None]
    """for the claims if the set is deleted; empty means Retain"""
    when_scaled: Attribute[str, str | None]
    """for the claims of pods that are scaled down; empty means Retain"""
    def __init__(
        self,
        *,
        when_deleted: str | None = ...,
        when_scaled: str | None = ...,
    ) -> None: ...

class StatefulSetSpec(Model):
    """The requested pods of a stateful set and their claims."""
    replicas: Attribute[int | None, int | None]
    """absent means 1"""
    selector: Attribute[meta.LabelSelector | None, meta.LabelSelector | Mapping[str, Any] | None]
    """selects the pods; must match the labels of the template and cannot be changed"""
    template: Attribute[core.PodTemplateSpec, core.PodTemplateSpec | Mapping[str, Any] | None]
    """every pod is made from it, with its own name and claims"""
    volume_claim_templates: Attribute[ListView[core.PersistentVolumeClaim], Sequence[core.PersistentVolumeClaim | Mapping[str, Any]] | None]
    """Each pod gets its own claim from each of them."""
    service_name: Attribute[str, str | None]
    """the headless service that names the pods"""
    pod_management_policy: Attribute[str, str | None]
    """OrderedReady (also if empty): one pod after the other; Parallel: all at once"""
    update_strategy: Attribute[StatefulSetUpdateStrategy, StatefulSetUpdateStrategy | Mapping[str, Any] | None]
    """how pods follow a change of the template"""
    revision_history_limit: Attribute[int | None, int | None]
    """absent means 10"""
    min_ready_seconds: Attribute[int, int | None]
    """time in seconds before a ready pod counts as available"""
    persistent_volume_claim_retention_policy: Attribute[StatefulSetPersistentVolumeClaimRetentionPolicy | None, StatefulSetPersistentVolumeClaimRetentionPolicy | Mapping[str, Any] | None]
    """Treatment of claims from the templates; absent: they stay."""
    ordinals: Attribute[StatefulSetOrdinals | None, StatefulSetOrdinals | Mapping[str, Any] | None]
    """absent: the first pod has the number 0"""
    def __init__(
        self,
        *,
        replicas: int | None = ...,
        selector: meta.LabelSelector | Mapping[str, Any] | None = ...,
        template: core.PodTemplateSpec | Mapping[str, Any] | None = ...,
        volume_claim_templates: Sequence[core.PersistentVolumeClaim | Mapping[str, Any]] | None = ...,
        service_name: str | None = ...,
        pod_management_policy: str | None = ...,
        update_strategy: StatefulSetUpdateStrategy | Mapping[str, Any] | None = ...,
        revision_history_limit: int | None = ...,
        min_ready_seconds: int | None = ...,
        persistent_volume_claim_retention_policy: StatefulSetPersistentVolumeClaimRetentionPolicy | Mapping[str, Any] | None = ...,
        ordinals: StatefulSetOrdinals | Mapping[str, Any] | None = ...,
    ) -> None: ...

class StatefulSetStatus(Model):
    """The observed state of a stateful set; counts are of pods."""
    observed_generation: Attribute[int, int | None]
    """`metadata.generation` that the controller last handled"""
    replicas: Attribute[int, int | None]
    """created pods"""
    ready_replicas: Attribute[int, int | None]
    """pods with the condition Ready"""
    current_replicas: Attribute[int, int | None]
    """pods of the revision `current_revision`"""
    updated_replicas: Attribute[int, int | None]
    """pods of the revision `update_revision`"""
    current_revision: Attribute[str, str | None]
    """of pods 0 to `current_replicas` - 1"""
    update_revision: Attribute[str, str | None]
    """of the last `updated_replicas` pods"""
    collision_count: Attribute[int | None, int | None]
    """collisions of the names of revisions so far"""
    conditions: Attribute[ListView[StatefulSetCondition], Sequence[StatefulSetCondition | Mapping[str, Any]] | None]
    """at most one of each type"""
    available_replicas: Attribute[int, int | None]
    """pods that have been ready for `min_ready_seconds`"""
    def __init__(
        self,
        *,
        observed_generation: int | None = ...,
        replicas: int | None = ...,
        ready_replicas: int | None = ...,
        current_replicas: int | None = ...,
        updated_replicas: int | None = ...,
        current_revision: str | None = ...,
        update_revision: str | None = ...,
        collision_count: int | None = ...,
        conditions: Sequence[StatefulSetCondition | Mapping[str, Any]] | None = ...,
        available_replicas: int | None = ...,
    ) -> None: ...

class StatefulSetUpdateStrategy(Model):
    """How pods are replaced after a change of the template."""
    type: Attribute[str, str | None]
    """RollingUpdate (also if empty) or OnDelete: pods change when they are deleted"""
    rolling_update: Attribute[RollingUpdateStatefulSetStrategy | None, RollingUpdateStatefulSetStrategy | Mapping[str, Any] | None]
    """limits of a RollingUpdate"""
    def __init__(
        self,
        *,
        type: str | None = ...,
        rolling_update: RollingUpdateStatefulSetStrategy | Mapping[str, Any] | None = ...,
    ) -> None: ...
