#include "async/control/running_job.hpp"
#include "support/faulty_transport.hpp"

#include <kftrain/training_client.hpp>

BOOST_AUTO_TEST_SUITE(async_resume_job)

using namespace operator_tests;

namespace {

/// Pods that are deleted go on for a while, as they do on a node.
void put_on_node(pytorch_job& j) {
    for (auto& [type, spec] : j.spec.pytorch_replica_specs) spec.template_.spec.node_name = "n";
}

} // namespace

/** A pod that is deleted ends with a phase before it goes, by which the operator, as upstream's, ends a job that wants
    it: so a job that is resumed too early fails. */
BOOST_AUTO_TEST_CASE(a_job_resumed_right_after_suspension_continues) {
    running_job w("Never", put_on_node);
    auto const& link = w.link;
    bool watching = false;
    link->judge = [&](kube::http_request const& r) -> std::optional<test::fault> {
        watching = watching || r.target.find("watch=") != std::string::npos;
        return std::nullopt;
    };
    training_client client(kube::client(link), "corpus");
    auto const job = job_reference::to<pytorch_job>("corpus", "pt");
    BOOST_TEST_REQUIRE(client.suspend(job).has_value());
    std::optional<error_code> ended;
    client.async_resume(job, [&](error_code ec, any_job const&) { ended = ec; });
    w.until([&] { return watching || ended; });
    w.until_conditions("Created=True Running=False Suspended=True");
    BOOST_TEST(!ended.has_value());
    expect(w.names_of(w.pods), three);
    for (auto const& name : three) w.set(name, "Failed", 143);
    kube::delete_options now;
    now.grace_period_seconds = 0;
    for (auto const& name : three)
        kube::run_blocking(w.io.get_executor(), diagnostics(), [&](auto h) {
            w.pods.async_delete(name, now, std::move(h));
        }).value();
    w.until([&] { return ended.has_value(); });
    BOOST_TEST(!ended.value(), ended->message());
    w.until([&] { return w.names_of(w.pods) == three; });
    for (auto const& name : three) w.set(name, "Running");
    w.until_conditions("Created=True Suspended=False Running=True");
}

BOOST_AUTO_TEST_SUITE_END()
