#include "unit/job/sample.hpp"

#include <kftrain/job/job_rules.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_pytorch_job_lint)

using namespace sample;

namespace {

using lines = std::vector<std::string>;

lines findings(pytorch_job const& j, std::string_view rule) {
    lines result;
    for (auto const& i : any_job(j).lint())
        if (i.rule == rule) result.push_back(i.message);
    return result;
}

core::container& training(pytorch_job& j) {
    return j.spec.pytorch_replica_specs.at("Worker").template_.spec.containers.at(0);
}

/// Workers only, after a change of the elastic policy.
template <class Change> lines elastic(std::int32_t workers, std::string_view rule, Change change) {
    pytorch_job j = job(0, workers);
    j.spec.elastic_policy.emplace();
    change(*j.spec.elastic_policy);
    return findings(j, rule);
}

} // namespace

BOOST_AUTO_TEST_CASE(lint_rules_have_distinct_ids_and_a_reason) {
    for (auto const& rule : job_rules_for<pytorch_job>().lint_rules()) {
        BOOST_TEST(rule.id.starts_with("lint.pytorch."), rule.id);
        BOOST_TEST(rule.reason.ends_with("."), rule.id);
    }
}

/// The values that torchrun accepts: torch/distributed/run.py, determine_local_world_size(); of the numbers, those that
/// the operator accepts as well. The signs, zeros and blanks were tried with Python's int() and Go's strconv.Atoi.
BOOST_AUTO_TEST_CASE(invalid_process_counts_are_reported) {
    auto const of = [](std::string text) {
        pytorch_job j = job(1, 1);
        j.spec.nproc_per_node = std::move(text);
        return findings(j, "lint.pytorch.nproc-per-node");
    };
    for (auto const* good : {"auto", "cpu", "gpu", "1", "8", "+2", "007", "9223372036854775807"})
        BOOST_TEST(of(good).empty(), good);
    for (auto const* bad :
         {"", "0", "-1", "-0", "+0", "+", "+-2", "++2", "eight", "GPU", "8 ", " 8", "1_0", "0x2", "1.5", "auto "})
        BOOST_TEST(of(bad).size() == 1U, bad);
    BOOST_TEST(of("eight") == lines{"spec.nprocPerNode: \"eight\", expected auto, cpu, gpu or a positive number"},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(processes_without_a_device_are_reported) {
    auto const of = [](std::string processes, std::string devices, std::string resource = "nvidia.com/gpu") {
        pytorch_job j = job(0, 2);
        j.spec.nproc_per_node = std::move(processes);
        if (!devices.empty()) training(j).resources.limits.emplace(std::move(resource), std::move(devices));
        return findings(j, "lint.pytorch.devices");
    };
    BOOST_TEST(
        of("8", "4") ==
            lines{"spec.nprocPerNode: \"8\" processes for the 4 GPUs of a Worker, expected one process for each GPU"},
        boost::test_tools::per_element());
    BOOST_TEST(of("4", "8", "amd.com/gpu").size() == 1U);
    BOOST_TEST(
        of("+8", "4") ==
            lines{"spec.nprocPerNode: \"+8\" processes for the 4 GPUs of a Worker, expected one process for each GPU"},
        boost::test_tools::per_element());
    BOOST_TEST(of("8", "8").empty());
    BOOST_TEST(of("+8", "8").empty());
    BOOST_TEST(of("8", "").empty()); // processes on the processor
    BOOST_TEST(of("gpu", "").size() == 1U);
    BOOST_TEST(of("gpu", "2").empty());
    BOOST_TEST(of("auto", "2").empty());
}

BOOST_AUTO_TEST_CASE(missing_shared_memory_is_reported) {
    pytorch_job j = job(0, 2);
    BOOST_TEST(findings(j, "lint.pytorch.shared-memory").empty());
    training(j).resources.limits.emplace("nvidia.com/gpu", "1");
    BOOST_TEST(findings(j, "lint.pytorch.shared-memory").size() == 1U);
    training(j).volume_mounts.emplace_back().mount_path = "/dev/shm";
    BOOST_TEST(findings(j, "lint.pytorch.shared-memory").empty());
}

BOOST_AUTO_TEST_CASE(inverted_elastic_bounds_are_reported) {
    auto const of = [](std::int32_t min, std::int32_t max) {
        return elastic(2, "lint.pytorch.elastic-bounds",
                       [&](elastic_policy& p) { p.min_replicas = min, p.max_replicas = max; });
    };
    BOOST_TEST(
        of(3, 2) ==
            lines{"spec.elasticPolicy.minReplicas: 3 to maxReplicas 2, expected 1 <= minReplicas <= maxReplicas"},
        boost::test_tools::per_element());
    BOOST_TEST(of(0, 2).size() == 1U);
    BOOST_TEST(of(2, 2).empty());
    BOOST_TEST(of(1, 4).empty());
}

BOOST_AUTO_TEST_CASE(workers_outside_the_elastic_bounds_are_reported) {
    auto const of = [](std::int32_t workers) {
        return elastic(workers, "lint.pytorch.elastic-workers",
                       [](elastic_policy& p) { p.min_replicas = 2, p.max_replicas = 4; });
    };
    BOOST_TEST(of(5) == lines{"spec.pytorchReplicaSpecs[Worker].replicas: 5, expected minReplicas 2 to maxReplicas 4"},
               boost::test_tools::per_element());
    BOOST_TEST(of(1).size() == 1U);
    BOOST_TEST(of(2).empty());
    BOOST_TEST(of(4).empty());
}

BOOST_AUTO_TEST_CASE(metrics_of_unrequested_resources_are_reported) {
    auto const of = [](std::string requested) {
        pytorch_job j = job(0, 2);
        auto& metric = j.spec.elastic_policy.emplace().metrics.emplace().emplace_back();
        metric.type = "Resource";
        metric.resource.emplace().name = "cpu";
        metric.resource->target.average_utilization = 80;
        if (!requested.empty()) training(j).resources.requests.emplace(std::move(requested), "1");
        return findings(j, "lint.pytorch.elastic-metrics");
    };
    BOOST_TEST(of("") == lines{"spec.elasticPolicy.metrics[0]: container \"pytorch\" of the workers does not request "
                               "cpu, expected a request"},
               boost::test_tools::per_element());
    BOOST_TEST(of("memory").size() == 1U);
    BOOST_TEST(of("cpu").empty());
}

BOOST_AUTO_TEST_CASE(standalone_with_several_pods_is_reported) {
    auto const of = [](std::int32_t workers, std::int32_t max) {
        return elastic(workers, "lint.pytorch.standalone",
                       [&](elastic_policy& p) { p.standalone = true, p.min_replicas = 1, p.max_replicas = max; });
    };
    BOOST_TEST(of(2, 2).size() == 1U);
    BOOST_TEST(of(1, 2).size() == 1U);
    BOOST_TEST(of(1, 1).empty());
}

BOOST_AUTO_TEST_CASE(other_rendezvous_backends_need_a_host) {
    auto const of = [](std::string backend, bool host) {
        return elastic(2, "lint.pytorch.rendezvous", [&](elastic_policy& p) {
            p.rdzv_backend = std::move(backend);
            if (host) p.rdzv_host = "etcd.infra";
        });
    };
    BOOST_TEST(of("etcd", false).size() == 1U);
    BOOST_TEST(of("etcd", true).empty());
    BOOST_TEST(of("c10d", false).empty());
}

BOOST_AUTO_TEST_SUITE_END()
