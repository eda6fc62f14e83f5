"""The API of the ``kubeflow-training`` package 1.9, on top of kftrain::

    from kftrain.kubeflow import TrainingClient  # was: from kubeflow.training import TrainingClient

The page "Migrate from kubeflow-training" lists what differs.
"""

from __future__ import annotations

from typing import Any

from . import constants, models
from ._training_client import TrainingClient
from .models import *  # noqa: F403

__all__ = ["TrainingClient", "constants", "models"]
__all__ += models.__all__


def __getattr__(name: str) -> Any:
    return getattr(models, name)
