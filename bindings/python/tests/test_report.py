"""The module that a training program imports to report its progress."""

import io
import os
import shutil
import subprocess
import sys

import pytest

from kftrain import report as module
from kftrain.report import Reporter


@pytest.fixture
def clock(monkeypatch):
    class Clock:
        now = 100.0

    monkeypatch.setattr(module.time, "monotonic", lambda: Clock.now)
    for name in ("OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "LOCAL_RANK"):
        monkeypatch.delenv(name, raising=False)
    return Clock


def lines(stream):
    return stream.getvalue().splitlines()


def test_a_thousand_reports_a_second_write_one_line(clock):
    out = io.StringIO()
    reporter = Reporter(stream=out)
    for step in range(1, 3001):
        reporter.report(step, loss=0.5)
        clock.now += 0.001
    assert [line.split()[1] for line in lines(out)] == ["step=1", "step=1001", "step=2001"]
    reporter.flush()
    assert lines(out)[-1] == "kftrain-progress/1 step=3000 loss=0.5"
    reporter.flush()
    assert len(lines(out)) == 4


def test_the_last_step_is_written_at_once(clock):
    out = io.StringIO()
    reporter = Reporter(total=10, stream=out)
    for step in range(1, 11):
        reporter.report(step)
    assert lines(out) == ["kftrain-progress/1 step=1 total=10", "kftrain-progress/1 step=10 total=10 left=0"]


def test_all_fields_and_the_time_left(clock):
    out = io.StringIO()
    reporter = Reporter(total=1000, unit="samples/s", stream=out)
    reporter.report(100)
    clock.now += 5
    reporter.report(150, epoch=2, loss=0.53125, rate=812.5)
    assert lines(out)[1] == (
        "kftrain-progress/1 step=150 total=1000 epoch=2 loss=0.53125 rate=812.5 unit=samples/s left=85"
    )  # 10 steps a second
    clock.now += 5
    reporter.report(160, left=3.6, rate=1, unit="it/s")
    assert lines(out)[2].endswith("rate=1 unit=it/s left=4")


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"loss": float("nan")}, "step=1 loss=nan"),
        ({"loss": float("-inf")}, "step=1 loss=-inf"),
        ({"loss": 1e308}, "step=1 loss=1e+308"),
        ({"loss": "x"}, "step=1"),
        ({"rate": float("nan"), "unit": "s"}, "step=1"),
        ({"rate": -1}, "step=1"),
        ({"rate": 2, "unit": "a b"}, "step=1 rate=2"),
        ({"rate": 2, "unit": "x" * 17}, "step=1 rate=2"),
        ({"total": -1, "epoch": 2**60}, "step=1"),
        ({"total": float("inf")}, "step=1"),
        ({"left": -1}, "step=1"),
        ({"left": 1e300}, "step=1"),
    ],
)
def test_values_that_cannot_be_written_are_left_out(clock, fields, line):
    out = io.StringIO()
    Reporter(stream=out).report(1, **fields)
    assert lines(out) == ["kftrain-progress/1 " + line]


@pytest.mark.parametrize("step", [-1, None, "x", float("nan"), 2**60])
def test_a_report_without_a_step_is_not_written(clock, step):
    out = io.StringIO()
    Reporter(stream=out, total=5).report(step)
    assert out.getvalue() == ""


def test_values_are_converted_for_written_lines_only(clock):
    class Tensor:
        reads = 0

        def __float__(self):
            Tensor.reads += 1
            return 0.25

    out = io.StringIO()
    reporter = Reporter(stream=out)
    for step in range(1000):
        reporter.report(step, loss=Tensor())
    assert Tensor.reads == 1
    assert lines(out) == ["kftrain-progress/1 step=0 loss=0.25"]


@pytest.mark.parametrize("name", ["LOCAL_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"])
def test_one_process_of_a_log_writes(clock, monkeypatch, name):
    for rank, written in (("0", 1), ("1", 0)):
        monkeypatch.setenv(name, rank)
        out = io.StringIO()
        Reporter(stream=out).report(1)
        assert len(lines(out)) == written


def test_a_broken_stream_is_no_error(clock):
    class Broken:
        def write(self, text):
            raise BrokenPipeError

    Reporter(stream=Broken()).report(1)
    closed = io.StringIO()
    closed.close()
    Reporter(stream=closed).report(1)


class Tensor:
    """A tensor of several elements."""

    def __float__(self):
        raise RuntimeError("a Tensor with 2 elements cannot be converted to Scalar")

    __int__ = __str__ = __float__


def test_values_that_cannot_be_converted_are_left_out(clock):
    out = io.StringIO()
    reporter = Reporter(stream=out)
    reporter.report(1, epoch=Tensor(), loss=Tensor(), rate=1, unit=Tensor(), left=Tensor())
    assert lines(out) == ["kftrain-progress/1 step=1 rate=1"]
    clock.now += 5
    reporter.report(Tensor())
    assert len(lines(out)) == 1


def test_one_copied_file_is_enough(tmp_path):
    shutil.copy(module.__file__, tmp_path / "report.py")
    program = "import sys; sys.path.insert(0, '.'); from report import report\nfor i in range(9): report(i, total=10)"
    environment = {key: value for key, value in os.environ.items() if not key.endswith("RANK")}
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        check=True,
    )
    lines = done.stdout.splitlines()
    first, last = lines[0], lines[-1]  # the last one at the end of the process
    assert first == "kftrain-progress/1 step=0 total=10"
    assert last.startswith("kftrain-progress/1 step=8 total=10 left=")
    assert done.stderr == ""
