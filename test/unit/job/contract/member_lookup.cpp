#include <kftrain/job/member_lookup.hpp>

#include "unit/job/sample.hpp"

#include <boost/test/unit_test.hpp>

#include <map>

BOOST_AUTO_TEST_SUITE(job_member_lookup)

using namespace sample;

namespace {

member_lookup oracle(std::int32_t workers, std::string processes = "") {
    pytorch_job j = job(1, workers);
    if (!processes.empty()) j.spec.nproc_per_node = std::move(processes);
    return member_lookup(any_job(j));
}

std::string why(result<member> const& r) { return r ? "found " + r->pod_name : r.error().detail.message; }

std::map<std::string, std::string> environment(member_lookup const& of, member const& r) {
    std::map<std::string, std::string> result;
    for (auto const& reported : of.environment_of(r))
        if (!reported.init)
            for (auto const& v : reported.effective()) result[v.name] = v.value;
    return result;
}

} // namespace

BOOST_AUTO_TEST_CASE(every_lookup_key_finds_the_same_replica) {
    auto const of = oracle(2, "4");
    member const r = of.of_pod("pt-worker-1").value();
    BOOST_TEST(r.role == "Worker");
    BOOST_TEST(r.index == 1);
    BOOST_TEST(r.rank.value() == 2);
    for (auto const* host :
         {"pt-worker-1", "pt-worker-1.team", "pt-worker-1.team.svc", "pt-worker-1.team.svc.cluster.local"})
        BOOST_TEST((of.of_host(host).value() == r), host);
    BOOST_TEST((of.of_rank(2).value() == r));
    BOOST_TEST((of.of_process(8).value() == r));
    BOOST_TEST((of.of_process(11).value() == r));
    BOOST_TEST((of.of_index("Worker", 1).value() == r));
    BOOST_TEST(of.address_of(r) == "pt-worker-1.team.svc");
}

BOOST_AUTO_TEST_CASE(processes_of_a_replica_have_consecutive_ranks) {
    auto const of = oracle(2, "4");
    std::int64_t next = 0;
    for (auto const& r : of.layout().members) {
        auto const range = of.processes_of(r).value();
        BOOST_TEST(range.first == next);
        BOOST_TEST(range.count == 4);
        next += range.count;
    }
    // The variable of upstream counts processes, too.
    BOOST_TEST(environment(of, of.of_rank(0).value()).at("WORLD_SIZE") == std::to_string(next));
}

BOOST_AUTO_TEST_CASE(a_process_number_known_only_at_run_time_has_no_ranks) {
    for (auto const* words : {"", "auto", "gpu", "cpu", "0", "-2", "many", "99999999999"}) {
        auto const of = oracle(1, words);
        BOOST_TEST(!of.processes_of(of.of_rank(1).value()).has_value(), words);
        BOOST_TEST(why(of.of_process(0)) == "process 0: the number of processes per replica is known only at run time; "
                                            "use the rank of a replica instead");
    }
}

