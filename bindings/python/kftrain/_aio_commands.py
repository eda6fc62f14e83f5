"""Commands and ports of pods. `scripts/async_client.py` makes this file from _commands.py: edit that one."""

from __future__ import annotations

import asyncio
import codecs
import os
import tempfile
import threading
from collections.abc import Sequence
from typing import Any, Callable

from . import _archive
from ._bridge import wait as wait_for_call
from ._checked import checked
from ._convert import check_texts
from ._errors import Error, Incomplete, InvalidArgument, NotFound
from ._objects import to_object
from ._shared import CommandOutput, CommandResult, JobReference, Reference
from ._aio_streams import BatchStream, Deadline, AsyncJobChanges, check_deadline, deadline_of, seconds_left, timed_out

DEFAULT_CONTAINER = "kubectl.kubernetes.io/default-container"


class PodPlace:
    """A container of a pod, or of the pod of a replica of a job."""

    def __init__(self, client: Any, core: Any, namespace: str, pod: str, container: str) -> None:
        self.client = client
        self.core = core  # of the type `pods`
        self.place = namespace, pod, container
        self.job: Reference | None = None
        self.rank: int | None = None
        self.role = ""
        self.index = 0

    @staticmethod
    async def _wait(call: Any) -> Any:
        return await wait_for_call(call)

    async def _resolve(self, deadline: Deadline | None) -> tuple[str, str, str]:
        """Namespace, pod and container; an empty container is the only one of its pod."""
        namespace, pod, container = self.place
        if self.job is not None:
            job = await self.client.get(self.job, namespace=namespace, timeout=seconds_left(deadline))
            states: AsyncJobChanges = self.client.watch(job)
            try:
                state = await states.next(seconds_left(deadline) or 65.0)
            finally:
                states.close()
            namespace, pod = state.namespace, self._pod_of(state.ranks)
            if not container:
                found = to_object(await self._wait(self.core.get(namespace, pod, timeout=seconds_left(deadline))))
                container = (found.metadata.annotations or {}).get(DEFAULT_CONTAINER, found.spec.containers[0].name)
        return namespace, pod, container

    def _pod_of(self, ranks: Any) -> str:
        chooses = self.rank is not None or self.role != ""
        for rank in ranks:
            is_member = (rank.role, rank.index) == (self.role, self.index)
            if is_member if self.role else rank.rank == (self.rank or 0):
                break
        else:
            if chooses or not ranks:
                text = f"{self.role} {self.index}" if self.role else f"with rank {self.rank or 0}"
                error: Error = InvalidArgument(f"the job has no replica {text}")
                error.code = "invalid_argument"
                raise error
            rank = ranks[0]  # of a kind without ranks
        if not rank.pod:
            error = NotFound(f"the pod of {rank.role} {rank.index} does not exist")
            error.code = "NotFound"
            raise error
        return str(rank.pod)


