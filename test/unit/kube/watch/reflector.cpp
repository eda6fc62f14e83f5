#include "unit/kube/watch/reflector_script.hpp"

BOOST_AUTO_TEST_SUITE(kube_reflector)

using namespace reflector_script;

BOOST_AUTO_TEST_CASE(lists_then_watches_from_the_version_of_the_list) {
    script s;
    BOOST_TEST(s.proceed() == "list rv=0 limit=500");
    BOOST_TEST(s.page("5") == "replace 5");
    BOOST_TEST(s.machine.resource_version() == "");
    BOOST_TEST(s.proceed() == "watch 5 for 300");
    BOOST_TEST(s.machine.resource_version() == "5");
    BOOST_TEST(s.opens() == "read");
    BOOST_TEST(s.event(change_kind::added, "6") == "apply");
    BOOST_TEST(s.machine.resource_version() == "5");
    BOOST_TEST(s.proceed() == "read");
    BOOST_TEST(s.machine.resource_version() == "6");
}

BOOST_AUTO_TEST_CASE(later_pages_carry_the_token_and_no_version) {
    script s;
    s.proceed();
    BOOST_TEST(s.page("5", "t1") == "list rv= limit=500 continue=t1");
    BOOST_TEST(s.page("5", "t2") == "list rv= limit=500 continue=t2");
    BOOST_TEST(s.page("9") == "replace 5"); // the version of the first page counts
}

BOOST_AUTO_TEST_CASE(a_bookmark_moves_the_version_and_is_not_applied) {
    script s;
    s.watching();
    BOOST_TEST(s.event(std::nullopt, "9") == "read");
    s.now += 2s;
    BOOST_TEST(s.ends() == "watch 9 for 300");
}

BOOST_AUTO_TEST_CASE(selectors_and_page_size_go_into_every_request) {
    reflector::options o;
    o.label_selector = "a=b";
    o.field_selector = "metadata.name=x";
    o.page_size = 7;
    reflector machine(o);
    auto a = machine.resume(in::proceed(), reflector::moment(0ms, 1));
    auto const& list = std::get<act::list>(a).params;
    BOOST_TEST(list.label_selector == "a=b");
    BOOST_TEST(list.field_selector == "metadata.name=x");
    BOOST_TEST(list.limit == 7U);
    a = machine.resume(in::page("1", "more"), reflector::moment(0ms, 1));
    BOOST_TEST(std::get<act::list>(a).params.label_selector == "a=b");
    machine.resume(in::page("1", ""), reflector::moment(0ms, 1));
    a = machine.resume(in::proceed(), reflector::moment(0ms, 1.5));
    auto const& watch = std::get<act::watch>(a).params;
    BOOST_TEST(watch.label_selector == "a=b");
    BOOST_TEST(watch.field_selector == "metadata.name=x");
    BOOST_TEST(watch.timeout_seconds == 450U);
    BOOST_TEST(watch.allow_bookmarks);
}

BOOST_AUTO_TEST_CASE(a_clean_end_is_followed_by_the_next_watch_at_once) {
    script s;
    s.watching();
    s.event(change_kind::modified, "6");
    s.proceed();
    BOOST_TEST(s.ends() == "watch 6 for 300");
}

BOOST_AUTO_TEST_CASE(a_very_short_empty_watch_causes_a_delay_and_a_list) {
    script s;
    s.watching();
    s.now += 999ms;
    BOOST_TEST(s.ends() == "sleep 800");
    BOOST_TEST(s.proceed() == "list rv=5 limit=0"); // a limit would pass by the server's cache
}

BOOST_AUTO_TEST_CASE(relists_when_the_watch_window_is_gone) {
    script s;
    s.watching();
    BOOST_TEST(s.ends(reason::expired) == "list rv=5 limit=0"); // and not watch 5
    script t;
    t.proceed();
    t.page("5");
    t.proceed();
    BOOST_TEST(t.fails(reason::gone) == "list rv=5 limit=0");
}

BOOST_AUTO_TEST_CASE(pauses_when_a_list_is_followed_by_gone_again) {
    script s;
    s.watching();
    s.ends(reason::expired);
    s.page("6");
    s.proceed();
    BOOST_TEST(s.fails(reason::expired) == "sleep 800");
    BOOST_TEST(s.proceed() == "list rv=6 limit=0");
}

BOOST_AUTO_TEST_CASE(an_expired_list_version_is_dropped_once) {
    script s;
    s.watching();
    s.ends(reason::expired);
    BOOST_TEST(s.fails(reason::expired) == "list rv= limit=500");
    BOOST_TEST(s.fails(reason::expired) == "sleep 800");
    BOOST_TEST(s.proceed() == "list rv= limit=500");
    s.page("8");
    s.proceed();
    s.opens();
    s.event(change_kind::modified, "9");
    s.proceed();
    BOOST_TEST(s.ends(reason::gone) == "list rv=9 limit=0"); // usable again after a list
}

