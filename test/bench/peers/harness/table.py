"""The table of goals, as Markdown."""

import dataclasses

MET, MISSES, NO_GOAL = "met", "**MISSES**", ""
HEAD = ("work", "kftrain", "peer", "measured", "goal", "")


@dataclasses.dataclass
class Line:
    work: str
    ours: str = ""
    peer: str = ""
    measured: str = ""
    goal: str = ""
    verdict: str = NO_GOAL

    def cells(self):
        return (self.work, self.ours, self.peer, self.measured, self.goal, self.verdict)


def at_most(value, goal):
    return MET if value <= goal else MISSES


def at_least(value, goal):
    return MET if value >= goal else MISSES


def not_run(work, peer, why):
    return Line(work, peer=peer, verdict=f"not run: {why}")


def ratio_line(work, ours, peer, theirs, ratio, goal=None):
    """A ratio kftrain : peer, with a goal above which it must not be."""
    if goal is None:
        return Line(work, ours, f"{peer}: {theirs}", f"{ratio.text()} ×")
    return Line(work, ours, f"{peer}: {theirs}", f"{ratio.text()} ×", f"≤ {goal:g} ×", at_most(ratio.value, goal))


def markdown(lines):
    rows = [HEAD, ("---",) * len(HEAD)]
    before = None
    for line in lines:
        cells = line.cells()
        rows.append(("",) + cells[1:] if line.work == before else cells)
        before = line.work
    return "\n".join("| " + " | ".join(cells) + " |" for cells in rows)


def summary(lines):
    count = {verdict: sum(line.verdict == verdict for line in lines) for verdict in (MET, MISSES)}
    left_out = sum(line.verdict.startswith("not run") for line in lines)
    broken = sum(line.verdict.startswith("broken") for line in lines)
    return f"{count[MET]} goals met, {count[MISSES]} missed, {left_out} lines not run, {broken} broken"
