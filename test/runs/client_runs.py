"""Runs of clients: a service in C++ and a program in Python submit and follow a job of each kind."""

import concurrent.futures
import http.client
import json
import os
import re
import subprocess

from harness import Fault, Output, expect
from runs import run

TORCH = [r"rank 0 of 2 sum 3 expected 3, torch \S+", r"rank 1 of 2 sum 3 expected 3, torch \S+"]
MPI = [rf"rank {r} of 2 on NAME-worker-{r} sum 3 expected 3 loss \S+ -> 0.0000, Open MPI v\S+" for r in (0, 1)]
PYTORCH = "registry.example.com/pytorch=/usr/bin/python3"
BROKEN = "echo broken; exit 3"

# By name of the job: apiVersion, kind, and the output of each replica; MPI starts its ranks in the launcher.
FAMILIES = {
    "pytorchjob": ("kubeflow.org/v1", "PyTorchJob", {("Master", 0): TORCH[0], ("Worker", 0): TORCH[1]}),
    "tfjob": ("kubeflow.org/v1", "TFJob",
              {("Worker", i): rf'TF_CONFIG is .*"task":\{{"type":"worker","index":{i}\}}.*' for i in (0, 1)}),
    "jaxjob": ("kubeflow.org/v1", "JAXJob", {("Worker", i): f"process {i} of 2" for i in (0, 1)}),
    "xgboostjob": ("kubeflow.org/v1", "XGBoostJob", {("Master", 0): "the sum of all ranks is 1",
                                                      ("Worker", 0): "rank 1 of 2"}),
    "paddlejob": ("kubeflow.org/v1", "PaddleJob", {("Worker", 0): r"one of 2 at [\d.]+:\d+",
                                                   ("Worker", 1): r"one of 2 at paddlejob-worker-0:\d+"}),
    "mxjob": ("kubeflow.org/v1", "MXJob", {(role, 0): f"a {role.lower()} of 1 workers"
                                           for role in ("Scheduler", "Server", "Worker")}),
    "mpijob-v1": ("kubeflow.org/v1", "MPIJob", {("Launcher", 0): MPI}),
    "mpijob-v2beta1": ("kubeflow.org/v2beta1", "MPIJob", {("Launcher", 0): MPI}),
    "chainerjob": ("kubeflow.org/v1alpha1", "ChainerJob",
                   {("Master", 0): "hosts are in /kubeflow/chainer-operator/generated/hostfile"}),
    "pytorchjob-v1alpha1": ("kubeflow.org/v1alpha1", "PyTorchJob", {("MASTER", 0): TORCH[0], ("WORKER", 0): TORCH[1]}),
    "volcano": ("batch.volcano.sh/v1alpha1", "Job", {("master", 0): TORCH[0], ("worker", 0): TORCH[1]}),
    "trainjob": ("trainer.kubeflow.org/v1alpha1", "TrainJob", {("node", i): TORCH[i] for i in (0, 1)}),
}


def manifests(context):
    """The text of the manifest with a job of each kind, and that of jobs whose programs fail with the code 3."""
    with open(context.manifest("families", None), encoding="utf-8") as file:
        good = file.read()
    bad = good
    for program in (r"args: \[(?:-m, torch\S+ )?examples/train/pytorch_sum.py\]",
                    r"command: \[/bin/sh, -c, '(?:sleep 2; )?echo [^]]*\]",
                    r"command: \[/usr/bin/python3, examples/5_python/sum_ranks.py\]",
                    r"command: \[mpirun[^]]*\]"):
        bad = re.sub(program, f"command: [/bin/sh, -c, '{BROKEN}']", bad)
    names = "|".join(FAMILIES)
    bad = re.sub(rf"\n  name: ({names})\n", r"\n  name: \1-fails\n", bad)
    expect((bad.count(BROKEN), bad.count("-fails\n")), (len(FAMILIES), len(FAMILIES)), "jobs that fail")
    return good, bad


def check_output(name, lines):
    """`lines` are pairs of a replica and a text. All lines are expected that an expected pattern matches."""
    for replica, patterns in FAMILIES[name][2].items():
        patterns = [patterns] if isinstance(patterns, str) else patterns
        for pattern in patterns:
            found = [who for who, text in lines if re.fullmatch(pattern.replace("NAME", name), text)]
            expect(found, [replica], f"the replicas of {name} that print {pattern}")


def check_states(name, phases):
    expect(phases[-1:], ["Succeeded"], f"the last phase of {name}")
    known = ["Created", "Running", "Succeeded"]
    expect([p for p in phases if p not in known], [], f"other phases of {name}")
    if name.startswith(("pytorch", "mpi", "volcano", "train")):  # the others can end before they are watched
        expect("Running" in phases, True, f"{name} was seen to run: {phases}")


def check_failed(name, phase, cause, code):
    # The containers of a TrainJob start again; its back-off limit is far away.
    possible = ["Created", "Running"] if name == "trainjob" else ["Failed"]
    expect(phase in possible, True, f"the phase of {name}: {phase}")
    expect((cause, code), ("exited", 3), f"the first cause of the failure of {name} and the exit code")


