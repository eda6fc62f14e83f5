#!/usr/bin/python3
"""usage: render_command.py KFTRAIN TEST

Runs `kftrain render` and related commands with operator flags, and checks their output."""

import json
import os
from pathlib import Path
import subprocess
import tempfile
from xml.etree import ElementTree

from manifest_files import JOB, KFTRAIN, contains, equal, indented, run, run_test, write


def render_uses_operator_flags():
    manifest = str(Path(__file__).resolve().parents[4] / "examples/manifests/designed/mxnet_job.yaml")
    equal(run("lint", manifest).returncode, 1)
    contains(run("lint", manifest).stdout, "unable to find job plugin: mxnet")
    flag = ("--operator-flag", "volcano-plugins=designed")
    done = run("lint", *flag, manifest)
    equal((done.returncode, done.stdout, done.stderr), (0, "", ""))
    made = run("render", *flag, "--operator-flag=--volcano-launch-order=depends-on", manifest)
    equal(made.returncode, 0, made.stderr)
    contains(made.stdout, "DMLC_ROLE")
    assert "wait-for-tasks" not in made.stdout, made.stdout
    contains(run("render", *flag, manifest).stdout, "wait-for-tasks")
    contains(run("ranks", *flag, manifest).stdout, "the scheduler assigns ranks")
    wrong = run("render", "--operator-flag", "volcano-plugins=some", manifest)
    equal(wrong.returncode, 2)
    contains(wrong.stderr, "expected released or designed")


CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: b}\n"


def render_skips_objects_that_are_not_jobs():
    alone = run("render", "-", stdin=JOB)
    for command in ("render", "ranks"):
        done = run(command, "-",
                   stdin=CONFIG + "---\n" + JOB + "---\napiVersion: kubeflow.org/v1beta1\nkind: Experiment\n")
        equal((done.returncode, done.stdout), (0, run(command, "-", stdin=JOB).stdout))
        equal(done.stderr, "kftrain: standard input: line 1: ConfigMap c is not a job: skipped\n"
                           f"kftrain: standard input: line {JOB.count(chr(10)) + 7}: Experiment is not a job: "
                           "skipped\n")
    listed = run("render", "-", stdin="apiVersion: v1\nkind: List\nitems:\n" + indented(CONFIG, 0) + indented(JOB, 0))
    equal((listed.returncode, listed.stdout), (0, alone.stdout))
    equal(listed.stderr, "kftrain: standard input: line 4: ConfigMap c is not a job: skipped\n")
    none = run("render", "-", stdin=CONFIG)
    equal((none.returncode, none.stdout), (2, ""))
    contains(none.stderr, "standard input: expected a job, got none\n")


RUNTIME = """apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: own}
spec:
  mlPolicy: {numNodes: 2, torch: {}}
  template:
    spec:
      replicatedJobs:
      - name: node
        template:
          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
          spec: {template: {spec: {containers: [{name: node, image: "i:1"}]}}}
"""
TRAIN_JOB = """apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: tj}
spec: {runtimeRef: {name: own}, trainer: {}}
"""


def render_takes_what_a_job_refers_to_from_its_file_or_another():
    runtime = write("runtime.yaml", CONFIG + "---\n" + RUNTIME)
    job = write("job.yaml", TRAIN_JOB)
    for command in ("render", "ranks", "lint"):
        together = run(command, "-", stdin=RUNTIME + "---\n" + TRAIN_JOB)
        equal((together.returncode, together.stderr), (0, ""))
        listed = "apiVersion: v1\nkind: List\nitems:\n" + indented(RUNTIME, 0) + indented(TRAIN_JOB, 0)
        inside = run(command, "-", stdin=listed)
        equal((inside.returncode, inside.stdout, inside.stderr), (0, together.stdout, ""))
        apart = run(command, job, "--with", runtime)
        equal((apart.returncode, apart.stdout, apart.stderr), (0, together.stdout, ""))
        alone = run(command, job)
        equal(alone.returncode, 1 if command == "lint" else 2)
        contains(alone.stdout + alone.stderr,
                 'spec: TrainJob "default/tj" refers to the ClusterTrainingRuntime "own", which is missing; add it to '
                 "the file of the job, or supply it by --with FILE")
        absent = run(command, job, "--with", "/none.yaml")
        equal(absent.returncode, 2)
        contains(absent.stderr, 'cannot read "/none.yaml"')
    made = run("render", job, "--with", runtime, "-o", "json")
    equal([item["kind"] for item in json.loads(made.stdout)["items"]], ["ConfigMap", "JobSet"])
    shown = run("ranks", job, "--with", runtime, "--rank", "1", "-o", "json")
    replica = json.loads(shown.stdout)["replicas"][0]
    equal(replica["address"], "tj-node-0-1.tj.default.svc")
    variables = {v["name"]: v.get("value") for v in replica["containers"][0]["env"]}
    equal([variables[name] for name in ("PET_NODE_RANK", "PET_NNODES", "PET_MASTER_ADDR")],
          ["1", "2", "tj-node-0-0.tj"])
    installed = run("ranks", "-", stdin=TRAIN_JOB.replace("name: own", "name: torch-distributed"))
    equal(installed.returncode, 0, installed.stderr)
    contains(installed.stdout, "TrainJob default/tj: world size 1")
    broken = run("lint", job, "--with", write("broken.yaml", RUNTIME.replace("name: node, image", "name: main, image")))
    equal(broken.returncode, 1)
    contains(broken.stdout, "broken.yaml:1: ClusterTrainingRuntime own: spec.template.spec.replicatedJobs[0].template")


