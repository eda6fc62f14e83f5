#include "unit/facade/explained_job.hpp"

#include <set>

BOOST_AUTO_TEST_SUITE(facade_explain_every_kind)

using namespace explained;

namespace {

/// What a cluster shows when this is the case.
world case_of(cause_kind kind) {
    world w(2, [&](pytorch_job& j) {
        if (kind == cause_kind::suspended) j.spec.run_policy.suspend = true;
        if (kind == cause_kind::invalid) j.spec.pytorch_replica_specs["Worker"].template_.spec.containers.clear();
    });
    auto const broken = [&] { w.fail(); };
    switch (kind) {
    case cause_kind::invalid:
    case cause_kind::suspended:
    case cause_kind::starting: break;
    case cause_kind::no_operator: w.job.status.conditions.clear(); break;
    case cause_kind::out_of_memory: w.ended("worker-0", 137, "11:30:00", "OOMKilled"), broken(); break;
    case cause_kind::command_not_found: w.ended("worker-0", 127), broken(); break;
    case cause_kind::exited: w.ended("worker-0", 1), broken(); break;
    case cause_kind::evicted: w.ended("worker-0", 137).status.reason = "Evicted", broken(); break;
    case cause_kind::image_not_found: w.waiting("worker-0", "ErrImagePull", "not found"); break;
    case cause_kind::config_missing:
        w.waiting("worker-0", "CreateContainerConfigError", "secret \"t\" not found");
        break;
    case cause_kind::quota: w.refuse("exceeded quota: q, requested: cpu=1, used: cpu=1, limited: cpu=1"); break;
    case cause_kind::refused: w.refuse("admission webhook \"w\" denied the request: no"); break;
    case cause_kind::name_too_long: w.refuse("must be no more than 63 characters"); break;
    case cause_kind::unschedulable: w.unplaced("worker-0", "0/1 nodes are available: 1 Insufficient cpu."); break;
    case cause_kind::gang: w.unplaced("worker-0", "pod group is not ready, 3 Pending, 3 minAvailable"); break;
    case cause_kind::crash_loop: {
        auto& c = w.waiting("worker-0", "CrashLoopBackOff").status.container_statuses[0];
        c.last_state.terminated.emplace().exit_code = 1;
        break;
    }
    case cause_kind::backoff_limit: w.fail("it has reached the specified backoff limit"); break;
    case cause_kind::deadline: w.fail("it was active longer than specified deadline"); break;
    case cause_kind::rendezvous: w.running("master-0"); break;
    case cause_kind::stalled: w.all_run(), w.log("master-0", {"step"}, "11:00:10"); break;
    case cause_kind::healthy: w.all_run(); break;
    }
    return w;
}

} // namespace

BOOST_AUTO_TEST_CASE(every_cause_is_found_has_a_name_and_says_what_to_do) {
    std::set<std::string> names;
    for (int i = 0; i <= static_cast<int>(cause_kind::healthy); ++i) {
        auto const kind = static_cast<cause_kind>(i);
        auto const name = std::string(to_string(kind));
        BOOST_TEST(names.insert(name).second, name);
        auto w = case_of(kind);
        bool found = false;
        for (auto const& c : w.explain().causes) {
            if (c.kind != kind) continue;
            found = true;
            BOOST_TEST(!c.summary.empty(), name);
            bool const fine = kind == cause_kind::healthy;
            BOOST_TEST(c.advice.empty() == fine, name);
            BOOST_TEST((c.advice.empty() || c.advice.ends_with('.')), c.advice);
            BOOST_TEST(!c.summary.ends_with('.'), c.summary);
            BOOST_TEST(c.affected >= static_cast<std::int64_t>(c.members.size()), name);
        }
        BOOST_TEST(found, name << ": " << w.kinds());
    }
}

