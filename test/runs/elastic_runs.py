"""Runs of jobs that are disturbed while they train: a killed replica, a deleted node, scaling, suspension."""

import json
import re
import time

from harness import Fault, conditions_of, expect, expect_loss_falls
from runs import run

EPOCHS = 12


def check_weights(output, world):
    """Every rank has printed the same weights at the end, and the loss fell."""
    pattern = r"\[rank (\d)\] rank (\d) weights (\w+) loss (\S+) -> (\S+)"
    found = [re.fullmatch(pattern, line) for line in output.lines()]
    found = [match.groups() for match in found if match]
    expect(sorted(groups[:2] for groups in found), [(str(r), str(r)) for r in range(world)], "the ranks at the end")
    expect(len({groups[2:] for groups in found}), 1, "the number of different results of the ranks")
    expect_loss_falls(found[0][3], found[0][4], "all ranks")


def losses_of(output):
    """Epoch and loss of each line of rank 0."""
    found = (re.match(rf"\[rank 0\] rank 0 epoch (\d+) of {EPOCHS} loss (\S+)", line) for line in output.lines())
    return [(int(match.group(1)), float(match.group(2))) for match in found if match]


def check_losses(losses, expected):
    """The training is that without a disturbance: the same losses, but for the order in which gradients are added."""
    expect([epoch for epoch, _ in losses], [epoch for epoch, _ in expected], "the epochs of rank 0")
    for (epoch, loss), (_, wanted) in zip(losses, expected):
        expect(abs(loss - wanted) < 1e-4, True, f"the loss of epoch {epoch}: {loss}, undisturbed {wanted}")


UNDISTURBED = []  # the losses of rank 0, once they are known


def undisturbed(context):
    """The losses of the same training without a disturbance."""
    if UNDISTURBED:
        return UNDISTURBED
    with context.cluster() as cluster:
        output = cluster.follow("pytorch_exit_code")
        expect(output.end(), 0, "exit code of the undisturbed job")
        found = losses_of(output)
        expect([epoch for epoch, _ in found], list(range(1, EPOCHS + 1)), "the epochs of the undisturbed job")
        check_weights(output, 3)
    context.clear_checkpoints()
    UNDISTURBED.extend(found)
    return found


def disturbed(context, manifest, job, disturb, check, options=()):
    """Trains, disturbs in epoch 4, and expects the epochs and losses of an undisturbed training."""
    expected = undisturbed(context)
    with context.cluster(*options) as cluster:
        output = cluster.follow(manifest)
        output.wait_for(r"\[rank 0\] rank 0 epoch 4 of ")
        disturb(cluster)
        expect(output.end(), 0, "exit code")
        check_losses(losses_of(output), expected)
        check_weights(output, 3)
        continued = {(m.group(1), int(m.group(2))) for line in output.lines()
                     if (m := re.match(r"\[rank (\d)\] rank \d continues after epoch (\d+)", line))}
        expect(len({epoch for _, epoch in continued}) == 1 and {rank for rank, _ in continued} == {"0", "1", "2"}, True,
               f"every rank continues after the same epoch: {continued}")
        name = job.split("/")[1]
        expect(conditions_of(cluster.job(job)), [
            f"Created=True  PyTorchJobCreated  PyTorchJob {name} is created.",
            f"Running=False  PyTorchJobRunning  PyTorchJob {name} is running.",
            f"Succeeded=True  PyTorchJobSucceeded  PyTorchJob {name} is successfully completed."], "conditions")
        check(cluster, cluster.events(job))


def kill_rank_2(cluster):
    cluster.kill("pytorch_checkpoint.py", RANK="2")


def exits(events, name):
    return {tuple(re.search(rf"{name}-(\S+) exited with code (\d+)", message).groups())
            for _, reason, message in events if reason == "ExitedWithCode"}


