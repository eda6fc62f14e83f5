#include <kftrain/kube/port_forwarder.hpp>

#include "base/failure_at.hpp"
#include "kube/async/timer.hpp"

#include <kftrain/kube/port_forward.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <chrono>
#include <set>
#include <utility>
#include <vector>

namespace kftrain::kube {
namespace {

using asio::ip::tcp;

constexpr auto values = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t piece_size = 32 * 1024;
constexpr std::size_t most_connections = 256;
/// How long a pod may still send after the end of the local program, if the server cannot pass that end on.
constexpr auto rest_time = std::chrono::seconds(30);
/// Between attempts to accept a connection that fail.
constexpr auto pause_time = std::chrono::seconds(1);

} // namespace

struct port_forwarder::state {
    state(client c, std::string ns, std::string p)
        : executor(c.get_executor()),
          link(std::move(c)),
          place(std::move(ns)),
          pod(std::move(p)),
          changed(executor, detail::timer::time_point::max()) {}

    struct local_port {
        explicit local_port(asio::any_io_executor const& executor) : acceptor(executor), pause(executor) {}

        tcp::acceptor acceptor;
        detail::timer pause;
    };
    using local_port_ptr = std::shared_ptr<local_port>;
    struct connection {
        explicit connection(tcp::socket s) : socket(std::move(s)), rest(socket.get_executor()) {}

        tcp::socket socket;
        port_stream stream;
        detail::timer rest;             ///< until it is closed after the end of the local program
        asio::cancellation_signal stop; ///< of the connection to the pod
        bool sends = true;              ///< bytes of the local program to the pod
        bool receives = true;           ///< bytes of the pod
        bool closed = false;
    };
    using connection_ptr = std::shared_ptr<connection>;
    using state_ptr = std::shared_ptr<state>;

    static asio::awaitable<void> accept(state_ptr self, local_port_ptr at, std::uint16_t port);
    static asio::awaitable<void> serve(state_ptr self, connection_ptr c, std::uint16_t port);
    static asio::awaitable<error_code> receive(state_ptr self, connection_ptr c, diagnostics& why);
    static asio::awaitable<void> send(state_ptr self, connection_ptr c);

    void stop() {
        stopped = true;
        report = nullptr;
        error_code ignored;
        for (auto const& p : local_ports) {
            p->acceptor.close(ignored);
            p->pause.cancel();
        }
        for (auto const& c : std::set(connections)) close(*c);
        changed.cancel();
    }
    void close(connection& c) {
        c.closed = true;
        changed.cancel();
        c.rest.cancel();
        c.stop.emit(asio::cancellation_type::terminal);
        error_code ignored;
        c.socket.close(ignored);
        c.stream = port_stream(); // which ends what is pending
    }
    void fail(std::uint16_t port, error_code ec, diagnostics why) const {
        auto const handler = report; // which may destroy the forwarder
        if (handler) handler(port, failure(ec, std::move(why)));
    }

