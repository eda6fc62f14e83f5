#include <kftrain/apiserver/listener.hpp>

#include "apiserver/http/connection_places.hpp"
#include "apiserver/http/listener_session.hpp"
#include "base/failure_at.hpp"
#include "kube/async/run_scope.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <sys/socket.h>
#include <unistd.h>

#include <map>

namespace kftrain::apiserver {
namespace {

using tcp = asio::ip::tcp;
using namespace std::chrono_literals;

failure system_failure(error_code ec, std::string what) {
    diagnostics d;
    d.message = std::move(what) + ": " + ec.message();
    return {ec, std::move(d)};
}

result<void> adopt(tcp::acceptor& acceptor, int fd) {
    sockaddr_storage name{};
    socklen_t size = sizeof name;
    int listens = 0;
    socklen_t flag_size = sizeof listens;
    error_code ec;
    bool const ok = ::getsockname(fd, reinterpret_cast<sockaddr*>(&name), &size) == 0 &&
                    (name.ss_family == AF_INET || name.ss_family == AF_INET6) &&
                    ::getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &flag_size) == 0 && listens != 0;
    if (ok) acceptor.assign(name.ss_family == AF_INET ? tcp::v4() : tcp::v6(), fd, ec);
    if (ok && !ec) return {};
    ::close(fd);
    return failure_at("native_socket", "descriptor " + std::to_string(fd) + " is not a listening TCP socket");
}

result<void> bind(tcp::acceptor& acceptor, listener_options const& options) {
    error_code ec;
    auto const address = asio::ip::make_address(options.address, ec);
    if (ec) return failure_at("address", "\"" + options.address + "\" is not an IP address");
    tcp::endpoint const at(address, options.port);
    auto const where = options.address + " port " + std::to_string(options.port);
    acceptor.open(at.protocol(), ec);
    if (!ec) acceptor.set_option(tcp::acceptor::reuse_address(true), ec);
    if (!ec) acceptor.bind(at, ec);
    if (ec) return system_failure(ec, "cannot bind to " + where);
    acceptor.listen(asio::socket_base::max_listen_connections, ec);
    if (ec) return system_failure(ec, "cannot listen on " + where);
    return {};
}

/// Of descriptors or memory.
bool is_shortage(error_code ec) {
    using namespace boost::system::errc;
    return ec == too_many_files_open || ec == too_many_files_open_in_system || ec == no_buffer_space ||
           ec == not_enough_memory;
}

} // namespace

class listener::state : public std::enable_shared_from_this<state> {
public:
    state(std::shared_ptr<server_core> core, listener_options options)
        : core_(std::move(core)),
          options_(std::make_shared<listener_options const>(std::move(options))),
          acceptor_(core_->executor()),
          pause_(core_->executor()),
          places_(connections_within_descriptors(options_->max_connections), options_->max_unauthenticated),
          run_(core_->executor()) {}

    result<void> open() {
        core_->requests().tokens().add_users(options_, [options = std::weak_ptr(options_)](std::string_view token) {
            auto const alive = options.lock();
            return alive ? listed_user(*alive, token) : nullptr;
        });
        streams_ = kube::detail::make_tcp_factory();
        auto opened = options_->native_socket ? adopt(acceptor_, *options_->native_socket) : bind(acceptor_, *options_);
        if (!opened) return opened;
        endpoint_ = acceptor_.local_endpoint();
        if (!options_->client_ca_pem.empty() && (!options_->tls || options_->bearer_token.empty()))
            return failure_at("client_ca_pem", "expected tls and bearer_token, of which one is missing");
        if (!options_->tls) return {};
        auto made = make_tls_streams(*options_->tls, options_->client_ca_pem);
        if (!made) return made.error();
        streams_ = std::move(*made);
        return {};
    }

    void run(kube::any_handler<void(error_code)> handler) {
        if (!acceptor_.is_open() && !run_.going()) return run_.refuse(std::move(handler), errc::ended);
        auto const cancel = [weak = weak_from_this()] {
            if (auto const self = weak.lock()) self->stop_now();
        };
        if (!run_.begin(std::move(handler), cancel)) return;
        accepting_ = true;
        asio::co_spawn(core_->executor(), accept(), [self = shared_from_this()](std::exception_ptr e) {
            self->accepting_ = false;
            if (e) { // of memory, or of TLS: the listener ends
                if (!self->result_) self->result_ = errc::connection_lost;
                self->stop_now();
            }
            self->finish_if_done();
        });
    }

    /// On any thread.
    void stop() {
        asio::post(core_->executor(), [self = shared_from_this()] { self->stop_now(); });
    }
    /// The owner goes.
    void close() {
        run_.close();
        stop_now();
    }
    /// Gives address and connections back here and now.
    void stop_now() {
        error_code ignored;
        acceptor_.close(ignored);
        pause_.cancel();
        for (auto const& [place, s] : sessions_) s->cut();
    }

