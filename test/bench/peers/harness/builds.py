"""Builds the programs below build/peers/bin, each when it is first asked for. Nothing of upstream is kept in this tree."""

import functools
import json
import os
import shutil
import subprocess
import sys

from .processes import need, say
from .tree import BUILD, ROOT, SOURCES, Broken

BIN = BUILD / "bin"
OPERATOR_MODULE = "github.com/kubeflow/training-operator"
KUBERNETES = ("1", "31", "3")
MEMORY_OF_A_COMPILER = 1500  # MB
OWN_PROGRAMS = ("bench_list", "bench_watch", "bench_latency", "bench_create", "bench_server", "bench_operator", "bench_data", "kftrain_cli",
                "kftrain_python")


def make(what, command, folder, env=None):
    """Runs a build at low priority; whatever it prints stands in a log."""
    BIN.mkdir(parents=True, exist_ok=True)
    log = BUILD / f"{what}.log"
    say(f"build {what}: {' '.join(map(str, command))}")
    with open(log, "wb") as output:
        done = subprocess.run(["nice", *map(str, command)], cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                              env=dict(os.environ, **(env or {})), check=False)
    if done.returncode:
        raise Broken(f"cannot build {what}: {log.read_text(errors='replace')[-1500:]}")


@functools.cache
def go_programs():
    """The canned server, the client and the driver."""
    go = need("go", "golang 1.23 or newer")
    make("go-programs", [go, "build", "-o", f"{BIN}/", "./canned", "./client", "./driver"], SOURCES / "clients")


def go_program(name):
    go_programs()
    return BIN / name


@functools.cache
def kube_rs_client():
    cargo = need("cargo", "rustup")
    target = BUILD / "cargo"
    make("kube-rs", [cargo, "build", "--release", "--locked", "--target-dir", target], SOURCES / "kube_rs")
    return target / "release/kube_rs_client"


@functools.cache
def kube_apiserver():
    """Takes some minutes the first time."""
    go = need("go", "golang 1.23 or newer")
    version = "k8s.io/component-base/version"
    flags = ["-s", "-w", "-X", f"{version}.gitVersion=v{'.'.join(KUBERNETES)}", "-X", f"{version}.gitMajor={KUBERNETES[0]}",
             "-X", f"{version}.gitMinor={KUBERNETES[1]}"]
    make("kube-apiserver", [go, "build", "-ldflags", " ".join(flags), "-o", BIN / "kube-apiserver", "."], SOURCES / "apiserver")
    return BIN / "kube-apiserver"


@functools.cache
def etcd():
    """For who wants one that is newer than the distribution's."""
    make("etcd", [need("go", "golang 1.23 or newer"), "build", "-ldflags", "-s -w", "-o", BIN / "etcd", "."], SOURCES / "etcd")
    return BIN / "etcd"


@functools.cache
def operator_source():
    """The folder of the training-operator's module, whose content the go.sum of the Go programs fixes."""
    go = need("go", "golang 1.23 or newer")
    done = subprocess.run([go, "mod", "download", "-json", OPERATOR_MODULE], cwd=SOURCES / "clients", stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False)
    if done.returncode:
        raise Broken(f"cannot fetch {OPERATOR_MODULE}: {done.stdout[-300:]}{done.stderr[-300:]}")
    return json.loads(done.stdout)["Dir"]


def substitute(path, old, new):
    text = path.read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise Broken(f"{path}: {old!r} stands there {text.count(old)} times, expected once")
    path.write_text(text.replace(old, new), encoding="utf-8")


def newer(made, sources):
    return made.exists() and all(made.stat().st_mtime > os.stat(source).st_mtime for source in sources)


@functools.cache
def training_operator():
    """Upstream's program from a copy of its source, with two changes: its clients have no limits, and it looks for its certificates in
    TMPDIR instead of in /tmp, so that nothing of the machine is touched."""
    made, addition = BIN / "training-operator", SOURCES / "training_operator/unlimited.go"
    if newer(made, [addition, SOURCES / "clients/go.mod", __file__]):
        return made
    copy = BUILD / "training-operator"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(operator_source(), copy, ignore=shutil.ignore_patterns("docs", "examples", "sdk", "test"))
    subprocess.run(["chmod", "-R", "u+w", copy], check=True)  # the module cache is read-only
    program = copy / "cmd/training-operator.v1"
    shutil.copy(addition, program)
    substitute(program / "main.go", "ctrl.NewManager(ctrl.GetConfigOrDie(),", "ctrl.NewManager(unlimited(ctrl.GetConfigOrDie()),")
    substitute(copy / "pkg/cert/cert.go", "CertDir:        certDir,", 'CertDir: os.TempDir() + "/k8s-webhook-server/serving-certs",')
    make("training-operator", [need("go", "golang 1.23 or newer"), "build", "-ldflags", "-s -w", "-o", made, "./cmd/training-operator.v1"], copy)
    return made


def compilers():
    """As scripts/build: one for each core that has memory enough."""
    with open("/proc/meminfo", encoding="utf-8") as file:
        free = next(int(line.split()[1]) // 1024 for line in file if line.startswith("MemAvailable"))
    return max(1, min(os.cpu_count(), free // MEMORY_OF_A_COMPILER))


class Kftrain:
    """The programs of this project: built in the preset `release`, or those of a folder that somebody else has built."""

    def __init__(self, folder=None):
        self.folder = folder or ROOT / "build/release/bin"
        self.made = folder is not None

    def python(self):
        """The folder of the Python package, beside that of the programs."""
        self.build()
        return self.folder.parent / "python"

    def program(self, name):
        self.build()
        path = self.folder / name
        if not path.exists():
            raise Broken(f"no {path}")
        return path

    def build(self):
        if self.made:
            return
        need("g++-12", "g++-12")
        need("ninja", "ninja-build")
        make("configure", [need("cmake", "cmake"), "--preset", "release", "-DKFTRAIN_BUILD_PYTHON=ON", f"-DPython3_EXECUTABLE={sys.executable}"],
             ROOT)
        make("kftrain", ["ninja", "-C", ROOT / "build/release", "-j", compilers(), *OWN_PROGRAMS], ROOT)
        self.made = True
