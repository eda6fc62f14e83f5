#!/usr/bin/python3
"""usage: lock_holder.py FILE [server]

Locks a file as a command does that starts a local cluster, or as its server, says so, and waits to be killed. Beside
that, what tests need which make such a process a liar."""

import fcntl
import os
import signal
import struct
import subprocess
import sys

F_OFD_SETLK = 37
SKIPPED = 77
ALONE = "KFTRAIN_TEST_ALONE"


def start_of(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
        return file.read().rpartition(")")[2].split()[19]


def hold(path, *, text, server_lock):
    """Starts a process that holds the locks of a server, with `text` in the file; PID and BEGAN stand for its own
    values."""
    holder = subprocess.Popen([sys.executable, os.path.abspath(__file__), path, *["server"] * server_lock],
                              stdout=subprocess.PIPE)
    assert holder.stdout.readline() == b"held\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace("PID", str(holder.pid)).replace("BEGAN", start_of(holder.pid)))
    return holder


def in_namespace(*arguments):
    """Runs a test, which `python arguments...` calls again, in a namespace where kill(-1) only reaches its own
    processes."""
    def decorate(test):
        def run_there():
            if os.environ.get(ALONE) == "yes":
                return test()
            if subprocess.run(["unshare", "-Urpf", "true"], check=False).returncode != 0:
                print("SKIPPED: this machine forbids PID namespaces, and without one a fault would end all processes")
                sys.exit(SKIPPED)
            command = ["unshare", "-Urpf", "--mount-proc", "--kill-child", sys.executable, *arguments]
            done = subprocess.run(command, env={**os.environ, ALONE: "yes"}, timeout=100, check=False)
            return sys.exit(done.returncode) if done.returncode else None
        return run_there
    return decorate


def main():
    with open(sys.argv[1], "r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # as older versions lock
        fcntl.fcntl(file, F_OFD_SETLK, struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, 0, 1, 0))
        if sys.argv[2:] == ["server"]:
            fcntl.lockf(file, fcntl.LOCK_EX, 1, 1)
        print("held", flush=True)
        signal.pause()


if __name__ == "__main__":
    main()
