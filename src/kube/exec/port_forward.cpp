#include <kftrain/kube/port_forward.hpp>

#include "base/failure_at.hpp"
#include "kube/async/operation.hpp"
#include "kube/calls/client_state.hpp"
#include "kube/exec/exec_protocol.hpp"
#include "kube/exec/handshake.hpp"
#include "kube/exec/web_socket.hpp"
#include "kube/streams/spdy_session.hpp"

#include <kftrain/kube/then_complete.hpp>
#include <kftrain/objects/core.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>

#include <array>
#include <chrono>

namespace kftrain::kube {
namespace {

/// How long the reason of an end may take after the end.
constexpr auto reason_time = std::chrono::seconds(5);
constexpr std::size_t longest_reason = 64 * 1024;

constexpr std::array port_protocols{detail::ports_tunnel, detail::exec_v4};

} // namespace

result<http_request> request::pod_port_forward(std::string_view ns, std::string_view pod, std::uint16_t port) {
    if (port == 0) return failure_at("port", "expected a port from 1 to 65535, got 0");
    auto made = get(core::pod::resource, ns, pod);
    if (made) made->target += "/portforward?ports=" + std::to_string(port);
    return made;
}

/// The connection as streams of SPDY, or without `data`, as channels of the WebSocket.
struct port_stream::state {
    state(std::shared_ptr<detail::web_socket> s, asio::any_io_executor ex) : socket(std::move(s)), executor(ex) {}

    void tunnel(std::uint16_t port);
    void end(error_code ec) {
        if (!ended) ended = ec;
        if (spdy) spdy->cut();
        socket->cut();
    }
    void close() {
        end(asio::error::operation_aborted);
        detail::cancel({reading, writing});
    }

    std::shared_ptr<detail::web_socket> socket;
    asio::any_io_executor executor;
    std::shared_ptr<detail::spdy_session> spdy;
    std::shared_ptr<detail::spdy_stream> data, error;
    std::array<std::size_t, 2> unnamed{2, 2}; ///< bytes of the number of the port that are still to come, by channel
    bool output_closed = false;
    bool received = false; ///< bytes of the pod
    error_code ended;
    std::weak_ptr<detail::operation> reading, writing;

