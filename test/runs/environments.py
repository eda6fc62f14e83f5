"""The frameworks that runs need: how they are installed, where their interpreter is, and what an installation costs."""

import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field

SOURCES = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir))
CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "kftrain", "runs")


@dataclass
class Environment:
    """Packages of Debian by parts of scripts/setup, and packages of PyPI in a virtual environment."""

    name: str
    megabytes: int  # installed, in the cache directory
    seconds: int  # to install, on two cores
    version: str  # prints the version
    setup: tuple = ("run",)
    packages: tuple = ()
    without_dependencies: tuple = ()  # installed after `packages`, and built with them
    system_packages: bool = False  # the virtual environment sees Debian's Python packages
    interpreter: str = "/usr/bin/python3"  # without packages of PyPI
    build: list = field(default_factory=list)  # commands that make the packages; {venv} and {folder} are replaced

    @property
    def python(self):
        return os.path.join(CACHE, self.name, "bin", "python3") if self.packages else self.interpreter

    @property
    def is_ready(self):
        return not self.packages or os.path.exists(os.path.join(CACHE, self.name, "ready"))


HOROVOD_BUILD = {
    "HOROVOD_WITH_PYTORCH": "1", "HOROVOD_WITHOUT_TENSORFLOW": "1", "HOROVOD_WITHOUT_MXNET": "1",
    "HOROVOD_WITHOUT_MPI": "1", "HOROVOD_WITH_GLOO": "1", "HOROVOD_CPU_OPERATIONS": "GLOO", "MAKEFLAGS": "-j1"}

MPI_VERSION = ("import re; from mpi4py import MPI; "
               "print(re.search(r'\\d+[.]\\d+[.]\\d+', MPI.Get_library_version()).group())")

ENVIRONMENTS = {e.name: e for e in (
    Environment("pytorch", 0, 0, "import torch; print(torch.__version__)"),
    Environment("mpi", 0, 0, MPI_VERSION, setup=("mpi",)),
    Environment("debian", 0, 0, "import torch; from mpi4py import MPI; print(torch.__version__)", setup=("mpi", "run")),
    Environment("mpich", 65, 5, MPI_VERSION, setup=("mpi", "venv"), packages=("mpi4py==4.1.2", "mpich==5.0.2")),
    Environment("intelmpi", 325, 10, MPI_VERSION, setup=("mpi", "venv"),
                packages=("mpi4py==4.1.2", "impi-rt==2021.18.1")),
    Environment("jax", 622, 20, "import jax; print(jax.__version__)", packages=("jax==0.10.2",), setup=("venv",)),
    Environment("xgboost", 259, 10, "import xgboost; print(xgboost.__version__)", setup=("venv",),
                packages=("xgboost-cpu==3.2.0", "numpy", "scipy")),
    Environment("mxnet", 296, 10, "import mxnet; print(mxnet.__version__)", setup=("venv",),
                packages=("numpy==1.23.5", "requests", "graphviz<0.9", "mxnet==1.9.1")),
    Environment("tensorflow", 1544, 30, "import tensorflow; print(tensorflow.__version__)", setup=("venv",),
                packages=("tensorflow-cpu==2.21.0",)),
    Environment("paddle", 868, 20, "import paddle; print(paddle.__version__)", setup=("venv",),
                packages=("paddlepaddle==3.3.1",)),
    Environment("ray", 300, 15, "import ray; print(ray.__version__)", setup=("venv",),
                packages=("ray[client]==2.60.0",)),
    # Later versions need PyTorch 2.
    Environment("accelerate", 38, 5, "import accelerate; print(accelerate.__version__)", setup=("venv",),
                system_packages=True, without_dependencies=("accelerate==0.30.1",),
                packages=("huggingface_hub<0.26", "packaging", "psutil", "pyyaml", "safetensors")),
    # Chainer uses names that numpy 1.24 removed, and its setup.py needs an old setuptools.
    Environment("chainer", 112, 6, "import chainer; print(chainer.__version__)", setup=("mpi", "venv"),
                system_packages=True, without_dependencies=("chainer==7.8.1",),
                packages=("numpy==1.23.5", "protobuf<3.21", "setuptools<70", "wheel", "six", "filelock",
                          "typing_extensions")),
    # 0.14 works with PyTorch 1.13. On CPUs it needs this one part of its C++ code, which it would build at each start.
    Environment("deepspeed", 53, 75, "import importlib.metadata as m; print(m.version('deepspeed'))",
                setup=("mpi", "horovod"), system_packages=True,
                packages=("hjson", "packaging", "psutil", "py-cpuinfo", "pydantic", "tqdm", "setuptools<70", "wheel"),
                build=[["env", "DS_BUILD_OPS=0", "DS_BUILD_SHM_COMM=1", "DS_ACCELERATOR=cpu", "MAX_JOBS=1",
                        "{venv}/bin/pip", "-q", "install", "--no-cache-dir", "--no-deps", "--no-build-isolation",
                        "deepspeed==0.14.5"]]),
    # Only its source is published. With `pip install` of the archive, a failure would compile everything again.
    Environment("horovod", 90, 300, "import horovod; print(horovod.__version__)", setup=("horovod",),
                system_packages=True,
                packages=("wheel", "cloudpickle", "psutil", "pyyaml", "packaging", "cffi>=1.4.0", "setuptools<70"),
                build=[["{venv}/bin/pip", "-q", "download", "--no-deps", "--no-binary", ":all:", "--no-build-isolation",
                        "horovod==0.28.1"],
                       ["tar", "xf", "horovod-0.28.1.tar.gz", "--strip-components=1"],
                       ["{venv}/bin/python3", "setup.py", "-q", "bdist_wheel", "-d", "{folder}/dist"],
                       ["sh", "-c", "{venv}/bin/pip -q install --no-deps {folder}/dist/horovod-*.whl"]]),
)}


