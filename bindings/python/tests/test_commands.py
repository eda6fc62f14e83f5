"""Commands in pods, attached programs and forwarded ports."""

import asyncio
import base64
import contextlib
import gc
import hashlib
import http.server
import io
import json
import os
import pathlib
import socket
import tarfile
import threading
import time
import uuid

import pytest
from conftest import pytorch_job, run_program

import kftrain
from kftrain import _archive

SERVER = """
import contextlib, socket
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
while True:
    connection, _ = server.accept()
    with connection, contextlib.suppress(OSError):  # of a connection that is lost
        data = b""
        while piece := connection.recv(65536):
            data += piece
        connection.sendall(data[::-1])
"""


def pod(name, *command, **container):
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name},
        "spec": {"containers": [{"name": "main", "image": "none", "command": list(command), **container}]},
    }


def is_running(pod):
    return pod is not None and pod.status is not None and pod.status.phase == "Running"


@pytest.fixture(scope="module")
def pods(client):
    api = client.api("pods")
    api.create(pod("shell", "sleep", "1000"))
    api.create(pod("reader", "sh", "-c", "while read line; do echo got $line; done; sleep 1000", stdin=True))
    api.create(pod("server", "python3", "-c", SERVER))
    for name in ("shell", "reader", "server"):
        api.wait(name, is_running, timeout=60)
    return api


@pytest.fixture(scope="module")
def server_port(pods):
    with pods.logs("server", follow=True) as lines:
        return int(lines.next(timeout=60))


@pytest.fixture(scope="module")
def job(client):
    stored = client.submit(pytorch_job("commands", "sleep 1000", workers=1))
    client.wait(stored, kftrain.until.all_ranks_ready(), timeout=60)
    return stored


def processes_with(text):
    found = []
    for file in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if text.encode() in file.read_bytes():
                found.append(file.parent.name)
    return found


