#include "unit/kinds/mpi_job_v2beta1/cluster.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_mpi_job_v2beta1_life)

using namespace mpi_sample;

// Expected: events and statuses recorded from mpi-operator v0.8.0 in the case that is named.
namespace {

/// A job whose workers and launcher run.
cluster running(std::string const& name, std::int32_t workers, std::string const& clean = "None",
                mpi_operator_options options = {}) {
    mpi_job j = job(name, "corpus", workers);
    j.spec.run_policy.clean_pod_policy = clean;
    cluster c(j, std::move(options));
    c.pass(0);
    for (std::int32_t i = 0; i < workers; ++i) c.run_worker(worker_name(j, i));
    c.launcher_pod(name + "-launcher-x", "Running");
    c.pass(3);
    return c;
}

std::string message_of(cluster const& c, std::string_view type) {
    auto const* const found = find_condition(c.job.status, type);
    return found == nullptr ? "none" : found->message;
}

} // namespace

BOOST_AUTO_TEST_CASE(jobs_run_when_launcher_and_all_workers_run) {
    mpi_job const j = job("em", "corpus", 2); // elastic
    cluster c(j);
    c.pass(0);
    c.launcher_pod("em-launcher-x", "Running");
    c.run_worker("em-worker-0");
    c.pass(1);
    BOOST_TEST(c.conditions() == lines{"Created=True/MPIJobCreated"});
    BOOST_TEST(c.counts() == R"(Launcher{"active":1}Worker{"active":1})");
    c.run_worker("em-worker-1");
    c.launcher_pod("em-launcher-x", "Pending");
    c.pass(2);
    BOOST_TEST(c.conditions() == lines{"Created=True/MPIJobCreated"});
    BOOST_TEST(c.counts() == R"(Launcher{}Worker{"active":2})");
    c.launcher_pod("em-launcher-x", "Running");
    BOOST_TEST(c.pass(3) == (lines{"Normal MPIJobRunning: MPIJob corpus/em is running", "status"}));
    BOOST_TEST(c.conditions() == (lines{"Created=True/MPIJobCreated", "Running=True/MPIJobRunning"}));
    BOOST_TEST(message_of(c, "Running") == "MPIJob corpus/em is running.");
    BOOST_TEST(c.pass(4) == lines{"Normal MPIJobRunning: MPIJob corpus/em is running"});
}

BOOST_AUTO_TEST_CASE(the_job_succeeds_with_its_launcher) {
    cluster c = running("em", 1); // elastic, its end; cleanPodPolicy None
    c.end_launcher("Complete", "", "");
    c.change_launcher([](batch::job& j) { j.status.completion_time = at(6); });
    c.launcher_pod("em-launcher-x", "Succeeded");
    BOOST_TEST(c.pass(7) == (lines{"Normal MPIJobSucceeded: MPIJob corpus/em successfully completed.", "status"}));
    BOOST_TEST(c.conditions() ==
               (lines{"Created=True/MPIJobCreated", "Running=False/MPIJobRunning", "Succeeded=True/MPIJobSucceeded"}));
    BOOST_TEST((find_condition(c.job.status, "Running")->last_transition_time == at(3)));
    BOOST_TEST((c.job.status.completion_time == at(6)));
    BOOST_TEST(c.counts() == R"(Launcher{"succeeded":1}Worker{})");
    BOOST_TEST(c.pass(8) == lines{}); // workers stay
    c.world.launcher = nullptr;       // its time to live is over
    BOOST_TEST(c.pass(9) == lines{});
}

BOOST_AUTO_TEST_CASE(without_a_completion_time_success_is_reported_again) {
    cluster c = running("em", 1, "All");
    c.end_launcher("Complete", "", "");
    c.launcher_pod("em-launcher-x", "Succeeded");
    c.pass(7);
    BOOST_TEST(c.pass(8) == (lines{"Normal MPIJobSucceeded: MPIJob corpus/em successfully completed."}));
    BOOST_TEST(c.worker("em-worker-0") != nullptr);
}

BOOST_AUTO_TEST_CASE(since_0_8_2_finished_jobs_are_not_running) {
    for (auto [r, expected] : {std::pair(mpi_operator_release::v0_8_0, "Succeeded=True/MPIJobSucceeded"),
                               {mpi_operator_release::v0_8_2, "Running=False/MPIJobRunning"}}) {
        cluster c(job("em", "corpus", 1), release(r));
        c.pass(0);
        c.end_launcher("Complete", "", "");
        c.change_launcher([](batch::job& j) { j.status.completion_time = at(6); });
        c.pass(7);
        BOOST_TEST(c.conditions().back() == expected);
        if (r == mpi_operator_release::v0_8_0) continue;
        BOOST_TEST(message_of(c, "Running") == "MPIJob corpus/em is finished but Running condition was never set.");
        BOOST_TEST((c.job.status.conditions.back().last_update_time == at(6)));
    }
}

