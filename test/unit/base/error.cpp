#include <kftrain/base/error.hpp>

#include <boost/test/unit_test.hpp>

#include <cerrno>

BOOST_AUTO_TEST_SUITE(base_error)

using namespace kftrain;

namespace {

constexpr reason all_reasons[] = {reason::bad_request,
                                  reason::unauthorized,
                                  reason::forbidden,
                                  reason::not_found,
                                  reason::method_not_allowed,
                                  reason::not_acceptable,
                                  reason::already_exists,
                                  reason::conflict,
                                  reason::gone,
                                  reason::expired,
                                  reason::request_entity_too_large,
                                  reason::unsupported_media_type,
                                  reason::invalid,
                                  reason::too_many_requests,
                                  reason::internal_error,
                                  reason::server_timeout,
                                  reason::service_unavailable,
                                  reason::timeout};

error_code system(int e) { return {e, boost::system::system_category()}; }

} // namespace

BOOST_AUTO_TEST_CASE(codes_compare_equal_to_equivalent_conditions) {
    namespace conditions = boost::system::errc;
    BOOST_TEST((make_error_code(errc::timeout) == conditions::timed_out));
    BOOST_TEST((make_error_code(errc::invalid_argument) == conditions::invalid_argument));
    BOOST_TEST((make_error_code(errc::connection_lost) == conditions::connection_reset));
    BOOST_TEST((make_error_code(errc::protocol) == conditions::protocol_error));
    BOOST_TEST((make_error_code(errc::not_supported) == conditions::not_supported));
    BOOST_TEST((make_error_code(errc::would_deadlock) == conditions::resource_deadlock_would_occur));
    BOOST_TEST((make_error_code(errc::already_running) == conditions::operation_in_progress));
    BOOST_TEST((make_error_code(reason::timeout) == conditions::timed_out));
    BOOST_TEST((make_error_code(reason::server_timeout) == conditions::timed_out));
    BOOST_TEST((make_error_code(reason::forbidden) == conditions::permission_denied));
    BOOST_TEST((make_error_code(reason::not_found) == conditions::no_such_file_or_directory));
    BOOST_TEST((make_error_code(reason::already_exists) == conditions::file_exists));
    BOOST_TEST((make_error_code(errc::deleted) != conditions::timed_out));
    BOOST_TEST((make_error_code(errc::timeout) != make_error_code(reason::timeout))); // codes stay distinct
}

BOOST_AUTO_TEST_CASE(a_reason_survives_a_round_trip_through_text) {
    for (auto r : all_reasons) {
        BOOST_TEST(!to_string(r).empty());
        BOOST_TEST((to_reason(to_string(r), 0) == r), to_string(r));
        BOOST_TEST(http_status(r) >= 400U);
    }
    BOOST_TEST(to_string(reason::unknown) == "");
    BOOST_TEST(http_status(reason::unknown) == 0U);
}

BOOST_AUTO_TEST_CASE(the_reason_of_the_server_overrides_the_http_status) {
    BOOST_TEST((to_reason("AlreadyExists", 500) == reason::already_exists));
    BOOST_TEST((to_reason("", 404) == reason::not_found));
    BOOST_TEST((to_reason("Nonsense", 429) == reason::too_many_requests));
    BOOST_TEST((to_reason("", 409) == reason::conflict));
    BOOST_TEST((to_reason("", 410) == reason::expired));
    BOOST_TEST((to_reason("", 500) == reason::internal_error));
    BOOST_TEST((to_reason("", 418) == reason::unknown));
}

// NewGenericServerResponse() of apimachinery calls every other status from 500 on an internal error.
BOOST_AUTO_TEST_CASE(a_status_of_a_proxy_from_500_on_is_an_internal_error) {
    for (unsigned const status : {501U, 502U, 505U, 520U, 599U})
        BOOST_TEST((to_reason("", status) == reason::internal_error), status);
    BOOST_TEST(is_retryable(to_reason("", 502)));
}

