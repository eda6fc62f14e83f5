#include "kube/streams/spdy_session.hpp"

#include <kftrain/kube/initiate.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <utility>

namespace kftrain::kube::detail {
namespace {

constexpr std::size_t unsent_limit = 64 * 1024;  ///< of bytes to be sent, beyond which writers wait
constexpr std::size_t unread_limit = 128 * 1024; ///< of bytes that were not read, beyond which nothing is received
constexpr std::size_t piece_size = 32 * 1024;
constexpr std::size_t most_streams = 512;
constexpr auto as_values = asio::as_tuple(asio::use_awaitable);

template <class Token> auto receive_piece(asio::any_io_executor executor, upgraded_stream& stream, Token&& token) {
    return initiate<void(error_code, std::string)>(
        std::move(executor), std::forward<Token>(token),
        [&stream](any_handler<void(error_code, std::string)> h) { stream.async_read(std::move(h)); });
}

} // namespace

spdy_stream::spdy_stream(std::shared_ptr<spdy_session> session, std::uint32_t id, http_fields fields)
    : session_(std::move(session)),
      id_(id),
      fields_(std::move(fields)),
      arrived_(session_->executor(), asio::steady_timer::time_point::max()) {}

spdy_stream::~spdy_stream() {
    if (!out_ended_) reset(spdy_reset::cancel); // else what comes is ignored
    session_->leave(*this);
}

error_code spdy_stream::fault() const noexcept {
    return reset_ ? make_error_code(errc::connection_lost) : session_->broken_;
}

bool spdy_stream::is_readable() const noexcept { return !in_.empty() || in_ended_ || fault().failed(); }

asio::awaitable<std::tuple<error_code, std::string>> spdy_stream::read(std::shared_ptr<spdy_stream> self) {
    using outcome = std::tuple<error_code, std::string>;
    while (!self->is_readable()) co_await self->arrived_.async_wait(as_values);
    if (!self->in_.empty()) {
        self->session_->buffered_ -= self->in_.size();
        self->session_->progress_.cancel();
        co_return outcome(error_code(), std::exchange(self->in_, std::string()));
    }
    co_return outcome(self->in_ended_ ? make_error_code(asio::error::eof) : self->fault(), std::string());
}

asio::awaitable<error_code> spdy_stream::write(std::shared_ptr<spdy_stream> self, std::string bytes) {
    auto& session = *self->session_;
    for (std::string_view rest = bytes; !rest.empty() && !self->fault() && !self->out_ended_;) {
        auto const piece = rest.substr(0, piece_size);
        rest.remove_prefix(piece.size());
        session.send(spdy_writer::data(self->id_, piece, false));
        while (!self->fault() && session.out_.size() > unsent_limit) co_await session.progress_.async_wait(as_values);
    }
    co_return self->out_ended_ ? make_error_code(errc::connection_lost) : self->fault();
}

void spdy_stream::reply() {
    if (!std::exchange(replied_, true)) session_->send(session_->writer_.syn_reply(id_));
}

void spdy_stream::finish() {
    if (!reset_ && !std::exchange(out_ended_, true)) session_->send(spdy_writer::data(id_, {}, true));
}

void spdy_stream::reset(spdy_reset status) {
    if (reset_ || (in_ended_ && out_ended_)) return;
    reset_ = true;
    session_->send(spdy_writer::rst_stream(id_, status));
    session_->arrived(*this);
}

spdy_session::spdy_session(asio::any_io_executor executor, std::unique_ptr<upgraded_stream> connection,
                           connection_role role)
    : executor_(std::move(executor)),
      connection_(std::move(connection)),
      role_(role),
      next_own_(role_ == connection_role::client ? 1 : 2),
      progress_(executor_, asio::steady_timer::time_point::max()),
      arrivals_(executor_, asio::steady_timer::time_point::max()),
      ping_(executor_) {}

spdy_session::~spdy_session() { cut(); }

void spdy_session::arm_ping() {
    ping_.expires_after(ping_interval(role_));
    ping_.async_wait([weak = weak_from_this()](error_code ec) {
        auto const self = weak.lock();
        if (ec || !self || self->broken_) return;
        if (!self->sending_) self->send(spdy_writer::ping(self->role_ == connection_role::client ? 1 : 2));
        self->arm_ping();
    });
}

asio::awaitable<void> spdy_session::run(std::shared_ptr<spdy_session> self) {
    self->arm_ping();
    while (!self->broken_) {
        while (!self->broken_) {
            auto frame = self->parser_.next();
            if (!frame) break;
            self->take(*std::move(frame));
            // A peer that does not read the answers to its frames is not read either.
            while (!self->broken_ && (self->buffered_ > unread_limit || self->out_.size() > unread_limit))
                co_await self->progress_.async_wait(as_values);
        }
        if (self->parser_.has_fault()) self->end(errc::protocol);
        if (self->broken_) break;
        auto [ec, bytes] = co_await receive_piece(self->executor_, *self->connection_, as_values);
        if (ec) self->end(ec == asio::error::eof ? make_error_code(errc::connection_lost) : ec);
        self->parser_.put(bytes);
    }
}

asio::awaitable<std::shared_ptr<spdy_stream>> spdy_session::accept(std::shared_ptr<spdy_session> self) {
    while (self->incoming_.empty() && !self->broken_) co_await self->arrivals_.async_wait(as_values);
    if (self->incoming_.empty()) co_return nullptr;
    auto stream = std::move(self->incoming_.front());
    self->incoming_.pop_front();
    co_return stream;
}

std::shared_ptr<spdy_stream> spdy_session::open(http_fields const& fields, bool last) {
    auto stream = std::make_shared<spdy_stream>(shared_from_this(), std::exchange(next_own_, next_own_ + 2), fields);
    stream->out_ended_ = last;
    streams_[stream->id()] = stream;
    send(writer_.syn_stream(stream->id(), fields, last));
    return stream;
}

asio::awaitable<void> spdy_session::flush(std::shared_ptr<spdy_session> self) {
    while (!self->broken_ && (self->sending_ || !self->out_.empty())) co_await self->progress_.async_wait(as_values);
}

void spdy_session::cut() noexcept { end(asio::error::operation_aborted); }

void spdy_session::end(error_code ec) noexcept {
    if (broken_) return;
    broken_ = ec;
    out_.clear();
    on_unwritable_ = nullptr;
    connection_->close();
    incoming_.clear(); // they keep this session
    progress_.cancel();
    arrivals_.cancel();
    ping_.cancel();
    for (auto const& [id, weak] : streams_)
        if (auto const stream = weak.lock()) stream->arrived_.cancel();
}

void spdy_session::leave(spdy_stream& stream) noexcept {
    streams_.erase(stream.id());
    buffered_ -= stream.in_.size();
    progress_.cancel();
}

void spdy_session::arrived(spdy_stream& stream) {
    stream.arrived_.cancel();
    arrivals_.cancel();
}

void spdy_session::opened(spdy_frame frame) {
    bool const is_theirs = frame.id % 2 == (role_ == connection_role::server ? 1 : 0);
    if (!is_theirs || frame.id <= last_theirs_) return end(errc::protocol);
    last_theirs_ = frame.id;
    if (streams_.size() >= most_streams) return send(spdy_writer::rst_stream(frame.id, spdy_reset::refused_stream));
    auto stream = std::make_shared<spdy_stream>(shared_from_this(), frame.id, std::move(frame.fields));
    stream->in_ended_ = frame.last;
    streams_[stream->id()] = stream;
    incoming_.push_back(std::move(stream));
    arrivals_.cancel();
}

void spdy_session::take(spdy_frame frame) {
    if (frame.type == spdy_type::syn_stream) return opened(std::move(frame));
    bool const is_their_ping = frame.id % 2 == (role_ == connection_role::server ? 1 : 0);
    // A peer that sends pings and reads no answers gets none.
    if (frame.type == spdy_type::ping && is_their_ping && out_.size() < unsent_limit)
        return send(spdy_writer::ping(frame.id));
    if (frame.type == spdy_type::ping || frame.type == spdy_type::goaway) return;
    auto const at = streams_.find(frame.id);
    auto const stream = at == streams_.end() ? nullptr : at->second.lock();
    if (!stream || stream->reset_) return; // it has ended meanwhile
    if (frame.type == spdy_type::rst_stream) stream->reset_ = true;
    if (frame.type == spdy_type::data && !stream->in_ended_) {
        buffered_ += frame.data.size();
        stream->in_ += frame.data;
    }
    if (frame.last) stream->in_ended_ = true;
    arrived(*stream);
}

void spdy_session::send(std::string bytes) {
    if (broken_) return;
    out_ += bytes;
    pump();
}

void spdy_session::pump() {
    if (sending_ || out_.empty() || broken_) return;
    sending_ = true;
    connection_->async_write(std::exchange(out_, std::string()), [self = shared_from_this()](error_code ec) {
        self->sending_ = false;
        if (ec && !self->broken_) {
            auto const notify = std::exchange(self->on_unwritable_, nullptr);
            self->end(ec);
            if (notify) notify();
        }
        self->pump();
        self->progress_.cancel();
    });
}

} // namespace kftrain::kube::detail
