#!/usr/bin/python3
r"""usage: container_images.py KFTRAIN SOURCE_DIR SERVICE OPERATOR

Makes the images of packaging/container/Dockerfile from the programs SERVICE and OPERATOR, with debootstrap and umoci in
place of a container engine, runs the pods of their Deployments in a local cluster, and uses them. Needs root, and is
run by hand:

    scripts/setup deb && scripts/setup test
    scripts/build dev kftrain_cli example_platform_service example_production_operator
    bin=build/dev/bin
    test/integration/examples/container_images.py $bin/kftrain . $bin/example_platform_service \
        $bin/example_production_operator
"""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path += [os.path.join(os.path.dirname(os.path.abspath(__file__)), folder) for folder in ("../cli", "../cli/local")]

from container_manifests import FOLDER, KFTRAIN, SOURCES, rendered, served  # pylint: disable=wrong-import-position
from local_server import call, server, until  # pylint: disable=wrong-import-position

PROGRAMS = {"platform-service": sys.argv[3], "operator": sys.argv[4]}
TOKEN = "0123456789abcdef"
JOB = """apiVersion: kubeflow.org/v1
kind: TFJob
metadata: {name: hello, namespace: default}
spec:
  tfReplicaSpecs:
    Worker:
      template: {spec: {containers: [{name: tensorflow, image: none, command: [echo, hello]}]}}
"""
REQUEST = """exec 3<>/dev/tcp/127.0.0.1/8080
printf '%s %s HTTP/1.1\\r\\nHost: localhost\\r\\n%sContent-Length: %s\\r\\nConnection: close\\r\\n\\r\\n%s' \
"$0" "$1" "$2" "${#3}" "$3" >&3
head -1 <&3"""


def make_root(root, dockerfile):
    """The stage `runtime`: a Debian, on which its command runs."""
    command = re.search(r"^RUN (apt-get update .*?[^\\])$", dockerfile, re.M | re.S).group(1).replace("\\\n", " ")
    subprocess.run(["debootstrap", "--variant=minbase", "bookworm", root], check=True, stdout=subprocess.DEVNULL)
    shutil.copy("/etc/resolv.conf", f"{root}/etc")
    for file in glob.glob("/etc/apt/apt.conf.d/*proxy*") + glob.glob("/etc/apt/apt.conf"):
        shutil.copy(file, f"{root}/etc/apt/apt.conf.d")
    subprocess.run(["chroot", root, "sh", "-c", command], check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(f"{root}/var/cache/apt")
    shutil.copy(f"{FOLDER}/healthy", f"{root}/usr/local/bin")


def make_images(folder):
    """Returns the OCI layout with an image for each target."""
    with open(f"{FOLDER}/Dockerfile", encoding="utf-8") as file:
        dockerfile = file.read()
    root, layout = f"{folder}/root", f"{folder}/images"
    make_root(root, dockerfile)
    user = re.search(r"^USER (\S+)", dockerfile, re.M).group(1)
    call("umoci", "init", "--layout", layout)
    for target, program in PROGRAMS.items():
        entry = re.search(rf"AS {target}\n.*?^ENTRYPOINT (\[.*?\])", dockerfile, re.M | re.S).group(1)
        entry = json.loads(entry.replace("\\\n", " "))
        image = ["--image", f"{layout}:{target}"]
        call("umoci", "new", *image)
        call("umoci", "insert", *image, root, "/")
        call("strip", "-o", f"{folder}/program", program)
        call("umoci", "insert", *image, f"{folder}/program", entry[0])
        call("umoci", "config", *image, "--config.user", user, *(f"--config.entrypoint={word}" for word in entry))
    size = sum(entry.stat().st_size for entry in os.scandir(f"{layout}/blobs/sha256"))
    print(f"{len(PROGRAMS)} images of {size // len(PROGRAMS) / 1e6:.0f} MB each", flush=True)
    return layout


def create(s, folder, document):
    path = f"{folder}/document.json"
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)
    s.kubectl("create", "-f", path)


def start(s, folder, name):
    """Creates the namespace and the pod of the Deployment; returns a function that runs a command in the pod."""
    documents = {document["kind"]: document for document in rendered(name)}
    for kind in ("Namespace", "ServiceAccount"):
        create(s, folder, documents[kind])
    pod = served(documents["Deployment"])
    for container in pod["spec"]["containers"]:
        container.pop("lifecycle", None)  # which a local cluster refuses
    where = ["-n", pod["metadata"]["namespace"]]
    if name == "platform-service":
        s.kubectl(*where, "create", "secret", "generic", name, "--from-literal=token=" + TOKEN)
    create(s, folder, pod)
    pod_name = pod["metadata"]["name"]
    ready = "jsonpath={.status.containerStatuses[*].ready}"
    until(lambda: s.kubectl(*where, "get", "pod", pod_name, "-o", ready) == "true", f"{pod_name} is ready", 60)
    return lambda *command, expect=0: s.kubectl(*where, "exec", pod_name, "--", *command, expect=expect)


def check(run, path, code, method="GET", header="", body=""):
    response = run("bash", "-c", REQUEST, method, path, header, body)
    assert response.startswith(f"HTTP/1.1 {code} "), (method, path, response)


def main():
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        layout = make_images(folder)
        os.environ["XDG_CACHE_HOME"] = f"{folder}/cache"
        s = server(KFTRAIN, SOURCES, f"{folder}/state")
        sources = [word for name in ("platform-service", "trainer-operator")
                   for word in ("--image", f"registry.example.com/{name}=oci:{layout}:{name.removeprefix('trainer-')}")]
        try:
            s.local("up", *sources, "--image", "*=host")
            for name in PROGRAMS:
                run = start(s, folder, name)
                assert run("id", "-u") == "65532\n"
                assert "Read-only file system" in run("touch", "/file", expect=1)
                run("healthy", "8080")
                check(run, "/metrics", 401 if name == "platform-service" else 200)
                if name == "platform-service":
                    check(run, "/jobs", 200, "POST", f"Authorization: Bearer {TOKEN}\r\n", JOB)
                    s.kubectl("wait", "--for=condition=Succeeded", "tfjob/hello", "--timeout=30s")
                else:
                    assert "trainer-operator" in s.kubectl("-n", "trainer-operator", "get", "leases")
                print(f"{name}: ready, healthy and in use after {time.monotonic() - begun:.0f} s", flush=True)
        finally:
            s.local("down")


if __name__ == "__main__":
    main()