BOOST_AUTO_TEST_CASE(classifiers_match_exactly_their_codes) {
    for (auto r : all_reasons) {
        error_code const ec = r;
        BOOST_TEST(is_not_found(ec) == (r == reason::not_found));
        BOOST_TEST(is_already_exists(ec) == (r == reason::already_exists));
        BOOST_TEST(is_conflict(ec) == (r == reason::conflict));
        BOOST_TEST(is_forbidden(ec) == (r == reason::forbidden));
        BOOST_TEST(is_unauthorized(ec) == (r == reason::unauthorized));
        BOOST_TEST(is_invalid(ec) == (r == reason::invalid));
        BOOST_TEST(is_too_many_requests(ec) == (r == reason::too_many_requests));
        BOOST_TEST(is_timeout(ec) == (r == reason::timeout || r == reason::server_timeout));
        BOOST_TEST(is_gone(ec) == (r == reason::gone || r == reason::expired));
        bool const again = r == reason::too_many_requests || r == reason::internal_error ||
                           r == reason::server_timeout || r == reason::service_unavailable || r == reason::timeout;
        BOOST_TEST(is_retryable(ec) == again, to_string(r));
        BOOST_TEST(!is_cancelled(ec));
    }
    BOOST_TEST(is_timeout(errc::timeout));
    BOOST_TEST(is_invalid(errc::invalid_job));
    BOOST_TEST(!is_invalid(errc::invalid_argument));
    BOOST_TEST(!is_not_found(error_code()));
    BOOST_TEST(!is_retryable(error_code()));
}

BOOST_AUTO_TEST_CASE(equal_numbers_of_two_categories_are_not_confused) {
    error_code const ours(static_cast<int>(reason::not_found), client_category());
    BOOST_TEST(!is_not_found(ours));
    BOOST_TEST(std::string(client_category().name()) == "kftrain");
    BOOST_TEST(std::string(server_category().name()) == "kubernetes");
}

BOOST_AUTO_TEST_CASE(lost_connections_are_retryable_and_caller_errors_are_not) {
    BOOST_TEST(is_retryable(errc::connection_lost));
    BOOST_TEST(is_retryable(errc::timeout));
    BOOST_TEST(is_retryable(system(ECONNREFUSED)));
    BOOST_TEST(is_retryable(system(ECONNRESET)));
    for (auto e : {errc::syntax, errc::type_mismatch, errc::invalid_argument, errc::invalid_job, errc::unknown_kind,
                   errc::would_deadlock, errc::not_supported})
        BOOST_TEST(!is_retryable(e));
    BOOST_TEST(is_cancelled(system(ECANCELED)));
    BOOST_TEST(!is_retryable(system(ECANCELED)));
}

BOOST_AUTO_TEST_CASE(unsent_and_possibly_sent_requests_are_distinguished) {
    for (error_code ec :
         {make_error_code(errc::unreachable), system(ECONNREFUSED), system(EHOSTUNREACH), system(ENETUNREACH)}) {
        BOOST_TEST(is_unreached(ec), ec.message());
        BOOST_TEST(is_retryable(ec), ec.message());
    }
    for (error_code ec : {error_code(), make_error_code(errc::connection_lost), make_error_code(errc::timeout),
                          system(ECONNRESET), system(ETIMEDOUT), make_error_code(reason::service_unavailable)})
        BOOST_TEST(!is_unreached(ec), ec.message());
}

BOOST_AUTO_TEST_CASE(every_own_code_has_a_text) {
    for (int i = static_cast<int>(errc::syntax); i <= static_cast<int>(errc::ended); ++i)
        BOOST_TEST(client_category().message(i) != "unknown kftrain error");
    BOOST_TEST(client_category().message(9999) == "unknown kftrain error");
}

BOOST_AUTO_TEST_SUITE_END()
