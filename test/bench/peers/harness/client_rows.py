"""Rows of the client: lists, what they hold, watches and their delays, over TLS from the canned server; creates at a real one."""

from . import builds, control_plane, operators
from .processes import say
from .rounds import Ratio, interleave, median
from .table import Line, at_most, not_run, ratio_line
from .tree import Missing

JSON, PROTOBUF, KUBE_RS = "client-go, JSON", "client-go, protobuf", "kube-rs"
DYNAMIC, TYPED = "client-go, dynamic", "client-go, typed clientset"
LIST_GOALS = {JSON: 0.15, PROTOBUF: 0.5, KUBE_RS: 0.35}
POD_WATCH_GOALS = {JSON: 0.07, PROTOBUF: 0.45, KUBE_RS: 0.25}
JOB_WATCH_GOALS = {DYNAMIC: 0.06, TYPED: 0.06}
LATENCY_GOAL, CREATE_GOAL = 0.5, 0.3
EVENT_US, POD_KB = 20, 7
WARM_UP = 50  # creates before the first round


def with_kube_rs(runs, run):
    """Adds kube-rs to the runs, or tells why not."""
    try:
        builds.kube_rs_client()
    except Missing as why:
        return str(why)
    runs[KUBE_RS] = run
    return None


def compare(work, taken, field, text, goals):
    """A line for each peer; a peer that did not run is none of `taken`."""
    ours = taken["kftrain"]
    return [ratio_line(work, text(median(ours, field)), peer, text(median(theirs, field)), Ratio(ours, theirs, field), goals.get(peer))
            for peer, theirs in taken.items() if peer != "kftrain"]


def seconds(value):
    return f"{value:.3f} s"


def microseconds(value):
    return f"{value:.1f} µs"


def list_rows(session):
    url = session.canned()["list"]
    at = ["-server", url, "-ca", session.folder / "ca.pem"]
    runs = {
        "kftrain": lambda _: session.bench("list", "--server", url, "--ca", session.folder / "ca.pem"),
        JSON: lambda _: session.go_client("list", *at),
        PROTOBUF: lambda _: session.go_client("list", *at, "-protobuf"),
    }
    why = with_kube_rs(runs, lambda _: session.kube_rs("list", url, session.folder / "ca.pem"))
    taken = session.raw["list"] = interleave(session.options.short_rounds, runs)
    items = taken["kftrain"][0]["items"]
    size = (session.data() / "pods.json").stat().st_size / 1e6
    work = f"list of {items:,.0f} pods ({size:.0f} MB) over TLS to typed objects"
    lines = compare(work, taken, "cpu", seconds, LIST_GOALS)
    if why:
        lines.append(not_run(work, KUBE_RS, why))
    return lines + live_memory(taken)


def live_memory(taken):
    work = "live memory of a decoded pod"
    each = median(taken["kftrain"], "live_per_pod") / 1e3
    goal = Line(work, f"{each:.1f} KB", "", f"{each:.1f} KB", f"≤ {POD_KB} KB", at_most(each, POD_KB))
    return [goal] + compare(work, taken, "live_per_pod", lambda size: f"{size / 1e3:.1f} KB", {})


def pod_watch_rows(session):
    url, count = session.canned()["watch_pods"], str(session.options.events)
    at = ["-server", url, "-ca", session.folder / "ca.pem", "-count", count]
    runs = {
        "kftrain": lambda _: session.bench("watch", "--server", url, "--ca", session.folder / "ca.pem", "--events", count),
        JSON: lambda _: session.go_client("watch-pods", *at),
        PROTOBUF: lambda _: session.go_client("watch-pods", *at, "-protobuf"),
    }
    why = with_kube_rs(runs, lambda _: session.kube_rs("watch-pods", url, session.folder / "ca.pem", count))
    taken = session.raw["watch_pods"] = interleave(session.rounds, runs)
    work = f"watch, {int(count):,} events of pods into a handler, each"
    each = median(taken["kftrain"], "per")
    lines = compare(work, taken, "per", microseconds, POD_WATCH_GOALS)
    if why:
        lines.append(not_run(work, KUBE_RS, why))
    return lines + [Line(work, microseconds(each), "", microseconds(each), f"≤ {EVENT_US} µs", at_most(each, EVENT_US))]


def job_watch_rows(session):
    url, count = session.canned()["watch_jobs"], str(session.options.events)
    at = ["-server", url, "-ca", session.folder / "ca.pem", "-count", count]
    runs = {
        "kftrain": lambda _: session.bench("watch", "--server", url, "--ca", session.folder / "ca.pem", "--events", count, "--kind", "jobs"),
        DYNAMIC: lambda _: session.go_client("watch-jobs", *at),
        TYPED: lambda _: session.go_client("watch-jobs-typed", *at),
    }
    taken = session.raw["watch_jobs"] = interleave(session.rounds, runs)
    return compare(f"watch of PyTorchJobs, {int(count):,} events, each", taken, "per", microseconds, JOB_WATCH_GOALS)


def watch_rows(session):
    return pod_watch_rows(session) + job_watch_rows(session)


def latency_rows(session):
    def taken_at(address, of_ours, peers):
        url, count = session.canned()[address], str(session.options.paced)
        at = ["-server", url, "-ca", session.folder / "ca.pem", "-count", count]
        runs = {"kftrain": lambda _: session.bench("latency", "--server", url, "--ca", session.folder / "ca.pem", "--events", count, *of_ours)}
        for peer, words in peers.items():
            runs[peer] = lambda _, words=words: session.go_client(words[0], *at, *words[1:])
        session.raw[address] = interleave(session.rounds, runs)
        return session.raw[address]

    pods = taken_at("latency_pods", [], {PROTOBUF: ["latency-pods", "-protobuf"]})
    jobs = taken_at("latency_jobs", ["--kind", "jobs"], {DYNAMIC: ["latency-jobs"], TYPED: ["latency-jobs-typed"]})
    goals = dict.fromkeys((PROTOBUF, DYNAMIC, TYPED), LATENCY_GOAL)
    lines = []
    for of, taken in (("pods", pods), ("PyTorchJobs", jobs)):
        lines += compare(f"delay of an event of {of}, 99th percentile", taken, "p99_us", lambda us: f"{us:.0f} µs", goals)
    return lines


def create_rows(session):
    count = session.options.creates
    with control_plane.started(session.new_folder("create") / "plane", session.port) as plane:
        plane.add_resources(operators.resource_definitions())
        plane.create_namespace("peers")

        def ours(prefix, number):
            return session.bench("create", "--kubeconfig", plane.kubeconfig, "--namespace", "peers", "--prefix", f"kf-{prefix}-", "--count", str(number),
                                 "--in-flight", "16")

        def theirs(what, prefix, number):
            return session.go_client(what, "-kubeconfig", plane.kubeconfig, "-namespace", "peers", "-prefix", f"{what}-{prefix}-", "-count", str(number),
                                     "-in-flight", "16")

        say("warm the server up")
        ours("warm", WARM_UP)
        theirs("create", "warm", WARM_UP)
        theirs("create-typed", "warm", WARM_UP)
        runs = {
            "kftrain": lambda number: ours(number, count),
            DYNAMIC: lambda number: theirs("create", number, count),
            TYPED: lambda number: theirs("create-typed", number, count),
        }
        taken = session.raw["create"] = interleave(session.rounds, runs)
    work = f"{count:,} creates of PyTorchJobs, 16 in flight, real kube-apiserver"
    return compare(work, taken, "cpu", seconds, dict.fromkeys((DYNAMIC, TYPED), CREATE_GOAL))