def execute(command, **options):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False, **options)
    if done.returncode:
        sys.stderr.write(done.stdout)
        raise OSError(f"{' '.join(command)}: exit code {done.returncode}")


def install(environment):
    """Installs what is missing. Raises OSError with the command that failed."""
    for part in environment.setup:
        execute([os.path.join(SOURCES, "scripts", "setup"), part])
    if environment.is_ready:
        return
    venv = os.path.join(CACHE, environment.name)
    print(f"== {environment.name}: installing into {venv}, about {environment.megabytes} MB and "
          f"{environment.seconds} s", flush=True)
    begun = time.monotonic()
    shutil.rmtree(venv, ignore_errors=True)  # of an interrupted installation
    os.makedirs(CACHE, exist_ok=True)
    execute(["/usr/bin/python3", "-m", "venv", *(["--system-site-packages"] if environment.system_packages else []),
             venv])
    execute([os.path.join(venv, "bin", "pip"), "-q", "install", *environment.packages])
    if environment.without_dependencies:
        execute([os.path.join(venv, "bin", "pip"), "-q", "install", "--no-deps", "--no-build-isolation",
                 *environment.without_dependencies])
    if environment.build:
        folder = os.path.join(venv, "build")
        os.makedirs(folder)
        for command in environment.build:
            execute([word.format(venv=venv, folder=folder) for word in command], cwd=folder,
                    env={**os.environ, **HOROVOD_BUILD})
        shutil.rmtree(folder)
    execute([environment.python, "-c", environment.version])
    with open(os.path.join(venv, "ready"), "w", encoding="utf-8"):
        pass
    size = subprocess.run(["du", "-sm", venv], stdout=subprocess.PIPE, text=True, check=True).stdout.split()[0]
    print(f"== {environment.name}: {size} MB after {time.monotonic() - begun:.0f} s", flush=True)


def version(environment):
    done = subprocess.run([environment.python, "-c", environment.version], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=False, timeout=120)
    return done.stdout.strip().splitlines()[-1] if done.returncode == 0 and done.stdout.strip() else "?"
