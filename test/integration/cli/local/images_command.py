#!/usr/bin/python3
"""usage: images_command.py KFTRAIN TEST

What serves the images of a local cluster."""

import fcntl
import io
import json
import os
import re
import subprocess
import sys
import tarfile

from image_requests import request_image, helpers_of
from local_server import call, until
from manifest_files import KFTRAIN, contains, equal, run, run_test, write
from oci_image import system_layer
from tiny_image import JOB, PROGRAMS, SHOW, is_root, output_of, tiny


def images_run_with_their_own_command():
    tiny(User="worker")
    groups = "2345 3456" if is_root() else "2345"
    written = ["tiny: 3: cannot create /written: Permission denied", "cat: /written: No such file or directory"]
    equal(output_of("--image", "example.com/tiny=oci:tiny"), [
        f"tiny one two in /work as 1234:2345:{groups} home /home/worker", "hello image /bin", "files of the image",
        *(written if is_root() else ["mine"]), "127.0.0.1 localhost"])
    tiny()
    args = ', args: [three], env: [{name: OWN, value: "pod"}], workingDir: /tmp'
    equal(output_of("--image", "example.com/tiny:1=oci:tiny:latest", job=JOB % ("tiny", args)), [
        "tiny three in /tmp as 0:0:0 home /root", "hello pod /bin", "files of the image", "mine",
        "127.0.0.1 localhost"])
    command = ', command: ["sh", "-c", "echo $0 $#; test ! -e /written && echo fresh"]'
    equal(output_of("--image", "*=oci:tiny", job=JOB % ("tiny", command)), ["sh 0", "fresh"])
    shown = run("local", "images", "--image", "*=oci:tiny", "--state", "state").stdout
    contains(shown, f"*      oci:{os.getcwd()}/tiny\n")
    equal(shown.count("sha256:"), 2)


def images_come_from_archives():
    """Of both forms; an archive that has changed is unpacked again."""
    tiny()
    for form in ("docker-archive", "oci-archive"):
        call("skopeo", "--insecure-policy", "copy", "-q", "oci:tiny", f"{form}:{form}.tar")
        contains("\n".join(output_of("--image", f"*=archive:{form}.tar")), "tiny one two in /work")
    tiny("changed", Cmd=["four"])
    call("skopeo", "--insecure-policy", "copy", "-q", "oci:changed", "docker-archive:changed.tar")
    os.replace("changed.tar", "docker-archive.tar")
    contains("\n".join(output_of("--image", "*=archive:docker-archive.tar")), "tiny four in /work")
    write("broken.tar", "no archive")
    contains(request_image("broken.tar", "store", "archive")["error"], "skopeo: ")


def images_are_files_of_this_machine():
    os.makedirs("root")
    with tarfile.open("layer.tar", "w") as tar:
        for info, data in system_layer(*PROGRAMS):
            tar.addfile(info, io.BytesIO(data) if info.isreg() else None)
    with tarfile.open("layer.tar") as tar:
        tar.extractall("root")
    command = f', command: ["/bin/sh", "-c", {json.dumps(SHOW)}, "tiny"]'
    output = output_of("--image", "*=dir:root", job=JOB % ("tiny", command))
    equal(output[0], "tiny  in / as 0:0:0 home /root")
    equal(output[2:], ["files of the image", "mine", "127.0.0.1 localhost"])
    assert not os.path.exists("root/written") and sorted(os.listdir("root/etc")) == ["group", "passwd"]
    os.makedirs("env/bin")
    os.symlink(sys.executable, "env/bin/python")
    write("env/pyvenv.cfg", "home = /usr/bin\n")
    write("images.yaml", "example.com/tiny: venv:env\n'*': host\n")
    check = ', command: ["python", "-c", "import sys; print(sys.prefix)"]'
    equal(output_of("--images", "images.yaml", job=JOB % ("tiny", check)), [os.path.realpath("env")])
    # The same, where the machine has no python.
    for source, why in (("venv:root", "expected a Python virtual environment with pyvenv.cfg and bin/python"),
                        ("dir:env/pyvenv.cfg", "expected an existing directory"),
                        ("oci:root", "expected an OCI image layout"),
                        ("oci:x:", "expected oci:PATH or oci:PATH:TAG"),
                        ("docker:x", "expected host, venv:PATH, dir:PATH, oci:PATH[:TAG] or archive:FILE")):
        refused = run("run", "-", "--image", "*=" + source, stdin=JOB % ("tiny", command))
        equal(refused.returncode, 2, refused.stderr)
        contains(refused.stderr, why)
    write("images.yaml", "a: host\nb: host\na: venv:env\n")
    twice = run("local", "images", "--images", "images.yaml")
    equal(twice.returncode, 2)
    contains(twice.stderr, "images.yaml: ")
    contains(twice.stderr, 'duplicate field "a"')
    write("images.yaml", "a: venv:root\n")
    contains(run("local", "images", "--images", "images.yaml").stderr, "images.yaml: a: expected a Python virtual")


