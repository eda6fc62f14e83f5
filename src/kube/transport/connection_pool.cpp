#include "kube/transport/connection_pool.hpp"

#include "base/in_quotes.hpp"
#include "kube/async/operation.hpp"
#include "kube/transport/transport_proxy.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/error.hpp>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace kftrain::kube::detail {
namespace {

using tcp = asio::ip::tcp;
using clock = std::chrono::steady_clock;

/// Closes a socket when time is up. Lives shorter than the socket, on its executor.
class watchdog {
public:
    watchdog(tcp::socket& s, clock::duration time) : timer_(s.get_executor(), time), fired_(std::make_shared<bool>()) {
        timer_.async_wait([&s, weak = std::weak_ptr<bool>(fired_)](error_code ec) {
            auto const fired = weak.lock();
            if (ec || !fired) return;
            *fired = true;
            error_code ignored;
            s.close(ignored);
        });
    }
    bool fired() const noexcept { return *fired_; }

private:
    asio::steady_timer timer_;
    std::shared_ptr<bool> fired_;
};

/// HTTP/1.1 has no pings: the kernel must notice when the peer has vanished.
void tune(tcp::socket& s) {
    auto const set = [&](int level, int name, int value) {
        ::setsockopt(s.native_handle(), level, name, &value, sizeof value); // best effort
    };
    set(IPPROTO_TCP, TCP_NODELAY, 1);
    set(SOL_SOCKET, SO_KEEPALIVE, 1);
    set(IPPROTO_TCP, TCP_KEEPIDLE, 15);
    set(IPPROTO_TCP, TCP_KEEPINTVL, 10);
    set(IPPROTO_TCP, TCP_KEEPCNT, 3);
    set(IPPROTO_TCP, TCP_USER_TIMEOUT, 45'000);
}

/// Returns whether a handshake failed without a fault of a certificate, which has a code of its own.
bool is_disagreement(error_code ec) { return ec.category() == asio::error::get_ssl_category() && !is_unreached(ec); }

/// The peer went away, or was silent, before both agreed upon TLS. That they do not agree is another thing.
bool is_passing(error_code ec) {
    return ec != asio::error::operation_aborted && (ec.category() == boost::system::system_category() ||
                                                    ec == asio::error::eof || ec == asio::ssl::error::stream_truncated);
}

/// Outlives its caller: a name lookup cannot be interrupted.
struct lookup {
    explicit lookup(asio::any_io_executor const& ex) : resolver(ex), answered(ex) {}

    tcp::resolver resolver;
    asio::steady_timer answered;
    bool done = false;
    error_code ec;
    std::vector<tcp::endpoint> found;
};

void start(std::shared_ptr<lookup> const& l, std::string const& host, std::string const& port) {
    l->resolver.async_resolve(host, port, [l](error_code ec, tcp::resolver::results_type const& results) {
        l->done = true;
        l->ec = ec;
        for (auto const& r : results) l->found.push_back(r.endpoint());
        l->answered.cancel();
    });
}

} // namespace

std::unique_ptr<connection> connection_pool::take() {
    drop_old();
    while (!idle_.empty()) {
        auto c = std::move(idle_.back());
        idle_.pop_back();
        if (c->stream.is_quiet()) return c;
    }
    return nullptr;
}

void connection_pool::keep(std::unique_ptr<connection> c) {
    drop_old();
    if (options_.idle_connections == 0 || c->generation != generation_) return;
    if (idle_.size() >= options_.idle_connections) idle_.erase(idle_.begin());
    c->idle_since = clock::now();
    idle_.push_back(std::move(c));
}

void connection_pool::renew(std::unique_ptr<stream_factory> factory) {
    factory_->on_ticket(nullptr);
    factory_ = std::move(factory);
    factory_->on_ticket([this] { release_waiting(); });
    ++generation_;
    idle_.clear();
    hopes_for_tickets_ = true;
    release_waiting();
}

void connection_pool::drop_old() {
    auto const limit = clock::now() - options_.idle_timeout;
    std::erase_if(idle_, [&](auto const& c) { return c->idle_since < limit; });
}

asio::awaitable<connection_pool::endpoints> connection_pool::resolve(clock::time_point until) {
    endpoints found;
    error_code ec;
    auto const& host = proxy_ ? proxy_->host : host_;
    auto const& service = proxy_ ? proxy_->port : port_;
    if (auto const address = asio::ip::make_address(host, ec); !ec) {
        std::uint16_t port = 0;
        std::from_chars(service.data(), service.data() + service.size(), port);
        found.emplace_back(address, port);
        co_return found;
    }
    auto l = std::make_shared<lookup>(executor_);
    l->answered.expires_at(until);
    start(l, host, service);
    co_await l->answered.async_wait(asio::redirect_error(asio::use_awaitable, ec));
    if (!l->done && ec) fail(ec);
    if (!l->done) fail(asio::error::host_not_found_try_again);
    if (l->ec) fail(l->ec);
    found = l->found;
    co_return found;
}

std::string connection_pool::place() const {
    auto const host = host_.find(':') == std::string::npos ? host_ : "[" + host_ + "]";
    return "server " + host + ":" + port_ + (context_.empty() ? "" : ", context " + in_quotes(context_)) +
           (proxy_ ? ", through the proxy " + proxy_->shown : "");
}

void connection_pool::release_waiting() {
    first_until_ = clock::time_point::min();
    if (auto const first = first_.lock()) first->cancel();
}

asio::awaitable<connection_pool::turn> connection_pool::await_first() {
    if (!hopes_for_tickets_ || !factory_->wants_ticket()) co_return turn::any;
    if (first_until_ == clock::time_point::min()) {
        first_until_ = clock::now() + options_.first_connection_wait;
        co_return turn::first;
    }
    auto const until = first_until_;
    if (clock::now() < until) {
        auto first = first_.lock();
        if (!first) first_ = first = std::make_shared<asio::steady_timer>(executor_, until);
        error_code ec;
        co_await first->async_wait(asio::redirect_error(asio::use_awaitable, ec));
        auto const state = co_await asio::this_coro::cancellation_state;
        if (state.cancelled() != asio::cancellation_type::none) fail(asio::error::operation_aborted);
    }
    if (clock::now() >= until && factory_->wants_ticket()) hopes_for_tickets_ = false;
    co_return turn::after_first;
}

asio::awaitable<std::unique_ptr<connection>> connection_pool::reach(tcp::endpoint endpoint, clock::time_point until,
                                                                    connect_fault& fault, bool& offered) {
    fault = connect_fault();
    fault.why = place();
    auto& ec = fault.ec;
    auto const time = std::min<clock::duration>(options_.connect_address_timeout, until - clock::now());
    tcp::socket socket(executor_);
    {
        watchdog const guard(socket, time);
        co_await socket.async_connect(endpoint, asio::redirect_error(asio::use_awaitable, ec));
        if (!ec && proxy_) co_await pass_through(socket, *proxy_, host_, port_, fault);
        if (!fault.refusal.empty()) fault.why = place() + ": " + fault.refusal;
        if (guard.fired()) ec = asio::error::timed_out;
    }
    if (ec) co_return nullptr;
    tune(socket);
    auto c = std::make_unique<connection>(factory_->wrap(std::move(socket)));
    c->generation = generation_;
    offered = c->stream.offers_ticket();
    watchdog const guard(c->stream.socket(), options_.handshake_timeout);
    co_await c->stream.async_handshake(asio::redirect_error(asio::use_awaitable, ec));
    if (guard.fired()) ec = asio::error::timed_out;
    if (ec && !c->stream.refusal().empty()) fault.why = place() + ": " + c->stream.refusal();
    if (ec) co_return nullptr;
    co_return std::move(c);
}

asio::awaitable<std::unique_ptr<connection>> connection_pool::dial(connect_fault& fault) {
    auto const until = clock::now() + options_.connect_timeout;
    fault = connect_fault();
    fault.why = place();
    endpoints const found = co_await resolve(until);
    auto& ec = fault.ec;
    ec = asio::error::host_not_found;
    for (auto const& endpoint : found) {
        bool offered = false;
        auto c = co_await reach(endpoint, until, fault, offered);
        // Servers that cannot resume continue without the ticket. If one fails instead, the next attempt offers none.
        if (offered && ec) factory_->forget_tickets();
        if (offered && ec && ec != asio::error::operation_aborted && ec != asio::error::timed_out) {
            c = co_await reach(endpoint, until, fault, offered);
        }
        if (c) co_return std::move(c);
        if (is_disagreement(ec)) fail(errc::tls_failed);
        if (!is_passing(ec)) fail(ec);
    }
    if (is_unreached(ec)) fail(ec); // its code is specific
    co_return nullptr;
}

asio::awaitable<std::unique_ptr<connection>> connection_pool::connect(connect_fault& fault, bool* reused) {
    auto const mine = co_await await_first();
    if (mine == turn::after_first && reused != nullptr) {
        auto kept = take();
        *reused = kept != nullptr;
        if (kept) co_return std::move(kept);
    }
    std::unique_ptr<connection> c;
    try {
        c = co_await dial(fault);
    } catch (...) {
        if (mine == turn::first) release_waiting();
        throw;
    }
    if (!c && mine == turn::first) release_waiting();
    co_return std::move(c);
}

} // namespace kftrain::kube::detail
