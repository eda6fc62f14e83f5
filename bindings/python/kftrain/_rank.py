"""The program of each rank of `kftrain.train`. Its text is a part of the job: the container has no kftrain.

It uses the standard library of Python 3.8 and newer only.
"""

from __future__ import annotations

import __future__

import ast
import base64
import faulthandler
import glob
import importlib
import json
import linecache
import os
import pickle
import re
import signal
import site
import socket
import subprocess
import sys
import threading
import time
import traceback
import types
import zlib
from typing import Any, NoReturn

# Below PIPE_BUF, so that the lines of other processes of the container do not divide a line.
CHUNK = 3000

PEERS_LIMIT = 30  # seconds that the master waits at its end for pods without an address

END_LIMIT = 60  # seconds in which the variables of the function must be destroyed


class Reporter:
    """Writes what the caller needs into the log, in lines with a random mark."""

    def __init__(self, mark: str) -> None:
        self._mark = mark
        self._file = os.dup(1)  # the function may redirect its output

    def report(self, what: str, data: bytes) -> None:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (AttributeError, OSError, ValueError):
                pass  # closed or replaced by the function
        text = base64.b64encode(data).decode()
        chunks = [text[i : i + CHUNK] for i in range(0, len(text), CHUNK)] or [""]
        for i, chunk in enumerate(chunks, 1):
            line = f"{self._mark} {what} {i}/{len(chunks)} {chunk}\n".encode()
            while line:
                line = line[os.write(self._file, line) :]


def rank_of(pod: str, has_master: bool) -> int:
    """Returns the rank by the name of the pod, which ends with role and index."""
    found = re.search(r"-(master|worker)-(\d+)$", pod)
    if found is None:
        raise RuntimeError(f"expected a pod of a master or a worker, got {pod}")
    return int(found[2]) + (1 if has_master and found[1] == "worker" else 0)


class Peers:
    """Waits until the pods of the other ranks exist, by looking up their names in DNS.

    The operator ends the job with its master. After that it creates no pod, and workers that have not started wait for
    the address of the master.
    """

    def __init__(self, pod: str, workers: int) -> None:
        base = pod.rpartition("-master-")[0]
        self._missing = {f"{base}-worker-{i}" for i in range(workers - 1)}
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        pause = 0.05
        while self._missing:
            for name in list(self._missing):
                try:
                    socket.gethostbyname(name)
                    self._missing.discard(name)
                except OSError:
                    pass
            time.sleep(pause)
            pause = min(1.1 * pause, 1)

    def wait(self) -> None:
        """Waits for the missing pods, at most PEERS_LIMIT seconds. A rank that ended before a look-up stays missing."""
        self._thread.join(PEERS_LIMIT)


def set_paddle_variables(pod: str, rank: int, workers: int) -> None:
    """Sets what paddle.distributed.launch would set, with one process for each pod."""
    base = pod.rpartition("-")[0]
    endpoints = [f"{base}-{i}:36544" for i in range(workers)]
    values = {
        "PADDLE_TRAINER_ID": str(rank),
        "PADDLE_TRAINERS_NUM": str(workers),
        "PADDLE_TRAINER_ENDPOINTS": ",".join(endpoints),
        "PADDLE_CURRENT_ENDPOINT": endpoints[rank],
        "PADDLE_GLOBAL_RANK": str(rank),
        "PADDLE_GLOBAL_SIZE": str(workers),
        "PADDLE_LOCAL_RANK": "0",
        "PADDLE_LOCAL_SIZE": "1",
        "PADDLE_RANK_IN_NODE": "0",
    }
    if not glob.glob("/dev/nvidia[0-9]*"):
        values["PADDLE_DISTRI_BACKEND"] = "gloo"
    for name, value in values.items():
        os.environ.setdefault(name, value)


def install(packages: list[str]) -> None:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
    if subprocess.run(command).returncode != 0:
        raise RuntimeError(f"pip could not install {', '.join(packages)}: see the output of the rank")
    site.addsitedir(site.getusersitepackages())  # where pip installs if the user may not write elsewhere
    importlib.invalidate_caches()


def remove_annotations(function: Any) -> None:
    """Removes the annotations of the parameters and the result."""
    parameters = function.args
    for parameter in ast.walk(parameters):
        if isinstance(parameter, ast.arg):
            parameter.annotation = None
    function.returns = None


