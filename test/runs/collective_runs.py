"""Runs that end by themselves: a collective result on every rank, a falling loss, exact conditions and events."""

import json
import os
import pwd
import re
import shutil

from harness import Fault, Finished, check_finished, check_ranks, conditions_of, expect, expect_loss_falls
from runs import run

SUM = r".*?rank (\d+) of (\d+) sum (\d+) expected (\d+)"
LOSS = SUM + r" loss ([\d.e-]+) -> ([\d.e-]+)"
MPI_LOSS = LOSS.replace(" sum", r" on \S+-worker-\d sum")
VOLCANO_DONE = ["Pending=False", "Running=False", "Completed=True"]


def rank_label(rank):
    return f"rank {rank}"


def check_volcano(finished):
    # Volcano skips Completing if no pod runs any more. Since v1.10, each write of the status adds a condition.
    kept = [c for c in finished.conditions if c != "Completing=False"]
    expect([c for i, c in enumerate(kept) if i == 0 or c != kept[i - 1]], VOLCANO_DONE, "conditions")
    expect([" ".join(e.split()) for e in finished.events],
           ["Normal ExecuteAction Start to execute action CompleteJob"], "events")


def check_mpi(finished, name):
    expect(finished.conditions, [
        f"Created=True  MPIJobCreated  MPIJob default/{name} is created.",
        f"Running=False  MPIJobRunning  MPIJob default/{name} is running.",
        f"Succeeded=True  MPIJobSucceeded  MPIJob default/{name} successfully completed."], "conditions")
    expect(finished.events, [
        f"Normal  MPIJobCreated  MPIJob default/{name} is created.",
        f"Normal  MPIJobRunning  MPIJob default/{name} is running",
        f"Normal  MPIJobSucceeded  MPIJob default/{name} successfully completed."], "events")


def check_mpi_ranks(finished, name):
    check_ranks(finished, MPI_LOSS, 3)
    hosts = sorted(groups[1:] for groups in finished.matches(r"rank (\d+) of 3 on (\S+)"))
    expect(hosts, [(str(r), f"{name}-worker-{r}") for r in range(3)], "the hosts of the ranks")


def check_train_job(finished):
    expect(finished.conditions, ["Complete=True  AllJobsCompleted  jobset completed successfully"], "conditions")
    expect(finished.events, [], "events")


def run_mpi(context, manifest, *options, **replace):
    """A sum on three ranks, each on its own worker."""
    finished = context.run(manifest, *options, **replace)
    name = manifest.replace("_", "-")
    check_mpi_ranks(finished, name)
    check_mpi(finished, name)


@run("MPIJob v2beta1", "mpi", is_quick=True)
def mpi_ssh(context):
    """Open MPI reaches three workers by ssh; a sum on every rank."""
    run_mpi(context, "mpi_ssh")


@run("MPIJob v2beta1", "mpich")
def mpi_mpich(context):
    """MPICH reads the hostfile and the options of ssh from the variables of the operator; a sum on every rank."""
    run_mpi(context, "mpi_mpich", replace={"/opt/mpi": context.venv})


@run("MPIJob v2beta1", "intelmpi")
def mpi_intel(context):
    """Intel MPI reads the hostfile and the options of ssh from the variables of the operator; a sum on every rank."""
    run_mpi(context, "mpi_intel", replace={"/opt/mpi": context.venv})


@run("MPIJob v1", "mpi", is_quick=True)
def mpi_v1(context):
    """Open MPI reaches three workers by kubectl exec; a sum on every rank."""
    finished = context.run("mpi_v1")
    check_mpi_ranks(finished, "mpi-v1")
    expect(finished.conditions, [
        "Created=True  MPIJobCreated  MPIJob mpi-v1 is created.",
        "Running=False  MPIJobRunning  MPIJob mpi-v1 is running.",
        "Succeeded=True  MPIJobSucceeded  MPIJob mpi-v1 is successfully completed."], "conditions")
    workers = [f"mpi-v1-worker-{r}" for r in range(3)]
    # A later reconcile reports the objects that exist. Workers may be deleted after the events are read.
    others = {f"Normal  {what} is exist  {what}: mpi-v1-launcher"
              for what in ("ServiceAccount", "LauncherRole", "RoleBinding")}
    others |= {f"Normal  SuccessfulDeletePod  Deleted pod: {worker}" for worker in workers}
    expect(sorted(e for e in finished.events if e not in others), sorted([
        *[f"Normal  SuccessfulCreatePod  Created worker pod: {worker}" for worker in workers],
        "Normal  MPIJobRunning  launcher pod created success: mpi-v1-launcher",
        "Normal  MPIJobRunning  MPIJob default/mpi-v1 is running",
        "Normal  mpijobsSucceeded  MPIJob default/mpi-v1 successfully completed.",
        "Normal  MPIJobSucceeded  MPIJob mpi-v1 is successfully completed."]), "events")


