"""The API of the ``kubeflow-training`` package 1.9, on top of kftrain::

    from kftrain.kubeflow import TrainingClient  # was: from kubeflow.training import TrainingClient

The page "Migrate from kubeflow-training" lists what differs.
"""

from __future__ import annotations

from typing import Any

from . import constants, models
from ._training_client import TrainingClient
from .models import *  # noqa: F403
from .models import __all__ as _model_names

__all__ = ["TrainingClient", "constants", "models", *_model_names]


def __getattr__(name: str) -> Any:
    return getattr(models, name)
