#include <kftrain/control/status_listener.hpp>

#include "base/failure_at.hpp"
#include "control/plans/status_answer.hpp"
#include "kube/async/run_scope.hpp"

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <list>

namespace kftrain::control {
namespace {

using tcp = asio::ip::tcp;

/// One connection, for one request. Its handlers keep it; the listener cuts it off.
class status_session : public std::enable_shared_from_this<status_session> {
public:
    status_session(tcp::socket s, std::shared_ptr<status_listener_options const> o)
        : socket_(std::move(s)), options_(std::move(o)), timer_(socket_.get_executor(), options_->time_limit) {}

    void start(std::function<void()> ended) {
        ended_ = std::move(ended);
        timer_.async_wait([weak = weak_from_this()](error_code ec) {
            auto const self = weak.lock();
            if (!ec && self) self->cut();
        });
        read();
    }
    void cut() {
        error_code ignored;
        socket_.close(ignored);
        timer_.cancel();
    }

private:
    void read() {
        socket_.async_read_some(asio::buffer(piece_),
                                [self = shared_from_this()](error_code ec, std::size_t n) { self->arrived(ec, n); });
    }
    void arrived(error_code ec, std::size_t n) {
        // Bytes that were read before the listener ended arrive after its end, when its functions may be destroyed.
        if (ec || !socket_.is_open()) return end();
        head_.append(piece_.data(), n);
        auto const until = end_of_head(head_);
        if (until.value_or(head_.size()) > options_->header_limit) return answer(too_long_answer());
        if (!until) return read();
        answer(status_answer(*options_, std::string_view(head_).substr(0, *until)));
    }
    void answer(std::string text) {
        head_ = std::move(text);
        asio::async_write(socket_, asio::buffer(head_), [self = shared_from_this()](error_code ec, std::size_t) {
            error_code failed = ec;
            if (!failed) self->socket_.shutdown(tcp::socket::shutdown_send, failed);
            if (failed) return self->end();
            self->drain();
        });
    }
    /// Closing a socket with unread bytes resets the connection and loses the answer: wait until the peer closes or the
    /// time is up.
    void drain() {
        socket_.async_read_some(asio::buffer(piece_), [self = shared_from_this()](error_code ec, std::size_t) {
            if (ec)
                self->end();
            else
                self->drain();
        });
    }
    void end() {
        cut();
        if (auto const f = std::exchange(ended_, nullptr)) f();
    }

    tcp::socket socket_;
    std::shared_ptr<status_listener_options const> options_;
    asio::steady_timer timer_;
    std::array<char, 2048> piece_{};
    std::string head_; // of the request, then the answer
    std::function<void()> ended_;
};

} // namespace

struct status_listener::state : std::enable_shared_from_this<state> {
    state(asio::any_io_executor ex, status_listener_options o)
        : executor(ex),
          options(std::make_shared<status_listener_options const>(std::move(o))),
          acceptor(ex),
          pause(ex),
          run(ex) {}

    result<void> bind() {
        if (options->max_connections == 0) return failure_at("max_connections", "expected at least 1, got 0");
        if (options->header_limit == 0) return failure_at("header_limit", "expected at least 1, got 0");
        if (options->time_limit.count() <= 0)
            return failure_at("time_limit", "expected a positive duration, got " +
                                                std::to_string(options->time_limit.count()) + " ms");
        error_code ec;
        auto const address = asio::ip::make_address(options->address, ec);
        if (ec) return failure_at("address", "expected an IP address, got \"" + options->address + "\"");
        acceptor.open(tcp::endpoint(address, options->port).protocol(), ec);
        if (!ec) acceptor.set_option(tcp::acceptor::reuse_address(true), ec);
        if (!ec) acceptor.bind({address, options->port}, ec);
        if (!ec) acceptor.listen(asio::socket_base::max_listen_connections, ec);
        if (!ec) port = acceptor.local_endpoint(ec).port();
        if (!ec) return {};
        auto const where = options->address + " port " + std::to_string(options->port);
        return failure_at("port", "cannot listen on " + where + ": " + ec.message(), ec);
    }

    void start(kube::any_handler<void(error_code)> handler) {
        if (!acceptor.is_open() && !run.going()) return run.refuse(std::move(handler), errc::ended);
        auto const cancel = [weak = weak_from_this()] {
            if (auto const self = weak.lock()) self->stop();
        };
        if (run.begin(std::move(handler), cancel)) accept();
    }
    void stop() {
        error_code ignored;
        acceptor.close(ignored);
        pause.cancel();
        for (auto const& s : sessions) s->cut();
        run.end(asio::error::operation_aborted);
    }
    void accept() {
        acceptor.async_accept([weak = weak_from_this()](error_code ec, tcp::socket s) {
            auto const self = weak.lock();
            if (!self || !self->acceptor.is_open()) return;
            if (!ec) {
                self->begin(std::move(s));
                return self->accept();
            }
            // Of descriptors or memory: others may give some back.
            self->options->logger(log_level::warning, "cannot accept a connection", {{"error", ec.message()}});
            self->pause.expires_after(std::chrono::milliseconds(100));
            self->pause.async_wait([weak](error_code) {
                auto const still = weak.lock();
                if (still && still->acceptor.is_open()) still->accept();
            });
        });
    }
    void begin(tcp::socket s) {
        if (sessions.size() >= options->max_connections) {
            sessions.front()->cut();
            sessions.pop_front();
        }
        auto const session = std::make_shared<status_session>(std::move(s), options);
        sessions.push_back(session);
        session->start([weak = weak_from_this(), of = session.get()] {
            if (auto const self = weak.lock())
                std::erase_if(self->sessions, [of](auto const& one) { return one.get() == of; });
        });
    }

    asio::any_io_executor executor;
    std::shared_ptr<status_listener_options const> options;
    tcp::acceptor acceptor;
    asio::steady_timer pause;
    unsigned short port = 0;
    std::list<std::shared_ptr<status_session>> sessions; // the oldest first
    kube::run_scope run;
};

status_listener::status_listener(std::shared_ptr<state> s) : state_(std::move(s)) {}

result<status_listener> status_listener::open(asio::any_io_executor executor, status_listener_options options) {
    auto made = std::make_shared<state>(std::move(executor), std::move(options));
    if (auto ok = made->bind(); !ok) return ok.error();
    return status_listener(std::move(made));
}

status_listener::~status_listener() {
    if (!state_) return;
    state_->run.close();
    state_->stop();
}

asio::any_io_executor status_listener::get_executor() const noexcept { return state_->executor; }
unsigned short status_listener::port() const noexcept { return state_->port; }

void status_listener::run(std::shared_ptr<state> const& s, kube::any_handler<void(error_code)> handler) {
    s->start(std::move(handler));
}

} // namespace kftrain::control