@checked
class AsyncCommand(BatchStream[CommandOutput]):
    """A command that runs in a container, from `AsyncApi.open_exec`, or its program, from `AsyncApi.attach`.

    An iterator over its output; each step waits until output is there, and the iterator ends with the command.
    ``async with`` starts it and at the end closes the connection: the server then ends a command of `open_exec`,
    but not an attached program. Otherwise the first use starts it.

    At most 4 MiB of output are read ahead; then the command waits for the reader. One task at a time may read; a
    second one raises an `Error` with the code ``already_running``. Any number may write: writes are sent in the order
    of their calls. If the connection is lost, reads and writes raise an `Error` with the code ``connection_lost``,
    after up to 40 seconds of silence.
    """

    def __init__(self, place: PodPlace, command: Sequence[str] | None, timeout: float | None, **options: Any) -> None:
        super().__init__(place.client, None)
        self._place = place
        self._command = None if command is None else check_texts(command, "command")
        self._limit = timeout
        self._options = options
        self._decoders = [codecs.getincrementaldecoder("utf-8")("replace") for _ in range(2)]
        self._was_closed = False
        self._starting: Any = None  # so that only one call starts the command
        self.exit_code: int | None = None
        """None until the output has ended; 128 + N after signal N. Of an attached program always 0."""

    async def __aenter__(self) -> AsyncCommand:
        await self._start(None)
        return self

    async def _start(self, deadline: Deadline | None) -> Any:
        turn = await self._lock(deadline)
        try:
            if self._was_closed:
                raise ValueError("the command is closed")
            if self._opened:
                return self._stream
            limit = deadline if self._limit is None else deadline_of(self._limit)
            namespace, pod, container = await self._place._resolve(limit)
            options = {**self._options, "container": container}
            stream = self._place.core.command(namespace, pod, self._command, **options)
            await self._open_stream(stream, limit)
            if self._was_closed:  # by another task
                raise ValueError("the command is closed")
            self._stream, self._opened = stream, True
            return stream
        finally:
            turn.set_result(None)

    async def _lock(self, deadline: Deadline | None) -> Any:
        """Waits until no other call starts the command."""
        left = seconds_left(deadline)
        before, turn = self._starting, asyncio.get_running_loop().create_future()
        self._starting = turn  # so that the calls take turns in their order
        if before is not None and not before.done():
            try:
                await asyncio.wait([before], timeout=left)
                if not before.done():
                    raise timed_out(deadline, "the command has not started")
            except BaseException:
                before.add_done_callback(lambda _: turn.set_result(None))
                raise
        return turn

    def _expect(self, option: str, argument: str, name: str) -> None:
        if not self._options.get(option):
            error = InvalidArgument(f"{name}: expected a command with {argument}=True")
            error.code = "invalid_argument"
            raise error

    async def _fetch(self, deadline: Deadline | None) -> None:
        await self._start(deadline)
        await super()._fetch(deadline)

    async def write(self, data: bytes | str, *, timeout: float | None = None) -> None:
        """Sends to the standard input of the command, after earlier writes; returns when it was handed over.

        A write that is cancelled or times out before it begins sends nothing. Later it closes the connection, since a
        part may have arrived: further reads and writes raise `Cancelled`.
        """
        self._expect("input", "stdin", "data")
        deadline = deadline_of(timeout)
        stream = await self._start(deadline)
        await self._wait(stream.write(_bytes_of(data), timeout=seconds_left(deadline)))

    async def close_input(self, *, timeout: float | None = None) -> None:
        """Ends the standard input of the command, after earlier writes. Servers before Kubernetes 1.30 cannot: their
        code is ``not_supported``."""
        self._expect("input", "stdin", "close_input")
        deadline = deadline_of(timeout)
        stream = await self._start(deadline)
        await self._wait(stream.close_input(timeout=seconds_left(deadline)))

    async def resize(self, columns: int, rows: int, *, timeout: float | None = None) -> None:
        """Sets the size of the terminal of a command with ``tty``."""
        for name, number in (("columns", columns), ("rows", rows)):
            if not 0 < number < 65536:
                raise ValueError(f"{name}: expected 1 to 65535, got {number}")
        self._expect("tty", "tty", "resize")
        deadline = deadline_of(timeout)
        stream = await self._start(deadline)
        await self._wait(stream.resize(columns, rows, timeout=seconds_left(deadline)))

    async def wait(self, *, timeout: float | None = None) -> int:
        """Waits for the end of the command; returns its exit code. Output that was not read before is discarded."""
        deadline, tried = deadline_of(timeout), False
        while self.exit_code is None:
            self._ready.clear()
            if tried:
                check_deadline(deadline)
            await self._fetch(deadline)
            tried = True
        return self.exit_code

    async def communicate(
        self, input: bytes | str | None = None, *, limit: int = 64 * 1024 * 1024, timeout: float | None = None
    ) -> CommandResult:
        """Sends the whole input, reads the rest of the output, closes the connection and returns the result.

        Args:
            input: Needs ``stdin``; it is ended, too. None sends nothing. If it cannot be sent while the command runs,
                the failure is raised.
            limit: The size of the output in bytes at most. A command that writes more raises `Incomplete`.
        """
        if input is not None:
            self._expect("input", "stdin", "input")
        try:
            return await self._communicate(input, limit, timeout)
        finally:
            self.close()

    async def _communicate(self, input: bytes | str | None, limit: int, timeout: float | None) -> CommandResult:
        deadline, tried = deadline_of(timeout), False
        output, size = (bytearray(), bytearray()), 0
        stream = await self._start(deadline)
        if input is not None:
            stream.send_all(_bytes_of(input))  # while the output is read, which a failure ends
        while True:
            while self._ready:
                is_error, part = self._ready.popleft()
                output[is_error].extend(part)
                size += len(part)
            if size > limit:
                error = Incomplete(f"the output of the command: expected at most {limit} bytes, got more")
                error.code = "incomplete"
                raise error
            if self.exit_code is not None:
                return CommandResult(self.exit_code, bytes(output[0]), bytes(output[1]))
            if tried:
                check_deadline(deadline)
            await self._fetch(deadline)
            tried = True

    @staticmethod
    async def _work(function: Callable[..., Any], *arguments: Any) -> Any:
        stop = threading.Event()
        work = asyncio.get_running_loop().run_in_executor(None, function, *arguments, stop.is_set)
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            stop.set()
            await asyncio.wait([work])  # a moment: nothing goes on after the call
            work.exception()
            raise

    async def _copy_from(self, name: str, directory: str, limit: int | None, timeout: float | None) -> str:
        """Of a command that writes an archive."""
        deadline, errors, size = deadline_of(timeout), bytearray(), 0
        if not os.path.isdir(directory):
            raise NotADirectoryError(f"directory: expected a directory of this machine, got {directory!r}")
        try:
            with tempfile.TemporaryFile() as file:
                while self.exit_code is None or self._ready:
                    while self._ready:
                        is_error, part = self._ready.popleft()
                        if is_error:
                            errors = (errors + part)[-65536:]
                        else:
                            size += len(part)
                            _archive.check_size(size, limit)
                            file.write(part)
                    if self.exit_code is None:
                        check_deadline(deadline)
                        await self._fetch(deadline)
                CommandResult(self.exit_code, b"", bytes(errors)).check()
                file.seek(0)
                left_out = await self._work(_archive.unpack, file, name, directory, limit)
        finally:
            self.close()
        if left_out:
            error = Incomplete(f"only files and directories are copied; left out: {', '.join(left_out[:10])}")
            error.code = "incomplete"
            raise error
        return os.path.join(directory, name)

    async def _copy_to(self, path: str, timeout: float | None) -> None:
        """To a command that reads an archive."""
        deadline = deadline_of(timeout)
        try:
            with tempfile.TemporaryFile() as file:
                await self._work(_archive.pack, path, file)
                try:
                    while part := file.read(1024 * 1024):
                        await self.write(part, timeout=seconds_left(deadline))
                    await self.close_input(timeout=seconds_left(deadline))
                except Error as error:
                    if error.code != "connection_lost":  # the command has ended: its output is the reason
                        raise
            result = await self._communicate(None, 1024 * 1024, seconds_left(deadline))
            result.check()
        finally:
            self.close()

    def _finish(self, last: Any) -> None:
        super()._finish(last)
        self.exit_code = last

    def _end(self) -> Exception:
        return ValueError("the command is closed") if self._was_closed else StopAsyncIteration()

    def _item(self, raw: Any) -> CommandOutput:
        is_error, data = raw
        return CommandOutput(data, self._decoders[is_error].decode(data), is_error)

    def close(self) -> None:
        """Closes the connection. Servers then end a command of `AsyncApi.open_exec`; some only close its input."""
        stream = self._stream
        super().close()
        self._was_closed = True
        if stream is not None:
            stream.close()


