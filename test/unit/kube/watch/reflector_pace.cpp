#include "unit/kube/watch/reflector_script.hpp"

BOOST_AUTO_TEST_SUITE(kube_reflector_pace)

using namespace reflector_script;

// How long a reflector waits, and how it is kept from asking too often.

namespace {

error_code const refused = make_error_code(boost::system::errc::connection_refused);

} // namespace

BOOST_AUTO_TEST_CASE(a_server_out_of_reach_is_tried_every_five_seconds_times_jitter_at_least) {
    for (bool watching : {false, true}) {
        script s;
        s.watching();
        s.now += 2s;
        watching ? s.ends() : s.ends(reason::expired);
        std::string const again = watching ? "watch 5 for 300" : "list rv=5 limit=0";
        for (auto const* expected : {"sleep 800", "sleep 1600", "sleep 3200", "sleep 5000", "sleep 5000"}) {
            BOOST_TEST(s.fails(refused) == expected);
            BOOST_TEST(s.proceed() == again);
        }
        s.jitter = 1.9;
        BOOST_TEST(s.fails(errc::unreachable) == "sleep 9500");
    }
}

BOOST_AUTO_TEST_CASE(any_response_ends_the_delay_of_an_unreachable_server) {
    script s;
    s.proceed();
    for (int i = 0; i < 5; ++i) {
        s.fails(refused);
        s.proceed();
    }
    s.fails(reason::service_unavailable);
    s.proceed();
    BOOST_TEST(s.fails(refused) == "sleep 800");
    s.proceed();
    s.fails(refused);
    s.proceed();
    s.page("5");
    s.proceed();
    BOOST_TEST(s.fails(refused) == "sleep 800");
}

BOOST_AUTO_TEST_CASE(answers_of_a_restarted_server_are_waited_for_from_the_start) {
    script s;
    s.proceed();
    for (auto const* expected : {"sleep 800", "sleep 1600", "sleep 3200", "sleep 6400"}) {
        BOOST_TEST(s.fails(reason::service_unavailable) == expected);
        s.proceed();
    }
    s.fails(refused);
    s.proceed();
    BOOST_TEST(s.fails(reason::forbidden) == "sleep 800");
}

BOOST_AUTO_TEST_CASE(a_long_watch_resets_the_failure_count) {
    for (auto stood : {9'999ms, 10'000ms}) {
        script s;
        s.proceed();
        for (int i = 0; i < 5; ++i) {
            s.fails(reason::internal_error);
            s.proceed();
        }
        s.page("5");
        s.proceed();
        s.opens();
        s.now += stood;
        BOOST_TEST(s.ends(reason::internal_error) == (stood == 10s ? "sleep 800" : "sleep 25600"));
    }
}

BOOST_AUTO_TEST_CASE(watches_cut_after_each_event_restart_five_times_and_then_once_a_second) {
    for (error_code cut : {error_code(), make_error_code(errc::connection_lost)}) {
        script s;
        s.watching();
        auto const next = [&](int version) {
            s.event(change_kind::modified, std::to_string(version));
            s.proceed();
            return s.ends(cut);
        };
        int version = 10;
        for (int i = 0; i < 5; ++i, ++version) {
            BOOST_TEST(next(version) == "watch " + std::to_string(version) + " for 300");
            s.opens();
        }
        for (int i = 0; i < 20; ++i, ++version) {
            BOOST_TEST(next(version) == "sleep 1000");
            s.now += 1s;
            BOOST_TEST(s.proceed() == "watch " + std::to_string(version) + " for 300");
            s.opens();
        }
        s.now += 5min; // an ordinary end
        BOOST_TEST(next(version) == "watch " + std::to_string(version) + " for 300");
    }
}

BOOST_AUTO_TEST_CASE(lists_after_each_event_are_paced_too) {
    script s;
    s.watching();
    for (int i = 0; i < 8; ++i) {
        auto const version = std::to_string(10 + i);
        s.event(change_kind::modified, version);
        s.proceed();
        auto const list = "list rv=" + version + " limit=0";
        auto const begun = s.ends(reason::expired);
        BOOST_TEST(begun == (i < 5 ? list : "sleep 1000"));
        if (i >= 5) {
            s.now += 1s;
            BOOST_TEST(s.proceed() == list);
        }
        s.page(version);
        s.proceed();
        s.opens();
    }
}

BOOST_AUTO_TEST_CASE(a_restored_server_is_listed_again_without_a_version) {
    script s;
    s.watching();
    BOOST_TEST(s.give(in::went_back()) == "list rv= limit=500");
    BOOST_TEST(s.page("3") == "replace 3");
    BOOST_TEST(s.proceed() == "watch 3 for 300");
    BOOST_TEST(s.machine.resource_version() == "3");
    s.opens();
    BOOST_TEST(s.ends(reason::expired) == "list rv=3 limit=0"); // versions are of use again
}

BOOST_AUTO_TEST_CASE(a_bookmark_older_than_the_known_version_shows_a_restored_server) {
    script s;
    s.watching();
    BOOST_TEST(s.event(std::nullopt, "5") == "read");
    BOOST_TEST(s.event(std::nullopt, "4") == "list rv= limit=500");
}

BOOST_AUTO_TEST_SUITE_END()
