#include "async/control/running_job.hpp"
#include "support/faulty_transport.hpp"

#include <kftrain/control/operator_metrics.hpp>

BOOST_AUTO_TEST_SUITE(async_operator_metrics)

using namespace operator_tests;
using test::fault;

// The metrics of an operator.

BOOST_AUTO_TEST_CASE(an_operator_reports_its_actions_and_its_objects) {
    operator_cluster w;
    w.op.reset();
    auto const& link = w.link;
    int refused = 0;
    link->judge = [&](kube::http_request const& r) {
        bool const hit = is_create_of(r, "/pods") && ++refused == 1;
        return hit ? std::optional(fault::answer(500, "InternalError", "webhook failed")) : std::nullopt;
    };
    kube::client_options options;
    auto const requests = control::count_requests(options);
    control::job_operator<pytorch_job> op{kube::client(link, options)};
    BOOST_TEST(!op.is_working());
    BOOST_TEST(!op.has_synced());
    asio::cancellation_signal stop;
    op.async_run(asio::bind_cancellation_slot(stop.slot(), [](error_code) {}));
    w.until([&] { return op.has_synced(); });
    BOOST_TEST(op.is_working());
    w.submit(sample(2));
    w.until_conditions("Created=True");
    w.run(50ms);

    auto const m = op.metrics();
    BOOST_TEST(m.work.name == "PyTorchJob.v1.kubeflow.org");
    control::job_operator_options elsewhere;
    elsewhere.namespace_ = "team";
    BOOST_TEST(control::job_operator<pytorch_job>(w.user, elsewhere).metrics().work.name ==
               "team/PyTorchJob.v1.kubeflow.org");
    elsewhere.controller.name = "mine";
    BOOST_TEST(control::job_operator<pytorch_job>(w.user, elsewhere).metrics().work.name == "mine");
    BOOST_TEST(m.work.failed == 1U);
    BOOST_TEST(m.work.retries == 1U);
    BOOST_TEST(m.work.succeeded + m.work.requeued >= 1U);
    BOOST_TEST(m.work.durations.count() == m.work.succeeded + m.work.requeued + m.work.failed);
    BOOST_TEST(m.work.adds >= m.work.durations.count());
    BOOST_TEST(m.work.depth == 0U);
    BOOST_TEST(m.work.workers == 8U);
    BOOST_TEST(m.cached.at("pytorchjobs.kubeflow.org") == 1U);
    BOOST_TEST(m.cached.at("pods") == 3U);
    BOOST_TEST(m.synced);
    BOOST_TEST(m.leads);
    BOOST_TEST(m.lease == "");

    std::uint64_t pods = 0;
    for (auto const& [s, count] : requests->attempts)
        if (s.verb == "create" && s.resource == "pods") pods += count;
    BOOST_TEST(pods == 4U);
    BOOST_TEST(requests->watches.at("pods") == 1U);
    link->cut();
    w.until([&] { return requests->watches.at("pods") == 2U; });
    auto const text = control::prometheus_text({op.metrics()}, requests.get());
    BOOST_TEST(text.find("kftrain_requests_total{code=\"500\",resource=\"pods\",verb=\"create\"} 1\n") != text.npos);
    stop.emit(asio::cancellation_type::terminal);
    w.run(50ms);
    BOOST_TEST(!op.is_working());
}

BOOST_AUTO_TEST_SUITE_END()