@run("PyTorchJob", "pytorch", is_quick=True)
def pytorch_checkpoint(context):
    """OnFailure: a worker is killed; the containers start again and continue from the checkpoint."""
    def check(cluster, events):
        pods = cluster.pods("pytorch-checkpoint")  # the same pods, whose containers were started again
        expect(sorted(pods), ["pytorch-checkpoint-master-0", "pytorch-checkpoint-worker-0",
                              "pytorch-checkpoint-worker-1"], "pods")
        for name, pod in pods.items():
            status = pod["status"]["containerStatuses"][0]
            ended = status.get("lastState", {}).get("terminated", {}).get("exitCode")
            expect(status["restartCount"] >= 1, True, f"restarts of {name} are counted, got {status['restartCount']}")
            # A replica that comes back before the master ends meets the old rendezvous, and starts once more.
            killed = name.endswith("-worker-1") and status["restartCount"] == 1
            expect(ended, 137 if killed else 138, f"exit code of the previous run of {name}")
        # The operator need not see the short time between the end and the restart of a container.
        expect(("master-0", "0") in exits(events, "pytorch-checkpoint"), True, "an event about the end of the master")
        expect([m for _, reason, m in events if reason == "PyTorchJobRestarting"], [], "events about a restarted job")
    disturbed(context, "pytorch_checkpoint", "PyTorchJob/pytorch-checkpoint", kill_rank_2, check)


@run("PyTorchJob", "pytorch", is_quick=True)
def pytorch_exit_code(context):
    """ExitCode: a worker is killed; the operator creates the pods again, and they continue from the checkpoint."""
    def check(_, events):
        found = exits(events, "pytorch-exit-code")
        for pair in (("worker-1", "137"), ("worker-0", "138"), ("master-0", "138"), ("master-0", "0")):
            expect(pair in found, True, f"event about the exit code {pair}, got {found}")
        restarts = {m for _, reason, m in events if reason == "PyTorchJobRestarting"}
        expect(restarts >= {f"job pytorch-exit-code is restarting because {role} replica(s) failed."
                            for role in ("Master", "Worker")}, True, f"events about the restart of the job: {restarts}")
    disturbed(context, "pytorch_exit_code", "PyTorchJob/pytorch-exit-code", kill_rank_2, check)


@run("PyTorchJob", "pytorch", is_quick=True)
def node_failure(context):
    """A node of three is deleted; the operator creates its pod on another one, and all continue from the checkpoint."""
    job, replicas = "node-failure", ("master-0", "worker-0", "worker-1")
    before = {}

    def nodes(cluster):
        return {name: pod["spec"]["nodeName"] for name, pod in cluster.pods(job).items()}

    def delete_node(cluster):
        before.update(nodes(cluster))
        expect(len(set(before.values())), 3, f"the number of nodes of the pods: {before}")
        cluster.request("DELETE", "/api/v1/nodes/" + before[f"{job}-worker-1"])

    def check(cluster, events):
        after, lost = nodes(cluster), before[f"{job}-worker-1"]
        expect(sorted(after), [f"{job}-{replica}" for replica in replicas], "pods")
        expect(lost in after.values(), False, f"pods are on the deleted node {lost}: {after}")
        left = [node["metadata"]["name"] for node in cluster.request("GET", "/api/v1/nodes")["items"]]
        expect(sorted(left), sorted({"local-0", "local-1", "local-2"} - {lost}), "nodes")
        found = exits(events, job)
        for pair in (("worker-0", "138"), ("master-0", "138"), ("master-0", "0")):
            expect(pair in found, True, f"event about the exit code {pair}, got {found}")
        created = sum(event["count"] for event in json.loads(
            cluster.command("events", f"PyTorchJob/{job}", "-o", "json"))["items"]
            if event["reason"] == "SuccessfulCreatePod" and event["message"].endswith("worker-1"))
        expect(created, 2, "how often worker-1 was created")

    disturbed(context, "node_failure", f"PyTorchJob/{job}", delete_node, check,
              ("--nodes", "3", "--node-resources", "cpu=2"))


