#include "unit/facade/explain/explained_job.hpp"

#include <set>

/// The summary and the advice of each cause.
BOOST_AUTO_TEST_SUITE(facade_explain_messages)

using namespace explained;

namespace {

struct row {
    std::function<void(explained_job&)> happens;
    std::string summary;
    std::string advice;
    std::size_t place = 0; ///< among the causes of the job

    job_cause cause() const {
        explained_job w;
        happens(w);
        return w.explain().causes.at(place);
    }
};

using table = std::vector<row>;

void check(table const& rows) {
    for (auto const& row : rows) {
        auto const c = row.cause();
        BOOST_TEST(c.summary == row.summary);
        BOOST_TEST(c.advice == row.advice, row.summary << ": " << c.advice);
    }
}

std::function<void(explained_job&)> ends(int code, std::string const& reason = "Error") {
    return [=](explained_job& w) {
        w.ended("worker-0", code, "11:30:00", reason);
        w.fail();
    };
}

std::function<void(explained_job&)> waits(std::string const& reason, std::string const& message) {
    return [=](explained_job& w) { w.waiting("worker-0", reason, message); };
}

std::function<void(explained_job&)> unplaced(std::string const& message, std::string const& reason = "Unschedulable") {
    return [=](explained_job& w) { w.unplaced("worker-0", message, reason); };
}

std::function<void(explained_job&)> refused(std::string const& message) {
    return [=](explained_job& w) { w.refuse(message); };
}

std::function<void(explained_job&)> lost(std::string const& reason, std::string const& message = "") {
    return [=](explained_job& w) {
        auto& p = w.pod("worker-0");
        p.spec.node_name = "node-1";
        p.status.phase = "Failed";
        p.status.reason = reason;
        p.status.message = message;
    };
}

std::function<void(explained_job&)> gang_waits(std::function<void(explaining::gang_state&)> const& change) {
    return [=](explained_job& w) {
        auto& g = w.evidence.gang.emplace();
        g.name = "digits";
        g.phase = "Pending";
        g.queue = "research";
        g.min_member = 3;
        change(g);
    };
}

std::string const ended = "Worker 0 (rank 1) ended with exit code ";
std::string const image = "The image example.com/train:1 of Worker 0 (rank 1) cannot be pulled";
std::string const no_node = "No node is suitable for Worker 0 (rank 1)";
std::string const rejects = "The server rejects objects that the operator creates for the job";
std::string const gang = "The gang waits: 0 of the 3 replicas that must start together are placed";
std::string const quota = "The quota team does not allow the pods of the job: ";

table containers_that_ended() {
    auto const* const look = "Check the last lines of its log. The program defines the meaning of the code.";
    std::string const native = "The program crashed in native code. Check its last lines, and the versions of drivers "
                               "and libraries.";
    std::string const command = "Check whether the image contains what command, args and workingDir of the container "
                                "name. If the command is a shell, check the programs that the script calls.";
    std::string const memory = "Raise the memory limit of container pytorch, or reduce its memory use, for example "
                               "with smaller batches or fewer loader processes. Shared memory in an emptyDir counts, "
                               "too.";
    std::string const too_much = "Worker 0 (rank 1) was killed because it used more memory than its container is "
                                 "allowed to use: ";
    return {
        {ends(3), ended + "3", look},
        {ends(137), ended + "137 (SIGKILL)",
         "Find out what killed it: the node may have run out of memory, a liveness probe may have failed, or the pod "
         "may not have ended within its grace period."},
        {ends(143), ended + "143 (SIGTERM)",
         "The program was asked to end. Look for a deletion of the pod, a drain of its node, or a launcher that "
         "stopped it."},
        {ends(139), ended + "139 (SIGSEGV)", native},
        {ends(135), ended + "135 (SIGBUS)", native},
        {ends(134), ended + "134 (SIGABRT)",
         "The program aborted itself. Check its last lines, for example for a failed assertion or a communication "
         "timeout."},
        {ends(132), ended + "132 (SIGILL)",
         "The program uses instructions that the node's processor does not support. Use another build or other "
         "nodes."},
        {ends(130), ended + "130 (SIGINT)", "The program was interrupted. Find out what sent the signal."},
        {ends(128, "StartError"), "Worker 0 (rank 1) could not be started: exit code 128", look},
        {ends(127), "The program of container pytorch of Worker 0 (rank 1) was not found", command},
        {ends(126), "The program of container pytorch of Worker 0 (rank 1) is not executable",
         "Make the file executable, and mount its file system without noexec."},
        {ends(137, "OOMKilled"), too_much + "its limit is 8Gi", memory},
        {[](explained_job& w) {
             ends(137, "OOMKilled")(w);
             w.pods.back().spec.containers[0].resources.limits.clear();
         },
         too_much + "it has no memory limit, so the memory of its pod or node was exhausted", memory},
        {[](explained_job& w) {
             ends(137, "OOMKilled")(w);
             w.ended("worker-1", 137, "11:30:00", "OOMKilled");
         },
         too_much + "its limit is 8Gi; the same happened to Worker 1 (rank 2)", memory},
        {[](explained_job& w) {
             ends(3)(w);
             w.ended("worker-1", 3);
         },
         ended + "3; ended later or at the same time: Worker 1 (rank 2)", look},
        {[](explained_job& w) {
             w.ended("worker-0", 1);
             w.unplaced("worker-1", "");
             w.unplaced("master-0", "");
             w.log("worker-0", {"connect: connection refused"});
         },
         "No node is suitable for Master 0 (rank 0) and Worker 1 (rank 2)",
         "Read the message of the scheduler, and change the pod template or the nodes."},
        {[](explained_job& w) {
             w.waiting("worker-0", "CrashLoopBackOff", "back-off 5m0s restarting failed container");
             w.pods.back().status.container_statuses[0].restart_count = 3;
         },
         "Containers of Worker 0 (rank 1) have failed and restarted, up to 3 times so far",
         "Fix the cause. Until then, the delay before each restart grows, up to 5 minutes."},
    };
}

table containers_that_wait() {
    std::string const missing = "Worker 0 (rank 1) references does not exist";
    std::string const now = ". The pods then start without further action.";
    return {
        {waits("InvalidImageName", ""), image, "Correct the name of the image. It is not a valid image name."},
        {waits("ErrImageNeverPull", ""), image, "Load the image on the nodes, or set imagePullPolicy to IfNotPresent."},
        {waits("ErrImagePull", "toomanyrequests: limit"), image,
         "The registry limits the number of pulls. Pull with credentials, or from a mirror."},
        {waits("ErrImagePull", "no basic auth credentials"), image,
         "Check that the image exists, and name a Secret with credentials for its registry in imagePullSecrets."},
        {waits("ErrImagePull", "dial tcp: i/o timeout"), image,
         "The node cannot reach the registry. Check its name, the network and certificates."},
        {waits("ErrImagePull", "not found"), image,
         "Check the name and tag of the image, and whether nodes may pull it."},
        {waits("CreateContainerConfigError", "configmap \"settings\" not found"),
         "The ConfigMap settings that " + missing,
         "Create the ConfigMap settings in namespace team-a, or correct the name" + now},
        {waits("CreateContainerConfigError", "couldn't find key lr in ConfigMap team-a/settings"),
         "A key of a ConfigMap or Secret that Worker 0 (rank 1) needs does not exist",
         "Add the key, or mark it as optional" + now},
        {waits("CreateContainerConfigError", "host IP unknown"),
         "A container or volume of Worker 0 (rank 1) cannot be set up as the pod specifies",
         "Correct the pod template according to the message."},
        {[](explained_job& w) {
             w.pod("worker-0");
             w.event("Pod/digits-worker-0", "FailedAttachVolume", "Multi-Attach error for volume \"pv\"");
         },
         "A volume of Worker 0 (rank 1) cannot be attached or mounted",
         "Check which other pods use the volume, and whether its access mode allows several nodes."},
        {[](explained_job& w) {
             for (auto const* name : {"master-0", "worker-0", "worker-1"}) w.pod(name);
         },
         "Master 0 (rank 0), Worker 0 (rank 1) and Worker 1 (rank 2) are starting",
         "Wait while images are pulled and volumes are mounted. The first pull on a node can take minutes."},
        {[](explained_job& w) { w.now = at("11:00:10"); },
         "Pods of Master 0 (rank 0), Worker 0 (rank 1) and Worker 1 (rank 2) do not exist yet",
         "Wait a moment. The operator has just started to process the job."},
        {[](explained_job& w) { w.condition("Running", "PyTorchJobRunning", "PyTorchJob digits is running."); },
         "Pods of Master 0 (rank 0), Worker 0 (rank 1) and Worker 1 (rank 2) do not exist yet",
         "If the pods do not appear, check the log of the operator of PyTorchJob."},
        {[](explained_job& w) { w.running("master-0"); },
         "1 of 3 replicas runs, others are missing: Worker 0 (rank 1) and Worker 1 (rank 2)",
         "Make the missing replicas run. Most frameworks fail after a time if replicas are missing.", 1},
    };
}

table pods_without_a_node() {
    auto const nodes = [](std::string const& why) { return "0/3 nodes are available: 3 " + why + "."; };
    std::string const less = "Request less, free or add nodes with enough resources, or wait until other pods end.";
    std::string const loosen = "Loosen the affinity or spread constraints of the pod template, or add nodes.";
    auto const on_all = [](std::string const& why) { return no_node + ": " + why + " on 3 of 3 nodes"; };
    return {
        {unplaced(nodes("Insufficient memory")), on_all("8Gi of memory per pod exceeds the free amount"), less},
        {unplaced(nodes("Too many pods")), on_all("1 of pods per pod exceeds the free amount"), less},
        {unplaced(nodes("node(s) had untolerated taint {a: b}")), on_all("node(s) had untolerated taint {a: b}"),
         "Add a toleration for the taint to the pod template, or use nodes without it."},
        {unplaced(nodes("node(s) didn't match Pod's node affinity/selector")),
         on_all("node(s) didn't match Pod's node affinity/selector"),
         "Correct nodeSelector or node affinity, or label nodes accordingly."},
        {unplaced("0/3 nodes are available: persistentvolumeclaim \"data\" not found."),
         no_node + ": persistentvolumeclaim \"data\" not found",
         "Check whether the claim exists and is bound, and whether its volume is in a zone with nodes for the pod."},
        {unplaced(nodes("node(s) didn't match pod topology spread constraints")),
         on_all("node(s) didn't match pod topology spread constraints"), loosen},
        {unplaced(nodes("node(s) didn't match pod anti-affinity rules")),
         on_all("node(s) didn't match pod anti-affinity rules"), loosen},
        {unplaced(nodes("node(s) were unschedulable")), on_all("node(s) were unschedulable"),
         "The nodes are cordoned. Uncordon them, or add other nodes."},
        {unplaced(nodes("node(s) didn't have free ports for the requested pod ports")),
         on_all("node(s) didn't have free ports for the requested pod ports"),
         "Do not use the same host port in several pods, or add nodes."},
        {unplaced("Scheduling is blocked due to non-empty scheduling gates", "SchedulingGated"),
         "Worker 0 (rank 1) cannot be scheduled yet because of scheduling gates",
         "The system that set the scheduling gates, such as a queueing system, must remove them."},
        {unplaced("no nodes available to schedule pods"), no_node,
         "Read the message of the scheduler, and change the pod template or the nodes."},
    };
}

table gangs() {
    using explaining::gang_state;
    std::string const fit = "Free or add nodes until all pods fit at the same time. If the program can start with "
                            "fewer pods, lower minAvailable.";
    return {
        {gang_waits([](gang_state& g) { g.queue_missing = true; }), gang,
         "Create queue research, or name an existing queue."},
        {gang_waits([](gang_state& g) { g.queue_state = "Closed"; }), gang,
         "Open queue research, or move the job to another queue."},
        {gang_waits([](gang_state& g) { g.phase.clear(); }), gang,
         "No scheduler has processed the PodGroup yet. Check whether the gang scheduler runs."},
        {gang_waits([](gang_state&) {}), gang,
         "Check whether queue research has room for the whole gang, or request less."},
        {gang_waits([](gang_state& g) { g.phase = "Inqueue"; }), gang, fit},
        {[](explained_job& w) { w.evidence.missing_queue = "research"; },
         "The gang waits: its queue research does not exist", "Create queue research, or name an existing queue."},
        {unplaced("pod group is not ready"),
         "The gang waits: replicas that must start together cannot be placed at the same time", fit},
    };
}

table lost_pods() {
    std::string const who = "Worker 0 (rank 1) was ";
    std::string const restart = "Check the node. Let the job restart such replicas, and write checkpoints.";
    return {
        {lost("Preempting", "Preempted by a pod"), who + "preempted by pods with a higher priority",
         "Give the job a higher priority class, or run it where enough resources are free. Let it write "
         "checkpoints."},
        {lost("Evicted", "The node was low on resource: memory."),
         who + "evicted because the node ran low on a resource",
         "Request the memory and ephemeral storage that the pod uses, so that it gets a node with enough of them."},
        {lost("OutOfnvidia.com/gpu", ""), who + "rejected by the node",
         "Usually the pod is created again on another node. If this repeats, check the devices of the node."},
        {lost("NodeLost", ""), who + "lost: the pod was evicted, or its node was removed or does not respond", restart},
        {[](explained_job& w) { w.condition("Failed", "PodEvicted", "a pod was evicted"); },
         "Replicas of the job were lost: the pod was evicted, or its node was removed or does not respond", restart},
    };
}

table refused_requests() {
    std::string const pod = "pods \"digits-worker-0\" is forbidden: ";
    std::string const rule = "Change the pod template as the admission rule requires, or ask for a change of the rule.";
    std::string const must = "failed quota: team: must specify limits.cpu for: ";
    return {
        {refused(pod + "exceeded quota: team, requested: pods=1, used: pods=2, limited: pods=2"),
         quota + "pods=1 is requested, pods=2 is in use, and pods=2 is the limit",
         "Wait until other workloads in namespace team-a end, request less, or ask for a higher quota."},
        {refused(pod + must + "pytorch"), quota + "each pod must specify limits.cpu for: pytorch",
         "Set these requests and limits for the containers."},
        {refused(pod + must + "init-pytorch"), quota + "each pod must specify limits.cpu for: init-pytorch",
         "Create a LimitRange with defaults in namespace team-a: the operator adds container init-pytorch to the "
         "pods, and the job cannot set its requests and limits."},
        {refused("metadata.labels: Invalid value: \"x\": must be no more than 63 characters"),
         "A name that the operator builds from the name of the job is too long",
         "Submit the job with a shorter name: the names of its pods and services also contain role and index."},
        {refused("admission webhook \"w\" denied the request: no"), rejects, rule},
        {refused(pod + "violates PodSecurity \"restricted:latest\": privileged"), rejects, rule},
        {refused("services \"digits-worker-0\" already exists"), rejects,
         "Another object has this name. Delete it, or submit the job with another name."},
        {refused(pod + "unable to create new content in namespace team-a because it is being terminated"), rejects,
         "The namespace is being deleted. Submit the job in another namespace."},
        {refused(pod + "error looking up service account team-a/train: serviceaccount \"train\" not found"), rejects,
         "Create the service account that the pod template names, or correct its name."},
        {refused("pods is forbidden: User \"op\" cannot create resource \"pods\""), rejects,
         "Give the operator the permission that the message names, or change the rule that forbids the request."},
        {refused("Pod \"digits-worker-0\" is invalid: spec.containers[0].image: Required value"), rejects,
         "Correct the pod template according to the message."},
        {[](explained_job& w) { w.event("PyTorchJob/digits", "PyTorchJobFailedValidation", "no"); },
         "The job violates rules of its kind, so its operator does not run it",
         "Correct these fields, and submit the job again."},
    };
}

table states_of_jobs() {
    std::string const raise_deadline =
        "Raise activeDeadlineSeconds if the work takes this long. The time in which pods wait "
        "for nodes counts, too.";
    return {
        {[](explained_job& w) { w.job.status.conditions.clear(); },
         "No operator manages the job: it has no status, events or pods",
         "Install or start the operator of PyTorchJob (kubeflow.org/v1), and check whether it is configured for this "
         "kind and namespace."},
        {[](explained_job& w) { w.fail("Job has reached the specified backoff limit"); },
         "The job failed because it reached its back-off limit",
         "Fix the cause of the failures. Raise backoffLimit only if the causes are outside of the job."},
        {[](explained_job& w) { w.fail("Job digits was active longer than specified deadline"); },
         "The job was active for longer than its activeDeadlineSeconds", raise_deadline},
        {lost("DeadlineExceeded", "Pod was active on the node longer than the specified deadline"),
         "Worker 0 (rank 1) ran for longer than the activeDeadlineSeconds of the pod", raise_deadline},
        {[](explained_job& w) {
             w.job.spec.run_policy.suspend = true;
             w.pod("worker-0");
         },
         "The job is suspended; 1 pod still exists", "Resume the job when it should run."},
        {[](explained_job& w) {
             w.job.spec.run_policy.suspend = true;
             w.job.metadata.labels.emplace("kueue.x-k8s.io/queue-name", "research");
         },
         "The job is suspended",
         "Kueue resumes the job when its queue research has room. Check the Workload of the job."},
        {[](explained_job& w) {
             w.all_run();
             w.log("worker-0", {"step 7"});
         },
         "All replicas run, and Worker 0 (rank 1) has written no output since 2026-03-01T11:30:00Z: the job may hang, "
         "or "
         "work without output",
         "Check whether processors and devices are busy. If not, get stack traces of all ranks, for example with "
         "py-spy, and find the rank whose stack differs."},
        {[](explained_job& w) { w.fail(); }, "The job failed, but the cause is no longer visible",
         "Look for the logs of its pods in the log storage of the cluster. With cleanPodPolicy None, pods stay after "
         "the job ends."},
        {[](explained_job& w) { w.all_run(); }, "No problem was found: 3 of 3 replicas run", ""},
        {[](explained_job& w) { w.condition("Succeeded", "PyTorchJobSucceeded", "done"); }, "The job has succeeded",
         ""},
    };
}

} // namespace

