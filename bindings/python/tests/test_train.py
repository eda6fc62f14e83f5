import math
import os
import os.path as paths
import pickle
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time
import xml.etree.ElementTree
from collections import OrderedDict

import pytest
from conftest import SOURCES, run_program

import kftrain
from kftrain import _progress, _train_job, _train_run
from kftrain.local import LocalCluster

BATCH = 32


@pytest.fixture(autouse=True)
def no_jobs_stay(client):
    yield
    assert client.list() == []


def report(first, *, second=2):
    print(f"rank {os.environ['RANK']} of {os.environ['WORLD_SIZE']}")
    print("no line end", end="")
    return int(os.environ["RANK"]), first + second


def test_a_function_runs_in_all_ranks_and_rank_0_returns_its_value(client):
    lines = []
    result = kftrain.train(
        report, [1], {"second": 5}, workers=3, client=client, returns=True, output=lines.append, name="report"
    )
    assert result == (0, 6)
    assert sorted((line.rank, line.text, line.pod) for line in lines) == [
        (0, "no line end", "report-master-0"),
        (0, "rank 0 of 3", "report-master-0"),
        (1, "no line end", "report-worker-0"),
        (1, "rank 1 of 3", "report-worker-0"),
        (2, "no line end", "report-worker-1"),
        (2, "rank 2 of 3", "report-worker-1"),
    ]


def test_the_output_is_printed_with_the_rank(client, capsys):
    assert kftrain.train(report, [1], client=client) is None
    assert capsys.readouterr().out == "[0] rank 0 of 1\n[0] no line end\n"
    kftrain.train(report, [1], client=client, output=False)
    assert capsys.readouterr().out == ""


def variables(names):
    return {name: os.environ.get(name) for name in names}


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("PyTorchJob", {"RANK": "0", "WORLD_SIZE": "2"}),
        ("xgboostjob", {"RANK": "0", "WORLD_SIZE": "2", "MASTER_ADDR": "kind-master-0"}),
        ("JAXJob", {"PROCESS_ID": "0", "NUM_PROCESSES": "2", "COORDINATOR_ADDRESS": "kind-worker-0"}),
        (
            "PaddleJob",
            {
                "PADDLE_TRAINER_ID": "0",
                "PADDLE_TRAINERS_NUM": "2",
                "PADDLE_TRAINER_ENDPOINTS": "kind-worker-0:36544,kind-worker-1:36544",
                "PADDLE_CURRENT_ENDPOINT": "kind-worker-0:36544",
            },
        ),
    ],
)
def test_the_operator_of_the_kind_sets_the_variables(client, kind, expected):
    found = kftrain.train(
        variables, [list(expected)], kind=kind, workers=2, client=client, returns=True, output=False, name="kind"
    )
    assert found == expected


def test_a_tf_job_has_a_cluster_of_workers(client):
    def task():
        import json

        config = json.loads(os.environ["TF_CONFIG"])
        return config["task"], len(config["cluster"]["worker"])

    found = kftrain.train(task, kind="TFJob", workers=2, client=client, returns=True, output=False)
    assert found == ({"type": "worker", "index": 0}, 2)


@pytest.mark.parametrize("kind", ["MPIJob", "Job", "nonsense"])
def test_other_kinds_are_refused(client, kind):
    with pytest.raises(ValueError, match="one of: PyTorchJob, TFJob, JAXJob, XGBoostJob, PaddleJob"):
        kftrain.train(report, [1], kind=kind, client=client)


def use_the_environment(names):
    return sys.executable, os.getcwd(), [entry for entry in sys.path if entry], {n: os.environ.get(n) for n in names}


