#include <kftrain/base/error.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(base_error_messages)

using namespace kftrain;

BOOST_AUTO_TEST_CASE(each_code_has_its_message) {
    struct {
        errc code;
        char const* message;
    } const rows[] = {
        {errc::syntax, "syntax error"},
        {errc::type_mismatch, "value of the wrong type"},
        {errc::out_of_range, "number out of range"},
        {errc::unknown_field, "unknown field"},
        {errc::duplicate_field, "duplicate field"},
        {errc::too_deep, "nested too deeply"},
        {errc::too_large, "larger than allowed"},
        {errc::wrong_kind, "object of the wrong kind"},
        {errc::unknown_kind, "unknown job kind"},
        {errc::invalid_argument, "invalid argument"},
        {errc::invalid_job, "invalid job"},
        {errc::timeout, "deadline exceeded"},
        {errc::deleted, "object was deleted"},
        {errc::connection_lost, "connection lost"},
        {errc::protocol, "protocol violation"},
        {errc::would_deadlock, "blocking call on the thread that runs the io_context"},
        {errc::not_supported, "not supported"},
        {errc::helper_failed, "sandbox helper failed"},
        {errc::incomplete, "incomplete"},
        {errc::unreachable, "server unreachable"},
        {errc::already_running, "already running"},
        {errc::ended, "already ended"},
        {errc::leadership_lost, "leadership lost"},
        {errc::tls_failed, "TLS handshake failed"},
        {errc::wrong_thread, "operation started on a thread that does not run the client; see client::thread_safe()"},
        {errc(9999), "unknown kftrain error"},
    };
    for (auto const& row : rows) BOOST_TEST(make_error_code(row.code).message() == row.message);
}

/// Of the HTTP statuses and reasons of Kubernetes.
BOOST_AUTO_TEST_CASE(each_reason_has_its_message) {
    struct {
        reason code;
        char const* message;
    } const rows[] = {
        {reason::bad_request, "bad request"},
        {reason::unauthorized, "unauthorized"},
        {reason::forbidden, "forbidden"},
        {reason::not_found, "not found"},
        {reason::method_not_allowed, "method not allowed"},
        {reason::not_acceptable, "not acceptable"},
        {reason::already_exists, "already exists"},
        {reason::conflict, "conflict"},
        {reason::gone, "gone"},
        {reason::expired, "expired"},
        {reason::request_entity_too_large, "request entity too large"},
        {reason::unsupported_media_type, "unsupported media type"},
        {reason::invalid, "invalid"},
        {reason::too_many_requests, "too many requests"},
        {reason::internal_error, "internal error"},
        {reason::server_timeout, "server timeout"},
        {reason::service_unavailable, "service unavailable"},
        {reason::timeout, "timeout"},
        {reason::unknown, "unknown reason"},
    };
    for (auto const& row : rows) BOOST_TEST(make_error_code(row.code).message() == row.message);
}

BOOST_AUTO_TEST_SUITE_END()
