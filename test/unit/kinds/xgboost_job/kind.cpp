#include "unit/kinds/family_sample.hpp"

#include <kftrain/job/prepared_job.hpp>
#include <kftrain/kinds/xgboost_job.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_xgboost_job)

using namespace family;

namespace {

/// One master, unless there is none, and workers, unless there are none.
xgboost_job xgb(int masters, int workers, std::string const& policy = "") {
    std::string const more = policy.empty() ? "" : R"("restartPolicy":")" + policy + R"(",)";
    std::string map;
    if (masters > 0) map += R"("Master":)" + replicas_of("xgboost", masters, more);
    if (workers > 0) map += (map.empty() ? "" : ",") + (R"("Worker":)" + replicas_of("xgboost", workers, more));
    return parsed<xgboost_job>(
        R"({"apiVersion":"kubeflow.org/v1","kind":"XGBoostJob","metadata":{"name":"xgb","namespace":"t",
        "uid":"u"},"spec":{"xgbReplicaSpecs":{)" +
        map + "}}}");
}

void expect(any_job const& j, lines const& expected) {
    BOOST_TEST(faults(j) == expected, boost::test_tools::per_element());
}

} // namespace

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/xgboost/xgboost.go`.
BOOST_AUTO_TEST_CASE(workers_get_the_addresses_of_master_and_workers) {
    lines const expected{"MASTER_PORT=9999",
                         "MASTER_ADDR=xgb-master-0",
                         "WORLD_SIZE=3",
                         "RANK=1",
                         "PYTHONUNBUFFERED=1",
                         "WORKER_PORT=9999",
                         "WORKER_ADDRS=xgb-worker-0,xgb-worker-1"};
    BOOST_TEST(environment(xgb(1, 2), "xgb-worker-0") == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_single_master_gets_no_variables_about_workers) {
    lines const expected{"MASTER_PORT=9999", "MASTER_ADDR=xgb-master-0", "WORLD_SIZE=1", "RANK=0",
                         "PYTHONUNBUFFERED=1"};
    BOOST_TEST(environment(xgb(1, 0), "xgb-master-0") == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(ports_are_those_of_the_types) {
    auto j = xgb(1, 1);
    core::container_port p;
    p.name = "xgboostjob-port";
    for (auto const& [type, number] : {std::pair("Master", 4711), std::pair("Worker", 4712)}) {
        p.container_port_ = number;
        j.spec.xgb_replica_specs.at(type).template_.spec.containers.at(0).ports.push_back(p);
    }
    auto const variables = environment(j, "xgb-worker-0");
    BOOST_TEST(variables.at(0) == "MASTER_PORT=4711");
    BOOST_TEST(variables.at(5) == "WORKER_PORT=4712");
}

BOOST_AUTO_TEST_CASE(ranks_start_with_the_master) {
    auto const layout = any_job(xgb(1, 2)).members();
    BOOST_TEST_REQUIRE(layout.members.size() == 3U);
    for (std::int32_t i = 0; i < 3; ++i) BOOST_TEST(layout.members[static_cast<std::size_t>(i)].rank.value() == i);
    BOOST_TEST(layout.world_size.value() == 3);
    BOOST_TEST(layout.processes_per_member.value() == 1);
    BOOST_TEST(pod_of(xgb(1, 1), "xgb-master-0").metadata.labels.contains("training.kubeflow.org/job-role"));
    BOOST_TEST(!pod_of(xgb(1, 1), "xgb-worker-0").metadata.labels.contains("training.kubeflow.org/job-role"));
}

/// Texts: recorded, cases `worker-only`, `map-empty`, `first-replicas-two`, `managedby-added`, `type-lower`.
BOOST_AUTO_TEST_CASE(exactly_one_master_is_required) {
    std::string const none = "xgboost.master | spec.xgbReplicaSpecs[Master]: Required value: must be present";
    std::string const one = "xgboost.master.replicas | spec.xgbReplicaSpecs[Master].replicas: Forbidden: must be 1";
    expect(xgb(1, 2), {});
    expect(xgb(0, 2), {none});
    expect(xgb(0, 0), {none});
    expect(xgb(2, 1), {one});
    auto absent = xgb(1, 0);
    absent.spec.xgb_replica_specs.at("Master").replicas.reset();
    expect(absent, {one});
    auto lower = xgb(1, 1);
    lower.spec.xgb_replica_specs["worker"] = lower.spec.xgb_replica_specs.at("Worker");
    expect(lower, {"job.replica-type | spec.xgbReplicaSpecs[worker]: Unsupported value: \"worker\": supported values: "
                   "\"Master\", \"Worker\""});
}

/// A job without `spec` is the same struct as one with an empty map.
BOOST_AUTO_TEST_CASE(an_absent_map_is_an_empty_one) {
    expect(parsed<xgboost_job>(R"({"apiVersion":"kubeflow.org/v1","kind":"XGBoostJob","metadata":{"name":"xgb"}})"),
           {"xgboost.master | spec.xgbReplicaSpecs[Master]: Required value: must be present"});
}

BOOST_AUTO_TEST_CASE(a_missing_master_is_reported_after_faults_of_other_types) {
    auto j = xgb(0, 1);
    j.spec.xgb_replica_specs.at("Worker").template_.spec.containers.at(0).image.clear();
    expect(j, {"job.container.image | spec.xgbReplicaSpecs[Worker].template.spec.containers[0].image: Required value: "
               "must be "
               "required",
               "xgboost.master | spec.xgbReplicaSpecs[Master]: Required value: must be present"});
}

BOOST_AUTO_TEST_CASE(the_manager_cannot_be_changed) {
    auto const before = xgb(1, 1);
    auto now = before;
    now.spec.run_policy.managed_by = "kueue.x-k8s.io/multikueue";
    BOOST_TEST(texts_of(job_rules_for<xgboost_job>().validate(&now, &before)) ==
                   lines{"job.managed-by.immutable | spec.runPolicy.managedBy: Invalid value: "
                         "\"kueue.x-k8s.io/multikueue\": field is immutable"},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_status_follows_the_master) {
    auto const j = running(xgb(1, 2));
    BOOST_TEST(conditions(j.status) == "Created=True Running=True");
    auto world = all(j, "Running");
    end(world, "xgb-worker-0", "Succeeded", 0);
    end(world, "xgb-worker-1", "Succeeded", 0);
    BOOST_TEST(conditions(after(j, world, 2).status) == "Created=True Running=True");
    end(world, "xgb-master-0", "Succeeded", 0);
    BOOST_TEST(conditions(after(j, world, 3).status) == "Created=True Running=False Succeeded=True");
}

BOOST_AUTO_TEST_CASE(an_end_without_an_observed_start_has_a_running_condition) {
    auto const j = after(xgb(1, 0), observed(), 0);
    auto world = all(j, "Pending");
    end(world, "xgb-master-0", "Succeeded", 0);
    BOOST_TEST(conditions(after(j, world, 1).status) == "Created=True Running=False Succeeded=True");
}

/// Upstream: `UpdateJobStatus`, which looks at no other policy than ExitCode.
BOOST_AUTO_TEST_CASE(a_failed_pod_ends_the_job_whatever_its_policy_but_exit_code) {
    for (std::string policy : {"Never", "OnFailure", "Always"}) {
        auto const j = running(xgb(1, 1, policy));
        auto world = all(j, "Running");
        end(world, "xgb-worker-0", "Failed", 130);
        auto const ended = after(j, world, 2);
        BOOST_TEST(conditions(ended.status) == "Created=True Running=False Failed=True", policy);
        BOOST_TEST(ended.status.conditions.back().message ==
                   "XGBoostJob xgb is failed because 1 Worker replica(s) failed.");
    }
    auto const j = running(xgb(1, 1, "ExitCode"));
    auto world = all(j, "Running");
    end(world, "xgb-worker-0", "Failed", 130);
    BOOST_TEST(conditions(after(j, world, 2).status) == "Created=True Restarting=True");
    world = all(j, "Running");
    end(world, "xgb-worker-0", "Failed", 1);
    BOOST_TEST(conditions(after(j, world, 2).status) == "Created=True Running=False Failed=True");
}

BOOST_AUTO_TEST_CASE(an_expired_job_has_an_event_about_the_job) {
    auto j = xgb(1, 0);
    j.spec.run_policy.ttl_seconds_after_finished = 6;
    j = running(j);
    auto world = all(j, "Running");
    end(world, "xgb-master-0", "Succeeded", 0);
    j = after(j, world, 2);
    for (auto const& a : actions_of(plan_of(any_job(j), world, at(20))))
        if (auto const* r = std::get_if<rules::remove>(&a)) {
            BOOST_TEST(r->event.done_reason == "SuccessfulDeleteJob");
            return;
        }
    BOOST_ERROR("the job is not deleted");
}

BOOST_AUTO_TEST_CASE(policies_that_only_restart_containers_are_reported) {
    BOOST_TEST(lints(xgb(1, 0, "OnFailure"), "lint.pod-failure") ==
                   lines{"spec.xgbReplicaSpecs[Master].restartPolicy: \"OnFailure\" restarts only containers, expected "
                         "ExitCode to replace failed pods as well"},
               boost::test_tools::per_element());
    BOOST_TEST(lints(xgb(1, 1, "Always"), "lint.pod-failure").size() == 2U);
    BOOST_TEST(lints(xgb(1, 1, "ExitCode"), "lint.pod-failure").empty());
    BOOST_TEST(lints(xgb(1, 1), "lint.pod-failure").empty());
}

/// Linux `MAX_ARG_STRLEN`: 32 pages of 4 KiB.
BOOST_AUTO_TEST_CASE(too_large_jobs_are_reported) {
    expect(xgb(1, 9'999), {});
    expect(
        xgb(1, 10'000),
        {"kftrain.replica-limit | spec.xgbReplicaSpecs: Forbidden: 10001 replicas exceed the limit of kftrain, 10000"});
    // "xgb-worker-0," has 13 characters with an index of one figure, 14 with two, and so on.
    std::size_t const size = 10 * 13 + 90 * 14 + 900 * 15 + 8'000 * 16 + std::string("WORKER_ADDRS=").size();
    BOOST_TEST(
        lints(xgb(1, 9'000), "lint.long-environment") ==
            (lines{"spec.xgbReplicaSpecs[Master].replicas: WORKER_ADDRS of xgb-master-0 takes " + std::to_string(size) +
                       " bytes, expected at most 131072; use fewer replicas or a shorter name",
                   "spec.xgbReplicaSpecs[Worker].replicas: WORKER_ADDRS of xgb-worker-0 takes " + std::to_string(size) +
                       " bytes, expected at most 131072; use fewer replicas or a shorter name"}),
        boost::test_tools::per_element());
    BOOST_TEST(lints(xgb(1, 2'000), "lint.long-environment").empty());
}

BOOST_AUTO_TEST_CASE(workers_are_scaled_while_the_job_is_suspended) {
    auto j = xgb(1, 2);
    BOOST_TEST(any_job(j).scaling().places.empty());
    j.spec.run_policy.suspend = true;
    any_job const suspended(j);
    auto const action = prepared_job::stored(suspended).scaled("Worker", 3);
    BOOST_TEST_REQUIRE(action.has_value());
    BOOST_TEST(std::get<rules::patch>(*action).text == R"({"spec":{"xgbReplicaSpecs":{"Worker":{"replicas":3}}}})");
    BOOST_TEST(!job_rules_for<xgboost_job>().schema().scale().has_value());
}

BOOST_AUTO_TEST_SUITE_END()
