#include "unit/facade/explain/explained_job.hpp"

#include <kftrain/kinds/tf_job.hpp>
#include <kftrain/kinds/volcano_job.hpp>

BOOST_AUTO_TEST_SUITE(facade_explain_restarts)

using namespace explained;

namespace {

/// Events of an operator that deletes a pod that failed, and creates it again, so many times.
void recreate(explained_job& w, std::string const& name, int times, int code) {
    auto const pod = "digits-" + name;
    w.event("PyTorchJob/digits", "SuccessfulCreatePod", "Created pod: " + pod, "Normal").count = times + 1;
    w.event("PyTorchJob/digits", "SuccessfulDeletePod", "Deleted pod: " + pod, "Normal").count = times;
    w.event("PyTorchJob/digits", "ExitedWithCode", "Pod: team-a." + pod + " exited with code " + std::to_string(code),
            "Normal")
        .count = times;
    w.event("PyTorchJob/digits", "PyTorchJobRestarting", "PyTorchJob digits is restarting because 1 replica failed.")
        .count = times;
}

explained_job job_with_exit_code_policy() {
    return explained_job(1, [](pytorch_job& j) {
        for (auto& [type, spec] : j.spec.pytorch_replica_specs) spec.restart_policy = "ExitCode";
    });
}

/// A Volcano job of one pod, an hour old.
struct volcano_evidence {
    volcano_evidence() {
        job.metadata.name = "loop";
        job.metadata.namespace_ = "team-a";
        job.metadata.uid = "u-1";
        job.metadata.creation_timestamp = at("11:00:00");
        job.spec.min_available = 1;
        auto& task = job.spec.tasks.emplace_back();
        task.name = "t";
        task.replicas = 1;
        auto& c = task.template_.spec.containers.emplace_back();
        c.name = "m";
        c.image = "example.com/train:1";
        job.status.state.phase = "Running";
    }
    void action(std::string const& name, std::int64_t count) {
        auto& e = evidence.events.emplace_back();
        e.first = e.last = at("11:50:00");
        e.count = count;
        e.type = "Normal";
        e.reason = "ExecuteAction";
        e.message = "Start to execute action " + name + " ";
        e.object_kind = "Job";
        e.object_name = "loop";
    }
    explanation explain() {
        evidence.job = prepared_job::stored(job);
        return explaining::explain(evidence, at("12:00:00"));
    }
    bool has(cause_kind kind) {
        auto const causes = explain().causes;
        return std::ranges::find(causes, kind, &job_cause::kind) != causes.end();
    }

    volcano::job job;
    explaining::job_evidence evidence;
};

} // namespace

BOOST_AUTO_TEST_CASE(pods_that_are_created_again_and_again_are_a_crash_loop) {
    auto w = job_with_exit_code_policy();
    w.running("worker-0");
    w.running("master-0", "11:59:59");
    recreate(w, "master-0", 33, 143);
    auto const c = w.first();
    BOOST_TEST(w.kinds() == "crash-loop");
    BOOST_TEST(c.summary ==
               "The pod of Master 0 (rank 0) was created again 33 times; the last one ended with exit code "
               "143 (SIGTERM)");
    BOOST_TEST(c.restarts.value_or(0) == 33);
    BOOST_TEST(c.code.value_or(0) == 143);
    BOOST_TEST(c.signal == "SIGTERM");
    BOOST_TEST(contains(c.advice, "backoffLimit does not count these restarts"));
    w.job.spec.pytorch_replica_specs["Master"].restart_policy = "OnFailure";
    BOOST_TEST(!contains(w.first().advice, "backoffLimit does not count"));
}

