#include "unit/kinds/mx_job/sample.hpp"

#include <kftrain/objects/volcano/pod_group.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>

BOOST_AUTO_TEST_SUITE(kinds_mx_job_status)

using namespace family;

// Upstream: training-operator v1.7.0 `pkg/controller.v1/mxnet/mxjob_controller.go`, `UpdateJobStatus`, and
// `pkg/controller.v1/common/{job,pod}.go`.

BOOST_AUTO_TEST_CASE(the_status_follows_the_scheduler) {
    auto const j = running(training(2));
    BOOST_TEST(conditions(j.status) == "Created=True Running=True");
    auto world = all(j, "Running");
    for (auto const* worker : {"mx-worker-0", "mx-worker-1"}) end(world, worker, "Succeeded", 0);
    BOOST_TEST(conditions(after(j, world, 2).status) == "Created=True Running=True");
    end(world, "mx-scheduler-0", "Succeeded", 0);
    auto const ended = after(j, world, 3);
    BOOST_TEST(conditions(ended.status) == "Created=True Running=False Succeeded=True");
    BOOST_TEST(ended.status.conditions.back().message == "MXJob mx is successfully completed.");
}

BOOST_AUTO_TEST_CASE(a_single_worker_decides_the_outcome) {
    auto const j = running(mx({{"Worker", 1}}));
    BOOST_TEST(conditions(j.status) == "Created=True Running=True");
    auto world = all(j, "Running");
    end(world, "mx-worker-0", "Succeeded", 0);
    BOOST_TEST(conditions(after(j, world, 2).status) == "Created=True Running=False Succeeded=True");
}

BOOST_AUTO_TEST_CASE(a_tuning_job_never_ends) {
    auto const j = running(mx({{"Tuner", 1}, {"TunerServer", 1}}));
    BOOST_TEST(conditions(j.status) == "Created=True");
    auto world = all(j, "Succeeded");
    BOOST_TEST(conditions(after(j, world, 2).status) == "Created=True");
}

BOOST_AUTO_TEST_CASE(a_failed_pod_ends_the_job_whatever_its_policy_but_exit_code) {
    for (std::string policy : {"Never", "OnFailure", "Always"}) {
        auto const j = running(training(1, policy));
        auto world = all(j, "Running");
        end(world, "mx-worker-0", "Failed", 1);
        auto const ended = after(j, world, 2);
        BOOST_TEST((phase_of(ended.status) == job_phase::failed), policy);
        BOOST_TEST(ended.status.conditions.back().message == "mxjob mx is failed because 1 Worker replica(s) failed.");
    }
}

BOOST_AUTO_TEST_CASE(a_retryable_pod_is_created_again_and_the_job_has_an_event) {
    auto const j = running(training(1, "ExitCode"));
    auto world = all(j, "Running");
    end(world, "mx-worker-0", "Failed", 137);
    auto const plan = reported(plan_of(any_job(j), world, at(2)));
    BOOST_TEST((std::ranges::find(plan, "delete pods mx-worker-0") != plan.end()));
    BOOST_TEST(conditions(after(j, world, 2).status) == "Created=True Restarting=True");
    BOOST_TEST(conditions(running(after(j, world, 2)).status) == "Created=True Running=True");
}

BOOST_AUTO_TEST_CASE(a_pod_that_ended_for_good_stays_and_the_job_runs_on) {
    auto const j = running(training(1, "ExitCode"));
    auto world = all(j, "Running");
    end(world, "mx-worker-0", "Failed", 1);
    auto const plan = plan_of(any_job(j), world, at(2));
    for (auto const& line : reported(plan)) BOOST_TEST(!line.starts_with("delete"), line);
    BOOST_TEST(conditions(after(j, world, 2).status) == "Created=True Running=True");
    lines const expected{"Normal ExitedWithCode: Pod: t.mx-worker-0 exited with code 1",
                         "Warning MXJobRestarting: mxjob mx is restarting because 1 Worker replica(s) failed."};
    BOOST_TEST(events(plan) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(warnings_of_the_release_have_reasons_of_its_own) {
    auto j = mx({{"Worker", 1}});
    j.spec.mx_replica_specs.at("Worker").template_.spec.restart_policy = "Always";
    auto const first = events(plan_of(any_job(j), observed(), at(0))).front();
    BOOST_TEST(first.starts_with("Warning SettedPodTemplateRestartPolicy: "), first);
}

BOOST_AUTO_TEST_CASE(a_pod_group_has_no_queue_unless_the_job_names_one) {
    operator_options options;
    training_operator_options family_options;
    family_options.gang_scheduler_name = "volcano";
    options.set(family_options);
    auto const queue_of = [&](mx_job const& j) {
        for (auto const& c : any_job(j).render(options))
            if (auto const* g = c.get_if<volcano::pod_group>()) return g->spec.queue;
        return std::string("no group");
    };
    auto j = training(1);
    BOOST_TEST(queue_of(j) == "");
    j.spec.run_policy.scheduling_policy.emplace().queue = "fast";
    BOOST_TEST(queue_of(j) == "fast");

    // A queue that the job no longer names is taken away.
    volcano::pod_group group;
    group.metadata.name = "mx";
    group.metadata.owner_references.emplace_back();
    group.metadata.owner_references.back().uid = "u";
    group.metadata.owner_references.back().controller = true;
    group.spec.queue = "slow";
    observed world;
    world.others.emplace_back(group);
    for (auto const& a : actions_of(plan_of(any_job(j), world, at(0), options)))
        if (auto const* r = std::get_if<rules::replace>(&a))
            BOOST_TEST(r->object.get_if<volcano::pod_group>()->spec.queue == "fast");
}

BOOST_AUTO_TEST_CASE(a_finished_job_is_deleted_in_its_time_though_it_is_suspended) {
    auto j = mx({{"Worker", 1}});
    j.spec.run_policy.ttl_seconds_after_finished = 5;
    j = running(j);
    auto world = all(j, "Running");
    end(world, "mx-worker-0", "Succeeded", 0);
    j = after(j, world, 2);
    j.spec.run_policy.suspend = true;
    auto const plan = reported(plan_of(any_job(j), observed(), at(20)));
    BOOST_TEST((std::ranges::find(plan, "delete job") != plan.end()));
}

BOOST_AUTO_TEST_SUITE_END()
