#include "unit/kinds/mx_job/sample.hpp"

#include <kftrain/job/member_lookup.hpp>
#include <kftrain/job/prepared_job.hpp>
#include <kftrain/kinds/mpi_job_v1.hpp>
#include <kftrain/kinds/tf_job.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_family_limits)

/// The limits of jobs, and the jobs that an operator reconciles, for every kind of `kubeflow.org/v1`.
namespace {

using namespace family;

/// A job of a kind with one container, and replicas by type.
any_job large(std::string const& kind, std::string const& map, std::string const& container,
              std::vector<std::pair<std::string, std::int64_t>> const& counts, std::string const& more = "") {
    std::string entries;
    for (auto const& [type, count] : counts)
        entries += (entries.empty() ? "\"" : ",\"") + type + R"(":{"replicas":)" + std::to_string(count) +
                   R"(,"template":{"spec":{"containers":[{"name":")" + container + R"(","image":"i:1"}]}}})";
    return parse_job(R"({"apiVersion":"kubeflow.org/v1","kind":")" + kind +
                     R"(","metadata":{"name":"dist","namespace":"t","uid":"u"},"spec":{)" + more + "\"" + map + "\":{" +
                     entries + "}}}")
        .value();
}

std::string first_rule(any_job const& j) {
    auto const found = j.validate();
    return found.empty() ? "" : found.front().rule;
}

lines events_of(any_job const& j) {
    lines all;
    for (auto const& step : plan_of(j, observed(), time_point()).steps)
        for (auto const& action : step.actions)
            if (auto const* reported = std::get_if<rules::emit_event>(&action))
                all.push_back(reported->reason + ": " + reported->message);
    return all;
}

} // namespace

// Servers store it, as there is no webhook, and its names are needed before it is validated.
BOOST_AUTO_TEST_CASE(an_oversized_stored_mpi_job_watches_no_more_names_than_a_valid_one) {
    auto const j = large("MPIJob", "mpiReplicaSpecs", "mpi", {{"Launcher", 1}, {"Worker", 2'147'483'647}});
    std::size_t rows = 0;
    for (auto const& r : j.rules().watches())
        if (auto const* const named = std::get_if<rules::by_name_of_primary>(&r.by); named && named->names != nullptr) {
            BOOST_TEST(named->names(j.get()).size() <= 100'001U);
            ++rows;
        }
    BOOST_TEST(rows > 0U);
    BOOST_TEST(first_rule(j) == "kftrain.replica-limit");
}

BOOST_AUTO_TEST_CASE(a_negative_number_does_not_offset_an_oversized_one) {
    std::int64_t const many = 2'000'000'000;
    for (auto const& j : {large("TFJob", "tfReplicaSpecs", "tensorflow", {{"PS", -many}, {"Worker", many}}),
                          large("MXJob", "mxReplicaSpecs", "mxnet", {{"Server", -many}, {"Worker", many}}),
                          large("PaddleJob", "paddleReplicaSpecs", "paddle", {{"Master", -many}, {"Worker", many}})}) {
        BOOST_TEST(first_rule(j) == "kftrain.replica-limit", j.resource().kind);
        j.lint(); // of jobs that admission refuses, too
    }
}

BOOST_AUTO_TEST_CASE(jobs_whose_pods_list_all_others_grow_with_the_square) {
    auto const tf = [](std::int64_t workers, std::string const& more = "") {
        return large("TFJob", "tfReplicaSpecs", "tensorflow", {{"Worker", workers}}, more);
    };
    // Each pod gets `"dist-worker-1000.t.svc:2222",` of each other in TF_CONFIG.
    BOOST_TEST(first_rule(tf(8'000)) == "");
    BOOST_TEST(first_rule(tf(10'000)) == "kftrain.environment-limit");
    BOOST_TEST(first_rule(tf(20'000, R"("enableDynamicWorker":true,)")) == "");
    auto const dynamic = [](std::int64_t servers) {
        return large("TFJob", "tfReplicaSpecs", "tensorflow", {{"PS", servers}, {"Worker", 20'000}},
                     R"("enableDynamicWorker":true,)");
    };
    BOOST_TEST(first_rule(dynamic(1'000)) == "");
    BOOST_TEST(first_rule(dynamic(5'000)) == "kftrain.environment-limit");
    any_job mx = training(3'000);
    BOOST_TEST(first_rule(mx) == "");
    auto& containers = mx.get_if<mx_job>()->spec.mx_replica_specs["Worker"].template_.spec.containers;
    containers.resize(100, containers.front());
    BOOST_TEST(first_rule(mx) == "kftrain.environment-limit");
    mx.lint();
}

BOOST_AUTO_TEST_CASE(scaling_changes_the_entry_that_the_server_has) {
    mx_job mx = training(2);
    auto const workers = mx.spec.mx_replica_specs["Worker"];
    mx.spec.mx_replica_specs.erase("Worker");
    mx.spec.mx_replica_specs["worker"] = workers;
    mx.spec.run_policy.suspend = true;
    any_job const j(mx);
    auto const patch = prepared_job::stored(j).scaled("Worker", 3);
    BOOST_TEST_REQUIRE(patch.has_value());
    BOOST_TEST(std::get<rules::patch>(*patch).text == R"({"spec":{"mxReplicaSpecs":{"worker":{"replicas":3}}}})");
}

BOOST_AUTO_TEST_CASE(an_invalid_job_of_another_manager_has_no_event) {
    auto const bad = [](std::string const& manager) {
        return large("TFJob", "tfReplicaSpecs", "none", {{"Worker", 1}},
                     R"("runPolicy":{"managedBy":")" + manager + "\"},");
    };
    BOOST_TEST(events_of(bad("kueue.x-k8s.io/multikueue")).empty());
    BOOST_TEST_REQUIRE(events_of(bad("kubeflow.org/training-operator")).size() == 1U);
}

BOOST_AUTO_TEST_CASE(an_mx_job_that_only_kftrain_refuses_has_an_event_with_the_reason) {
    BOOST_TEST(events_of(training(10'000)) ==
                   lines{"MPIJobFailedValidation: MXJob failed validation because spec.mxReplicaSpecs: Forbidden: "
                         "10002 replicas exceed the limit of kftrain, 10000"},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(members_without_services_have_no_address_but_their_name) {
    member_lookup const oracle(large("MPIJob", "mpiReplicaSpecs", "mpi", {{"Launcher", 1}, {"Worker", 2}}));
    auto const m = oracle.of_pod("dist-worker-1").value();
    BOOST_TEST(oracle.address_of(m) == "dist-worker-1");
    BOOST_TEST(!oracle.of_host("dist-worker-1.t.svc").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
