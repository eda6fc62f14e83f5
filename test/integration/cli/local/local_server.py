"""`kftrain local up`, `status` and `down`, and the server as kubectl and curl use it."""

import base64
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from local_certificates import check_certificates
from local_copies import check_hostile_copy
from watched_command import all_processes


def call(*arguments, expect=0, **options):
    done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60,
                          check=False, **options)
    output = f"{' '.join(arguments)}: exit code {done.returncode}\n{done.stdout}"
    assert expect is None or done.returncode == expect, output
    return done.stdout


def until(condition, what, seconds=30):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
        time.sleep(0.05)


def below(root):
    """The id and start time of the process and of all its descendants."""
    processes = all_processes()
    family = {root}
    grown = True
    while grown:
        more = {pid for pid, (parent, _) in processes.items() if parent in family} - family
        family |= more
        grown = bool(more)
    return {(pid, processes[pid][1]) for pid in family if pid in processes}


def gone(family):
    processes = all_processes()
    return not any(processes.get(pid, (0, ""))[1] == start for pid, start in family)


class server:
    program = "kubectl"

    def __init__(self, kftrain, sources, state):
        self.kftrain, self.sources, self.state = kftrain, sources, state
        self.config = os.path.join(state, "kubeconfig")

    def local(self, verb, *more, expect=0):
        return call(self.kftrain, "local", "--state", self.state, verb, *more, expect=expect, cwd=self.sources)

    def up(self, *options):
        output = self.local("up", *options)
        match = re.search(r"^local cluster is up, process (\d+)$", output, re.M)
        assert match, output
        assert f"export KUBECONFIG={self.config}" in output, output
        return int(match.group(1))

    def kubectl(self, *arguments, expect=0, text=None, **environment):
        home = {"HOME": self.state, "PATH": os.environ["PATH"], **environment}
        return call(self.program, "--kubeconfig", self.config, *arguments, expect=expect, env=home, input=text)


def check_curl(s):
    """A plain HTTPS client needs the certificate and the token of the kubeconfig, and nothing else."""
    text = Path(s.config).read_text(encoding="utf-8")
    assert os.stat(s.config).st_mode & 0o077 == 0, "others can read the kubeconfig"
    output = s.local("status") + s.local("up") + Path(s.state, "server.log").read_text(encoding="utf-8")
    url = re.search(r"server: *\"?(https://[^\s\"]+)", text).group(1)
    token = re.search(r"token: *\"?([^\s\"]+)", text).group(1)
    assert token not in output, "the token is printed outside of the kubeconfig"
    ca = os.path.join(s.state, "ca.pem")
    Path(ca).write_bytes(base64.b64decode(re.search(r"certificate-authority-data: *\"?([^\s\"]+)", text).group(1)))
    pods = json.loads(call("curl", "-sS", "--cacert", ca, "-H", f"Authorization: Bearer {token}",
                           f"{url}/api/v1/namespaces/default/pods"))
    assert pods["kind"] == "PodList" and len(pods["items"]) == 2, pods
    refused = json.loads(call("curl", "-sS", "--cacert", ca, f"{url}/api/v1/pods"))
    assert refused["kind"] == "Status" and refused["code"] == 401, refused
    call("curl", "-sS", f"{url}/api/v1/pods", expect=60)


def check_kubectl(s, manifest):
    output = s.kubectl("create", "-f", manifest)
    assert output == "pytorchjob.kubeflow.org/small created\n", output
    again = s.kubectl("create", "-f", manifest, expect=1)
    assert "AlreadyExists" in again, again
    phase = ["get", "pod", "small-worker-0", "-o", "jsonpath={.status.phase}"]
    until(lambda: "small-worker-0" in s.kubectl("get", "pods") and s.kubectl(*phase) == "Running", "the worker runs")
    table = s.kubectl("get", "pods,pytorchjobs")
    assert re.search(r"^pod/small-master-0 +1/1 +Running +0 ", table, re.M), table
    assert re.search(r"^pytorchjob\.kubeflow\.org/small +Running ", table, re.M), table
    until(lambda: s.kubectl("logs", "small-master-0") == "one\ntwo\n", "the log of the master")
    until(lambda: s.kubectl("logs", "small-worker-0", "-c", "pytorch") == "three\n", "the log of the worker")
    assert "NotFound" in s.kubectl("logs", "small-worker-7", expect=1)
    status = s.local("status")
    assert "  PyTorchJob default/small  Running\n" in status, status
    assert "  Pod default/small-master-0  Running\n" in status, status