/// The messages in full; most other tests compare kinds, members and values.
BOOST_AUTO_TEST_CASE(each_cause_has_its_message_and_advice) {
    struct row {
        cause_kind kind;
        std::string_view summary;
        std::string_view advice;
    };
    static constexpr row rows[]{
        {cause_kind::invalid, "The job violates rules of its kind, so its operator does not run it",
         "Correct these fields, and submit the job again."},
        {cause_kind::no_operator, "No operator manages the job: for 60 min it has had no status, events or pods",
         "Install or start the operator of PyTorchJob (kubeflow.org/v1), and check whether it is configured for this "
         "kind and namespace."},
        {cause_kind::out_of_memory,
         "Worker 0 (rank 1) was killed because it used more memory than its container is allowed to use: its limit is "
         "8Gi",
         "Raise the memory limit of container pytorch, or reduce its memory use, for example with smaller batches or "
         "fewer loader processes. Shared memory in an emptyDir counts, too."},
        {cause_kind::command_not_found, "The program of container pytorch of Worker 0 (rank 1) was not found",
         "Check whether the image contains what command, args and workingDir of the container name. If the command is "
         "a shell, check the programs that the script calls."},
        {cause_kind::exited, "Worker 0 (rank 1) ended with exit code 1",
         "Check the last lines of its log. The program defines the meaning of the code."},
        {cause_kind::evicted,
         "Worker 0 (rank 1) was lost: the pod was evicted, or its node was removed or does not respond",
         "Check the node. Let the job restart such replicas, and write checkpoints."},
        {cause_kind::image_not_found, "The image example.com/train:1 of Worker 0 (rank 1) cannot be pulled",
         "Check the name and tag of the image, and whether nodes may pull it."},
        {cause_kind::config_missing, "The Secret t that Worker 0 (rank 1) references does not exist",
         "Create the Secret t in namespace team-a, or correct the name. The pods then start without further action."},
        {cause_kind::quota,
         "The quota q does not allow the pods of the job: cpu=1 is requested, cpu=1 is in use, and cpu=1 is the limit",
         "Wait until other workloads in namespace team-a end, request less, or ask for a higher quota."},
        {cause_kind::refused, "The server rejects objects that the operator creates for the job",
         "Change the pod template as the admission rule requires, or ask for a change of the rule."},
        {cause_kind::name_too_long, "A name that the operator builds from the name of the job is too long",
         "Submit the job with a shorter name: the names of its pods and services also contain role and index."},
        {cause_kind::unschedulable,
         "No node is suitable for Worker 0 (rank 1): cpu per pod exceeds the free amount on 1 of 1 node",
         "Request less, free or add nodes with enough resources, or wait until other pods end."},
        {cause_kind::gang, "The gang waits: replicas that must start together cannot be placed at the same time",
         "Free or add nodes until all pods fit at the same time. If the program can start with fewer pods, lower "
         "minAvailable."},
        {cause_kind::crash_loop, "Containers of Worker 0 (rank 1) have failed and restarted, up to 0 times so far",
         "Fix the cause. Until then, the delay before each restart grows, up to 5 minutes."},
        {cause_kind::backoff_limit, "The job failed because it reached its back-off limit",
         "Fix the cause of the failures. Raise backoffLimit only if the causes are outside of the job."},
        {cause_kind::deadline, "The job was active for longer than its activeDeadlineSeconds",
         "Raise activeDeadlineSeconds if the work takes this long. The time in which pods wait for nodes counts, too."},
        {cause_kind::starting, "Pods of Master 0 (rank 0), Worker 0 (rank 1) and Worker 1 (rank 2) do not exist yet",
         "If the pods do not appear, check the log of the operator of PyTorchJob."},
        {cause_kind::rendezvous, "1 of 3 replicas runs, others are missing: Worker 0 (rank 1) and Worker 1 (rank 2)",
         "Make the missing replicas run. Most frameworks fail after a time if replicas are missing."},
        {cause_kind::suspended, "The job is suspended", "Resume the job when it should run."},
        {cause_kind::stalled,
         "All replicas run, and Master 0 (rank 0) wrote no output for 59 min: the job may hang, or work without output",
         "Check whether processors and devices are busy. If not, get stack traces of all ranks, for example with "
         "py-spy, and find the rank whose stack differs."},
        {cause_kind::healthy, "No problem was found: 3 of 3 replicas run", ""},
    };
    BOOST_TEST(std::size(rows) == static_cast<std::size_t>(cause_kind::healthy) + 1);
    for (auto const& [kind, summary, advice] : rows) {
        auto w = case_of(kind);
        auto const e = w.explain();
        auto const c = std::ranges::find(e.causes, kind, &job_cause::kind);
        BOOST_TEST_REQUIRE((c != e.causes.end()), to_string(kind));
        BOOST_TEST(c->summary == summary, to_string(kind) << ": " << c->summary);
        BOOST_TEST(c->advice == advice, to_string(kind) << ": " << c->advice);
    }
}

BOOST_AUTO_TEST_CASE(causes_stand_in_their_order_and_at_least_one_is_told) {
    for (int i = 0; i <= static_cast<int>(cause_kind::healthy); ++i) {
        auto w = case_of(static_cast<cause_kind>(i));
        auto const e = w.explain();
        BOOST_TEST_REQUIRE(!e.causes.empty());
        for (std::size_t k = 1; k < e.causes.size(); ++k)
            BOOST_TEST((e.causes[k - 1].kind <= e.causes[k].kind), w.kinds());
        for (auto const& c : e.causes) BOOST_TEST((c.kind != cause_kind::healthy || e.causes.size() == 1), w.kinds());
    }
}

BOOST_AUTO_TEST_CASE(a_job_of_many_members_is_told_in_few_lines) {
    world w(3000);
    any_job const any(w.job);
    auto const layout = any.members();
    core::pod p;
    p.metadata.namespace_ = w.job.metadata.namespace_;
    p.status.phase = "Failed";
    auto& t = w.container(p).state.terminated.emplace();
    t.exit_code = 1;
    t.finished_at = at("11:30:00");
    for (auto const& m : layout.members) {
        auto const role = std::ranges::find(layout.roles, m.role, &kftrain::role::name);
        p.metadata.labels = role->labels;
        p.metadata.labels.insert_or_assign(std::string(role->index_label), std::to_string(m.index));
        p.metadata.name = m.pod_name;
        w.pods.push_back(p);
    }
    w.fail();
    auto const e = w.explain();
    BOOST_TEST_REQUIRE(e.causes.size() == 1);
    BOOST_TEST(e.causes[0].affected == 3001);
    BOOST_TEST(e.causes[0].members.size() == 16);
    BOOST_TEST(e.causes[0].evidence.size() <= 12);
    BOOST_TEST(e.causes[0].summary.size() < 300);
}

BOOST_AUTO_TEST_SUITE_END()
