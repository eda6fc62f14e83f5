#ifndef KFTRAIN_KUBE_EXEC_HPP
#define KFTRAIN_KUBE_EXEC_HPP

#include <kftrain/kube/client.hpp>
#include <kftrain/kube/next_options.hpp>
#include <kftrain/kube/owned_state.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kftrain::kube {

/// Query and call options of a command in a container; `timeout` covers the time until the command runs.
struct exec_options : detail::call_options_of<exec_options> {
    exec_options() = default;

    std::string container;    ///< required if the pod has several
    bool input = false;       ///< the command reads what exec_stream::async_write() sends; else its input is empty
    bool output = true;       ///< of the command, its standard output
    bool error_output = true; ///< the same for standard error; without effect with `tty`
    bool tty = false;         ///< the command has a terminal; its standard error is part of its output

    exec_options& with_container(std::string name) { return container = std::move(name), *this; }
    exec_options& with_input(bool on = true) { return input = on, *this; }
    exec_options& with_output(bool on) { return output = on, *this; }
    exec_options& with_error_output(bool on) { return error_output = on, *this; }
    exec_options& with_tty(bool on = true) { return tty = on, *this; }
};

namespace request {

/** Returns the request that starts a command in a container of a pod. client::async_stream() sends it without the
    fields of the WebSocket handshake; async_exec() adds them.
    @par Errors `errc::invalid_argument` also if `command` is empty, or no stream is wanted */
[[nodiscard]] result<http_request> pod_exec(std::string_view ns, std::string_view pod,
                                            std::vector<std::string> const& command, exec_options const& options = {});

/** Returns the request that attaches to the program of a container. client::async_stream() sends it without the fields
    of the WebSocket handshake; async_attach() adds them.
    @par Errors `errc::invalid_argument` also if no stream is wanted */
[[nodiscard]] result<http_request> pod_attach(std::string_view ns, std::string_view pod,
                                              exec_options const& options = {});

} // namespace request

/// The streams of a command that exec_stream::async_read() delivers: standard output and standard error.
enum class exec_channel { output, error_output };

/// A part of the output of a command.
struct exec_output {
    exec_output() = default;

    exec_channel channel = exec_channel::output;
    std::string text; ///< bytes; a character may continue in the next part
};

/** A command that runs in a container, over WebSocket. If the caller does not read, the command blocks as soon as it
    has written some 100 KiB, so that memory is bounded.

    The server ends the command of async_exec() when the stream is destroyed; some servers only close its input.
    @par Object lifetimes Destroying it ends pending operations with `operation_aborted` and closes the connection. A
    default-constructed or moved-from object has no command: its operations complete with `operation_aborted`.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe.
    @par Upstream client-go `tools/remotecommand/websocket.go`, v0.31 */
class exec_stream {
public:
    exec_stream() = default;

    /** Reads the next part of the output, never an empty one. Only one read may be pending; writes may be pending
        beside it.
        @par Handler signature `void(error_code, exec_output)`
        @par Errors `asio::error::eof` when the command has ended: exit_code() is set then. If the server cannot run
        the command, the @ref reason of the server, with its message in the diagnostics. `errc::connection_lost` if the
        connection ended without a result of the command; `errc::protocol`. `errc::timeout` and cancellation end the
        stream: further calls report `operation_aborted`.
        @par Cancellation terminal */
    template <detail::completion_token Token = default_token>
    auto async_read(next_options options = {}, Token&& token = Token()) {
        return detail::initiate<void(error_code, exec_output)>(
            state_.place(), std::forward<Token>(token),
            [s = state_.share()](any_handler<void(error_code, exec_output)> h, next_options o) {
                start_read(s, std::move(h), o);
            },
            options);
    }
    template <detail::completion_token Token> auto async_read(Token&& token) {
        return async_read(next_options(), std::forward<Token>(token));
    }

    /** Sends `text` to the standard input of the command; completes when it was handed over to the system, or to a
        buffer of limited size. Only one write may be pending.
        @par Handler signature `void(error_code)`
        @par Errors `errc::invalid_argument` without exec_options::input or after async_close_input();
        `errc::connection_lost`, also after the end of the command; `errc::timeout`.
        @par Cancellation terminal: ends the stream, as for async_read() */
    template <detail::completion_token Token = default_token>
    auto async_write(std::string text, next_options options = {}, Token&& token = Token()) {
        return detail::initiate<void(error_code)>(
            state_.place(), std::forward<Token>(token),
            [s = state_.share()](any_handler<void(error_code)> h, std::string t, next_options o) {
                start_write(s, std::move(h), std::move(t), o);
            },
            std::move(text), options);
    }
    template <detail::completion_token Token> auto async_write(std::string text, Token&& token) {
        return async_write(std::move(text), next_options(), std::forward<Token>(token));
    }

