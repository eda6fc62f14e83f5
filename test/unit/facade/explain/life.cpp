#include "unit/facade/explain/explained_job.hpp"

BOOST_AUTO_TEST_SUITE(facade_explain_life)

using namespace explained;

BOOST_AUTO_TEST_CASE(the_backoff_limit_is_listed_after_its_cause) {
    explained_job w;
    w.ended("worker-0", 1);
    w.fail("PyTorchJob digits has failed because it has reached the specified backoff limit");
    BOOST_TEST(w.kinds() == "exited backoff-limit");
}

BOOST_AUTO_TEST_CASE(exit_codes_of_deleted_pods_come_from_their_events) {
    explained_job w;
    w.fail("Job digits has failed because it has reached the specified backoff limit");
    w.event("PyTorchJob/digits", "ExitedWithCode", "Pod: team-a.digits-worker-0 exited with code 3", "Normal");
    BOOST_TEST(w.kinds() == "backoff-limit");
    BOOST_TEST(has_line(w.first().evidence, "exited with code 3"));
}

BOOST_AUTO_TEST_CASE(a_failed_job_without_other_evidence_shows_its_condition) {
    explained_job w;
    w.fail();
    w.event("PyTorchJob/digits", "ExitedWithCode", "Pod: team-a.digits-worker-0 exited with code 3", "Normal");
    auto const c = w.first();
    BOOST_TEST(w.kinds() == "exited");
    BOOST_TEST(c.affected == 0);
    BOOST_TEST(has_line(c.evidence, "Failed=True PyTorchJobFailed"));
    BOOST_TEST(has_line(c.evidence, "exited with code 3"));
}

BOOST_AUTO_TEST_CASE(a_deadline_message_names_the_awaited_condition) {
    explained_job w;
    w.fail("Job digits has failed because it was active longer than specified deadline");
    w.event("Pod/digits-worker-0", "FailedScheduling", "0/3 nodes are available: 3 Insufficient nvidia.com/gpu.");
    auto const c = w.first();
    BOOST_TEST(w.kinds() == "deadline");
    BOOST_TEST(has_line(c.evidence, "FailedScheduling"));
}

BOOST_AUTO_TEST_CASE(the_deadline_of_a_pod_is_not_reported_as_an_exit) {
    explained_job w;
    auto& p = w.ended("worker-0", 137);
    p.status.reason = "DeadlineExceeded";
    p.status.message = "Pod was active on the node longer than the specified deadline";
    w.fail();
    BOOST_TEST(w.kinds() == "deadline");
    BOOST_TEST(members(w.first()) == "worker-0");
}

BOOST_AUTO_TEST_CASE(a_batch_job_reports_deadline_and_backoff_limit_by_reason) {
    for (auto const& [reason, kind] :
         {std::pair("BackoffLimitExceeded", "backoff-limit"), {"DeadlineExceeded", "deadline"}}) {
        explained_job w;
        w.condition("Failed", reason, "Job was given up");
        BOOST_TEST(w.kinds() == kind);
    }
}

BOOST_AUTO_TEST_CASE(waiting_members_are_explained_with_the_missing_ones) {
    explained_job w(3);
    w.running("master-0");
    w.running("worker-1");
    w.pod("worker-0");
    w.log("master-0", {"starting", "Waiting for 2 more ranks", "store: connection refused"});
    auto const e = w.explain();
    auto const& c = e.causes.back();
    BOOST_TEST((c.kind == cause_kind::rendezvous));
    BOOST_TEST(c.summary == "2 of 4 replicas run, others are missing: Worker 0 (rank 1) and Worker 2 (rank 3)");
    BOOST_TEST(members(c) == "worker-0 worker-2");
    BOOST_TEST(has_line(c.evidence, "Worker 0 (rank 1): pod digits-worker-0 is Pending"));
    BOOST_TEST(has_line(c.evidence, "Worker 2 (rank 3): no pod exists"));
    BOOST_TEST(has_line(c.evidence, "log of Master 0 (rank 0): Waiting for 2 more ranks"));
    w.now = at("11:00:30");
    BOOST_TEST(w.kinds() == "starting");
}

BOOST_AUTO_TEST_CASE(succeeded_members_are_not_missing) {
    explained_job w;
    w.running("master-0");
    w.ended("worker-0", 0);
    w.ended("worker-1", 0);
    BOOST_TEST(w.kinds() == "healthy");
    BOOST_TEST(w.first().summary == "No problem was found: 1 of 3 replicas runs, 2 succeeded");
}

