"""What a run uses: `kftrain run`, a cluster of `kftrain local up`, checks, and the memory of all processes."""

import base64
import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import ssl
import subprocess
import tempfile
import threading
import time

from environments import SOURCES

MANIFESTS = "examples/manifests/train"
LIMIT = 240  # seconds; frameworks wait longer for a missing member than a run may


class Fault(Exception):
    """A result that was not expected."""


def expect(actual, expected, what):
    if actual != expected:
        raise Fault(f"{what}: got\n    {actual}\n  expected\n    {expected}")


def expect_loss_falls(first, last, what):
    if not float(last) < float(first):
        raise Fault(f"{what}: expected the loss to fall, got {first} -> {last}")


def processes():
    """The parent of each process, by process id."""
    found = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as file:
                    found[int(entry)] = int(file.read().rsplit(")", 1)[1].split()[1])
            except OSError:
                pass  # it has ended
    return found


def below(root):
    """The process and all its descendants."""
    parents, family, grown = processes(), {root}, True
    while grown:
        more = {pid for pid, parent in parents.items() if parent in family} - family
        family |= more
        grown = bool(more)
    return family


def resident(pid):
    try:
        with open(f"/proc/{pid}/statm", encoding="utf-8") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


class Memory(threading.Thread):
    """Samples the resident memory of a process and all its descendants; shared pages count once for each process."""

    def __init__(self, root):
        super().__init__(daemon=True)
        self.root, self.peak, self.ended = root, 0, threading.Event()
        self.start()

    def run(self):
        while not self.ended.wait(0.2):
            self.peak = max(self.peak, sum(resident(pid) for pid in below(self.root)))


