"""Checks the package and programs that use it with mypy and pyright."""

import importlib.util
import json
import shutil
import subprocess
import sys
import textwrap

import pytest
from conftest import SOURCES

PACKAGE = SOURCES / "bindings/python"


def mypy(tmp_path, *arguments):
    # pytest imports this package, whose sources need Python 3.10.
    configuration = tmp_path / "mypy.ini"
    configuration.write_text("[mypy]\nstrict = True\npython_version = 3.9\n[mypy-packaging.*]\nfollow_imports = skip\n")
    options = [f"--config-file={configuration}", f"--cache-dir={tmp_path}"]
    result = subprocess.run(
        [sys.executable, "-m", "mypy", *options, *arguments],
        cwd=PACKAGE,
        capture_output=True,
        text=True,
    )
    assert result.returncode in (0, 1), result.stderr
    return [line for line in result.stdout.splitlines() if "error:" in line or "Revealed" in line]


def pyright(project):
    """The findings of pyright in strict mode; the project is a folder with its configuration."""
    module = [sys.executable, "-m", "pyright"] if importlib.util.find_spec("pyright") else []
    command = module or [shutil.which("pyright")]
    if command == [None]:
        pytest.skip("pyright is not installed")
    result = subprocess.run(
        [*command, "--outputjson", "--pythonpath", sys.executable, "--project", str(project)],
        capture_output=True,
        text=True,
    )
    assert result.returncode in (0, 1), result.stdout + result.stderr
    found = json.loads(result.stdout)
    assert found["summary"]["filesAnalyzed"] > 0
    return [(f["file"], f["range"]["start"]["line"] + 1, f["message"]) for f in found["generalDiagnostics"]]


def test_the_package_has_no_findings(tmp_path):
    assert mypy(tmp_path, "kftrain") == []


def test_the_package_has_no_findings_of_pyright():
    assert pyright(SOURCES) == []


PROGRAM = """
    import asyncio
    from typing import Optional

    import kftrain
    from kftrain import until
    from kftrain.local import LocalCluster
    from kftrain.models.core import Container, Pod
    from kftrain.models.kubeflow_v1 import PyTorchJob, ReplicaSpec

    pod = Pod(metadata={"name": "x"}, spec={"containers": [Container(name="a")]})
    name: str = pod.metadata.name
    pod.metadata = {"name": "y"}
    pod.metadata.labels["a"] = "b"
    for container in pod.spec.containers:
        image: str = container.image
    pod.spec.containers.append(Container(name="b"))
    job = PyTorchJob(spec={"pytorch_replica_specs": {"Master": ReplicaSpec(replicas=1)}})
    replicas: Optional[int] = job.spec.pytorch_replica_specs["Master"].replicas

    limits = pod.spec.containers[0].resources.limits
    limits["cpu"] = "500m"
    limits["cpu"] = limits["cpu"] * 2 + "1"
    cpus: int = int(limits["cpu"])
    nodes: float = limits["cpu"] / limits["memory"]
    quantity: kftrain.Quantity = sum([limits["cpu"]], kftrain.Quantity(0)) / 3

    with LocalCluster() as cluster:
        client = cluster.client()
        for found in client.api(Pod).list(label_selector="a=b"):
            phase: str = found.status.phase
        for changed in client.api(Pod).watch():
            name = changed.object.metadata.name
        with client.informer(Pod) as informer:
            known = informer.get("x")
            if known is not None:
                name = known.metadata.name
        print(client.api("widgets.acme.example").get("one").spec.replicas)
        text: str = next(client.api("pods").logs("x"))
        stored: PyTorchJob = client.submit(job)
        client.wait(stored, until.finished() | ~until.suspended())
        client.wait(job).status.conditions[-1].type
        kinds: list[str] = [found.kind for found in client.list() + kftrain.render(job)]
        read = client.get("pytorchjob/x")
        read.metadata.labels = {"a": "b"}
        for line in client.logs(job):
            name = line.text + "".join(cause.summary for cause in client.explain(job).causes)
            code: Optional[int] = client.explain(job).causes[0].code
        fields: list[str] = [field.path for field in client.plan(job).fields]
        event_count: int = client.events(job)[0].count


    def fit(rate: float) -> float:
        return rate


    loss: float = kftrain.train(fit, [0.1], workers=3, returns=True, output=lambda line: print(line.rank))


    async def main() -> str:
        async with kftrain.AsyncClient() as client:
            name = (await client.api(Pod).get("x")).metadata.name
            async for event in client.api(Pod).watch():
                name = event.object.metadata.name
            print((await client.get(job)).to_dict())
            async for change in client.watch():
                name = change.phase + change.ranks[0].role
        return name


    asyncio.run(main())
"""


WRONG_LINES = (
    "pod.metadata.name = 3",
    'Pod(metdata={"name": "x"})',
    "pod.spec.containers[0].nmae",
    'client.list("PyTorchJob", namespce="a")',
    'client.api(Pod).get("x").metadta',
    'limits["cpu"] = []',
    "client.wait(job, until.deleted()).metadata",
    "client.explain(job).causes[0].sumary",
)


@pytest.fixture
def program(tmp_path):
    """The path of the program, beside the configuration of pyright."""
    file = tmp_path / "program.py"
    file.write_text(textwrap.dedent(PROGRAM))
    configuration = {"typeCheckingMode": "strict", "pythonVersion": "3.9", "pythonPlatform": "Linux"}
    configuration |= {"extraPaths": [str(PACKAGE)], "reportMissingModuleSource": False}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(configuration))
    return file


def add_wrong_lines(file):
    """Appends them to the program; returns their numbers."""
    text = file.read_text()
    file.write_text(text + "\n".join(WRONG_LINES) + "\n")
    first = len(text.splitlines()) + 1
    return list(range(first, first + len(WRONG_LINES)))


def test_a_program_has_no_findings_and_wrong_ones_have(program, tmp_path):
    assert mypy(tmp_path, str(program)) == []
    wrong = add_wrong_lines(program)
    found = mypy(tmp_path, str(program))
    assert [int(line.split(":")[1]) for line in found] == wrong, found


def test_pyright_finds_the_wrong_lines_of_a_program_only(program, tmp_path):
    assert pyright(tmp_path) == []
    wrong = add_wrong_lines(program)
    found = pyright(tmp_path)
    assert sorted({line for _, line, _ in found}) == wrong, found