@run("MPIJob v2beta1", "deepspeed")
def deepspeed_mpi(context):
    """The command of DeepSpeed starts Open MPI on three workers; a sum and the same weights on every rank."""
    run_mpi(context, "deepspeed_mpi", "--image", f"registry.example.com/deepspeed=venv:{context.venv}")


@run("TrainJob", "deepspeed")
def deepspeed_train_job(context):
    """The runtime deepspeed-distributed: a rank in the launcher, and two in nodes that it reaches by ssh."""
    try:
        pwd.getpwuid(1000)  # ssh needs an entry for the user of the pods
    except KeyError:
        raise Fault("this machine has no user with the number 1000") from None
    venv = os.path.join(context.folder, "deepspeed")  # that user may not read the home directory of root
    shutil.copytree(context.venv, venv, symlinks=True)
    finished = context.run("deepspeed_train_job", "--image", f"registry.example.com/deepspeed=venv:{venv}",
                           "--image", f"ghcr.io/kubeflow/trainer/deepspeed-runtime=venv:{venv}")
    check_ranks(finished, MPI_LOSS.replace(r"-worker-\d", ""), 3)
    hosts = sorted(groups[1:] for groups in finished.matches(r"rank (\d+) of 3 on deepspeed-(\S+)"))
    expect(hosts, [("0", "launcher-0-0"), ("1", "node-0-0"), ("2", "node-0-1")], "the hosts of the ranks")
    check_train_job(finished)


@run("Job (Volcano)", "pytorch", is_quick=True)
def volcano_pytorch(context):
    """The plugin pytorch: a sum over three ranks."""
    finished = context.run("volcano_pytorch")
    check_ranks(finished, SUM, 3, rank_label)
    check_volcano(finished)


@run("Job (Volcano)", "mpi", is_quick=True)
def volcano_mpi(context):
    """The plugins mpi, ssh and svc: the master reaches two workers by ssh."""
    finished = context.run("volcano_mpi")
    check_ranks(finished, MPI_LOSS, 2)
    check_volcano(finished)


@run("Job (Volcano)", "tensorflow")
def volcano_tensorflow(context):
    """The plugin tensorflow: TensorFlow reads TF_CONFIG and trains on two workers."""
    finished = context.run("volcano_tensorflow")
    check_ranks(finished, LOSS, 2, lambda rank: f"volcano-tensorflow-worker-{rank}")
    check_volcano(finished)


@run("Job (Volcano)", "ray")
def volcano_ray(context):
    """The plugin ray of Volcano v1.13: a driver trains on a head and two workers."""
    finished = context.run("volcano_ray", "--operator-flag", "volcano-release=v1.13.0",
                           replace={"/opt/ray": context.venv})
    found = finished.matches(r"nodes 3 sum (\d+) expected (\d+) loss ([\d.]+) -> ([\d.]+) on (\S+ \S+ \S+), ray")
    expect(len(found), 1, "the number of results of the driver")
    expect((found[0][0], found[0][1], found[0][2], found[0][5]),
           ("volcano-ray-driver-0", "6", "6", "volcano-ray-head-0 volcano-ray-worker-0 volcano-ray-worker-1"),
           "driver, sum, expected sum and hosts")
    expect_loss_falls(found[0][3], found[0][4], "driver")
    check_volcano(finished)


@run("Job (Volcano)", "mxnet")
def volcano_mxnet(context):
    """The designed plugin mxnet, and its launch order: first by init containers, then by dependsOn."""
    for order in ("init-containers", "depends-on"):
        timeline = os.path.join(context.folder, f"{order}.json")
        finished = context.run("volcano_mxnet", "--operator-flag", "volcano-plugins=designed", "--operator-flag",
                               f"volcano-launch-order={order}", "--timeline", timeline)
        check_ranks(finished, LOSS, 2)
        expect(sorted(line[0] for line in finished.matches(r"\w+ serves")),
               ["volcano-mxnet-scheduler-0", "volcano-mxnet-server-0"], "the processes that serve")
        with open(timeline, encoding="utf-8") as file:
            pods = json.load(file)["pods"]
        expect([pod["pod"][len("volcano-mxnet-"):] for pod in pods],
               ["scheduler-0", "server-0", "worker-0", "worker-1"], "pods")
        began = pods[0]["runs"][0]["started"]  # RFC 3339 in UTC, whose order is that of the texts
        for pod in pods[1:]:
            expect(pod["runs"][0]["started"] >= began, True, f"{pod['pod']} runs after the scheduler: {pods}")
            expect(pod["created"] >= began, order == "depends-on", f"{pod['pod']} is created after the scheduler "
                   f"runs: {pods}")
        check_volcano(finished)


