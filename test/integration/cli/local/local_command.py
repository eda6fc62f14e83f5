#!/usr/bin/python3
"""usage: local_command.py KFTRAIN TEST

How `kftrain local` uses its state directory: the files that it accepts, those that it refuses, and the processes that
it ends.
Tests with a file that names another process run in their own PID namespace, where a wrong signal cannot do harm."""

import os
import signal
import socket
import stat
import subprocess
import sys
import time

from local_server import below, gone
from lock_holder import hold, in_namespace, start_of
from manifest_files import KFTRAIN, contains, equal, read, run, run_test, write

HEADER = "kftrain local cluster 1\n"
FILES = ("lock", "kubeconfig", "kubeconfig.next", "server.log", "server.log.1", "images.json")
PRECIOUS = "not kftrain's\n"
JOB = """apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: slow}
spec:
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      template:
        spec:
          containers:
            - {name: pytorch, image: none, command: [sh, -c, "setsid sleep 1000 & exec sleep 1000"]}
"""


def local(verb, *more, state="state", expect=0):
    done = run("local", "--state", state, verb, *more)
    output = done.stdout + done.stderr
    equal(done.returncode, expect, f"local {verb}\n{output}")
    return output


def mode_of(path):
    return stat.S_IMODE(os.lstat(path).st_mode)


def make_state(*names):
    """Makes a directory like that of `local up`, with these files beside the lock."""
    os.mkdir("state", 0o700)
    for name in ("lock", *names):
        write(f"state/{name}", HEADER if name == "lock" else "")
        os.chmod(f"state/{name}", 0o600)


def files(state):
    """The files of a state directory. Whether there is a log of the previous server depends on what that wrote."""
    return sorted(set(os.listdir(state)) - {"server.log.1"})


def clear():
    subprocess.run(["rm", "-rf", "state", "other", "link"], check=True)


def server_of(output):
    return int(output.split("process ", 1)[1].split()[0].rstrip(","))


def leaves_no_server(test):
    def run_it():
        try:
            test()
        finally:
            run("local", "--state", "state", "down", "--timeout", "1")
    return run_it


def local_makes_private_files():
    os.umask(0)
    try:
        output = local("up", state="a/b/state")
        contains(output, f"export KUBECONFIG={os.getcwd()}/a/b/state/kubeconfig\n")
        contains(local("status", state="a/b/state"), f"export KUBECONFIG={os.getcwd()}/a/b/state/kubeconfig\n")
        for directory in ("a", "a/b", "a/b/state"):
            equal(oct(mode_of(directory)), oct(0o700), directory)
        equal(sorted(os.listdir("a/b/state")), ["images.json", "kubeconfig", "lock", "server.log"])
        for name in os.listdir("a/b/state"):
            equal(oct(mode_of(f"a/b/state/{name}")), oct(0o600), name)
    finally:
        equal(local("down", state="a/b/state"), "local cluster is down\n")
    equal(sorted(os.listdir("a/b/state")), ["images.json", "lock", "server.log"])


def local_accepts_options_on_either_side():
    os.mkdir("my state", 0o755)
    try:
        done = run("local", "up", "--state", "my state/")
        equal(done.returncode, 0, done.stderr)
        contains(done.stdout, f"export KUBECONFIG='{os.getcwd()}/my state/kubeconfig'\n")
        equal(oct(mode_of("my state")), oct(0o755), "the mode of a directory that was there")
        again = local("up", state="my state")
        contains(again, f"local cluster is already up, process {server_of(done.stdout)}\n")
        contains(again, f"export KUBECONFIG='{os.getcwd()}/my state/kubeconfig'\n")
        more = run("local", "up", "--state", "my state", "--user", "jane", "--user", "bob", "--nodes", "2")
        equal(more.returncode, 0)
        equal(more.stderr, "kftrain: no effect on the running cluster: --user, --nodes; stop it with "
                           "\"kftrain local down\" first\n")
        twice = run("local", "--state", "my state", "down", "--state", "my state")
        equal(twice.returncode, 2)
        contains(twice.stderr, "--state: expected one value, got one before and one after down")
        equal(run("local", "down", "--state", "").returncode, 2)
    finally:
        equal(run("local", "down", "--state", "my state").stdout, "local cluster is down\n")


@leaves_no_server
def local_keeps_the_end_of_the_log_of_the_previous_server():
    for kept, written in (("first\n", "first\n"), ("first\n", ""), ("x" * 2**23, "first\n" + "x" * 2**23)):
        if not os.path.isdir("state"):
            make_state("server.log")
        write("state/server.log", written)
        local("up")
        equal(read("state/server.log.1") == kept, True, f"{len(written)} bytes of log")
        assert written == "" or not read("state/server.log").startswith(written[:6]), "the new log has old messages"
        equal(oct(mode_of("state/server.log.1")), oct(0o600))
        local("down")


