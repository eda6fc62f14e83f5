#include "unit/kube/watch/reflector_script.hpp"

BOOST_AUTO_TEST_SUITE(kube_reflector_streaming)

using namespace reflector_script;

// Expected: client-go tools/cache/reflector.go, watchList(), unless noted otherwise.

namespace {

struct streaming_script : script {
    streaming_script() : script(options()) {}
    static reflector::options options() {
        reflector::options o;
        o.streaming = true;
        return o;
    }
    std::string mark(std::string version) { return give(in::event(std::nullopt, std::move(version), true)); }
    /// A list of version 5, after which the watch goes on.
    void listed() {
        BOOST_TEST(proceed() == "stream  for 300");
        opens();
        BOOST_TEST(mark("5") == "replace 5");
        BOOST_TEST(proceed() == "read");
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(a_streamed_list_ends_with_the_bookmark_and_the_watch_continues) {
    streaming_script s;
    BOOST_TEST(s.proceed() == "stream  for 300"); // the latest
    BOOST_TEST(s.opens() == "read");
    BOOST_TEST(s.event(change_kind::added, "3") == "gather");
    BOOST_TEST(s.proceed() == "read");
    BOOST_TEST(s.event(change_kind::deleted, "6") == "gather");
    BOOST_TEST(s.proceed() == "read");
    BOOST_TEST(s.machine.resource_version() == "");
    BOOST_TEST(s.mark("6") == "replace 6");
    BOOST_TEST(s.machine.resource_version() == "");
    BOOST_TEST(s.proceed() == "read");
    BOOST_TEST(s.machine.resource_version() == "6");
    BOOST_TEST(s.event(change_kind::added, "7") == "apply");
    s.proceed();
    s.now += 2s;
    BOOST_TEST(s.ends() == "watch 7 for 300"); // without the list
}

BOOST_AUTO_TEST_CASE(a_new_list_is_not_older_than_what_is_known) {
    streaming_script s;
    s.listed();
    BOOST_TEST(s.ends(reason::expired) == "stream 5 for 300");
}

BOOST_AUTO_TEST_CASE(a_version_that_the_server_cannot_serve_is_left_out) {
    for (bool too_large : {false, true}) {
        streaming_script s;
        s.listed();
        s.ends(reason::expired);
        in::failed f(too_large ? make_error_code(reason::timeout) : make_error_code(reason::expired));
        f.resource_version_too_large = too_large;
        BOOST_TEST(s.give(f) == "stream  for 300");
        BOOST_TEST(s.give(f) == "list rv= limit=500"); // it is not the version
    }
}

BOOST_AUTO_TEST_CASE(a_rejection_of_streaming_is_remembered_and_other_failures_are_not) {
    for (auto r : {reason::bad_request, reason::invalid}) {
        streaming_script s;
        s.proceed();
        BOOST_TEST(s.fails(r) == "list rv=0 limit=500, not streamed");
    }
    for (auto r : {reason::internal_error, reason::forbidden, reason::unauthorized, reason::service_unavailable}) {
        streaming_script s;
        s.proceed();
        BOOST_TEST(s.fails(r) == "list rv=0 limit=500");
    }
    streaming_script s;
    s.proceed();
    BOOST_TEST(s.give(in::not_streamed(true)) == "list rv=0 limit=500"); // is remembered
    streaming_script t;
    t.proceed();
    BOOST_TEST(t.give(in::not_streamed()) == "list rv=0 limit=500, not streamed");
    streaming_script u;
    u.proceed();
    u.opens();
    BOOST_TEST(u.event(std::nullopt, "5") == "list rv=0 limit=500, not streamed");
}

BOOST_AUTO_TEST_CASE(after_pages_the_next_list_is_streamed_again) {
    streaming_script s;
    s.proceed();
    s.fails(reason::internal_error);
    BOOST_TEST(s.page("5") == "replace 5");
    BOOST_TEST(s.proceed() == "watch 5 for 300");
    s.opens();
    BOOST_TEST(s.event(std::nullopt, "6") == "read"); // no longer a sign of anything
    BOOST_TEST(s.ends(reason::expired) == "stream 6 for 300");
}

BOOST_AUTO_TEST_CASE(a_server_out_of_reach_or_busy_is_waited_for) {
    streaming_script s;
    s.proceed();
    BOOST_TEST(s.fails(errc::unreachable) == "sleep 800");
    BOOST_TEST(s.proceed() == "stream  for 300");
    BOOST_TEST(s.fails(reason::too_many_requests, 3000ms) == "sleep 3000");
    BOOST_TEST(s.proceed() == "stream  for 300");
}

/// Upstream starts again for ever.
BOOST_AUTO_TEST_CASE(after_three_interrupted_streams_pages_are_requested) {
    for (error_code ec : {error_code(), make_error_code(errc::connection_lost)}) {
        streaming_script s;
        s.proceed();
        s.opens();
        s.event(change_kind::added, "3");
        s.proceed();
        BOOST_TEST(s.ends(ec) == "stream  for 300"); // at once
        for (auto const* pause : {"sleep 800", "sleep 1600"}) {
            s.opens();
            s.event(change_kind::added, "3");
            s.proceed();
            BOOST_TEST(s.ends(ec) == pause);
            BOOST_TEST(s.proceed() == "stream  for 300");
        }
        s.opens();
        BOOST_TEST(s.ends(ec) == "list rv=0 limit=500");
    }
}

BOOST_AUTO_TEST_CASE(a_restored_server_is_listed_without_a_version) {
    streaming_script s;
    s.listed();
    BOOST_TEST(s.give(in::went_back()) == "stream  for 300");
}

BOOST_AUTO_TEST_SUITE_END()