def check_exec(s):
    def run(*arguments, expect=0, **options):
        return call(s.kftrain, "exec", "--kubeconfig", s.config, *arguments, expect=expect, **options)

    assert run("PyTorchJob/small", "--", "hostname") == "small-master-0\n"
    second = run("PyTorchJob/small", "--rank", "1", "--", "sh", "-c", "hostname; exit 7", expect=7)
    assert second == "small-worker-0\n", second
    assert run("PyTorchJob/small", "--role", "Worker", "-i", "--", "cat", input="a\nb\n") == "a\nb\n"
    folder = os.path.dirname(s.state)
    with open(os.path.join(folder, "data"), "wb") as file:
        file.write(os.urandom(1 << 20))
    os.mkdir(os.path.join(folder, "sent"))
    os.mkdir(os.path.join(folder, "fetched"))
    copy = [s.kftrain, "cp", "--kubeconfig", s.config]
    call(*copy, file.name, "PyTorchJob/small:" + os.path.join(folder, "sent"), "--rank", "1")
    call(*copy, "PyTorchJob/small:" + os.path.join(folder, "sent/"), os.path.join(folder, "fetched"))
    with open(file.name, "rb") as sent, open(os.path.join(folder, "fetched/sent/data"), "rb") as fetched:
        assert sent.read() == fetched.read(), "the copy differs"
    call(*copy, "PyTorchJob/small:/no/such/file", folder, expect=1)
    assert "expected exactly one" in call(*copy, "a", "b", expect=2)
    check_hostile_copy(call, copy, folder)
    assert "no replica with rank 5" in run("PyTorchJob/small", "--rank", "5", "--", "true", expect=2)
    assert "container other is not valid" in run("PyTorchJob/small", "-c", "other", "--", "true", expect=2)
    assert "COMMAND" in run("PyTorchJob/small", expect=2)
    assert "expected KIND/NAME" in run("small", "--", "true", expect=2)


def check_ports(s):
    def start(*ports):
        command = [s.kftrain, "port-forward", "--kubeconfig", s.config, "PyTorchJob/small", "--rank", "1", *ports]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def connect(line, port):
        found = re.fullmatch(rf"Forwarding 127\.0\.0\.1:(\d+) to port {port} of pod small-worker-0\n", line)
        assert found, line
        return socket.create_connection(("127.0.0.1", int(found.group(1))), timeout=30)

    program = ("import socket; s = socket.create_server(('127.0.0.1', 7000)); print('ready', flush=True)\n"
               "while True:\n c = s.accept()[0]\n t = b''.join(iter(lambda: c.recv(9999), b''))\n"
               " c.sendall(t[::-1]); c.close()")
    with subprocess.Popen([s.kftrain, "exec", "--kubeconfig", s.config, "PyTorchJob/small", "--rank", "1", "--",
                           "/usr/bin/python3", "-c", program], stdout=subprocess.PIPE, text=True) as serving:
        assert serving.stdout.readline() == "ready\n"
        with start(":7000", ":7001") as forwards:
            first, second = forwards.stdout.readline(), forwards.stdout.readline()
            with connect(second, 7001) as client:
                assert client.recv(1) == b"", "a connection to a port without a listener"
            for text in (b"abc", b"x" * 3_000_000 + b"y"):  # the end of the input reaches the pod
                with connect(first, 7000) as client:
                    client.sendall(text)
                    client.shutdown(socket.SHUT_WR)
                    assert b"".join(iter(lambda: client.recv(65536), b"")) == text[::-1]
            forwards.send_signal(signal.SIGINT)
            assert forwards.wait(30) == 130
            output = forwards.stderr.read()
        serving.kill()
    assert re.match(r"kftrain: port 7001 of pod small-worker-0: .*Connection refused", output), output
    assert output.count("\n") == 1, output
    port_forward = [s.kftrain, "port-forward", "--kubeconfig", s.config]
    for ports in ("0", "a", "1:", "80:65536", "80:80:80"):
        assert f'got "{ports}"' in call(*port_forward, "PyTorchJob/small", ports, expect=2)
    assert "no replica with rank 5" in call(*port_forward, "PyTorchJob/small", "80", "--rank", "5", expect=2)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        output = call(*port_forward, "PyTorchJob/small", ":80", f"{port}:80", expect=2)
        assert f"cannot listen on 127.0.0.1:{port}: Address already in use" in output, output
        assert "Forwarding" not in output, output


