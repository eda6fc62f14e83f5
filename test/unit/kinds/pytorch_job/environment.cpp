#include "unit/job/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_pytorch_job_environment)

using namespace sample;

namespace {

using lines = std::vector<std::string>;

pod pod_of(pytorch_job const& j, std::string_view name, operator_options const& options = operator_options()) {
    for (auto const& c : any_job(j).render(options))
        if (auto const* p = c.get_if<pod>(); p != nullptr && p->metadata.name == name) return *p;
    throw std::out_of_range("no such pod");
}

lines environment(pytorch_job const& j, std::string_view name, std::size_t index = 0) {
    lines result;
    pod const p = pod_of(j, name);
    for (auto const& v : p.spec.containers.at(index).env) result.push_back(v.name + "=" + v.value);
    return result;
}

} // namespace

BOOST_AUTO_TEST_CASE(two_processes_per_node_double_the_world) {
    pytorch_job j = job(1, 2);
    j.spec.nproc_per_node = "2";
    lines const expected{"PYTHONUNBUFFERED=1",
                         "MASTER_PORT=23456",
                         "PET_MASTER_PORT=23456",
                         "MASTER_ADDR=pt-master-0",
                         "PET_MASTER_ADDR=pt-master-0",
                         "WORLD_SIZE=6",
                         "RANK=2",
                         "PET_NODE_RANK=2",
                         "PET_NPROC_PER_NODE=2",
                         "PET_NNODES=3"};
    BOOST_TEST(environment(j, "pt-worker-1") == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(by_default_the_master_is_rank_0_of_3) {
    lines const expected{"PYTHONUNBUFFERED=1",
                         "MASTER_PORT=23456",
                         "PET_MASTER_PORT=23456",
                         "MASTER_ADDR=pt-master-0",
                         "PET_MASTER_ADDR=pt-master-0",
                         "WORLD_SIZE=3",
                         "RANK=0",
                         "PET_NODE_RANK=0",
                         "PET_NPROC_PER_NODE=auto",
                         "PET_NNODES=3"};
    BOOST_TEST(environment(job(1, 2), "pt-master-0") == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(workers_without_a_master_get_no_rank) {
    lines const expected{"PYTHONUNBUFFERED=1", "PET_NPROC_PER_NODE=auto", "PET_NNODES=2"};
    BOOST_TEST(environment(job(0, 2), "pt-worker-0") == expected, boost::test_tools::per_element());
    BOOST_TEST(environment(job(0, 2), "pt-worker-1") == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(named_process_counts_count_as_one_and_large_numbers_do_not_overflow) {
    for (auto const& [field, world] : {std::pair("gpu", "WORLD_SIZE=3"), std::pair("2x", "WORLD_SIZE=3"),
                                       std::pair("2000000000", "WORLD_SIZE=6000000000")}) {
        pytorch_job j = job(1, 2);
        j.spec.nproc_per_node = field;
        BOOST_TEST(environment(j, "pt-worker-0").at(5) == world);
    }
}

BOOST_AUTO_TEST_CASE(all_pods_get_the_port_of_the_master) {
    pytorch_job j = job(1, 1);
    core::container_port p;
    p.name = "pytorchjob-port";
    p.container_port_ = 4711;
    j.spec.pytorch_replica_specs["Master"].template_.spec.containers[0].ports.push_back(p);
    BOOST_TEST(environment(j, "pt-worker-0").at(1) == "MASTER_PORT=4711");
}

BOOST_AUTO_TEST_CASE(variables_are_appended_to_every_container_but_not_to_init_containers) {
    pytorch_job j = job(1, 1);
    auto& spec = j.spec.pytorch_replica_specs["Worker"].template_.spec;
    spec.containers[0].env.emplace_back("PYTHONUNBUFFERED", "0");
    core::container side;
    side.name = "side";
    side.image = "a:1";
    spec.containers.push_back(side);
    core::container own;
    own.name = "own";
    own.image = "a:1";
    spec.init_containers.push_back(own);
    BOOST_TEST(environment(j, "pt-worker-0", 0).front() == "PYTHONUNBUFFERED=0");
    BOOST_TEST(environment(j, "pt-worker-0", 0).size() == 11U);
    BOOST_TEST(environment(j, "pt-worker-0", 1).size() == 10U);
    auto const init = pod_of(j, "pt-worker-0").spec.init_containers;
    BOOST_TEST_REQUIRE(init.size() == 2U);
    BOOST_TEST(init[0].name == "own");
    BOOST_TEST(init[0].env.empty());
    BOOST_TEST(init[1].name == "init-pytorch");
}

BOOST_AUTO_TEST_CASE(only_workers_with_a_master_get_the_init_container) {
    BOOST_TEST(pod_of(job(1, 1), "pt-master-0").spec.init_containers.empty());
    BOOST_TEST(pod_of(job(0, 1), "pt-worker-0").spec.init_containers.empty());
    pytorch_operator_options reported;
    reported.init_container_image = "example.com/init:9";
    reported.init_container_max_tries = 7;
    auto const options = operator_options().set(reported);
    auto const init = pod_of(job(1, 1), "pt-worker-0", options).spec.init_containers;
    BOOST_TEST_REQUIRE(init.size() == 1U);
    BOOST_TEST(init[0].image == "example.com/init:9");
    BOOST_TEST(init[0].command.back() == "err=1;for i in $(seq 7); do if nslookup pt-master-0; then err=0 && break; fi;"
                                         "echo waiting for master; sleep 2; done; exit $err");
}

BOOST_AUTO_TEST_CASE(the_master_role_falls_to_worker_0_without_a_master) {
    auto const role = [](pytorch_job const& j, std::string_view name) {
        return pod_of(j, name).metadata.labels.count("training.kubeflow.org/job-role");
    };
    BOOST_TEST(role(job(1, 1), "pt-master-0") == 1U);
    BOOST_TEST(role(job(1, 1), "pt-worker-0") == 0U);
    BOOST_TEST(role(job(0, 2), "pt-worker-0") == 1U);
    BOOST_TEST(role(job(0, 2), "pt-worker-1") == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