def test_ranks_have_the_environment_of_the_caller(client, monkeypatch, tmp_path):
    monkeypatch.setenv("TRAIN_TEXT", "a $(HOME) $$ b")
    monkeypatch.setitem(os.environb, b"TRAIN_BYTES", b"\xff")
    monkeypatch.setenv("RANK", "7")  # the operator sets its own
    monkeypatch.chdir(tmp_path)
    executable, folder, path, found = kftrain.train(
        use_the_environment,
        [["TRAIN_TEXT", "TRAIN_BYTES", "RANK", "MORE", "KFTRAIN_POD", "KFTRAIN_PROGRAM", "KFTRAIN_CALL_0"]],
        client=client,
        env={"MORE": "1"},
        returns=True,
        output=False,
    )
    assert (executable, folder) == (sys.executable, str(tmp_path))
    assert path == [os.path.abspath(entry) for entry in sys.path]
    assert found == {
        "TRAIN_TEXT": "a $(HOME) $$ b",
        "TRAIN_BYTES": None,
        "RANK": "0",
        "MORE": "1",
        "KFTRAIN_POD": None,
        "KFTRAIN_PROGRAM": None,
        "KFTRAIN_CALL_0": None,
    }


def use_imports(size: "BATCH" = 1):
    element: xml.etree.ElementTree.Element = xml.etree.ElementTree.Element("a")
    return math.sqrt(4), paths.basename("a/b"), element.tag, OrderedDict(a=size), pytorch_job_of_another_module("x")[:3]


def pytorch_job_of_another_module(name):
    return name


def test_modules_and_importable_objects_are_imported_in_the_rank(client):
    result = kftrain.train(use_imports, client=client, returns=True, output=False)
    assert result == (2.0, "b", "a", OrderedDict(a=1), "x")


def test_a_nested_function_and_its_own_name_are_carried(client):
    def factorial(n: int) -> int:
        text = """
a text without indentation"""
        assert text.startswith("\na")
        return 1 if n == 0 else n * factorial(n - 1)

    assert kftrain.train(factorial, [5], client=client, returns=True, output=False) == 120


def uses_a_constant():
    return BATCH


def test_values_from_outside_the_source_are_rejected_by_name(client):
    rate, later = 0.1, lambda: 1

    def closure():
        return rate, later()

    with pytest.raises(ValueError, match="'closure' uses 'later' of the enclosing function .function. and 'rate' of"):
        kftrain.train(closure, client=client)
    with pytest.raises(ValueError, match="'BATCH' of its module .int."):
        kftrain.train(uses_a_constant, client=client)

    def default(size=BATCH):
        return size

    with pytest.raises(ValueError, match="'BATCH'"):
        kftrain.train(default, client=client)
    with pytest.raises(TypeError, match="lambda"):
        kftrain.train(lambda: 1, client=client)
    with pytest.raises(TypeError, match="builtin_function_or_method"):
        kftrain.train(print, client=client)
    with pytest.raises(TypeError, match="bound method"):
        kftrain.train(LocalCluster().stop, client=client)
    with open(os.devnull) as file, pytest.raises(ValueError, match="cannot be carried"):
        kftrain.train(report, [file], client=client)
    made = {}
    exec("def typed():\n    return 1", made)
    with pytest.raises(ValueError, match="source of 'typed' is not available"):
        kftrain.train(made["typed"], client=client)

    async def asynchronous():
        pass

    with pytest.raises(TypeError, match="asynchronous"):
        kftrain.train(asynchronous, client=client)

    def generator():
        yield 1

    with pytest.raises(TypeError, match="generator"):
        kftrain.train(generator, client=client)


def test_arguments_that_the_function_does_not_take_are_refused(client):
    with pytest.raises(TypeError, match="arguments of 'report': missing a required argument: 'first'"):
        kftrain.train(report, client=client)
    with pytest.raises(TypeError, match="unexpected keyword argument 'third'"):
        kftrain.train(report, [1], {"third": 3}, client=client)
    with pytest.raises(TypeError, match="args: expected a list of arguments, got str"):
        kftrain.train(report, "1", client=client)
    with pytest.raises(ValueError, match="workers: expected at least 1, got 0"):
        kftrain.train(report, [1], workers=0, client=client)


def use_a_process():
    import multiprocessing

    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(math.sqrt, [4]), __name__, os.path.basename(__file__)


