#include "unit/job/sample.hpp"

#include <kftrain/job/job_rules.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_pytorch_job_elastic)

using namespace sample;

namespace {

using lines = std::vector<std::string>;

pytorch_job elastic(std::int32_t masters = 0, std::int32_t workers = 2) {
    pytorch_job j = job(masters, workers);
    j.spec.elastic_policy.emplace();
    return j;
}

lines environment(pytorch_job const& j, std::string_view name) {
    lines result;
    for (auto const& c : any_job(j).render())
        if (auto const* p = c.get_if<pod>(); p != nullptr && p->metadata.name == name)
            for (auto const& v : p->spec.containers.at(0).env) result.push_back(v.name + "=" + v.value);
    return result;
}

void expect(pytorch_job const& j, lines const& expected) {
    BOOST_TEST(environment(j, "pt-worker-0") == expected, boost::test_tools::per_element());
}

rdzv_conf conf(std::string key, std::string value) {
    rdzv_conf c;
    c.key = std::move(key);
    c.value = std::move(value);
    return c;
}

} // namespace

// training-operator-v1.md §3.2, as for the next
BOOST_AUTO_TEST_CASE(bounds_and_restarts_are_reported) {
    pytorch_job j = elastic();
    j.spec.elastic_policy->min_replicas = 1;
    j.spec.elastic_policy->max_replicas = 3;
    j.spec.elastic_policy->max_restarts = 100;
    expect(j, {"PYTHONUNBUFFERED=1", "PET_NPROC_PER_NODE=auto", "PET_RDZV_ENDPOINT=pt-worker-0:23456",
               "PET_RDZV_BACKEND=c10d", "PET_NNODES=1:3", "PET_MAX_RESTARTS=100"});
}

BOOST_AUTO_TEST_CASE(the_rendezvous_host_can_be_set) {
    pytorch_job j = elastic();
    auto& policy = *j.spec.elastic_policy;
    policy.min_replicas = 1;
    policy.max_replicas = 3;
    policy.rdzv_backend = "etcd-v2";
    policy.rdzv_port = 1234;
    policy.rdzv_host = "localhost";
    policy.rdzv_id = "rdzv-id";
    policy.rdzv_conf = {conf("a", "1"), conf("b", "2")};
    policy.max_restarts = 3;
    policy.standalone = true;
    expect(j, {"PYTHONUNBUFFERED=1", "PET_NPROC_PER_NODE=auto", "PET_RDZV_ENDPOINT=localhost:1234",
               "PET_RDZV_BACKEND=etcd-v2", "PET_NNODES=1:3", "PET_MAX_RESTARTS=3", "PET_RDZV_ID=rdzv-id",
               "PET_RDZV_CONF=a=1,b=2", "PET_STANDALONE="});
    policy.standalone = false;
    policy.rdzv_conf.clear(); // crashes upstream
    policy.rdzv_id.reset();
    BOOST_TEST(environment(j, "pt-worker-0").back() == "PET_MAX_RESTARTS=3");
}

BOOST_AUTO_TEST_CASE(the_deprecated_number_of_processes_takes_the_place_of_the_default) {
    pytorch_job j = elastic(1, 2);
    j.spec.elastic_policy->n_proc_per_node = 4;
    expect(j,
           {"PYTHONUNBUFFERED=1", "MASTER_PORT=23456", "PET_MASTER_PORT=23456", "MASTER_ADDR=pt-master-0",
            "PET_MASTER_ADDR=pt-master-0", "WORLD_SIZE=3", "RANK=1", "PET_NODE_RANK=1",
            "PET_RDZV_ENDPOINT=pt-worker-0:23456", "PET_RDZV_BACKEND=c10d", "PET_NNODES=2:2", "PET_NPROC_PER_NODE=4"});
}