    asio::any_io_executor executor;
    client link;
    std::string place, pod;
    failure_handler report;
    std::vector<local_port_ptr> local_ports;
    std::set<connection_ptr> connections;
    detail::timer changed;
    bool stopped = false;
};

asio::awaitable<void> port_forwarder::state::accept(state_ptr self, local_port_ptr at, std::uint16_t port) {
    while (!self->stopped) {
        auto [ec, socket] = co_await at->acceptor.async_accept(values);
        if (self->stopped) co_return;
        if (ec) { // for example, no descriptor is left
            diagnostics why;
            why.message = "cannot accept a connection: " + ec.message();
            self->fail(port, ec, std::move(why));
            if (self->stopped) co_return;
            at->pause.expires_after(pause_time);
            co_await at->pause.async_wait(values);
            continue;
        }
        while (!self->stopped && self->connections.size() >= most_connections)
            co_await self->changed.async_wait(values);
        if (self->stopped) co_return;
        auto const c = std::make_shared<connection>(std::move(socket));
        self->connections.insert(c);
        asio::co_spawn(self->executor, serve(self, c, port), asio::detached);
    }
}

asio::awaitable<void> port_forwarder::state::serve(state_ptr self, connection_ptr c, std::uint16_t port) {
    diagnostics why;
    auto const how = port_forward_options().with_detail(why);
    auto [ec, stream] = co_await async_port_forward(self->link, self->place, self->pod, port, how,
                                                    asio::bind_cancellation_slot(c->stop.slot(), values));
    if (!ec && !c->closed) {
        c->stream = std::move(stream);
        asio::co_spawn(self->executor, send(self, c), asio::detached);
        ec = co_await receive(self, c, why);
    }
    bool const failed = ec && !c->closed && ec != asio::error::eof;
    self->close(*c);
    self->connections.erase(c);
    self->changed.cancel();
    if (failed) self->fail(port, ec, std::move(why));
}

/// Passes bytes of the pod on; returns why they ended.
asio::awaitable<error_code> port_forwarder::state::receive(state_ptr self, connection_ptr c, diagnostics& why) {
    for (;;) {
        auto [ec, bytes] = co_await c->stream.async_read(next_options().with_detail(why), values);
        if (ec == asio::error::eof) break;
        if (ec) co_return ec;
        auto [failed, sent] = co_await asio::async_write(c->socket, asio::buffer(bytes), values);
        if (failed) co_return asio::error::eof; // the local program has closed the connection
    }
    c->receives = false;
    c->rest.cancel();
    error_code ignored;
    c->socket.shutdown(tcp::socket::shutdown_send, ignored);
    // The local program may send on.
    while (c->sends && !c->closed) co_await self->changed.async_wait(values);
    co_return asio::error::eof;
}

/// Passes bytes of the local program on.
asio::awaitable<void> port_forwarder::state::send(state_ptr self, connection_ptr c) {
    std::string buffer(piece_size, '\0');
    for (;;) {
        auto [ec, size] = co_await c->socket.async_read_some(asio::buffer(buffer), values);
        if (ec || c->closed) break;
        auto [failed] = co_await c->stream.async_write(buffer.substr(0, size), values);
        if (failed) break;
    }
    if (!c->closed) {
        auto [ec] = co_await c->stream.async_close_output(values);
        if (ec == errc::not_supported && c->receives && !c->closed) {
            c->rest.expires_after(rest_time);
            auto [cancelled] = co_await c->rest.async_wait(values);
            if (!cancelled) self->close(*c);
        }
    }
    c->sends = false;
    self->changed.cancel();
}

port_forwarder::port_forwarder(client c, std::string ns, std::string pod)
    : state_(std::make_shared<state>(std::move(c), std::move(ns), std::move(pod))) {}

port_forwarder::~port_forwarder() {
    if (state_) state_->stop();
}

void port_forwarder::on_failure(failure_handler f) { state_->report = std::move(f); }

result<std::uint16_t> port_forwarder::listen(std::uint16_t port, std::uint16_t local_port) {
    if (port == 0) return failure_at("port", "expected a port from 1 to 65535, got 0");
    auto const made = std::make_shared<state::local_port>(state_->executor);
    auto& acceptor = made->acceptor;
    tcp::endpoint const where(asio::ip::address_v4::loopback(), local_port);
    error_code ec;
    acceptor.open(where.protocol(), ec);
    if (!ec) acceptor.set_option(asio::socket_base::reuse_address(true), ec);
    if (!ec) acceptor.bind(where, ec);
    if (!ec) acceptor.listen(asio::socket_base::max_listen_connections, ec);
    auto const bound = ec ? tcp::endpoint() : acceptor.local_endpoint(ec);
    if (ec) {
        diagnostics why;
        why.message = "cannot listen on 127.0.0.1:" + std::to_string(local_port) + ": " + ec.message();
        return failure(ec, std::move(why));
    }
    state_->local_ports.push_back(made);
    asio::co_spawn(state_->executor, state::accept(state_, made, port), asio::detached);
    return bound.port();
}

} // namespace kftrain::kube
