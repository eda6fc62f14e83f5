#!/usr/bin/python3
"""usage: run_command.py KFTRAIN TEST

The input and the output of `kftrain run`."""

import json
import os
import re
import signal
import subprocess
from pathlib import Path

from manifest_files import KFTRAIN, contains, equal, run, run_test, write

JOB = """apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: %s}
spec:
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      template:
        spec:
          containers:
            - {name: pytorch, image: none, command: [sh, -c, %s]}
"""


def run_reads_the_standard_input():
    for job in (JOB % ("piped", "echo 'here I am'"), "---\n" + JOB % ("piped", "echo 'here I am'") + "---\n"):
        done = run("run", "-", stdin=job)
        equal(done.returncode, 0, done.stderr)
        contains(done.stdout, "[rank 0] here I am\n")
    faulty = run("run", "-", stdin=(JOB % ("piped", "exit 0")).replace("image: none, ", ""))
    equal(faulty.returncode, 2)
    contains(faulty.stderr, "kftrain: standard input: error: ")
    job = JOB % ("piped", "exit 0")
    equal(run("render", "-", stdin=job).stdout, run("render", write("a.yaml", job)).stdout)


def run_runs_jobs_side_by_side():
    """Each job needs the other to run; the exit code is that of the worst one."""
    meet = "'touch $HOSTNAME; until test -e %s-master-0; do sleep 0.05; done; echo met'"
    os.mkdir("jobs")
    write("jobs/b.yaml", (JOB % ("second", meet % "first")).replace("{name: ", "{namespace: team, name: ", 1))
    write("jobs/notes.txt", "no manifest")
    os.mkfifo("jobs/pipe.yaml")  # has no writer
    first = JOB % ("first", meet % "second")
    done = run("run", "-", "jobs", stdin=first)
    equal(done.returncode, 0, done.stdout + done.stderr)
    for line in ("[first rank 0] met", "[second rank 0] met", "PyTorchJob first Succeeded",
                 "PyTorchJob second Succeeded"):
        assert line in done.stdout.splitlines(), done.stdout
    submitted = [done.stdout.index(f"PyTorchJob {name} submitted") for name in ("first", "second")]
    equal(submitted, sorted(submitted), done.stdout)
    other = (JOB % ("same", "exit 3")).replace("{name: ", "{namespace: team, name: ", 1)
    other = other.replace("replicas: 1\n", "replicas: 1\n      restartPolicy: Never\n")
    write("same.yaml", JOB % ("same", "echo a") + "---\n" + other)
    worst = run("run", "same.yaml")
    equal(worst.returncode, 1, worst.stdout + worst.stderr)
    contains(worst.stdout, "[default/PyTorchJob/same rank 0] a\n")
    equal(re.findall("^PyTorchJob same (Succeeded|Failed)$", worst.stdout, re.M).count("Failed"), 2, worst.stdout)
    write("jobs/kustomization.yaml", "resources: [b.yaml]")
    contains(run("run", "jobs").stderr, 'use "kubectl kustomize jobs | kftrain run -"')
    empty = run("run", "jobs/notes.txt", ".")
    equal(empty.returncode, 2)
    os.mkdir("nothing")
    equal(run("run", "nothing").stderr, "kftrain: nothing: expected files *.json, *.yaml or *.yml, got none\n")


def runs(process, command):
    try:
        with open(f"/proc/{process}/cmdline", "rb") as file:
            return command in file.read()
    except OSError:
        return False