def wait_until(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def long_command():
    """A command that does not end, and a text by which its process is found."""
    mark = f"mark-{uuid.uuid4().hex}"
    return ["sh", "-c", f"echo begun; sleep 1000; : {mark}"], mark


def test_a_command_returns_its_output_and_exit_code(pods):
    result = pods.exec("shell", ["sh", "-c", "echo out; printf 'err \\344'; printf 'err \\344' >&2; exit 3"])
    assert result == kftrain.CommandResult(3, b"out\nerr \xe4", b"err \xe4")
    assert (result.stdout, result.stderr) == ("out\nerr \ufffd", "err \ufffd")
    with pytest.raises(kftrain.CommandFailed, match="ended with exit code 3: err") as caught:
        result.check()
    assert (caught.value.exit_code, caught.value.stderr) == (3, "err \ufffd")
    with pytest.raises(kftrain.CommandFailed):
        pods.exec("shell", ["false"], check=True)
    assert pods.exec(pods.get("shell"), ["true"], check=True).exit_code == 0
    assert pods.exec("shell", ["sh", "-c", "kill -TERM $$"]).exit_code == 128 + 15
    assert pods.exec("shell", ["cat"]).stdout == ""


def test_a_command_receives_its_whole_input(pods):
    data = bytes(range(256)) * 32768  # more than the buffers on the way hold
    result = pods.exec("shell", ["sh", "-c", "cat; echo end"], input=data)
    assert (result.exit_code, result.stdout_bytes) == (0, data + b"end\n")
    assert pods.exec("shell", ["cat"], input="ä").stdout == "ä"
    assert pods.exec("shell", ["cat"], input="").stdout == ""
    assert pods.exec("shell", ["true"], input=data).exit_code == 0  # which does not read it


def test_a_command_that_cannot_run_raises(pods, client):
    with pytest.raises(kftrain.NotFound):
        pods.exec("none", ["true"])
    with pytest.raises(kftrain.Error, match="container other is not valid for pod shell"):
        pods.exec("shell", ["true"], container="other")
    with pytest.raises(TypeError, match="command: expected a list of str, got the str 'ls'"):
        pods.exec("shell", "ls")
    with pytest.raises(TypeError, match="only pods have commands, not configmaps"):
        client.api("configmaps").exec("shell", ["true"])
    with pytest.raises(kftrain.InvalidArgument):
        pods.exec("shell", [])


def test_input_that_cannot_be_sent_is_an_error(cluster, pods, client, job):
    for c in (pods.open_exec("shell", ["cat"]), client.open_exec(job, ["cat"]), pods.attach("reader")):
        with c, pytest.raises(kftrain.InvalidArgument, match="input: expected a command with stdin=True") as caught:
            c.communicate("text")
        assert caught.value.code == "invalid_argument"
        for use, name in ((lambda: c.write("text"), "data"), (c.close_input, "close_input")):
            with pytest.raises(kftrain.InvalidArgument, match=f"^{name}: expected a command with stdin=True"):
                use()
        with pytest.raises(kftrain.InvalidArgument, match="^resize: expected a command with tty=True"):
            c.resize(80, 25)
    with pods.open_exec("shell", ["sh", "-c", "cat; sleep 1000"], stdin=True) as c:
        c.close_input()
        with pytest.raises(kftrain.InvalidArgument):
            c.communicate("late", timeout=60)

    async def main():
        async with kftrain.AsyncClient(cluster.kubeconfig, namespace="default") as own:
            async with own.api("pods").open_exec("shell", ["cat"]) as c:
                with pytest.raises(kftrain.InvalidArgument, match="input: expected a command with stdin=True"):
                    await c.communicate("text")

    asyncio.run(main())


def test_output_beyond_the_limit_ends_the_command(pods):
    mark = uuid.uuid4().hex
    with pytest.raises(kftrain.Incomplete, match="expected at most 1000 bytes, got more"):
        pods.exec("shell", ["sh", "-c", f"cat /dev/zero; : {mark}"], limit=1000)
    wait_until(lambda: not processes_with(mark))


def test_a_command_is_written_to_and_read_from(pods):
    script = "while read line; do echo $line | tr a-z A-Z; done; exit 4"
    with pods.open_exec("shell", ["sh", "-c", script], stdin=True) as c:
        c.write("one\n")
        assert c.next(timeout=60) == kftrain.CommandOutput(b"ONE\n", "ONE\n", False)
        c.write(b"two\n")
        assert next(c).text == "TWO\n"
        assert c.exit_code is None
        c.close_input()
        assert [*c] == []
        assert c.exit_code == c.wait() == 4
    for use in (lambda: c.write("more"), lambda: next(c), c.close_input):
        with pytest.raises(ValueError, match="the command is closed"):
            use()
    c.close()


def test_characters_continue_in_the_next_part(pods):
    script = "printf '\\303'; sleep 0.3; printf '\\244'"
    with pods.open_exec("shell", ["sh", "-c", script]) as c:
        parts = [*c]
    assert "".join(part.text for part in parts) == "ä" and b"".join(part.data for part in parts) == b"\xc3\xa4"


def test_a_command_has_a_terminal(pods):
    with pods.open_exec("shell", ["sh", "-c", "read line; stty size; test -t 2"], stdin=True, tty=True) as c:
        c.resize(101, 33)
        c.write("go\n")
        assert "33 101" in "".join(part.text for part in c)
        assert c.exit_code == 0
        with pytest.raises(ValueError, match="rows: expected 1 to 65535, got 0"):
            c.resize(80, 0)


def test_a_read_that_times_out_loses_nothing(pods):
    with pods.open_exec("shell", ["sh", "-c", "read line; echo $line"], stdin=True) as c:
        with pytest.raises(kftrain.Timeout):
            c.next(timeout=0.05)
        with pytest.raises(kftrain.Timeout):
            c.wait(timeout=0.05)
        c.write("late\n")
        assert next(c).text == "late\n"
        assert c.wait(timeout=60) == 0


def test_a_command_ends_with_its_time_limit(pods):
    command, mark = long_command()
    with pytest.raises(kftrain.Timeout):
        pods.exec("shell", command, timeout=0.5)
    wait_until(lambda: not processes_with(mark))


def test_a_command_that_does_not_read_its_input_ends_with_its_time_limit(pods):
    command, mark = long_command()
    with pytest.raises(kftrain.Timeout):
        pods.exec("shell", command, input=b"x" * 3_000_000, timeout=0.5)
    wait_until(lambda: not processes_with(mark))


def test_an_abandoned_command_is_ended(pods):
    command, mark = long_command()
    running = pods.open_exec("shell", command)
    assert running.next(timeout=60).text == "begun\n"
    assert processes_with(mark)
    del running
    gc.collect()
    wait_until(lambda: not processes_with(mark))


def test_a_slow_reader_slows_the_command(pods, tmp_path):
    count = tmp_path / "count"
    script = f"i=0; while [ $i -lt 100 ]; do head -c 1000000 /dev/zero; i=$((i+1)); echo $i >{count}; done"
    with pods.open_exec("shell", ["sh", "-c", script]) as c:
        next(c)
        before = ""
        while not before or before != count.read_text():
            before = count.read_text() if count.exists() else ""
            time.sleep(0.3)
        assert int(before) < 50  # megabytes
        assert c.wait(timeout=60) == 0
    assert count.read_text() == "100\n"


def test_a_closed_command_ends_its_writes(pods):
    codes = []
    with pods.open_exec("shell", ["sleep", "1000"], stdin=True) as c:

        def fill():
            codes.append(_code_of(lambda: c.write(b"x" * 64_000_000)))  # which the command does not read

        writers = [threading.Thread(target=fill) for _ in range(2)]
        for writer in writers:
            writer.start()
        wait_until(lambda: _code_of(lambda: c.write("more", timeout=0.05)) == "timeout")
        assert codes == []
    for writer in writers:
        writer.join(60)
    assert codes == ["ECANCELED"] * 2


def _code_of(call):
    try:
        call()
    except kftrain.Error as error:
        return error.code
    return ""


def test_several_threads_start_a_command_once(pods):
    with contextlib.closing(pods.open_exec("shell", ["cat"], stdin=True)) as c:
        writers = [threading.Thread(target=c.write, args=["x"]) for _ in range(8)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join(60)
        c.close_input()
        assert "".join(part.text for part in c) == "x" * 8


@contextlib.contextmanager
def server_that_is_silent():
    """A server that never answers: its port, an event that a request has arrived, and one that ends the connection."""
    begun, end = threading.Event(), threading.Event()

    def serve(listener):
        connection, _ = listener.accept()
        with connection:
            connection.recv(65536)
            begun.set()
            end.wait(60)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = threading.Thread(target=serve, args=[listener])
        server.start()
        try:
            yield listener.getsockname()[1], begun, end
        finally:
            end.set()
            server.join(60)


NOT_STARTED = "the command has not started within the timeout of 0.05 s"


def test_a_write_has_its_time_limit_while_another_thread_starts_the_command(tmp_path):
    with server_that_is_silent() as (port, begun, end), client_of(port, tmp_path, namespace="default") as client:
        c = client.api("pods").open_exec("a", ["cat"], stdin=True)
        codes = []
        first = threading.Thread(target=lambda: codes.append(_code_of(lambda: c.write("x", timeout=20))))
        first.start()
        assert begun.wait(60)
        for call in (c.write, lambda _, timeout: c.next(timeout=timeout)):
            with pytest.raises(kftrain.Timeout, match=NOT_STARTED):
                call("late", timeout=0.05)
        assert codes == []
        end.set()
        first.join(60)
        assert codes == ["connection_lost"]


def test_a_write_has_its_time_limit_while_another_task_starts_the_command(tmp_path):
    async def work(port, begun):
        client_of(port, tmp_path).close()  # writes the kubeconfig
        async with kftrain.AsyncClient(tmp_path / "config", namespace="default") as client:
            c = client.api("pods").open_exec("a", ["cat"], stdin=True)
            first = asyncio.ensure_future(c.write("x", timeout=20))
            while not begun.is_set():
                await asyncio.sleep(0.01)
            for call in (lambda: c.write("late", timeout=0.05), lambda: c.next(timeout=0.05)):
                with pytest.raises(kftrain.Timeout, match=NOT_STARTED):
                    await call()
            assert not first.done()
            first.cancel()
            with pytest.raises(asyncio.CancelledError):
                await first

    with server_that_is_silent() as (port, begun, _):
        asyncio.run(work(port, begun))


def in_pods(cluster, work):
    """Runs a coroutine function with the asynchronous API of pods."""

    async def main():
        async with kftrain.AsyncClient(cluster.kubeconfig, namespace="default") as client:
            return await work(client.api("pods"))

    return asyncio.run(main())


def test_writes_are_sent_in_the_order_of_their_calls(cluster, pods):
    async def work(own):
        c = own.open_exec("shell", ["cat"], stdin=True)  # which the first write starts
        writes = [asyncio.ensure_future(c.write(bytes([letter]) * 300_000)) for letter in b"abcdefgh"]
        writes.append(asyncio.ensure_future(c.close_input()))
        data = b"".join([part.data async for part in c])
        await asyncio.gather(*writes)
        return data

    assert in_pods(cluster, work) == b"".join(bytes([letter]) * 300_000 for letter in b"abcdefgh")


def test_a_write_that_is_cancelled_before_it_begins_sends_nothing(cluster, pods, tmp_path):
    go = tmp_path / "go"

    async def work(own):
        script = f"until test -e {go}; do sleep 0.02; done; wc -c"
        async with own.open_exec("shell", ["sh", "-c", script], stdin=True) as c:
            first = asyncio.ensure_future(c.write(b"x" * 64_000_000))  # which the command does not read yet
            second = asyncio.ensure_future(c.write("cancelled"))
            await asyncio.sleep(0)
            with pytest.raises(kftrain.Timeout, match="input of a command: not begun after [0-9]+ ms"):
                await c.write("late", timeout=0.05)
            second.cancel()
            with pytest.raises(asyncio.CancelledError):
                await second
            assert not first.done()
            go.touch()
            await first
            await c.write("more")
            await c.close_input()
            with pytest.raises(kftrain.InvalidArgument, match="the standard input of the command is closed"):
                await c.write("more")
            return (await c.next()).text.strip(), await c.wait()

    assert in_pods(cluster, work) == (str(64_000_000 + 4), 0)


def test_a_write_that_is_cancelled_after_it_began_closes_the_command(cluster, pods):
    closed = "a write was cancelled or timed out, and a part of it may have been sent"

    async def work(own):
        for limit in (None, 0.2):
            async with own.open_exec("shell", ["sh", "-c", "echo begun; sleep 1000"], stdin=True) as c:
                assert (await c.next()).text == "begun\n"
                reads = asyncio.ensure_future(c.next())
                begun = asyncio.ensure_future(c.write(b"x" * 64_000_000, timeout=limit))
                waiting = asyncio.ensure_future(c.write("more"))
                if limit is None:
                    await asyncio.wait([waiting], timeout=0.2)
                    begun.cancel()
                with pytest.raises((asyncio.CancelledError, kftrain.Timeout)):
                    await begun
                for later in (waiting, reads, c.write("more"), c.next(), c.close_input()):
                    with pytest.raises(kftrain.Cancelled, match=closed):
                        await later

    in_pods(cluster, work)


def test_one_read_at_a_time(cluster, pods):
    async def work(own):
        async with own.open_exec("shell", ["cat"], stdin=True) as c:
            reads = asyncio.ensure_future(c.next())
            await asyncio.sleep(0)
            with pytest.raises(kftrain.Error, match="expected one reader at a time, got a second one") as caught:
                await c.next()
            await c.write("x")
            return (await reads).text, caught.value.code

    assert in_pods(cluster, work) == ("x", "already_running")


def test_ctrl_c_ends_a_command(cluster, pods, tmp_path):
    command, mark = long_command()
    program = tmp_path / "program.py"
    program.write_text(
        "import os, signal, threading, kftrain\n"
        f"with kftrain.Client({cluster.kubeconfig!r}, namespace='default') as client:\n"
        "    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "    try:\n"
        f"        client.api('pods').exec('shell', {command!r})\n"
        "    except KeyboardInterrupt:\n"
        "        print('interrupted')\n"
    )
    done = run_program(str(program))
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted\n", "")
    wait_until(lambda: not processes_with(mark))


PROGRAM = """
import asyncio, os, sys, threading
import kftrain

threading.excepthook = lambda about: None  # of threads whose calls end with the program
client = kftrain.Client(sys.argv[1], namespace="default")
pods = client.api("pods")
command = pods.open_exec("shell", ["cat"], stdin=True)
command.write("x")
forward = pods.port_forward("shell", 7999).start()
child = os.fork()
if child == 0:
    for use in (command.next, lambda: command.write("y"), forward.failure):
        try:
            use()
        except RuntimeError as error:
            assert "after a fork" in str(error)
    command.close()
    forward.close()
    sys.exit(3)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
assert command.next().text == "x"

own = kftrain.AsyncClient(sys.argv[1], namespace="default")


async def main():
    blocked = own.api("pods").open_exec("shell", ["sleep", "1000"], stdin=True)
    writes = [asyncio.ensure_future(blocked.write(bytes(64_000_000))) for _ in range(2)]
    await asyncio.wait([*writes, asyncio.ensure_future(blocked.next())], timeout=0.2)
    return blocked


blocked = asyncio.run(main())  # which closes the loop
for call in (command.next, lambda: pods.open_exec("shell", ["sleep", "1000"], stdin=True).write(bytes(64_000_000))):
    threading.Thread(target=call, daemon=True).start()
print("end")
"""


def test_a_program_ends_with_open_commands_and_ports(cluster, pods):
    done = run_program("-c", PROGRAM, cluster.kubeconfig, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


def test_a_program_is_attached_to(pods):
    with pods.attach("reader", stdin=True) as program:
        program.write("one\ntwo\n")
        text = ""
        while "got two\n" not in text:
            text += program.next(timeout=60).text
    with pods.attach("reader") as program, pytest.raises(kftrain.InvalidArgument):
        program.write("no input")


def test_a_port_leads_to_a_pod(pods, server_port):
    with pods.port_forward("server", server_port) as forward:
        for data in (b"abc", bytes(range(256)) * 8192):
            with socket.create_connection(forward.address, timeout=60) as connection:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
                with connection.makefile("rb") as file:
                    assert file.read() == data[::-1]
        assert forward.failure() is None
        with pytest.raises(kftrain.Error) as caught:
            pods.port_forward("server", server_port, local_port=forward.local_port).start()
        assert caught.value.code == "EADDRINUSE"
        address = forward.address
        waiting = socket.create_connection(address, timeout=60)
    with waiting, contextlib.suppress(ConnectionResetError):  # if it was not accepted yet
        assert waiting.recv(1) == b""
    with pytest.raises(ValueError, match="the port is not open"):
        forward.local_port
    with pytest.raises(ConnectionRefusedError):
        wait_until(lambda: socket.create_connection(address, timeout=60).close())


def test_a_failed_connection_is_explained(pods):
    with pods.port_forward("shell", 7999) as forward:
        with socket.create_connection(forward.address, timeout=60) as connection:
            assert connection.recv(1) == b""
        wait_until(lambda: forward.failure() is not None)
        assert isinstance(forward.failure(), kftrain.Unreachable)
    for port, local in ((0, 0), (65536, 0), (80, -1)):
        with pytest.raises(ValueError, match="expected [01] to 65535"):
            pods.port_forward("shell", port, local_port=local)
    with pytest.raises(ValueError, match="the port is not open"):
        pods.port_forward("shell", 80).address


def test_a_replica_of_a_job_is_chosen(client, job):
    command = ["sh", "-c", "echo $RANK"]
    assert client.exec(job, command).stdout == "0\n"
    assert client.exec(job, command, rank=1).stdout == "1\n"
    assert client.exec("pytorchjob.v1/commands", command, role="Worker", index=0, container="pytorch").stdout == "1\n"
    with client.open_exec(job, ["cat"], stdin=True, rank=1) as c:
        assert c.communicate("text").stdout == "text"
    with client.attach(job) as program, pytest.raises(kftrain.Timeout):
        program.next(timeout=0.05)
    with pytest.raises(kftrain.InvalidArgument, match="the job has no replica with rank 5"):
        client.exec(job, command, rank=5)
    with pytest.raises(kftrain.InvalidArgument, match="the job has no replica Chief 0"):
        client.exec(job, command, role="Chief")
    with pytest.raises(kftrain.NotFound):
        client.exec("pytorchjob.v1/none", command)
    with pytest.raises(ValueError, match="expected rank or role, got both"):
        client.exec(job, command, rank=0, role="Worker")
    with pytest.raises(ValueError, match="index: expected role, too"):
        client.exec(job, command, index=1)
    with client.port_forward(job, 7999, rank=1) as forward, socket.create_connection(forward.address) as connection:
        assert connection.recv(1) == b""


def test_commands_are_awaited(cluster, pods, job, server_port):
    command, mark = long_command()

    async def main():
        async with kftrain.AsyncClient(cluster.kubeconfig, namespace="default") as client:
            own = client.api("pods")
            results = await asyncio.gather(*(own.exec("shell", ["cat"], input=str(i)) for i in range(5)))
            assert [result.stdout for result in results] == ["0", "1", "2", "3", "4"]
            assert (await client.exec(job, ["sh", "-c", "echo $RANK"], rank=1, check=True)).stdout == "1\n"
            async with own.open_exec("shell", ["sh", "-c", "read line; echo $line; exit 2"], stdin=True) as c:
                with pytest.raises(asyncio.TimeoutError):
                    await asyncio.wait_for(c.next(), 0.05)
                await c.write("late\n")
                assert [part.text async for part in c] == ["late\n"]
                assert c.exit_code == 2
            with pytest.raises(ValueError, match="the command is closed"):
                await c.write("more")
            task = asyncio.ensure_future(own.exec("shell", command))
            while not processes_with(mark):
                await asyncio.sleep(0.02)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            async with own.port_forward("server", server_port) as forward:
                reader, writer = await asyncio.open_connection(*forward.address)
                writer.write(b"abc")
                writer.write_eof()
                assert await reader.read() == b"cba"
                writer.close()
                assert await forward.failure() is None

    asyncio.run(main())
    wait_until(lambda: not processes_with(mark))


def test_a_closed_client_ends_commands(cluster, pods):
    client = cluster.client()
    command, mark = long_command()
    running = client.api("pods").open_exec("shell", command)
    assert running.next(timeout=60).text == "begun\n"
    forward = client.api("pods").port_forward("shell", 80).start()
    client.close()
    with pytest.raises((kftrain.Cancelled, RuntimeError)):
        next(running)
    with pytest.raises(RuntimeError, match="the client is closed"):
        forward.failure()
    running.close()
    forward.close()
    wait_until(lambda: not processes_with(mark))


class Proxy:
    """Leads connections to a server, until it cuts them. Each passes on at most one MB in each direction."""

    def __init__(self, server):
        self._server = server
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._sockets = []
        self.full = 0  # connections that have more to pass on
        self._thread = threading.Thread(target=self._accept)
        self._thread.start()

    def _accept(self):
        with contextlib.suppress(OSError):  # until it is closed
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._server))
                self._sockets += [near, far]
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=ends, daemon=True).start()

    def _pass_on(self, source, target):
        with contextlib.suppress(OSError):  # until it is cut
            for _ in range(32):
                data = source.recv(32768)
                target.sendall(data)
                if not data:
                    return target.shutdown(socket.SHUT_WR)
            self.full += 1

    def cut(self):
        for connection in self._sockets:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self._sockets = []

    def close(self):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()
        self._thread.join()


