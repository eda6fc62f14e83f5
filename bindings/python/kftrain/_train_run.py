"""Follows a job that runs a function, until the function has returned in all ranks."""

from __future__ import annotations

import base64
import json
import pickle
import sys
import time
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, NoReturn, Union

from ._client import Client
from ._errors import Deleted, Error, Incomplete, RankError, Timeout
from ._model import AnyModel
from ._progress import Progress
from ._rank import rank_of
from ._streams import LogLines
from .local import LocalCluster

if TYPE_CHECKING:
    from .results import LogLine

_INTERVAL = 0.25  # seconds between two looks at limits and at the progress
_GRACE = 2.0  # seconds in which other ranks report their exceptions, too
_LAST_OUTPUT = 10.0  # seconds in which the processes should end after the function
_PATIENCE = 10.0  # seconds until the causes are shown why no rank runs
_SECOND_READ = 30.0  # seconds for reports in logs of which a part was lost
_REQUEST = 5.0  # seconds for a request between two looks at the time limit


class OutputLine(NamedTuple):
    """A line of the output of a rank."""

    rank: int
    text: str
    pod: str


Output = Union[bool, Callable[[OutputLine], object]]


class _Rank:
    """What a rank has reported."""

    def __init__(self) -> None:
        self.started = False
        self.done = False
        self.error: RankError | None = None
        self.parts: dict[str, dict[int, str]] = {}
        self.result: bytes | None = None


