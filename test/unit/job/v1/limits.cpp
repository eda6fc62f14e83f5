#include "job/v1/replica_outcome.hpp"

#include "kinds/pytorch_job/kind.hpp"
#include "unit/job/sample.hpp"

#include <kftrain/job/job_rules.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(job_limits)

using namespace sample;

namespace {

void restart(observed& world, std::string_view name, std::int32_t count) {
    change(world, name, [&](pod& p) {
        core::container_status c;
        c.name = "pytorch";
        c.restart_count = count;
        p.status.container_statuses.push_back(std::move(c));
    });
}

bool exceeds(pytorch_job const& j, observed const& world, int now = 1) {
    pytorch_job defaulted = j;
    job_rules_for<pytorch_job>().set_defaults(&defaulted);
    pytorch_operator_options const options;
    pytorch_kind const view(defaulted, options);
    return !exceeded_limit(view, world, defaulted.status, at(now)).empty();
}

bool writes_status_at_most(std::vector<std::string> const& lines) {
    return lines.empty() || lines == std::vector<std::string>{"status"};
}

} // namespace

BOOST_AUTO_TEST_CASE(restarts_of_running_pods_count_towards_the_backoff_limit) {
    pytorch_job j = job(1, 1);
    j.spec.run_policy.backoff_limit = 3;
    auto world = world_of(j, "Running");
    restart(world, "pt-master-0", 1);
    restart(world, "pt-worker-0", 1);
    BOOST_TEST(!exceeds(j, world));
    restart(world, "pt-worker-0", 1);
    BOOST_TEST(exceeds(j, world));
    change(world, "pt-worker-0", [](pod& p) { p.status.phase = "Pending"; });
    BOOST_TEST(!exceeds(j, world));
}

BOOST_AUTO_TEST_CASE(restarts_of_replicas_that_never_restart_do_not_count) {
    pytorch_job j = job(1, 1, "Never");
    j.spec.run_policy.backoff_limit = 1;
    auto world = world_of(j, "Running");
    restart(world, "pt-worker-0", 5);
    BOOST_TEST(!exceeds(j, world));
}

BOOST_AUTO_TEST_CASE(a_limit_of_zero_allows_no_restart_and_no_new_failed_pod) {
    pytorch_job j = job(1, 1);
    j.spec.run_policy.backoff_limit = 0;
    auto world = world_of(j, "Running");
    BOOST_TEST(!exceeds(j, world));
    auto restarted = world;
    restart(restarted, "pt-worker-0", 1);
    BOOST_TEST(exceeds(j, restarted));
    fail(world, "pt-worker-0");
    BOOST_TEST(exceeds(j, world));
    // A failure that the status already counts is not a new one.
    j.status.replica_statuses["Worker"].failed = 1;
    BOOST_TEST(!exceeds(j, world));
}

BOOST_AUTO_TEST_CASE(a_failed_pod_does_not_exceed_a_positive_limit) {
    pytorch_job j = job(1, 1);
    j.spec.run_policy.backoff_limit = 1;
    auto world = world_of(j, "Running");
    fail(world, "pt-worker-0");
    BOOST_TEST(!exceeds(j, world));
}

BOOST_AUTO_TEST_CASE(a_reconcile_is_scheduled_at_the_deadline) {
    pytorch_job j = job(1, 1);
    j.spec.run_policy.active_deadline_seconds = 10;
    BOOST_TEST((sample::make_plan(j, observed(), at(0)).requeue_at.value() == at(10)));
    j = running(j, 0, 1);
    auto const world = world_of(j, "Running");
    auto const early = sample::make_plan(j, world, at(9));
    BOOST_TEST(writes_status_at_most(reported(early)));
    BOOST_TEST((early.requeue_at.value() == at(10)));

    auto const late = sample::make_plan(j, world, at(10));
    std::vector<std::string> const expected{"delete pods pt-master-0",       "delete services pt-master-0",
                                            "delete pods pt-worker-0",       "delete services pt-worker-0",
                                            "event Normal PyTorchJobFailed", "status"};
    auto const lines = reported(late);
    BOOST_TEST(lines == expected, boost::test_tools::per_element());
    auto const after = status_after(j, late);
    BOOST_TEST(sample::conditions(after) == "Created=True Running=False Failed=True");
    BOOST_TEST(after.conditions.back().message ==
               "Job pt has failed because it was active longer than specified deadline");
    BOOST_TEST((after.completion_time == at(10)));
    BOOST_TEST(after.replica_statuses.at("Worker").active == 1); // left as it was
}

BOOST_AUTO_TEST_CASE(a_deadline_of_zero_fails_the_job_in_the_second_pass) {
    pytorch_job j = job(1, 0);
    j.spec.run_policy.active_deadline_seconds = 0;
    auto const first = sample::make_plan(j, observed(), at(0));
    BOOST_TEST((first.requeue_at.value() == at(0)));
    j.status = status_after(j, first);
    BOOST_TEST(sample::conditions(status_after(j, sample::make_plan(j, world_of(j, "Pending"), at(0)))) ==
               "Created=True Failed=True");
}

BOOST_AUTO_TEST_CASE(the_deadline_of_a_resumed_job_runs_from_its_resumption) {
    pytorch_job j = job(1, 1);
    j.spec.run_policy.active_deadline_seconds = 10;
    j = running(j, 0, 1);
    j.spec.run_policy.suspend = true;
    j.status = status_after(j, sample::make_plan(j, world_of(j, "Running"), at(2)));
    j.spec.run_policy.suspend = false;
    auto const resumed = sample::make_plan(j, observed(), at(100));
    BOOST_TEST(sample::conditions(status_after(j, resumed)) == "Created=True Running=False Suspended=False");
    BOOST_TEST((status_after(j, resumed).start_time == at(100)));
    BOOST_TEST((resumed.requeue_at.value() == at(110)));
}

BOOST_AUTO_TEST_CASE(an_exit_code_is_that_of_the_terminated_training_container) {
    pod p;
    BOOST_TEST(!exit_code_of(p, "pytorch").has_value());
    core::container_status side;
    side.name = "side";
    side.state.terminated.emplace();
    side.state.terminated->exit_code = 139;
    p.status.container_statuses.push_back(side);
    BOOST_TEST(!exit_code_of(p, "pytorch").has_value());
    core::container_status main;
    main.name = "pytorch";
    p.status.container_statuses.push_back(main);
    BOOST_TEST(!exit_code_of(p, "pytorch").has_value());
    p.status.container_statuses[1].state.terminated.emplace();
    BOOST_TEST(exit_code_of(p, "pytorch").value() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
