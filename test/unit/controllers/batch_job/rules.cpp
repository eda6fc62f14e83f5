#include "unit/controllers/batch_job/played_job.hpp"

BOOST_AUTO_TEST_SUITE(controllers_batch_job)

using namespace played_jobs;

// Jobs whose pods succeed. Expected: kubernetes pkg/controller/job/job_controller.go, v1.31, and statuses that its
// controller wrote.

BOOST_AUTO_TEST_CASE(a_pod_is_made_from_the_template) {
    played_job w(sample());
    auto const plan = w.once();
    BOOST_REQUIRE(w.pods.size() == 1u);
    auto const& p = w.pods.begin()->second;
    BOOST_TEST(p.metadata.generate_name == "train-");
    BOOST_TEST(p.metadata.namespace_ == "team");
    BOOST_TEST(p.metadata.labels.find("job-name")->second == "train");
    BOOST_TEST(p.metadata.finalizers == std::vector<std::string>{"batch.kubernetes.io/job-tracking"},
               boost::test_tools::per_element());
    BOOST_TEST(p.spec.containers.at(0).env.empty());
    auto const& owner = p.metadata.owner_references.at(0);
    BOOST_TEST(owner.api_version == "batch/v1");
    BOOST_TEST(owner.kind == "Job");
    BOOST_TEST(owner.uid == "job-uid");
    BOOST_TEST((owner.controller == true && owner.block_owner_deletion == true));
    auto const& create = std::get<rules::create>(plan.steps.at(0).actions.at(0));
    BOOST_TEST(create.event.done_reason == "SuccessfulCreate");
    BOOST_TEST(create.event.done_text == "Created pod: {}");
    BOOST_TEST(create.event.failed_reason == "FailedCreate");
    BOOST_TEST(create.event.failed_text == "Error creating: {}");
    BOOST_TEST(w.job.status.active == 1);
    BOOST_TEST(w.job.status.ready.value() == 0);
    BOOST_TEST(w.job.status.terminating.value() == 0);
    BOOST_TEST((w.job.status.start_time == start));
    w.settle();
    BOOST_TEST(w.pods.size() == 1u);
}

BOOST_AUTO_TEST_CASE(an_unchanged_status_is_not_written) {
    played_job w(sample());
    w.settle();
    BOOST_TEST(w.look().steps.empty());
    w.running().status.conditions.emplace_back().type = "Ready";
    w.running().status.conditions.back().status = "True";
    w.settle();
    BOOST_TEST(w.job.status.ready.value() == 1);
}

BOOST_AUTO_TEST_CASE(parallelism_limits_pods_and_successes_are_counted_once) {
    played_job w(sample([](auto& s) { s.parallelism = 2, s.completions = 3; }));
    w.settle();
    BOOST_TEST(w.pods.size() == 2u);
    w.end(w.running(), 0);
    w.settle();
    BOOST_TEST(w.job.status.succeeded == 1);
    BOOST_TEST(w.job.status.active == 2);
    BOOST_TEST(w.pods.size() == 3u);
    w.end(w.running(), 0);
    w.settle();
    BOOST_TEST(w.job.status.active == 1); // one is missing only
    w.end(w.running(), 0);
    w.now += 5s;
    w.settle();
    BOOST_TEST(w.job.status.succeeded == 3);
    BOOST_TEST(w.job.status.active == 0);
    BOOST_TEST(w.noted() == 0u);
    BOOST_TEST(w.conditions() == "SuccessCriteriaMet=True CompletionsReached; Complete=True CompletionsReached");
    BOOST_TEST(w.job.status.conditions.at(1).message == "Reached expected number of succeeded pods");
    BOOST_TEST((w.job.status.completion_time == w.now));
    BOOST_TEST(w.count("Completed") == 1u);
    for (auto const& [name, p] : w.pods) BOOST_TEST(p.metadata.finalizers.empty(), name);
}

// The order is what makes counting safe: noted, let go, counted.
BOOST_AUTO_TEST_CASE(a_finished_pod_is_recorded_before_its_finalizer_is_removed) {
    played_job w(sample([](auto& s) { s.completions = 2; }));
    w.settle();
    w.end(w.running(), 0);
    auto const first = w.look();
    bool written = false;
    for (auto const& step : first.steps)
        for (auto const& a : step.actions) {
            if (auto const* s = std::get_if<rules::write_status>(&a)) {
                auto const& status = s->object.get_if<batch::job>()->status;
                BOOST_TEST(status.succeeded == 0);
                BOOST_TEST(status.uncounted_terminated_pods->succeeded.size() == 1u);
                written = true;
            }
            if (std::holds_alternative<rules::patch>(a)) BOOST_TEST(written);
        }
    BOOST_REQUIRE(written);
    // The status was written, and then the controller fell: nothing is counted twice, nothing lost.
    for (auto const& step : first.steps)
        for (auto const& a : step.actions)
            if (auto const* s = std::get_if<rules::write_status>(&a)) w.carry_out(*s);
    w.settle();
    BOOST_TEST(w.job.status.succeeded == 1);
    // A noted pod that is gone counts, too.
    w.end(w.running(), 0);
    w.once();
    w.pods.clear();
    w.settle();
    BOOST_TEST(w.job.status.succeeded == 2);
    BOOST_TEST(w.conditions().ends_with("Complete=True CompletionsReached"));
}

