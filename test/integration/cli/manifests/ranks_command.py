#!/usr/bin/python3
"""usage: ranks_command.py KFTRAIN TEST

Runs `kftrain ranks` and checks what it prints and its exit codes."""

import json

from manifest_files import JOB, POD, contains, equal, run, run_test, write


def ranks_prints_every_replica():
    done = run("ranks", write("job.yaml", JOB))
    equal(done.returncode, 0)
    equal(done.stdout, """PyTorchJob team/mnist: world size 3, 12 processes

RANK  PROCESSES  TYPE    INDEX  POD             ADDRESS
0     0-3        Master  0      mnist-master-0  mnist-master-0.team.svc
1     4-7        Worker  0      mnist-worker-0  mnist-worker-0.team.svc
2     8-11       Worker  1      mnist-worker-1  mnist-worker-1.team.svc
""")


def ranks_prints_the_environment_of_one_replica():
    write("job.yaml", JOB)
    by_pod = run("ranks", "job.yaml", "--pod", "mnist-worker-1")
    equal(by_pod.returncode, 0)
    contains(by_pod.stdout,
             "\nmnist-worker-1, container pytorch\n  LR=0.1\n  PYTHONUNBUFFERED=1\n  MASTER_PORT=23456\n")
    contains(by_pod.stdout, "  WORLD_SIZE=12\n  RANK=2\n")
    for key in (("--host", "mnist-worker-1.team.svc"), ("--rank", "2"), ("--process", "11")):
        equal(run("ranks", "job.yaml", *key).stdout, by_pod.stdout)
    report = json.loads(run("ranks", "-", "--rank", "0", "-o", "json", stdin=JOB).stdout)
    equal((report["worldSize"], report["processes"]), (3, 12))
    equal(report["variables"],
          {"rank": "RANK", "worldSize": "WORLD_SIZE", "address": "MASTER_ADDR", "port": "MASTER_PORT"})
    equal([(r["rank"], r["index"], r["pod"]) for r in report["replicas"]], [(0, 0, "mnist-master-0")])
    environment = {v["name"]: v["value"] for v in report["replicas"][0]["containers"][0]["env"]}
    equal((environment["RANK"], environment["MASTER_ADDR"]), ("0", "mnist-master-0"))
    contains(run("ranks", "job.yaml", "-o", "yaml").stdout, "worldSize: 3\n")


def ranks_shows_the_role_of_a_pod_without_a_name():
    launcher = """
apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata: {name: pi}
spec:
  mpiReplicaSpecs:
    Launcher: {template: {spec: {containers: [{name: l, image: a, env: [{name: A, value: b}]}]}}}
"""
    done = run("ranks", "-", "--pod", "pi-launcher-x7k2p", stdin=launcher)
    equal(done.returncode, 0)
    contains(done.stdout, "MPIJob default/pi: no ranks, the hostfile lists no host, so the launcher starts")
    contains(done.stdout, "\nLauncher 0, container l\n  A=b\n")
    for other in ("pi-launcher-", "pi-launcher-X7K2P", "pi-launcher-a b/c", ""):
        equal(run("ranks", "-", "--pod", other, stdin=launcher).returncode, 2)
    contains(run("ranks", "-", "--host", "10.0.0.1", stdin=launcher).stderr, "hosts are pi-launcher\n")


def ranks_prints_files_of_one_replica_without_secrets():
    job = """
apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata: {name: pi, namespace: ns}
spec:
  mpiReplicaSpecs:
    Launcher: {template: {spec: {containers: [{name: l, image: a}]}}}
    Worker: {replicas: 2, template: {spec: {containers: [{name: w, image: a}]}}}
"""
    done = run("ranks", "-", "--host", "pi-launcher", stdin=job)
    equal(done.returncode, 0)
    contains(done.stdout, """
  /root/.ssh/authorized_keys (0600, Secret pi-ssh; not shown)
  /etc/mpi/hostfile (0444, ConfigMap pi-config)
    pi-worker-0.pi.ns.svc slots=1
    pi-worker-1.pi.ns.svc slots=1
  /etc/mpi/discover_hosts.sh (0555, ConfigMap pi-config)
    #!/bin/sh
""")
    report = json.loads(run("ranks", "-", "--host", "pi-launcher", "-o", "json", stdin=job).stdout)
    key, *_, hostfile, _ = report["replicas"][0]["containers"][0]["files"]
    equal(key, {"path": "/root/.ssh/id_rsa", "mode": 0o600, "source": "Secret pi-ssh"})
    equal(hostfile["text"], "pi-worker-0.pi.ns.svc slots=1\npi-worker-1.pi.ns.svc slots=1\n")
    equal("hostfile (" in run("ranks", "-", "--env", stdin=job).stdout, False)


def ranks_refuses_fields_that_it_would_leave_out():
    done = run("ranks", "-", stdin=JOB.replace("metadata:", "nproc: 3\nmetadata:", 1))
    equal((done.returncode, done.stdout), (2, ""))
    contains(done.stderr, 'unknown field "nproc"')


def ranks_names_the_replicas_if_none_matches():
    write("job.yaml", JOB)
    done = run("ranks", "job.yaml", "--pod", "mnist-worker-2")
    equal((done.returncode, done.stdout), (2, ""))
    contains(done.stderr, 'pod "mnist-worker-2" does not belong to this job; pods are mnist-master-0, mnist-worker-0 '
                          'to mnist-worker-1')
    contains(run("ranks", "job.yaml", "--rank", "3").stderr, "rank 3 does not exist in this job; ranks are 0 to 2")
    equal(run("ranks", "job.yaml", "--rank", "1", "--pod", "x").returncode, 2)
    equal(run("ranks", "nowhere.yaml").returncode, 2)
    workers = JOB[:JOB.index("    Master:")] + JOB[JOB.index("    Worker:"):]
    alone = run("ranks", write("workers.yaml", workers))
    equal(alone.returncode, 0)
    contains(alone.stdout, "no ranks, the operator sets no ranks and no address, because the job has neither a Master "
                           "nor elasticPolicy")
    elastic = workers.replace("spec:\n", "spec:\n  elasticPolicy: {maxRestarts: 1}\n", 1)
    contains(run("ranks", "-", stdin=elastic).stdout, "no ranks, torchrun assigns ranks at the rendezvous")
    contains(alone.stdout, "\n-     -          Worker  0 ")


def ranks_expects_exactly_one_job():
    done = run("ranks", "-", stdin=JOB + "---\n" + JOB.replace("mnist", "other"))
    equal((done.returncode, done.stdout), (2, ""))
    equal(done.stderr, "kftrain: standard input: expected one job, got 2\n")


run_test(globals())