BOOST_AUTO_TEST_CASE(a_version_that_the_server_does_not_know_yet_is_dropped) {
    script s;
    s.proceed();
    in::failed f(make_error_code(reason::timeout));
    f.resource_version_too_large = true;
    BOOST_TEST(s.give(f) == "list rv= limit=500");
}

BOOST_AUTO_TEST_CASE(expired_pages_cause_one_unpaged_list) {
    script s;
    s.proceed();
    s.page("5", "t1");
    BOOST_TEST(s.fails(reason::expired) == "list rv=0 limit=0");
    BOOST_TEST(s.page("6") == "replace 6");
}

BOOST_AUTO_TEST_CASE(a_refused_watch_is_repeated_without_a_list) {
    script s;
    s.watching();
    s.now += 2s;
    s.ends();
    BOOST_TEST(s.fails(make_error_code(boost::system::errc::connection_refused)) == "sleep 800");
    BOOST_TEST(s.proceed() == "watch 5 for 300");
    BOOST_TEST(s.fails(reason::too_many_requests, 7s) == "sleep 7000"); // the server's word over ours
    BOOST_TEST(s.proceed() == "watch 5 for 300");
}

BOOST_AUTO_TEST_CASE(a_watch_refused_for_another_reason_is_followed_by_a_list) {
    script s;
    s.watching();
    s.now += 2s;
    s.ends();
    BOOST_TEST(s.fails(reason::forbidden) == "sleep 800");
    BOOST_TEST(s.proceed() == "list rv=5 limit=0");
}

BOOST_AUTO_TEST_CASE(a_lost_connection_resumes_at_once_and_lists_after_the_third_failure) {
    script s;
    s.watching();
    error_code const lost = errc::connection_lost;
    BOOST_TEST(s.ends(lost) == "watch 5 for 300");
    BOOST_TEST(s.fails(lost) == "sleep 800");
    BOOST_TEST(s.proceed() == "watch 5 for 300");
    BOOST_TEST(s.fails(lost) == "sleep 1600");
    BOOST_TEST(s.proceed() == "watch 5 for 300");
    BOOST_TEST(s.fails(lost) == "sleep 3200");
    BOOST_TEST(s.proceed() == "list rv=5 limit=0");
}

BOOST_AUTO_TEST_CASE(an_event_resets_the_failure_count) {
    script s;
    s.watching();
    error_code const silent = errc::timeout;
    for (int i = 0; i < 10; ++i) {
        s.now += 1s; // more often would be paced
        BOOST_TEST(s.ends(silent) == "watch " + s.machine.resource_version() + " for 300");
        s.opens();
        s.event(change_kind::modified, std::to_string(10 + i));
        s.proceed();
    }
}

BOOST_AUTO_TEST_CASE(undecodable_events_cause_a_list) {
    script s;
    s.watching();
    BOOST_TEST(s.ends(errc::syntax) == "sleep 800");
    BOOST_TEST(s.proceed() == "list rv=5 limit=0");
}

BOOST_AUTO_TEST_CASE(a_429_in_the_stream_causes_a_delay) {
    script s;
    s.watching();
    BOOST_TEST(s.ends(reason::too_many_requests) == "sleep 800");
    BOOST_TEST(s.proceed() == "watch 5 for 300");
    s.opens();
    BOOST_TEST(s.ends(reason::internal_error) == "sleep 1600");
    BOOST_TEST(s.proceed() == "list rv=5 limit=0");
}

BOOST_AUTO_TEST_CASE(pauses_grow_to_thirty_seconds_times_jitter_and_start_again_after_two_quiet_minutes) {
    script s;
    s.proceed();
    for (auto const* expected : {"sleep 800", "sleep 1600", "sleep 3200", "sleep 6400", "sleep 12800", "sleep 25600",
                                 "sleep 30000", "sleep 30000"}) {
        BOOST_TEST(s.fails(reason::internal_error) == expected);
        s.proceed();
    }
    s.jitter = 1.9;
    BOOST_TEST(s.fails(reason::internal_error) == "sleep 57000");
    s.proceed();
    s.now += 3min;
    BOOST_TEST(s.fails(reason::internal_error) == "sleep 1520");
}

BOOST_AUTO_TEST_CASE(a_server_that_pages_the_first_list_is_paged_later_too) {
    script s;
    s.proceed();
    s.page("5", "t1");
    s.page("5");
    s.proceed();
    s.opens();
    BOOST_TEST(s.ends(reason::gone) == "list rv=5 limit=500");
}

BOOST_AUTO_TEST_SUITE_END()
