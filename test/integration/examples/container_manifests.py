#!/usr/bin/python3
"""usage: container_manifests.py KFTRAIN SOURCE_DIR

Renders the manifests of packaging/container as `kubectl apply -k` does, and creates each document in a local cluster.
The cluster does not serve three of the types. Their parts are created as others, by the same rules: a ClusterRole as a
Role, its binding as a RoleBinding, and of a Deployment the pod of its template."""

import json
import os
import re
import subprocess
import sys
import tempfile

sys.path += [os.path.join(os.path.dirname(os.path.abspath(__file__)), folder) for folder in ("../cli", "../cli/local")]

from local_server import call, server  # pylint: disable=wrong-import-position

KFTRAIN, SOURCES = sys.argv[1:3]
FOLDER = os.path.join(SOURCES, "packaging/container")


def rendered(name):
    text = call("kubectl", "kustomize", os.path.join(FOLDER, name))
    done = subprocess.run([KFTRAIN, "fmt", "-", "-o", "json"], input=text, capture_output=True, text=True, timeout=60,
                          check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def served(document):
    """The document, or its equivalent in a local cluster."""
    kind, metadata = document["kind"], dict(document["metadata"])
    if kind.startswith("ClusterRole"):
        return {**document, "kind": kind.removeprefix("Cluster"), "metadata": {**metadata, "namespace": "default"}}
    if kind == "Deployment":
        template = document["spec"]["template"]
        metadata = {**template["metadata"], **metadata}
        return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": template["spec"]}
    return document


def check_references(documents):
    """Objects that a document names exist, and have the keys and ports that it uses."""
    by = {(d["kind"], d["metadata"].get("namespace", ""), d["metadata"]["name"]): d for d in documents}
    for document in documents:
        kind, namespace = document["kind"], document["metadata"].get("namespace", "")
        if kind.endswith("Binding"):
            role = document["roleRef"]
            assert (role["kind"], "" if role["kind"] == "ClusterRole" else namespace, role["name"]) in by, role
            for subject in document["subjects"]:
                assert (subject["kind"], subject["namespace"], subject["name"]) in by, subject
        if namespace:
            assert ("Namespace", "", namespace) in by, document["metadata"]
        if kind == "Service":
            pods = [d["spec"]["template"] for d in documents if d["kind"] == "Deployment"]
            selected = [p for p in pods if document["spec"]["selector"].items() <= p["metadata"]["labels"].items()]
            ports = {port["name"] for p in selected for c in p["spec"]["containers"] for port in c["ports"]}
            assert {port["targetPort"] for port in document["spec"]["ports"]} <= ports, (document, ports)


def check_deployment(document):
    """The pod security standard `restricted` is met, and probes use a port of the container."""
    spec = document["spec"]["template"]["spec"]
    labels = document["spec"]["template"]["metadata"]["labels"]
    assert document["spec"]["selector"]["matchLabels"].items() <= labels.items(), labels
    assert spec["securityContext"]["runAsNonRoot"] and spec["securityContext"]["runAsUser"] != 0, spec
    assert spec["securityContext"]["seccompProfile"]["type"] == "RuntimeDefault", spec
    for container in spec["containers"]:
        context, ports = container["securityContext"], {port["name"] for port in container["ports"]}
        assert not context["allowPrivilegeEscalation"] and context["capabilities"]["drop"] == ["ALL"], context
        assert context["readOnlyRootFilesystem"], context
        for probe in ("readinessProbe", "livenessProbe"):
            assert container[probe]["httpGet"]["port"] in ports, container
        assert "requests" in container["resources"], container


def check_dockerfile():
    """Each target exists, runs as the user of the Deployments, and contains the files that its command names."""
    with open(os.path.join(FOLDER, "Dockerfile"), encoding="utf-8") as file:
        text = file.read()
    assert set(re.findall(r"^FROM \S+ AS (\S+)", text, re.M)) == {"build", "runtime", "platform-service", "operator"}
    assert re.findall(r"^USER (\S+)", text, re.M) == ["65532:65532"] and "HEALTHCHECK" in text
    for source in re.findall(r"^COPY (?!--from|\. )(\S+)", text, re.M):
        assert os.path.exists(os.path.join(SOURCES, source)), source
    for program in re.findall(r"^ENTRYPOINT \[\"([^\"]+)", text, re.M):
        assert re.search(rf"^COPY --from=build \S+ {program}$", text, re.M), program
    with open(os.path.join(FOLDER, "Dockerfile.dockerignore"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("!"):
                assert os.path.exists(os.path.join(SOURCES, line[1:].strip())), line


def main():
    check_dockerfile()
    with tempfile.TemporaryDirectory() as folder:
        s = server(KFTRAIN, SOURCES, os.path.join(folder, "state"))
        try:
            s.up()
            for name in ("platform-service", "operator"):
                documents = rendered(name)
                assert {"Namespace", "ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Deployment"} <= {
                    d["kind"] for d in documents}, documents
                check_references(documents)
                for document in documents:
                    if document["kind"] == "Deployment":
                        check_deployment(document)
                    path = os.path.join(folder, "document.json")
                    with open(path, "w", encoding="utf-8") as file:
                        json.dump(served(document), file)
                    assert s.kubectl("create", "-f", path).endswith(" created\n"), document
        finally:
            s.local("down")


if __name__ == "__main__":
    main()