def run_ends_all_jobs_when_it_is_interrupted():
    text = "---\n".join(JOB % (name, "echo begun; sleep 98769") for name in ("first", "second"))
    with subprocess.Popen([KFTRAIN, "run", write("jobs.yaml", text)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as command:
        begun = set()
        for line in command.stdout:
            begun |= {line} if line.endswith("] begun\n") else set()
            if len(begun) == 2:
                break
        command.send_signal(signal.SIGINT)
        command.communicate()
        equal((command.returncode, begun), (130, {"[first rank 0] begun\n", "[second rank 0] begun\n"}))
    equal([p for p in os.listdir("/proc") if p.isdigit() and runs(p, b"sleep\x0098769\0")], [])


RUNTIME = """apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainingRuntime
metadata: {name: own}
spec:
  mlPolicy: {numNodes: 2, torch: {}}
  template:
    spec:
      replicatedJobs:
      - name: prepare
        template:
          spec: {template: {spec: {containers: [{name: prepare, image: none, command: [sh, -c, echo prepared]}]}}}
      - name: node
        dependsOn: [{name: prepare, status: Complete}]
        template:
          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
          spec:
            backoffLimit: 0
            template:
              spec:
                restartPolicy: Never
                containers:
                - {name: node, image: none, command: [sh, -c, "echo rank $PET_NODE_RANK of $PET_NNODES"]}
"""
TRAIN_JOB = """apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: tj}
spec: {runtimeRef: {kind: TrainingRuntime, name: own}, trainer: %s}
"""


def run_runs_the_train_job_of_the_examples():
    done = run("run", str(Path(__file__).resolve().parents[4] / "examples/manifests/train_job.yaml"))
    equal(done.returncode, 0, done.stdout + done.stderr)
    for line in ("[rank 0] rank 0 of 3 sum 3", "[rank 2] rank 2 of 3", "Complete=True  AllJobsCompleted",
                 "TrainJob sum Succeeded"):
        contains(done.stdout, line)


def run_takes_the_runtime_of_a_train_job_from_another_file():
    job = write("job.yaml", TRAIN_JOB % "{}")
    alone = run("run", job)
    equal((alone.returncode, alone.stdout), (2, ""))
    contains(alone.stderr, 'TrainJob "default/tj" refers to the TrainingRuntime "default/own", which is missing; add '
                           "it to the file of the job, or name a further file that has it")
    done = run("run", write("runtime.yaml", RUNTIME), job)
    equal(done.returncode, 0, done.stdout + done.stderr)
    in_order = r"tj-prepare-0-0-\w+  Succeeded\n(.*\n)*?tj-node-0-0-\w+  rank 0  Running"
    assert re.search(in_order, done.stdout), done.stdout
    for line in ("prepared\n", "[rank 0] rank 0 of 2\n", "[rank 1] rank 1 of 2\n"):
        contains(done.stdout, line)
    failed = run("run", "-", stdin=RUNTIME + "---\n" + TRAIN_JOB % "{command: [sh, -c, exit 3]}")
    equal(failed.returncode, 1, failed.stdout + failed.stderr)
    contains(failed.stdout, "Failed=True  FailedJobs")
    bad = run("run", "-", stdin=RUNTIME.replace("name: node, image", "name: main, image") + "---\n" + TRAIN_JOB % "{}")
    equal((bad.returncode, bad.stdout), (2, ""))
    contains(bad.stderr, "must contain the required container for the ancestor: trainer")


def run_gives_commands_to_images():
    job = (JOB % ("plain", "x")).replace("image: none, command: [sh, -c, x]",
                                         "image: 'registry:5000/team/train:1', args: [a b]")
    for pattern in ("registry:5000/team/train", "*/train:1", "registry:5000/team/train:1", "*"):
        done = run("run", "-", "--command", pattern + "=printf 'got <%s>\\n' first", stdin=job)
        equal(done.returncode, 0, done.stderr)
        equal([line for line in done.stdout.splitlines() if "got" in line],
              ["[rank 0] got <first>", "[rank 0] got <a b>"])
    longest = run("run", "-", "--command", "*=false", "--command", "registry:*=echo longest", "--command", "r*=false",
                  stdin=job)
    contains(longest.stdout, "longest a b\n")
    other = run("run", "-", "--command", "train=true", stdin=job)
    equal(other.returncode, 2)
    contains(other.stderr, "give the image one with --command 'registry:5000/team/train:1=PROGRAM'")
    for text, message in (("train", 'expected NAME=VALUE, got "train"'),
                          ("train='a", "expected a closing ', got the end of the command"),
                          ("train= ", "expected a command, got an empty text")):
        equal(run("run", "-", "--command", text).stderr,
              f'kftrain: --command: {message}; see "kftrain run --help"\n')


def run_mounts_volumes_of_this_machine():
    os.makedirs("allowed/inner")
    os.mkdir("secret")
    os.symlink("../secret", "allowed/link")
    here = os.getcwd()
    job = (JOB % ("mounts", "date >/v/written")).replace(
        "image: none, ", "image: none, volumeMounts: [{name: v, mountPath: /v}], ")

    def at(source):
        return job.replace("containers:", f"volumes: [{{name: v, {source}}}]\n          containers:")

    claim = at("persistentVolumeClaim: {claimName: data}")
    for name in ("data", "default/data"):
        equal(run("run", "-", "--volume", name + "=allowed", stdin=claim).returncode, 0)
        os.remove("allowed/written")
    equal(run("run", "-", "--volume", "team/data=allowed", stdin=claim).returncode, 2)
    path = at(f"hostPath: {{path: {here}/allowed/inner/new}}")
    contains(run("run", "-", "--host-path", "allowed/inner/..x", stdin=path).stderr, "expected an existing directory")
    equal(run("run", "-", "--host-path", "secret", stdin=path).returncode, 2)
    equal(run("run", "-", "--host-path", "allowed", stdin=path).returncode, 0)
    assert os.path.exists("allowed/inner/new/written")
    write("job.yaml", at(f"hostPath: {{path: {here}/allowed/link}}"))
    with subprocess.Popen([KFTRAIN, "run", "job.yaml", "--host-path", "allowed"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as command:
        line = command.stderr.readline()
        command.send_signal(signal.SIGINT)
        command.communicate()
    assert line.startswith("kftrain: config-missing: "), line
    equal(os.listdir("secret"), [])


def run_schedules_to_nodes():
    job = (JOB % ("gpu", "echo trained")).replace(
        "image: none, ", "image: none, resources: {limits: {nvidia.com/gpu: 2}}, ")
    done = run("run", "-", "--nodes", "1", "--node-resources", "cpu=1,nvidia.com/gpu=2", stdin=job)
    equal(done.returncode, 0)
    contains(done.stdout, "trained")
    write("job.yaml", job)
    with subprocess.Popen([KFTRAIN, "run", "job.yaml", "--nodes", "1"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as command:
        line = command.stderr.readline()
        command.send_signal(signal.SIGINT)
        command.communicate()
    contains(line, "2 of nvidia.com/gpu per pod exceeds the free amount on 1 of 1 node")
    for arguments, message in ((["--node-resources", "cpu=1"], "--node-resources requires --nodes"),
                               (["--nodes", "5001"], '--nodes: expected a whole number from 0 to 5000, got "5001"'),
                               (["--nodes", "1", "--node-resources", "cpu=-1"],
                                '--node-resources: cpu: expected a quantity of at least 0, got "-1"'),
                               (["--nodes", "1", "--node-resources", "cpu=1,"], 'expected NAME=VALUE, got ""'),
                               (["--nodes", "1", "--node-resources", "cpu=1,cpu=2"], "cpu: expected it once"),
                               (["--nodes", "1", "--node-resources", "nvidia.com/gpu=1.5"],
                                '--node-resources: nvidia.com/gpu: expected a whole number, got "1.5"'),
                               (["--nodes", "1", "--node-resources", "a b=1"],
                                "--node-resources: a b: expected cpu, memory, pods, or a name with a domain")):
        done = run("run", "-", *arguments, stdin=job)
        equal(done.returncode, 2)
        contains(done.stderr, message)


def run_takes_flags_of_operators():
    """The plugin hcclrank is new in Volcano v1.12.3, and the operator renders what the flag of its release permits."""
    job = """apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: ranks}
spec:
  minAvailable: 1
  plugins: {hcclrank: []}
  tasks:
  - name: worker
    replicas: 1
    policies: [{event: TaskCompleted, action: CompleteJob}]
    template:
      spec:
        restartPolicy: Never
        containers:
        - name: worker
          image: none
          command: [cat, /annotations/all]
          volumeMounts: [{name: annotations, mountPath: /annotations}]
        volumes:
        - name: annotations
          downwardAPI: {items: [{path: all, fieldRef: {fieldPath: metadata.annotations}}]}
"""
    done = run("run", "-", "--operator-flag", "volcano-release=v1.12.3", stdin=job)
    equal(done.returncode, 0, done.stdout + done.stderr)
    contains(done.stdout, 'hccl/rankIndex="0"')
    for arguments, message in (([], "unable to find job plugin: hcclrank"),
                               (["--operator-flag", "volcano-release=v1.14"],
                                '--operator-flag: flag --volcano-release=v1.14: "v1.14", expected v1.9.0, v1.10.0, '
                                "v1.11.0, v1.12.3 or v1.13.0")):
        done = run("run", "-", *arguments, stdin=job)
        equal(done.returncode, 2, done.stdout + done.stderr)
        contains(done.stderr, message)


def run_accepts_manifests_of_kubectl():
    workflow = "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: {name: w}\n"
    other = run("run", "-", stdin=JOB % ("first", "exit 0") + "---\n" + workflow)
    equal(other.returncode, 0, other.stderr)
    contains(other.stderr, "Workflow w")
    config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {greeting: good morning}\n---\n"
    mounted = (JOB % ("first", "cat /etc/greetings/greeting")).replace(
        "image: none, ", "image: none, volumeMounts: [{name: c, mountPath: /etc/greetings}], ").replace(
        "containers:", "volumes: [{name: c, configMap: {name: c}}], containers:" if "{containers:" in JOB else
        "volumes: [{name: c, configMap: {name: c}}]\n          containers:")
    shown = run("run", "-", stdin=config + mounted)
    equal(shown.returncode, 0, shown.stdout + shown.stderr)
    contains(shown.stdout, "good morning")
    drawn = run("run", "-", stdin=(JOB % ("gen-", "echo I am $HOSTNAME")).replace("{name: ", "{generateName: ", 1))
    equal(drawn.returncode, 0, drawn.stderr)
    equal(len(re.findall("PyTorchJob (gen-[bcdfghjklmnpqrstvwxz2456789]{5}) submitted", drawn.stdout)), 1, drawn.stdout)
    saved = (JOB % ("saved", "exit 0")).replace(
        "{name: ",
        '{resourceVersion: "5", uid: 1-2, generation: 3, creationTimestamp: "2024-01-01T00:00:00Z", selfLink: /x, '
        "managedFields: [{manager: kubectl}], name: ", 1)
    done = run("run", "-", stdin=saved + "status: {conditions: [{type: Succeeded, status: 'True'}]}\n")
    equal(done.returncode, 0, done.stderr)
    contains(done.stdout, "Succeeded")


def run_refuses_jobs_that_can_never_start():
    good = JOB % ("stuck", "exit 0")
    for slip, path, line, words in (
            (good.replace("spec:\n", "spec:\n  runPolicy: {suspend: true}\n", 1), "spec.runPolicy.suspend", 5,
             "kftrain resume"),
            (good.replace("spec:\n", "spec:\n  runPolicy: {managedBy: kueue.x-k8s.io/multikueue}\n", 1),
             "spec.runPolicy.managedBy", 5, "remove the field"),
            (good.replace("image: none,", "image: none, envFrom: [{secretRef: {name: creds}}],"),
             "spec.pytorchReplicaSpecs[Master].template.spec.containers[0].envFrom[0].secretRef.name", 11,
             'Secret "creds" does not exist'),
            (good.replace("image: none, command: [sh, -c, exit 0]", "image: none"),
             "spec.pytorchReplicaSpecs[Master].template.spec.containers[0].command", 11,
             "set command to a program of this machine, or give the image one with --command 'none=PROGRAM'")):
        done = run("run", write("job.yaml", slip))
        equal((done.returncode, done.stdout), (2, ""), done.stderr)
        assert re.search(rf"^kftrain: job.yaml:{line}:\d+: error: {re.escape(path)}: ", done.stderr, re.M), done.stderr
        contains(done.stderr, words)
    optional = good.replace("image: none,", "image: none, envFrom: [{secretRef: {name: creds, optional: true}}],")
    equal(run("run", write("job.yaml", optional)).returncode, 0)


def run_creates_the_queue_of_a_job():
    done = run("run", write("job.yaml", """\
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: q}
spec:
  minAvailable: 1
  queue: research
  tasks:
    - name: w
      replicas: 1
      template:
        spec:
          restartPolicy: Never
          containers: [{name: c, image: none, command: [sh, -c, "echo here I am"]}]
"""))
    equal(done.returncode, 0, done.stdout + done.stderr)
    contains(done.stdout, "here I am\n")
    contains(done.stderr, "kftrain: Queue research does not exist: created it for this run\n")


def run_prints_why_nothing_happens():
    in_volume = "volumeMounts: [{name: v, mountPath: /v}], command: [/v/program]"
    job = (JOB % ("stuck", "exit 0")).replace("command: [sh, -c, exit 0]", in_volume)
    job = job.replace("containers:", "volumes: [{name: v, emptyDir: {}}]\n          containers:")
    with subprocess.Popen([KFTRAIN, "run", write("job.yaml", job)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as command:
        line = command.stderr.readline()
        command.send_signal(signal.SIGINT)
        command.communicate()
    assert line.startswith("kftrain: command-not-found: "), line


def run_accepts_options_on_either_side():
    write("job.yaml", JOB % ("small", "exit 0"))
    for arguments in (["run", "-v", "job.yaml"], ["run", "job.yaml", "-v"]):
        done = run(*arguments)
        equal(done.returncode, 0, done.stderr)


def run_suggests_similar_commands():
    for arguments, message in (
            (["rnu", "job.yaml"], 'unknown command "rnu"; did you mean "run"?'),
            (["local", "sttaus"], 'unknown command "sttaus"; did you mean "status"?'),
            (["local", "--state", "s", "dwon"], 'unknown command "dwon"; did you mean "down"?'),
            (["train"], 'unknown command "train", expected one of run, render, local, submit, get, list, watch, wait, '
             'logs, exec, cp, port-forward, events, explain, timeline, scale, suspend, resume, delete, plan, '
             'preflight, lint, diff, fmt, convert, ranks'),
            (["local", "restart"], 'unknown command "restart", expected one of up, status, down, images')):
        done = run(*arguments)
        equal((done.returncode, done.stdout, done.stderr), (2, "", f"kftrain: {message}\n"))


def run_draws_a_timeline_of_each_job():
    for name in ("a", "b"):
        write(f"{name}.yaml", JOB % (name, "'echo kftrain-progress/1 step=3 total=3'"))
    done = run("run", "a.yaml", "b.yaml", "--timeline", "all.json")
    equal(done.returncode, 0, done.stdout + done.stderr)
    contains(done.stdout, "[a rank 0] kftrain-progress/1 step=3 total=3\n")
    for name in ("a", "b"):
        with open(f"all-{name}.json", encoding="utf-8") as file:
            timeline = json.load(file)
        equal((timeline["name"], timeline["phase"], timeline["recorded"]), (name, "Succeeded", True))
        equal([pod["pod"] for pod in timeline["pods"]], [f"{name}-master-0"])
        equal(timeline["progress"][0]["step"], 3)
    for file, message in (("a.png", "expected a file that ends in .svg, .html, .json or .txt, got "),
                          ("none/a.svg", "expected a file in an existing directory, got ")):
        done = run("run", "a.yaml", "--timeline", file)
        equal((done.returncode, done.stdout), (2, ""))
        contains(done.stderr, "kftrain: --timeline: " + message)


if __name__ == "__main__":
    run_test(globals())
