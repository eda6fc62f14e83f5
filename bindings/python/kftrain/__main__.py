"""``python -m kftrain`` runs the command ``kftrain`` of this package, with its exit code and signals."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterator


def _directories() -> Iterator[str]:
    """Yields the folders of installed programs: of a directory (``--target``), an environment, a user."""
    yield os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bin")
    yield sysconfig.get_path("scripts")
    yield sysconfig.get_path("scripts", f"{os.name}_user")


def find_command() -> str:
    """Returns the path of the command. Raises FileNotFoundError if it is not installed."""
    searched = [os.path.join(directory, "kftrain") for directory in _directories()]
    for path in searched:
        if os.access(path, os.X_OK) and os.path.isfile(path):
            return path
    raise FileNotFoundError(f"the command kftrain is not installed; the searched places are {', '.join(searched)}")


if __name__ == "__main__":
    command = find_command()
    os.execv(command, [command, *sys.argv[1:]])
