"""Rows of the load of API servers over HTTPS: processor time of a create, and of an event to each of many watchers."""

import json
import time

from . import builds, control_plane
from .processes import figures, processor_seconds, running, wait_until
from .rounds import Ratio, interleave, median
from .server_row import alone, local_up
from .table import Line, at_least
from .tree import Broken

UPSTREAM = "kube-apiserver 1.31.3 with etcd"
WATCHERS, WARM_UP = 50, 200
IDLE = 0.1  # seconds of processor time in a second that a server may take before it is measured
# Field, what it is, and how many of it one core has to do in a second.
GOALS = (("create", "create", 10_000), ("event", f"event to one of {WATCHERS} watchers", 200_000))


def measured(session, processes, kubeconfig):
    """Creates pods without a watch, and then as many with watchers: the difference is the events."""
    count = session.options.loaded
    client = builds.go_program("client")

    def cpu():
        return sum(map(processor_seconds, processes))

    def create_pods(prefix, number):
        return figures([client, "load", "-kubeconfig", kubeconfig, "-prefix", prefix, "-count", str(number),
                        "-data", session.data()])

    def idle():
        before = cpu()
        time.sleep(1)
        return cpu() - before < IDLE

    create_pods("warm-", WARM_UP)
    wait_until(idle, "the server is idle")
    before = cpu()
    created = create_pods("a-", count)
    create = cpu() - before
    command = [client, "fan-out", "-kubeconfig", kubeconfig, "-prefix", "b-", "-count", str(count),
               "-watchers", str(WATCHERS)]
    with running(command, session.new_folder("fan-out") / "log") as watchers:
        if watchers.line().strip() != "watching":
            raise Broken("the watches have not begun")
        before, begun = cpu(), time.monotonic()
        create_pods("b-", count)
        counted = json.loads(watchers.line())  # each watcher has seen each pod once
        both, wall = cpu() - before, time.monotonic() - begun
    return {"cpu": create + both, "create": create / count, "event": (both - create) / (count * WATCHERS),
            "creates_wall": created["wall"], "events_wall": wall, "watched_again": counted["watched_again"]}


def load_rows(session):
    def own(started):
        with started(session) as (pid, kubeconfig):
            return measured(session, [pid], kubeconfig)

    def upstream():
        with control_plane.started(session.new_folder("load") / "plane", session.port) as plane:
            wait_until(lambda: b'"default"' in plane.call("GET", "/api/v1/namespaces"), "the namespace default exists",
                       step=0.2)
            return measured(session, plane.processes, plane.kubeconfig)

    builds.kube_apiserver()
    servers = {"the server alone": lambda _: own(alone), "`kftrain local up`": lambda _: own(local_up)}
    taken = session.raw["load"] = interleave(session.options.short_rounds, {**servers, UPSTREAM: lambda _: upstream()})
    theirs = taken[UPSTREAM]
    lines = []
    for field, what, goal in GOALS:
        for name in servers:
            ours, each = taken[name], median(taken[name], field)
            lines.append(Line(f"API server over HTTPS, processor time, {what}",
                              f"{name}: {each * 1e6:.1f} µs, {1 / each:,.0f} a second of one core",
                              f"{UPSTREAM}: {median(theirs, field) * 1e6:.1f} µs",
                              f"{Ratio(ours, theirs, field).text()} ×",
                              f"≥ {goal:,} a second", at_least(1 / each, goal)))
    return lines