def test_a_lost_connection_ends_calls_with_one_error(cluster, pods, server_port, tmp_path):
    target, config, file = tmp_path / "target", tmp_path / "config", tmp_path / "file"
    target.mkdir()
    file.write_bytes(os.urandom(8_000_000))
    text = pathlib.Path(cluster.kubeconfig).read_text()
    port = text.partition("127.0.0.1:")[2].split()[0].strip('"')
    begun, failures = [], {}
    with contextlib.ExitStack() as stack:
        proxy = stack.enter_context(contextlib.closing(Proxy(int(port))))
        config.write_text(text.replace(f"127.0.0.1:{port}", f"127.0.0.1:{proxy.port}"))
        own = stack.enter_context(kftrain.Client(config, namespace="default")).api("pods")
        forward = stack.enter_context(own.port_forward("server", server_port))
        command = ["sh", "-c", "echo begun; sleep 1000"]

        def read(c):
            with c:
                while True:
                    begun.append(c.next().text)

        def write():
            with own.open_exec("shell", command, stdin=True) as c:
                c.write(bytes(64_000_000))

        def use_port():
            with socket.create_connection(forward.address, timeout=60) as connection:
                connection.sendall(bytes(2_000_000))
                while connection.recv(65536):
                    pass
            wait_until(forward.failure)
            raise forward.failure()

        async def read_and_write():
            async with kftrain.AsyncClient(config, namespace="default") as client:
                async with client.api("pods").open_exec("shell", command, stdin=True) as c:
                    begun.append((await c.next()).text)
                    ended = asyncio.gather(c.next(), c.write(bytes(64_000_000)), c.write("x"), return_exceptions=True)
                    assert len({error.code for error in await ended}) == 1
                    raise (await ended)[0]

        calls = {
            "read": lambda: read(own.open_exec("shell", command)),
            "attach": lambda: read(own.attach("ticker")),
            "write": write,
            "exec": lambda: own.exec("shell", command, input=bytes(64_000_000)),
            "copy_to": lambda: own.copy_to("shell", file, str(target)),
            "copy_from": lambda: own.copy_from("shell", str(file), target),
            "port_forward": use_port,
            "asyncio": lambda: asyncio.run(read_and_write()),
        }

        def run(name):
            try:
                calls[name]()
            except kftrain.Error as error:
                failures[name] = error.code

        pods.create(pod("ticker", "sh", "-c", "while echo tick; do sleep 0.05; done"))
        pods.wait("ticker", is_running, timeout=60)
        threads = [threading.Thread(target=run, args=[name]) for name in calls]
        for thread in threads:
            thread.start()
        wait_until(lambda: proxy.full >= 6 and begun.count("begun\n") == 2 and "tick\n" in begun)
        assert failures == {}
        proxy.cut()
        for thread in threads:
            thread.join(60)
        assert failures == dict.fromkeys(calls, "connection_lost")
        assert str(forward.failure()) == f"port {server_port} of the pod: connection lost"
        assert own.exec("shell", ["cat"], input="x").stdout == "x"
        with socket.create_connection(forward.address, timeout=60) as connection:
            connection.sendall(b"abc")
            connection.shutdown(socket.SHUT_WR)
            assert connection.recv(3) == b"cba"
    pods.delete("ticker", grace_period=0)