BOOST_AUTO_TEST_CASE(without_completions_one_success_suffices) {
    played_job w(sample([](auto& s) { s.parallelism = 2, s.completions.reset(); }));
    w.settle();
    BOOST_TEST(w.pods.size() == 2u);
    w.end(w.running(), 0);
    w.settle();
    BOOST_TEST(w.pods.size() == 2u);
    BOOST_TEST(w.conditions() == "");
    w.end(w.running(), 0);
    w.settle();
    BOOST_TEST(w.job.status.succeeded == 2);
    BOOST_TEST(w.conditions().ends_with("Complete=True CompletionsReached"));
}

BOOST_AUTO_TEST_CASE(a_suspended_job_deletes_its_pods_and_restarts_later) {
    played_job w(sample([](auto& s) { s.active_deadline_seconds = 60, s.parallelism = 2, s.completions = 2; }));
    w.settle();
    w.now += 30s;
    w.job.spec.suspend = true;
    w.settle();
    BOOST_TEST(w.pods.empty());
    BOOST_TEST(w.conditions() == "Suspended=True JobSuspended");
    BOOST_TEST(w.job.status.conditions[0].message == "Job suspended");
    BOOST_TEST(w.job.status.active == 0);
    BOOST_TEST(!w.job.status.start_time);
    BOOST_TEST(w.job.status.failed == 0); // deleted by the controller is not failed
    BOOST_TEST(w.count("SuccessfulDelete") == 2u);
    BOOST_TEST(w.count("Suspended") == 1u);
    w.now += 3600s; // the time of a suspended Job does not count
    w.settle();
    BOOST_TEST(w.conditions() == "Suspended=True JobSuspended");
    w.job.spec.suspend = false;
    w.settle();
    BOOST_TEST(w.conditions() == "Suspended=False JobResumed");
    BOOST_TEST((w.job.status.start_time == w.now));
    BOOST_TEST(w.pods.size() == 2u);
    BOOST_TEST(w.count("Resumed") == 1u);
}

BOOST_AUTO_TEST_CASE(a_job_created_suspended_has_no_start_time) {
    played_job w(sample([](auto& s) { s.suspend = true; }));
    w.settle();
    BOOST_TEST(!w.job.status.start_time);
    BOOST_TEST(w.pods.empty());
}

BOOST_AUTO_TEST_CASE(a_deadline_ends_the_job_when_its_pods_are_gone) {
    played_job w(sample([](auto& s) { s.active_deadline_seconds = 60; }));
    auto const plan = w.once();
    BOOST_TEST((plan.requeue_at == start + 60s));
    w.settle();
    w.now += 60s;
    w.lingering = true;
    w.settle();
    BOOST_TEST(w.conditions() == "FailureTarget=True DeadlineExceeded");
    BOOST_TEST(w.job.status.failed == 1);
    BOOST_TEST(w.job.status.terminating.value() == 1);
    w.pods.clear();
    w.settle();
    BOOST_TEST(w.conditions() == "FailureTarget=True DeadlineExceeded; Failed=True DeadlineExceeded");
    BOOST_TEST(w.job.status.conditions[1].message == "Job was active longer than specified deadline");
    BOOST_TEST(w.count("DeadlineExceeded") == 1u);
    BOOST_TEST(!w.job.status.completion_time);
}

BOOST_AUTO_TEST_CASE(a_deadline_beyond_the_range_of_time_never_expires) {
    for (auto const seconds : {std::numeric_limits<std::int64_t>::max(), std::int64_t{1} << 40U}) {
        played_job w(sample([&](auto& s) { s.active_deadline_seconds = seconds; }));
        auto const plan = w.once();
        w.settle();
        BOOST_TEST(w.pods.size() == 1u, seconds);
        BOOST_TEST(w.conditions() == "", seconds);
        BOOST_TEST((!plan.requeue_at || *plan.requeue_at > start + std::chrono::years(100)), seconds);
    }
}

BOOST_AUTO_TEST_CASE(a_finished_job_is_deleted_after_its_time) {
    played_job w(sample([](auto& s) { s.ttl_seconds_after_finished = 100; }));
    w.settle();
    w.end(w.running(), 0);
    w.settle();
    auto const plan = w.look();
    BOOST_TEST(plan.steps.empty());
    BOOST_TEST((plan.requeue_at == start + 100s));
    w.now += 100s;
    w.once();
    BOOST_TEST(w.deleted);
}

BOOST_AUTO_TEST_CASE(a_job_of_another_controller_is_left_alone) {
    played_job w(sample([](auto& s) { s.managed_by = "kueue.x-k8s.io/multikueue"; }));
    BOOST_TEST(w.look().steps.empty());
    w.job.spec.managed_by = "kubernetes.io/job-controller";
    BOOST_TEST(!w.look().steps.empty());
}

BOOST_AUTO_TEST_CASE(a_deleted_job_releases_its_pods_and_creates_none) {
    played_job w(sample([](auto& s) { s.parallelism = 2, s.completions = 2; }));
    w.settle();
    w.pods.erase(w.pods.begin());
    w.job.metadata.deletion_timestamp = w.now;
    w.settle();
    BOOST_REQUIRE(w.pods.size() == 1u);
    BOOST_TEST(w.pods.begin()->second.metadata.finalizers.empty());
}

BOOST_AUTO_TEST_CASE(an_unknown_completion_mode_is_reported_without_an_action) {
    played_job w(sample([](auto& s) { s.completion_mode = "Sorted"; }));
    w.once();
    BOOST_TEST(w.pods.empty());
    BOOST_TEST(w.count("UnknownCompletionMode") == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