BOOST_AUTO_TEST_CASE(workers_are_cleaned_up_after_the_end) {
    cluster c = running("cp", 3, "All"); // clean-all
    c.change_worker("cp-worker-2", [](core::pod& p) { p.status.phase = "Succeeded"; });
    c.world.launcher_pods.clear();
    c.end_launcher("Failed", "DeadlineExceeded", "Job was active longer than specified deadline"); // deadline
    BOOST_TEST(c.pass(7) ==
               (lines{"Warning DeadlineExceeded: Job was active longer than specified deadline", "status"}));
    BOOST_TEST(message_of(c, "Failed") == "Job was active longer than specified deadline");
    BOOST_TEST((c.job.status.completion_time == at(7)));
    cluster keeps = c;
    BOOST_TEST(c.pass(8) == (lines{"remove Pod cp-worker-0", "remove Pod cp-worker-1", "remove Pod cp-worker-2"}));
    BOOST_TEST(c.pass(9) == lines{});
    BOOST_TEST(c.world.launcher != nullptr);
    keeps.job.spec.run_policy.clean_pod_policy = "Running";
    BOOST_TEST(keeps.pass(8) == (lines{"remove Pod cp-worker-0", "remove Pod cp-worker-1"}));
}

BOOST_AUTO_TEST_CASE(failure_messages_describe_the_last_pod) {
    cluster c = running("f", 1);
    c.change_launcher([](batch::job& j) { j.status.failed = 2; });
    c.launcher_pod("f-launcher-x", "Running");
    c.pass(4);
    BOOST_TEST(c.counts() == R"(Launcher{"active":1,"failed":2}Worker{"active":1})"); // launcher-retries
    c.end_launcher("Failed", "BackoffLimitExceeded", "Job has reached the specified backoff limit");
    auto& first = c.launcher_pod("f-launcher-x", "Failed");
    first.metadata.creation_timestamp = at(1);
    first.status.reason = "FailedReason1";
    first.status.message = "first message";
    auto& second = c.launcher_pod("f-launcher-y", "Failed");
    second.metadata.creation_timestamp = at(2);
    second.status.reason = "FailedReason2";
    second.status.message = "second message";
    cluster no_pods = c;
    no_pods.world.launcher_pods.clear();
    c.launcher_pod("f-launcher-z", "Pending").metadata.creation_timestamp = at(3);
    c.pass(5);
    BOOST_TEST(c.conditions().back() == "Failed=True/BackoffLimitExceeded/FailedReason2");
    BOOST_TEST(message_of(c, "Failed") == "Job has reached the specified backoff limit: second message");
    BOOST_TEST(c.counts() == R"(Launcher{"failed":2}Worker{})");
    no_pods.pass(5);
    BOOST_TEST(no_pods.conditions().back() == "Failed=True/BackoffLimitExceeded");
}

BOOST_AUTO_TEST_CASE(failures_without_a_reason_have_a_default_message) {
    cluster c = running("f", 1);
    c.end_launcher("Failed", "", "");
    BOOST_TEST(c.pass(5).front() == "Warning MPIJobFailed: MPIJob corpus/f has failed");
    cluster s = running("s2", 1); // seeds/seed-002: a pod without reason
    s.end_launcher("Failed", "BackoffLimitExceeded", "Job has reached the specified backoff limit");
    s.launcher_pod("s2-launcher-x", "Failed").status.message = "boom";
    BOOST_TEST(s.pass(5).front() == "Warning BackoffLimitExceeded/: Job has reached the specified backoff limit: boom");
}

BOOST_AUTO_TEST_CASE(evicted_workers_fail_the_job_until_it_succeeds) {
    cluster c = running("evict", 3); // worker-evicted
    c.change_worker("evict-worker-1", [](core::pod& p) {
        p.status.phase = "Failed";
        p.status.reason = "Evicted";
    });
    BOOST_TEST(c.pass(5) ==
               (lines{"replace ConfigMap evict-config", "Warning MPIJobEvicted: 1/3 workers are evicted", "status"}));
    BOOST_TEST(c.conditions() ==
               (lines{"Created=True/MPIJobCreated", "Running=False/MPIJobRunning", "Failed=True/MPIJobEvicted"}));
    BOOST_TEST(!c.job.status.completion_time);
    BOOST_TEST(c.counts() == R"(Launcher{"active":1}Worker{"active":2,"failed":1})");
    BOOST_TEST(c.pass(6) == lines{"Warning MPIJobEvicted: 1/3 workers are evicted"}); // nothing is cleaned up
    c.end_launcher("Complete", "", "");
    c.launcher_pod("evict-launcher-x", "Succeeded");
    c.change_launcher([](batch::job& j) { j.status.completion_time = at(6); });
    c.pass(6);
    BOOST_TEST(c.conditions() == (lines{"Created=True/MPIJobCreated", "Running=False/MPIJobRunning",
                                        "Failed=False/MPIJobEvicted", "Succeeded=True/MPIJobSucceeded"}));
}

BOOST_AUTO_TEST_CASE(deleted_workers_are_created_again_and_ended_ones_are_not) {
    cluster c = running("w", 2); // worker-deleted
    std::erase_if(c.world.workers, [](auto const& p) { return p->metadata.name == "w-worker-0"; });
    BOOST_TEST(c.pass(4) == (lines{"replace ConfigMap w-config", "create Pod w-worker-0", "status"}));
    BOOST_TEST(c.counts() == R"(Launcher{"active":1}Worker{"active":1})");
    BOOST_TEST(c.conditions().back() == "Running=True/MPIJobRunning");
    c.change_worker("w-worker-1", [](core::pod& p) { p.status.phase = "Failed"; });
    BOOST_TEST(c.pass(5) == (lines{"replace ConfigMap w-config", "status"}));
}

BOOST_AUTO_TEST_SUITE_END()