def client_of(port, folder, **options):
    """A client of a server on this machine."""
    cluster = {"name": "c", "cluster": {"server": f"http://127.0.0.1:{port}"}}
    context = {"name": "c", "context": {"cluster": "c", "user": "u"}}
    config = {"apiVersion": "v1", "kind": "Config", "current-context": "c", "users": [{"name": "u"}]}
    (folder / "config").write_text(json.dumps({**config, "clusters": [cluster], "contexts": [context]}))
    return kftrain.Client(folder / "config", **options)


def test_an_input_that_cannot_end_is_an_error(tmp_path):
    """Servers before Kubernetes 1.30 speak version 4 of the protocol: the command would wait for its input without
    end."""

    def serve(listener):
        connection, _ = listener.accept()
        with connection, connection.makefile("rb") as lines:
            head = b"".join(iter(lines.readline, b"\r\n")).decode()
            # RFC 6455, section 1.3
            key = head.partition("Sec-WebSocket-Key: ")[2].split()[0] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
            accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
            connection.sendall(
                b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + f"Sec-WebSocket-Accept: {accept}\r\n".encode()
                + b"Sec-WebSocket-Protocol: v4.channel.k8s.io\r\n\r\n"
            )
            while lines.read1(4096):
                pass

    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = threading.Thread(target=serve, args=[listener])
        server.start()
        with client_of(listener.getsockname()[1], tmp_path, namespace="default") as client:
            with pytest.raises(kftrain.Error, match="the server cannot end the input of a command") as caught:
                client.api("pods").exec("a", ["cat"], input="x", timeout=60)
        assert caught.value.code == "not_supported"
        server.join(60)  # the connection is closed, although `caught` refers to the command
        assert not server.is_alive()


