#include "unit/apiserver/http/running_server.hpp"

BOOST_AUTO_TEST_SUITE(apiserver_api_server_memory)

using namespace sample;
using namespace std::chrono_literals;

namespace {

std::string const events_path = "/api/v1/namespaces/default/events";

struct hands {
    std::shared_ptr<int> seconds = std::make_shared<int>(0);

    api_server_options driving(api_server_options o) const {
        o.clock = [s = seconds] { return at(*s); };
        return o;
    }
};

struct clocked : hands, running {
    explicit clocked(api_server_options o = {}) : running(driving(std::move(o))) {}

    void make_event(std::string const& name) {
        auto const r = open("POST", events_path,
                            R"({"metadata":{"name":")" + name + R"("},"involvedObject":{"kind":"Pod","name":"p"}})");
        BOOST_TEST(r.head.status == 201u);
    }
};

} // namespace

// The memory of a server for clients that do not come back.

BOOST_AUTO_TEST_CASE(any_request_removes_expired_events) {
    clocked s;
    s.make_event("e");
    auto w = s.open("GET", events_path + "?watch=1&resourceVersion=" + std::to_string(s.server->store().version()));
    running::piece p;
    s.read(*w.body, p);
    *s.seconds = 3599;
    BOOST_TEST(s.open("GET", events_path + "/e").head.status == 200u);
    BOOST_TEST(!p->done);
    *s.seconds = 3600;
    BOOST_TEST(s.open("GET", events_path + "/e").head.status == 404u);
    BOOST_REQUIRE(p->done);
    BOOST_TEST(types(p->text) == "DELETED:e ");
}

BOOST_AUTO_TEST_CASE(a_waiting_watch_removes_expired_events) {
    api_server_options o;
    o.bookmark_interval = 10ms;
    clocked s(std::move(o));
    s.make_event("e");
    auto w = s.open("GET", events_path + "?watch=1&resourceVersion=" + std::to_string(s.server->store().version()));
    running::piece p;
    s.read(*w.body, p);
    *s.seconds = 3600;
    s.context.restart();
    for (int turn = 0; turn < 200 && !p->done; ++turn) s.context.run_one();
    BOOST_TEST_REQUIRE(p->done);
    BOOST_TEST(types(p->text) == "DELETED:e ");
}

BOOST_AUTO_TEST_CASE(pending_event_expiry_does_not_keep_the_io_context_running) {
    clocked s;
    s.make_event("e");
    s.context.restart();
    s.context.poll();
    BOOST_TEST(s.context.stopped()); // there is nothing left to wait for
}

BOOST_AUTO_TEST_CASE(an_unread_watch_releases_states_older_than_the_log) {
    api_server_options o;
    o.watch_log_limit = 3;
    running s(std::move(o));
    s.make_pod("a");
    auto w = s.open("GET", pods_path + "?watch=1");
    std::weak_ptr<stored_object const> const first = s.server->store().get(0, "default", "a").value();
    BOOST_TEST(s.server->store().definition(0).plural == "pods");
    for (auto const* n : {"b", "c"}) s.make_pod(n);
    BOOST_TEST(s.open("DELETE", pods_path + "/a").head.status == 200u);
    BOOST_TEST(!first.expired()); // it is still in the log
    for (auto const* n : {"d", "e", "f"}) s.make_pod(n);
    BOOST_TEST(first.expired());
    running::piece p;
    s.read(*w.body, p);
    BOOST_TEST(types(p->text) == "ERROR ");
    s.read(*w.body, p);
    BOOST_TEST(p->ec == asio::error::eof);
}

BOOST_AUTO_TEST_CASE(an_unread_watch_delivers_what_the_log_still_holds) {
    running s;
    s.make_pod("a");
    auto w = s.open("GET", pods_path + "?watch=1");
    s.make_pod("b");
    (void)s.open("DELETE", pods_path + "/a");
    running::piece p;
    s.read(*w.body, p);
    BOOST_TEST(types(p->text) == "ADDED:a ADDED:b MODIFIED:a DELETED:a ");
}

BOOST_AUTO_TEST_CASE(the_limits_of_the_store_are_options_of_the_server) {
    api_server_options o;
    o.event_limit = 2;
    o.event_ttl = 10s;
    o.object_limit = 1000;
    o.watch_log_bytes = 0;
    clocked s(std::move(o));
    for (auto const* n : {"a", "b", "c"}) s.make_event(n);
    BOOST_TEST(s.open("GET", events_path + "/a").head.status == 404u);
    BOOST_TEST(s.open("GET", events_path + "/b").head.status == 200u);
    *s.seconds = 10;
    BOOST_TEST(s.open("GET", events_path + "/b").head.status == 404u);
    BOOST_TEST(s.server->store().usage().log_events == 0U);
    auto const large = s.open("POST", "/api/v1/namespaces/default/configmaps",
                              R"({"metadata":{"name":"c"},"data":{"k":")" + std::string(1000, 'x') + R"("}})");
    BOOST_TEST(large.head.status == 500u);
}

BOOST_AUTO_TEST_SUITE_END()
