#include "unit/facade/preflight/sample.hpp"

#include <algorithm>

/// The messages of a preflight about checks that pass. The tests of each check have the messages of the others.
BOOST_AUTO_TEST_SUITE(facade_preflight_messages)

using namespace preflight_sample;

namespace {

/// `verdict: message` of a check.
std::string of(preflight::evidence const& e, std::string_view check) {
    for (auto const& c : preflight::report_of(e).checks)
        if (c.name == check) return std::string(to_string(c.verdict)) + ": " + c.message;
    return "no such check";
}

} // namespace

BOOST_AUTO_TEST_CASE(each_check_passes_for_a_valid_job) {
    auto e = evidence();
    e.dry_run.emplace().value = true;
    for (auto const& [check, message] : {std::pair("rules", "passed: the job is valid"),
                                         {"served", "passed: the server serves PyTorchJob of kubeflow.org/v1"},
                                         {"namespace", "passed: namespace team exists"},
                                         {"name", "passed: PyTorchJob team/pt does not exist yet"},
                                         {"may-create", "passed: the caller may create in namespace team"},
                                         {"quota", "passed: the namespace has no quota"},
                                         {"admission", "passed: the server would accept the job"}})
        BOOST_TEST(of(e, check) == message);
    auto drawn = job();
    drawn.metadata.generate_name = std::exchange(drawn.metadata.name, "") + "-";
    e.job = prepared_job::admitted(drawn);
    BOOST_TEST(of(e, "name") == "passed: the server generates the name");
}

BOOST_AUTO_TEST_CASE(the_quota_check_has_its_reason) {
    auto e = evidence();
    e.quotas.value->push_back(quota("pods", "5", "0"));
    BOOST_TEST(of(e, "quota") == "passed: quota q has room");
    e.quotas.value->front().spec.scopes = {"BestEffort"};
    BOOST_TEST(of(e, "quota") == "passed: quota q does not apply to its pods");
    auto broken = job();
    broken.spec.pytorch_replica_specs.at("Worker").template_.spec.containers.clear();
    e.job = prepared_job::admitted(broken);
    BOOST_TEST(of(e, "quota") == "unknown: the job violates rules of its kind, so its resources are unknown");
}

BOOST_AUTO_TEST_SUITE_END()
