"""The life of a job with kubectl and no special flags: every call of docs/reference/kubectl.md on `kftrain local`.

KFTRAIN_KUBECTL lists the programs to try, separated by colons; the default is the one in PATH."""

import os
import re
import shutil
import socket
import subprocess
import tempfile
import urllib.request

from local_server import server, until

PAGE = "docs/reference/kubectl.md"

MAP = """apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {rate: "%s"}
"""
SERVER = ('/usr/bin/python3 -c "import http.server as h; r = h.BaseHTTPRequestHandler; '
          'r.do_GET = lambda q: (q.send_response(200), q.end_headers(), q.wfile.write(bytes(100000))); '
          'r.log_message = lambda *a: None; h.HTTPServer((\\"127.0.0.1\\", 8000), r).serve_forever()"')
SET = """apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  replicas: 0
  serviceName: web
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: c, image: none, command: [sleep, "1000"]}]
"""


class Calls:
    """The rows of the page: each call with its output."""

    def __init__(self, s, files):
        self.s, self.files, self.made = s, files, []
        version = re.search(r'Minor:"(\d+)|Client Version: v1\.(\d+)', s.kubectl("version", "--client"))
        self.minor = int(version.group(1) or version.group(2))

    def row(self, call, pattern, expect=0, since=0, text=None, **environment):
        """`call` is the text of the page, with file names without folder. `since`: the first minor version that has
        it. `text`: the standard input."""
        self.made.append(call)
        if self.minor < since:
            return ""
        words = [word.strip("'") for word in re.findall(r"'[^']*'|\S+", call)]
        words = [self.files.get(word, word) for word in words]
        if words[0] != "kubectl":
            name, _, value = words.pop(0).partition("=")
            environment[name] = self.files.get(value, value)
        output = self.s.kubectl(*words[1:], expect=expect, text=text, **environment)
        assert re.search(pattern, output, re.M), f"{call}: expected {pattern!r} in\n{output}"
        return output


class Begun:
    """A call that does not end by itself, with its output so far. `listed`: a row of the page."""

    def __init__(self, c, call, text="", listed=True):
        if listed:
            c.made.append(call)
        self.call, self.output = call, tempfile.TemporaryFile("w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [c.s.program, "--kubeconfig", c.s.config, *call.split()[1:]], stdin=subprocess.PIPE, text=True,
            stdout=self.output, stderr=subprocess.STDOUT, env={"HOME": c.s.state, "PATH": os.environ["PATH"]})
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def printed(self):
        return os.pread(self.output.fileno(), 1 << 20, 0).decode()

    def until(self, pattern):
        until(lambda: re.search(pattern, self.printed(), re.M),
              f"{self.call} prints {pattern!r}, not\n{self.printed()}")
        return re.search(pattern, self.printed(), re.M)

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.process.kill()
        self.process.communicate()
        self.output.close()


def first_look(c):
    c.row("kubectl version", r"v1\.31\.0\+kftrain")
    c.row("kubectl cluster-info", "is running at")
    c.row("kubectl get --raw /readyz", "^ok")
    c.row("kubectl api-resources", r"^pytorchjobs +\S* *kubeflow\.org/v1 +true +PyTorchJob")
    c.row("kubectl auth can-i create pytorchjobs", "^yes")
    c.row("kubectl auth can-i create pytorchjobs --as jane", "^no", expect=1)
    c.row("kubectl auth can-i --list --as jane", r"^selfsubjectaccessreviews\.authorization\.k8s\.io .*\[create\]")
    c.row("kubectl explain pytorchjob.spec", r"pytorchReplicaSpecs\s+<map\[string\]Object>")
    c.row("kubectl explain pod.spec.containers.livenessProbe.httpGet", r"httpHeaders\s+<\[\](HTTPHeader|Object)>")


def creation(c):
    c.row("kubectl create -f job.yaml --dry-run=server", r"life created \(server dry run\)")
    c.row("kubectl create -f misspelt.yaml", "unknown field", expect=1)
    c.row("kubectl create -f job.yaml", "^pytorchjob.kubeflow.org/life created")
    c.row("kubectl wait --for=condition=Running pytorchjob/life --timeout=60s", "condition met")
    c.row("kubectl get pytorchjob life", "^life +Running")
    c.row("kubectl get pytorchjob life -w --request-timeout=2s", "^life +Running", expect=None)
    c.row("kubectl describe pytorchjob life", "^Kind: +PyTorchJob")
    until(lambda: c.s.kubectl("logs", "life-master-0") == "one\n", "the log of the master")
    c.row("kubectl logs life-master-0", "^one")
    c.row("kubectl exec life-master-0 -- hostname", "^life-master-0")
    check_streams(c)
    c.row("kubectl events", "PyTorchJob/life", since=26)
    c.row("kubectl get events", "pytorchjob/life")


