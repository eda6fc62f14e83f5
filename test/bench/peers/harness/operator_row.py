"""Row of the operator: jobs from their submission to their end, at a real API server, with a driver that plays the kubelet."""

from . import builds, control_plane, operators
from .processes import figures
from .rounds import Ratio, interleave, median
from .table import Line, at_least

NAMESPACE = "peers"
UPSTREAM = "training-operator 1.9.0"
# Of upstream's to kftrain's, and how a figure is written.
GOALS = (
    ("cpu", "processor time", 4, lambda value: f"{value:.2f} s"),
    ("maxrss_mb", "most memory", 5, lambda value: f"{value:.0f} MB"),
    ("wall", "until the last job has succeeded", 2, lambda value: f"{value:.1f} s"),
)


def measured(session, operator_at):
    """One run, with a control plane of its own: what an earlier run left would be in the caches."""
    options = session.options
    with control_plane.started(session.new_folder("operator") / "plane", session.port) as plane:
        plane.add_resources(operators.resource_definitions())
        plane.create_namespace(NAMESPACE)
        with operator_at(plane) as operator:
            before = operator.cpu()
            driven = figures([builds.go_program("driver"), "-kubeconfig", plane.kubeconfig, "-namespace", NAMESPACE, "-jobs", str(options.jobs),
                              "-pods", str(options.pods)])
            operator.fail_if_ended()
            return dict(driven, cpu=operator.cpu() - before, maxrss_mb=operator.peak_mb())


def operator_rows(session):
    program = session.kftrain.program("bench_operator")
    builds.training_operator()
    builds.go_programs()
    runs = {
        "kftrain": lambda _: measured(session, lambda plane: operators.own(plane, program)),
        UPSTREAM: lambda _: measured(session, operators.upstream),
    }
    taken = session.raw["operator"] = interleave(session.rounds, runs)
    lines = []
    for field, name, goal, text in GOALS:
        ratio = Ratio(taken[UPSTREAM], taken["kftrain"], field)
        work = f"operator, {session.options.jobs} jobs of {session.options.pods} pods, real kube-apiserver: {name}"
        lines.append(Line(work, text(median(taken["kftrain"], field)), f"{UPSTREAM}: {text(median(taken[UPSTREAM], field))}",
                          ratio.inverse_text(), f"≤ 1/{goal}", at_least(ratio.value, goal)))
    return lines
