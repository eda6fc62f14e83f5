#include "kube/transport/transport_exchange.hpp"

#include "kube/transport/upgraded_socket.hpp"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/beast/http/error.hpp>

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

namespace kftrain::kube::detail {
namespace {

namespace http = boost::beast::http;

/// The size of one receive: the first, and the largest if much data arrives.
constexpr std::size_t first_room = 16 * 1024;
constexpr std::size_t largest_room = 64 * 1024;
/// The limit of received bytes that are not parsed yet, apart from a head; bounds chunk headers and trailers.
constexpr std::size_t longest_rest = 128 * 1024;
constexpr std::size_t longest_head = 16 * 1024 * 1024;

using piece_handler = any_handler<void(error_code, std::string)>;

/// A read of a body, with the caller's handler; it is the handler of the reads of the connection.
class body_read {
public:
    using cancellation_slot_type = asio::cancellation_slot;

    body_read(std::shared_ptr<exchange> x, piece_handler handler)
        : x_(std::move(x)),
          work_(asio::get_associated_executor(handler, x_->pool->executor())),
          handler_(std::move(handler)) {}

    cancellation_slot_type get_cancellation_slot() const noexcept { return x_->stop.slot(); }

    void start() {
        x_->reading = true;
        x_->cancelled = false;
        auto const number = ++x_->reads;
        if (auto slot = asio::get_associated_cancellation_slot(handler_); slot.is_connected())
            slot.assign([weak = std::weak_ptr<exchange>(x_), number](asio::cancellation_type) {
                if (auto const x = weak.lock()) x->cancel(number);
            });
        if (x_->needs_more()) return receive();
        asio::post(x_->pool->executor(), std::move(*this));
    }

    /// Continues with bytes that were received before.
    void operator()() {
        if (x_->cancelled && x_->link) x_->break_off(asio::error::operation_aborted);
        go_on();
    }
    /// More was received.
    void operator()(error_code ec, std::size_t bytes) {
        x_->received(ec, bytes);
        go_on();
    }

private:
    void receive() {
        auto const room = x_->room();
        auto& stream = x_->link->stream;
        stream.async_read_some(room, std::move(*this));
    }

    std::optional<body_news> news() {
        try {
            return x_->news();
        } catch (std::bad_alloc const&) {
            x_->break_off(make_error_code(boost::system::errc::not_enough_memory));
            return x_->news();
        }
    }

    void go_on() {
        auto news = this->news();
        if (!news && x_->cancelled) { // before this handler ran: the next read would not see it
            x_->break_off(asio::error::operation_aborted);
            news = this->news();
        }
        if (!news) return receive();
        x_->reading = false;
        auto const executor = work_.get_executor();
        asio::dispatch(executor,
                       [work = std::move(work_), handler = std::move(handler_), n = std::move(*news)]() mutable {
                           if (auto slot = asio::get_associated_cancellation_slot(handler); slot.is_connected())
                               slot.clear();
                           std::move(handler)(n.ec, std::move(n.piece));
                       });
    }

    using handler_executor = asio::associated_executor_t<piece_handler, asio::any_io_executor>;

    std::shared_ptr<exchange> x_;
    asio::executor_work_guard<handler_executor> work_;
    piece_handler handler_;
};

class https_body final : public body_stream {
public:
    explicit https_body(std::shared_ptr<exchange> x) : exchange_(std::move(x)) {}
    https_body(https_body const&) = delete;
    https_body& operator=(https_body const&) = delete;
    ~https_body() override {
        if (exchange_->head->is_done()) exchange_->finish(); // there was no body to read
    }

