#ifndef KFTRAIN_KUBE_LOGS_HPP
#define KFTRAIN_KUBE_LOGS_HPP

#include <kftrain/kube/client.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace kftrain::kube {

/** The log of a container, line by line.
    @par Object lifetimes Destroying it ends a pending read with `operation_aborted` and closes the connection.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
class log_stream {
public:
    /// A line that is longer is handed out in pieces of this size.
    static constexpr std::size_t default_line_limit = 1024 * 1024;

    log_stream() = default;
    explicit log_stream(std::unique_ptr<body_stream> body, asio::any_io_executor executor,
                        std::size_t line_limit = default_line_limit);
    log_stream(log_stream&&) noexcept = default;
    log_stream& operator=(log_stream&& other) noexcept;
    ~log_stream();

    /** Reads the next line, without its newline; the last one may lack it. One read at a time.
        @par Handler signature `void(error_code, std::string)`
        @par Errors `asio::error::eof` after the last line; `errc::connection_lost`; what was received of an unfinished
        line is delivered before the error.
        @par Cancellation terminal */
    template <detail::completion_token Token = default_token> auto async_read_line(Token&& token = Token()) {
        return detail::initiate<void(error_code, std::string)>(
            executor_, std::forward<Token>(token),
            [s = state_](any_handler<void(error_code, std::string)> h) { start_read_line(s, std::move(h)); });
    }

    /// Whether the line that was read last is the beginning of one that the end of the log cut off.
    bool cut_off() const noexcept;
    /// Whether the next line is a further piece of the one that was read last, which is too long.
    bool goes_on() const noexcept;

private:
    struct state;
    static void start_read_line(std::shared_ptr<state> const& s, any_handler<void(error_code, std::string)> handler);

    asio::any_io_executor executor_;
    std::shared_ptr<state> state_;
};

namespace detail {

void start_logs(client const& c, any_handler<void(error_code, log_stream)> handler, result<http_request> request,
                call_options options);

} // namespace detail

/** Opens the log of a pod's container. `options.timeout` covers the time until the log begins.
    A container that does not run yet is refused by the server with `reason::bad_request`: try again later.
    @par Handler signature `void(error_code, log_stream)`
    @par Errors as client::async_call().
    @par Cancellation total */
template <detail::completion_token Token = default_token>
auto async_logs(client const& c, std::string const& ns, std::string const& pod, log_options const& options = {},
                Token&& token = Token()) {
    return detail::initiate<void(error_code, log_stream)>(
        c.get_executor(), std::forward<Token>(token),
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
