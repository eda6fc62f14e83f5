"""Checks the package and programs that use it with mypy."""

import subprocess
import sys
import textwrap

from conftest import SOURCES

PACKAGE = SOURCES / "bindings/python"


def mypy(tmp_path, *arguments):
    result = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--python-version", "3.9", f"--cache-dir={tmp_path}", *arguments],
        cwd=PACKAGE,
        capture_output=True,
        text=True,
    )
    assert result.returncode in (0, 1), result.stderr
    return [line for line in result.stdout.splitlines() if "error:" in line or "Revealed" in line]


def test_the_package_has_no_findings(tmp_path):
    assert mypy(tmp_path, "kftrain") == []


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
        client.wait(client.submit(job), until.finished() | ~until.suspended())
        for line in client.logs(job):
            print(line.text)


    def fit(rate: float) -> float:
        return rate


    loss: float = kftrain.train(fit, [0.1], workers=3, returns=True, output=lambda line: print(line.rank))


    async def main() -> None:
        async with kftrain.AsyncClient() as client:
            name = (await client.api(Pod).get("x")).metadata.name
            async for event in client.api(Pod).watch():
                name = event.object.metadata.name
            print((await client.get(job)).to_dict())
            async for change in client.watch():
                print(change.phase)


    asyncio.run(main())
"""


def test_a_program_has_no_findings_and_wrong_ones_have(tmp_path):
    file = tmp_path / "program.py"
    program = textwrap.dedent(PROGRAM)
    file.write_text(program)
    assert mypy(tmp_path, str(file)) == []
    file.write_text(
        program
        + "pod.metadata.name = 3\n"
        + 'Pod(metdata={"name": "x"})\n'
        + "pod.spec.containers[0].nmae\n"
        + 'client.list("PyTorchJob", namespce="a")\n'
        + 'client.api(Pod).get("x").metadta\n'
        + 'limits["cpu"] = []\n'
    )
    first = len(program.splitlines()) + 1
    found = mypy(tmp_path, str(file))
    assert [int(line.split(":")[1]) - first for line in found] == [0, 1, 2, 3, 4, 5], found
