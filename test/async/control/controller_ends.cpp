#include "async/control/stepped_controller.hpp"

#include <boost/asio/error.hpp>

BOOST_AUTO_TEST_SUITE(async_controller_ends)

using namespace controller_tests;

// How a run begins and ends.

BOOST_AUTO_TEST_CASE(cancellation_waits_for_running_work_and_starts_no_more) {
    stepped_controller w;
    w.start();
    w.c->enqueue("a");
    w.c->enqueue("b");
    w.poll();
    w.cancel();
    BOOST_TEST(!w.ended.has_value());
    w.c->enqueue("c");
    w.poll();
    BOOST_TEST(w.begun.size() == 1);
    w.finish();
    BOOST_REQUIRE(w.ended.has_value());
    BOOST_TEST(*w.ended == asio::error::operation_aborted);
    BOOST_TEST(w.begun.size() == 1);
}

BOOST_AUTO_TEST_CASE(an_idle_controller_ends_at_once_and_can_run_again) {
    stepped_controller w;
    w.start();
    w.cancel();
    BOOST_REQUIRE(w.ended.has_value());
    w.ended.reset();
    w.c->enqueue("a");
    w.start();
    BOOST_TEST(w.begun.size() == 1);
    BOOST_TEST(!w.ended.has_value());
}

BOOST_AUTO_TEST_CASE(a_running_controller_keeps_the_io_context_running) {
    stepped_controller w;
    w.start();
    BOOST_TEST(!w.io.stopped());
    w.cancel();
    BOOST_TEST(w.io.stopped());
}

BOOST_AUTO_TEST_CASE(a_second_concurrent_run_of_a_controller_fails) {
    stepped_controller w;
    w.start();
    std::optional<error_code> second;
    w.c->async_run([&](error_code ec) { second = ec; });
    BOOST_TEST(!second.has_value());
    w.poll();
    BOOST_REQUIRE(second.has_value());
    BOOST_TEST(*second == make_error_code(errc::already_running));
    BOOST_TEST(!w.ended.has_value());
}

BOOST_AUTO_TEST_CASE(destroying_a_controller_ends_the_run_without_waiting_for_work) {
    stepped_controller w;
    w.start();
    w.c->enqueue("a");
    w.c->enqueue_after("b", 1ms);
    w.poll();
    w.c.reset();
    BOOST_TEST(!w.ended.has_value());
    w.poll();
    BOOST_REQUIRE(w.ended.has_value());
    BOOST_TEST(*w.ended == asio::error::operation_aborted);
    w.finish(errc::timeout); // what was in work may still end
    w.run_for(20ms);
    BOOST_TEST(w.begun.size() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
