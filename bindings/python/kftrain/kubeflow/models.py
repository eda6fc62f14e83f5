"""The models of kftrain by the names that the ``kubeflow-training`` package gives them.

Names of the ``kubernetes`` package, such as ``V1Container``, are here, too: any name ``V1X`` is the class ``X`` of
`kftrain.models.core`, ``meta``, ``batch``, ``apps``, ``autoscaling`` or ``rbac``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from .. import models as _models
from ..models.kubeflow_v1 import ElasticPolicy as KubeflowOrgV1ElasticPolicy
from ..models.kubeflow_v1 import JAXJob as KubeflowOrgV1JAXJob
from ..models.kubeflow_v1 import JAXJobList as KubeflowOrgV1JAXJobList
from ..models.kubeflow_v1 import JAXJobSpec as KubeflowOrgV1JAXJobSpec
from ..models.kubeflow_v1 import JobCondition as KubeflowOrgV1JobCondition
from ..models.kubeflow_v1 import JobStatus as KubeflowOrgV1JobStatus
from ..models.kubeflow_v1 import MPIJob as KubeflowOrgV1MPIJob
from ..models.kubeflow_v1 import MPIJobList as KubeflowOrgV1MPIJobList
from ..models.kubeflow_v1 import MPIJobSpec as KubeflowOrgV1MPIJobSpec
from ..models.kubeflow_v1 import PaddleElasticPolicy as KubeflowOrgV1PaddleElasticPolicy
from ..models.kubeflow_v1 import PaddleJob as KubeflowOrgV1PaddleJob
from ..models.kubeflow_v1 import PaddleJobList as KubeflowOrgV1PaddleJobList
from ..models.kubeflow_v1 import PaddleJobSpec as KubeflowOrgV1PaddleJobSpec
from ..models.kubeflow_v1 import PyTorchJob as KubeflowOrgV1PyTorchJob
from ..models.kubeflow_v1 import PyTorchJobList as KubeflowOrgV1PyTorchJobList
from ..models.kubeflow_v1 import PyTorchJobSpec as KubeflowOrgV1PyTorchJobSpec
from ..models.kubeflow_v1 import RDZVConf as KubeflowOrgV1RDZVConf
from ..models.kubeflow_v1 import ReplicaSpec as KubeflowOrgV1ReplicaSpec
from ..models.kubeflow_v1 import ReplicaStatus as KubeflowOrgV1ReplicaStatus
from ..models.kubeflow_v1 import RunPolicy as KubeflowOrgV1RunPolicy
from ..models.kubeflow_v1 import SchedulingPolicy as KubeflowOrgV1SchedulingPolicy
from ..models.kubeflow_v1 import TFJob as KubeflowOrgV1TFJob
from ..models.kubeflow_v1 import TFJobList as KubeflowOrgV1TFJobList
from ..models.kubeflow_v1 import TFJobSpec as KubeflowOrgV1TFJobSpec
from ..models.kubeflow_v1 import XGBoostJob as KubeflowOrgV1XGBoostJob
from ..models.kubeflow_v1 import XGBoostJobList as KubeflowOrgV1XGBoostJobList
from ..models.kubeflow_v1 import XGBoostJobSpec as KubeflowOrgV1XGBoostJobSpec

# The annotations of the original package give the conditions of jobs this name.
V1JobCondition = KubeflowOrgV1JobCondition

__all__ = [
    "KubeflowOrgV1ElasticPolicy",
    "KubeflowOrgV1JAXJob",
    "KubeflowOrgV1JAXJobList",
    "KubeflowOrgV1JAXJobSpec",
    "KubeflowOrgV1JobCondition",
    "KubeflowOrgV1JobStatus",
    "KubeflowOrgV1MPIJob",
    "KubeflowOrgV1MPIJobList",
    "KubeflowOrgV1MPIJobSpec",
    "KubeflowOrgV1PaddleElasticPolicy",
    "KubeflowOrgV1PaddleJob",
    "KubeflowOrgV1PaddleJobList",
    "KubeflowOrgV1PaddleJobSpec",
    "KubeflowOrgV1PyTorchJob",
    "KubeflowOrgV1PyTorchJobList",
    "KubeflowOrgV1PyTorchJobSpec",
    "KubeflowOrgV1RDZVConf",
    "KubeflowOrgV1ReplicaSpec",
    "KubeflowOrgV1ReplicaStatus",
    "KubeflowOrgV1RunPolicy",
    "KubeflowOrgV1SchedulingPolicy",
    "KubeflowOrgV1TFJob",
    "KubeflowOrgV1TFJobList",
    "KubeflowOrgV1TFJobSpec",
    "KubeflowOrgV1XGBoostJob",
    "KubeflowOrgV1XGBoostJobList",
    "KubeflowOrgV1XGBoostJobSpec",
    "V1JobCondition",
]


@lru_cache(maxsize=1)
def _kubernetes_models() -> dict[str, Any]:
    """The classes by name."""
    found: dict[str, Any] = {}
    for module in (_models.core, _models.meta, _models.batch, _models.apps, _models.autoscaling, _models.rbac):
        for name, cls in vars(module).items():
            if isinstance(cls, type):
                found.setdefault(name, cls)
    return found


def __getattr__(name: str) -> Any:
    cls = _kubernetes_models().get(name[2:]) if name.startswith("V1") else None
    if cls is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return cls
