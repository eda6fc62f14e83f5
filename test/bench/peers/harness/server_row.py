"""Row of the API server in the process: what a stored pod costs, alone and with all of a local cluster."""

import contextlib
import re
import subprocess
import time

from . import builds
from .processes import figures, memory_mb, running
from .rounds import interleave, median
from .table import Line, at_most
from .tree import Broken

SETTLE = 3  # seconds: what a create leaves to be done behind it
ALONE_KB, LOCAL_UP_KB = 7, 12


def filled(session, pid, kubeconfig):
    """Growth of the resident memory of a server by pods of 4.7 KB, bound to nodes that do not exist, so that nobody runs them."""
    before = memory_mb(pid, "VmRSS")
    loaded = figures([builds.go_program("client"), "load", "-kubeconfig", kubeconfig, "-prefix", "p-", "-count", str(session.options.stored),
                      "-data", session.data()])
    time.sleep(SETTLE)
    grown = memory_mb(pid, "VmRSS") - before
    return {"kb_per_pod": grown * 1048576 / session.options.stored / 1e3, "bytes_each": loaded["bytes_each"], "create_wall": loaded["wall"],
            "before_mb": before}


@contextlib.contextmanager
def alone(session):
    """The server without anything else: its process and kubeconfig."""
    folder = session.new_folder("server")
    kubeconfig = folder / "kubeconfig"
    with running([session.kftrain.program("bench_server"), "--serve", kubeconfig], folder / "log") as server:
        server.line()  # its address, once it serves
        yield server.process.pid, kubeconfig


@contextlib.contextmanager
def local_up(session):
    """The server with all of a local cluster."""
    folder = session.new_folder("local")
    command = [session.kftrain.program("kftrain"), "local", "--state", folder / "state"]
    try:
        up = subprocess.run([*command, "up"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
        found = re.search(r"process (\d+)", up.stdout + up.stderr)
        if up.returncode or not found:
            raise Broken(f"kftrain local up: exit code {up.returncode}: {up.stdout[-300:]}{up.stderr[-300:]}")
        yield int(found.group(1)), folder / "state/kubeconfig"
    finally:
        subprocess.run([*command, "down"], stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)


def server_rows(session):
    def run(started):
        with started(session) as (pid, kubeconfig):
            return filled(session, pid, kubeconfig)

    taken = session.raw["server"] = interleave(session.rounds, {"alone": lambda _: run(alone), "local up": lambda _: run(local_up)})
    size = taken["alone"][0]["bytes_each"] / 1e3
    lines = []
    for name, what, goal in (("alone", "the server alone", ALONE_KB), ("local up", "`kftrain local up`", LOCAL_UP_KB)):
        each = median(taken[name], "kb_per_pod")
        work = f"API server in the process, memory of a stored pod of {size:.1f} KB ({session.options.stored:,} pods)"
        lines.append(Line(work, f"{what}: {each:.1f} KB", "", f"{each:.1f} KB", f"≤ {goal} KB", at_most(each, goal)))
    return lines