def render_puts_a_placeholder_where_a_server_chooses_the_name():
    done = run("render", "-", stdin=JOB.replace("name: mnist", "generateName: mnist-", 1))
    equal(done.returncode, 0, done.stderr)
    contains(done.stdout, "name: mnist-xxxxx-master-0\n")
    contains(done.stderr, "standard input: metadata.generateName: "
                          "the server generates the name; the output uses mnist-xxxxx\n")
    ranks = run("ranks", "-", stdin=JOB.replace("name: mnist", "generateName: mnist-", 1))
    contains(ranks.stdout, "mnist-xxxxx-worker-1")


def render_writes_a_wait_that_a_shell_runs():
    """The test replaces ping, sleep and date: host `b` answers after the first pause, host `c` never. A pause takes no
    time; it advances the clock that `date` prints."""
    manifest = str(Path(__file__).resolve().parents[4] / "examples/manifests/designed/mxnet_job.yaml")
    made = json.loads(run("render", "-o", "json", "--operator-flag", "volcano-plugins=designed",
                          manifest).stdout)["items"]
    waiting = [c for o in made if o["kind"] == "Pod" for c in o["spec"].get("initContainers", [])]
    equal(len(waiting), 4)
    shell, option, script = waiting[0]["command"]
    with tempfile.TemporaryDirectory() as at:
        log, clock = Path(at) / "log", Path(at) / "clock"
        for name, text in (("ping",
                            f'echo ping "$@" >>{log}\n[ "$3" = a ] || [ "$3 $(grep -c sleep {log})" = "b 1" ]\n'),
                           ("sleep", f'echo sleep "$@" >>{log}\necho $(($(cat {clock}) + $1)) >{clock}\n'),
                           ("date", f'cat {clock}\n')):
            (Path(at) / name).write_text("#!/bin/sh\n" + text)
            (Path(at) / name).chmod(0o755)

        def wait(hosts, limit):
            log.unlink(missing_ok=True)
            clock.write_text("1000\n")
            env = dict(os.environ, PATH=at + ":" + os.environ["PATH"], IP_LIST=hosts, WAIT_TIMEOUT=limit)
            done = subprocess.run([shell, option, script], env=env, capture_output=True, text=True, timeout=60)
            return done, log.read_text().splitlines()

        done, calls = wait("a b", "60")
        equal(done.returncode, 0)
        equal(calls, ["ping -c 1 a", "ping -c 1 b", "sleep 5", "ping -c 1 a", "ping -c 1 b"])
        done, calls = wait("c a", "9")
        equal(done.returncode, 1)
        contains(done.stderr, "c does not answer")
        equal(calls, ["ping -c 1 c", "sleep 5", "ping -c 1 c", "sleep 5", "ping -c 1 c"])


