#include <kftrain/base/backoff.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(base_backoff)

using namespace kftrain;
using std::chrono::milliseconds;

BOOST_AUTO_TEST_CASE(the_delay_doubles_up_to_the_limit) {
    backoff wait(milliseconds(5), milliseconds(32));
    for (int expected : {5, 10, 20, 32, 32}) BOOST_TEST(wait.next().count() == expected);
    BOOST_TEST(wait.failures() == 5U);
}

BOOST_AUTO_TEST_CASE(reset_restarts_the_delay) {
    backoff wait(milliseconds(5), milliseconds(1000));
    wait.next();
    wait.next();
    wait.reset();
    BOOST_TEST(wait.failures() == 0U);
    BOOST_TEST(wait.next().count() == 5);
}

BOOST_AUTO_TEST_CASE(jitter_scales_only_the_returned_delay) {
    backoff wait(milliseconds(100), milliseconds(1000));
    BOOST_TEST(wait.next(0.5).count() == 50);
    BOOST_TEST(wait.next(1.5).count() == 300);
    BOOST_TEST(wait.next().count() == 400);
}

BOOST_AUTO_TEST_CASE(a_thousand_failures_do_not_overflow) {
    backoff wait(milliseconds(5), std::chrono::hours(1));
    for (int i = 0; i < 1000; ++i) wait.next();
    BOOST_TEST((wait.next() == std::chrono::hours(1)));
}

BOOST_AUTO_TEST_CASE(an_initial_delay_above_the_limit_is_capped) {
    backoff wait(milliseconds(50), milliseconds(20));
    BOOST_TEST(wait.next().count() == 20);
}

BOOST_AUTO_TEST_SUITE_END()
