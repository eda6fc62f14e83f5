#include "unit/facade/explain/explained_job.hpp"

BOOST_AUTO_TEST_SUITE(facade_explain_remaining)

using namespace explained;

BOOST_AUTO_TEST_CASE(an_injected_container_that_keeps_a_pod_is_named) {
    explained_job w;
    for (auto& [type, spec] : w.job.spec.pytorch_replica_specs) spec.restart_policy = "OnFailure";
    w.with_sidecar("istio-proxy");
    auto const c = w.first();
    BOOST_TEST(w.kinds() == "sidecar");
    BOOST_TEST(c.summary ==
               "Container pytorch of Master 0 (rank 0) has ended with exit code 0, but container istio-proxy "
               "still runs and keeps the pod running, so the job does not finish");
    BOOST_TEST(c.container == "istio-proxy");
    BOOST_TEST(members(c) == "master-0");
    BOOST_TEST(contains(c.advice, "sidecar.istio.io/inject"));
    BOOST_TEST(has_line(c.evidence, "is not in the pod template"));
}

BOOST_AUTO_TEST_CASE(a_failure_in_a_pod_that_a_sidecar_keeps_comes_first) {
    explained_job w;
    w.with_sidecar("shipper", 3);
    BOOST_TEST(w.kinds() == "exited sidecar");
    BOOST_TEST(contains(w.explain().causes[1].advice, "injection of container shipper"));
}

BOOST_AUTO_TEST_CASE(a_restarting_container_is_not_a_sidecar_case) {
    explained_job w;
    for (auto& [type, spec] : w.job.spec.pytorch_replica_specs) spec.restart_policy = "Always";
    w.with_sidecar("istio-proxy");
    BOOST_TEST(w.kinds() == "healthy");
}

BOOST_AUTO_TEST_CASE(a_sidecar_that_ended_before_the_training_is_not_a_cause) {
    explained_job w(2, [](pytorch_job& j) {
        auto& list = j.spec.pytorch_replica_specs["Master"].template_.spec.containers;
        auto& helper = *list.insert(list.begin(), core::container());
        helper.name = "download";
        helper.image = "example.com/download:1";
    });
    auto& p = w.all_run();
    auto& helper = p.status.container_statuses.emplace_back();
    helper.name = "download";
    helper.state.terminated.emplace().reason = "Completed";
    BOOST_TEST(w.kinds() == "healthy");
}

BOOST_AUTO_TEST_CASE(a_pod_deleted_by_a_user_is_named) {
    explained_job w;
    w.all_run();
    w.pods.front().metadata.deletion_timestamp = at("11:59:50");
    auto const c = w.first();
    BOOST_TEST((c.kind == cause_kind::deleted));
    BOOST_TEST(c.summary == "The pod of Worker 0 (rank 1) was deleted by someone other than the operator, for example "
                            "with kubectl delete pod");
    BOOST_TEST(members(c) == "worker-0");
}

BOOST_AUTO_TEST_CASE(a_pod_that_its_operator_deletes_was_not_deleted_by_others) {
    explained_job w;
    w.all_run();
    w.pods.front().metadata.deletion_timestamp = at("11:59:50");
    w.event("PyTorchJob/digits", "SuccessfulDeletePod", "Deleted pod: digits-worker-0", "Normal");
    BOOST_TEST(!contains(w.kinds(), "deleted"));
}

BOOST_AUTO_TEST_CASE(a_preempted_pod_was_not_deleted_by_a_user) {
    explained_job w;
    w.all_run();
    auto& p = w.pods.front();
    p.metadata.deletion_timestamp = at("11:59:50");
    auto& c = p.status.conditions.emplace_back();
    c.type = "DisruptionTarget";
    c.status = "True";
    c.reason = "PreemptionByScheduler";
    BOOST_TEST(!contains(w.kinds(), "deleted"));
    BOOST_TEST(contains(w.kinds(), "evicted"));
}

BOOST_AUTO_TEST_CASE(a_failed_job_whose_pod_was_deleted_reports_this) {
    explained_job w;
    w.running("master-0");
    w.running("worker-0");
    for (auto const* const name : {"digits-master-0", "digits-worker-0", "digits-worker-1"})
        w.event("PyTorchJob/digits", "SuccessfulCreatePod", std::string("Created pod: ") + name, "Normal");
    w.fail();
    auto const c = w.first();
    BOOST_TEST((c.kind == cause_kind::deleted));
    BOOST_TEST(members(c) == "worker-1");
    // The operator has deleted it when it cleaned up.
    w.event("PyTorchJob/digits", "SuccessfulDeletePod", "Deleted pod: digits-worker-1", "Normal");
    BOOST_TEST(!contains(w.kinds(), "deleted"));
}

BOOST_AUTO_TEST_CASE(a_pod_recreated_without_a_failure_was_deleted_by_a_user) {
    explained_job w;
    w.all_run();
    auto& p = w.pods.front();
    p.metadata.creation_timestamp = at("11:59:00");
    p.status.container_statuses[0].state.running->started_at = at("11:59:05");
    w.event("PyTorchJob/digits", "SuccessfulCreatePod", "Created pod: digits-worker-0", "Normal").count = 2;
    BOOST_TEST(w.kinds() == "deleted");
    BOOST_TEST(has_line(w.first().evidence, "pod digits-worker-0 was created 2 times"));
    p.metadata.creation_timestamp = at("11:10:00"); // long ago
    BOOST_TEST(w.kinds() == "healthy");
}

