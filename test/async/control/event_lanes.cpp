#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/control/event_recorder.hpp>

#include "support/served_cluster.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(async_event_lanes)

using namespace kftrain;
using test::fault;

namespace {

namespace asio = boost::asio;
using names = std::vector<std::string>;

/// There is nothing behind the transport: the test answers all writes.
struct event_writes : test::served_cluster {
    explicit event_writes(std::size_t in_flight, std::size_t queue_limit = 100) {
        link->holds = &test::faulty_transport::every_write;
        link->describe_held = [](kube::http_request const& r) {
            auto const at = r.body.find(R"("message":")") + 11;
            auto const text = r.body.substr(at, r.body.find('"', at) - at);
            return r.method == "POST" ? text : r.method + " " + text;
        };
        control::event_recorder_options o;
        o.in_flight = in_flight;
        o.queue_limit = queue_limit;
        o.pause = std::chrono::milliseconds(0);
        recorder.emplace(client, "test", [] { return time_point(); }, o);
    }
    ~event_writes() { link->drop(); }

    void record(std::string const& object, std::string const& message) {
        core::object_reference about;
        about.name = object;
        about.namespace_ = "corpus";
        about.uid = "u-" + object;
        recorder->record(about, "Normal", "R", message);
        step();
    }
    void answer(std::size_t at = 0, fault const& how = fault::answer(201, "", "")) {
        link->answer(at, how);
        step();
    }
    void step() { time.settle(); }
    void expect(names const& wanted) { BOOST_TEST(link->sent == wanted, boost::test_tools::per_element()); }

    kube::client client{link, kube::client_options().with_max_attempts(1)};
    std::optional<control::event_recorder> recorder;
};

} // namespace

// Which events are written at the same time.

BOOST_AUTO_TEST_CASE(events_are_written_in_order_per_object_and_concurrently_across_objects) {
    event_writes w(8);
    for (auto const* m : {"a1", "a2", "a3"}) w.record("a", m);
    w.record("b", "b1");
    w.expect({"a1", "b1"});
    w.answer(1);
    w.expect({"a1", "b1"});
    w.answer();
    w.expect({"a1", "b1", "a2"});
    w.answer();
    w.expect({"a1", "b1", "a2", "a3"});
    BOOST_TEST(w.link->most == 2U);
}

BOOST_AUTO_TEST_CASE(concurrent_event_writes_are_limited_and_objects_take_turns) {
    event_writes w(2);
    for (auto const* m : {"a1", "a2"}) w.record("a", m);
    for (auto const* o : {"b", "c", "d"}) w.record(o, std::string(o) + "1");
    w.expect({"a1", "b1"});
    w.answer();
    w.expect({"a1", "b1", "c1"});
    while (w.link->under_way() != 0) w.answer();
    w.expect({"a1", "b1", "c1", "d1", "a2"});
    BOOST_TEST(w.link->most == 2U);
}

BOOST_AUTO_TEST_CASE(transient_failures_delay_only_their_own_object) {
    event_writes w(2);
    w.record("a", "a1");
    w.record("a", "a2");
    w.record("b", "b1");
    w.record("b", "b2");
    w.answer(0, fault::answer(500, "InternalError", "etcd"));
    w.answer(0); // of b
    w.expect({"a1", "b1", "a1", "b2"});
    while (w.link->under_way() != 0) w.answer();
    w.expect({"a1", "b1", "a1", "b2", "a2"});
}

BOOST_AUTO_TEST_CASE(a_retry_delay_occupies_a_slot_only_if_the_server_is_unreachable) {
    event_writes w(1);
    w.record("a", "a1");
    w.record("b", "b1");
    w.answer(0, fault::answer(500, "InternalError", "webhook"));
    w.expect({"a1", "b1"});
    w.answer();
    w.expect({"a1", "b1", "a1"});
    w.answer();

    event_writes v(1);
    v.record("a", "a1");
    v.record("b", "b1");
    v.answer(0, fault::error(errc::unreachable));
    v.expect({"a1", "a1"});
}

BOOST_AUTO_TEST_CASE(an_event_repeated_during_its_write_is_updated_after_other_events_of_the_object) {
    event_writes w(8);
    w.record("a", "a1");
    w.record("a", "a2");
    w.record("a", "a1");
    while (w.link->under_way() != 0) w.answer();
    w.expect({"a1", "a2", "PUT a1"});
}

BOOST_AUTO_TEST_CASE(all_objects_share_one_limit_of_pending_events) {
    event_writes w(1, 3);
    for (auto const* o : {"a", "b", "c", "d", "e"}) w.record(o, std::string(o) + "1");
    BOOST_TEST(w.recorder->dropped() == 2U);
    w.answer();
    w.record("f", "f1");
    BOOST_TEST(w.recorder->dropped() == 2U);
    while (w.link->under_way() != 0) w.answer();
    w.expect({"a1", "b1", "c1", "f1"});
}

BOOST_AUTO_TEST_CASE(destroying_the_recorder_aborts_the_writes_of_all_objects) {
    event_writes w(2);
    for (auto const* o : {"a", "b", "c"}) w.record(o, std::string(o) + "1");
    w.recorder.reset();
    w.answer(0, fault::error(errc::connection_lost));
    w.answer(0, fault::error(errc::connection_lost));
    BOOST_TEST(w.link->under_way() == 0U);
    w.expect({"a1", "b1"});
}

BOOST_AUTO_TEST_SUITE_END()