def test_a_process_of_the_function_does_not_run_the_program(client):
    found = kftrain.train(use_a_process, client=client, returns=True, output=False)
    assert found == (2.0, "kftrain_function", "test_train.py")


def fail_in(rank):
    print("before", flush=True)
    if os.environ["RANK"] == str(rank):
        raise KeyError("lost")
    import time

    time.sleep(60)


@pytest.mark.parametrize("how", ["return", "sys.exit(3)", "sys.exit(0)", "raise ValueError('of the child')"])
def test_a_forked_process_does_not_report_for_the_rank(client, how):
    def fork(how):
        child = os.fork()
        if child == 0:
            if how != "return":
                exec(how)
            return "child"
        os.waitpid(child, 0)
        time.sleep(0.2)
        return "parent"

    assert kftrain.train(fork, [how], client=client, returns=True, output=False) == "parent"


def test_an_exception_in_a_rank_is_raised_with_its_traceback(client):
    with pytest.raises(kftrain.RankError) as caught:
        kftrain.train(fail_in, [1], workers=2, client=client, output=False)
    error = caught.value
    assert (error.rank, error.exception, error.others, error.code) == (1, "KeyError", (), "rank_failed")
    assert error.traceback.startswith("Traceback")
    assert f'File "{__file__}", line {fail_in.__code__.co_firstlineno + 3}, in fail_in\n' in error.traceback
    assert 'raise KeyError("lost")' in error.traceback and "<kftrain>" not in error.traceback
    again = pickle.loads(pickle.dumps(error))
    assert (again.rank, str(again)) == (1, str(error))


def test_the_first_failure_is_raised(client, tmp_path):
    def fail(failed):
        import fcntl
        import time

        if os.environ["RANK"] == "2":
            file = open(failed + ".new", "w")
            fcntl.flock(file, fcntl.LOCK_EX)  # until the end of the process
            os.rename(failed + ".new", failed)
        else:  # as a rank that notices that a peer is lost
            while not os.path.exists(failed):
                time.sleep(0.02)
            with open(failed) as file:
                fcntl.flock(file, fcntl.LOCK_SH)
        raise RuntimeError("rank " + os.environ["RANK"])

    with pytest.raises(kftrain.RankError) as caught:
        kftrain.train(fail, [str(tmp_path / "failed")], workers=3, client=client, output=False)
    assert caught.value.rank == 2
    assert all(other.rank != 2 for other in caught.value.others)


def test_resources_have_limits_or_requests(client):
    with pytest.raises(ValueError, match="resources: expected limits or requests, got 'gpu'"):
        kftrain.train(fail_in, [1], client=client, resources={"gpu": 1})


def end_with(code):
    os._exit(code)


def test_an_exception_without_a_text_keeps_its_name(client):
    def fail():
        class Broken(Exception):
            def __str__(self):
                raise KeyError("x")

        raise Broken

    with pytest.raises(kftrain.RankError, match=r"raised Broken: <str\(\) of the exception raised KeyError>") as caught:
        kftrain.train(fail, client=client, output=False)
    assert caught.value.exception == "Broken" and "raise Broken" in caught.value.traceback


def test_a_rank_that_ends_without_an_exception_is_reported(client):
    with pytest.raises(kftrain.RankError, match="rank 0 ended before the function returned.*exit code 3") as caught:
        kftrain.train(end_with, [3], client=client, output=False)
    assert (caught.value.rank, caught.value.exception) == (0, "")
    assert kftrain.train(end_with, [0], client=client, output=False) is None
    with pytest.raises(kftrain.RankError, match="before it could report its result"):
        kftrain.train(end_with, [0], client=client, output=False, returns=True)


def large(size, character="x"):
    return character * size


def test_a_result_has_a_largest_size(client):
    size = (1 << 20) - 100
    assert kftrain.train(large, [size], client=client, returns=True, output=False) == "x" * size
    with pytest.raises(kftrain.RankError, match="result of rank 0 has .* bytes, expected at most 1048576"):
        kftrain.train(large, [1 << 20], client=client, returns=True, output=False)
    kftrain.train(large, [1 << 20], client=client, output=False)


