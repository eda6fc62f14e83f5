#include "unit/controllers/batch_job/played_job.hpp"

BOOST_AUTO_TEST_SUITE(controllers_batch_job_failures)

using namespace played_jobs;

// Jobs whose pods fail. Expected: kubernetes pkg/controller/job/backoff_utils.go, pod_failure_policy.go,
// job_controller.go, v1.31.

BOOST_AUTO_TEST_CASE(new_pods_wait_ten_seconds_and_twice_as_long_after_each_failure) {
    played_job w(sample([](auto& s) { s.backoff_limit = 20; }));
    w.settle();
    for (int const wait : {10, 20, 40, 80, 160, 320, 360, 360}) {
        w.end(w.running(), 1);
        w.settle();
        auto const before = w.made;
        BOOST_TEST((w.look().requeue_at == w.now + std::chrono::seconds(wait)));
        w.now += std::chrono::seconds(wait - 1);
        w.settle();
        BOOST_TEST(w.made == before);
        w.now += 1s;
        w.settle();
        BOOST_TEST(w.made == before + 1);
    }
    BOOST_TEST(w.job.status.failed == 8);
}

BOOST_AUTO_TEST_CASE(running_pods_are_counted_while_a_new_one_waits) {
    played_job w(sample([](auto& s) { s.parallelism = 2, s.completions = 2; }));
    w.settle();
    w.end(w.running(), 1);
    w.settle();
    BOOST_TEST(w.job.status.active == 1);
}