@run("Job (Volcano)", "pytorch", is_quick=True)
def volcano_gangs(context):
    """Two gangs of four on nodes with room for six: one of them waits as a whole."""
    finished = context.run("gangs", "--nodes", "3", "--node-resources", "cpu=2")
    results = [(name, line) for line in finished.lines if (m := re.match(r"\[(\w+) rank \d\] rank", line))
               for name in m.groups()]
    names = [name for name, _ in results]
    before, after = ("first", "second") if names[:1] == ["first"] else ("second", "first")
    expect(names, [before] * 4 + [after] * 4, "the jobs of the results, in order")
    for name, line in results:
        expect(re.search(r"of 4 sum (\d+)", line).group(1), "10", f"the sum of {name}")
    last = max(i for i, line in enumerate(finished.lines) if line.startswith(f"[{before} rank "))
    early = [line for line in finished.lines[:last] if re.match(rf"{after}-\S+ .*Running", line)]
    expect(early, [], "pods of the later gang that run beside the earlier one")


@run("PyTorchJob v1alpha1", "pytorch", is_quick=True)
def pytorch_v1alpha1(context):
    """A sum over three ranks with gloo."""
    finished = context.run("pytorch_sum_v1alpha1")
    check_ranks(finished, SUM, 3, rank_label)
    expect(finished.conditions, ["Succeeded=True  Done"], "conditions")
    reasons = sorted(e.split("  ")[1] + " " + e.split("  ")[2].split(":")[0] for e in finished.events)
    expect(reasons, ["SuccessfulCreate Created Service"] * 3 + ["SuccessfulCreate Created pod"] * 3, "events")


@run("TrainJob", "pytorch")
def train_job(context):
    """torchrun in three pods of the runtime torch-distributed: a sum, and a loss over the data of all."""
    finished = context.run("train_job")
    losses = check_ranks(finished, LOSS, 3, rank_label)
    expect(len(set(losses.values())), 1, "the number of different losses of the ranks")
    check_train_job(finished)


@run("PyTorchJob", "accelerate")
def accelerate(context):
    """Accelerate of Hugging Face in a master and two workers: a sum, a falling loss, and a third of the data each."""
    finished = context.run("accelerate")
    rest = check_ranks(finished, LOSS + r" samples (\d+)", 3, rank_label)
    expect(sorted(values[2] for values in rest.values()), ["1280"] * 3, "the samples of the ranks")
    expect(len({values[:2] for values in rest.values()}), 1, "the number of different losses of the ranks")
    check_finished(finished, "PyTorchJob", "accelerate", ["master-0", "worker-0", "worker-1"], is_qualified=False,
                   ends=["master-0"], article="is ")


@run("TFJob", "tensorflow")
def tensorflow_mirrored(context):
    """A chief and two workers reduce gradients; an evaluator restores the checkpoints of the chief."""
    finished = context.run("tensorflow_mirrored")
    name = "tensorflow-mirrored"
    pods = [f"{name}-chief-0", f"{name}-worker-0", f"{name}-worker-1"]
    losses = check_ranks(finished, LOSS, 3, lambda rank: pods[rank])
    expect(len(set(losses.values())), 1, "the number of different losses of the ranks")
    steps = finished.matches(r"evaluator step (\d+) loss ([\d.]+)")
    expect([steps[-1][0], steps[-1][1]] if steps else [], [f"{name}-evaluator-0", "20"], "the last evaluation")
    with open(os.path.join(context.checkpoints, "evaluated"), encoding="utf-8") as file:
        expect(file.read(), steps[-1][2] + "\n", "the evaluated loss on the volume")
    check_finished(finished, "TFJob", name, ["chief-0", "worker-0", "worker-1", "evaluator-0"], ends=["chief-0"])


@run("TFJob", "tensorflow")
def tensorflow_ps(context):
    """A chief, two workers and two parameter servers; each step adds its number to a variable on a server."""
    finished = context.run("tensorflow_ps")
    found = finished.matches(r"chief sum (\d+) expected (\d+) loss ([\d.]+) -> ([\d.]+) with 2 workers and 2 parameter "
                             r"servers, weights on job:ps/replica:0/task:(\d)")
    expect(len(found), 1, "the number of results of the chief")
    expect(found[0][:3], ("tensorflow-ps-chief-0", "820", "820"), "the sum of the steps")
    expect_loss_falls(found[0][3], found[0][4], "chief")
    serving = sorted(groups[0] for groups in finished.matches(r"(?:worker|ps) \d serves"))
    expect(serving, [f"tensorflow-ps-{t}-{i}" for t in ("ps", "worker") for i in (0, 1)], "the servers")
    check_finished(finished, "TFJob", "tensorflow-ps", ["chief-0", "ps-0", "ps-1", "worker-0", "worker-1"],
                   ends=["chief-0"])