def test_arguments_have_a_largest_size(client):
    data = os.urandom(200_000)  # more than one variable holds
    assert kftrain.train(large, [1, data], client=client, returns=True, output=False) == data
    with pytest.raises(ValueError, match="expected at most 524288: load large data in the function"):
        kftrain.train(large, [1, os.urandom(500_000)], client=client)


def children(process):
    for thread in os.listdir(f"/proc/{process}/task"):
        with open(f"/proc/{process}/task/{thread}/children") as file:
            yield from map(int, file.read().split())


def test_a_local_cluster_that_ends_by_itself_ends_the_training():
    def work():
        print("begun", flush=True)
        time.sleep(60)

    before = set(children(os.getpid()))
    cluster = LocalCluster().start()
    path, client = cluster.kubeconfig, cluster.client()
    helpers = set(children(os.getpid())) - before

    def end(line):
        for helper in helpers:
            os.kill(helper, signal.SIGKILL)

    with pytest.raises(kftrain.Error, match="sandbox helper failed"):
        kftrain.train(work, client=cluster, output=end, timeout=20)
    for use in (cluster.client, cluster.stop):
        with pytest.raises(kftrain.Error, match="sandbox helper failed"):
            use()
    assert not os.path.exists(path)
    with pytest.raises(kftrain.Error, match="the local cluster has ended"):
        client.list()


def test_all_clients_are_closed_at_the_end_if_one_fails():
    program = """
    import kftrain, weakref
    from kftrain import _shared
    class Client:
        def __init__(self, fails): self.fails = fails
        def close(self):
            print("closed")
            if self.fails: raise kftrain.Error("failed")
    clients = [Client(True), Client(True), Client(False)]
    for client in clients: _shared.open_clients.add(client)
    """
    result = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=60
    )
    assert (result.stdout, result.stderr) == ("closed\n" * 3, "kftrain: failed\n" * 2)


class LossyLines:
    """Lines of a log of which the reports of the ranks are lost."""

    def __init__(self, lines):
        self._lines = lines

    def next(self, timeout):
        try:
            line = self._lines.next(timeout=timeout)
            while "kftrain-" in line.text:
                line = self._lines.next(timeout=timeout)
            return line
        except StopIteration:
            raise kftrain.Incomplete("the log was rotated") from None

    def position(self):
        return self._lines.position()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self._lines.close()


def test_lost_output_is_a_note(client, monkeypatch, capsys):
    logs, lossy = kftrain.Client.logs, []

    def lose(self, *args, **options):
        lines = logs(self, *args, **options)
        return LossyLines(lines) if "position" in options or lossy else lines

    monkeypatch.setattr(kftrain.Client, "logs", lose)
    assert kftrain.train(report, [1], workers=2, client=client, returns=True) == (0, 3)
    notes = capsys.readouterr().err.splitlines()
    assert notes.count("kftrain: a part of the output is missing: the log was rotated") == 1

    def fail():
        raise ValueError("no data")

    with pytest.raises(kftrain.RankError, match="rank 0 raised ValueError: no data"):
        kftrain.train(fail, client=client, output=False)
    lossy.append(True)
    with pytest.raises(kftrain.RankError, match="the result of rank 0 was lost: the log was rotated"):
        kftrain.train(report, [1], client=client, returns=True, output=False)
    assert capsys.readouterr().err == ""


def test_output_that_looks_like_a_report_is_output(client):
    def imitate():
        print("kftrain-0123456789abcdef01234567 done 1/1 ")
        print("kftrain-0123456789abcdef01234567 result 1/1 gASVBQAAAAAAAACMAWGULg==")
        return "b"

    lines = []
    assert kftrain.train(imitate, client=client, returns=True, output=lines.append) == "b"
    assert len(lines) == 2