def check_lost_cluster(s, kill):
    """A cluster that is killed ends the clients that transfer bytes, each with one message."""
    command = [s.kftrain, "exec", "--kubeconfig", s.config, "PyTorchJob/small", "-i", "--"]
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    server = ("import socket; s = socket.create_server(('127.0.0.1', 7000)); print('ready', flush=True)\n"
              "c = s.accept()[0]\nwhile True: c.sendall(bytes(65536))")
    with subprocess.Popen([*command, "cat", "/dev/zero"], **streams) as flood, \
            subprocess.Popen([*command, "cat"], **streams) as silent, \
            subprocess.Popen([*command, "/usr/bin/python3", "-c", server], **streams) as serving:
        assert flood.stdout.read(1 << 20) == bytes(1 << 20)
        silent.stdin.write(b"a\n")
        silent.stdin.flush()
        assert silent.stdout.readline() == b"a\n"
        assert serving.stdout.readline() == b"ready\n"
        with subprocess.Popen([s.kftrain, "port-forward", "--kubeconfig", s.config, "PyTorchJob/small", ":7000"],
                              **streams) as forwards:
            port = int(re.search(rb":(\d+) ", forwards.stdout.readline()).group(1))
            with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
                assert client.recv(1) == bytes(1)
                kill()
                while client.recv(1 << 16):
                    pass
            forwards.send_signal(signal.SIGINT)
            output = forwards.communicate(timeout=60)[1].decode()
            assert output.count("\n") == 1 and "port 7000 of pod small-master-0: " in output, output
        for client in (flood, silent, serving):
            output = client.communicate(timeout=60)[1].decode()
            assert client.returncode == 3 and output.count("\n") == 1, (client.returncode, output)


CALLER = """{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "caller"}, "spec": {
"serviceAccountName": "trainer", "restartPolicy": "Never", "containers": [{"name": "c", "image": "none", "command": [
"sh", "-c", "cd /var/run/secrets/kubernetes.io/serviceaccount; for kind in pods secrets; do curl -sS -o /dev/null \
-w '%{http_code} ' --cacert ca.crt -H \\"Authorization: Bearer $(cat token)\\" \
https://$KUBERNETES_SERVICE_HOST:$KUBERNETES_SERVICE_PORT/api/v1/namespaces/default/$kind; done"]}]}}"""


def check_users(s):
    """Roles permit what a further user, a service account and a pod of this account may do."""
    jane = ["--context", "jane"]
    refused = s.kubectl(*jane, "get", "pods", expect=1)
    assert ('pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "default"'
            in refused), refused
    s.kubectl("create", "role", "reader", "--verb=list", "--resource=pods")
    s.kubectl("create", "rolebinding", "reader", "--role=reader", "--group=team-a",
              "--serviceaccount=default:trainer")
    assert "small-master-0" in s.kubectl(*jane, "get", "pods")
    assert "cannot delete resource" in s.kubectl(*jane, "delete", "pod", "small-master-0", expect=1)
    assert s.kubectl(*jane, "auth", "can-i", "list", "pods") == "yes\n"
    s.kubectl("create", "serviceaccount", "trainer")
    caller = os.path.join(s.state, "..", "caller.json")
    Path(caller).write_text(CALLER, encoding="utf-8")
    s.kubectl("create", "-f", caller)
    until(lambda: s.kubectl("get", "pod", "caller", "-o", "jsonpath={.status.phase}") == "Succeeded", "the caller ends")
    assert s.kubectl("logs", "caller") == "200 403 ", "a pod may do something else than its account"
    s.kubectl("delete", "pod", "caller")