def render_escapes_json_on_a_terminal():
    """Control characters above ASCII are legal in JSON, and a terminal executes them."""
    manifest = write("job.yaml", JOB.replace('value: "0.1"', 'value: "\\x9b2J"'))
    raw = run("render", manifest, "-o", "json").stdout
    contains(raw, "\x9b2J")
    reading, writing = os.openpty()
    with subprocess.Popen([KFTRAIN, "render", manifest, "-o", "json"], stdout=writing) as process:
        os.close(writing)
        shown = b""
        while True:
            try:
                piece = os.read(reading, 65536)
            except OSError:  # the command has ended
                break
            shown += piece
        equal(process.wait(60), 0)
    os.close(reading)
    text = shown.decode()
    contains(text, "\\u009b2J")
    assert "\x9b" not in text, text
    equal(json.loads(text), json.loads(raw))


SVG = "{http://www.w3.org/2000/svg}"


def check_boxes(root):
    """All boxes are within the picture, and none overlaps another."""
    width, height = float(root.get("width")), float(root.get("height"))
    boxes = []
    for box in root.iter(SVG + "rect"):
        x, y, w, h = (float(box.get(name)) for name in ("x", "y", "width", "height"))
        assert 0 <= x and 0 <= y and x + w <= width and y + h <= height, box.attrib
        for left, top, right, bottom in boxes:
            assert x >= right or y >= bottom or x + w <= left or y + h <= top, box.attrib
        boxes.append((x, y, x + w, y + h))


def drawn(*arguments, stdin=""):
    """Returns the root of a picture, its texts from top to bottom, and its description."""
    done = run("render", *arguments, "-o", "svg", stdin=stdin)
    equal((done.returncode, done.stderr), (0, ""))
    root = ElementTree.fromstring(done.stdout)  # fails if the text is not well-formed
    check_boxes(root)
    return root, [t.text for t in root.iter(SVG + "text")], root.find(SVG + "desc").text


def render_draws_the_objects_of_every_kind():
    manifests = sorted((Path(__file__).resolve().parents[4] / "examples/manifests").glob("*.yaml"))
    assert len(manifests) > 10, manifests
    for manifest in manifests:
        root, texts, description = drawn(str(manifest))
        equal((root.tag, root.get("role"), root.find(SVG + "title") is not None), (SVG + "svg", "img", True))
        objects = json.loads(run("render", str(manifest), "-o", "json").stdout)["items"]
        assert any(o["kind"] in ("Pod", "Job", "JobSet") for o in objects), manifest
        for o in objects:
            name = o["metadata"]["name"]
            assert name in texts or any(t.startswith(name) for t in texts), (manifest, name, texts)
            contains(description, name)


def render_draws_the_environment_that_the_operator_sets():
    _, texts, description = drawn("-", stdin=JOB)
    equal(description, "PyTorchJob mnist.\nMaster, 1 pod: mnist-master-0.\n"
                       "Worker, 2 pods: mnist-worker-0, mnist-worker-1.\nService: mnist-master-0.\n"
                       "Services: mnist-worker-0, mnist-worker-1.\n")
    for line in ("RANK=0", "RANK=1, 2", "WORLD_SIZE=12", "MASTER_ADDR=mnist-master-0", "init container init-pytorch"):
        assert line in texts, (line, texts)
    assert not any(t.startswith("LR=") for t in texts), texts  # the author wrote it
    _, texts, description = drawn("-", stdin=JOB.replace("replicas: 2", "replicas: 300"))
    assert "RANK=1 … 300" in texts and "… 295 more" in texts and "mnist-worker-299" in texts, texts
    contains(description, "mnist-worker-150,")


def render_draws_several_jobs_below_each_other():
    root, texts, _ = drawn("-", stdin=JOB + "---\n" + JOB.replace("name: mnist", "name: second"))
    equal(root.find(SVG + "title").text, "Objects of the PyTorchJob mnist, the PyTorchJob second")
    assert "mnist-worker-1" in texts and "second-worker-1" in texts, texts


def render_escapes_names_in_pictures():
    """Authors choose the names of replica types. Most of these characters make a job invalid."""
    volcano = ("apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: sum}\nspec:\n  minAvailable: 1\n"
               "  tasks:\n  - name: a\n    replicas: 1\n    template: {spec: {containers: [{name: c, image: i}]}}\n"
               "  plugins: {svc: []}\n")
    root, texts, _ = drawn("-", stdin=volcano)
    assert "sum-a-0" in texts, texts
    elastic = JOB.replace("  nprocPerNode: \"4\"\n", "  elasticPolicy: {rdzvId: \"<b>&amp;\\u0007\"}\n")
    _, texts, _ = drawn("-", stdin=elastic)
    assert any("<b>&amp;" in t for t in texts), texts


run_test(globals())
