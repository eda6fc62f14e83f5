#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/control/event_recorder.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/objects/core/namespace.hpp>

#include "support/scripted_transport.hpp"
#include "support/served_cluster.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(async_event_recorder)

using namespace kftrain;

namespace {

namespace asio = boost::asio;

time_point at(int seconds) { return time_point(std::chrono::seconds(1767225600 + seconds)); }

struct recorded_events : test::served_cluster {
    recorded_events() { make_namespace("team"); }

    kube::client_options logging() {
        kube::client_options o;
        o.logger = logger([this](log_level, std::string_view message, std::initializer_list<log_field>) {
            said.emplace_back(message);
        });
        return o;
    }
    static core::object_reference job(std::string name = "pt", std::string ns = "team") {
        core::object_reference about;
        about.api_version = "kubeflow.org/v1";
        about.kind = "PyTorchJob";
        about.name = std::move(name);
        about.namespace_ = std::move(ns);
        about.uid = "uid-of-" + about.name;
        return about;
    }
    void run() {
        io.restart();
        io.run();
    }
    std::vector<core::event> events() {
        auto const every = kube::api<core::event>::all_namespaces(user);
        return ask<object_list<core::event>>([&](auto h) { every.async_list(std::move(h)); }).items;
    }

    std::vector<std::string> said;
    kube::client client{server.transport(), logging()};
    int now = 0;
    control::event_recorder recorder{client, "pytorchjob-controller", [this] { return at(now); }};
};

} // namespace

BOOST_AUTO_TEST_CASE(an_event_contains_the_object_the_reason_and_the_message) {
    recorded_events w;
    w.recorder.record(recorded_events::job(), "Normal", "PyTorchJobSucceeded",
                      "PyTorchJob pt is successfully completed.");
    w.run();
    auto const found = w.events();
    BOOST_REQUIRE(found.size() == 1);
    auto const& e = found[0];
    BOOST_TEST(e.metadata.namespace_ == "team");
    BOOST_TEST(e.metadata.name.starts_with("pt."));
    BOOST_TEST(e.type == "Normal");
    BOOST_TEST(e.reason == "PyTorchJobSucceeded");
    BOOST_TEST(e.message == "PyTorchJob pt is successfully completed.");
    BOOST_TEST(e.involved_object.kind == "PyTorchJob");
    BOOST_TEST(e.involved_object.api_version == "kubeflow.org/v1");
    BOOST_TEST(e.involved_object.name == "pt");
    BOOST_TEST(e.involved_object.uid == "uid-of-pt");
    BOOST_TEST(e.source.component == "pytorchjob-controller");
    BOOST_TEST(e.count == 1);
    BOOST_TEST((e.first_timestamp == at(0)));
    BOOST_TEST((e.last_timestamp == at(0)));
}

BOOST_AUTO_TEST_CASE(a_repeated_event_increments_the_count) {
    recorded_events w;
    for (w.now = 0; w.now < 3; ++w.now) {
        w.recorder.record(recorded_events::job(), "Normal", "A", "a");
        w.run();
    }
    auto const found = w.events();
    BOOST_REQUIRE(found.size() == 1);
    BOOST_TEST(found[0].count == 3);
    BOOST_TEST((found[0].first_timestamp == at(0)));
    BOOST_TEST((found[0].last_timestamp == at(2)));
}

BOOST_AUTO_TEST_CASE(the_queue_holds_thousands_of_events_and_counts_continue_for_the_last_4096) {
    recorded_events w;
    auto const record = [&](int i) {
        w.recorder.record(recorded_events::job("pt-" + std::to_string(i % 100)), "Normal", "A", std::to_string(i));
    };
    for (int i = 0; i < 9'000; ++i) record(i);
    w.run();
    BOOST_TEST(w.recorder.dropped() == 0U);
    BOOST_TEST(w.events().size() == 9'000U);
    record(8'999);
    record(0); // starts again
    w.run();
    auto const found = w.events();
    BOOST_TEST(found.size() == 9'001U);
    for (auto const& e : found) BOOST_TEST(e.count == (e.message == "8999" ? 2 : 1));
}

BOOST_AUTO_TEST_CASE(repetitions_before_the_first_write_are_counted) {
    recorded_events w;
    for (int i = 0; i < 4; ++i) w.recorder.record(recorded_events::job(), "Normal", "A", "a");
    w.run();
    auto const found = w.events();
    BOOST_REQUIRE(found.size() == 1);
    BOOST_TEST(found[0].count == 4);
}

BOOST_AUTO_TEST_CASE(events_that_differ_in_any_field_are_separate) {
    recorded_events w;
    w.recorder.record(recorded_events::job(), "Normal", "A", "a");
    w.recorder.record(recorded_events::job(), "Warning", "A", "a");
    w.recorder.record(recorded_events::job(), "Normal", "B", "a");
    w.recorder.record(recorded_events::job(), "Normal", "A", "b");
    w.recorder.record(recorded_events::job("other"), "Normal", "A", "a");
    auto again = recorded_events::job();
    again.uid = "a later one";
    w.recorder.record(again, "Normal", "A", "a");
    w.run();
    auto const found = w.events();
    BOOST_TEST(found.size() == 6);
    for (auto const& e : found) BOOST_TEST(e.count == 1);
}

BOOST_AUTO_TEST_CASE(events_about_cluster_scoped_objects_go_to_the_default_namespace) {
    recorded_events w;
    w.recorder.record(recorded_events::job("node", ""), "Normal", "A", "a");
    w.run();
    BOOST_TEST(w.events().at(0).metadata.namespace_ == "default");
}

BOOST_AUTO_TEST_CASE(pending_writes_outlive_the_recorder) {
    asio::io_context io;
    apiserver::api_server server(io.get_executor());
    kube::client const client(server.transport());
    {
        control::event_recorder r(client, "c", [] { return at(0); });
        r.record(recorded_events::job("pt", "default"), "Normal", "A", "a");
        r.record(recorded_events::job("pt", "default"), "Normal", "B", "b");
    }
    io.run();
    BOOST_TEST(server.store().version(server.store().find("", "v1", "events").value()) > 0U);
    auto all = kube::api<core::event>::all_namespaces(client);
    auto const list = kube::run_blocking<object_list<core::event>>(io.get_executor(), diagnostics(),
                                                                   [&](auto h) { all.async_list(std::move(h)); });
    BOOST_TEST(list.value().items.size() == 2);
}

BOOST_AUTO_TEST_CASE(failures_are_logged_and_the_next_event_is_written) {
    asio::io_context io;
    auto const link = std::make_shared<test::scripted_transport>(io.get_executor());
    std::vector<std::string> said;
    kube::client_options o;
    o.logger = logger(
        [&](log_level, std::string_view message, std::initializer_list<log_field>) { said.emplace_back(message); });
    kube::client const client(link, o);
    link->expect("POST", "/api/v1/namespaces/team/events")
        .status(403)
        .piece(R"({"kind":"Status","reason":"Forbidden"})");
    link->expect("POST", "/api/v1/namespaces/team/events").status(201).piece("{}");
    control::event_recorder r(client, "c", [] { return at(0); });
    r.record(recorded_events::job(), "Normal", "A", "a");
    r.record(recorded_events::job(), "Normal", "B", "b");
    io.run();
    BOOST_TEST(link->played());
    BOOST_REQUIRE(said.size() == 1);
    BOOST_TEST(said[0] == "an event was not written");
}

BOOST_AUTO_TEST_SUITE_END()