def test_a_pod_is_evicted(tmp_path):
    requests = []

    class Handler(http.server.BaseHTTPRequestHandler):
        """A server whose disruption budget forbids the eviction."""

        protocol_version = "HTTP/1.1"

        def do_POST(self):
            requests.append((self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
            causes = [{"reason": "DisruptionBudget", "message": "needs 1 healthy pods"}]
            status = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "TooManyRequests"}
            status.update(code=429, details={"causes": causes})
            body = json.dumps(status).encode()
            self.send_response(429)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *about):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with client_of(server.server_port, tmp_path, namespace="team") as client:
            with pytest.raises(kftrain.TooManyRequests) as caught:
                client.api("pods").evict("web", grace_period=5)
            assert caught.value.causes[0].reason == "DisruptionBudget"
        server.shutdown()
    [(path, body)] = requests
    assert path == "/api/v1/namespaces/team/pods/web/eviction"
    assert (body["kind"], body["metadata"]["name"]) == ("Eviction", "web")
    assert body["deleteOptions"]["gracePeriodSeconds"] == 5


@pytest.fixture
def tree(tmp_path):
    """A directory with files, for copies."""
    top = tmp_path / "data"
    (top / "deep").mkdir(parents=True)
    (top / "deep" / "big").write_bytes(bytes(range(256)) * 16384)
    (top / "run").write_text("#!/bin/sh\n")
    (top / "run").chmod(0o750)
    (top / "ä b").write_text("")
    return top


