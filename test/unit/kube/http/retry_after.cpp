#include "kube/http/header_fields.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kube_retry_after)

using namespace kftrain::kube;
using namespace std::chrono_literals;

namespace {

/// Seconds; -1 if the header is absent or invalid.
std::int64_t delay_of(std::string value, std::string date = "") {
    http_fields fields;
    fields.add("Retry-After", std::move(value));
    if (!date.empty()) fields.add("Date", std::move(date));
    auto const wait = detail::retry_after(fields);
    return wait ? wait->count() : -1;
}

} // namespace

BOOST_AUTO_TEST_CASE(seconds_are_capped_at_an_hour) {
    BOOST_TEST(delay_of("0") == 0);
    BOOST_TEST(delay_of("30") == 30);
    BOOST_TEST(delay_of("3600") == 3600);
    BOOST_TEST(delay_of("3601") == 3600);
}

BOOST_AUTO_TEST_CASE(overflowing_numbers_are_capped) {
    for (auto const* value : {"99999999999", "4294967297", "18446744073709551617", "99999999999999999999999999999"})
        BOOST_TEST(delay_of(value) == 3600, value);
}

BOOST_AUTO_TEST_CASE(values_that_are_neither_numbers_nor_dates_have_no_delay) {
    for (auto const* value : {"", " ", "-5", "+5", "5.5", "5s", "0x10", "1e3", "soon", "5, 6", "Sun, 06 Nov 1994"})
        BOOST_TEST(delay_of(value) == -1, value);
    BOOST_TEST(!detail::retry_after(http_fields()).has_value());
}

// The dates of RFC 9110, 5.6.7.
BOOST_AUTO_TEST_CASE(a_date_is_compared_with_that_of_the_answer) {
    std::string const sent = "Sun, 06 Nov 1994 08:49:37 GMT";
    BOOST_TEST(delay_of("Sun, 06 Nov 1994 08:50:07 GMT", sent) == 30);
    BOOST_TEST(delay_of("Mon, 07 Nov 1994 00:00:00 GMT", sent) == 3600);
    BOOST_TEST(delay_of("Sat, 05 Nov 1994 08:49:37 GMT", sent) == 0);
    BOOST_TEST(delay_of("Fri, 31 Dec 9999 23:59:59 GMT", sent) == 3600);
    BOOST_TEST(delay_of(sent) == 0);
    for (auto const* broken :
         {"Sun, 06 Nov 1994 08:49:37 CET", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Now 1994 08:49:37 GMT",
          "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, -6 Nov 1994 08:49:37 GMT"})
        BOOST_TEST(delay_of(broken, sent) == -1, broken);
}

BOOST_AUTO_TEST_CASE(the_seconds_of_a_status_have_the_same_bound) {
    BOOST_TEST(!detail::retry_after(std::int64_t(0)).has_value());
    BOOST_TEST(!detail::retry_after(std::int64_t(-1)).has_value());
    BOOST_TEST((detail::retry_after(std::int64_t(7)) == 7s));
    BOOST_TEST((detail::retry_after(std::int64_t(2'147'483'647)) == 3600s));
}

BOOST_AUTO_TEST_SUITE_END()