def check_streams(c):
    long = "".join(f"line {i}\n" for i in range(100_000))
    assert c.row("kubectl exec -i life-master-0 -- cat", "^line 1$", text=long) == long
    assert "exit code 7" in c.s.kubectl("exec", "life-master-0", "--", "sh", "-c", "exit 7", expect=7)
    with Begun(c, "kubectl attach -i life-worker-0", "hello\n") as attached:
        attached.until("^hello$")
    with Begun(c, "kubectl port-forward life-master-0 :8000") as forwards:
        port = forwards.until(r"^Forwarding from 127\.0\.0\.1:(\d+) -> 8000").group(1)
        for _ in range(20):
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=30) as answer:
                assert len(answer.read()) == 100_000
    with Begun(c, "kubectl port-forward life-master-0 :8001", listed=False) as forwards:
        port = int(forwards.until(r"^Forwarding from 127\.0\.0\.1:(\d+) -> 8001").group(1))
        with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
            try:
                assert client.recv(1) == b"", "a connection to a port without a listener"
            except ConnectionResetError:
                pass
        forwards.until("error forwarding port 8001 .*Connection refused")


def changes(c):
    c.row("kubectl label pytorchjob life team=vision", "life labeled")
    c.row("kubectl annotate pytorchjob life note=first", "life annotated?")
    retries = '{"spec":{"runPolicy":{"backoffLimit":4}}}'
    c.row(f"kubectl patch pytorchjob life --type=merge -p '{retries}'", "life patched")
    c.row("EDITOR=five kubectl edit pytorchjob life", "life edited")
    assert c.s.kubectl("get", "pytorchjob", "life", "-o", "jsonpath={.spec.runPolicy.backoffLimit}") == "5"
    c.row("kubectl scale pytorchjob life --replicas=2", "life scaled")
    c.row("kubectl diff -f changed.yaml", r"^\+.*team: speech", expect=1)
    c.row("kubectl apply -f changed.yaml", "life configured")
    assert c.s.kubectl("get", "pytorchjob", "life", "-o", "jsonpath={.metadata.labels.team}") == "speech"


def configurations(c):
    c.row("kubectl apply --server-side -f slow.yaml", "settings serverside-applied")
    c.row("kubectl apply --server-side -f slow.yaml --field-manager=other", "settings serverside-applied")
    c.row("kubectl apply --server-side -f fast.yaml --field-manager=other",
          r'conflict with "kubectl": \.data\.rate|conflict with "kubectl"', expect=1)
    c.row("kubectl apply --server-side -f fast.yaml --field-manager=other --force-conflicts", "serverside-applied")
    c.row("kubectl get configmap settings -o yaml --show-managed-fields", "f:rate", since=21)
    c.row("kubectl create -f set.yaml", "statefulset.apps/web created")
    c.row("kubectl delete -f set.yaml --dry-run=server", "deleted")


def end(c):
    c.row("kubectl create --raw /api/v1/namespaces/default/pods/life-worker-0/eviction -f eviction.json", "Success")
    c.row("kubectl delete pytorchjob life", '"life" deleted')
    until(lambda: "life" not in c.s.kubectl("get", "pods", "-o", "name"), "the pods go with the job", 45)


def check_page(sources, made):
    with open(os.path.join(sources, PAGE), encoding="utf-8") as file:
        listed = re.findall(r"^\| `(.+?)` \|", file.read().replace("\\|", "|"), re.M)
    assert listed == made, f"{PAGE} lists\n  {listed}\nexpected\n  {made}"


def kubectl_calls(kftrain, sources, job):
    programs = [p for p in os.environ.get("KFTRAIN_KUBECTL", "").split(":") if p] or [shutil.which("kubectl")]
    assert programs[0], "kubectl is not installed"
    long = job % ("life", "echo one; exec " + SERVER, "exec cat")
    long = "stdin: true, command".join(long.rsplit("command", 1))
    texts = {"job.yaml": long, "misspelt.yaml": long.replace("replicas: 1", "replicaz: 1", 1),
             "changed.yaml": long.replace("{name: life}", "{name: life, labels: {team: speech}}"),
             "slow.yaml": MAP % "1", "fast.yaml": MAP % "2", "set.yaml": SET,
             "eviction.json": '{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"life-worker-0"}}',
             "five": "#!/bin/sh\nexec sed -i 's/backoffLimit: 4/backoffLimit: 5/' \"$1\"\n"}
    for program in programs:
        with tempfile.TemporaryDirectory() as folder:
            files = {name: os.path.join(folder, name) for name in texts}
            for name, text in texts.items():
                with open(files[name], "w", encoding="utf-8") as file:
                    file.write(text)
            os.chmod(files["five"], 0o755)
            s = server(kftrain, sources, os.path.join(folder, "state"))
            s.program = program
            try:
                s.up()
                calls = Calls(s, files)
                for part in (first_look, creation, changes, configurations, end):
                    part(calls)
                check_page(sources, calls.made)
                print(f"{program}: 1.{calls.minor}: {len(calls.made)} calls")
            finally:
                subprocess.run([kftrain, "local", "--state", s.state, "down"], check=False, stdout=subprocess.DEVNULL)
