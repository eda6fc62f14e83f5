#include "kube/answers/page_guard.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(kube_page_guard)

using kftrain::errc;
using kftrain::kube::detail::page_guard;

BOOST_AUTO_TEST_CASE(a_repeated_token_is_an_error) {
    page_guard g;
    BOOST_TEST(g.take("a", false).has_value());
    BOOST_TEST(g.take("b", false).has_value());
    auto const again = g.take("a", false);
    BOOST_TEST_REQUIRE(again.has_error());
    BOOST_TEST((again.error().code == errc::protocol));
    BOOST_TEST(again.error().to_string() ==
               "metadata.continue: expected a new token, got the token of an earlier page, \"a\"");
}

BOOST_AUTO_TEST_CASE(the_continue_token_is_not_shown) {
    page_guard g;
    g.begin("a");
    BOOST_TEST(g.take("a", false).has_error());
    g.begin();
    BOOST_TEST(g.take("a", false).has_value());
}

BOOST_AUTO_TEST_CASE(a_hundred_pages_in_a_row_may_not_be_empty) {
    page_guard g;
    int n = 0;
    for (; n != 99; ++n) BOOST_TEST(g.take(std::to_string(n), true).has_value());
    BOOST_TEST(g.take(std::to_string(n++), false).has_value());
    for (; n != 199; ++n) BOOST_TEST(g.take(std::to_string(n), true).has_value());
    BOOST_TEST(g.take(std::to_string(n), true).has_error());
    BOOST_TEST(g.take("", true).has_value()); // the end
}

BOOST_AUTO_TEST_CASE(the_number_of_pages_is_limited) {
    page_guard g(3);
    BOOST_TEST(g.take("a", false).has_value());
    BOOST_TEST(g.take("b", false).has_value());
    BOOST_TEST(g.take("", false).has_value());
    BOOST_TEST(g.take("c", false).has_error());
}

BOOST_AUTO_TEST_SUITE_END()