def load(call: dict[str, Any]) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    """Returns the function and its arguments."""
    if "cloudpickle" in call:
        here = list(sys.version_info[:2])
        if here != call["python"]:
            expected, got = (".".join(map(str, version)) for version in (call["python"], here))
            raise RuntimeError(f"cloudpickle needs the same version of Python: expected {expected}, got {got}")
        loaded: tuple[Any, tuple[Any, ...], dict[str, Any]] = pickle.loads(base64.b64decode(call["cloudpickle"]))
        return loaded
    file, source = call["file"], call["source"]
    # Not __main__: processes that the function starts with `spawn` would run the program of the caller.
    module = types.ModuleType("kftrain_function")
    if os.path.exists(file):
        module.__file__ = file
    else:
        lines = source.splitlines(keepends=True)
        linecache.cache[file] = (len(source), None, lines, file)  # tracebacks show the lines
    sys.modules[module.__name__] = module
    for statement in call["imports"]:
        exec(statement, module.__dict__)
    tree = ast.parse(source)
    remove_annotations(next(n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)))
    flags = __future__.annotations.compiler_flag if call["future_annotations"] else 0
    exec(compile(tree, file, "exec", flags, dont_inherit=True), module.__dict__)
    args, kwargs = pickle.loads(base64.b64decode(call["arguments"]))
    return module.__dict__[call["name"]], args, kwargs


def text_of(error: BaseException, frames: int) -> str:
    """The traceback without the frames of this program."""
    shown = error.__traceback__
    for _ in range(frames):
        shown = shown.tb_next if shown is not None and shown.tb_next is not None else shown
    lines = traceback.format_exception(type(error), error, shown)
    return "".join(lines)[-60_000:]


def message_of(error: BaseException) -> str:
    try:
        return str(error)[:10_000]
    except Exception as failure:
        return f"<str() of the exception raised {type(failure).__name__}>"


def pickled(value: Any, call: dict[str, Any]) -> bytes:
    if "cloudpickle" in call:
        data: bytes = importlib.import_module("cloudpickle").dumps(value)
    else:
        try:
            data = pickle.dumps(value, protocol=4)
        except Exception as error:
            raise TypeError(f"the result of rank 0, a {type(value).__name__}, cannot be pickled: {error}") from error
    if len(data) > call["limit"]:
        raise ValueError(
            f"the result of rank 0 has {len(data)} bytes, expected at most {call['limit']}: "
            "write it to a file or an object store, and return where it is"
        )
    return data


def end(error: BaseException, reporter: Reporter, call: dict[str, Any], frames: int) -> NoReturn:
    """Reports an exception and ends the process at once, because an orderly end could wait for other ranks."""
    failed = time.time()
    text = text_of(error, frames)
    if call["print_errors"]:
        print(text, end="", file=sys.stderr)
    about = {"type": type(error).__name__, "message": message_of(error), "traceback": text, "time": failed}
    reporter.report("error", json.dumps(about).encode())
    os._exit(1)


def call_held(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], held: list[Any]) -> Any:
    """Calls the function and keeps its local variables in `held` when it returns.

    Their destructors can wait for ever: that of DistributedDataParallel in PyTorch 1.13 does so in rare cases. The
    return of the function is reported before they run.
    """

    def hold(frame: Any, event: str, argument: Any) -> None:
        if event == "call":
            held.append(frame)
            sys.setprofile(None)

    sys.setprofile(hold)
    try:
        return function(*args, **kwargs)
    finally:
        sys.setprofile(None)


def run(call: dict[str, Any]) -> None:
    pod = os.environ.pop("KFTRAIN_POD")
    reporter = Reporter(call["mark"])
    rank = rank_of(pod, call["has_master"])
    # The first process of a container ignores signals that it has no handler for.
    signal.signal(signal.SIGTERM, lambda number, frame: os._exit(143))
    reporter.report("start", json.dumps({"rank": rank}).encode())
    peers = Peers(pod, call["workers"]) if call["has_master"] and rank == 0 else None
    process = os.getpid()  # a process that the function forks may end here, too: it does not report
    function = None
    held: list[Any] = []
    try:
        if "path" in call:
            sys.path[:] = call["path"]
        if "PADDLE_NNODES" in os.environ:
            set_paddle_variables(pod, rank, call["workers"])
        if call["packages"]:
            install(call["packages"])
        function, args, kwargs = load(call)
        sys.argv = [call.get("file", "kftrain")]
        value = call_held(function, args, kwargs, held)
    except SystemExit as stop:
        if os.getpid() != process:
            raise
        if stop.code not in (None, 0):
            end(stop, reporter, call, 2)
        value = None
    except BaseException as error:
        if os.getpid() != process:
            raise
        end(error, reporter, call, 2 if function is not None else 0)
    if os.getpid() != process:
        return
    if rank == 0 and call["returns"]:
        try:
            reporter.report("result", pickled(value, call))
        except Exception as error:
            end(error, reporter, call, 1)
    reporter.report("done", b"")
    if peers is not None:
        peers.wait()
    faulthandler.dump_traceback_later(END_LIMIT, exit=True, file=2)
    held.clear()
    faulthandler.cancel_dump_traceback_later()


def parts(name: str) -> bytes:
    """The data of a variable that is divided, because Linux bounds the length of each."""
    texts: list[str] = []
    while name + str(len(texts)) in os.environ:
        texts.append(os.environ.pop(name + str(len(texts))))
    return zlib.decompress(base64.b64decode("".join(texts)))


if __name__ == "__main__":
    run(json.loads(parts("KFTRAIN_CALL_")))