    void async_read(piece_handler handler) override { body_read(exchange_, std::move(handler)).start(); }
    std::optional<std::string> take_whole() override { return exchange_->whole(); }

private:
    std::shared_ptr<exchange> exchange_;
};

} // namespace

bool is_lost(error_code ec) {
    if (ec == asio::error::operation_aborted) return false;
    return ec == http::error::end_of_stream || ec == http::error::partial_message || ec == asio::error::eof ||
           ec == asio::ssl::error::stream_truncated || ec.category() == boost::system::system_category();
}

error_code public_code(error_code ec) {
    if (is_lost(ec)) return errc::connection_lost;
    if (ec == http::error::header_limit || ec == http::error::buffer_overflow) return errc::too_large;
    if (ec.category() == error_code(http::error::bad_version).category()) return errc::protocol;
    return ec;
}

exchange::exchange(std::shared_ptr<connection_pool> p, std::unique_ptr<connection> c, std::size_t limit, bool bodiless,
                   bool upgrade)
    : pool(std::move(p)),
      link(std::move(c)),
      header_limit(std::min(limit, longest_head)),
      buffer(std::move(link->buffer)),
      room_(first_room),
      bodiless_(bodiless),
      upgrade_(upgrade) {
    buffer.max_size(header_limit + longest_rest);
    expect_head();
}

void exchange::expect_head() {
    head.emplace();
    head->header_limit(static_cast<std::uint32_t>(header_limit));
    head->body_limit(boost::none);
    head->skip(bodiless_);
}

std::optional<error_code> exchange::look_for_head(error_code ec) {
    while (buffer.size() != 0) {
        error_code fault;
        buffer.consume(head->put(buffer.data(), fault));
        if (fault == http::error::need_more) break;
        if (fault) return fault;
        if (!head->is_header_done()) break;
        unsigned const status = head->head().status;
        if (status < 100 || status >= 200) return error_code();
        if (status == 101) return upgrade_ ? error_code() : make_error_code(http::error::bad_status);
        expect_head();
    }
    if (ec == asio::error::eof) return head->got_some() ? http::error::partial_message : http::error::end_of_stream;
    if (ec) return ec;
    return {};
}

void exchange::finish() {
    if (!done_ && link && head->keep_alive() && buffer.size() == 0) {
        if (buffer.capacity() <= first_room) link->buffer = std::move(buffer);
        pool->keep(std::move(link));
    }
    done_ = true;
    link.reset();
}

void exchange::break_off(error_code ec) {
    broken_ = ec;
    link.reset();
}

void exchange::parse() {
    error_code ec;
    head->eager(true);
    head->expect(buffer.size());
    buffer.consume(head->put(buffer.data(), ec));
    if (ec == http::error::need_more) ec = {};
    if (!ec && buffer.size() == buffer.max_size()) ec = http::error::buffer_overflow;
    if (ec) return break_off(public_code(ec));
    if (head->is_done()) finish();
}

std::optional<std::string> exchange::whole() {
    if (reads != 0) return {};
    if (link && buffer.size() != 0 && !head->is_done()) parse();
    if (!head->is_done()) return {};
    finish();
    return head->take_piece();
}

std::optional<body_news> exchange::news() {
    body_news n;
    if (link && buffer.size() != 0 && !head->is_done()) parse();
    n.piece = head->take_piece();
    if (!n.piece.empty()) return n;
    if (broken_) {
        n.ec = broken_;
        if (broken_ == asio::error::operation_aborted) broken_ = errc::connection_lost;
        return n;
    }
    if (done_ || head->is_done()) {
        finish();
        return body_news(asio::error::eof);
    }
    return {};
}

bool exchange::needs_more() const noexcept {
    return link && buffer.size() == 0 && !head->has_piece() && !head->is_done();
}

asio::mutable_buffer exchange::room() { return buffer.prepare(std::min(room_, buffer.max_size() - buffer.size())); }

void exchange::received(error_code ec, std::size_t bytes) {
    buffer.commit(bytes);
    if (bytes == room_) room_ = largest_room;
    if (!ec) return;
    if (ec == asio::error::eof) {
        head->put_eof(ec); // the end of a body that has no other
        if (!ec) return finish();
    }
    break_off(ec == asio::error::operation_aborted ? ec : public_code(ec));
}

void exchange::cancel(std::uint64_t read) {
    asio::dispatch(pool->executor(), [self = shared_from_this(), read] {
        if (!self->reading || self->reads != read) return;
        self->cancelled = true;
        self->stop.emit(asio::cancellation_type::terminal);
    });
}

std::unique_ptr<body_stream> body_of(std::shared_ptr<exchange> x) { return std::make_unique<https_body>(std::move(x)); }

std::unique_ptr<body_stream> upgraded_body_of(exchange& x, http_fields fields) {
    std::string early(static_cast<char const*>(x.buffer.data().data()), x.buffer.size());
    std::shared_ptr<connection> const link(std::move(x.link));
    return make_upgraded_socket({link, &link->stream}, std::move(early), std::move(fields));
}

} // namespace kftrain::kube::detail
