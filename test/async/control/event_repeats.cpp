#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/control/event_recorder.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/blocking.hpp>

#include "support/served_cluster.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>

BOOST_AUTO_TEST_SUITE(async_event_repeats)

using namespace kftrain;
using namespace std::chrono_literals;
using test::fault;

namespace {

namespace asio = boost::asio;
using names = std::vector<std::string>;

/// A recorder whose server fails as the test says.
struct repeated_events : test::served_cluster {
    explicit repeated_events(control::event_recorder_options o = quick())
        : recorder(std::in_place, client, "c", [] { return time_point(std::chrono::seconds(1767225600)); }, o) {}

    static control::event_recorder_options quick() {
        control::event_recorder_options o;
        o.pause = 1ms;
        return o;
    }
    kube::client_options logging() {
        kube::client_options o;
        o.max_connect_attempts = 1;
        o.logger = logger([this](log_level, std::string_view message, std::initializer_list<log_field>) {
            said.emplace_back(message);
        });
        return o;
    }
    void record(std::string const& message) {
        core::object_reference about;
        about.api_version = "kubeflow.org/v1";
        about.kind = "PyTorchJob";
        about.name = "pt";
        about.namespace_ = "default";
        about.uid = "u";
        recorder->record(about, "Normal", "A", message);
    }
    /// The next writes end like this, in turn; later ones as they would.
    void next(std::vector<fault> faults) {
        link->judge = [faults = std::move(faults), n = std::size_t(0)](kube::http_request const& r) mutable {
            return r.method != "GET" && n < faults.size() ? std::optional(faults[n++]) : std::nullopt;
        };
    }
    void run() {
        time.run(20s);
        BOOST_TEST(!time.step()); // nothing more is to come
    }
    std::vector<core::event> events() {
        auto const every = kube::api<core::event>::all_namespaces(user);
        return ask<object_list<core::event>>([&](auto h) { every.async_list(std::move(h)); }).items;
    }
    /// Messages with their counts, sorted.
    names written() {
        names found;
        for (auto const& e : events()) found.push_back(e.message + " x" + std::to_string(e.count));
        std::sort(found.begin(), found.end());
        return found;
    }
    void expect(names const& wanted) { BOOST_TEST(written() == wanted, boost::test_tools::per_element()); }
    auto count(std::string const& line) const { return std::count(said.begin(), said.end(), line); }

    std::vector<std::string> said;
    kube::client client{link, logging()};
    std::optional<control::event_recorder> recorder;
};

fault const refused = fault::error(asio::error::connection_refused);
fault const reset = fault::error(errc::connection_lost);

} // namespace

// Events and a server that fails.

BOOST_AUTO_TEST_CASE(event_writes_that_fail_transiently_are_retried_in_order) {
    repeated_events w;
    w.next({refused, refused, reset, fault::answer(503, "ServiceUnavailable", "starting"),
            fault::answer(500, "InternalError", "etcd"), fault::answer(504, "Timeout", "slow")});
    for (auto const* m : {"a", "b", "c"}) w.record(m);
    w.run();
    w.expect({"a x1", "b x1", "c x1"});
    BOOST_TEST(w.link->acknowledged.size() == 3U);
    BOOST_TEST(w.count("writing an event failed, retrying") == 1);
    BOOST_TEST(w.count("an event was not written") == 0);
    BOOST_TEST(w.recorder->dropped() == 0U);
}

BOOST_AUTO_TEST_CASE(an_event_is_not_created_twice_if_the_response_is_lost) {
    repeated_events w;
    w.next({fault::lost_answer()});
    w.record("a");
    w.run();
    w.expect({"a x1"});
    BOOST_TEST(w.count("an event was not written") == 0);
    w.record("a");
    w.run();
    w.expect({"a x2"});
}

BOOST_AUTO_TEST_CASE(an_event_recorded_while_an_update_is_rejected_starts_a_new_series) {
    repeated_events w;
    w.next({reset, fault::answer(403, "Forbidden", "no rights")});
    w.record("a");
    w.record("a"); // the first is under way
    w.run();
    BOOST_TEST(w.count("an event was not written") == 1);
    w.expect({"a x2"});
}