class Output:
    """The lines of standard output and error of a running command."""

    def __init__(self, command, log, **options):
        self.log = log
        self.file = open(log, "w", encoding="utf-8")  # pylint: disable=consider-using-with
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            command, cwd=SOURCES, stdin=subprocess.DEVNULL, stdout=self.file, stderr=subprocess.STDOUT, **options)

    def lines(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()

    def wait_for(self, pattern, seconds=LIMIT, after=0):
        """Waits for a line, beginning with line number `after`; returns its match and the number of the next line."""
        deadline = time.monotonic() + seconds
        while True:
            ended = self.process.poll() is not None
            for number, line in enumerate(self.lines()[after:], after):
                if match := re.search(pattern, line):
                    return match, number + 1
            if ended:
                raise Fault(f"the command ended with {self.process.returncode} before a line that matches {pattern}")
            if time.monotonic() > deadline:
                raise Fault(f"no line matches {pattern} after {seconds} s")
            time.sleep(0.1)

    def end(self, seconds=LIMIT):
        """Waits for the end and returns the exit code; kills the command after the time limit."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Fault(f"not finished after {seconds} s") from None
        finally:
            self.stop()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.file.close()


class Finished:
    """What `kftrain run` printed: lines of replicas by replica, conditions and events of the job."""

    def __init__(self, code, lines):
        self.code, self.lines = code, lines
        self.conditions, self.events = self.section("Conditions"), self.section("Events")

    def section(self, name):
        if name not in self.lines:
            return []
        after = self.lines[self.lines.index(name) + 1:]
        end = next((i for i, line in enumerate(after) if not line.startswith("  ")), len(after))
        return [line.strip() for line in after[:end]]

    def matches(self, pattern):
        """The groups of all lines of replicas that match, in order; the first group is the name before the line."""
        found = (re.match(r"\[([^]]+)\] " + pattern, line) for line in self.lines)
        return [match.groups() for match in found if match]


class Context:
    """One run: its directory, the command, the interpreter, and the log that a failure shows."""

    def __init__(self, kftrain, environment, folder, backend="gloo"):
        self.kftrain_path, self.environment, self.folder = kftrain, environment, folder
        self.backend = backend if environment.name == "pytorch" else "gloo"
        self.checkpoints = os.path.join(folder, "checkpoints")
        os.mkdir(self.checkpoints)
        self.peak, self.logs, self.detail = 0, [], ""

    @property
    def venv(self):
        return os.path.dirname(os.path.dirname(self.environment.python))

    def clear_checkpoints(self):
        shutil.rmtree(self.checkpoints)
        os.mkdir(self.checkpoints)

    def options(self):
        """Options of `kftrain run` and `kftrain local up`: the interpreter of the environment, and a volume."""
        return ["--command", f"registry.example.com/{self.environment.name}={self.environment.python}",
                "--volume", f"checkpoints={self.checkpoints}"]

    def log(self, name):
        self.logs.append(os.path.join(self.folder, f"{len(self.logs)}-{name}.log"))
        return self.logs[-1]

    def manifest(self, name, replace):
        """The file of a manifest, or of its copy in which words are replaced."""
        path = os.path.join(SOURCES, MANIFESTS, f"{name}.yaml")
        if not replace and self.backend == "gloo":
            return path
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for old, new in (replace or {}).items():
            text = text.replace(old, new)
        if self.backend != "gloo":
            text = re.sub(r"(args: .*examples/train/pytorch_\w+[.]py)", rf"\1, --backend, {self.backend}", text)
        path = os.path.join(self.folder, f"{name}.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def run(self, manifest, *options, seconds=LIMIT, replace=None):
        """`kftrain run` of a manifest, in which words are replaced."""
        path = self.manifest(manifest, replace)
        output = Output([self.kftrain_path, "run", path, *self.options(), *options], self.log(manifest))
        memory = Memory(output.process.pid)
        try:
            code = output.end(seconds)
        finally:
            memory.ended.set()
            self.peak = max(self.peak, memory.peak)
        expect(code, 0, f"exit code of kftrain run {manifest}.yaml")
        return Finished(code, output.lines())

    @contextlib.contextmanager
    def cluster(self, *options):
        """A cluster of `kftrain local up`, which is taken down at the end."""
        cluster = Cluster(self, *options)
        memory = Memory(cluster.pid)
        try:
            yield cluster
        finally:
            memory.ended.set()
            self.peak = max(self.peak, memory.peak)
            cluster.down()


class Cluster:
    """A cluster of `kftrain local up`."""

    def __init__(self, context, *options):
        self.context = context
        self.state = tempfile.mkdtemp(prefix="cluster-", dir=context.folder)
        self.environment = {**os.environ, "KUBECONFIG": os.path.join(self.state, "kubeconfig")}
        printed = self.command("local", "up", "--state", self.state, *context.options(), *options)
        self.pid = int(re.search(r"^local cluster is up, process (\d+)$", printed, re.M).group(1))
        self.followed = []

    def command(self, *words, seconds=60):
        done = subprocess.run([self.context.kftrain_path, *words], cwd=SOURCES, env=self.environment, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                              timeout=seconds)
        if done.returncode:
            raise Fault(f"kftrain {' '.join(words)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def follow(self, manifest, *options, replace=None):
        """Submits the job of a manifest, in which words are replaced, and follows its output."""
        output = Output([self.context.kftrain_path, "submit", "-f", self.context.manifest(manifest, replace),
                         "--follow", *options], self.context.log(manifest), env=self.environment)
        self.followed.append(output)
        return output

    def job(self, name):
        return json.loads(self.command("get", name, "-o", "json"))

    def request(self, method, path):
        """The answer of the API server to a request in JSON."""
        with open(self.environment["KUBECONFIG"], encoding="utf-8") as file:
            text = file.read()
        address = re.search(r'server: *"?https://([^\s"]+)', text).group(1)
        authority = base64.b64decode(re.search(r'certificate-authority-data: *"?([^\s"]+)', text).group(1)).decode()
        token = re.search(r'token: *"?([^\s"]+)', text).group(1)
        connection = http.client.HTTPSConnection(address, context=ssl.create_default_context(cadata=authority),
                                                 timeout=60)
        connection.request(method, path, None, {"Authorization": "Bearer " + token})
        response = connection.getresponse()
        answer = response.read()
        connection.close()
        if response.status >= 300:
            raise Fault(f"{method} {path}: {response.status} {answer.decode()}")
        return json.loads(answer)

    def pods(self, job):
        """The pods whose name begins with that of the job, by name."""
        pods = {pod["metadata"]["name"]: pod for pod in self.request("GET", "/api/v1/namespaces/default/pods")["items"]}
        return {name: pod for name, pod in pods.items() if name.startswith(job + "-")}

    @staticmethod
    def wait_until(condition, what, seconds=60):
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                raise Fault(f"not after {seconds} s: {what}")
            time.sleep(0.1)

    def events(self, name):
        """Type, reason and message of each event, oldest first."""
        listed = json.loads(self.command("events", name, "-o", "json"))
        return [(e["type"], e["reason"], e["message"]) for e in listed["items"]]

    def kill(self, text, **variables):
        """Kills the process with this text in its command line and these variables, as the kernel does (SIGKILL)."""
        found = []
        for pid in below(self.pid):
            try:
                with open(f"/proc/{pid}/cmdline", encoding="utf-8", errors="replace") as file:
                    command = file.read()
                with open(f"/proc/{pid}/environ", encoding="utf-8", errors="replace") as file:
                    have = dict(entry.split("=", 1) for entry in file.read().split("\0") if "=" in entry)
            except OSError:
                continue  # it has ended
            if text in command and all(have.get(name) == value for name, value in variables.items()):
                found.append(pid)
        if len(found) != 1:
            raise Fault(f"expected one process of {text} with {variables}, got {found}")
        os.kill(found[0], signal.SIGKILL)

    def down(self):
        for output in self.followed:
            output.stop()
        self.command("local", "down", "--state", self.state)


def conditions_of(job):
    return [f"{c['type']}={c['status']}  {c['reason']}  {c['message']}" for c in job["status"]["conditions"]]


def check_finished(finished, kind, name, pods, is_qualified=True, ends=(), article=""):
    """The exact conditions and events of a job of `kubeflow.org/v1` that succeeded, without a restart."""
    full = f"default/{name}" if is_qualified else name
    expect(finished.conditions, [
        f"Created=True  {kind}Created  {kind} {name} is created.",
        f"Running=False  {kind}Running  {kind} {full} is running.",
        f"Succeeded=True  {kind}Succeeded  {kind} {full} {article}successfully completed."], "conditions")
    check_events(finished.events, kind, name, pods, ends)


def check_events(events, kind, name, pods, ends):
    """One event for each object, the exit codes of some pods, and the end. Deletions depend on which pods still run."""
    made = sorted(f"Normal  SuccessfulCreate{what}  Created {what.lower()}: {name}-{pod}"
                  for pod in pods for what in ("Pod", "Service"))
    expect(sorted(e for e in events if "  SuccessfulCreate" in e), made, "events about created objects")
    codes = {e for e in events if "  ExitedWithCode  " in e}
    for pod in ends:
        expect(f"Normal  ExitedWithCode  Pod: default.{name}-{pod} exited with code 0" in codes, True,
               f"an event about the exit code of {pod}")
    others = [e for e in events if not re.match(r"Normal  (SuccessfulCreate|SuccessfulDelete)(Pod|Service)  ", e)
              and not re.fullmatch(rf"Normal  ExitedWithCode  Pod: default\.{name}-\S+ exited with code 0", e)]
    expect([e.split("  ")[:2] for e in others], [["Normal", f"{kind}Succeeded"]], "all other events")


def check_ranks(finished, pattern, world, who=None):
    """One line of every rank, with the right sum; returns the rest of the groups, by rank."""
    found = finished.matches(pattern)
    expect(sorted(int(groups[1]) for groups in found), list(range(world)), "the ranks that printed a result")
    for groups in found:
        expect(groups[2:5], (str(world), str(world * (world + 1) // 2), str(world * (world + 1) // 2)),
               f"world size, sum and expected sum of rank {groups[1]}")
        if who:
            expect(groups[0], who(int(groups[1])), f"the replica of rank {groups[1]}")
        if len(groups) > 6:
            expect_loss_falls(groups[5], groups[6], f"rank {groups[1]}")
    return {int(groups[1]): groups[5:] for groups in found}
