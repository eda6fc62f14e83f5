"""A line that shows the progress of an operation: the last one of a terminal, or a text in a notebook."""

from __future__ import annotations

import sys
from typing import Any, TextIO


class Progress:
    """Shows nothing: for output that goes to a file."""

    def show(self, text: str) -> None:
        """Replaces the line."""

    def hide(self) -> None:
        """Removes the line, so that other output can be written; the next `show` writes it again."""

    def close(self) -> None:
        """Removes the line for good."""
        self.hide()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


class TerminalProgress(Progress):
    """The last line of a terminal."""

    def __init__(self, stream: TextIO, columns: int) -> None:
        self._stream = stream
        self._columns = columns
        self._shown = ""

    def show(self, text: str) -> None:
        text = text[: self._columns - 1]
        if text != self._shown:
            self._write("\r\x1b[K" + text)
            self._shown = text

    def hide(self) -> None:
        if self._shown:
            self._write("\r\x1b[K")
            self._shown = ""

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


class NotebookProgress(Progress):
    """A text in the output of a notebook cell, which is replaced in its place."""

    def __init__(self, display: Any) -> None:
        self._handle = display({"text/plain": ""}, raw=True, display_id=True)
        self._shown = ""

    def show(self, text: str) -> None:
        if text != self._shown:
            self._handle.update({"text/plain": text}, raw=True)
            self._shown = text

    def close(self) -> None:
        self.show("")


def progress_for(wanted: bool | None) -> Progress:
    """Returns the form that fits the output; None shows a line in terminals and notebooks only."""
    if wanted is False:
        return Progress()
    notebook = _notebook_display()
    if notebook is not None:
        return NotebookProgress(notebook)
    if wanted or (sys.stderr is not None and sys.stderr.isatty()):
        import shutil

        return TerminalProgress(sys.stderr, shutil.get_terminal_size().columns)
    return Progress()


def _notebook_display() -> Any:
    """The function display() of a notebook; None elsewhere."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    import importlib

    return importlib.import_module("IPython.display").display