def images_without_the_program_end_the_run():
    """A container that is started again although its image lacks the program."""
    tiny()
    job = JOB.replace("Never", "OnFailure") % ("tiny", ', command: [torchrun, train.py]')
    done = run("run", "-", "--image", "*=oci:tiny", stdin=job)
    equal(done.returncode, 2, done.stdout + done.stderr)
    contains(done.stderr, 'kftrain: pod tiny-master-0 can never start: cannot execute "torchrun": No such file or '
                          "directory: install the Python package torch\n")


def images_without_a_source_are_not_pulled():
    """`run` refuses them; on a cluster the pod waits as on a node that cannot pull the image."""
    tiny()
    refused = run("run", "-", "--image", "other=oci:tiny", stdin=JOB % ("tiny", ""))
    equal(refused.returncode, 2, refused.stdout)
    sentence = ('image "example.com/tiny:1" is in no entry of the image table; add one with '
                "--image 'example.com/tiny:1=SOURCE'")
    contains(refused.stderr, "spec.containers[0].image: " + sentence)
    contains(run("run", "-", stdin=JOB % ("tiny", "")).stderr, "images are not pulled")
    place = ["--state", os.path.abspath("state")]
    equal(run("local", "up", *place, "--image", "other=oci:tiny", "--image", "no-command=oci:tiny").returncode, 0)
    try:
        kubectl = ["kubectl", "--kubeconfig", "state/kubeconfig"]
        contains(run("local", "images", *place).stdout, f"other       oci:{os.getcwd()}/tiny\n")
        call(*kubectl, "run", "lost", "--image", "example.com/tiny:1", "--restart", "Never")
        state = "{.status.phase} {.status.containerStatuses[0].state}"
        waiting = [*kubectl, "get", "pod", "lost", "-o", "jsonpath=" + state]
        seen = set()

        def backs_off():
            output = call(*waiting)
            seen.update(re.findall("ErrImagePull|ImagePullBackOff", output))
            return '"reason":"ImagePullBackOff"' in output

        until(backs_off, "the pod waits")
        equal(seen, {"ErrImagePull", "ImagePullBackOff"})
        output = call(*waiting)
        assert output.startswith("Pending "), output
        contains(output, 'Back-off pulling image \\"example.com/tiny:1\\": ErrImagePull: image')
        events = [*kubectl, "get", "events", "-o", "jsonpath={range .items[*]}{.type} {.reason} {.message}{'\\n'}{end}"]
        until(lambda: "Error: ImagePullBackOff" in call(*events), "the events")
        for line in ('Warning Failed Failed to pull image "example.com/tiny:1": ' + sentence,
                     "Warning Failed Error: ErrImagePull\n",
                     'Normal BackOff Back-off pulling image "example.com/tiny:1"\n',
                     "Warning Failed Error: ImagePullBackOff\n"):
            contains(call(*events), line)
        call(*kubectl, "delete", "pod", "lost", "--timeout", "20s")
    finally:
        run("local", "down", *place)


def images_run_as_an_ordinary_user():
    if not is_root():
        print("SKIPPED: this is no root, so every other test shows it already")
        sys.exit(77)
    tiny(User="worker")
    os.chmod(".", 0o755)
    for name in ("cache", "home"):
        os.mkdir(name)
        os.chown(name, 65534, 65534)
    environment = os.environ | {"XDG_CACHE_HOME": os.path.abspath("cache"), "HOME": os.path.abspath("home")}
    done = subprocess.run([KFTRAIN, "run", "-", "--image", "*=oci:tiny"], input=JOB % ("tiny", ""), capture_output=True,
                          text=True, check=False, user=65534, group=65534, extra_groups=[], env=environment)
    equal(done.returncode, 0, done.stdout + done.stderr)
    contains(done.stdout, "tiny one two in /work as 1234:2345:2345 home /home/worker\n")
    contains(done.stdout, "files of the image\n")


STATUS = """while read name values; do
case $name in Uid:|Gid:|Groups:|CapBnd:|CapEff:|NoNewPrivs:) echo $name $values;; esac
done < /proc/self/status
echo "home $HOME"; echo x > /file; echo x > /memory/file && cat /memory/file
while read device place rest; do case $place in /memory) echo $rest;; esac; done < /proc/mounts
echo -n "my end" > /dev/termination-log; exit 3"""
CONTEXTS = """apiVersion: v1
kind: Pod
metadata: {name: guarded}
spec:
  restartPolicy: Never
  securityContext: {runAsUser: 1000, %s}
  volumes: [{name: memory, emptyDir: {medium: Memory, sizeLimit: 1Mi}}, {name: data, emptyDir: {}}]
  containers:
  - name: c
    image: tiny
    command: [sh, -c, %s]
    volumeMounts: [{name: memory, mountPath: /memory}, {name: data, mountPath: /data}]
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      runAsNonRoot: true
      capabilities: {drop: [ALL], add: [KILL]}
"""