/// Servers store types of TFJobs in any case.
BOOST_AUTO_TEST_CASE(advice_about_exit_codes_ignores_the_case_of_replica_types) {
    tf_job job;
    job.metadata = explained_job().job.metadata;
    auto& spec = job.spec.tf_replica_specs["worker"];
    spec.restart_policy = "ExitCode";
    auto& c = spec.template_.spec.containers.emplace_back();
    c.name = "tensorflow";
    c.image = "example.com/train:1";
    explained_job w;
    w.evidence.job = prepared_job::stored(job);
    auto const& layout = w.evidence.job.layout();
    BOOST_TEST_REQUIRE(layout.members.size() == 1U);
    BOOST_TEST(layout.members[0].role == "Worker");
    recreate(w, "worker-0", 33, 143);
    for (auto& e : w.evidence.events) e.object_kind = "TFJob";
    auto const first = explaining::explain(w.evidence, w.now).causes.at(0);
    BOOST_TEST((first.kind == cause_kind::crash_loop));
    BOOST_TEST(contains(first.advice, "backoffLimit does not count these restarts"), first.advice);
}

BOOST_AUTO_TEST_CASE(a_recreated_pod_that_runs_for_long_is_healthy) {
    auto w = job_with_exit_code_policy();
    w.running("worker-0");
    w.running("master-0", "11:40:00");
    recreate(w, "master-0", 33, 143);
    BOOST_TEST(w.kinds() == "healthy");
}

BOOST_AUTO_TEST_CASE(a_single_restart_is_reported_but_is_not_a_crash_loop) {
    auto w = job_with_exit_code_policy();
    w.running("worker-0");
    w.running("master-0", "11:59:50");
    recreate(w, "master-0", 1, 137);
    auto const c = w.first();
    BOOST_TEST(w.kinds() == "exited");
    BOOST_TEST(c.summary == "Master 0 (rank 0) ended with exit code 137 (SIGKILL), and its pod was created again");
    BOOST_TEST(contains(c.advice, "out of memory"));
}

BOOST_AUTO_TEST_CASE(suspending_and_resuming_is_not_a_crash_loop) {
    explained_job w;
    w.all_run();
    for (auto& p : w.pods) p.status.container_statuses[0].state.running->started_at = at("11:59:55");
    for (auto const* const name : {"digits-master-0", "digits-worker-0", "digits-worker-1"}) {
        w.event("PyTorchJob/digits", "SuccessfulCreatePod", std::string("Created pod: ") + name, "Normal").count = 5;
        w.event("PyTorchJob/digits", "SuccessfulDeletePod", std::string("Deleted pod: ") + name, "Normal").count = 4;
    }
    w.event("PyTorchJob/digits", "PyTorchJobSuspended", "PyTorchJob digits is suspended.", "Normal").count = 4;
    BOOST_TEST(w.kinds() == "healthy");
}

BOOST_AUTO_TEST_CASE(events_about_services_do_not_count_as_pod_recreations) {
    explained_job w;
    w.all_run();
    for (auto& p : w.pods) {
        p.metadata.creation_timestamp = at("11:59:50");
        p.status.container_statuses[0].state.running->started_at = at("11:59:55");
    }
    for (auto const* const name : {"digits-master-0", "digits-worker-0", "digits-worker-1"}) {
        w.event("PyTorchJob/digits", "SuccessfulCreatePod", std::string("Created pod: ") + name, "Normal");
        w.event("PyTorchJob/digits", "SuccessfulCreateService", std::string("Created service: ") + name, "Normal")
            .count = 5;
    }
    BOOST_TEST(w.kinds() == "healthy");
}

BOOST_AUTO_TEST_CASE(combined_events_of_many_pods_are_not_a_crash_loop) {
    explained_job w(40);
    w.all_run();
    for (auto& p : w.pods) p.status.container_statuses[0].state.running->started_at = at("11:59:55");
    w.event("PyTorchJob/digits", "SuccessfulCreatePod", "(combined from similar events): Created pod: digits-worker-39",
            "Normal")
        .count = 31;
    BOOST_TEST(w.kinds() == "healthy");
}

BOOST_AUTO_TEST_CASE(failed_pods_of_a_batch_job_that_still_exist_are_counted) {
    explained_job w;
    w.running("worker-0");
    w.running("worker-1");
    for (int i = 0; i < 4; ++i) {
        auto& old = w.ended("master-0", 7, "11:5" + std::to_string(i) + ":00");
        old.metadata.uid = "old-" + std::to_string(i);
    }
    w.pod("master-0").metadata.creation_timestamp = at("11:59:00");
    auto const causes = w.explain().causes;
    auto const loop = std::ranges::find(causes, cause_kind::crash_loop, &job_cause::kind);
    BOOST_TEST_REQUIRE((loop != causes.end()));
    BOOST_TEST(loop->restarts.value_or(0) == 4);
    BOOST_TEST((causes.front().kind == cause_kind::exited));
}