    tcp::endpoint const& endpoint() const noexcept { return endpoint_; }
    bool secure() const noexcept { return options_->tls.has_value(); }
    asio::any_io_executor const& executor() const noexcept { return core_->executor(); }

private:
    asio::awaitable<void> accept() {
        error_code ec;
        while (acceptor_.is_open()) {
            tcp::socket s =
                co_await acceptor_.async_accept(core_->executor(), asio::redirect_error(asio::use_awaitable, ec));
            if (!ec) {
                begin(std::move(s));
                continue;
            }
            if (!acceptor_.is_open()) break;
            if (ec == asio::error::operation_aborted || ec == asio::error::bad_descriptor) break;
            if (ec == asio::error::connection_aborted) continue;
            log_fault("cannot accept a connection", ec.message());
            // A connection that gives way frees a descriptor at once; otherwise, wait for other work of the process.
            if (is_shortage(ec) && give_way()) continue;
            pause_.expires_after(100ms);
            co_await pause_.async_wait(asio::redirect_error(asio::use_awaitable, ec));
        }
        if (!result_) result_ = asio::error::operation_aborted;
    }

    void begin(tcp::socket s) {
        error_code ignored;
        if (places_.is_full() && !give_way()) {
            log_fault("connection refused", "all " + std::to_string(places_.limit()) + " connections are in use");
            s.close(ignored);
            return;
        }
        s.set_option(tcp::no_delay(true), ignored);
        s.set_option(asio::socket_base::keep_alive(true), ignored);
        auto session = std::make_shared<listener_session>(core_, options_, streams_->wrap(std::move(s)), large_heads_);
        auto const place = places_.take();
        sessions_.emplace(place, session);
        session->start([this, place] { places_.know(place); },
                       [self = shared_from_this(), place] {
                           self->places_.leave(place);
                           self->sessions_.erase(place);
                           self->finish_if_done();
                       });
    }

    /// Cuts off the oldest connection that has not shown a token. False if there is none.
    bool give_way() {
        auto const oldest = places_.oldest_stranger();
        if (!oldest) return false;
        places_.leave(*oldest);
        sessions_.at(*oldest)->cut(); // forgotten when its work has ended
        return true;
    }

    /// At most once a second: a client that floods the listener must not flood the log.
    void log_fault(std::string_view what, std::string why) {
        auto const now = std::chrono::steady_clock::now();
        if (last_logged_ && now - *last_logged_ < 1s) return;
        last_logged_ = now;
        options_->log(log_level::warning, what, {{"error", std::move(why)}});
    }

    void finish_if_done() {
        if (!accepting_ && sessions_.empty()) run_.end(result_);
    }

    std::shared_ptr<server_core> core_;
    std::shared_ptr<listener_options const> options_;
    tcp::acceptor acceptor_;
    tcp::endpoint endpoint_;
    asio::steady_timer pause_;
    std::unique_ptr<kube::detail::stream_factory> streams_;
    connection_places places_;
    std::shared_ptr<std::size_t> const large_heads_ = std::make_shared<std::size_t>(0);
    std::map<connection_places::number, std::shared_ptr<listener_session>> sessions_;
    std::optional<std::chrono::steady_clock::time_point> last_logged_;
    kube::run_scope run_;
    error_code result_;
    bool accepting_ = false;
};

result<listener> listener::open(api_server& server, listener_options options) {
    auto made = std::make_shared<state>(server.core_, std::move(options));
    if (auto opened = made->open(); !opened) return opened.error();
    return listener(std::move(made));
}

listener::listener(std::shared_ptr<state> s) : state_(std::move(s)) {}
listener::listener(listener&&) noexcept = default;
listener& listener::operator=(listener&& other) noexcept {
    if (this != &other && state_) state_->close();
    state_ = std::move(other.state_);
    return *this;
}
listener::~listener() {
    if (state_) state_->close();
}

asio::any_io_executor listener::get_executor() const noexcept { return state_->executor(); }
unsigned short listener::port() const noexcept { return state_->endpoint().port(); }

std::string listener::url() const {
    auto const address = state_->endpoint().address();
    std::string host = address.to_string();
    if (address.is_v6())
        host = address.is_unspecified() ? "[::1]" : "[" + host + "]";
    else if (address.is_unspecified())
        host = "127.0.0.1";
    return (state_->secure() ? "https://" : "http://") + host + ":" + std::to_string(port());
}

void listener::stop() { state_->stop(); }

void listener::run(std::shared_ptr<state> const& s, kube::any_handler<void(error_code)> handler) {
    s->run(std::move(handler));
}

} // namespace kftrain::apiserver