class cluster:
    """A local cluster that serves `tiny`, with kubectl."""

    def __enter__(self):
        self.place = ["--state", os.path.abspath("state")]
        up = run("local", "up", *self.place, "--image", "tiny=oci:tiny", "--image", "*=host")
        equal(up.returncode, 0, up.stderr)
        return self

    def __exit__(self, *_):
        run("local", "down", *self.place)

    def local_images(self):
        return run("local", "images", *self.place).stdout

    def kubectl(self, *arguments, **more):
        return call("kubectl", "--kubeconfig", "state/kubeconfig", *arguments, **more)

    def state_of(self, pod, state):
        path = "{.status.containerStatuses[0].state.%s}" % state
        until(lambda: self.kubectl("get", "pod", pod, "-o", "jsonpath=" + path), f"{pod} is {state}")
        return json.loads(self.kubectl("get", "pod", pod, "-o", "jsonpath=" + path))


def images_that_are_unpacked_hold_no_pod_back():
    """A pod can be deleted while another process uses the store, and its image is unpacked."""
    tiny()
    store = os.path.join(os.environ["XDG_CACHE_HOME"], "kftrain/images")
    os.makedirs(store, 0o700)
    with open(os.path.join(store, ".lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with cluster() as c:
            c.kubectl("run", "early", "--image", "tiny", "--restart", "Never")
            until(lambda: helpers_of(store), "it waits for the store")
            c.kubectl("delete", "pod", "early", "--timeout", "30s")
            equal(len(helpers_of(store)), 1)
            fcntl.flock(lock, fcntl.LOCK_UN)
            until(lambda: not helpers_of(store), "the image is unpacked for the next one")
            contains(c.local_images(), "sha256:")
        fcntl.flock(lock, fcntl.LOCK_EX)


def images_keep_security_contexts():
    tiny()
    groups = "runAsGroup: 3000, fsGroup: 2000" + (", supplementalGroups: [4000]" if is_root() else "")
    with cluster() as c:
        c.kubectl("create", "-f", write("pod.yaml", CONTEXTS % (groups, json.dumps(STATUS))))
        ended = c.state_of("guarded", "terminated")
        equal((ended["exitCode"], ended.get("message")), (3, "my end"))
        log = c.kubectl("logs", "guarded")
        uid, gid = "1000 " * 3 + "1000", "3000 " * 3 + "3000"
        contains(log, f"Uid: {uid}\nGid: {gid}\nGroups:{' 2000 4000' if is_root() else ''}\n")
        contains(log, "CapEff: 0000000000000000\nCapBnd: 0000000000000020\n")
        contains(log, "NoNewPrivs: 1\nhome /\n")
        contains(log, "cannot create /file: Read-only file system\nx\n")
        assert re.search(r"^tmpfs rw,.*size=1024k", log, re.M), log
        # The log replaces an empty message of a container that failed.
        write("logs.yaml", CONTEXTS % (groups, json.dumps("echo one; echo two; exit 4")))
        text = open("logs.yaml", encoding="utf-8").read().replace("guarded", "logs")
        write("logs.yaml", text.replace("    image: tiny\n",
                                        "    image: tiny\n    terminationMessagePolicy: FallbackToLogsOnError\n"))
        c.kubectl("create", "-f", "logs.yaml")
        equal(c.state_of("logs", "terminated")["message"], "one\ntwo\n")
        write("root.yaml", CONTEXTS.replace("runAsUser: 1000, %s", "").replace("guarded", "root") % '"true"')
        c.kubectl("create", "-f", "root.yaml")
        waiting = c.state_of("root", "waiting")
        equal(waiting["reason"], "CreateContainerConfigError")
        contains(waiting["message"], 'container has runAsNonRoot and image will run as root (pod: "root_default(')
        write("host.yaml", text.replace("image: tiny", "image: other").replace("name: logs", "name: host"))
        c.kubectl("create", "-f", "host.yaml")
        path = "jsonpath={.status.phase} {.status.reason} {.status.message}"
        until(lambda: "NotSupported" in c.kubectl("get", "pod", "host", "-o", path), "it is refused")
        contains(c.kubectl("get", "pod", "host", "-o", path),
                 "spec.containers[0].securityContext.readOnlyRootFilesystem: the local cluster does not support this")


ACCOUNT = """apiVersion: v1
kind: Pod
metadata: {name: caller}
spec:
  restartPolicy: Never
  serviceAccountName: caller
  containers:
  - name: c
    image: tiny
    command: [sh, -c, "cd /var/run/secrets/kubernetes.io/serviceaccount; cat namespace; head -1 ca.crt token"]
    securityContext: {runAsUser: 1000, readOnlyRootFilesystem: true}
"""


def images_see_the_token_of_their_service_account():
    tiny()
    with cluster() as c:
        c.kubectl("create", "serviceaccount", "caller")
        c.kubectl("create", "-f", write("caller.yaml", ACCOUNT))
        equal(c.state_of("caller", "terminated")["exitCode"], 0, c.kubectl("logs", "caller"))
        output = c.kubectl("logs", "caller")
        contains(output, "default==> ca.crt <==\n-----BEGIN CERTIFICATE-----\n\n==> token <==\n")
        assert re.search(r"==> token <==\n\S{20,}", output), output


TESTS = {name: test for name, test in list(globals().items()) if name.startswith("images_")}

if __name__ == "__main__":
    run_test(TESTS)