class Run:
    """Reads the output of a job. Reports of the ranks are lines that contain `mark`."""

    def __init__(
        self,
        client: Client,
        job: AnyModel,
        mark: str,
        *,
        container: str,
        workers: int,
        has_master: bool,
        output: Output,
        progress: Progress,
        timeout: float | None,
        cluster: LocalCluster | None = None,
    ) -> None:
        self._client = client
        self._job = job
        self._name: str = job.metadata.name
        self._mark = mark + " "
        self._container = container
        self._has_master = has_master
        self._ranks = [_Rank() for _ in range(workers)]
        self._output = output
        self._progress = progress
        self._timeout = timeout
        self._cluster = cluster
        self._begin = time.monotonic()
        self._shown = 0.0
        self._explained = self._begin
        self._cause = ""
        self._reported = 0.0  # when the last rank reported the end of the function
        self._failures: list[tuple[float, RankError]] = []  # with the time in the rank
        self._failed = 0.0
        self._lost = ""  # what is missing of the output, and why

    def follow(self) -> None:
        """Returns when the function has returned in all ranks."""
        position = ""
        while True:
            with self._client.logs(self._job, containers=[self._container], position=position) as lines:
                if self._read(lines):
                    return
                position = lines.position()
            # The job has ended, by the rules of its kind, before all ranks have reported.
            self._check_unreported()
            time.sleep(_INTERVAL)

    def result(self) -> Any:
        """Returns the value that rank 0 has reported."""
        if self._ranks[0].result is None and self._lost:
            self._read_reports()
        data = self._ranks[0].result
        if data is None:
            why = f"the result of rank 0 was lost: {self._lost}" if self._lost else ""
            raise self._error(0, why or "rank 0 ended before it could report its result")
        try:
            return pickle.loads(data)
        except Exception as error:
            raise ValueError(f"the result of rank 0 cannot be read here: {error}") from error

    def _read(self, lines: LogLines) -> bool:
        """Reads the stream to its end; returns whether all ranks have reported."""
        while True:
            self._look()
            if self._is_over():
                return True
            try:
                line = lines.next(timeout=_INTERVAL)
            except Timeout:
                continue
            except Incomplete as error:  # the job has ended, and the states of its pods show how
                self._note_lost(str(error))
                return self._end_of_logs()
            except StopIteration:
                return self._end_of_logs()
            self._take(line)

    def _end_of_logs(self) -> bool:
        if self._failures:
            self._raise_failures()
        return all(rank.done for rank in self._ranks)

    def _note_lost(self, what: str) -> None:
        if not self._lost and self._output is not False:
            self._progress.hide()
            print(f"kftrain: a part of the output is missing: {what}", file=sys.stderr, flush=True)
        self._lost = self._lost or what

    def _read_reports(self) -> None:
        """Reads what is left of the logs again, only for reports: the last lines are usually there."""
        end = time.monotonic() + _SECOND_READ
        with self._client.logs(self._job, containers=[self._container]) as lines:
            while time.monotonic() < end:
                self._look()
                try:
                    line = lines.next(timeout=_INTERVAL)
                except Timeout:
                    continue
                except (Incomplete, StopIteration):
                    return
                _, marked, report = line.text.partition(self._mark)
                if marked:
                    self._take_report(rank_of(line.pod, self._has_master), report)

    def _is_over(self) -> bool:
        now = time.monotonic()
        if self._failures and (now > self._failed + _GRACE or all(r.done or r.error for r in self._ranks)):
            self._raise_failures()
        return bool(self._reported) and now > self._reported + _LAST_OUTPUT

    def _take(self, line: LogLine) -> None:
        rank = rank_of(line.pod, self._has_master)
        text, marked, report = line.text.partition(self._mark)
        if marked:
            self._take_report(rank, report)
            if not text:
                return  # otherwise it is the beginning of a line of the function
        if self._output is True:
            self._progress.hide()
            print(f"[{rank}] {text}", flush=True)
        elif callable(self._output):
            self._output(OutputLine(rank, text, line.pod))

    def _take_report(self, number: int, report: str) -> None:
        rank = self._ranks[number]
        what, place, chunk = (report.split(" ") + ["", "", ""])[:3]
        part, _, count = place.partition("/")
        if not part.isdigit() or not count.isdigit():
            return  # a divided line: the report counts as missing
        parts = rank.parts.setdefault(what, {})
        parts[int(part)] = chunk
        if len(parts) < int(count):
            return
        data = base64.b64decode("".join(parts[i] for i in sorted(parts)))
        if what == "start":
            rank.started = True
        elif what == "result":
            rank.result = data
        elif what == "done":
            self._set_done(rank)
        elif what == "error" and rank.error is None:
            about = json.loads(data)
            message = f"rank {number} raised {about['type']}: {about['message']}"
            rank.error = self._error(number, f"{message}\n\n{about['traceback']}")
            rank.error.exception, rank.error.traceback = about["type"], about["traceback"]
            self._failed = self._failed or time.monotonic()
            self._failures.append((about["time"], rank.error))

    def _set_done(self, rank: _Rank) -> None:
        rank.done = True
        if all(each.done for each in self._ranks):
            self._reported = time.monotonic()

    def _check_unreported(self) -> None:
        """Finds ranks that ended without a report: because they were killed, for example."""
        with self._client.watch(self._job) as changes:
            try:
                state = changes.next(timeout=self._request_limit())
            except Timeout:
                return  # the caller checks the time limit and comes back
        if state.change == "deleted":
            raise Deleted(f"the job {self._name} was deleted")
        for member in state.ranks or ():
            number = rank_of(member.pod, self._has_master)
            rank = self._ranks[number]
            if rank.done:
                continue
            # The pods of a finished job are not created again.
            if member.phase == "Failed" or (member.phase == "Absent" and state.finished):
                self._raise_unreported(number)
            if member.phase == "Succeeded":
                self._set_done(rank)
        if state.phase == "Failed":
            self._raise_unreported(None)

    def _request_limit(self) -> float:
        if self._timeout is None:
            return _REQUEST
        return min(_REQUEST, max(0.001, self._begin + self._timeout - time.monotonic()))

    def _find_cause(self) -> str:
        try:
            causes = self._client.explain(self._job, timeout=self._request_limit()).causes
        except Error:
            return ""  # what explains needs more permissions than what fails
        return f": {causes[0].summary}" if causes else ""

    def _raise_unreported(self, rank: int | None) -> NoReturn:
        if self._lost:
            self._read_reports()
            if self._failures:
                self._raise_failures()
        why = self._find_cause()
        who = f"the job {self._name} failed" if rank is None else f"rank {rank} ended before the function returned"
        raise self._error(rank, who + why)

    def _raise_failures(self) -> NoReturn:
        # The first failure is the cause: other ranks fail because they lose a peer.
        first, *others = [error for _, error in sorted(self._failures, key=lambda failure: failure[0])]
        first.others = tuple(others)
        raise first

    def _error(self, rank: int | None, message: str) -> RankError:
        error = RankError(message)
        error.code, error.rank, error.detail = "rank_failed", rank, message
        return error

    def _look(self) -> None:
        """Checks the time limit and the local cluster, and shows the progress."""
        now = time.monotonic()
        failure = None if self._cluster is None else self._cluster._failure()
        if failure is not None:
            raise failure
        if self._timeout is not None and now > self._begin + self._timeout:
            error = Timeout(f"the job {self._name} did not end within {self._timeout:g} seconds")
            error.code = "timeout"
            raise error
        if now < self._shown + _INTERVAL:
            return
        self._shown = now
        started = sum(rank.started for rank in self._ranks)
        if not started and now > self._explained + _PATIENCE:
            self._explained = now
            self._show_cause()
        if started:
            self._cause = ""
        done = sum(rank.done for rank in self._ranks)
        seconds = int(now - self._begin)
        count, verb = (done, "have returned") if done else (started, "run")
        state = f"{count} of {len(self._ranks)} ranks {verb}"
        self._progress.show(f"{self._name}: {state}, {seconds // 60}:{seconds % 60:02}{self._cause}")

    def _show_cause(self) -> None:
        cause = self._find_cause()
        if cause and cause != self._cause and self._output is True:
            self._progress.hide()
            print(f"kftrain: no rank of {self._name} runs yet{cause}", file=sys.stderr, flush=True)
        self._cause = cause