def check_namespace(s, manifest):
    """A quota holds a pod of a job back, an orphaned pod stays, and a namespace ends with its content."""
    def kubectl(*arguments, expect=0):
        return s.kubectl("-n", "team", *arguments, expect=expect)

    s.kubectl("create", "namespace", "team")
    kubectl("create", "quota", "few", "--hard=pods=1")
    kubectl("create", "configmap", "kept")
    kubectl("patch", "configmap", "kept", "--type=merge", "-p", '{"metadata":{"finalizers":["example.com/kept"]}}')
    kubectl("create", "-f", manifest)
    events = ["get", "events", "-o", 'jsonpath={.items[?(@.reason=="FailedCreatePod")].message}']
    exceeded = "is forbidden: exceeded quota: few, requested: pods=1, used: pods=1, limited: pods=1"
    until(lambda: exceeded in kubectl(*events), "the operator reports the quota")
    assert kubectl("get", "quota", "few", "-o", "jsonpath={.status.used.pods}") == "1"
    pod = kubectl("get", "pods", "-o", "name")
    kubectl("delete", "pytorchjob", "small", "--cascade=orphan")
    assert kubectl("get", "pods", "-o", "name") == pod, "a pod goes with the job that orphaned it"
    assert kubectl("get", pod.strip(), "-o", "jsonpath={.metadata.ownerReferences}") == ""
    s.kubectl("delete", "namespace", "team", "--wait=false")
    assert s.kubectl("get", "namespace", "team", "-o", "jsonpath={.status.phase}") == "Terminating"
    late = kubectl("create", "configmap", "late", expect=1)
    assert "unable to create new content in namespace team because it is being terminated" in late, late
    until(lambda: kubectl("get", "pods,quota", "-o", "name") == "", "the content goes")
    kubectl("patch", "configmap", "kept", "--type=merge", "-p", '{"metadata":{"finalizers":[]}}')
    until(lambda: "team" not in s.kubectl("get", "namespaces", "-o", "name"), "the namespace goes")


AUTOSCALER = """apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: small}
spec:
  scaleTargetRef: {apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: small}
  maxReplicas: 2
  metrics:
    - type: External
      external: {metric: {name: queue}, target: {type: AverageValue, averageValue: 10}}
"""


def check_scaling(s):
    """Services have slices with their pods, and an autoscaler follows the metrics of its annotation."""
    path = "{.items[0].endpoints[0].targetRef.name} {.items[0].endpoints[0].conditions.ready}"
    slices = ["get", "endpointslices", "-l", "kubernetes.io/service-name=small-worker-0", "-o", f"jsonpath={path}"]
    until(lambda: s.kubectl(*slices) == "small-worker-0 true", "the slice of the worker")
    table = s.kubectl("get", "endpointslices")
    assert re.search(r"^small-worker-0-\w{5} +IPv4 +23456 +[\d.]+ ", table, re.M), table
    file = os.path.join(s.state, "autoscaler.yaml")
    Path(file).write_text(AUTOSCALER, encoding="utf-8")
    s.kubectl("create", "-f", file)
    reason = ["get", "hpa", "small", "-o", "jsonpath={.status.conditions[?(@.type=='ScalingActive')].reason}"]
    until(lambda: s.kubectl(*reason) == "FailedGetExternalMetric", "a metric without a value is reported")
    s.kubectl("annotate", "hpa", "small", "kftrain.local/metrics=queue=20")
    until(lambda: "pod/small-worker-1\n" in s.kubectl("get", "pods", "-o", "name"), "the second worker")
    until(lambda: re.search(r"^small +PyTorchJob/small +\d+/10 \(avg\) +<unset> +2 +2 ", s.kubectl("get", "hpa"), re.M),
          "the new size in the status")
    assert "SuccessfulRescale" in s.kubectl("get", "events")
    s.kubectl("delete", "hpa", "small")
    os.remove(file)