def outlive_the_job(file):
    import time

    while os.environ["RANK"] == "1" and not os.path.exists(file):
        time.sleep(0.05)
    print("the last line")


def test_a_rank_that_runs_longer_than_the_job_is_waited_for(client, tmp_path):
    def release():
        while client.wait("pytorchjob.v1/long", timeout=60) is None:
            time.sleep(0.05)
        time.sleep(1.5)  # until the stream of the output has ended
        (tmp_path / "go").touch()

    waiting = threading.Thread(target=release)
    waiting.start()
    lines = []
    kftrain.train(
        outlive_the_job, [str(tmp_path / "go")], client=client, workers=2, name="long", output=lines.append, timeout=60
    )
    waiting.join()
    assert sorted(line.rank for line in lines) == [0, 1]


def test_a_time_limit_removes_the_job(client):
    with pytest.raises(kftrain.Timeout, match="did not end within 0.3 seconds"):
        kftrain.train(fail_in, [5], client=client, output=False, timeout=0.3)


def test_a_time_limit_includes_the_search_for_causes(job):
    limits = []

    class SlowClient:
        def explain(self, job, timeout):
            limits.append(timeout)
            raise kftrain.Timeout("no answer")

        def watch(self, job):
            return self

        def next(self, timeout):
            limits.append(timeout)
            raise kftrain.Timeout("no answer")

        def __enter__(self):
            return self

        def __exit__(self, *exception):
            pass

    run = _train_run.Run(
        SlowClient(),
        job,
        "mark",
        container="pytorch",
        workers=1,
        has_master=True,
        output=False,
        progress=_progress.Progress(),
        timeout=2,
    )
    assert run._find_cause() == ""
    run._check_unreported()
    assert len(limits) == 2 and all(0 < limit <= 2 for limit in limits)


def test_a_job_is_kept_on_request(client, capsys):
    kftrain.train(report, [1], client=client, name="kept", keep=True, output=False)
    assert "kept: PyTorchJob kept" in capsys.readouterr().err
    assert kftrain.phase(client.wait("pytorchjob.v1/kept", timeout=60)) == "Succeeded"
    client.delete("pytorchjob.v1/kept", wait=True)


KEEP = """
    import gc, os, re, sys
    import kftrain

    def work():
        print("done")

    stderr, sys.stderr = sys.stderr, open("notes", "w")
    kftrain.train(work, name="kept", keep=True)
    gc.collect()
    notes = open("notes").read()
    with kftrain.Client(re.search("KUBECONFIG=(.*)", notes)[1]) as client:
        print([job.metadata.name for job in client.list()])
    print(notes.count("is kept"))
"""


