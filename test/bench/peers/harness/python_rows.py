"""Rows of the Python package beside the libraries that Python programs use today."""

import functools
import json
import venv

from . import builds, control_plane, operators
from .client_rows import WARM_UP, compare, microseconds, seconds
from .processes import figures, say
from .rounds import interleave
from .tree import BUILD, SOURCES

PEERS = ("kubernetes", "kubernetes_asyncio", "kr8s")
AT_CANNED = PEERS[:2]  # kr8s asks the server for its version and its types, which the canned server does not have
IMPORTED = ("kubernetes", "kubeflow-training", "kubernetes_asyncio", "kr8s")
OURS = ("kftrain", "kftrain-async")
LIST_CPU, LIST_MEMORY, WATCH_CPU, CREATE_CPU, IMPORT_CPU = 1 / 20, 1 / 5, 1 / 10, 1 / 4, 1 / 5
EVENTS, CREATES = 20_000, 500


@functools.cache
def interpreter():
    """A virtual environment with the peers."""
    folder, wanted = BUILD / "python", SOURCES / "python/requirements.txt"
    made = folder / "requirements.txt"
    if not made.exists() or made.read_text() != wanted.read_text():
        say("install the Python peers")
        venv.create(folder, clear=True, with_pip=True)
        builds.make("python-peers", [folder / "bin/python", "-m", "pip", "install", "--quiet", "-r", wanted], SOURCES)
        made.write_text(wanted.read_text())
    return folder / "bin/python"


class Runner:
    def __init__(self, session, kubeconfig):
        self.kubeconfig = kubeconfig
        self.environment = ["env", f"PYTHONPATH={session.kftrain.python()}"]

    def run(self, library, task, *more):
        program = [interpreter(), SOURCES / "python/client.py", library, task, "--kubeconfig", self.kubeconfig, *map(str, more)]
        return figures([*self.environment, *program])

    def each(self, task, *more, peers=PEERS):
        """The runs of all libraries, by name; a function among the arguments gets the name and the round."""
        return {name: lambda number, name=name: self.run(name, task, *(m(name, number) if callable(m) else m for m in more))
                for name in OURS + peers}


def canned_kubeconfig(session, address):
    """JSON is YAML."""
    path = session.new_folder("python") / "kubeconfig"
    cluster = {"server": session.canned()[address], "certificate-authority": str(session.folder / "ca.pem")}
    path.write_text(json.dumps({
        "apiVersion": "v1", "kind": "Config", "current-context": "peers",
        "clusters": [{"name": "peers", "cluster": cluster}], "users": [{"name": "peers", "user": {"token": "none"}}],
        "contexts": [{"name": "peers", "context": {"cluster": "peers", "user": "peers"}}]}))
    return path


def beside(work, taken, field, text, goal):
    """The lines of both clients of kftrain beside each peer."""
    lines = []
    for ours in OURS:
        some = {"kftrain": taken[ours], **{peer: theirs for peer, theirs in taken.items() if peer not in OURS}}
        name = work if ours == "kftrain" else f"{work}, asyncio"
        lines += compare(name, some, field, text, dict.fromkeys(some, goal))
    return lines


def megabytes(value):
    return f"{value:.0f} MB"


def python_rows(session):
    lines = []
    runner = Runner(session, canned_kubeconfig(session, "list"))
    imports = runner.each("import", peers=IMPORTED)
    taken = session.raw["python_import"] = interleave(session.options.short_rounds, imports)
    lines += beside("Python: import", taken, "cpu", seconds, IMPORT_CPU)
    taken = session.raw["python_list"] = interleave(session.rounds, runner.each("list", peers=AT_CANNED))
    work = f"Python: list of {taken['kftrain'][0]['items']:,} pods, then name, phase and node of each"
    lines += beside(work, taken, "cpu", seconds, LIST_CPU)
    lines += beside(f"{work}, peak memory", taken, "maxrss_mb", megabytes, LIST_MEMORY)
    events = min(EVENTS, session.options.events)
    runner = Runner(session, canned_kubeconfig(session, "watch_pods"))
    taken = session.raw["python_watch"] = interleave(session.rounds, runner.each("watch", "--count", events, peers=AT_CANNED))
    lines += beside(f"Python: watch, {events:,} events of pods, each", taken, "per", microseconds, WATCH_CPU)
    return lines + create_lines(session)


def create_lines(session):
    count = min(CREATES, session.options.creates)
    with control_plane.started(session.new_folder("create") / "plane", session.port) as plane:
        plane.add_resources(operators.resource_definitions())
        plane.create_namespace("peers")
        runner = Runner(session, plane.kubeconfig)

        def prefix(name, number):
            return f"{name.replace('_', '-')}-{number}-"

        common = ["--namespace", "peers", "--prefix", prefix, "--count"]
        say("warm the server up")
        for run in runner.each("create", *common, WARM_UP).values():
            run("warm")
        taken = session.raw["python_create"] = interleave(session.rounds, runner.each("create", *common, count))
    return beside(f"Python: {count} creates of PyTorchJobs, 16 in flight, real kube-apiserver", taken, "cpu", seconds, CREATE_CPU)
