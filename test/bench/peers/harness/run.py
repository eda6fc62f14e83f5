"""The command line, and the rows one after the other."""

import argparse
import json
import os
import platform
import signal
import subprocess
import sys
from pathlib import Path

from . import build_rows, client_rows, load_row, operator_row, python_rows, server_row
from .processes import say
from .session import Session
from .table import Line, markdown, not_run, summary
from .tree import Broken, Missing

ROWS = {
    "list": client_rows.list_rows,
    "watch": client_rows.watch_rows,
    "latency": client_rows.latency_rows,
    "create": client_rows.create_rows,
    "operator": operator_row.operator_rows,
    "server": server_row.server_rows,
    "load": load_row.load_rows,
    "python": python_rows.python_rows,
    "include": build_rows.include_rows,
    "build": build_rows.build_rows,
}
ONLY_WHEN_NAMED = ("build",)
FAULTS = (Broken, OSError, subprocess.SubprocessError, LookupError, TypeError, ValueError, ArithmeticError)
# events and paced: of a watch; jobs and pods: of the operator; stored and loaded: pods in a server
FULL = {"rounds": 3, "events": 100000, "paced": 2000, "creates": 1000, "jobs": 200, "pods": 8, "stored": 20000, "loaded": 3000}
QUICK = {"rounds": 1, "events": 10000, "paced": 200, "creates": 200, "jobs": 20, "pods": 4, "stored": 2000, "loaded": 300}


def parse(usage):
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("--rows", default=",".join(name for name in ROWS if name not in ONLY_WHEN_NAMED))
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--data", type=lambda path: Path(path).resolve())
    parser.add_argument("--bin", type=lambda path: Path(path).resolve())
    parser.add_argument("--raw", type=Path)
    options = parser.parse_args()
    if options.help:
        print(usage.strip())
        sys.exit(0)
    options.rows = options.rows.split(",")
    unknown = [name for name in options.rows if name not in ROWS]
    if unknown:
        parser.error(f"--rows: {', '.join(unknown)}; expected some of {', '.join(ROWS)}")
    if options.rounds is not None and options.rounds < 1:
        parser.error(f"--rounds: {options.rounds}, expected at least 1")
    for name, value in (QUICK if options.quick else FULL).items():
        if getattr(options, name, None) is None:
            setattr(options, name, value)
    options.short_rounds = options.rounds if options.quick else max(options.rounds, 5)
    return options


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return f"{os.cpu_count()} processors {names[0] if names else platform.machine()}"


def end(number, _):
    sys.exit(128 + number)


def lines_of(session, name):
    try:
        return ROWS[name](session)
    except Missing as why:
        return [not_run(name, "", str(why))]
    except FAULTS as fault:
        say(f"{name}: {type(fault).__name__}: {fault}")
        return [Line(name, verdict="broken: " + str(fault).splitlines()[0][:120].replace("|", "/"))]


def main(usage):
    options = parse(usage)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)  # so that everything that was started is ended
    lines = []
    with Session(options) as session:
        try:
            for name in options.rows:
                say(f"row {name}")
                lines += lines_of(session, name)
        except KeyboardInterrupt:
            return 128 + signal.SIGINT
        if options.raw:
            options.raw.write_text(json.dumps(session.raw, indent=1) + "\n", encoding="utf-8")
    rounds = f"rounds: {options.rounds}, of lists, loads and includes {options.short_rounds}"
    if options.quick:
        rounds += "; quick: the figures mean little"
    print(f"{processor()}; load {os.getloadavg()[0]:.1f} at the end; {rounds}")
    print()
    print(markdown(lines))
    print()
    print(summary(lines))
    return 1 if any(line.verdict.startswith("broken") for line in lines) else 0
