#include "unit/job/sample.hpp"

#include <kftrain/kinds/jax_job.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>

BOOST_AUTO_TEST_SUITE(job_plan)

using namespace sample;

namespace {

using lines = std::vector<std::string>;

bool contains(lines const& all, std::string const& line) {
    return std::find(all.begin(), all.end(), line) != all.end();
}

} // namespace

BOOST_AUTO_TEST_CASE(a_job_at_rest_has_an_empty_plan) {
    pytorch_job const j = running(job(1, 2));
    auto const todo = sample::make_plan(j, world_of(j, "Running"), at(5));
    BOOST_TEST(reported(todo).empty());
    BOOST_TEST(!todo.requeue_at.has_value());
}

BOOST_AUTO_TEST_CASE(planning_does_not_change_its_input) {
    pytorch_job const j = job(1, 2);
    auto const before = to_json(j);
    auto const first = reported(sample::make_plan(j, observed(), at(0)));
    BOOST_TEST(reported(sample::make_plan(j, observed(), at(0))) == first, boost::test_tools::per_element());
    BOOST_TEST(to_json(j) == before);
}

BOOST_AUTO_TEST_CASE(jobs_of_other_managers_and_deleted_jobs_are_not_reconciled) {
    pytorch_job theirs = job(1, 1);
    theirs.spec.run_policy.managed_by = "kueue.x-k8s.io/multikueue";
    BOOST_TEST(reported(sample::make_plan(theirs, observed(), at(0))).empty());
    pytorch_job ours = job(1, 0);
    ours.spec.run_policy.managed_by = "kubeflow.org/training-operator";
    BOOST_TEST(!reported(sample::make_plan(ours, observed(), at(0))).empty());
    ours.metadata.deletion_timestamp = at(0);
    BOOST_TEST(reported(sample::make_plan(ours, observed(), at(0))).empty());
}