BOOST_AUTO_TEST_CASE(an_elastic_job_runs_without_some_members) {
    auto const elastic = [](pytorch_job& j) {
        j.spec.pytorch_replica_specs.erase("Master");
        j.spec.elastic_policy.emplace();
        j.spec.elastic_policy->min_replicas = 1;
        j.spec.elastic_policy->max_replicas = 4;
    };
    explained_job w(3, elastic);
    w.running("worker-0");
    w.unplaced("worker-1", "0/3 nodes are available: 3 Insufficient cpu.");
    w.unplaced("worker-2", "0/3 nodes are available: 3 Insufficient cpu.");
    BOOST_TEST(w.kinds() == "unschedulable");
}

BOOST_AUTO_TEST_CASE(a_suspended_job_names_its_queue) {
    explained_job w(2, [](pytorch_job& j) { j.spec.run_policy.suspend = true; });
    w.condition("Suspended", "PyTorchJobSuspended", "PyTorchJob digits is suspended.");
    BOOST_TEST(w.kinds() == "suspended");
    BOOST_TEST(w.first().advice == "Resume the job when it should run.");
    w.job.metadata.labels.emplace("kueue.x-k8s.io/queue-name", "research");
    BOOST_TEST(contains(w.first().advice, "queue research"));
}

BOOST_AUTO_TEST_CASE(silence_of_all_members_is_reported_as_a_possible_hang) {
    explained_job w;
    w.all_run();
    w.log("master-0", {"step 100"}, "11:40:00");
    w.log("worker-0", {"step 100"}, "11:45:00");
    auto const c = w.first();
    BOOST_TEST(w.kinds() == "stalled");
    BOOST_TEST(c.summary ==
               "All replicas run, and Master 0 (rank 0) and Worker 0 (rank 1) have written no output since "
               "2026-03-01T11:45:00Z: the job may hang, or work without output");
    BOOST_TEST(has_line(c.evidence, "no output for 15 min"));
    BOOST_TEST(has_line(c.evidence, "logs of 2 of 3 replicas were read"));
    w.log("worker-1", {"step 101"}, "11:59:00");
    BOOST_TEST(w.kinds() == "healthy");
}

BOOST_AUTO_TEST_CASE(members_without_output_are_silent_since_their_start) {
    explained_job w;
    w.all_run();
    w.log("master-0", {}).last.reset();
    BOOST_TEST(w.kinds() == "stalled");
    w.now = at("11:05:00");
    BOOST_TEST(w.kinds() == "healthy");
}

BOOST_AUTO_TEST_CASE(without_logs_silence_is_not_reported) {
    explained_job w;
    w.all_run();
    BOOST_TEST(w.kinds() == "healthy");
    BOOST_TEST(w.first().summary == "No problem was found: 3 of 3 replicas run");
}

BOOST_AUTO_TEST_CASE(a_succeeded_job_has_no_causes) {
    explained_job w;
    w.ended("master-0", 0);
    w.ended("worker-0", 1);
    w.refuse("exceeded quota: team, requested: cpu=1, used: cpu=1, limited: cpu=1");
    w.condition("Succeeded", "PyTorchJobSucceeded", "PyTorchJob digits is successfully completed.");
    BOOST_TEST(w.kinds() == "healthy");
    BOOST_TEST(w.first().summary == "The job has succeeded");
}

BOOST_AUTO_TEST_CASE(a_job_in_deletion_names_its_finalizers) {
    explained_job w;
    w.job.metadata.deletion_timestamp = at("11:50:00");
    w.job.metadata.finalizers = {"example.com/keep"};
    BOOST_TEST(w.first().summary == "The job is being deleted");
    BOOST_TEST(has_line(w.first().evidence, "example.com/keep"));
}

BOOST_AUTO_TEST_CASE(pods_of_an_earlier_job_with_the_name_are_ignored) {
    explained_job w;
    w.all_run();
    auto& p = w.ended("worker-0", 1);
    p.metadata.creation_timestamp = at("11:59:00");
    p.metadata.owner_references.at(0).uid = "another";
    BOOST_TEST(w.kinds() == "healthy");
}

BOOST_AUTO_TEST_CASE(pods_of_other_controllers_are_ignored) {
    explained_job w;
    w.all_run();
    auto& p = w.ended("worker-0", 1);
    p.metadata.creation_timestamp = at("11:59:00");
    auto& owner = p.metadata.owner_references.at(0);
    owner.api_version = "apps/v1";
    owner.kind = "ReplicaSet";
    owner.uid = "another";
    BOOST_TEST(w.kinds() == "healthy");
}

BOOST_AUTO_TEST_CASE(a_terminating_pod_of_a_member_is_ignored_if_there_is_another) {
    explained_job w;
    w.all_run();
    auto& p = w.ended("worker-0", 1);
    p.metadata.deletion_timestamp = at("11:59:00");
    BOOST_TEST(w.kinds() == "healthy");
}

BOOST_AUTO_TEST_SUITE_END()
