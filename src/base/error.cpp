#include <kftrain/base/error.hpp>

#include "base/tls_reason.hpp"

#include <array>
#include <cerrno>
#include <string>

namespace kftrain {
namespace {

struct client_category_impl final : boost::system::error_category {
    char const* name() const noexcept override { return "kftrain"; }
    std::string message(int value) const override {
        switch (static_cast<errc>(value)) {
        case errc::syntax: return "syntax error";
        case errc::type_mismatch: return "value of the wrong type";
        case errc::out_of_range: return "number out of range";
        case errc::unknown_field: return "unknown field";
        case errc::duplicate_field: return "duplicate field";
        case errc::too_deep: return "nested too deeply";
        case errc::too_large: return "larger than allowed";
        case errc::wrong_kind: return "object of the wrong kind";
        case errc::unknown_kind: return "unknown job kind";
        case errc::invalid_argument: return "invalid argument";
        case errc::invalid_job: return "invalid job";
        case errc::timeout: return "deadline exceeded";
        case errc::deleted: return "object was deleted";
        case errc::connection_lost: return "connection lost";
        case errc::protocol: return "protocol violation";
        case errc::would_deadlock: return "blocking call on the thread that runs the io_context";
        case errc::not_supported: return "not supported";
        case errc::helper_failed: return "sandbox helper failed";
        case errc::incomplete: return "incomplete";
        case errc::unreachable: return "server unreachable";
        case errc::already_running: return "already running";
        case errc::ended: return "already ended";
        case errc::leadership_lost: return "leadership lost";
        case errc::tls_failed: return "TLS handshake failed";
        case errc::wrong_thread:
            return "operation started on a thread that does not run the client; see client::thread_safe()";
        }
        return "unknown kftrain error";
    }
    boost::system::error_condition default_error_condition(int value) const noexcept override {
        using namespace boost::system::errc;
        switch (static_cast<errc>(value)) {
        case errc::timeout: return make_error_condition(timed_out);
        case errc::invalid_argument: return make_error_condition(boost::system::errc::invalid_argument);
        case errc::connection_lost: return make_error_condition(connection_reset);
        case errc::protocol: return make_error_condition(protocol_error);
        case errc::not_supported: return make_error_condition(boost::system::errc::not_supported);
        case errc::would_deadlock: return make_error_condition(resource_deadlock_would_occur);
        case errc::already_running: return make_error_condition(operation_in_progress);
        default: return {value, *this};
        }
    }
};

struct reason_row {
    reason value;
    std::string_view wire;
    unsigned status;
    char const* text;
};

constexpr std::array<reason_row, 18> reasons{{
    {reason::bad_request, "BadRequest", 400, "bad request"},
    {reason::unauthorized, "Unauthorized", 401, "unauthorized"},
    {reason::forbidden, "Forbidden", 403, "forbidden"},
    {reason::not_found, "NotFound", 404, "not found"},
    {reason::method_not_allowed, "MethodNotAllowed", 405, "method not allowed"},
    {reason::not_acceptable, "NotAcceptable", 406, "not acceptable"},
    {reason::already_exists, "AlreadyExists", 409, "already exists"},
    {reason::conflict, "Conflict", 409, "conflict"},
    {reason::gone, "Gone", 410, "gone"},
    {reason::expired, "Expired", 410, "expired"},
    {reason::request_entity_too_large, "RequestEntityTooLarge", 413, "request entity too large"},
    {reason::unsupported_media_type, "UnsupportedMediaType", 415, "unsupported media type"},
    {reason::invalid, "Invalid", 422, "invalid"},
    {reason::too_many_requests, "TooManyRequests", 429, "too many requests"},
    {reason::internal_error, "InternalError", 500, "internal error"},
    {reason::server_timeout, "ServerTimeout", 500, "server timeout"},
    {reason::service_unavailable, "ServiceUnavailable", 503, "service unavailable"},
    {reason::timeout, "Timeout", 504, "timeout"},
}};

reason_row const* row_of(reason r) noexcept {
    for (auto const& row : reasons)
        if (row.value == r) return &row;
    return nullptr;
}

struct server_category_impl final : boost::system::error_category {
    char const* name() const noexcept override { return "kubernetes"; }
    std::string message(int value) const override {
        auto const* row = row_of(static_cast<reason>(value));
        return row != nullptr ? row->text : "unknown reason";
    }
    boost::system::error_condition default_error_condition(int value) const noexcept override {
        using namespace boost::system::errc;
        switch (static_cast<reason>(value)) {
        case reason::timeout:
        case reason::server_timeout: return make_error_condition(timed_out);
        case reason::forbidden: return make_error_condition(permission_denied);
        case reason::not_found: return make_error_condition(no_such_file_or_directory);
        case reason::already_exists: return make_error_condition(file_exists);
        default: return {value, *this};
        }
    }
};

/// A client does not trust the certificate of a server. It finds out during the handshake, before it sends a request.
bool is_distrust(error_code ec) noexcept {
    // This layer does not know OpenSSL: the number is SSL_R_CERTIFICATE_VERIFY_FAILED, in the category of Asio. The
    // transport over TLS checks it when it is compiled.
    static constexpr std::string_view tls = "asio.ssl";
    return tls == ec.category().name() && (ec.value() & detail::tls_reason_mask) == detail::certificate_verify_failed;
}

bool is_reason(error_code ec, reason r) noexcept { return ec == make_error_code(r); }

} // namespace

boost::system::error_category const& client_category() noexcept {
    static client_category_impl const instance;
    return instance;
}

boost::system::error_category const& server_category() noexcept {
    static server_category_impl const instance;
    return instance;
}

std::string_view to_string(reason r) noexcept {
    auto const* row = row_of(r);
    return row != nullptr ? row->wire : std::string_view{};
}

unsigned http_status(reason r) noexcept {
    auto const* row = row_of(r);
    return row != nullptr ? row->status : 0;
}

reason to_reason(std::string_view wire, unsigned status) noexcept {
    for (auto const& row : reasons)
        if (row.wire == wire) return row.value;
    // Only the reason identifies AlreadyExists and ServerTimeout; a bare 409 is a conflict, a bare 410 an expiry.
    for (auto const& row : reasons)
        if (row.status == status && row.value != reason::already_exists && row.value != reason::gone) return row.value;
    return status >= 500 ? reason::internal_error : reason::unknown; // 502 of a proxy, say
}

bool is_not_found(error_code ec) noexcept { return is_reason(ec, reason::not_found); }
bool is_already_exists(error_code ec) noexcept { return is_reason(ec, reason::already_exists); }
bool is_conflict(error_code ec) noexcept { return is_reason(ec, reason::conflict); }
bool is_forbidden(error_code ec) noexcept { return is_reason(ec, reason::forbidden); }
bool is_unauthorized(error_code ec) noexcept { return is_reason(ec, reason::unauthorized); }
bool is_invalid(error_code ec) noexcept {
    return ec == make_error_code(errc::invalid_job) || is_reason(ec, reason::invalid);
}
bool is_too_many_requests(error_code ec) noexcept { return is_reason(ec, reason::too_many_requests); }
bool is_timeout(error_code ec) noexcept {
    return ec == make_error_code(errc::timeout) || is_reason(ec, reason::timeout) ||
           is_reason(ec, reason::server_timeout);
}
bool is_gone(error_code ec) noexcept { return is_reason(ec, reason::gone) || is_reason(ec, reason::expired); }

bool is_retryable(error_code ec) noexcept {
    if (ec.category() == server_category()) {
        auto const r = static_cast<reason>(ec.value());
        return r == reason::too_many_requests || r == reason::internal_error || r == reason::server_timeout ||
               r == reason::service_unavailable || r == reason::timeout;
    }
    if (ec.category() == client_category()) {
        auto const e = static_cast<errc>(ec.value());
        return e == errc::timeout || e == errc::connection_lost || e == errc::unreachable;
    }
    return (is_unreached(ec) && !is_distrust(ec)) || ec == boost::system::errc::connection_reset ||
           ec == boost::system::errc::broken_pipe || ec == boost::system::errc::timed_out;
}

bool is_unreached(error_code ec) noexcept {
    // Those of name lookups, as Asio numbers them, belong to a category that this layer does not know.
    static constexpr std::string_view lookups = "asio.netdb";
    return ec == make_error_code(errc::unreachable) || ec == make_error_code(errc::tls_failed) ||
           ec == boost::system::errc::connection_refused || ec == boost::system::errc::host_unreachable ||
           ec == boost::system::errc::network_unreachable || lookups == ec.category().name() || is_distrust(ec);
}

bool is_cancelled(error_code ec) noexcept { return ec == boost::system::errc::operation_canceled; }

} // namespace kftrain