    /** Closes the standard input of the command.
        @par Handler signature `void(error_code)`
        @par Errors as async_write(); `errc::not_supported` by servers before Kubernetes 1.30, whose protocol cannot
        express it */
    template <detail::completion_token Token = default_token>
    auto async_close_input(next_options options = {}, Token&& token = Token()) {
        return detail::initiate<void(error_code)>(
            state_.place(), std::forward<Token>(token),
            [s = state_.share()](any_handler<void(error_code)> h, next_options o) { start_close(s, std::move(h), o); },
            options);
    }
    template <detail::completion_token Token> auto async_close_input(Token&& token) {
        return async_close_input(next_options(), std::forward<Token>(token));
    }

    /** Sets the size of the terminal of a command with exec_options::tty.
        @par Handler signature `void(error_code)`
        @par Errors as async_write() */
    template <detail::completion_token Token = default_token>
    auto async_resize(unsigned columns, unsigned rows, next_options options = {}, Token&& token = Token()) {
        return detail::initiate<void(error_code)>(
            state_.place(), std::forward<Token>(token),
            [s = state_.share(), columns, rows](any_handler<void(error_code)> h, next_options o) {
                start_resize(s, std::move(h), columns, rows, o);
            },
            options);
    }
    template <detail::completion_token Token> auto async_resize(unsigned columns, unsigned rows, Token&& token) {
        return async_resize(columns, rows, next_options(), std::forward<Token>(token));
    }

    /// Returns the exit code of the command after async_read() has completed with `eof`; 128 + N after signal N.
    std::optional<int> exit_code() const noexcept;

    struct state;
    explicit exec_stream(detail::owned_state<state> s) : state_(std::move(s)) {}

private:
    static void start_read(std::shared_ptr<state> const& s, any_handler<void(error_code, exec_output)> handler,
                           next_options options);
    static void start_write(std::shared_ptr<state> const& s, any_handler<void(error_code)> handler, std::string text,
                            next_options options);
    static void start_close(std::shared_ptr<state> const& s, any_handler<void(error_code)> handler,
                            next_options options);
    static void start_resize(std::shared_ptr<state> const& s, any_handler<void(error_code)> handler, unsigned columns,
                             unsigned rows, next_options options);

    detail::owned_state<state> state_;
};

namespace detail {

/// Without a command, attaches.
result<http_request> pod_streams(std::string_view ns, std::string_view pod, std::vector<std::string> const* command,
                                 exec_options const& options);
void start_exec(client const& c, any_handler<void(error_code, exec_stream)> handler, result<http_request> request,
                exec_options options);

} // namespace detail

/** Starts a command in a container of a pod, as `kubectl exec` does. No shell is involved.
    @par Handler signature `void(error_code, exec_stream)`
    @par Errors as client::async_call(), but nothing is retried; `errc::protocol` if the server speaks none of the
    protocols `v5.channel.k8s.io` and `v4.channel.k8s.io`. `errc::invalid_argument` if `command` is empty.
    @par Cancellation total */
template <detail::completion_token Token = default_token>
auto async_exec(client const& c, std::string const& ns, std::string const& pod, std::vector<std::string> const& command,
                exec_options const& options = {}, Token&& token = Token()) {
    return detail::initiate<void(error_code, exec_stream)>(
        detail::client_access::place_of(c), std::forward<Token>(token),
        [c](any_handler<void(error_code, exec_stream)> h, result<http_request> r, exec_options o) {
            detail::start_exec(c, std::move(h), std::move(r), std::move(o));
        },
        request::pod_exec(ns, pod, command, options), options);
}
template <detail::completion_token Token>
auto async_exec(client const& c, std::string const& ns, std::string const& pod, std::vector<std::string> const& command,
                Token&& token) {
    return async_exec(c, ns, pod, command, exec_options(), std::forward<Token>(token));
}

/** Attaches to the program that runs in a container of a pod, as `kubectl attach` does. The stream has the output from
    now on, and ends with the program; its exit code is then 0, whatever that of the program is. Destroying the stream
    leaves the program alone. With exec_options::input the container must have `stdin: true`, with exec_options::tty
    `tty: true`.
    @par Handler signature `void(error_code, exec_stream)`
    @par Errors as async_exec()
    @par Cancellation total */
template <detail::completion_token Token = default_token>
auto async_attach(client const& c, std::string const& ns, std::string const& pod, exec_options const& options = {},
                  Token&& token = Token()) {
    return detail::initiate<void(error_code, exec_stream)>(
        detail::client_access::place_of(c), std::forward<Token>(token),
        [c](any_handler<void(error_code, exec_stream)> h, result<http_request> r, exec_options o) {
            detail::start_exec(c, std::move(h), std::move(r), std::move(o));
        },
        request::pod_attach(ns, pod, options), options);
}
template <detail::completion_token Token>
auto async_attach(client const& c, std::string const& ns, std::string const& pod, Token&& token) {
    return async_attach(c, ns, pod, exec_options(), std::forward<Token>(token));
}

} // namespace kftrain::kube

#endif