def check_deletion(s):
    assert s.kubectl("delete", "pytorchjob", "small") == 'pytorchjob.kubeflow.org "small" deleted\n'
    until(lambda: "small" not in s.kubectl("get", "pods", "-o", "name"), "the pods go with the job", 45)


def check_continued(s, data, pods, manifest):
    """A cluster continues with what a killed one left in its data directory."""
    s.up("--data-dir", data)
    assert "AlreadyExists" in s.kubectl("create", "-f", manifest, expect=1)
    states = ["get", "pods", "-o", "jsonpath={range .items[*]}{.metadata.uid} {.status.phase} "
              "{.status.containerStatuses[0].restartCount} {end}"]
    expected = "".join(f"{uid} Running 1 " for uid in pods.split())
    until(lambda: s.kubectl(*states) == expected, "the same pods run again, restarted once")
    other = os.path.join(os.path.dirname(s.state), "other")
    refused = call(s.kftrain, "local", "up", "--state", other, "--data-dir", data, expect=3)
    assert f"another local cluster uses {data}" in refused, refused
    assert s.local("down") == "local cluster is down\n"


def local_server(kftrain, sources, job):
    for tool in ("kubectl", "curl"):
        assert shutil.which(tool), f"{tool} is not installed"
    with tempfile.TemporaryDirectory() as folder:
        s = server(kftrain, sources, os.path.join(folder, "state"))
        manifest = os.path.join(folder, "job.yaml")
        with open(manifest, "w", encoding="utf-8") as file:
            file.write(job % ("small", "echo one; echo two; exec sleep 1000", "echo three; exec sleep 1000"))
        assert s.local("status", expect=1) == "no local cluster is up\n"
        assert s.local("down") == "no local cluster is up\n"
        first = second = None
        try:
            first = s.up("--user", "jane=team-a")
            assert f"local cluster is already up, process {first}\n" in s.local("up")
            check_kubectl(s, manifest)
            check_curl(s)
            check_exec(s)
            check_ports(s)
            check_users(s)
            check_namespace(s, manifest)
            check_scaling(s)
            check_deletion(s)
            s.kubectl("create", "-f", manifest)
            until(lambda: s.kubectl("get", "pods", "-o", "name").count("pod/") == 2, "the pods come again")
            family = below(first)
            assert len(family) > 3, family
            assert s.local("down") == "local cluster is down\n"
            until(lambda: gone(family), "the processes of the server are gone", 5)
            assert not os.path.exists(s.config), "the kubeconfig of a server that is down is still there"
            assert s.local("down") == "no local cluster is up\n"

            data = os.path.join(folder, "kept")
            second = s.up("--data-dir", data)
            s.kubectl("create", "-f", manifest)
            running = ["get", "pods", "-o", "jsonpath={range .items[*]}{.status.phase} {end}"]
            until(lambda: s.kubectl(*running) == "Running Running ", "the pods run")
            identity = ["get", "pods", "-o", "jsonpath={range .items[*]}{.metadata.uid} {end}"]
            pods = s.kubectl(*identity)
            family = below(second)
            check_lost_cluster(s, lambda: os.kill(second, signal.SIGKILL))
            until(lambda: gone(family), "no process survives a killed server", 5)
            assert s.local("status", expect=1) == "no local cluster is up\n"
            assert s.local("down") == "no local cluster is up\n"
            third = s.up("--user", "jane=team-a", "--user", "root=system:masters", "--user-certificates")
            assert third != second
            check_certificates(s)
            assert s.kubectl("get", "pods", "-o", "name") == "", "a new server remembers the pods of a dead one"
            assert s.local("down") == "local cluster is down\n"
            check_continued(s, data, pods, manifest)

            closed = 'exec "$@" <&- >&- 2>&-'
            ended = subprocess.run(["sh", "-c", closed, "sh", kftrain, "local", "--state", s.state, "up"], cwd=sources,
                                   timeout=30, check=False).returncode
            assert ended == 2, f"expected 2 as the address cannot be printed, got {ended}"
            assert s.local("status").startswith("local cluster is up"), "a server of a command without streams is lost"
            assert s.local("down") == "local cluster is down\n"
        finally:
            s.local("down")
