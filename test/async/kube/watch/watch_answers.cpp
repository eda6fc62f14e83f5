#include "async/kube/watch/watched_pods.hpp"

#include <string>

BOOST_AUTO_TEST_SUITE(async_watch_answers)

using namespace kftrain;
using namespace kftrain::test;

BOOST_AUTO_TEST_CASE(several_events_can_share_a_line) {
    watching_pods c;
    auto one = event_text("ADDED", pod_text("a", "6"));
    one.pop_back();
    c.watch().piece(one + one.substr(0, 20)).piece(one.substr(20, 10) + "\n").hangs();
    c.watch().piece("{\n\"type\":\"ADDED\",\n\"object\":" + pod_text("a", "6") + "\n}").hangs();
    c.open();
    BOOST_TEST(c.next().object->metadata.name == "a");
    c.open();
    BOOST_TEST(c.next().object->metadata.name == "a");
}

BOOST_AUTO_TEST_CASE(events_of_other_objects_are_ignored_or_end_the_watch) {
    watching_pods c;
    auto const how = kube::watch_options().with_resource_version("5").with_field_selector("metadata.name=a");
    c.watch("fieldSelector=metadata.name%3Da&resourceVersion=5&")
        .piece(event_text("ADDED", pod_text("x0", "6")) + event_text("ADDED", pod_text("a", "7")) +
               event_text("ADDED", R"({"metadata":{"name":"a","namespace":"e"}})"))
        .hangs();
    c.open(how);
    BOOST_TEST(c.next().object->metadata.name == "a");
    c.next(kube::next_options().with_detail(c.why));
    BOOST_TEST(c.last == make_error_code(errc::protocol));
    BOOST_TEST(c.why.message == R"(expected objects in "d", got "a" in "e")");
    BOOST_TEST(c.link->abandoned() == 1U);
}

BOOST_AUTO_TEST_CASE(an_event_of_an_unknown_type_ends_the_watch) {
    watching_pods c;
    c.watch().piece(event_text("FUTURE", pod_text("a", "6")) + event_text("ADDED", pod_text("b", "7"))).hangs();
    c.open();
    for (int again = 0; again < 2; ++again) {
        c.next();
        BOOST_TEST(c.last == make_error_code(errc::syntax));
    }
}

BOOST_AUTO_TEST_SUITE_END()