BOOST_AUTO_TEST_CASE(an_event_is_not_counted_twice_if_the_response_is_lost) {
    repeated_events w;
    w.record("a");
    w.run();
    w.next({fault::lost_answer()});
    w.record("a");
    w.run();
    w.expect({"a x2"});
}

BOOST_AUTO_TEST_CASE(rejected_event_writes_are_skipped) {
    for (auto const& f :
         {fault::answer(403, "Forbidden", "no rights"), fault::answer(422, "Invalid", "no"),
          fault::answer(409, "AlreadyExists", "there is another"), fault::answer(404, "NotFound", "no")}) {
        repeated_events w;
        w.next({f});
        w.record("a");
        w.record("b");
        w.run();
        w.expect({"b x1"});
        BOOST_TEST(w.count("an event was not written") == 1);
        w.record("a"); // starts again
        w.run();
        w.expect({"a x1", "b x1"});
    }
}

BOOST_AUTO_TEST_CASE(an_expired_event_is_created_again_with_its_count) {
    repeated_events w;
    w.record("a");
    w.run();
    kube::api<core::event> events(w.client, "default");
    auto const name = w.events().at(0).metadata.name;
    kube::run_blocking(w.io.get_executor(), diagnostics(), [&](auto h) {
        events.async_delete(name, std::move(h));
    }).value();
    w.record("a");
    w.run();
    w.expect({"a x2"});
    BOOST_TEST(w.events().at(0).metadata.name == name);
}

BOOST_AUTO_TEST_CASE(an_event_changed_by_another_client_is_still_counted) {
    repeated_events w;
    w.record("a");
    w.run();
    kube::api<core::event> events(w.client, "default");
    auto changed = w.events().at(0);
    changed.metadata.annotations["seen"] = "yes";
    kube::run_blocking<core::event>(w.io.get_executor(), diagnostics(), [&](auto h) {
        events.async_replace(changed, std::move(h));
    }).value();
    w.record("a");
    w.run();
    w.expect({"a x2"});
}

BOOST_AUTO_TEST_CASE(unreachable_servers_do_not_count_as_event_write_attempts) {
    auto o = repeated_events::quick();
    o.max_tries = 3;
    repeated_events w(o);
    w.next({refused, refused, refused, refused, reset, reset, refused, reset});
    w.record("a");
    w.record("b");
    w.run();
    w.expect({"b x1"});
    BOOST_TEST(w.count("an event was not written") == 1);
}

BOOST_AUTO_TEST_CASE(events_beyond_the_queue_limit_are_dropped_and_counted) {
    auto o = repeated_events::quick();
    o.queue_limit = 2;
    repeated_events w(o);
    w.next({refused});
    for (auto const* m : {"a", "b", "c", "d", "b", "b"}) w.record(m); // `b` waits already
    BOOST_TEST(w.recorder->dropped() == 2U);
    BOOST_TEST(w.count("dropping events: too many events wait to be written") == 1);
    w.run();
    w.expect({"a x1", "b x3"});
    BOOST_TEST(w.link->acknowledged.size() == 2U);
    BOOST_TEST(w.count("events are written again") == 1);
    w.record("c");
    w.run();
    w.expect({"a x1", "b x3", "c x1"});
}

BOOST_AUTO_TEST_CASE(thirty_events_about_one_object_are_all_written) {
    repeated_events w;
    for (int i = 10; i < 40; ++i) w.record("pod " + std::to_string(i));
    w.run();
    auto const found = w.written();
    BOOST_TEST(found.size() == 30U);
    BOOST_TEST(std::all_of(found.begin(), found.end(), [](auto const& e) { return e.starts_with("pod "); }));
}

BOOST_AUTO_TEST_CASE(failed_writes_are_not_retried_after_the_recorder_is_destroyed) {
    for (bool early : {true, false}) {
        auto o = repeated_events::quick();
        o.pause = early ? 1h : 1ms;
        repeated_events w(o);
        w.link->judge = [](kube::http_request const&) { return refused; };
        w.record("a");
        w.record("b");
        w.time.advance(early ? 10ms : 50ms);
        w.recorder.reset();
        w.run();
        BOOST_TEST(w.count("events were not written") == 1);
    }
}

BOOST_AUTO_TEST_SUITE_END()
