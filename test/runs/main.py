#!/usr/bin/python3
"""Chooses runs, installs what they need, starts one after the other and prints a table; see scripts/test-runs."""

import argparse
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import time

import client_runs  # noqa: F401  pylint: disable=unused-import
import collective_runs  # noqa: F401  pylint: disable=unused-import
import elastic_runs  # noqa: F401  pylint: disable=unused-import
from environments import ENVIRONMENTS, SOURCES, install, version
from harness import Context, Fault
from runs import RUNS

ORDER = ["pytorch_checkpoint", "pytorch_exit_code", "node_failure", "pytorch_suspend", "pytorch_elastic",
         "pytorch_v1alpha1", "mpi_ssh", "horovod_elastic"]


def find_command():
    places = [os.path.join(SOURCES, "build", preset, "bin", "kftrain") for preset in ("dev", "release")]
    return next((place for place in places if os.access(place, os.X_OK)), shutil.which("kftrain"))


def show_logs(context):
    for log in context.logs:
        with open(log, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
        print(f"-- the last lines of {os.path.basename(log)}")
        print("\n".join("   " + line[:300] for line in lines[-60:]), flush=True)


def perform(run, kftrain, backend):
    """Returns seconds, peak memory in MB, and the fault or None."""
    folder = tempfile.mkdtemp(prefix=f"kftrain-run-{run.name}-")
    os.chmod(folder, 0o755)
    context = Context(kftrain, ENVIRONMENTS[run.environment], folder, backend)
    begun = time.monotonic()
    fault = None
    try:
        run.check(context)
    except (Fault, OSError, subprocess.SubprocessError, KeyError, IndexError, ValueError) as e:
        fault = f"{type(e).__name__}: {e}" if not isinstance(e, Fault) else str(e)
        show_logs(context)
    seconds = time.monotonic() - begun
    shutil.rmtree(folder, ignore_errors=True)
    return seconds, context.peak >> 20, fault


def listed(runs):
    for run in runs:
        environment = ENVIRONMENTS[run.environment]
        cost = f"{environment.megabytes} MB, {environment.seconds} s" if environment.packages else "packages of Debian"
        ready = ", installed" if environment.packages and environment.is_ready else ""
        print(f"{run.name:20} {run.kind:20} {run.environment:11} {'quick' if run.is_quick else '     '} "
              f"{cost + ready:30} {run.check.__doc__}")


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--kftrain", default=find_command())
    parser.add_argument("--backend", default="gloo", choices=["gloo", "nccl"])
    parser.add_argument("--pytorch", metavar="FILE")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    runs = sorted(RUNS, key=lambda r: ORDER.index(r.name) if r.name in ORDER else len(ORDER))
    unknown = sorted(set(options.names) - {r.name for r in runs})
    if unknown:
        parser.error(f"unknown run {unknown[0]}, expected one of: {' '.join(r.name for r in runs)}")
    if options.backend == "nccl" and not glob.glob("/dev/nvidia[0-9]*"):
        parser.error("--backend nccl: expected GPUs, there is no /dev/nvidia0")
    if options.pytorch:
        ENVIRONMENTS["pytorch"].interpreter = os.path.abspath(options.pytorch)
    if options.names:
        runs = [r for r in runs if r.name in options.names]
    elif options.quick:
        runs = [r for r in runs if r.is_quick]
    if options.list:
        listed(runs)
        return 0
    if not options.kftrain:
        print("test-runs: no kftrain in build/dev/bin, build/release/bin or PATH; build it with scripts/build dev",
              file=sys.stderr)
        return 2
    rows, faults = [], 0
    for run in runs:
        environment = ENVIRONMENTS[run.environment]
        try:
            if {"mpi", "horovod"} & set(environment.setup) and os.geteuid() != 0:
                raise OSError("sshd in the pods needs root")
            install(environment)
            print(f"== {run.name}: {run.check.__doc__}", flush=True)
            seconds, megabytes, fault = perform(run, os.path.realpath(options.kftrain), options.backend)
        except OSError as e:
            seconds, megabytes, fault = 0, 0, f"cannot run here: {e}"
        if fault:
            faults += 1
            print(f"FAILED {run.name}: {fault}", flush=True)
        rows.append((run.name, run.kind, f"{run.environment} {version(environment)}", f"{seconds:.1f}",
                     str(megabytes), "FAILED" if fault else "passed"))
    head = ("name", "kind", "framework", "seconds", "peak MB", "result")
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    for row in [head, *rows]:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    print(f"{len(rows) - faults} passed, {faults} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