@leaves_no_server
def local_replaces_files_of_a_killed_server():
    pid = server_of(local("up"))
    write("state/kubeconfig.next", "half of a")
    os.chmod("state/kubeconfig.next", 0o600)
    family = below(pid)
    os.kill(pid, signal.SIGKILL)
    while not gone(family):
        time.sleep(0.02)
    assert os.path.exists("state/kubeconfig")
    equal(local("status", expect=1), "no local cluster is up\n")
    assert server_of(local("up")) != pid
    equal(files("state"), ["images.json", "kubeconfig", "lock", "server.log"])
    pid = server_of(local("status"))
    os.kill(pid, signal.SIGKILL)
    while gone({(pid, start_of(pid))}) is False:
        time.sleep(0.02)
    equal(local("down"), "no local cluster is up\n")
    assert not os.path.exists("state/kubeconfig"), "the kubeconfig of a dead server is still there"


def plant(path, what):
    """Replaces a file by something else; returns the expected message of `local up`."""
    if os.path.lexists(path):
        os.remove(path)
    if what == "link":
        os.symlink("../other", path)
        return "found a symbolic link"
    if what == "second name":
        os.link("other", path)
        return "found a file with 2 hard links"
    if what == "directory":
        os.mkdir(path)
        return "found a directory"
    if what == "pipe":
        os.mkfifo(path, 0o600)
        return "found a named pipe"
    if what == "socket":
        socket.socket(socket.AF_UNIX).bind(path)
        return "found a socket"
    write(path, HEADER)
    if what == "of somebody else":
        os.chmod(path, 0o600)
        os.chown(path, 65534, 65534)
        return "found a file owned by user 65534"
    os.chmod(path, what)
    return f"found a file with mode 0{what:o}"


def local_refuses_planted_files():
    kinds = ["link", "second name", "directory", "pipe", "socket", 0o666, 0o640]
    if os.geteuid() == 0:
        kinds.append("of somebody else")
    else:
        print("SKIPPED in part: files of other users can only be planted by root")
    for name in FILES:
        for what in kinds:
            clear()
            make_state("kubeconfig", "server.log")
            write("other", PRECIOUS)
            os.chmod("other", 0o600)
            found = plant(f"state/{name}", what)
            before = sorted(os.listdir("state")), os.lstat(f"state/{name}").st_mode
            output = local("up", expect=2)
            contains(output, f"kftrain: {os.getcwd()}/state/{name}: {found}, "
                           f"expected a regular file owned by user {os.geteuid()}")
            equal(read("other"), PRECIOUS, f"{name}: {what}")
            equal(oct(mode_of("other")), oct(0o600), f"{name}: {what}")
            equal((sorted(os.listdir("state")), os.lstat(f"state/{name}").st_mode), before, f"{name}: {what}")
            if name == "lock":
                contains(local("status", expect=2), found)
                contains(local("down", expect=2), found)


def local_refuses_directories_of_others():
    def refused(path, *parts, verbs=("up", "status", "down")):
        for verb in verbs:
            output = local(verb, state=path, expect=2)
            for part in (f"kftrain: {os.getcwd()}/{path}: found ", *parts):
                contains(output, part)

    os.mkdir("state", 0o755)
    write("state/kubeconfig", PRECIOUS)
    write("state/thesis.tex", PRECIOUS)
    refused("state", "kubeconfig", "thesis.tex", "expected an empty directory", verbs=["up"])
    equal(sorted(os.listdir("state")), ["kubeconfig", "thesis.tex"])
    equal(read("state/kubeconfig"), PRECIOUS)
    equal(oct(mode_of("state")), oct(0o755))

    for mode in (0o775, 0o757, 0o1777):
        os.mkdir("open")
        os.chmod("open", mode)
        octal = f"0{mode & 0o777:o}" if mode < 0o1000 else f"{mode:o}"
        refused("open", f"a directory with mode {octal}", "that no other user can write to")
        equal(os.listdir("open"), [])
        equal(oct(mode_of("open")), oct(mode))
        os.rmdir("open")

    os.mkdir("mine", 0o700)
    os.symlink("mine", "link")
    refused("link", "a symbolic link")
    write("file", "")
    refused("file", "found a file, expected a directory")

    os.mkdir("square")
    os.chmod("square", 0o777)
    os.mkdir("square/state", 0o700)
    refused("square/state", f"a directory below {os.getcwd()}/square with mode 0777")
    equal(os.listdir("mine") + os.listdir("square/state"), [])
    if os.geteuid() == 0:
        os.chown("mine", 65534, 65534)
        refused("mine", "a directory owned by user 65534")
    else:
        print("SKIPPED in part: directories of other users can only be made by root")


