"""Runs the examples as their readers do."""

import ast
import asyncio
import http.client
import importlib.util
import inspect
import json
import os
import socket
import subprocess
import sys
import types

import pytest
from conftest import SOURCES
from test_html import check

import kftrain
from kftrain.local import LocalCluster

EXAMPLES = SOURCES / "examples/5_python"
TOKEN = "a-token"


def test_the_session_of_asyncio_runs():
    with open(EXAMPLES / "asyncio_session.txt") as lines:
        result = subprocess.run(
            [sys.executable, "-m", "asyncio"], stdin=lines, cwd=EXAMPLES, capture_output=True, text=True, timeout=120
        )
    assert "Traceback" not in result.stderr and "Error" not in result.stderr, result.stderr
    assert "['[rank 0] the sum of all ranks is 3', '[rank 1] rank 1 of 3'" in result.stdout
    assert "'Succeeded'" in result.stdout and "'SuccessfulCreatePod'" in result.stdout
    assert result.returncode == 0


async def run_cells(notebook):
    """Runs the cells as IPython does; returns what each of them shows."""
    scope = {"__name__": "__main__"}
    shown = []
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        value = None
        for part in (tree, last and ast.Expression(last.value)):
            if part:
                mode = "eval" if part is not tree else "exec"
                flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
                value = eval(compile(part, f"cell {number}", mode, flags=flags, dont_inherit=True), scope)
                if inspect.iscoroutine(value):
                    value = await value
        shown.append(value if last else None)
    return shown


def test_the_notebook_runs_and_shows_tables(monkeypatch, capsys):
    monkeypatch.chdir(EXAMPLES)
    notebook = json.loads((EXAMPLES / "notebook.ipynb").read_text())
    assert all(not cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code")
    shown = [check(value._repr_html_()).text for value in asyncio.run(run_cells(notebook)) if value is not None]
    for text, expected in zip(
        shown, ["Worker", "sum-worker-2", "does not exist", "Succeeded", "missing.py", "broken"]
    ):
        assert expected in text
    assert len(shown) == 6
    assert "[rank 0] the sum of all ranks is 6" in capsys.readouterr().out


needs_fastapi = pytest.mark.skipif(
    importlib.util.find_spec("fastapi") is None or importlib.util.find_spec("uvicorn") is None,
    reason="fastapi and uvicorn are not installed",
)


@pytest.fixture
def service():
    """The service before a local cluster, on a socket of its own."""
    with LocalCluster(working_directory=EXAMPLES) as cluster, socket.create_server(("127.0.0.1", 0)) as listener:
        process = subprocess.Popen(
            [sys.executable, "-m", "uvicorn", "job_service:app", "--fd", str(listener.fileno()), "--no-access-log"],
            cwd=EXAMPLES,
            env={**os.environ, "KUBECONFIG": cluster.kubeconfig, "JOB_SERVICE_TOKEN": TOKEN},
            pass_fds=[listener.fileno()],
        )
        yield http.client.HTTPConnection(*listener.getsockname(), timeout=60)
        process.terminate()
        assert process.wait(60) in (0, -15)


def send(service, method, path, body=None, headers=None):
    service.request(method, path, body, {"Authorization": f"Bearer {TOKEN}", **(headers or {})})
    answer = service.getresponse()
    return answer.status, json.loads(answer.read())


@needs_fastapi
def test_the_service_submits_lists_and_follows_jobs(service):
    text = (EXAMPLES / "sum.yaml").read_bytes()
    status, job = send(service, "POST", "/jobs", text, {"Idempotency-Key": "a"})
    assert (status, job["kind"], job["name"]) == (201, "PyTorchJob", "sum")
    assert send(service, "POST", "/jobs", text, {"Idempotency-Key": "a"})[1]["uid"] == job["uid"]
    assert send(service, "POST", "/jobs", text)[0] == 409
    assert [job["name"] for job in send(service, "GET", "/jobs")[1]["jobs"]] == ["sum"]

    service.request("GET", "/jobs/PyTorchJob.v1/sum/changes", headers={"Authorization": f"Bearer {TOKEN}"})
    answer = service.getresponse()
    assert answer.getheader("Content-Type").startswith("text/event-stream")
    events = [event.split(b"\ndata: ") for event in answer.read().split(b"\n\n") if event]
    assert events[0][0] == b"event: added" and {name for name, _ in events[1:]} <= {b"event: modified"}
    assert json.loads(events[-1][1])["phase"] == "Succeeded"

    status, refusal = send(service, "GET", "/jobs/PyTorchJob.v1/none/changes")
    assert status == 404 and "none" in refusal["message"]
    status, refusal = send(service, "POST", "/jobs", text.replace(b"name: pytorch", b"name: other"))
    assert status == 422 and refusal["causes"]

    service.request("GET", "/")  # without a token, as a browser does
    answer = service.getresponse()
    assert answer.status == 200 and "Training jobs" in answer.read().decode()
    for path in ("/healthz", "/readyz"):
        assert send(service, "GET", path, headers={"Authorization": ""}) == (200, {})
    assert send(service, "GET", "/jobs", headers={"Authorization": "Bearer a-toke"})[0] == 401
    assert send(service, "GET", "/changes", headers={"Authorization": ""})[0] == 401
    assert send(service, "POST", "/jobs", b"x" * (1024 * 1024 + 1))[0] == 413
    service.close()  # which has not read the body
    service.request("BREW", "/")
    service.getresponse().read()
    service.request("GET", "/metrics")
    counts = service.getresponse().read().decode()
    assert 'requests_total{method="GET",status="401"} 2\n' in counts and "BREW" not in counts


@needs_fastapi
def test_strangers_call_the_cluster_rarely(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    job_service = importlib.import_module("job_service")
    calls, faults, clock = [], [None, kftrain.Error("away"), None], types.SimpleNamespace(monotonic=lambda: now)
    monkeypatch.setattr(job_service, "time", clock, raising=False)

    class Client:
        def api(self, name):
            return self

        async def list(self, **options):
            calls.append(options)
            if fault := faults[len(calls) - 1]:
                raise fault

    def statuses():
        return [asyncio.run(job_service.is_ready(Client())).status_code for _ in range(3)]

    for now, expected in ((1000.0, 200), (1006.0, 503), (1012.0, 200)):
        assert statuses() == [expected] * 3
    assert len(calls) == 3