@run("JAXJob", "jax")
def jax_regression(context):
    """Three processes: a sum, and a loss over the rows of all."""
    finished = context.run("jax_regression")
    losses = check_ranks(finished, LOSS, 3, rank_label)
    expect(len(set(losses.values())), 1, "the number of different losses of the ranks")
    check_finished(finished, "JAXJob", "jax-regression", ["worker-0", "worker-1", "worker-2"])


@run("XGBoostJob", "xgboost")
def xgboost_trees(context):
    """A master and two workers: a sum, a falling loss, and one model."""
    finished = context.run("xgboost_trees")
    models = check_ranks(finished, LOSS + r" model (\w+)", 3, rank_label)
    expect(len(set(models.values())), 1, "the number of different models of the ranks")
    check_finished(finished, "XGBoostJob", "xgboost-trees", ["master-0", "worker-0", "worker-1"], is_qualified=False,
                   ends=["master-0"], article="is ")


@run("ChainerJob", "chainer")
def chainermn(context):
    """A master and two workers, which it reaches by kubectl exec; the operator removes the workers at the end."""
    with context.cluster() as cluster:
        output = cluster.follow("chainermn", replace={"/opt/chainer": context.venv})
        finished = Finished(output.end(), output.lines())
        expect(finished.code, 0, "exit code")
        check_ranks(finished, MPI_LOSS.replace(r"-worker-\d", r"-\S+"), 3)
        hosts = sorted(groups[1:] for groups in finished.matches(r"rank (\d+) of 3 on chainermn-(master|\S+)"))
        # Open MPI begins with the machine of mpiexec, although the hostfile has it in the last line.
        expect(hosts, [("0", "master"), ("1", "workerset-ws0-0"), ("2", "workerset-ws0-1")], "the hosts of the ranks")
        cluster.wait_until(lambda: all("-master-" in name for name in cluster.pods("chainermn")), "no worker is left")
        expect(len(cluster.pods("chainermn")), 1, "the number of masters")
        workers = cluster.request("GET", "/apis/apps/v1/namespaces/default/statefulsets/chainermn-workerset-ws0")
        expect(workers["spec"]["replicas"], 0, "the replicas of the set of workers")
        message = "CompletionsReached  Reached expected number of succeeded pods"
        expect(conditions_of(cluster.job("ChainerJob/chainermn")),
               [f"SuccessCriteriaMet=True  {message}", f"Complete=True  {message}"], "conditions")
        events = [f"{reason}  {re.sub('master-[a-z0-9]+', 'master', message)}"
                  for _, reason, message in cluster.events("ChainerJob/chainermn")]
        pods = [f"Pod chainermn-workerset-ws0-{i} in StatefulSet chainermn-workerset-ws0 successful" for i in (0, 1)]
        expect(sorted(events), sorted([
            "SuccessfulCreate  Created pod: chainermn-master", "Completed  Job completed",
            "Synced  ChainerJob synced successfully", *[f"SuccessfulCreate  create {pod}" for pod in pods],
            *[f"SuccessfulDelete  delete {pod}" for pod in pods]]), "events")


@run("PaddleJob", "paddle")
def paddle_regression(context):
    """Two workers, whose launchers meet and give out the ranks: a sum and a falling loss."""
    finished = context.run("paddle_regression")
    check_ranks(finished, LOSS, 2)
    check_finished(finished, "PaddleJob", "paddle-regression", ["worker-0", "worker-1"])


@run("MXJob", "mxnet")
def mxnet_kvstore(context):
    """A scheduler, a server and two workers with dist_sync: the server adds the numbers of the workers."""
    finished = context.run("mxnet_kvstore")
    check_ranks(finished, LOSS, 2)
    expect(sorted(line[0] for line in finished.matches(r"\w+ serves")),
           ["mxnet-kvstore-scheduler-0", "mxnet-kvstore-server-0"], "the processes that serve")
    check_finished(finished, "MXJob", "mxnet-kvstore", ["scheduler-0", "server-0", "worker-0", "worker-1"],
                   is_qualified=False, ends=["scheduler-0"], article="is ")
