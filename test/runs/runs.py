"""The table of runs: each trains a job of one kind with its framework, and checks results, conditions and events."""

from dataclasses import dataclass
from typing import Callable


@dataclass
class Run:
    name: str
    kind: str
    environment: str
    is_quick: bool  # needs no download from PyPI, and takes less than 30 s; CI runs it
    check: Callable


RUNS = []


def run(kind, environment, is_quick=False):
    """Adds a function to the table, under its own name."""
    def add(function):
        RUNS.append(Run(function.__name__, kind, environment, is_quick, function))
        return function
    return add