@in_namespace(os.path.abspath(__file__), KFTRAIN, *sys.argv[2:])
def local_does_not_signal_processes_that_a_file_names():
    victim = subprocess.Popen(["sleep", "1000"])
    directory = "directory /tmp/kftrain-abcdef\n"
    noted = f"{HEADER}process {victim.pid}\nbegan {start_of(victim.pid)}\n{directory}"
    old = "expected a file that begins with \"kftrain local cluster 1\""
    cases = [(text, lock, old) for text in ("-1\n", "1\n", "0\n", f"{victim.pid}\n", "x") for lock in (False, True)]
    cases += [
        (noted, True, f"expected a lock held by process {victim.pid}, as recorded in the file"),
        (HEADER + f"process -1\nbegan 1\n{directory}", True, "expected a lock held by process -1,"),
        (HEADER + f"process 1\nbegan 1\n{directory}", True, "expected a lock held by process 1,"),
        (HEADER + f"process PID\nbegan 1\n{directory}", True, "started at "),
        (HEADER + "process PID\nbegan BEGAN\ndirectory /tmp\n", True, "expected the record of a server"),
        (HEADER + "process PID\nbegan BEGAN\ndirectory /tmp/kftrain-a/../b\n", True, "expected the record of a server"),
        (HEADER, True, "expected the record of a server"),
    ]
    for text, server_lock, expected in cases:
        clear()
        make_state("kubeconfig")
        write("state/kubeconfig", PRECIOUS)
        holder = hold("state/lock", text=text, server_lock=server_lock)
        before = read("state/lock")
        for verb in ("up", "status", "down"):
            output = local(verb, expect=2)
            contains(output, f"kftrain: {os.getcwd()}/state/lock: found ")
            contains(output, expected)
            assert "KUBECONFIG" not in output, output
            assert victim.poll() is None and holder.poll() is None, f"{text!r}: {verb} ended somebody"
        equal((read("state/lock"), read("state/kubeconfig")), (before, PRECIOUS))
        holder.kill()
        holder.wait()
    # A lock that no process holds belongs to a server that has ended.
    clear()
    make_state()
    write("state/lock", noted)
    equal(local("status", expect=1), "no local cluster is up\n")
    equal(local("down"), "no local cluster is up\n")
    assert victim.poll() is None, "the file of a dead server names a living process, and that was ended"
    victim.kill()


@leaves_no_server
def local_kills_a_server_that_does_not_end():
    for stopped, isolation in (("helper", "namespaces"), ("helper", "processes"), ("server", "namespaces")):
        server = server_of(local("up", "--isolation", isolation))
        kubeconfig = os.path.abspath("state/kubeconfig")
        subprocess.run(["kubectl", "--kubeconfig", kubeconfig, "create", "-f", write("job.yaml", JOB)],
                       check=True, stdout=subprocess.DEVNULL, env={"HOME": os.getcwd(), "PATH": os.environ["PATH"]})
        while "Pod default/slow-master-0  Running" not in local("status"):
            time.sleep(0.05)
        directory = read("state/lock").split("directory ")[1].strip()
        assert os.path.isdir(directory), directory
        family = below(server)
        helper = min((pid for pid, _ in family if pid != server), key=lambda pid: int(start_of(pid)))
        os.kill(helper if stopped == "helper" else server, signal.SIGSTOP)
        output = local("down", "--timeout", "1")
        if stopped == "server":  # the other case may end in time by what the server does about its helper
            contains(output, f"kftrain: process {server} did not end within 1 s and was killed\n")
        contains(output, "local cluster is down\n")
        assert gone(family), f"{stopped} stopped: processes survive"
        assert not os.path.exists(directory), f"{stopped} stopped: {directory} is still there"
        equal(files("state"), ["images.json", "lock", "server.log"])


@leaves_no_server
def local_removes_directories_of_killed_clusters():
    try:
        local("up", state="other")
        living = read("other/lock").split("directory ")[1].strip()
        write("job.yaml", JOB.replace("sleep 1000", "true"))
        for remove in (lambda: local("down"), lambda: local("up"), lambda: run("run", "job.yaml")):
            server = server_of(local("up"))
            directory = read("state/lock").split("directory ")[1].strip()
            family = below(server)
            helper = int(read(f"/proc/{server}/task/{server}/children"))
            os.kill(server, signal.SIGSTOP)  # else it would notice that the helper ended
            os.kill(helper, signal.SIGKILL)
            os.kill(server, signal.SIGKILL)
            while not gone(family):
                time.sleep(0.02)
            assert os.path.isdir(directory), "nothing was left"
            remove()
            assert not os.path.exists(directory), f"{directory} is still there"
            assert os.path.isdir(living), "the directory of a living cluster was removed"
            local("down")
    finally:
        equal(local("down", state="other"), "local cluster is down\n")


if __name__ == "__main__":
    run_test(globals())