def test_a_cluster_is_kept_until_the_process_ends(tmp_path):
    (tmp_path / "program.py").write_text(textwrap.dedent(KEEP))
    result = subprocess.run(
        [sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert (result.stdout, result.stderr, result.returncode) == ("[0] done\n['kept']\n2\n", "", 0)
    assert not os.path.exists(re.search("KUBECONFIG=(.*)", (tmp_path / "notes").read_text())[1])


def test_a_job_that_the_server_refuses_is_not_announced_as_kept(capsys):
    with pytest.raises(kftrain.Error):
        kftrain.train(report, [1], namespace="none", keep=True)
    assert "kept" not in capsys.readouterr().err


def test_a_job_of_the_same_name_is_left_alone(client):
    kftrain.train(report, [1], client=client, name="taken", keep=True, output=False)
    uid = client.get("pytorchjob.v1/taken").metadata.uid
    with pytest.raises(kftrain.AlreadyExists):
        kftrain.train(report, [1], client=client, name="taken", output=False)
    assert client.get("pytorchjob.v1/taken").metadata.uid == uid
    client.delete("pytorchjob.v1/taken", wait=True)


def test_fields_without_an_argument_are_set_by_edit(client):
    def edit(job):
        job.metadata.labels["team"] = "vision"
        assert job.spec.pytorch_replica_specs["Master"].template.spec.containers[0].resources.limits["cpu"] == "1"

    kftrain.train(report, [1], client=client, edit=edit, resources={"limits": {"cpu": "1"}}, output=False)


def test_edit_must_keep_the_ranks(client):
    def add_a_role(job):
        replicas = job.spec.tf_replica_specs
        replicas["PS"] = replicas["Worker"]

    with pytest.raises(ValueError, match=r"spec\.tfReplicaSpecs\.PS: expected only the roles Worker, got PS"):
        kftrain.train(report, [1], kind="TFJob", client=client, edit=add_a_role)

    def add_replicas(job):
        job.spec.pytorch_replica_specs["Worker"].replicas = 3

    with pytest.raises(ValueError, match=r"spec\.pytorchReplicaSpecs\.Worker\.replicas: expected 1, got 3"):
        kftrain.train(report, [1], workers=2, client=client, edit=add_replicas)


def test_packages_of_a_local_cluster_must_be_installed(client):
    with pytest.raises(ValueError, match="not installed here: no-such-package>=2"):
        kftrain.train(report, [1], client=client, packages=["pytest", "no-such-package>=2"])
    with pytest.raises(TypeError, match="expected a list"):
        kftrain.train(report, [1], client=client, packages="pytest")
    kftrain.train(report, [1], client=client, packages=["pytest>=1"], output=False)


def test_requirements_are_checked_with_extras_and_markers(monkeypatch):
    further = ["numpy", "no-such-package; extra == 'more'", "numpy>=1; extra == 'math'"]
    versions = {"torch": "2.4.1", "numpy": "1.26"}

    def version_of(name):
        if name not in versions:
            raise _train_job.metadata.PackageNotFoundError(name)
        return versions[name]

    monkeypatch.setattr(_train_job.metadata, "version", version_of)
    monkeypatch.setattr(_train_job.metadata, "requires", lambda name: further if name == "torch" else None)
    check = _train_job.check_installed
    check(["torch>=2.4", "torch[math]", "no-such-package; python_version < '3'"])
    for missing in ("torch==2.5", "torch[more]", "scipy; python_version > '3'"):
        with pytest.raises(ValueError, match="not installed here"):
            check([missing])
    with pytest.raises(ValueError, match="expected a requirement with a version, got the URL https://example.com"):
        check(["torch @ https://example.com/torch.whl"])
    with pytest.raises(ValueError, match="expected a requirement such as"):
        check(["==1"])
    monkeypatch.setitem(sys.modules, "packaging.requirements", None)
    check(["torch"])
    with pytest.raises(ValueError, match="expected the name of a package, got 'torch>=2'"):
        check(["torch>=2"])
    with pytest.raises(ValueError, match="not installed here: scipy"):
        check(["scipy"])


PIP = """
import pathlib, sys
(pathlib.Path(__file__).parent / "installed.py").write_text(f"ARGUMENTS = {sys.argv[1:]}")
"""


def use_a_package():
    import pip.installed

    return pip.installed.ARGUMENTS, "KFTRAIN_HOME" in os.environ


def test_containers_of_another_cluster_have_an_image_and_install_packages(cluster, tmp_path, monkeypatch):
    monkeypatch.setenv("KFTRAIN_HOME", "not carried")
    (tmp_path / "pip").mkdir()
    (tmp_path / "pip/__init__.py").touch()
    (tmp_path / "pip/__main__.py").write_text(PIP)
    images = []

    def edit(job):
        container = job.spec.pytorch_replica_specs["Master"].template.spec.containers[0]
        images.append((container.image, container.command[0]))
        container.command[0] = sys.executable

    with kftrain.Client(cluster.kubeconfig) as other:
        with pytest.raises(ValueError, match="image is required"):
            kftrain.train(use_a_package, client=other)
        arguments, inherited = kftrain.train(
            use_a_package,
            client=other,
            image="example.com/python:3.11",
            packages=["numpy==1.26", "scipy"],
            env={"PYTHONPATH": str(tmp_path)},
            edit=edit,
            returns=True,
            output=False,
        )
    assert images == [("example.com/python:3.11", "python3")]
    assert arguments[0] == "install" and arguments[-2:] == ["numpy==1.26", "scipy"]
    assert not inherited
    with pytest.raises(TypeError, match="expected a Client or a LocalCluster, got str"):
        kftrain.train(use_a_package, client=cluster.kubeconfig)
    with pytest.raises(ValueError, match="pass a client"):
        kftrain.train(use_a_package, image="example.com/python:3.11")


def test_cloudpickle_is_used_on_request(client, tmp_path, monkeypatch):
    # A module of this name stands in for the package, which also carries closures.
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    with pytest.raises(ValueError, match="needs the package cloudpickle"):
        kftrain.train(report, [1], client=client, serializer="cloudpickle")
    monkeypatch.delitem(sys.modules, "cloudpickle")
    (tmp_path / "cloudpickle.py").write_text("from pickle import dumps\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    result = kftrain.train(use_imports, client=client, serializer="cloudpickle", returns=True, output=False)
    assert result[0] == 2.0
    with pytest.raises(ValueError, match="expected source or cloudpickle, got 'json'"):
        kftrain.train(report, [1], client=client, serializer="json")


def be_destroyed_slowly(path):
    class Slow:
        def __del__(self):
            threading.Event().wait(None if os.environ["RANK"] == "1" else 0)

    slow, file = Slow(), open(path + os.environ["RANK"], "w")
    file.write(f"written before the end by {type(slow).__name__}")
    return os.environ["RANK"]


def test_a_variable_that_is_destroyed_for_ever_does_not_keep_the_result(client, tmp_path):
    path = tmp_path / "text"
    result = kftrain.train(be_destroyed_slowly, [str(path)], workers=2, client=client, returns=True, timeout=60)
    assert result == "0"
    assert (tmp_path / "text0").read_text() == "written before the end by Slow"


def test_a_missing_program_of_the_init_container_is_refused(client, monkeypatch):
    monkeypatch.setattr(_train_job, "_PATH", "/nowhere")
    with pytest.raises(ValueError, match="workers of a PyTorchJob run nslookup, which is not installed here"):
        kftrain.train(report, [1], workers=2, client=client)
    assert kftrain.train(report, [1], workers=1, client=client, returns=True, output=False) == (0, 3)


PROGRAM = """
    import os, sys, time
    import kftrain
    from kftrain.local import LocalCluster

    class Options:
        pass

    def helper():
        pass

    def wait(folder):
        print("runs", flush=True)
        time.sleep(60)

    def use_helper():
        helper()

    with LocalCluster() as cluster:
        for function, args in ((use_helper, ()), (wait, (Options(),))):
            try:
                kftrain.train(function, args, client=cluster)
            except ValueError as error:
                print(error, flush=True)
        try:
            kftrain.train(wait, ["x"], client=cluster)
        except KeyboardInterrupt:
            print("interrupted", list(cluster.client().list()), flush=True)
"""


def test_ctrl_c_removes_the_job_of_a_program(tmp_path):
    (tmp_path / "program.py").write_text(textwrap.dedent(PROGRAM))
    process = subprocess.Popen(
        [sys.executable, "program.py"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert "'helper' of its module (function)" in process.stdout.readline()
    assert "'Options' is defined in this program, not in a module" in process.stdout.readline()
    assert process.stdout.readline() == "[0] runs\n"
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert (output, errors, process.returncode) == ("interrupted []\n", "", 0)


def test_the_example_trains_with_torch_on_three_workers():
    pytest.importorskip("torch")
    program = SOURCES / "examples/5_python/train_function.py"
    result = run_program(program)
    assert result.returncode == 0, result.stderr
    *lines, last = result.stdout.splitlines()
    assert {line[:4] for line in lines} == {"[0] ", "[1] ", "[2] "}
    found = re.fullmatch(r"3 workers: loss (.*) -> (.*)", last)
    assert float(found[2]) < 0.1 < float(found[1])
