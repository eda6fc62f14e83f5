#include "kube/transport/upgraded_socket.hpp"

#include "kube/async/waiting_caller.hpp"
#include "kube/transport/transport_exchange.hpp"

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>

#include <utility>

namespace kftrain::kube::detail {
namespace {

constexpr std::size_t read_size = 32 * 1024;

/// The state that pending operations share with the object.
struct socket_state {
    socket_state(std::shared_ptr<any_stream> s, std::string e) : stream(std::move(s)), early(std::move(e)) {}

    error_code code_of(error_code ec) const {
        if (closed) return asio::error::operation_aborted;
        return ec == asio::error::eof || ec == asio::error::operation_aborted ? ec : public_code(ec);
    }

    std::shared_ptr<any_stream> stream;
    std::string early;
    std::string into;
    bool closed = false;
};

using state_ptr = std::shared_ptr<socket_state>;

/// The handler of one step of the stream: the caller's cancellation reaches the step.
template <class Caller, class Next> struct stream_step {
    using cancellation_slot_type = asio::cancellation_slot;

    cancellation_slot_type get_cancellation_slot() const noexcept { return caller.slot(); }
    void operator()(error_code ec, std::size_t bytes) { next(std::move(caller), ec, bytes); }

    Caller caller;
    Next next;
};
template <class Caller, class Next> stream_step(Caller, Next) -> stream_step<Caller, Next>;

void write_rest(state_ptr const& s, std::shared_ptr<std::string> text, std::size_t sent, waiting_caller<> caller) {
    auto const rest = asio::buffer(*text) + sent;
    auto next = [s, text, sent](waiting_caller<> c, error_code ec, std::size_t bytes) {
        if (s->closed) ec = asio::error::operation_aborted;
        if (ec || sent + bytes == text->size()) return c.complete(ec ? s->code_of(ec) : ec);
        write_rest(s, text, sent + bytes, std::move(c));
    };
    s->stream->async_write_some(rest, stream_step{std::move(caller), std::move(next)});
}

class upgraded_socket final : public upgraded_stream {
public:
    upgraded_socket(state_ptr s, http_fields fields) : upgraded_stream(std::move(fields)), state_(std::move(s)) {}
    upgraded_socket(upgraded_socket const&) = delete;
    upgraded_socket& operator=(upgraded_socket const&) = delete;
    ~upgraded_socket() override { close(); }

    void async_read(any_handler<void(error_code, std::string)> handler) override {
        auto& s = *state_;
        waiting_caller<std::string> caller(std::move(handler), s.stream->get_executor());
        if (s.closed) return caller.fail_later(s.stream->get_executor(), asio::error::operation_aborted);
        if (!s.early.empty())
            return caller.complete_later(s.stream->get_executor(), error_code(), std::exchange(s.early, std::string()));
        s.into.resize(read_size);
        auto next = [kept = state_](waiting_caller<std::string> c, error_code ec, std::size_t bytes) {
            std::string piece;
            if (kept->closed) ec = asio::error::operation_aborted;
            if (!ec) piece = kept->into.substr(0, bytes);
            c.complete(ec ? kept->code_of(ec) : ec, std::move(piece));
        };
        s.stream->async_read_some(asio::buffer(s.into), stream_step{std::move(caller), std::move(next)});
    }

    void async_write(std::string bytes, any_handler<void(error_code)> handler) override {
        waiting_caller<> caller(std::move(handler), state_->stream->get_executor());
        if (state_->closed || bytes.empty())
            return caller.complete_later(state_->stream->get_executor(),
                                         state_->closed ? asio::error::operation_aborted : error_code());
        write_rest(state_, std::make_shared<std::string>(std::move(bytes)), 0, std::move(caller));
    }

    void close() noexcept override {
        if (std::exchange(state_->closed, true)) return;
        error_code ignored;
        state_->stream->socket().close(ignored);
    }

private:
    state_ptr state_;
};

} // namespace

std::unique_ptr<upgraded_stream> make_upgraded_socket(std::shared_ptr<any_stream> stream, std::string early,
                                                      http_fields fields) {
    return std::make_unique<upgraded_socket>(std::make_shared<socket_state>(std::move(stream), std::move(early)),
                                             std::move(fields));
}

} // namespace kftrain::kube::detail
