"""Rows of the compiler: what including everything costs, and a clean build of the release."""

import os
import shutil
import subprocess
import time

from .builds import compilers
from .processes import need, say
from .rounds import Ratio, interleave, median
from .table import Line, at_most, ratio_line
from .tree import BUILD, ROOT, Broken

INCLUDE_GOAL, BUILD_SECONDS = 0.9, 240


def compiled(folder, header):
    """Processor time of g++ for a file that only includes the header."""
    source = folder / "include.cpp"
    source.write_text(f"#include <{header}>\nint main() {{}}\n")
    before = os.times()
    done = subprocess.run(["g++-12", "-std=c++20", "-O0", f"-I{ROOT}/include", "-c", source, "-o", folder / "include.o"], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False)
    after = os.times()
    if done.returncode:
        raise Broken(f"#include <{header}>: {done.stderr[-600:]}")
    return {"cpu": after.children_user + after.children_system - before.children_user - before.children_system}


def include_rows(session):
    need("g++-12", "g++-12")
    folder = session.new_folder("include")
    runs = {"kftrain": lambda _: compiled(folder, "kftrain/kftrain.hpp"), "peer": lambda _: compiled(folder, "boost/asio.hpp")}
    taken = session.raw["include"] = interleave(session.options.short_rounds, runs)
    return [ratio_line("`#include <kftrain/kftrain.hpp>` at -O0", f"{median(taken['kftrain'], 'cpu'):.2f} s", "`boost/asio.hpp`",
                       f"{median(taken['peer'], 'cpu'):.2f} s", Ratio(taken["kftrain"], taken["peer"], "cpu"), INCLUDE_GOAL)]


def build_rows(session):
    for tool, package in (("g++-12", "g++-12"), ("cmake", "cmake"), ("ninja", "ninja-build")):
        need(tool, package)
    copy = BUILD / "clean"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir(parents=True)
    session.callback(shutil.rmtree, copy, ignore_errors=True)
    for name in ("CMakeLists.txt", "CMakePresets.json", "LICENSE", "cmake", "include", "src", "test", "examples"):
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy2)(ROOT / name, copy / name)
    say("a clean build of the release: some minutes")
    begun = time.monotonic()
    with open(BUILD / "clean.log", "wb") as log:
        for command in (["cmake", "--preset", "release"], ["cmake", "--build", "build/release", "--parallel", str(compilers())]):
            if subprocess.run(command, cwd=copy, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=dict(os.environ, CCACHE_DISABLE="1"),
                              check=False).returncode:
                raise Broken(f"{' '.join(command)}: see {BUILD / 'clean.log'}")
    took = time.monotonic() - begun
    session.raw["build"] = {"wall": took, "compilers": compilers()}
    return [Line(f"clean build of the release, {compilers()} compilers, no cache", f"{took:.0f} s", "", f"{took:.0f} s", f"≤ {BUILD_SECONDS} s",
                 at_most(took, BUILD_SECONDS))]