def files_of(top):
    return {str(p.relative_to(top)): p.read_bytes() for p in top.rglob("*") if p.is_file()}


def test_files_are_copied_to_a_pod_and_back(cluster, pods, client, job, tree, tmp_path):
    there, here = tmp_path / "there", tmp_path / "here"
    for folder in (there, here):
        folder.mkdir()
    pods.copy_to("shell", tree, str(there))
    assert files_of(there / "data") == files_of(tree)
    assert pods.copy_from("shell", f"{there}/data/", here) == str(here / "data")
    assert files_of(here / "data") == files_of(tree)
    assert (here / "data" / "run").stat().st_mode & 0o777 == 0o750
    (here / "data" / "run").write_text("old")
    assert client.copy_from(job, f"{there}/data/run", str(here / "data"), rank=1) == str(here / "data" / "run")
    assert files_of(here / "data") == files_of(tree)  # replaced
    client.copy_to(job, tree / "run", str(there), role="Worker")
    assert (there / "run").read_text() == "#!/bin/sh\n"

    async def main():
        async with kftrain.AsyncClient(cluster.kubeconfig, namespace="default") as own:
            await own.copy_to(job, tree / "deep", str(there))
            return await own.api("pods").copy_from("shell", f"{there}/deep", here)

    assert asyncio.run(main()) == str(here / "deep")
    assert files_of(here / "deep") == files_of(tree / "deep")
    assert not [p for p in here.iterdir() if p.name.startswith(".kftrain")]


