#include "kube/exec/web_socket.hpp"

#include "kube/async/waiting_caller.hpp"
#include "kube/calls/client_state.hpp"

#include <kftrain/kube/initiate.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <exception>
#include <random>
#include <tuple>
#include <utility>

namespace kftrain::kube::detail {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t waiting_limit = 64 * 1024; ///< of bytes to be sent, beyond which writers wait
constexpr auto silence_limit = 30s;
constexpr auto await = asio::as_tuple(asio::use_awaitable);

frame_mask random_mask() {
    std::random_device system;
    auto const bits = system();
    frame_mask mask{};
    for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = static_cast<unsigned char>(bits >> (8 * i) & 0xffU);
    return mask;
}

asio::awaitable<std::tuple<error_code, std::string>> next_message(std::shared_ptr<web_socket> socket) {
    for (;;) {
        auto outcome = co_await web_socket::read(socket);
        if (std::get<0>(outcome) || !std::get<1>(outcome).empty()) co_return outcome;
    }
}

class web_socket_bytes final : public upgraded_stream {
public:
    web_socket_bytes(asio::any_io_executor executor, std::shared_ptr<web_socket> socket)
        : executor_(std::move(executor)), socket_(std::move(socket)) {}
    web_socket_bytes(web_socket_bytes const&) = delete;
    web_socket_bytes& operator=(web_socket_bytes const&) = delete;
    ~web_socket_bytes() override { close(); }

    void async_read(any_handler<void(error_code, std::string)> handler) override {
        auto caller = std::make_shared<waiting_caller<std::string>>(std::move(handler), executor_);
        asio::co_spawn(executor_, next_message(socket_),
                       [caller](std::exception_ptr e, std::tuple<error_code, std::string> outcome) {
                           auto& [ec, bytes] = outcome;
                           if (e) ec = asio::error::operation_aborted;
                           caller->complete(ec, std::move(bytes));
                       });
    }

    void async_write(std::string bytes, any_handler<void(error_code)> handler) override {
        auto caller = std::make_shared<waiting_caller<>>(std::move(handler), executor_);
        asio::co_spawn(executor_, web_socket::write(socket_, std::move(bytes)),
                       [caller](std::exception_ptr e, error_code ec) {
                           caller->complete(e ? make_error_code(asio::error::operation_aborted) : ec);
                       });
    }

    void close() noexcept override { socket_->cut(); }

private:
    asio::any_io_executor executor_;
    std::shared_ptr<web_socket> socket_;
};

} // namespace

web_socket::web_socket(asio::any_io_executor executor, std::unique_ptr<upgraded_stream> stream, connection_role role,
                       std::size_t message_limit)
    : executor_(std::move(executor)),
      stream_(std::move(stream)),
      role_(role),
      parser_(role, message_limit),
      progress_(executor_, clock::time_point::max()),
      ping_(executor_),
      heard_(clock::now()) {}

web_socket::~web_socket() { cut(); }

void web_socket::arm_ping() {
    ping_.expires_after(ping_interval(role_));
    ping_.async_wait([weak = weak_from_this()](error_code ec) {
        auto const self = weak.lock();
        if (ec || !self || self->broken_) return;
        bool const is_client = self->role_ == connection_role::client;
        if (is_client && self->reading_ && clock::now() - self->heard_ > silence_limit)
            return self->give_up(errc::connection_lost);
        if (self->sending_ == 0 && !self->closed_) self->send(frame_type::ping, {});
        self->arm_ping();
    });
}

void web_socket::send(frame_type type, std::string_view payload) {
    if (write_fault()) return;
    out_ += write_frame(type, payload,
                        role_ == connection_role::client ? std::optional(random_mask()) : std::optional<frame_mask>());
    pump();
}

void web_socket::pump() {
    if (sending_ != 0 || out_.empty() || write_fault()) return;
    sending_ = out_.size();
    stream_->async_write(std::exchange(out_, std::string()), [self = shared_from_this()](error_code ec) {
        self->sending_ = 0;
        if (ec) self->write_fault_ = ec;
        if (ec) self->out_.clear();
        self->pump();
        self->progress_.cancel();
        if (ec && self->on_unwritable_) std::exchange(self->on_unwritable_, {})();
    });
}

void web_socket::give_up(error_code ec) noexcept {
    if (!broken_) broken_ = ec;
    out_.clear();
    ping_.cancel();
    progress_.cancel();
    on_unwritable_ = nullptr;
    stream_->close();
}

void web_socket::on_unwritable(std::function<void()> f) { on_unwritable_ = std::move(f); }

void web_socket::cut() noexcept { give_up(asio::error::operation_aborted); }

void web_socket::answer(websocket_message const& control) {
    // A peer that sends pings and reads no answers gets none.
    if (control.type == frame_type::ping && out_.size() < waiting_limit) send(frame_type::pong, control.payload);
    if (control.type != frame_type::close || std::exchange(closed_, true)) return;
    send(frame_type::close, std::string_view(control.payload).substr(0, 2));
}

asio::awaitable<std::tuple<error_code, std::string>> web_socket::read(std::shared_ptr<web_socket> self) {
    using outcome = std::tuple<error_code, std::string>;
    for (;;) {
        if (self->broken_) co_return outcome(self->broken_, std::string());
        while (auto message = self->parser_.next()) {
            if (message->type == frame_type::binary || message->type == frame_type::text)
                co_return outcome(error_code(), std::move(message->payload));
            self->answer(*message);
            if (message->type == frame_type::close) co_return outcome(asio::error::eof, std::string());
        }
        if (auto const fault = self->parser_.fault(); fault != 0) {
            self->send(frame_type::close, close_payload(fault));
            self->closed_ = true;
            co_return outcome(fault == 1009 ? errc::too_large : errc::protocol, std::string());
        }
        if (!std::exchange(self->pinging_, true)) self->arm_ping();
        self->reading_ = true;
        self->heard_ = clock::now();
        auto [ec, bytes] = co_await read_piece(self->executor_, *self->stream_);
        self->reading_ = false;
        if (self->broken_) continue;
        if (ec) co_return outcome(ec == asio::error::eof ? make_error_code(errc::connection_lost) : ec, std::string());
        self->parser_.put(bytes);
    }
}

asio::awaitable<error_code> web_socket::write(std::shared_ptr<web_socket> self, std::string message) {
    if (self->closed_) co_return errc::connection_lost;
    self->send(frame_type::binary, message);
    while (!self->write_fault() && self->out_.size() > waiting_limit) co_await self->progress_.async_wait(await);
    co_return self->write_fault();
}

asio::awaitable<void> web_socket::close(std::shared_ptr<web_socket> self) {
    if (!std::exchange(self->closed_, true)) self->send(frame_type::close, close_payload(1000));
    while (!self->write_fault() && (self->sending_ != 0 || !self->out_.empty()))
        co_await self->progress_.async_wait(await);
}

std::unique_ptr<upgraded_stream> make_web_socket_bytes(asio::any_io_executor executor,
                                                       std::shared_ptr<web_socket> socket) {
    return std::make_unique<web_socket_bytes>(std::move(executor), std::move(socket));
}

} // namespace kftrain::kube::detail