BOOST_AUTO_TEST_CASE(a_failed_container_is_reported_with_its_exit_code) { check(containers_that_ended()); }

BOOST_AUTO_TEST_CASE(a_replica_that_failed_because_others_were_missing_is_reported_as_such) {
    explained_job w;
    w.ended("worker-0", 1);
    w.log("worker-0", {"connect: connection refused"});
    auto const causes = w.explain().causes;
    auto const c = std::ranges::find(causes, cause_kind::exited, &job_cause::kind);
    BOOST_TEST_REQUIRE((c != causes.end()));
    BOOST_TEST(c->advice == "Make the missing replicas start first. This replica most likely failed because they were "
                            "missing.");
    BOOST_TEST(c->evidence.back() == "its log reports that other replicas could not be reached, and some replicas have "
                                     "not started");
}

BOOST_AUTO_TEST_CASE(a_waiting_container_is_reported_with_its_reason) { check(containers_that_wait()); }

BOOST_AUTO_TEST_CASE(missing_replicas_are_reported_with_the_time_that_others_have_run) {
    explained_job w;
    w.running("master-0");
    BOOST_TEST(w.explain().causes.at(1).evidence.at(0) == "the first of them has been running for 59 min");
}

BOOST_AUTO_TEST_CASE(an_unschedulable_pod_is_reported_with_the_reason_of_the_scheduler) {
    check(pods_without_a_node());
}

