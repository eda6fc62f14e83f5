#include "unit/job/sample.hpp"

#include <kftrain/job/job_rules.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_pytorch_job_defaults)

using namespace sample;

namespace {

pytorch_job defaulted(pytorch_job j) {
    job_rules_for<pytorch_job>().set_defaults(&j);
    return j;
}

core::container_port port(std::string name, std::int32_t number) {
    core::container_port p;
    p.name = std::move(name);
    p.container_port_ = number;
    return p;
}

} // namespace

BOOST_AUTO_TEST_CASE(absent_fields_get_defaults) {
    pytorch_job j = job(1, 1);
    j.spec.pytorch_replica_specs["Worker"].replicas.reset();
    j = defaulted(j);
    auto const& worker = j.spec.pytorch_replica_specs.at("Worker");
    BOOST_TEST(j.spec.run_policy.clean_pod_policy.value() == "None");
    BOOST_TEST(j.spec.nproc_per_node.value() == "auto");
    BOOST_TEST(worker.replicas.value() == 1);
    BOOST_TEST(worker.restart_policy == "OnFailure");
    auto const& ports = worker.template_.spec.containers[0].ports;
    BOOST_TEST_REQUIRE(ports.size() == 1U);
    BOOST_TEST(ports[0].name == "pytorchjob-port");
    BOOST_TEST(ports[0].container_port_ == 23456);
    BOOST_TEST(ports[0].protocol == "");
}

BOOST_AUTO_TEST_CASE(existing_fields_are_kept) {
    pytorch_job j = job(1, 3, "Never");
    j.spec.run_policy.clean_pod_policy = "All";
    j.spec.nproc_per_node = "gpu";
    j.spec.pytorch_replica_specs["Worker"].template_.spec.containers[0].ports = {port("pytorchjob-port", 4711)};
    auto const before = j.spec.pytorch_replica_specs.at("Worker");
    j = defaulted(j);
    BOOST_TEST((j.spec.pytorch_replica_specs.at("Worker") == before));
    BOOST_TEST(j.spec.run_policy.clean_pod_policy.value() == "All");
    BOOST_TEST(j.spec.nproc_per_node.value() == "gpu");
}

BOOST_AUTO_TEST_CASE(defaults_are_idempotent) {
    for (auto j : {job(1, 2), job(0, 3), job(0, 0), job(1, 0, "ExitCode")}) {
        auto const once = defaulted(j);
        BOOST_TEST(to_json(defaulted(once)) == to_json(once));
    }
}

BOOST_AUTO_TEST_CASE(a_port_of_the_number_under_another_name_does_not_count) {
    pytorch_job j = job(1, 0);
    j.spec.pytorch_replica_specs["Master"].template_.spec.containers[0].ports = {port("mine", 23456)};
    BOOST_TEST(defaulted(j).spec.pytorch_replica_specs.at("Master").template_.spec.containers[0].ports.size() == 2U);
}

BOOST_AUTO_TEST_CASE(the_port_goes_to_the_training_container_or_else_to_the_first) {
    pytorch_job j = job(1, 0);
    auto& containers = j.spec.pytorch_replica_specs["Master"].template_.spec.containers;
    containers.insert(containers.begin(), core::container());
    containers[0].name = "sidecar";
    auto const named = defaulted(j).spec.pytorch_replica_specs.at("Master").template_.spec.containers;
    BOOST_TEST(named[0].ports.empty());
    BOOST_TEST(named[1].ports.size() == 1U);
    containers[1].name = "other";
    auto const unnamed = defaulted(j).spec.pytorch_replica_specs.at("Master").template_.spec.containers;
    BOOST_TEST(unnamed[0].ports.size() == 1U);
    BOOST_TEST(unnamed[1].ports.empty());
}

BOOST_AUTO_TEST_CASE(a_type_in_another_case_is_moved_and_an_unknown_one_is_not) {
    pytorch_job j;
    j.spec.pytorch_replica_specs["wORKER"] = replicas(7);
    j.spec.pytorch_replica_specs["Gizmo"] = replicas(1);
    j = defaulted(j);
    BOOST_TEST(j.spec.pytorch_replica_specs.size() == 2U);
    BOOST_TEST(j.spec.pytorch_replica_specs.at("Worker").replicas.value() == 7);
    BOOST_TEST(j.spec.pytorch_replica_specs.count("Gizmo") == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