def test_a_cancelled_copy_leaves_nothing_behind(cluster, pods, tmp_path, monkeypatch):
    """Archives are packed and unpacked by other threads, which end with the call."""
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(b"x" * 1_000_000)
    target.mkdir()
    running, go_on = threading.Event(), threading.Event()
    before = len(os.listdir("/proc/self/fd"))

    def held(function):
        def work(*arguments):
            running.set()
            go_on.wait(60)
            return function(*arguments)

        return work

    for name in ("pack", "unpack"):
        monkeypatch.setattr(_archive, name, held(getattr(_archive, name)))

    async def work(own):
        for copy in (own.copy_to("shell", source, str(target)), own.copy_from("shell", str(source), target)):
            running.clear()
            go_on.clear()
            copying = asyncio.ensure_future(copy)
            while not running.is_set():
                await asyncio.sleep(0.01)
            copying.cancel()
            await asyncio.sleep(0)
            assert not copying.done()  # the thread still works
            go_on.set()
            with pytest.raises(asyncio.CancelledError):
                await copying
            assert [*target.iterdir()] == []

    in_pods(cluster, work)
    gc.collect()
    wait_until(lambda: len(os.listdir("/proc/self/fd")) <= before)


def test_a_copy_that_fails_has_the_message_of_tar(pods, tree, tmp_path):
    with pytest.raises(kftrain.CommandFailed, match="No such file or directory"):
        pods.copy_from("shell", "/no/such/file", tmp_path)
    with pytest.raises(kftrain.CommandFailed, match="No such file or directory"):
        pods.copy_to("shell", tree, "/no/such/directory")
    with pytest.raises(NotADirectoryError, match="directory: expected a directory of this machine"):
        pods.copy_from("shell", "/etc/hostname", tmp_path / "none")
    with pytest.raises(FileNotFoundError):
        pods.copy_to("shell", tmp_path / "none", "/tmp")
    os.mkfifo(tmp_path / "fifo")
    for sent, path, got in ((tmp_path, tmp_path / "fifo", "FIFO"), ("/dev/zero", "/dev/zero", "device")):
        with pytest.raises(ValueError, match=f"^{path}: expected a file, directory or link, got a {got}$"):
            pods.copy_to("shell", sent, "/tmp")


def test_a_socket_of_a_container_is_reported_as_left_out(pods, tmp_path):
    (tmp_path / "target").mkdir()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "door"))
        with pytest.raises(kftrain.Incomplete, match="left out: door$"):
            pods.copy_from("shell", str(tmp_path / "door"), tmp_path / "target")
    assert [*(tmp_path / "target").iterdir()] == []


def test_entries_that_vanish_while_they_are_sent_are_left_out(tmp_path, monkeypatch):
    for name in ("gone", "there"):
        (tmp_path / name).write_text(name)
    gettarinfo = tarfile.TarFile.gettarinfo

    def vanish_first(self, name, *rest, **options):
        if name.endswith("/gone"):
            os.remove(name)
        return gettarinfo(self, name, *rest, **options)

    monkeypatch.setattr(tarfile.TarFile, "gettarinfo", vanish_first)
    with io.BytesIO() as file:
        _archive.pack(str(tmp_path), file)
        with tarfile.open(fileobj=file) as archive:
            assert archive.getnames() == [tmp_path.name, f"{tmp_path.name}/there"]


