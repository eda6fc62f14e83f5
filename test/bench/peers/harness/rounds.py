"""Runs in turn, and the medians over the rounds."""

import statistics

from .processes import say


def interleave(rounds, runs):
    """Calls each of `runs` (name to function of the round) once in each round; name to list of figures."""
    taken = {name: [] for name in runs}
    for number in range(rounds):
        for name, run in runs.items():
            taken[name].append(run(number))
            cpu = taken[name][-1].get("cpu")
            say(f"round {number + 1} of {rounds}: {name}" + (f", {cpu:.3f} s" if cpu is not None else ""))
    return taken


def median(figures, field):
    return statistics.median(f[field] for f in figures)


class Ratio:
    """Of the first to the second within each round: the median and the extremes."""

    def __init__(self, first, second, field):
        each = sorted(a[field] / b[field] for a, b in zip(first, second))
        self.value, self.least, self.most = statistics.median(each), each[0], each[-1]
        self.rounds = len(each)

    def text(self):
        return self.written(lambda value: f"{value:.3f}")

    def inverse_text(self):
        return self.written(lambda value: f"1/{value:.2f}")

    def written(self, form):
        if self.rounds == 1:
            return form(self.value)
        return f"{form(self.value)} ({form(self.least)} to {form(self.most)})"
