#!/usr/bin/env python3
"""Runs a program beside a real etcd and kube-apiserver.

usage: with_server.py [--build] PROGRAM [ARGUMENT...]

The program finds in its environment
  KFTRAIN_CLUSTER                  a kubeconfig of a server that streams lists
  KFTRAIN_CLUSTER_WITHOUT_STREAMS  a kubeconfig of a server of the same version that refuses to
  KFTRAIN_CLUSTER_STORE            where the first one's etcd answers
and the exit code is its own; 77 when there is no server to run, whose reason is printed. The programs are those that
KFTRAIN_KUBE_APISERVER and KFTRAIN_ETCD (3.5.13 or newer) name, else those below build/peers/bin, which --build builds
first with Go 1.23: some minutes the first time. Both servers go with this process.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench/peers"))
sys.dont_write_bytecode = True

from harness import builds, control_plane  # noqa: E402
from harness.processes import free_port  # noqa: E402
from harness.tree import Broken, Missing  # noqa: E402

SKIPPED = 77
STREAMS = "--feature-gates=WatchList="


def program_file(variable, name):
    path = Path(os.environ.get(variable, builds.BIN / name))
    if not path.exists():
        raise Missing(f"no {name} at {path}: `test/cluster/with_server.py --build true` builds it with Go, or "
                      f"{variable} names one")
    return path


def run(build, program):
    if build:
        builds.kube_apiserver()
        builds.etcd()
    server, etcd = program_file("KFTRAIN_KUBE_APISERVER", "kube-apiserver"), program_file("KFTRAIN_ETCD", "etcd")
    if not shutil.which("openssl"):
        raise Missing("no openssl")
    with tempfile.TemporaryDirectory(prefix="kftrain-cluster-") as name:
        folder = Path(name)
        with control_plane.started(folder / "a", free_port, server, etcd, [STREAMS + "true"]) as streaming, \
                control_plane.started(folder / "b", free_port, server, etcd, [STREAMS + "false"]) as plain:
            environment = dict(os.environ, KFTRAIN_CLUSTER=str(streaming.kubeconfig),
                               KFTRAIN_CLUSTER_STORE=streaming.store,
                               KFTRAIN_CLUSTER_WITHOUT_STREAMS=str(plain.kubeconfig))
            return subprocess.run(program, env=environment, check=False).returncode


def main():
    arguments = sys.argv[1:]
    build = arguments[:1] == ["--build"]
    program = arguments[build:]
    if not program or program[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if program else 2
    try:
        return run(build, program)
    except Missing as reason:
        print(f"skipped: {reason}")
        return SKIPPED
    except Broken as fault:
        print(fault)
        return 1


if __name__ == "__main__":
    sys.exit(main())
