#include "async/facade/logs/job_log_cluster.hpp"

#include <kftrain/kinds/mpi_job_v2beta1.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

BOOST_AUTO_TEST_SUITE(async_change_job)

using namespace job_log_tests;

namespace {

struct elastic_job : job_log_cluster {
    elastic_job() { elastic = submit(test::elastic_pytorch_job("e", 2, 4)); }

    std::int32_t workers() {
        return get<pytorch_job>("e").spec.pytorch_replica_specs.at("Worker").replicas.value_or(-1);
    }

    any_job elastic;
};

} // namespace

BOOST_AUTO_TEST_CASE(a_job_is_scaled_within_the_rules_of_its_kind) {
    elastic_job w;
    auto const after = w.client.scale(w.elastic, "Worker", 4);
    BOOST_TEST_REQUIRE(after.has_value());
    BOOST_TEST(after->get_if<pytorch_job>()->spec.pytorch_replica_specs.at("Worker").replicas.value() == 4);
    BOOST_TEST(w.workers() == 4);
    auto const refused = w.client.scale(w.elastic, "Worker", 5);
    BOOST_TEST_REQUIRE(refused.has_error());
    BOOST_TEST((refused.error().code == errc::invalid_argument));
    BOOST_TEST(refused.error().to_string() == "spec.pytorchReplicaSpecs[Worker].replicas: 5, expected 1 to 4");
    BOOST_TEST(w.workers() == 4);
}

BOOST_AUTO_TEST_CASE(scaling_of_fixed_roles_is_refused_with_the_reason) {
    job_log_cluster w;
    auto const refused = w.client.scale(w.stored, "Worker", 2);
    BOOST_TEST_REQUIRE(refused.has_error());
    BOOST_TEST(refused.error().to_string().find("suspend the job first") != std::string::npos,
               refused.error().to_string());
}

BOOST_AUTO_TEST_CASE(a_job_is_suspended_and_resumed) {
    elastic_job w;
    BOOST_TEST(w.client.suspend(w.elastic)->suspending().suspended);
    BOOST_TEST(w.client.get(w.elastic)->suspending().suspended);
    BOOST_TEST(!w.client.resume(w.elastic)->suspending().suspended);
    BOOST_TEST(!w.client.get(w.elastic)->suspending().suspended);
}

/// The job that was submitted decides nothing: the one that the server has does.
BOOST_AUTO_TEST_CASE(a_change_is_checked_against_the_stored_job) {
    elastic_job w;
    auto j = w.ask<pytorch_job>([&](auto h) { w.jobs.async_get("e", std::move(h)); });
    j.spec.elastic_policy->max_replicas = 8;
    w.ask<pytorch_job>([&](auto h) { w.jobs.async_replace(j, std::move(h)); });
    BOOST_TEST(w.client.scale(w.elastic, "Worker", 7).has_value());
    BOOST_TEST(w.workers() == 7);
}

BOOST_AUTO_TEST_CASE(another_job_with_the_same_name_is_not_changed) {
    elastic_job w;
    kube::run_blocking(w.io.get_executor(), diagnostics(), [&](auto h) {
        w.jobs.async_delete("e", std::move(h));
    }).value();
    pytorch_job again = *w.elastic.get_if<pytorch_job>();
    again.metadata = object_meta();
    again.metadata.name = "e";
    w.ask<any_job>([&](auto h) { w.client.async_submit(again, kube::call_options(), std::move(h)); });
    auto const refused = w.client.scale(w.elastic, "Worker", 3);
    BOOST_TEST_REQUIRE(refused.has_error());
    BOOST_TEST((refused.error().code == errc::deleted));
    BOOST_TEST(refused.error().detail.message == "PyTorchJob default/e was deleted, and another job has its name");
    BOOST_TEST(w.workers() == 2);
}

BOOST_AUTO_TEST_CASE(a_change_can_be_cancelled_at_any_step) {
    for (int turns = 0; turns < 24; ++turns) {
        elastic_job w;
        asio::cancellation_signal stop;
        std::optional<error_code> ended;
        w.client.async_scale(
            w.elastic, "Worker", 3, kube::call_options(),
            asio::bind_cancellation_slot(stop.slot(), [&](error_code ec, any_job const&) { ended = ec; }));
        w.io.restart();
        for (int i = 0; i < turns; ++i) w.io.poll_one();
        stop.emit(asio::cancellation_type::terminal);
        BOOST_TEST_REQUIRE(w.until([&] { return ended.has_value(); }));
        BOOST_TEST((!*ended || is_cancelled(*ended)), ended->message());
    }
}

BOOST_AUTO_TEST_CASE(destroying_the_io_context_destroys_a_pending_change) {
    for (int turns = 0; turns < 24; ++turns) {
        elastic_job w;
        w.client.async_scale(w.elastic, "Worker", 3, kube::call_options(), [](error_code, any_job const&) {});
        w.io.restart();
        for (int i = 0; i < turns; ++i) w.io.poll_one();
    }
}

BOOST_AUTO_TEST_SUITE_END()