// flushUncountedAndRemoveFinalizers: a pod is counted by the sync that lets it go, to which it is still there;
// enactJobFinished waits until no pod is going. Recorded of mpi-operator v0.8.0: `deadline` counts the failed launcher
// before it fails.
BOOST_AUTO_TEST_CASE(the_last_pod_is_counted_before_the_job_ends) {
    played_job w(sample([](auto& s) { s.active_deadline_seconds = 8; }));
    w.settle();
    w.now += 8s;
    std::vector<std::string> reported;
    for (int i = 0; i < 20 && !w.once().steps.empty(); ++i) {
        auto const& s = w.job.status;
        auto text = std::to_string(s.failed) + " failed, " + std::to_string(s.terminating.value_or(0)) + " going, " +
                    w.job.status.conditions.back().type;
        if (reported.empty() || reported.back() != text) reported.push_back(std::move(text));
    }
    std::vector<std::string> const expected{"0 failed, 1 going, FailureTarget", "1 failed, 1 going, FailureTarget",
                                            "1 failed, 0 going, Failed"};
    BOOST_TEST(reported == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_success_resets_the_backoff) {
    played_job w(sample([](auto& s) { s.parallelism = 2, s.completions = 4; }));
    w.settle();
    w.end(w.running(), 1);
    w.now += 1s;
    w.end(w.running(), 0);
    auto const before = w.made;
    w.settle();
    BOOST_TEST(w.made == before + 2);
}

BOOST_AUTO_TEST_CASE(one_failure_more_than_the_limit_ends_the_job_with_its_other_pods) {
    played_job w(sample([](auto& s) { s.parallelism = 2, s.completions = 2, s.backoff_limit = 1; }));
    w.settle();
    w.end(w.running(), 3);
    w.settle();
    w.now += 10s;
    w.settle();
    BOOST_TEST(w.conditions() == "");
    BOOST_TEST(w.job.status.active == 2);
    w.end(w.running(), 3);
    w.settle();
    BOOST_TEST(w.conditions() == "FailureTarget=True BackoffLimitExceeded; Failed=True BackoffLimitExceeded");
    BOOST_TEST(w.job.status.conditions[1].message == "Job has reached the specified backoff limit");
    BOOST_TEST(w.job.status.failed == 3); // the one that was ended with the Job, too
    BOOST_TEST(w.job.status.active == 0);
    BOOST_TEST(w.noted() == 0u);
    BOOST_TEST(w.count("BackoffLimitExceeded") == 1u);
    BOOST_TEST(w.count("SuccessfulDelete") == 1u);
}

BOOST_AUTO_TEST_CASE(restarts_in_place_count_towards_the_limit) {
    played_job w(sample([](auto& s) { s.backoff_limit = 2, s.template_.spec.restart_policy = "OnFailure"; }));
    w.settle();
    auto& c = w.running().status.container_statuses.emplace_back();
    c.restart_count = 1;
    w.settle();
    BOOST_TEST(w.conditions() == "");
    w.running().status.container_statuses[0].restart_count = 2;
    w.settle();
    BOOST_TEST(w.conditions() == "FailureTarget=True BackoffLimitExceeded; Failed=True BackoffLimitExceeded");
}

BOOST_AUTO_TEST_CASE(a_terminating_pod_counts_as_failed_under_the_default_replacement_policy) {
    for (bool const failed_only : {false, true}) {
        played_job w(
            sample([&](auto& s) { s.pod_replacement_policy = failed_only ? "Failed" : "TerminatingOrFailed"; }));
        w.settle();
        w.lingering = true;
        w.running().metadata.deletion_timestamp = w.now;
        w.settle();
        w.now += 10s;
        w.settle();
        BOOST_TEST(w.job.status.failed == (failed_only ? 0 : 1));
        BOOST_TEST(w.made == (failed_only ? 1 : 2));
        BOOST_TEST(w.job.status.terminating.value() == 1);
    }
}

BOOST_AUTO_TEST_CASE(a_policy_fails_the_job_at_once_ignores_or_counts) {
    auto const run = [](std::string const& action, int code) {
        played_job w(sample([&](auto& s) {
            s.backoff_limit = 0;
            auto& rule = s.pod_failure_policy.emplace().rules.emplace_back();
            rule.action = action;
            rule.on_exit_codes.emplace().operator_ = "In";
            rule.on_exit_codes->values = {42, 43};
        }));
        w.settle();
        w.end(w.running(), code);
        w.settle();
        return w;
    };
    auto const failed = run("FailJob", 42);
    BOOST_TEST(failed.conditions() == "FailureTarget=True PodFailurePolicy; Failed=True PodFailurePolicy");
    BOOST_TEST(failed.job.status.conditions[0].message ==
               "Container c for pod team/train-1 failed with exit code 42 matching FailJob rule at index 0");
    auto const ignored = run("Ignore", 43);
    BOOST_TEST(ignored.conditions() == "");
    BOOST_TEST(ignored.job.status.failed == 0);
    BOOST_TEST(run("Ignore", 1).conditions().ends_with("Failed=True BackoffLimitExceeded"));
    BOOST_TEST(run("Count", 42).conditions().ends_with("Failed=True BackoffLimitExceeded"));
}

BOOST_AUTO_TEST_CASE(a_pod_failure_policy_matches_pod_conditions) {
    played_job w(sample([](auto& s) {
        auto& rule = s.pod_failure_policy.emplace().rules.emplace_back();
        rule.action = "FailJob";
        rule.on_pod_conditions.emplace_back().type = "DisruptionTarget";
        rule.on_pod_conditions.back().status = "True";
    }));
    w.settle();
    auto& p = w.running();
    w.end(p, 137);
    p.status.conditions.emplace_back().type = "DisruptionTarget";
    p.status.conditions.back().status = "True";
    w.settle();
    BOOST_TEST(w.job.status.conditions.at(0).message ==
               "Pod team/train-1 has condition DisruptionTarget matching FailJob rule at index 0");
}

// If pods cannot be created, the status does not count them, and finished pods are recorded when it succeeds.
BOOST_AUTO_TEST_CASE(pods_that_cannot_be_created_do_not_count_as_active) {
    played_job w(sample([](auto& s) { s.parallelism = 2, s.completions = 2; }));
    auto const plan = w.look();
    auto const& refused = plan.steps.at(0).refused;
    BOOST_REQUIRE(refused.has_value());
    BOOST_TEST(refused->object.get_if<batch::job>()->status.active == 0);
    BOOST_TEST((refused->object.get_if<batch::job>()->status.start_time == start));
}

BOOST_AUTO_TEST_SUITE_END()
