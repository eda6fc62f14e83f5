"""Commands in pods, attached programs and forwarded ports."""

import asyncio
import contextlib
import gc
import socket
import threading
import time
import uuid

import pytest
from conftest import client_of, in_pods, long_command, processes_with, run_program, wait_until

import kftrain


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


def test_input_that_cannot_be_sent_is_an_error(cluster, pods, client, running_job):
    for c in (pods.open_exec("shell", ["cat"]), client.open_exec(running_job, ["cat"]), pods.attach("reader")):
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


def test_a_replica_of_a_job_is_chosen(client, running_job):
    command = ["sh", "-c", "echo $RANK"]
    assert client.exec(running_job, command).stdout == "0\n"
    assert client.exec(running_job, command, rank=1).stdout == "1\n"
    assert client.exec("pytorchjob.v1/commands", command, role="Worker", index=0, container="pytorch").stdout == "1\n"
    with client.open_exec(running_job, ["cat"], stdin=True, rank=1) as c:
        assert c.communicate("text").stdout == "text"
    with client.attach(running_job) as program, pytest.raises(kftrain.Timeout):
        program.next(timeout=0.05)
    with pytest.raises(kftrain.InvalidArgument, match="the job has no replica with rank 5"):
        client.exec(running_job, command, rank=5)
    with pytest.raises(kftrain.InvalidArgument, match="the job has no replica Chief 0"):
        client.exec(running_job, command, role="Chief")
    with pytest.raises(kftrain.NotFound):
        client.exec("pytorchjob.v1/none", command)
    with pytest.raises(ValueError, match="expected rank or role, got both"):
        client.exec(running_job, command, rank=0, role="Worker")
    with pytest.raises(ValueError, match="index: expected role, too"):
        client.exec(running_job, command, index=1)
    forward = client.port_forward(running_job, 7999, rank=1)
    with forward, socket.create_connection(forward.address) as connection:
        assert connection.recv(1) == b""


def test_commands_are_awaited(cluster, pods, running_job, server_port):
    command, mark = long_command()

    async def main():
        async with kftrain.AsyncClient(cluster.kubeconfig, namespace="default") as client:
            own = client.api("pods")
            results = await asyncio.gather(*(own.exec("shell", ["cat"], input=str(i)) for i in range(5)))
            assert [result.stdout for result in results] == ["0", "1", "2", "3", "4"]
            assert (await client.exec(running_job, ["sh", "-c", "echo $RANK"], rank=1, check=True)).stdout == "1\n"
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