BOOST_AUTO_TEST_CASE(a_pod_that_succeeded_and_was_deleted_runs_again) {
    for (auto const* const source : {"operator", "scheduler"}) {
        explained_job w;
        w.running("master-0");
        w.running("worker-1");
        w.ended("worker-0", 0).metadata.creation_timestamp = at("11:59:00");
        w.event("PyTorchJob/digits", "ExitedWithCode", "Pod: team-a.digits-worker-0 exited with code 0", "Normal");
        if (std::string(source) == "operator")
            w.event("PyTorchJob/digits", "SuccessfulCreatePod", "Created pod: digits-worker-0", "Normal").count = 2;
        else // of kinds whose operators report nothing
            w.event("Pod/digits-worker-0", "Scheduled", "Successfully assigned team-a/digits-worker-0 to node-1",
                    "Normal")
                .count = 2;
        BOOST_TEST(w.kinds() == "deleted", source);
        BOOST_TEST(members(w.first()) == "worker-0", source);
    }
}

BOOST_AUTO_TEST_CASE(a_killed_container_of_a_pod_that_failed_its_probe_was_not_deleted) {
    explained_job w;
    w.running("master-0");
    w.running("worker-0");
    w.event("Pod/digits-worker-1", "Killing", "Container pytorch failed liveness probe, will be restarted", "Normal");
    BOOST_TEST(!contains(w.kinds(), "deleted"));
    w.event("Pod/digits-worker-1", "Killing", "Stopping container pytorch", "Normal");
    BOOST_TEST(contains(w.kinds(), "deleted"));
}

BOOST_AUTO_TEST_CASE(without_events_no_deletion_is_attributed) {
    explained_job w;
    w.all_run();
    w.pods.front().metadata.deletion_timestamp = at("11:59:50");
    w.evidence.events_known = false;
    BOOST_TEST(!contains(w.kinds(), "deleted"));
}

BOOST_AUTO_TEST_CASE(replicas_that_run_after_a_failure_are_listed_last) {
    explained_job w(1);
    w.ended("worker-0", 1);
    w.running("master-0");
    w.fail();
    BOOST_TEST(w.kinds() == "exited still-running");
    auto const c = w.explain().causes.back();
    BOOST_TEST(c.summary == "The job has ended, but Master 0 (rank 0) still runs");
    BOOST_TEST(has_line(c.evidence, "pod digits-master-0: Running on node node-1"));
    BOOST_TEST(contains(c.advice, "cleanPodPolicy Running"));
}

BOOST_AUTO_TEST_CASE(replicas_that_run_after_a_success_are_listed_after_it) {
    explained_job w(1);
    w.ended("master-0", 0);
    w.running("worker-0");
    w.condition("Succeeded", "PyTorchJobSucceeded", "done");
    BOOST_TEST(w.kinds() == "healthy still-running");
}

BOOST_AUTO_TEST_CASE(replicas_that_the_operator_is_about_to_delete_are_not_listed) {
    explained_job w(1, [](pytorch_job& j) { j.spec.run_policy.clean_pod_policy = "Running"; });
    w.ended("worker-0", 1);
    w.running("master-0");
    w.fail();
    w.job.status.conditions.back().last_transition_time = at("11:59:50");
    BOOST_TEST(w.kinds() == "exited");
    w.job.status.conditions.back().last_transition_time = at("11:30:00");
    BOOST_TEST(w.kinds() == "exited still-running");
}

BOOST_AUTO_TEST_CASE(after_an_eviction_that_is_not_cleaned_up_the_job_may_still_succeed) {
    explained_job w(1, [](pytorch_job& j) { j.spec.run_policy.clean_pod_policy = "Running"; });
    w.ended("worker-0", 137).status.reason = "Evicted";
    w.running("master-0");
    w.condition("Failed", "MPIJobEvicted", "1/2 workers are evicted");
    w.job.status.conditions.back().last_transition_time = at("11:59:50");
    BOOST_TEST(w.kinds() == "evicted still-running");
    BOOST_TEST(contains(w.explain().causes.back().advice, "still turns the job into Succeeded"));
    w.job.status.completion_time = at("11:59:50"); // the operator cleans up
    BOOST_TEST(w.kinds() == "evicted");
}

BOOST_AUTO_TEST_CASE(the_slowest_rank_is_named) {
    explained_job w;
    w.all_run();
    w.log("master-0", {"epoch 2 step 90", "epoch 3 step 7"});
    w.log("worker-0", {"epoch 3 step 7"});
    w.log("worker-1", {"epoch 2 step 99"});
    auto const c = w.first();
    BOOST_TEST((c.kind == cause_kind::stalled));
    BOOST_TEST(contains(c.summary,
                        "Worker 1 (rank 2) is behind the others: its last epoch and step is 2, 99, theirs is 3, 7"));
    BOOST_TEST(c.log.back() == "epoch 2 step 99");
    w.evidence.logs.back().lines = {"epoch 3 step 7"};
    BOOST_TEST(!contains(w.first().summary, "behind"));
    w.evidence.logs.back().last = at("11:20:00");
    BOOST_TEST(contains(w.first().summary, "Worker 1 (rank 2) became silent 10 min before the others"));
}

BOOST_AUTO_TEST_SUITE_END()