@run("PyTorchJob", "pytorch", is_quick=True)
def pytorch_suspend(context):
    """The job is suspended in the middle, its pods are deleted, and it continues from the checkpoint."""
    expected = undisturbed(context)
    job = "PyTorchJob/pytorch-exit-code"
    with context.cluster() as cluster:
        output = cluster.follow("pytorch_exit_code")
        output.wait_for(r"\[rank 0\] rank 0 epoch 4 of ")
        cluster.command("suspend", job)
        cluster.command("wait", job, "--for", "suspended")
        cluster.wait_until(lambda: not cluster.pods("pytorch-exit-code"), "no pod is left of the suspended job")
        suspended = [c for c in conditions_of(cluster.job(job)) if c.startswith("Suspended=")]
        expect(suspended, ["Suspended=True  PyTorchJobSuspended  PyTorchJob pytorch-exit-code is suspended."],
               "the condition of the suspended job")
        cluster.command("resume", job, seconds=120)
        expect(output.end(), 0, "exit code")
        losses = losses_of(output)
        # The pod can end between the checkpoint of an epoch and its line.
        lost = set(range(1, EPOCHS + 1)) - {epoch for epoch, _ in losses}
        expect(len(lost) <= 1, True, f"at most one epoch has no line: {sorted(lost)}")
        check_losses(losses, [each for each in expected if each[0] not in lost])
        check_weights(output, 3)
        expect(conditions_of(cluster.job(job)), [
            "Created=True  PyTorchJobCreated  PyTorchJob pytorch-exit-code is created.",
            "Suspended=False  PyTorchJobResumed  PyTorchJob pytorch-exit-code is resumed.",
            "Running=False  PyTorchJobRunning  PyTorchJob pytorch-exit-code is running.",
            "Succeeded=True  PyTorchJobSucceeded  PyTorchJob pytorch-exit-code is successfully completed."],
               "conditions")
        reasons = [reason for _, reason, _ in cluster.events(job)]
        expect(sorted(r for r in reasons if r.startswith("PyTorchJob")),
               ["PyTorchJobResumed", "PyTorchJobSucceeded", "PyTorchJobSuspended"], "events about the job")


@run("PyTorchJob", "pytorch")
def pytorch_elastic(context):
    """torchrun with c10d, scaled from two workers to three and to one; every epoch is trained once."""
    job = "PyTorchJob/pytorch-elastic"
    with context.cluster() as cluster:
        output = cluster.follow("pytorch_elastic")
        number = 0
        for size, after in ((2, 3), (3, 1), (1, None)):
            _, number = output.wait_for(rf"rank 0 of {size} epoch \d+ loss ", after=number)
            _, number = output.wait_for(rf"rank 0 of {size} epoch \d+ loss ", after=number)
            if after:
                cluster.command("scale", job, f"Worker={after}")
        expect(output.end(), 0, "exit code")
        history = [match.groups() for line in output.lines()
                   if (match := re.search(r"history epoch (\d+) world (\d) loss (\S+)", line))]
        expect([int(h[0]) for h in history], list(range(1, 101)), "the epochs of the checkpoint")
        sizes = [h[1] for h in history]
        expect([s for i, s in enumerate(sizes) if i == 0 or s != sizes[i - 1]], ["2", "3", "1"],
               "the world sizes, in the order of the epochs")
        expect_loss_falls(history[0][2], history[-1][2], "history")
        found = cluster.job(job)
        expect(found["spec"]["pytorchReplicaSpecs"]["Worker"]["replicas"], 1, "replicas")
        expect(conditions_of(found)[-1],
               "Succeeded=True  PyTorchJobSucceeded  PyTorchJob default/pytorch-elastic successfully completed.",
               "the last condition")
        deleted = {m for _, reason, m in cluster.events(job) if reason == "SuccessfulDeletePod"}
        expect(deleted >= {"Deleted pod: pytorch-elastic-worker-1", "Deleted pod: pytorch-elastic-worker-2"}, True,
               f"events about the deleted workers: {deleted}")