/// Expected values: reference of upstream's variables, pod `pt-worker-1` of Master 1, Worker 2, nprocPerNode "2".
BOOST_AUTO_TEST_CASE(the_environment_is_that_of_the_rendered_pod) {
    auto const of = oracle(2, "2");
    auto const reported = of.environment_of(of.of_pod("pt-worker-1").value());
    BOOST_TEST_REQUIRE(reported.size() == 2U);
    BOOST_TEST(reported[0].init);
    BOOST_TEST(reported[0].container == "init-pytorch");
    BOOST_TEST(reported[1].container == "pytorch");
    std::vector<std::string> lines;
    for (auto const& v : reported[1].env) lines.push_back(v.name + "=" + v.value);
    std::vector<std::string> const expected{"PYTHONUNBUFFERED=1",
                                            "MASTER_PORT=23456",
                                            "PET_MASTER_PORT=23456",
                                            "MASTER_ADDR=pt-master-0",
                                            "PET_MASTER_ADDR=pt-master-0",
                                            "WORLD_SIZE=6",
                                            "RANK=2",
                                            "PET_NODE_RANK=2",
                                            "PET_NPROC_PER_NODE=2",
                                            "PET_NNODES=3"};
    BOOST_TEST(lines == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_last_of_equal_variable_names_applies) {
    pytorch_job j = job(1, 1);
    j.spec.pytorch_replica_specs["Worker"].template_.spec.containers[0].env = {{"RANK", "7"}, {"LR", "0.1"}};
    member_lookup const of{any_job(j)};
    auto const reported = of.environment_of(of.of_rank(1).value())[1];
    BOOST_TEST(reported.env.front().value == "7");
    auto const effective = reported.effective();
    BOOST_TEST(effective.front().name == "LR");
    BOOST_TEST(std::count_if(effective.begin(), effective.end(),
                             [](core::env_var const& v) { return v.name == "RANK"; }) == 1);
    BOOST_TEST(environment(of, of.of_rank(1).value()).at("RANK") == "1");
}

BOOST_AUTO_TEST_CASE(failed_lookups_list_the_existing_members) {
    auto const of = oracle(3, "2");
    BOOST_TEST(why(of.of_pod("pt-worker-3")) ==
               "pod \"pt-worker-3\" does not belong to this job; pods are pt-master-0, pt-worker-0 to pt-worker-2");
    BOOST_TEST(why(of.of_host("other")) ==
               "host \"other\" does not belong to this job; hosts are pt-master-0, pt-worker-0 to pt-worker-2");
    BOOST_TEST(why(of.of_host("pt-worker-0.red")) ==
               "host \"pt-worker-0.red\" is in namespace \"red\", but the job is in \"team\"");
    BOOST_TEST(why(of.of_host("pt-worker-0.team.pod")) ==
               "host \"pt-worker-0.team.pod\" is not the address of a service, expected pt-worker-0.team.svc");
    for (std::int64_t rank : {std::int64_t(-1), std::int64_t(4), std::int64_t(1) << 40})
        BOOST_TEST(why(of.of_rank(rank)) ==
                   "rank " + std::to_string(rank) + " does not exist in this job; ranks are 0 to 3");
    for (std::int64_t rank : {std::int64_t(-1), std::int64_t(8), std::int64_t(1) << 40})
        BOOST_TEST(why(of.of_process(rank)) ==
                   "process " + std::to_string(rank) + " does not exist in this job; processes are 0 to 7");
    BOOST_TEST(why(of.of_index("worker", 0)) ==
               "worker 0 does not exist in this job; replicas are pt-master-0, pt-worker-0 to pt-worker-2");
    BOOST_TEST(why(of.of_index("Worker", 3)).find("Worker 3 does not exist in this job") == 0U);
}

BOOST_AUTO_TEST_CASE(without_a_master_names_are_found_and_ranks_are_an_error) {
    member_lookup const of{any_job(job(0, 2))};
    BOOST_TEST(!of.of_pod("pt-worker-1").value().rank.has_value());
    std::string const nobody = "the operator sets no ranks and no address, because the job has neither a Master nor "
                               "elasticPolicy";
    BOOST_TEST(why(of.of_rank(0)) == "rank 0: " + nobody);
    BOOST_TEST(why(of.of_process(0)) == "process 0: " + nobody);
    auto elastic = job(0, 2);
    elastic.spec.elastic_policy.emplace();
    BOOST_TEST(why(member_lookup(any_job(elastic)).of_rank(0)) ==
               "rank 0: torchrun assigns ranks at the rendezvous, because the job has no Master");
    BOOST_TEST(environment(of, of.of_pod("pt-worker-1").value()).at("PET_NNODES") == "2");
}

BOOST_AUTO_TEST_CASE(a_host_name_of_the_template_finds_its_only_pod) {
    pytorch_job j = job(1, 2);
    j.spec.pytorch_replica_specs["Master"].template_.spec.hostname = "boss";
    j.spec.pytorch_replica_specs["Worker"].template_.spec.hostname = "hands";
    member_lookup const of{any_job(j)};
    BOOST_TEST(of.of_host("boss").value().pod_name == "pt-master-0");
    BOOST_TEST(why(of.of_host("hands")) == "host \"hands\" is used by several pods of the job; use the pod name "
                                           "instead, one of pt-master-0, pt-worker-0 to pt-worker-1");
}

BOOST_AUTO_TEST_CASE(lookup_works_with_many_replicas) {
    std::int32_t const workers = 40'000;
    auto const of = oracle(workers, "8");
    std::int64_t sum = 0;
    for (std::int32_t i = 0; i < workers; ++i) {
        sum += of.of_pod("pt-worker-" + std::to_string(i)).value().rank.value();
        sum += of.of_process(std::int64_t(8) * i).value().rank.value();
    }
    auto const reported = environment(of, of.of_rank(workers).value());
    BOOST_TEST(reported.at("RANK") == std::to_string(workers));
    BOOST_TEST(sum == std::int64_t(workers) * workers);
}

BOOST_AUTO_TEST_SUITE_END()