def test_an_archive_of_a_container_writes_nowhere_else(pods, tmp_path):
    target, other = tmp_path / "target", tmp_path / "other"
    target.mkdir()
    other.mkdir()
    (target / "data").mkdir()
    (target / "data" / "link").symlink_to(other)
    source = tmp_path / "source" / "data"
    (source / "link").mkdir(parents=True)
    (source / "link" / "file").write_text("x")
    (source / "good").write_text("good")
    (source / "away").symlink_to("/etc")
    with pytest.raises(kftrain.Incomplete, match="left out: data/away") as caught:
        pods.copy_from("shell", str(source), target)
    assert f"{target / 'data' / 'link'} (a link is in the place of a directory)" in str(caught.value)
    assert (target / "data" / "good").read_text() == "good" and [*other.iterdir()] == []

    archive = tmp_path / "evil.tar"
    with tarfile.open(archive, "w") as evil:
        for name in ("../outside", "/tmp/outside", "data/../../outside", "other"):
            evil.addfile(tarfile.TarInfo(name))
        evil.addfile(tarfile.TarInfo("data/fine"))
    with archive.open("rb") as file:
        left_out = _archive.unpack(file, "data", str(target))
    assert left_out == ["../outside", "/tmp/outside", "data/../../outside", "other"]
    assert (target / "data" / "fine").exists() and not (tmp_path / "outside").exists()
    with (source / "good").open("rb") as file, pytest.raises(kftrain.Error, match="expected an archive of tar"):
        _archive.unpack(file, "data", str(target))


def unpacked(target, *members, limit=None):
    """Unpacks an archive of pairs of a name and its content, a `TarInfo` without content, or None for a directory."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name, content in members:
            info = content if isinstance(content, tarfile.TarInfo) else tarfile.TarInfo(name)
            info.name = name
            if content is None:
                info.type = tarfile.DIRTYPE
            data = content if isinstance(content, bytes) else b""
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    file.seek(0)
    return _archive.unpack(file, "data", str(target), limit)


def hard_link(to):
    info = tarfile.TarInfo()
    info.type, info.linkname = tarfile.LNKTYPE, to
    return info


@pytest.mark.parametrize(
    "members",
    [
        [("data/a", b"x"), ("data/a/b", b"y")],
        [("data/a", b"x"), ("data/a/b/c", b"y")],
        [("data/a", b"x"), ("data/a", None)],
        [("data/a", None), ("data/a", b"x")],
        [("data/a", b"x"), ("data/b", None), ("data/b", hard_link("data/a"))],
    ],
)
def test_an_archive_whose_file_is_also_a_directory_is_an_error(tmp_path, members):
    with pytest.raises(kftrain.Error, match="expected an archive of tar, got something else: data/[ab]") as caught:
        unpacked(tmp_path, *members)
    assert caught.value.code == "protocol" and [*tmp_path.iterdir()] == []


def test_hard_links_of_an_archive_become_files(tmp_path):
    one = tarfile.TarInfo()
    one.type, one.linkname = tarfile.SYMTYPE, "/etc/hostname"
    left_out = unpacked(
        tmp_path,
        ("data/a", b"old"),
        ("data/a", b"text"),  # as after `tar --append`
        ("data/b", hard_link("data/a")),
        ("data/c", hard_link("./data/b")),
        ("data/link", one),
        ("data/to link", hard_link("data/link")),
        ("data/none", hard_link("data/later")),
        ("data/later", b""),
        ("data/self", hard_link("data/self")),
        ("data/outside", hard_link("../../etc/hostname")),
        ("data/absolute", hard_link("/etc/hostname")),
    )
    assert left_out == [f"data/{name}" for name in ("link", "to link", "none", "self", "outside", "absolute")]
    assert files_of(tmp_path / "data") == {"a": b"text", "b": b"text", "c": b"text", "later": b""}
    assert len({(tmp_path / "data" / name).stat().st_ino for name in "abc"}) == 3


def test_the_files_of_an_archive_are_limited(tmp_path):
    members = [("data/a", b"x" * 1000), ("data/b", hard_link("data/a"))]
    with pytest.raises(kftrain.Incomplete, match="expected at most 1999 bytes, got more"):
        unpacked(tmp_path, *members, limit=1999)
    assert [*tmp_path.iterdir()] == []
    assert unpacked(tmp_path, *members, limit=2000) == []
    assert len(files_of(tmp_path / "data")) == 2


def test_a_copy_has_hard_links_and_a_limit(cluster, pods, client, job, tree, tmp_path):
    os.link(tree / "run", tree / "linked")
    here = tmp_path / "here"
    here.mkdir()
    assert pods.copy_from("shell", str(tree), here, limit=1 << 24) == str(here / "data")
    assert files_of(here / "data") == files_of(tree) and "linked" in files_of(tree)
    too_large = "expected at most 100000 bytes, got more"
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(kftrain.Incomplete, match=too_large) as caught:
        pods.copy_from("shell", str(tree), empty, limit=100_000)
    assert caught.value.code == "incomplete"
    with pytest.raises(kftrain.Incomplete, match=too_large):
        client.copy_from(job, str(tree), empty, limit=100_000)

    async def main():
        async with kftrain.AsyncClient(cluster.kubeconfig, namespace="default") as own:
            with pytest.raises(kftrain.Incomplete, match=too_large):
                await own.copy_from(job, str(tree), empty, limit=100_000)

    asyncio.run(main())
    assert [*empty.iterdir()] == []
