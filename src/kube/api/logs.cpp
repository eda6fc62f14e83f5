#include <kftrain/kube/logs.hpp>

#include "kube/async/operation.hpp"
#include "kube/calls/client_state.hpp"

#include <kftrain/kube/then_complete.hpp>

#include <boost/asio/error.hpp>

#include <optional>
#include <utility>

namespace kftrain::kube {

struct log_stream::state {
    state(std::unique_ptr<body_stream> b, asio::any_io_executor ex, std::size_t limit)
        : body(std::move(b)), executor(std::move(ex)), line_limit(limit) {}

    /// Cuts `size` bytes off the front, and `newline` more that are dropped.
    std::string take(std::size_t size, std::size_t newline) {
        std::string line = buffer.substr(begin, size);
        begin += size + newline;
        scanned = begin;
        if (begin == buffer.size()) {
            buffer.clear();
            begin = scanned = 0;
        }
        return line;
    }

    /// A line, or a piece of a long one, that was received already.
    std::optional<std::string> take_received() {
        auto const newline = buffer.find('\n', scanned);
        auto const available = (newline == std::string::npos ? buffer.size() : newline) - begin;
        line_continues = available > line_limit;
        if (line_continues) return take(line_limit, 0);
        if (newline != std::string::npos) return take(available, 1);
        scanned = buffer.size();
        return std::nullopt;
    }

    std::unique_ptr<body_stream> body;
    asio::any_io_executor executor;
    std::size_t line_limit;
    std::string buffer;
    std::size_t begin = 0;
    std::size_t scanned = 0; // no newline between begin and this
    error_code ended;
    bool cut_off = false;        // the line taken last
    bool line_continues = false; // the same
    std::weak_ptr<detail::operation> reading;

    void close() {
        ended = asio::error::operation_aborted; // for a read that was deferred and has not begun
        buffer.clear();
        begin = scanned = 0;
        if (auto const op = reading.lock()) op->cancel();
    }
    static asio::awaitable<std::string> read_line(std::shared_ptr<state> s);
};

asio::awaitable<std::string> log_stream::state::read_line(std::shared_ptr<state> s) {
    for (;;) {
        auto received = s->take_received();
        if (received) co_return *std::move(received);
        auto const available = s->buffer.size() - s->begin;
        if (s->ended && available != 0) {
            s->cut_off = true;
            co_return s->take(available, 0);
        }
        if (s->ended) detail::fail(s->ended);
        auto [ec, piece] = co_await detail::read_piece(s->executor, *s->body);
        s->ended = ec;
        if (ec == asio::error::operation_aborted) detail::fail(ec);
        s->buffer.erase(0, s->begin);
        s->scanned -= s->begin;
        s->begin = 0;
        s->buffer += piece;
    }
}

log_stream::log_stream(std::unique_ptr<body_stream> body, detail::start_place place, std::size_t line_limit)
    : state_(place, std::make_shared<state>(std::move(body), place.executor(), line_limit)) {}

bool log_stream::cut_off() const noexcept { return state_ && state_->cut_off; }

bool log_stream::line_continues() const noexcept { return state_ && state_->line_continues; }

void log_stream::start_read_line(std::shared_ptr<state> const& s, any_handler<void(error_code, std::string)> handler,
                                 next_options options) {
    s->cut_off = false;
    // A log may have millions of short lines: an operation for each would cost most of the time.
    if (auto received = s->take_received())
        return complete_later(s->executor, std::move(handler), error_code(), *std::move(received));
    s->reading =
        detail::spawn(s->executor, state::read_line(s),
                      detail::deadline(options.timeout, options.detail, "next line of a log"), std::move(handler));
}

namespace detail {

void start_logs(client const& c, any_handler<void(error_code, log_stream)> handler, result<http_request> request,
                call_options options) {
    auto const wrap = [place = client_access::place_of(c)](any_handler<void(error_code, log_stream)> h, error_code ec,
                                                           std::unique_ptr<body_stream> body) {
        std::move(h)(ec, ec ? log_stream() : log_stream(std::move(body), place));
    };
    then_complete then(std::move(handler), wrap);
    client_access::start(c, any_handler<void(error_code, std::unique_ptr<body_stream>)>(std::move(then)),
                         std::move(request), std::move(options));
}

} // namespace detail
} // namespace kftrain::kube