BOOST_AUTO_TEST_CASE(restarts_of_a_whole_job_are_counted_by_its_status) {
    volcano_evidence w;
    w.job.spec.max_retry = 100;
    w.job.status.retry_count = 16;
    w.action("RestartJob", 16);
    BOOST_TEST(w.has(cause_kind::crash_loop));
    auto const causes = w.explain().causes;
    auto const& c = *std::ranges::find(causes, cause_kind::crash_loop, &job_cause::kind);
    BOOST_TEST(c.summary == "The job was restarted 16 times because of its policies; it fails when retryCount reaches "
                            "maxRetry 100");
    BOOST_TEST(has_line(c.evidence, "RestartJob"));
    w.job.status.retry_count = 0;
    BOOST_TEST(!w.has(cause_kind::crash_loop));
}

BOOST_AUTO_TEST_CASE(resumptions_do_not_count_as_restarts) {
    volcano_evidence w;
    w.job.status.retry_count = 2;
    w.action("ResumeJob", 2);
    BOOST_TEST(!w.has(cause_kind::crash_loop));
}

BOOST_AUTO_TEST_CASE(a_job_that_used_all_retries_has_reached_its_limit) {
    volcano_evidence w;
    w.job.status.state.phase = "Failed";
    w.job.status.retry_count = 3;
    w.action("ResumeJob", 3);
    auto const e = w.explain();
    auto const& c = e.causes.front();
    BOOST_TEST((c.kind == cause_kind::backoff_limit));
    BOOST_TEST(contains(c.summary, "retryCount is 3, maxRetry is 3"));
    BOOST_TEST(!contains(c.advice, "backoffLimit"));
    BOOST_TEST(has_line(c.evidence, "ResumeJob"));
    w.job.status.retry_count = 2;
    BOOST_TEST(!w.has(cause_kind::backoff_limit));
}

BOOST_AUTO_TEST_CASE(a_job_that_a_policy_ended_names_the_action_and_its_event) {
    volcano_evidence w;
    auto& policy = w.job.spec.policies.emplace_back();
    policy.event = "PodEvicted";
    policy.action = "TerminateJob";
    w.job.status.state.phase = "Terminated";
    w.action("TerminateJob", 1);
    auto c = w.explain().causes.front();
    BOOST_TEST(c.summary ==
               "The job ended because a policy executed TerminateJob after PodEvicted; PodEvicted also means "
               "that a pod was deleted");
    policy.action = "AbortJob";
    w.job.status.state.phase = "Aborted";
    w.evidence.events.clear();
    w.action("AbortJob", 1);
    c = w.explain().causes.front();
    BOOST_TEST((c.kind == cause_kind::suspended));
    BOOST_TEST(contains(c.summary, "a policy executed AbortJob after PodEvicted;"));
    policy.events = {"PodFailed"};
    auto& of_task = w.job.spec.tasks[0].policies.emplace_back();
    of_task.exit_code = 3;
    of_task.action = "AbortJob";
    auto& other = w.job.spec.tasks[0].policies.emplace_back();
    other.event = "Unknown";
    other.action = "RestartJob";
    BOOST_TEST(contains(w.explain().causes.front().summary, " after exit code 3, PodEvicted, PodFailed;"));
    // A user has suspended it.
    w.evidence.events.front().reason = "CommandIssued";
    BOOST_TEST(w.explain().causes.front().summary == "The job is suspended");
}

BOOST_AUTO_TEST_CASE(a_kind_without_clean_up_policy_gets_no_advice_about_it) {
    volcano_evidence w;
    w.job.status.state.phase = "Failed";
    auto const c = w.explain().causes.front();
    BOOST_TEST(!contains(c.advice, "cleanPodPolicy"), c.advice);
    explained_job kubeflow;
    kubeflow.fail();
    BOOST_TEST(contains(kubeflow.first().advice, "cleanPodPolicy"));
}

BOOST_AUTO_TEST_SUITE_END()
