#ifndef KFTRAIN_BASE_ERROR_HPP
#define KFTRAIN_BASE_ERROR_HPP

#include <boost/system/error_code.hpp>

#include <concepts>
#include <string_view>

namespace kftrain {

using boost::system::error_code;

/// Errors that the library itself reports, as opposed to errors from a server.
enum class errc {
    syntax = 1,       ///< the text is not valid JSON or YAML
    type_mismatch,    ///< a field has a value of another type
    out_of_range,     ///< a number does not fit its field
    unknown_field,    ///< strict decoding found a field that the type does not have
    duplicate_field,  ///< strict decoding found a field twice
    too_deep,         ///< the text is nested deeper than the decoder allows
    too_large,        ///< the text, a body or a stream item is larger than allowed
    wrong_kind,       ///< apiVersion or kind differ from the requested type
    unknown_kind,     ///< no registered job kind has this apiVersion and kind
    invalid_argument, ///< an option or name is invalid; the message identifies it
    invalid_job,      ///< a validation rule rejected the job
    timeout,          ///< the deadline of the call passed
    deleted,          ///< the awaited object was deleted in the meantime
    connection_lost,  ///< the peer ended the exchange before the response was complete
    protocol,         ///< the peer violated HTTP or the Kubernetes API conventions
    would_deadlock,   ///< a blocking call was made on the thread that runs the io_context
    not_supported,    ///< this host or this build does not support the operation
    helper_failed,    ///< the sandbox helper could not be started or died
    incomplete,       ///< part of the requested result is no longer available; the message identifies it
    unreachable,      ///< no usable connection to the server was established: no part of the request was sent
    already_running,  ///< the object is running and allows only one run at a time
    ended,            ///< the object has ended and cannot run again: create another one
    leadership_lost,  ///< another process leads, or may lead by now: work of the leader was aborted
    tls_failed,       ///< client and server did not agree upon TLS: no part of the request was sent
    wrong_thread,     ///< the operation was started on another thread than the one that runs the client
};

/** Reasons of a failed request from a Kubernetes API server.
    @par Upstream apimachinery `pkg/apis/meta/v1/types.go`, `StatusReason` */
enum class reason {
    unknown = 1,
    bad_request,
    unauthorized,
    forbidden,
    not_found,
    method_not_allowed,
    not_acceptable,
    already_exists,
    conflict,
    gone,
    expired,
    request_entity_too_large,
    unsupported_media_type,
    invalid,
    too_many_requests,
    internal_error,
    server_timeout,
    service_unavailable,
    timeout,
};

/** @name Categories
    Codes compare equal to the conditions of `boost::system::errc` that mean the same: errc::timeout, reason::timeout
    and reason::server_timeout to `timed_out`, errc::connection_lost to `connection_reset`, errc::protocol to
    `protocol_error`, errc::would_deadlock to `resource_deadlock_would_occur`, errc::already_running to
    `operation_in_progress`, errc::invalid_argument and errc::not_supported to those of their names, reason::forbidden
    to `permission_denied`, reason::not_found to `no_such_file_or_directory`, reason::already_exists to `file_exists`.
    @{ */

/// Returns the category of @ref errc, named `kftrain`.
boost::system::error_category const& client_category() noexcept;
/// Returns the category of @ref reason, named `kubernetes`.
boost::system::error_category const& server_category() noexcept;

/// @}

inline error_code make_error_code(errc e) noexcept { return {static_cast<int>(e), client_category()}; }
inline error_code make_error_code(reason r) noexcept { return {static_cast<int>(r), server_category()}; }

/// Returns the wire spelling, e.g. `NotFound`; empty for `reason::unknown`.
std::string_view to_string(reason) noexcept;
/** Returns the reason of a failed response. The reason from the server takes precedence; if it is empty or unknown,
    the HTTP status decides.
    @par Upstream apimachinery `pkg/api/errors/errors.go`, `reasonAndCodeForError` */
reason to_reason(std::string_view wire, unsigned http_status) noexcept;
/// Returns the HTTP status that a server sends with this reason; 0 for `reason::unknown`.
unsigned http_status(reason) noexcept;

/** @name Classifiers
    Use these instead of comparing codes. Unqualified calls work, too: `if (is_not_found(ec))`.
    @{ */

/// The object does not exist.
bool is_not_found(error_code) noexcept;
/// An object of this name exists already.
bool is_already_exists(error_code) noexcept;
/// The object has changed since it was read: read it again and retry.
bool is_conflict(error_code) noexcept;
/// RBAC or another authorizer denies the request: the caller lacks a permission.
bool is_forbidden(error_code) noexcept;
/// Authentication failed: credentials are missing, wrong or expired.
bool is_unauthorized(error_code) noexcept;
/// The object violates rules of its kind; `diagnostics::causes` lists them.
bool is_invalid(error_code) noexcept;
/// The server is overloaded or enforces a rate limit; `diagnostics::retry_after` is the requested delay.
bool is_too_many_requests(error_code) noexcept;
/// The deadline of the call passed, or one of the server.
bool is_timeout(error_code) noexcept;
/// The requested resource version is no longer available: list again (relist).
bool is_gone(error_code) noexcept;
/// The same call can succeed later without a change: overload, timeouts, lost connections.
bool is_retryable(error_code) noexcept;
/// The server was not reached: nothing was sent, so any call can be retried.
bool is_unreached(error_code) noexcept;
/// The caller cancelled the operation.
bool is_cancelled(error_code) noexcept;

/// @}

} // namespace kftrain

template <> struct boost::system::is_error_code_enum<kftrain::errc> : std::true_type {};
template <> struct boost::system::is_error_code_enum<kftrain::reason> : std::true_type {};

// error_code is a type of Boost, so unqualified calls look for functions in this namespace. Templates, so that a
// function of the same name in a program is preferred and not ambiguous.
namespace boost::system {

template <std::same_as<error_code> E> bool is_not_found(E const& ec) noexcept { return kftrain::is_not_found(ec); }
template <std::same_as<error_code> E> bool is_already_exists(E const& ec) noexcept {
    return kftrain::is_already_exists(ec);
}
template <std::same_as<error_code> E> bool is_conflict(E const& ec) noexcept { return kftrain::is_conflict(ec); }
template <std::same_as<error_code> E> bool is_forbidden(E const& ec) noexcept { return kftrain::is_forbidden(ec); }
template <std::same_as<error_code> E> bool is_unauthorized(E const& ec) noexcept {
    return kftrain::is_unauthorized(ec);
}
template <std::same_as<error_code> E> bool is_invalid(E const& ec) noexcept { return kftrain::is_invalid(ec); }
template <std::same_as<error_code> E> bool is_too_many_requests(E const& ec) noexcept {
    return kftrain::is_too_many_requests(ec);
}
template <std::same_as<error_code> E> bool is_timeout(E const& ec) noexcept { return kftrain::is_timeout(ec); }
template <std::same_as<error_code> E> bool is_gone(E const& ec) noexcept { return kftrain::is_gone(ec); }
template <std::same_as<error_code> E> bool is_retryable(E const& ec) noexcept { return kftrain::is_retryable(ec); }
template <std::same_as<error_code> E> bool is_unreached(E const& ec) noexcept { return kftrain::is_unreached(ec); }
template <std::same_as<error_code> E> bool is_cancelled(E const& ec) noexcept { return kftrain::is_cancelled(ec); }

} // namespace boost::system

#endif
