"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""

from collections.abc import Mapping, Sequence
from typing import Any
from .._model import AnyModel, Attribute, ListView, Model
from .._model import Difference as Difference, ListView as ListView, MapView as MapView, Model as Model
from . import apps as apps
from . import authorization as authorization
from . import autoscaling as autoscaling
from . import batch as batch
from . import coordination as coordination
from . import core as core
from . import coscheduling as coscheduling
from . import discovery as discovery
from . import events as events
from . import jobset as jobset
from . import kubeflow_v1 as kubeflow_v1
from . import kubeflow_v1alpha1 as kubeflow_v1alpha1
from . import kubeflow_v2beta1 as kubeflow_v2beta1
from . import meta as meta
from . import networking as networking
from . import rbac as rbac
from . import scheduling as scheduling
from . import trainer as trainer
from . import volcano as volcano

def from_dict(data: Any, *, allow_unknown: bool = False) -> AnyModel: ...
def from_yaml(text: str, *, allow_unknown: bool = False) -> AnyModel: ...

class List(Model):
    """The `List` of `v1`, as `kubectl get` prints it: objects of any types, each with its own apiVersion and kind."""
    api_version: Attribute[str, str | None]
    kind: Attribute[str, str | None]
    metadata: Attribute[meta.ListMeta, meta.ListMeta | Mapping[str, Any] | None]
    """resource version and token for the next page; usually empty"""
    items: Attribute[ListView[Any], Sequence[Any] | None]
    """each object as JSON"""
    def __init__(
        self,
        *,
        metadata: meta.ListMeta | Mapping[str, Any] | None = ...,
        items: Sequence[Any] | None = ...,
        api_version: str | None = ...,
        kind: str | None = ...,
    ) -> None: ...