def _bytes_of(data: bytes | str) -> bytes:
    return data.encode() if isinstance(data, str) else bytes(data)


@checked
class AsyncPortForward:
    """A port of 127.0.0.1 that leads to a port of a pod, from `AsyncApi.port_forward`.

    ``async with`` opens it and closes it with its connections. They lead to 127.0.0.1 of the pod. At most 256 are
    open at the same time; further ones wait.
    """

    def __init__(self, place: PodPlace, port: int, local_port: int) -> None:
        for name, number, least in (("port", port, 1), ("local_port", local_port, 0)):
            if not least <= number < 65536:
                raise ValueError(f"{name}: expected {least} to 65535, got {number}")
        self._place = place
        self._ports = port, local_port
        self._core: Any = None
        self._local: int | None = None

    @staticmethod
    async def _wait(call: Any) -> Any:
        return await wait_for_call(call)

    async def start(self, *, timeout: float | None = None) -> AsyncPortForward:
        """Opens the local port. Raises an `Error` with the code ``EADDRINUSE`` if another program has it."""
        if self._core is not None:
            raise RuntimeError("the port was opened before")
        namespace, pod, _ = await self._place._resolve(deadline_of(timeout))
        core = self._core = self._place.core.forwarder(namespace, pod)
        try:
            self._local = await self._wait(core.listen(*self._ports))
        except BaseException:
            self._core = None
            raise
        return self

    async def __aenter__(self) -> AsyncPortForward:
        return await self.start()

    async def __aexit__(self, *exception: object) -> None:
        self.close()

    @property
    def local_port(self) -> int:
        """The port on 127.0.0.1."""
        if self._core is None or self._local is None:
            raise ValueError("the port is not open")
        return self._local

    @property
    def address(self) -> tuple[str, int]:
        """What `socket.create_connection` takes."""
        return "127.0.0.1", self.local_port

    async def failure(self) -> Error | None:
        """Why the last connection that failed did so; None if none failed. Programs only see that it was closed."""
        if self._core is None:
            raise ValueError("the port is not open")
        error: Error | None = await self._wait(self._core.failure())
        return error

    def close(self) -> None:
        """Closes the port and all of its connections."""
        core = self._core
        self._core = self._local = None
        if core is not None:
            core.close()