@run("all kinds", "debian")
def python_client(context):
    """The package kftrain of Python submits and follows a job of each kind, and explains one of each that fails."""
    places = [os.path.join(os.path.dirname(os.path.dirname(context.kftrain_path)), "python")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(places + [os.environ.get("PYTHONPATH", "")])}
    with context.cluster("--command", PYTORCH) as cluster:
        for is_good, text in zip((True, False), manifests(context)):
            path = os.path.join(context.folder, "families.yaml" if is_good else "fails.yaml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            output = Output(["/usr/bin/python3", "examples/5_python/follow_jobs.py", path], context.log("follow_jobs"),
                            env={**environment, "KUBECONFIG": cluster.environment["KUBECONFIG"]})
            expect(output.end(), 0 if is_good else 1, "exit code of follow_jobs.py")
            for name, (_, kind, _) in FAMILIES.items():
                begin = f"{kind} {name}: " if is_good else f"{kind} {name}-fails: "
                lines = [line[len(begin):] for line in output.lines() if line.startswith(begin)]
                phases = [line[3:] for line in lines if line.startswith("is ")]
                if is_good:
                    written = [re.match(r"\[(\S+) (\d+)(?: rank \d+)?\] (.*)", line) for line in lines]
                    check_output(name, [((m.group(1), int(m.group(2))), m.group(3)) for m in written if m])
                    check_states(name, phases)
                else:
                    causes = [m for line in lines if (m := re.match(r"(\S+), exit code (\d+): ", line))]
                    expect(len(causes) > 0, True, f"{name} has a cause with an exit code: {lines}")
                    check_failed(name, phases[-1], causes[0].group(1), int(causes[0].group(2)))


class Service:
    """The platform service of the examples."""

    def __init__(self, context, cluster):
        program = os.path.join(os.path.dirname(context.kftrain_path), "example_platform_service")
        if not os.access(program, os.X_OK):
            raise Fault(f"there is no {program}; scripts/build dev makes it")
        self.process = subprocess.Popen([program, "--port", "0"],  # pylint: disable=consider-using-with
                                        env=cluster.environment, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])

    def items(self, method, path, body=None):
        """Each line of the answer, decoded, until the service ends it."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.request(method, path, body)
            response = connection.getresponse()
            if response.status != 200:
                raise Fault(f"{method} {path}: {response.status} {response.read().decode()}")
            for line in response:
                if line.strip():
                    item = json.loads(line)
                    if set(item) <= {"message", "causes"}:  # a stream that fails ends with the reason
                        raise Fault(f"{method} {path}: {item}")
                    yield item
        finally:
            connection.close()

    def stop(self):
        self.process.terminate()
        self.process.wait(30)
        self.process.stdout.close()


def follow(service, pool, name, suffix, text):
    """Submits a job; returns its phases until its end or a restart, its output, and its explanation if it failed."""
    version, kind, _ = FAMILIES[name]
    stored = next(service.items("POST", "/jobs", text))
    expect((stored["apiVersion"], stored["kind"], stored["metadata"]["name"]), (version, kind, name + suffix),
           "the stored job")
    path = f"/jobs/{kind}.{version.split('/')[1]}/default/{name}{suffix}"

    def read_logs(query):
        lines = []
        try:
            for line in service.items("GET", f"{path}/logs{query}"):
                lines.append(((line["role"], line["index"]), line["text"]))
        except Fault as fault:
            # The operator deletes the workers of a ChainerJob, which print nothing, with the end of their master.
            if not re.search("pod chainerjob.*-workerset-.* was deleted before its log was read", str(fault)):
                raise
        return lines

    # The operator may delete pods at the end. The containers of a TrainJob that fails start again and again.
    is_endless = suffix and kind == "TrainJob"
    output = None if is_endless else pool.submit(read_logs, "")
    phases = []
    for state in service.items("GET", path + "/watch"):
        phases.append(state["phase"])
        if phases[-1] in ("Succeeded", "Failed") or state["restarts"] > 0:
            break
    explanation = next(service.items("GET", path + "/explanation")) if suffix else None
    return phases, output.result() if output else read_logs("?follow=false"), explanation


@run("all kinds", "debian", is_quick=True)
def platform_service(context):
    """A service in C++ submits and follows a job of each kind by HTTP, and explains one of each that fails."""
    with context.cluster("--command", PYTORCH) as cluster:
        service = Service(context, cluster)
        try:
            with concurrent.futures.ThreadPoolExecutor(2 * len(FAMILIES)) as pool:
                for is_good, text in zip((True, False), manifests(context)):
                    suffix = "" if is_good else "-fails"
                    followed = {name: pool.submit(follow, service, pool, name, suffix, each)
                                for name, each in zip(FAMILIES, text.split("\n---\n"))}
                    for name, future in followed.items():
                        phases, lines, explanation = future.result()
                        if is_good:
                            check_states(name, phases)
                            check_output(name, lines)
                            continue
                        expect("broken" in [line for _, line in lines], True, f"the output of {name}-fails: {lines}")
                        causes = [cause for cause in explanation["causes"] if "code" in cause]
                        expect(len(causes) > 0, True, f"{name} has a cause with an exit code: {explanation['causes']}")
                        check_failed(name, phases[-1], causes[0]["kind"], causes[0]["code"])
        finally:
            service.stop()