BOOST_AUTO_TEST_CASE(a_waiting_gang_is_reported_with_its_queue) { check(gangs()); }

BOOST_AUTO_TEST_CASE(a_lost_pod_is_reported_with_its_reason) {
    check(lost_pods());
    explained_job w;
    w.running("worker-0").status.phase = "Unknown";
    BOOST_TEST(w.first().evidence.at(0) ==
               "pod digits-worker-0 on node node-1: its phase is Unknown: node node-1 does not respond");
}

BOOST_AUTO_TEST_CASE(a_rejected_request_is_reported_with_the_rule_that_it_violates) { check(refused_requests()); }

BOOST_AUTO_TEST_CASE(a_state_of_the_whole_job_is_explained) { check(states_of_jobs()); }

BOOST_AUTO_TEST_CASE(each_kind_of_cause_has_a_message) {
    std::set<cause_kind> kinds;
    for (auto const& rows : {containers_that_ended(), containers_that_wait(), pods_without_a_node(), gangs(),
                             lost_pods(), refused_requests(), states_of_jobs()})
        for (auto const& row : rows) kinds.insert(row.cause().kind);
    kinds.insert({cause_kind::deleted, cause_kind::sidecar}); // explain_remaining.cpp has their messages
    for (int i = 0; i <= static_cast<int>(cause_kind::healthy); ++i)
        BOOST_TEST(kinds.contains(static_cast<cause_kind>(i)), to_string(static_cast<cause_kind>(i)));
}

BOOST_AUTO_TEST_SUITE_END()
