#include "unit/job/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(job_clean_up)

using namespace sample;

namespace {

/// A job that failed at second 2, with a running, a pending, a succeeded and a failed worker.
struct finished {
    explicit finished(std::string const& policy) : job_(job(0, 4, "Never")), world(world_of(job_, "Running")) {
        job_.spec.run_policy.clean_pod_policy = policy;
        change(world, "pt-worker-1", [](pod& p) { p.status.phase = "Pending"; });
        change(world, "pt-worker-2", [](pod& p) { p.status.phase = "Succeeded"; });
        fail(world, "pt-worker-3");
        job_.status = status_after(job_, sample::make_plan(job_, observed(), at(0)));
        job_.status = status_after(job_, sample::make_plan(job_, world, at(2)));
    }
    std::vector<std::string> deleted() const {
        std::vector<std::string> pods;
        for (auto const& line : reported(sample::make_plan(job_, world, at(3))))
            if (line.starts_with("delete pods ")) pods.push_back(line.substr(12));
        return pods;
    }

    pytorch_job job_;
    observed world;
};

using names = std::vector<std::string>;

} // namespace

BOOST_AUTO_TEST_CASE(the_clean_pod_policy_selects_the_deleted_pods) {
    BOOST_TEST(finished("None").deleted() == names(), boost::test_tools::per_element());
    BOOST_TEST(finished("Running").deleted() == (names{"pt-worker-0", "pt-worker-1"}),
               boost::test_tools::per_element());
    names const all{"pt-worker-0", "pt-worker-1", "pt-worker-2", "pt-worker-3"};
    BOOST_TEST(finished("All").deleted() == all, boost::test_tools::per_element());
    BOOST_TEST(finished("Whatever").deleted() == all, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(services_are_deleted_with_their_pods) {
    auto const lines = reported(sample::make_plan(finished("Running").job_, finished("Running").world, at(3)));
    names const expected{"delete pods pt-worker-0", "delete services pt-worker-0", "delete pods pt-worker-1",
                         "delete services pt-worker-1"};
    BOOST_TEST(lines == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_terminating_pod_is_not_deleted_again) {
    finished f("All");
    for (auto name : {"pt-worker-0", "pt-worker-1", "pt-worker-2", "pt-worker-3"})
        change(f.world, name, [](pod& p) { p.metadata.deletion_timestamp = at(2); });
    BOOST_TEST(f.deleted() == names(), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_job_is_deleted_after_its_time_to_live) {
    finished f("None");
    f.job_.spec.run_policy.ttl_seconds_after_finished = 5;
    auto const early = sample::make_plan(f.job_, f.world, at(6));
    BOOST_TEST(reported(early).empty());
    BOOST_TEST((early.requeue_at.value() == at(7)));
    auto const late = sample::make_plan(f.job_, f.world, at(7));
    BOOST_TEST(reported(late) == names{"delete job"}, boost::test_tools::per_element());
    BOOST_TEST(!late.requeue_at.has_value());
}

BOOST_AUTO_TEST_CASE(a_suspended_job_is_not_deleted_after_its_time_to_live) {
    finished f("None");
    f.job_.spec.run_policy.ttl_seconds_after_finished = 0;
    f.job_.spec.run_policy.suspend = true;
    BOOST_TEST(reported(sample::make_plan(f.job_, f.world, at(100))).empty());
}

BOOST_AUTO_TEST_CASE(no_status_is_written_to_a_job_that_is_deleted) {
    pytorch_job j = job(1, 1);
    j.spec.run_policy.ttl_seconds_after_finished = 0;
    j = running(j);
    auto world = world_of(j, "Running");
    change(world, "pt-master-0", [](pod& p) { p.status.phase = "Succeeded"; });
    j.status = status_after(j, sample::make_plan(j, world, at(2)));
    // The running worker would now be counted as succeeded.
    BOOST_TEST(j.status.replica_statuses.at("Worker").active == 1);
    BOOST_TEST(reported(sample::make_plan(j, world, at(2))) == names{"delete job"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_time_to_live_works_without_a_completion_time) {
    pytorch_job j = job(1, 1, "ExitCode");
    j.spec.run_policy.ttl_seconds_after_finished = 30;
    j = running(j);
    auto world = world_of(j, "Running");
    fail(world, "pt-worker-0", 1);
    j.status = status_after(j, sample::make_plan(j, world, at(4)));
    BOOST_TEST(sample::conditions(j.status) == "Created=True Running=False Failed=True");
    BOOST_TEST(!j.status.completion_time.has_value());
    BOOST_TEST((sample::make_plan(j, world, at(5)).requeue_at.value() == at(34)));
    BOOST_TEST(reported(sample::make_plan(j, world, at(34))) == names{"delete job"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_succeeded_job_counts_its_running_pods_as_succeeded_once) {
    pytorch_job j = running(job(1, 2));
    auto world = world_of(j, "Running");
    change(world, "pt-master-0", [](pod& p) { p.status.phase = "Succeeded"; });
    j.status = status_after(j, sample::make_plan(j, world, at(2)));
    j.status = status_after(j, sample::make_plan(j, world, at(3)));
    BOOST_TEST(j.status.replica_statuses.at("Worker").active == 0);
    BOOST_TEST(j.status.replica_statuses.at("Worker").succeeded == 2);
    BOOST_TEST(reported(sample::make_plan(j, world, at(4))).empty());
}

BOOST_AUTO_TEST_SUITE_END()