    static asio::awaitable<std::string> read(std::shared_ptr<state> s, diagnostics* detail);
    /// Reads bytes, or the reason of a failure.
    static asio::awaitable<std::tuple<error_code, std::string>> read_channel(std::shared_ptr<state> s,
                                                                             std::string& reason);
    static asio::awaitable<std::tuple<error_code, std::string>> read_stream(std::shared_ptr<state> s,
                                                                            std::string& reason);
    static asio::awaitable<void> write(std::shared_ptr<state> s, std::string bytes);
};

void port_stream::state::tunnel(std::uint16_t port) {
    using namespace detail;
    spdy = std::make_shared<spdy_session>(executor, make_web_socket_bytes(executor, socket), connection_role::client);
    asio::co_spawn(executor, spdy_session::run(spdy), asio::detached);
    http_fields fields;
    fields.add("streamType", "error");
    fields.add("port", std::to_string(port));
    fields.add("requestID", "0");
    error = spdy->open(fields, true);
    fields.set("streamType", "data");
    data = spdy->open(fields, false);
}

asio::awaitable<std::tuple<error_code, std::string>> port_stream::state::read_channel(std::shared_ptr<state> s,
                                                                                      std::string& reason) {
    for (;;) {
        auto [ec, message] = co_await detail::web_socket::read(s->socket);
        if (ec) co_return std::tuple(ec, std::string());
        if (message.empty()) continue;
        std::size_t const channel = static_cast<unsigned char>(message.front());
        if (channel > 1) continue;
        auto& unnamed = s->unnamed[channel];
        auto const skipped = std::min(unnamed, message.size() - 1);
        unnamed -= skipped;
        message.erase(0, 1 + skipped);
        if (message.empty()) continue;
        if (channel == 1) {
            reason = std::move(message);
            message.clear();
        }
        co_return std::tuple(error_code(), std::move(message));
    }
}

asio::awaitable<std::tuple<error_code, std::string>> port_stream::state::read_stream(std::shared_ptr<state> s,
                                                                                     std::string& reason) {
    auto outcome = co_await detail::spdy_stream::read(s->data);
    if (std::get<0>(outcome) != asio::error::eof) co_return outcome;
    auto const limit = std::make_shared<asio::steady_timer>(s->executor, reason_time);
    limit->async_wait([weak = std::weak_ptr(s->error)](error_code ec) {
        if (auto const errors = weak.lock(); errors && !ec) errors->reset(detail::spdy_reset::cancel);
    });
    for (;;) {
        auto [ec, text] = co_await detail::spdy_stream::read(s->error);
        if (ec) break;
        if (reason.size() < longest_reason) reason += text;
    }
    limit->cancel();
    co_return outcome;
}

asio::awaitable<std::string> port_stream::state::read(std::shared_ptr<state> s, diagnostics* detail) {
    if (s->ended) kube::detail::fail(s->ended);
    detail::stream_guard guard(*s);
    std::string reason;
    auto step = s->data ? read_stream(s, reason) : read_channel(s, reason);
    auto [ec, bytes] = co_await std::move(step);
    guard.done();
    if (!reason.empty()) ec = s->received ? errc::connection_lost : errc::unreachable;
    if (!reason.empty() && detail != nullptr) detail->message = reason.substr(0, longest_reason);
    s->received = true;
    if (!ec) co_return std::move(bytes);
    // After the end of the pod's bytes, bytes to the pod can follow.
    if (ec == asio::error::eof && s->data)
        s->ended = s->ended ? s->ended : ec;
    else
        s->end(ec);
    kube::detail::fail(ec);
}

asio::awaitable<void> port_stream::state::write(std::shared_ptr<state> s, std::string bytes) {
    detail::stream_guard guard(*s);
    error_code ec;
    if (s->ended && s->ended != asio::error::eof)
        ec = s->ended == asio::error::operation_aborted ? s->ended : make_error_code(errc::connection_lost);
    if (!ec && s->data) {
        ec = co_await detail::spdy_stream::write(s->data, std::move(bytes));
    } else if (!ec) {
        std::string_view rest = bytes;
        while (!rest.empty() && !ec) {
            auto const piece = rest.substr(0, detail::exec_piece_size);
            rest.remove_prefix(piece.size());
            ec = co_await detail::web_socket::write(s->socket, std::string(1, '\0').append(piece));
        }
    }
    guard.done();
    if (ec) detail::fail(ec);
}

void port_stream::start_read(std::shared_ptr<state> const& s, any_handler<void(error_code, std::string)> handler,
                             next_options options) {
    if (!s) return detail::abort_later(std::move(handler));
    auto limit = detail::deadline(options.timeout, options.detail, "bytes of a port");
    s->reading = detail::spawn(s->executor, state::read(s, options.detail), std::move(limit), std::move(handler));
}

void port_stream::start_write(std::shared_ptr<state> const& s, any_handler<void(error_code)> handler, std::string bytes,
                              next_options options) {
    if (!s) return detail::abort_later(std::move(handler));
    if (s->output_closed)
        return complete_later(s->executor, std::move(handler), make_error_code(errc::invalid_argument));
    if (bytes.empty()) return complete_later(s->executor, std::move(handler), error_code());
    auto limit = detail::deadline(options.timeout, options.detail, "bytes to a port");
    s->writing = detail::spawn(s->executor, state::write(s, std::move(bytes)), std::move(limit), std::move(handler));
}

void port_stream::start_close(std::shared_ptr<state> const& s, any_handler<void(error_code)> handler, next_options) {
    if (!s) return detail::abort_later(std::move(handler));
    error_code ec;
    if (s->output_closed) ec = errc::invalid_argument;
    if (!ec && s->ended && s->ended != asio::error::eof)
        ec = s->ended == asio::error::operation_aborted ? s->ended : make_error_code(errc::connection_lost);
    if (!ec && !s->data) ec = errc::not_supported;
    if (!ec) {
        s->output_closed = true;
        s->data->finish();
    }
    complete_later(s->executor, std::move(handler), ec);
}

namespace detail {

void start_port_forward(client const& c, any_handler<void(error_code, port_stream)> handler,
                        result<http_request> request, std::uint16_t port, port_forward_options options) {
    auto const key = make_websocket_key();
    if (request) add_handshake(*request, key, port_protocols);
    auto const place = client_access::place_of(c);
    auto const wrap = [place, key, port, detail = options.detail](any_handler<void(error_code, port_stream)> h,
                                                                  error_code ec, std::unique_ptr<body_stream> body) {
        if (ec) return std::move(h)(ec, port_stream());
        std::string why;
        auto upgraded = take_upgraded(std::move(body), key, port_protocols, why);
        if (!upgraded) {
            if (detail != nullptr) detail->message = std::move(why);
            return std::move(h)(errc::protocol, port_stream());
        }
        bool const is_tunnel = upgraded->fields().get("Sec-WebSocket-Protocol") == ports_tunnel;
        auto socket = std::make_shared<web_socket>(place.executor(), std::move(upgraded), connection_role::client,
                                                   exec_message_limit);
        auto made = std::make_shared<port_stream::state>(std::move(socket), place.executor());
        if (is_tunnel) made->tunnel(port);
        std::move(h)(error_code(), port_stream({place, std::move(made)}));
    };
    then_complete then(std::move(handler), wrap);
    client_access::start(c, any_handler<void(error_code, std::unique_ptr<body_stream>)>(std::move(then)),
                         std::move(request), std::move(options));
}

} // namespace detail
} // namespace kftrain::kube
