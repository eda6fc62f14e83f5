#ifndef KFTRAIN_KUBE_LOGS_HPP
#define KFTRAIN_KUBE_LOGS_HPP

#include <kftrain/kube/client.hpp>
#include <kftrain/kube/next_options.hpp>
#include <kftrain/kube/owned_state.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace kftrain::kube {

/** The log of a container, line by line.
    @par Object lifetimes Destroying it ends a pending read with `operation_aborted` and closes the connection.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
class log_stream {
public:
    /// A longer line is delivered in pieces of this size.
    static constexpr std::size_t default_line_limit = 1024 * 1024;

    log_stream() = default;
    explicit log_stream(std::unique_ptr<body_stream> body, detail::start_place place,
                        std::size_t line_limit = default_line_limit);

    /** Reads the next line, without its newline; the last line may lack it. Only one read may be pending.
        @par Handler signature `void(error_code, std::string)`
        @par Errors `asio::error::eof` after the last line; `errc::connection_lost`; the received part of an
        unfinished line is delivered before the error. `errc::timeout` and cancellation end the log: further calls
        report `operation_aborted`.
        @par Cancellation terminal */
    template <detail::completion_token Token = default_token>
    auto async_read_line(next_options options = {}, Token&& token = Token()) {
        return detail::initiate<void(error_code, std::string)>(
            state_.place(), std::forward<Token>(token),
            [s = state_.share()](any_handler<void(error_code, std::string)> h, next_options o) {
                start_read_line(s, std::move(h), o);
            },
            options);
    }
    template <detail::completion_token Token> auto async_read_line(Token&& token) {
        return async_read_line(next_options(), std::forward<Token>(token));
    }

    /// Returns whether the last line is incomplete because the log ended within it.
    bool cut_off() const noexcept;
    /// Returns whether the next line is a further piece of the last one, which is too long.
    bool line_continues() const noexcept;

private:
    struct state;
    static void start_read_line(std::shared_ptr<state> const& s, any_handler<void(error_code, std::string)> handler,
                                next_options options);

    detail::owned_state<state> state_;
};

namespace detail {

void start_logs(client const& c, any_handler<void(error_code, log_stream)> handler, result<http_request> request,
                call_options options);

} // namespace detail

/** Opens the log of a container of a pod. `options.timeout` covers the time until the log begins. The server rejects
    a container that does not run yet with `reason::bad_request`: retry later.
    @par Handler signature `void(error_code, log_stream)`
    @par Errors as client::async_call().
    @par Cancellation total */
template <detail::completion_token Token = default_token>
auto async_logs(client const& c, std::string const& ns, std::string const& pod, log_options const& options = {},
                Token&& token = Token()) {
    return detail::initiate<void(error_code, log_stream)>(
        detail::client_access::place_of(c), std::forward<Token>(token),
        [c](any_handler<void(error_code, log_stream)> h, result<http_request> r, call_options o) {
            detail::start_logs(c, std::move(h), std::move(r), std::move(o));
        },
        request::pod_log(ns, pod, options), options.common());
}
template <detail::completion_token Token>
auto async_logs(client const& c, std::string const& ns, std::string const& pod, Token&& token) {
    return async_logs(c, ns, pod, log_options(), std::forward<Token>(token));
}

} // namespace kftrain::kube

#endif