BOOST_AUTO_TEST_CASE(an_invalid_job_has_an_event_with_the_reason_and_no_other_action) {
    pytorch_job j = job(1, 1);
    j.spec.pytorch_replica_specs["Worker"].replicas = 0;
    auto const todo = sample::make_plan(j, observed(), at(0));
    BOOST_TEST_REQUIRE(reported(todo).size() == 1U);
    BOOST_TEST(
        (std::get<rules::emit_event>(actions_of(todo)[0]) ==
         rules::emit_event(
             "Warning", "PyTorchJobFailedValidation",
             "PyTorchJob failed validation because spec.pytorchReplicaSpecs[Worker].replicas: Forbidden: must be "
             "at least 1")));
    BOOST_TEST(!todo.requeue_at.has_value());
    j.metadata.deletion_timestamp = at(0);
    BOOST_TEST(reported(sample::make_plan(j, observed(), at(0))).empty());
    lines const expected{"event Warning PyTorchJobFailedValidation"};
    BOOST_TEST(reported(sample::make_plan(job(0, 0), observed(), at(0))) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(scaling_down_deletes_pod_and_service_and_never_fills_a_hole) {
    pytorch_job j = running(job(1, 3));
    auto world = world_of(j, "Running");
    j.spec.pytorch_replica_specs["Worker"].replicas = 1;
    // Worker 1 has gone already: upstream would create it again below worker 2.
    std::erase_if(world.pods, [](auto const& p) { return p->metadata.name == "pt-worker-1"; });
    std::erase_if(world.services, [](auto const& s) { return s->metadata.name == "pt-worker-1"; });
    lines const expected{"delete pods pt-worker-2", "delete services pt-worker-2", "status"};
    BOOST_TEST(reported(sample::make_plan(j, world, at(2))) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(no_pod_is_created_for_a_type_without_replicas) {
    jax_job j; // of the kinds one that admission lets pass so
    j.metadata.name = "jax";
    j.metadata.namespace_ = "team";
    auto& worker = j.spec.jax_replica_specs["Worker"] = replicas(0);
    worker.template_.spec.containers[0].name = "jax";
    auto const todo = plan_of(j, observed(), at(0));
    lines const expected{"event Normal JAXJobSucceeded", "status"}; // all of its workers have
    BOOST_TEST(reported(todo) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_failed_pod_above_the_wanted_number_is_deleted_once) {
    pytorch_job j = running(job(1, 2));
    auto world = world_of(j, "Running");
    fail(world, "pt-worker-1", 1);
    j.spec.pytorch_replica_specs["Worker"].replicas = 1;
    auto const all = reported(sample::make_plan(j, world, at(2)));
    BOOST_TEST(std::count(all.begin(), all.end(), "delete pods pt-worker-1") == 1);
}

BOOST_AUTO_TEST_CASE(two_pods_of_one_index_are_left_alone_and_not_counted) {
    pytorch_job const j = running(job(1, 1));
    auto world = world_of(j, "Running");
    pod twin = *world.pods.back();
    twin.metadata.name = "pt-worker-0-twin";
    world.pods.push_back(std::make_shared<pod const>(twin));
    auto const todo = sample::make_plan(j, world, at(2));
    BOOST_TEST(reported(todo) == lines{"status"}, boost::test_tools::per_element());
    BOOST_TEST(status_after(j, todo).replica_statuses.at("Worker").active == 0);
}

BOOST_AUTO_TEST_CASE(pods_whose_index_is_no_number_from_zero_up_are_left_alone) {
    pytorch_job const j = running(job(1, 1));
    for (auto index : {"-1", "x", "", "0x1"}) {
        auto world = world_of(j, "Running");
        pod stray = *world.pods.back();
        stray.metadata.name = "stray";
        stray.metadata.labels["training.kubeflow.org/replica-index"] = index;
        world.pods.push_back(std::make_shared<pod const>(stray));
        BOOST_TEST(reported(sample::make_plan(j, world, at(2))).empty());
    }
}

BOOST_AUTO_TEST_CASE(exit_codes_from_128_on_restart_and_lower_ones_fail) {
    for (std::int32_t code : {0, 1, 127}) {
        pytorch_job const j = running(job(1, 1, "ExitCode"));
        auto world = world_of(j, "Running");
        fail(world, "pt-worker-0", code);
        auto const todo = sample::make_plan(j, world, at(2));
        BOOST_TEST(!contains(reported(todo), "delete pods pt-worker-0"));
        BOOST_TEST(is_true(status_after(j, todo), "Failed"));
    }
    std::vector<std::optional<std::int32_t>> const retryable{128, 130, 255, std::nullopt};
    for (auto const& code : retryable) {
        pytorch_job const j = running(job(1, 1, "ExitCode"));
        auto world = world_of(j, "Running");
        fail(world, "pt-worker-0", code);
        auto const todo = sample::make_plan(j, world, at(2));
        BOOST_TEST(contains(reported(todo), "delete pods pt-worker-0"));
        BOOST_TEST(!is_true(status_after(j, todo), "Failed"));
    }
}

BOOST_AUTO_TEST_CASE(a_pod_being_deleted_counts_as_failed) {
    pytorch_job const j = running(job(1, 1, "Never"));
    auto world = world_of(j, "Running");
    change(world, "pt-worker-0", [](pod& p) { p.metadata.deletion_timestamp = at(2); });
    auto const after = status_after(j, sample::make_plan(j, world, at(2)));
    BOOST_TEST(sample::conditions(after) == "Created=True Running=False Failed=True");
    BOOST_TEST(after.conditions.back().message == "PyTorchJob pt is failed because 1 Worker replica(s) failed.");
}

BOOST_AUTO_TEST_CASE(suspending_deletes_everything_and_keeps_the_start_time) {
    pytorch_job j = running(job(1, 1));
    j.spec.run_policy.suspend = true;
    auto const todo = sample::make_plan(j, world_of(j, "Running"), at(3));
    lines const expected{"delete pods pt-master-0",     "delete services pt-master-0",      "delete pods pt-worker-0",
                         "delete services pt-worker-0", "event Normal PyTorchJobSuspended", "status"};
    BOOST_TEST(reported(todo) == expected, boost::test_tools::per_element());
    auto const after = status_after(j, todo);
    BOOST_TEST(sample::conditions(after) == "Created=True Running=False Suspended=True");
    BOOST_TEST(after.conditions[1].reason == "PyTorchJobSuspended");
    BOOST_TEST(after.replica_statuses.at("Worker").active == 0);
    BOOST_TEST((after.start_time == at(0)));
}

BOOST_AUTO_TEST_CASE(a_template_with_its_own_restart_policy_is_warned_about_at_creation) {
    pytorch_job j = job(1, 0);
    j.spec.pytorch_replica_specs["Master"].template_.spec.restart_policy = "Always";
    lines const expected{"event Warning SetPodTemplateRestartPolicy", "create pods pt-master-0",
                         "create services pt-master-0", "status"};
    BOOST_TEST(reported(sample::make_plan(j, observed(), at(0))) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_newest_condition_explains_a_pod_without_container_statuses) {
    pytorch_job const j = running(job(1, 0));
    auto world = world_of(j, "Pending");
    change(world, "pt-master-0", [](pod& p) {
        core::pod_condition old, recent;
        old.status = recent.status = "False";
        old.reason = "Old";
        old.last_transition_time = at(0);
        recent.reason = "Unschedulable";
        recent.message = "no node fits";
        recent.last_transition_time = at(1);
        p.status.conditions = {recent, old};
    });
    auto const todo = sample::make_plan(j, world, at(2));
    BOOST_TEST(
        (std::get<rules::emit_event>(actions_of(todo).front()) ==
         rules::emit_event("Warning", "Unschedulable", "Error pod pt-master-0 condition message: no node fits")));
}

BOOST_AUTO_TEST_SUITE_END()
