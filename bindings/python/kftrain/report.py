"""Reports the progress of a training program as lines of its output, which ``kftrain`` reads.

The module needs only Python 3.6. Import ``kftrain.report``, or copy this file::

    from kftrain.report import report

    for step, batch in enumerate(batches, start=1):
        loss = train(batch)
        report(step, total=len(batches), loss=loss)

Each report is one line of the standard output::

    kftrain-progress/1 step=120 total=1000 epoch=2 loss=0.53 rate=812.5 unit=samples/s left=44

At most one line a second is written, so a program may report each step. Of the processes of one pod, only the one with
``LOCAL_RANK`` 0 writes; of those that mpirun starts, whose output has one log, only rank 0.
"""

import atexit
import math
import os
import sys
import threading
import time
from typing import Any, Optional, TextIO, Tuple

__all__ = ["Reporter", "report"]

MARKER = "kftrain-progress/1"
_LARGEST = 2**53


def _writes() -> bool:
    """Whether this process is the one of its log that reports."""
    for name in ("OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "LOCAL_RANK"):
        if name in os.environ:
            return os.environ[name] == "0"
    return True


def _count(value: Any) -> Optional[str]:
    """The value as a field; None if it cannot be one."""
    try:
        number = int(value)
    except Exception:  # of a tensor of any kind
        return None
    return str(number) if 0 <= number <= _LARGEST else None


def _number(value: Any) -> Optional[str]:
    try:
        number = float(value)
    except Exception:
        return None
    if math.isnan(number):
        return "nan"
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    return "%.6g" % number


def _unit(value: Any) -> Optional[str]:
    try:
        text = str(value)
    except Exception:
        return None
    fits = text and len(text) <= 16 and all(ord(c) < 128 and (c.isalnum() or c in "/_-.%") for c in text)
    return text if fits else None


class Reporter:
    """Writes reports, at most one in ``every`` seconds; the last report is written at the end of the process.

    Reporting never fails: values that cannot be written are left out, and errors of the stream are ignored. A reporter
    may be used by several threads.

    Args:
        total: The steps of the whole training, unless a report has it.
        every: The least time between two lines, in seconds.
        unit: The unit of ``rate``, at most 16 letters, digits and ``/ _ - . %``.
        stream: Where to write; None: the standard output at the time of the report.
    """

    def __init__(
        self,
        total: Optional[int] = None,
        every: float = 1.0,
        unit: Optional[str] = None,
        stream: Optional[TextIO] = None,
    ) -> None:
        self._total = total
        self._every = every
        self._unit = unit
        self._stream = stream
        self._lock = threading.Lock()
        self._writes = _writes()
        self._due = float("-inf")
        self._pending = None  # type: Optional[Tuple[Any, ...]]
        self._first = None  # type: Optional[Tuple[int, float]]
        if self._writes:
            atexit.register(self.flush)

    def report(
        self,
        step: int,
        total: Optional[int] = None,
        epoch: Optional[int] = None,
        loss: Any = None,
        rate: Any = None,
        unit: Optional[str] = None,
        left: Any = None,
    ) -> None:
        """Reports the number of completed steps.

        A value is converted to a number only if its line is written, so a tensor on a device costs nothing else.

        Args:
            step: Completed steps, from 0.
            total: The steps of the whole training.
            epoch: The current epoch.
            loss: The current loss; may be infinite or not a number.
            rate: The throughput in ``unit``.
            unit: The unit of ``rate``.
            left: Seconds until the end; None: computed from the time since the first report, if ``total`` is set.
        """
        if not self._writes:
            return
        now = time.monotonic()
        if self._first is None:
            self._first = (step, now)
        fields = (step, total, epoch, loss, rate, unit, left, now)
        if now < self._due and step != (self._total if total is None else total):
            self._pending = fields
            return
        self._write(fields)

    def flush(self) -> None:
        """Writes the last report now, unless it is written already."""
        pending = self._pending
        if pending is not None:
            self._write(pending)

    def _write(self, fields: Tuple[Any, ...]) -> None:
        step, total, epoch, loss, rate, unit, left, now = fields
        with self._lock:
            self._due = now + self._every
            self._pending = None
            total = self._total if total is None else total
            words = [("step", _count(step)), ("total", _count(total)), ("epoch", _count(epoch))]
            words.append(("loss", _number(loss)))
            if words[0][1] is None:
                return
            speed = _number(rate)
            if speed is not None and speed[0] not in "-in":
                words.append(("rate", speed))
                words.append(("unit", _unit(unit if unit is not None else self._unit or "")))
            words.append(("left", self._rest(step, total, now) if left is None else _seconds(left)))
            line = " ".join([MARKER] + ["%s=%s" % word for word in words if word[1] is not None])
            try:
                stream = self._stream or sys.stdout
                stream.write(line + "\n")
                stream.flush()
            except (AttributeError, OSError, ValueError):
                pass

    def _rest(self, step: Any, total: Any, now: float) -> Optional[str]:
        """The seconds until the end by the mean speed so far."""
        try:
            begin, since = self._first or (step, now)
            if step < begin:
                self._first = (step, now)
            if step <= begin or step > total:
                return None
            return _seconds((total - step) * (now - since) / (step - begin))
        except Exception:
            return None


def _seconds(value: Any) -> Optional[str]:
    text = _number(value)
    if text is None or text[0] in "-in":
        return None
    number = float(text)
    return "%d" % round(number) if number <= _LARGEST else None


_default = None  # type: Optional[Reporter]


def report(
    step: int,
    total: Optional[int] = None,
    epoch: Optional[int] = None,
    loss: Any = None,
    rate: Any = None,
    unit: Optional[str] = None,
    left: Any = None,
) -> None:
    """Reports progress with one `Reporter` of the whole process; see `Reporter.report`."""
    global _default
    if _default is None:
        _default = Reporter()
    _default.report(step, total, epoch, loss, rate, unit, left)
