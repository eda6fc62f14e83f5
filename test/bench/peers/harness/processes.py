"""Programs that are started, asked for figures, and ended with this process at the latest."""

import contextlib
import ctypes
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

from .tree import Broken, Missing

TICK = os.sysconf("SC_CLK_TCK")
PR_SET_PDEATHSIG = 1
END_LIMIT = 15  # seconds that a program has to end
RUN_LIMIT = 900  # seconds that a measured program has
LIBC = ctypes.CDLL(None, use_errno=True)


def say(text):
    print(f"== {text}", file=sys.stderr, flush=True)


def need(tool, package):
    """The path of a tool, which the package would bring."""
    path = shutil.which(tool)
    if not path:
        raise Missing(f"no {tool} ({package})")
    return path


def end_with_parent():
    """Even when this process is killed, what it started does not stay."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def tail(path, count=12):
    with open(path, encoding="utf-8", errors="replace") as file:
        return "".join(file.readlines()[-count:])


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait_until(condition, what, limit=60.0, step=0.02):
    end = time.monotonic() + limit
    while not condition():
        if time.monotonic() > end:
            raise Broken(f"{what}: not within {limit:.0f} s")
        time.sleep(step)


class Program:
    """A program in the background, whose standard error is kept in a file."""

    def __init__(self, command, log, env=None):
        self.name, self.log = os.path.basename(str(command[0])), log
        with open(log, "wb") as file:
            self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=file,
                                            env=env, preexec_fn=end_with_parent)

    def fail_if_ended(self):
        if self.process.poll() is not None:
            raise Broken(f"{self.name} ended with {self.process.returncode}: {tail(self.log)}")

    def line(self):
        """The next line that it prints."""
        text = self.process.stdout.readline()
        if not text:
            self.process.wait(END_LIMIT)
            raise Broken(f"{self.name} ended with {self.process.returncode}: {tail(self.log)}")
        return text.decode()

    def cpu(self):
        return processor_seconds(self.process.pid)

    def peak_mb(self):
        return memory_mb(self.process.pid, "VmHWM")

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(END_LIMIT)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()


@contextlib.contextmanager
def running(command, log, env=None):
    program = Program(command, log, env)
    try:
        yield program
    finally:
        program.stop()


def processor_seconds(pid):
    """Processor time of a process so far."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def memory_mb(pid, field):
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        for line in file:
            if line.startswith(field + ":"):
                return int(line.split()[1]) / 1024
    raise Broken(f"process {pid} tells no {field}")


def figures(command):
    """Runs a program to its end; its last line is JSON."""
    command = [str(word) for word in command]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=RUN_LIMIT, preexec_fn=end_with_parent,
                              check=False)
    except subprocess.TimeoutExpired as fault:
        raise Broken(f"{' '.join(command)}: not done in {RUN_LIMIT} s") from fault
    lines = done.stdout.strip().splitlines()
    if done.returncode or not lines:
        raise Broken(f"{' '.join(command)}: exit code {done.returncode}: {done.stdout[-300:]}{done.stderr[-600:]}")
    return json.loads(lines[-1])