BOOST_AUTO_TEST_CASE(one_bound_implies_the_other_and_workers_imply_both) {
    using bound = std::optional<std::int32_t>;
    for (auto const& [least, most, nodes] : {std::tuple<bound, bound, char const*>(1, 4, "1:4"),
                                             {3, bound(), "3:3"},
                                             {bound(), 5, "5:5"},
                                             {bound(), bound(), "2:2"},
                                             {0, bound(), "0:0"}}) {
        pytorch_job j = elastic();
        j.spec.elastic_policy->min_replicas = least;
        j.spec.elastic_policy->max_replicas = most;
        BOOST_TEST(environment(j, "pt-worker-0").back() == std::string("PET_NNODES=") + nodes);
    }
}

BOOST_AUTO_TEST_CASE(defaults_of_a_job_without_workers_do_not_crash) {
    pytorch_job j = elastic(1, 0);
    job_rules_for<pytorch_job>().set_defaults(&j);
    BOOST_TEST(!j.spec.elastic_policy->max_replicas.has_value());
}

BOOST_AUTO_TEST_CASE(admission_reports_faults_and_deprecations) {
    auto const faults = [](pytorch_job const& j) {
        lines result;
        for (auto const& i : any_job(j).validate())
            result.push_back((i.level == issue::severity::warning ? "warning " : "error ") + i.rule + " | " +
                             i.message);
        return result;
    };
    BOOST_TEST(faults(elastic()).empty());
    // corpus: pytorchjob/admission/elastic-no-worker
    lines const missing{"error pytorch.elastic.worker | spec.pytorchReplicaSpecs[Worker]: Required value: must be "
                        "configured if elastic policy is used"};
    BOOST_TEST(faults(elastic(1, 0)) == missing, boost::test_tools::per_element());
    // corpus: pytorchjob/admission/elastic-nproc-both
    pytorch_job j = elastic();
    j.spec.elastic_policy->n_proc_per_node = 4;
    lines expected{"warning pytorch.elastic.nproc.deprecated | spec.elasticPolicy.nProcPerNode is deprecated, use "
                   "spec.nprocPerNode instead"};
    BOOST_TEST(faults(j) == expected, boost::test_tools::per_element());
    j.spec.nproc_per_node = "2";
    expected.emplace_back("error pytorch.elastic.nproc.twice | spec.elasticPolicy.nProcPerNode: Forbidden: must not be "
                          "used with spec.nprocPerNode");
    BOOST_TEST(faults(j) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(one_successful_worker_ends_the_job) {
    pytorch_job const j = running(elastic());
    auto world = world_of(j, "Running");
    change(world, "pt-worker-1", [](pod& p) { p.status.phase = "Succeeded"; });
    BOOST_TEST(conditions(status_after(j, sample::make_plan(j, world, at(4)))) ==
               "Created=True Running=False Succeeded=True");
    pytorch_job const plain = running(job(0, 2));
    BOOST_TEST(conditions(status_after(plain, sample::make_plan(plain, world, at(4)))) == "Created=True Running=True");
}

BOOST_AUTO_TEST_CASE(numbers_of_processes_are_read_as_go_reads_them) {
    for (auto const& [text, world] :
         {std::pair("+2", "WORLD_SIZE=4"), std::pair("2", "WORLD_SIZE=4"), std::pair("-2", "WORLD_SIZE=-4"),
          std::pair("0", "WORLD_SIZE=0"), std::pair("+-2", "WORLD_SIZE=2"), std::pair("", "WORLD_SIZE=2"),
          std::pair("+", "WORLD_SIZE=2"), std::pair(" 2", "WORLD_SIZE=2"), std::pair("0x2", "WORLD_SIZE=2"),
          std::pair("1_0", "WORLD_SIZE=2"), std::pair("007", "WORLD_SIZE=14"),
          std::pair("9223372036854775808", "WORLD_SIZE=2")}) {
        pytorch_job j = job(1, 1);
        j.spec.nproc_per_node = text;
        BOOST_TEST(environment(j, "pt-worker-0").at(5) == world);
    }
}

BOOST_AUTO_TEST_SUITE_END()
