#include <kftrain/control/operator_metrics.hpp>

#include <boost/test/unit_test.hpp>

#include <set>
#include <sstream>

BOOST_AUTO_TEST_SUITE(control_prometheus_text)

using namespace kftrain;
using namespace kftrain::control;
using namespace std::chrono_literals;

namespace {

operator_metrics sample_operator(std::string name) {
    operator_metrics m;
    m.work.name = std::move(name);
    m.work.durations = duration_histogram({0.1, 1});
    for (auto const took : {50ms, 100ms, 500ms, 2000ms}) m.work.durations.add(took);
    m.work.succeeded = 3;
    m.work.failed = 1;
    m.work.adds = 9;
    m.work.depth = 2;
    m.work.workers = 8;
    m.cached["pods"] = 40;
    m.lease = "default/operator";
    m.leads = true;
    m.synced = true;
    return m;
}

bool has_line(std::string const& text, std::string const& line) {
    return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

} // namespace

BOOST_AUTO_TEST_CASE(metric_names_equal_those_of_controller_runtime_and_client_go) {
    request_metrics r;
    request_metrics::subject s;
    s.verb = "create";
    s.resource = "pods";
    s.code = "201";
    s.method = "POST";
    r.attempts[s] = 5;
    s.resource = "services";
    r.attempts[s] = 2;
    r.durations["create"] = duration_histogram({0.1});
    r.durations["create"].add(10ms);
    r.watches["pods"] = 3;
    auto const text = prometheus_text({sample_operator("PyTorchJob")}, &r);
    for (std::string const line : {
             "# TYPE controller_runtime_reconcile_total counter",
             "controller_runtime_reconcile_total{controller=\"PyTorchJob\",result=\"success\"} 3",
             "controller_runtime_reconcile_total{controller=\"PyTorchJob\",result=\"requeue_after\"} 0",
             "controller_runtime_reconcile_total{controller=\"PyTorchJob\",result=\"error\"} 1",
             "controller_runtime_reconcile_errors_total{controller=\"PyTorchJob\"} 1",
             "# TYPE controller_runtime_reconcile_time_seconds histogram",
             "controller_runtime_reconcile_time_seconds_bucket{controller=\"PyTorchJob\",le=\"0.1\"} 2",
             "controller_runtime_reconcile_time_seconds_bucket{controller=\"PyTorchJob\",le=\"1\"} 3",
             "controller_runtime_reconcile_time_seconds_bucket{controller=\"PyTorchJob\",le=\"+Inf\"} 4",
             "controller_runtime_reconcile_time_seconds_sum{controller=\"PyTorchJob\"} 2.65",
             "controller_runtime_reconcile_time_seconds_count{controller=\"PyTorchJob\"} 4",
             "controller_runtime_max_concurrent_reconciles{controller=\"PyTorchJob\"} 8",
             "workqueue_depth{name=\"PyTorchJob\",controller=\"PyTorchJob\"} 2",
             "workqueue_adds_total{name=\"PyTorchJob\",controller=\"PyTorchJob\"} 9",
             "leader_election_master_status{name=\"default/operator\"} 1",
             "kftrain_cached_objects{controller=\"PyTorchJob\",resource=\"pods\"} 40",
             "rest_client_requests_total{code=\"201\",method=\"POST\"} 7",
             "rest_client_request_duration_seconds_count{verb=\"create\"} 1",
             "kftrain_requests_total{code=\"201\",resource=\"services\",verb=\"create\"} 2",
             "kftrain_watches_begun_total{resource=\"pods\"} 3",
         })
        BOOST_TEST(has_line(text, line), line << " is not in\n" << text);
}

BOOST_AUTO_TEST_CASE(each_metric_is_described_once_and_each_sample_written_once) {
    auto const text = prometheus_text({sample_operator("a"), sample_operator("b")});
    std::set<std::string> seen;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        auto const key = line.starts_with('#') ? line : line.substr(0, line.rfind(' '));
        BOOST_TEST(seen.insert(key).second, line);
    }
    BOOST_TEST(text.ends_with('\n'));
}

BOOST_AUTO_TEST_CASE(labels_are_escaped) {
    auto const text = prometheus_text({sample_operator("a\"b\\c\nd")});
    BOOST_TEST(has_line(text, R"(kftrain_synced{controller="a\"b\\c\nd"} 1)"), text);
}

BOOST_AUTO_TEST_CASE(a_duration_counts_in_the_first_bucket_that_holds_it) {
    duration_histogram h({1, 2});
    for (auto const took : {-5s, 0s, 1s, 2s, 3s}) h.add(took);
    BOOST_TEST((h.counts() == std::vector<std::uint64_t>{3, 1, 1}));
    BOOST_TEST(h.count() == 5U);
    BOOST_TEST(h.sum() == 6.0);
}

BOOST_AUTO_TEST_SUITE_END()
