#!/usr/bin/python3
"""usage: display_command.py KFTRAIN TEST

The output of `kftrain run` on a terminal."""

import os
import re
import signal
from xml.etree import ElementTree

from local_server import below
from manifest_files import KFTRAIN, contains, equal, run, run_test, write
from run_command import JOB
from terminal import command_on_terminal

WORKERS = """    Worker:
      replicas: %d
      template:
        spec:
          containers:
            - {name: pytorch, image: none, command: [sh, -c, %s]}
"""
STATUS = r"many-(master|worker)-\d+  |^\.\.\. and |^\d+ (Running|Pending|waiting)"


def many(workers, first, rest):
    return write("many.yaml", JOB % ("many", first) + WORKERS % (workers, rest))


def on_terminal(rows, columns, *arguments, **variables):
    return command_on_terminal([KFTRAIN, *arguments], rows, columns, {"PATH": os.environ["PATH"], **variables})


def check_all_there(lines, ranks, count):
    """Each line of each rank is on the screen or above it, once, complete and in order, without parts of the replica
    rows."""
    for rank in range(ranks):
        printed = [line for line in lines if line.startswith(f"[rank {rank}] line ")]
        equal(printed, [f"[rank {rank}] line {i}" for i in range(count)], "\n".join(lines))
    left = [line for line in lines if re.search(STATUS, line)]
    equal(left, [], "\n".join(lines))


def display_keeps_every_line_on_a_small_terminal():
    talk = "for i in 0 1 2 3 4 5; do echo line $i; sleep 0.05; done; "
    first = f"'{talk}while [ $(ls | grep -c ^done) -lt 9 ]; do sleep 0.05; done'"  # the job ends with its master
    for rows, columns in ((6, 40), (5, 12), (2, 40), (1, 40)):
        for name in os.listdir("."):
            os.remove(name)
        command = on_terminal(rows, columns, "run", many(9, first, f"'{talk}touch done-$HOSTNAME'"))
        equal(command.end(), 0, "\n".join(command.screen.all()))
        lines = command.screen.all()
        if columns == 12:  # lines of the log wrap there
            lines = "".join(line.ljust(columns) if len(line) == columns else line + "\n" for line in lines).splitlines()
        check_all_there(lines, 10, 6)
        assert command.screen.colours, "no colour on a terminal"


def display_counts_the_replicas_that_do_not_fit():
    wait = "'echo line 0; read x < gate || sleep 100'"
    os.mkfifo("gate")
    command = on_terminal(8, 60, "run", many(9, wait, wait))
    command.read_until(r"\.\.\. and 7 more: 7 Running$")
    shown = [line for line in command.screen.all() if re.search(STATUS, line)]
    equal(len(shown), 4, "\n".join(command.screen.all()))
    assert shown[0].startswith("many-master-0  rank 0  Running"), shown
    for rank in range(10):
        command.read_until(rf"^\[rank {rank}\] line 0$")
    # The rows are below the last line, and nothing draws again without new output.
    while not [line for line in command.screen.all() if line][-1].endswith(" more: 7 Running"):
        assert command.read(), "\n".join(command.screen.all())
    command.resize(5, 30)  # smaller, while the lines of the replicas are there
    command.type(b"\x03")
    equal(command.end(), 130)
    lines = command.screen.all()
    check_all_there(lines, 10, 1)
    equal([line for line in lines if line][-1], "interrupted: stopping", "\n".join(lines))
    equal([line for line in lines if "^C" in line], [], "\n".join(lines))


def display_reports_on_a_terminal_why_the_cluster_failed():
    command = on_terminal(8, 80, "run", "-v", many(9, "'echo line 0; sleep 100'", "'echo line 0; sleep 100'"))
    for rank in range(10):
        command.read_until(rf"^\[rank {rank}\] line 0$")
    helper = min((one for one in below(command.pid) if one[0] != command.pid), key=lambda one: int(one[1]))
    os.kill(helper[0], signal.SIGKILL)
    equal(command.end(), 3)
    lines = command.screen.all()
    check_all_there(lines, 10, 1)
    for message in ("kftrain: sandbox helper ended unexpectedly", "kftrain: the local cluster failed: "):
        equal(len([line for line in lines if line.startswith(message)]), 1, "\n".join(lines))


def display_respects_no_color():
    command = on_terminal(24, 80, "run", write("job.yaml", JOB % ("plain", "'echo line 0'")), NO_COLOR="1")
    equal(command.end(), 0)
    check_all_there(command.screen.all(), 1, 1)
    equal(command.screen.colours, 0)
    command = on_terminal(24, 80, "run", "job.yaml", NO_COLOR="")
    equal(command.end(), 0)
    assert command.screen.colours, "an empty NO_COLOR turns colours off"


def display_escapes_cursor_movements_of_output():
    sneaky = r"""'printf "line 0\n\033[9Aline up\n\033[31mred\033[0m\033[2J\n\033]0;title\007\n"'"""
    command = on_terminal(10, 60, "run", write("job.yaml", JOB % ("sneaky", sneaky)))
    equal(command.end(), 0)
    check_all_there(command.screen.all(), 1, 1)
    assert "[rank 0] \\u001b[9Aline up" in command.screen.all(), command.screen.all()
    assert "[rank 0] red\\u001b[2J" in command.screen.all(), command.screen.all()


STEPS = r"""'echo kftrain-progress/1 step=1 total=2 loss=0.5; echo line 0; read x < gate; """ \
        r"""echo kftrain-progress/1 step=2 total=2 loss=nan; sleep 0.1'"""


def display_shows_progress_above_the_replicas():
    os.mkfifo("gate")
    command = on_terminal(10, 90, "run", write("job.yaml", JOB % ("steps", STEPS)), "--timeline", "steps.svg")
    command.read_until(r"^\[##########----------\] step 1/2 \(50%\), loss 0\.5$")
    write("gate", "go\n")
    equal(command.end(), 0, "\n".join(command.screen.all()))
    lines = command.screen.all()
    check_all_there(lines, 1, 1)
    equal([line for line in lines if "kftrain-progress" in line or line.startswith("[#")], [], "\n".join(lines))
    assert "  step 2/2 (100%), loss is not finite" in lines, "\n".join(lines)
    picture = ElementTree.parse("steps.svg").getroot()
    equal(picture.find("{http://www.w3.org/2000/svg}title").text, "PyTorchJob default/steps: Succeeded")
    contains("".join(picture.itertext()), "Master 0, rank 0")


if __name__ == "__main__":
    run_test(globals())