@run("TFJob", "tensorflow")
def tensorflow_dynamic(context):
    """Dynamic workers, scaled from two to three and to one; the parameter server and worker 0 never start again."""
    job, name = "TFJob/tensorflow-dynamic", "tensorflow-dynamic"
    with context.cluster() as cluster:
        output = cluster.follow("tensorflow_dynamic")
        for index in (0, 1):
            output.wait_for(rf"worker {index} step 11 ")
        cluster.command("scale", job, "Worker=3")
        output.wait_for(r"worker 2 step 11 ")
        cluster.command("scale", job, "Worker=1")
        cluster.wait_until(lambda: sorted(cluster.pods(name)) == [f"{name}-ps-0", f"{name}-worker-0"],
                           "only the server and worker 0 are left")
        lines = len(output.lines())
        output.wait_for(r"worker 0 step ", after=lines)
        expect(output.end(), 0, "exit code")
        others = [line for line in output.lines()[lines:] if re.search(r"worker [12] step ", line)]
        expect(others, [], "steps of workers that were taken away")
        done, _ = output.wait_for(r"worker 0 done loss (\S+) -> (\S+) steps \[(\d+), (\d+), (\d+), (\d+)\]")
        expect_loss_falls(done.group(1), done.group(2), "worker 0")
        steps = [int(done.group(index)) for index in range(3, 7)]
        expect(all(steps[:3]) and steps[3] == 0 and sum(steps) >= 600, True, f"three workers trained: {steps}")
        pods = cluster.pods(name)
        restarts = {pod: found["status"]["containerStatuses"][0]["restartCount"] for pod, found in pods.items()}
        expect(restarts.get(f"{name}-worker-0"), 0, f"restarts of worker 0: {restarts}")
        made = sorted(message for _, reason, message in cluster.events(job) if reason == "SuccessfulCreatePod")
        expect(made, [f"Created pod: {name}-{pod}" for pod in ("ps-0", "worker-0", "worker-1", "worker-2")],
               "events about created pods")
        expect(conditions_of(cluster.job(job)), [
            f"Created=True  TFJobCreated  TFJob {name} is created.",
            f"Running=False  TFJobRunning  TFJob default/{name} is running.",
            f"Succeeded=True  TFJobSucceeded  TFJob default/{name} successfully completed."], "conditions")


@run("MPIJob v2beta1", "horovod")
def horovod_elastic(context):
    """Horovod, scaled from two workers to three and to one; the launcher sees it in discover_hosts.sh."""
    job = "MPIJob.v2beta1/horovod-elastic"
    line = r"(\S+) rank \d of {} step (\d+) sum (\d+) expected (\d+) loss "
    with context.cluster() as cluster:
        output = cluster.follow("horovod_elastic")
        number = 0
        for size, after in ((2, 3), (3, 1), (1, None)):
            _, number = output.wait_for(line.format(size), after=number)
            _, number = output.wait_for(line.format(size), after=number)
            launchers = [name for name in cluster.pods("horovod-elastic") if "-launcher-" in name]
            expect(len(launchers), 1, f"the number of launchers with {size} workers")
            if after:
                time.sleep(2)  # some steps with this size
                cluster.command("scale", job, f"Worker={after}")
        expect(output.end(), 0, "exit code")
        steps = {}
        for text in output.lines():
            if match := re.search(line.format(r"(\d)").replace(r"(\S+) rank \d", r"\S+ rank \d+"), text):
                size, step, total, wanted = match.groups()
                expect(total, wanted, f"the sum in step {step}")
                steps.setdefault(int(step), set()).add(size)
        expect(sorted(steps), list(range(1, 151)), "the steps")
        sizes = [size for step in sorted(steps) for size in sorted(steps[step])]
        order = [s for i, s in enumerate(sizes) if i == 0 or s != sizes[i - 1]]
        expect(order[0] == "2" and "3" in order and order[-1] == "1", True, f"the sizes 2, 3, 1 in order: {order}")
        done = next((m for text in output.lines()
                     if (m := re.search(r"done after (\d+) steps, loss (\S+) -> ([^,\s]+)", text))), None)
        if done is None:
            raise Fault("rank 0 printed no result")
        expect(done.group(1), "150", "the steps of the committed state")
        expect_loss_falls(done.group(2), done.group(3), "rank 0")
        pods = cluster.pods("horovod-elastic")
        launcher = [pod for name, pod in pods.items() if "-launcher-" in name]
        expect([p["status"]["containerStatuses"][0]["restartCount"] for p in launcher], [0], "restarts of the launcher")
        expect(conditions_of(cluster.job(job))[-1],
               "Succeeded=True  MPIJobSucceeded  MPIJob default/horovod-elastic successfully completed.",
               "the last condition")
