#ifndef KFTRAIN_BASE_ERROR_HPP
#define KFTRAIN_BASE_ERROR_HPP

#include <boost/system/error_code.hpp>

#include <concepts>
#include <string_view>

namespace kftrain {

using boost::system::error_code;

/** Faults that the library itself reports, apart from what a server answers. */
enum class errc {
    syntax = 1,       ///< the text is no JSON or YAML
    type_mismatch,    ///< a field holds a value of another type
    out_of_range,     ///< a number does not fit its field
    unknown_field,    ///< strict decoding met a field that the type does not have
    duplicate_field,  ///< strict decoding met a field twice
    too_deep,         ///< the text is nested deeper than the decoder allows
    too_large,        ///< the text, a body or a stream item is larger than allowed
    wrong_kind,       ///< apiVersion or kind name another type than the one asked for
    unknown_kind,     ///< no registered job kind has this apiVersion and kind
    invalid_argument, ///< an option or name is unusable; the message says which
    invalid_job,      ///< a validation rule refused the job
    timeout,          ///< the deadline of the call passed
    deleted,          ///< the object waited for was deleted meanwhile
    connection_lost,  ///< the peer ended the exchange before the answer was complete
    protocol,         ///< the peer broke HTTP or the Kubernetes API conventions
    would_deadlock,   ///< a blocking call was made on the thread that runs the io_context
    not_supported,    ///< this host or this build cannot do what was asked
    helper_failed,    ///< the sandbox helper could not be started or died
    incomplete,       ///< part of what was asked for cannot be had any more; the message says which
    unreachable,      ///< no usable connection to the server came about: nothing of the request was sent
    already_running,  ///< the object runs, and has one run at a time
    ended,            ///< the object has come to its end and does not run again: make another one
    leadership_lost,  ///< another process leads, or may lead by now: what only the leader does was broken off
};

/** Reasons of a failed request as a Kubernetes API server states them.
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

/// The category of @ref errc, named `kftrain`.
boost::system::error_category const& client_category() noexcept;
/// The category of @ref reason, named `kubernetes`.
boost::system::error_category const& server_category() noexcept;

inline error_code make_error_code(errc e) noexcept { return {static_cast<int>(e), client_category()}; }
inline error_code make_error_code(reason r) noexcept { return {static_cast<int>(r), server_category()}; }

/// The wire spelling, e.g. `NotFound`; empty for `reason::unknown`.
std::string_view to_string(reason) noexcept;
/** The reason of a failed answer. The server's own word decides; an empty or unknown one falls back to the HTTP status.
    @par Upstream apimachinery `pkg/api/errors/errors.go`, `reasonAndCodeForError` */
reason to_reason(std::string_view wire, unsigned http_status) noexcept;
/// The HTTP status a server sends with this reason; 0 for `reason::unknown`.
unsigned http_status(reason) noexcept;

/** @name Classifiers
    Ask these rather than comparing codes. They are found without qualification, too: `if (is_not_found(ec))`.
    @{ */

/// The object does not exist.
bool is_not_found(error_code) noexcept;
/// An object of this name exists already.
bool is_already_exists(error_code) noexcept;
/// The object changed since it was read: read it again and repeat.
bool is_conflict(error_code) noexcept;
/// The server knows who asks and does not allow it.
bool is_forbidden(error_code) noexcept;
/// The server does not know who asks: credentials are missing, wrong or out of date.
bool is_unauthorized(error_code) noexcept;
/// The object breaks rules of its kind; `diagnostics::causes` says which.
bool is_invalid(error_code) noexcept;
/// The server has too much to do; `diagnostics::retry_after` says how long it wants to be left alone.
bool is_too_many_requests(error_code) noexcept;
/// The deadline of the call passed, or one that the server has.
bool is_timeout(error_code) noexcept;
/// The asked resource version is no longer kept: list again.
bool is_gone(error_code) noexcept;
/// The same call can succeed later without a change: overload, time-outs, lost connections.
bool is_retryable(error_code) noexcept;
/// The server was not reached: nothing was sent, and the same call can be repeated whatever it does.
bool is_unreached(error_code) noexcept;
/// The caller cancelled the operation.
bool is_cancelled(error_code) noexcept;

/// @}

} // namespace kftrain

template <> struct boost::system::is_error_code_enum<kftrain::errc> : std::true_type {};
template <> struct boost::system::is_error_code_enum<kftrain::reason> : std::true_type {};

// An error_code is a type of Boost, in whose namespace unqualified calls look for functions. Templates, so that a function of
// the same name that a program has for itself is preferred and not ambiguous.
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
