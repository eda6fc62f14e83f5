#ifndef KFTRAIN_KUBE_PORT_FORWARD_HPP
#define KFTRAIN_KUBE_PORT_FORWARD_HPP

#include <kftrain/kube/client.hpp>
#include <kftrain/kube/next_options.hpp>
#include <kftrain/kube/owned_state.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace kftrain::kube {

/// Call options of a connection to a port of a pod; `timeout` covers the time until the server accepts the request.
struct port_forward_options : detail::call_options_of<port_forward_options> {
    port_forward_options() = default;
};

namespace request {

/** Returns the request that connects to a port of a pod. client::async_stream() sends it without the fields of the
    WebSocket handshake; async_port_forward() adds them.
    @par Errors `errc::invalid_argument` also if `port` is 0 */
[[nodiscard]] result<http_request> pod_port_forward(std::string_view ns, std::string_view pod, std::uint16_t port);

} // namespace request

/** A TCP connection to a port of a pod, over WebSocket. If the caller does not read, the pod cannot send as soon as
    some 100 KiB wait, so that memory is bounded.
    @par Object lifetimes Destroying it ends pending operations with `operation_aborted` and closes the connection. A
    default-constructed or moved-from object has no connection: its operations complete with `operation_aborted`.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe.
    @par Upstream client-go `tools/portforward/portforward.go`, `tunneling_connection.go`, v0.31 */
class port_stream {
public:
    port_stream() = default;

    /** Reads the next bytes, never none. Only one read may be pending; writes may be pending beside it.
        @par Handler signature `void(error_code, std::string)`
        @par Errors `asio::error::eof` when the pod sends no more. `errc::unreachable` if there is no connection to the
        port, for example because no process listens on it, with the message of the server in the diagnostics.
        `errc::connection_lost`; `errc::protocol`. `errc::timeout` and cancellation end the stream: further calls report
        `operation_aborted`.
        @par Cancellation terminal */
    template <detail::completion_token Token = default_token>
    auto async_read(next_options options = {}, Token&& token = Token()) {
        return detail::initiate<void(error_code, std::string)>(
            state_.place(), std::forward<Token>(token),
            [s = state_.share()](any_handler<void(error_code, std::string)> h, next_options o) {
                start_read(s, std::move(h), o);
            },
            options);
    }
    template <detail::completion_token Token> auto async_read(Token&& token) {
        return async_read(next_options(), std::forward<Token>(token));
    }

    /** Sends `bytes` to the pod; completes when they were handed over to the system, or to a buffer of limited size.
        Only one write may be pending.
        @par Handler signature `void(error_code)`
        @par Errors `errc::invalid_argument` after async_close_output(); `errc::connection_lost`; `errc::timeout`.
        @par Cancellation terminal: ends the stream, as for async_read() */
    template <detail::completion_token Token = default_token>
    auto async_write(std::string bytes, next_options options = {}, Token&& token = Token()) {
        return detail::initiate<void(error_code)>(
            state_.place(), std::forward<Token>(token),
            [s = state_.share()](any_handler<void(error_code)> h, std::string t, next_options o) {
                start_write(s, std::move(h), std::move(t), o);
            },
            std::move(bytes), options);
    }
    template <detail::completion_token Token> auto async_write(std::string bytes, Token&& token) {
        return async_write(std::move(bytes), next_options(), std::forward<Token>(token));
    }

    /** Ends the bytes to the pod, which may send on.
        @par Handler signature `void(error_code)`
        @par Errors as async_write(); `errc::not_supported` by servers before Kubernetes 1.31, whose protocol cannot
        express it */
    template <detail::completion_token Token = default_token>
    auto async_close_output(next_options options = {}, Token&& token = Token()) {
        return detail::initiate<void(error_code)>(
            state_.place(), std::forward<Token>(token),
            [s = state_.share()](any_handler<void(error_code)> h, next_options o) { start_close(s, std::move(h), o); },
            options);
    }
    template <detail::completion_token Token> auto async_close_output(Token&& token) {
        return async_close_output(next_options(), std::forward<Token>(token));
    }

    struct state;
    explicit port_stream(detail::owned_state<state> s) : state_(std::move(s)) {}

private:
    static void start_read(std::shared_ptr<state> const& s, any_handler<void(error_code, std::string)> handler,
                           next_options options);
    static void start_write(std::shared_ptr<state> const& s, any_handler<void(error_code)> handler, std::string bytes,
                            next_options options);
    static void start_close(std::shared_ptr<state> const& s, any_handler<void(error_code)> handler,
                            next_options options);

    detail::owned_state<state> state_;
};

namespace detail {

void start_port_forward(client const& c, any_handler<void(error_code, port_stream)> handler,
                        result<http_request> request, std::uint16_t port, port_forward_options options);

} // namespace detail

/** Connects to a port of a pod, as `kubectl port-forward` does for each connection. The pod is reached at its
    127.0.0.1, so that also processes that listen on no other address are reached.
    @par Handler signature `void(error_code, port_stream)`
    @par Errors as client::async_call(), but nothing is retried; `errc::protocol` if the server speaks none of the
    protocols `SPDY/3.1+portforward.k8s.io` (Kubernetes 1.31 and newer) and `v4.channel.k8s.io`. Servers accept the
    request before they connect to the port: a failure of that is reported by port_stream::async_read().
    @par Cancellation total */
template <detail::completion_token Token = default_token>
auto async_port_forward(client const& c, std::string const& ns, std::string const& pod, std::uint16_t port,
                        port_forward_options const& options = {}, Token&& token = Token()) {
    return detail::initiate<void(error_code, port_stream)>(
        detail::client_access::place_of(c), std::forward<Token>(token),
        [c, port](any_handler<void(error_code, port_stream)> h, result<http_request> r, port_forward_options o) {
            detail::start_port_forward(c, std::move(h), std::move(r), port, std::move(o));
        },
        request::pod_port_forward(ns, pod, port), options);
}
template <detail::completion_token Token>
auto async_port_forward(client const& c, std::string const& ns, std::string const& pod, std::uint16_t port,
                        Token&& token) {
    return async_port_forward(c, ns, pod, port, port_forward_options(), std::forward<Token>(token));
}

} // namespace kftrain::kube

#endif
