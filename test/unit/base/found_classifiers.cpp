#include <kftrain/base/error.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(base_found_classifiers)

// A program that names no namespace of the library in front of the calls, nor uses one.
namespace someones_service {
namespace {

boost::system::error_code answer(kftrain::reason r) { return r; }

/// One that the program had before.
bool is_conflict(boost::system::error_code const&) { return true; }

} // namespace

BOOST_AUTO_TEST_CASE(classifiers_are_found_by_argument_dependent_lookup) {
    using kftrain::reason;
    BOOST_TEST(is_not_found(answer(reason::not_found)));
    BOOST_TEST(is_already_exists(answer(reason::already_exists)));
    BOOST_TEST(is_forbidden(answer(reason::forbidden)));
    BOOST_TEST(is_unauthorized(answer(reason::unauthorized)));
    BOOST_TEST(is_invalid(answer(reason::invalid)));
    BOOST_TEST(is_too_many_requests(answer(reason::too_many_requests)));
    BOOST_TEST(is_timeout(answer(reason::timeout)));
    BOOST_TEST(is_gone(answer(reason::expired)));
    BOOST_TEST(is_retryable(answer(reason::server_timeout)));
    BOOST_TEST(is_unreached(boost::system::error_code(kftrain::errc::unreachable)));
    BOOST_TEST(!is_cancelled(answer(reason::not_found)));
    BOOST_TEST(!is_not_found(answer(reason::conflict)));
}

BOOST_AUTO_TEST_CASE(a_function_of_the_application_is_preferred) {
    BOOST_TEST(is_conflict(answer(kftrain::reason::gone)));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace someones_service
