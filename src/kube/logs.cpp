#include <kftrain/kube/logs.hpp>

#include "kube/client_core.hpp"
#include "kube/operation.hpp"

#include <kftrain/kube/then_complete.hpp>

#include <boost/asio/error.hpp>

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

    std::unique_ptr<body_stream> body;
    asio::any_io_executor executor;
    std::size_t line_limit;
    std::string buffer;
    std::size_t begin = 0;
    std::size_t scanned = 0; // no newline between begin and this
    error_code ended;
    bool cut_off = false; // the line taken last
    bool goes_on = false; // the same
    std::weak_ptr<detail::operation> reading;

    static asio::awaitable<std::string> read_line(std::shared_ptr<state> s);
};

asio::awaitable<std::string> log_stream::state::read_line(std::shared_ptr<state> s) {
    s->cut_off = false;
    for (;;) {
        auto const newline = s->buffer.find('\n', s->scanned);
        auto const available = (newline == std::string::npos ? s->buffer.size() : newline) - s->begin;
        s->goes_on = available > s->line_limit;
        if (s->goes_on) co_return s->take(s->line_limit, 0);
        if (newline != std::string::npos) co_return s->take(available, 1);
        if (s->ended && available != 0) {
            s->cut_off = true;
            co_return s->take(available, 0);
        }
        if (s->ended) detail::fail(s->ended);
        s->scanned = s->buffer.size();
        auto [ec, piece] = co_await detail::read_piece(s->executor, *s->body);
        if (ec == asio::error::operation_aborted) detail::fail(ec);
        s->ended = ec;
        s->buffer.erase(0, s->begin);
        s->scanned -= s->begin;
        s->begin = 0;
        s->buffer += piece;
    }
}

log_stream::log_stream(std::unique_ptr<body_stream> body, asio::any_io_executor executor, std::size_t line_limit)
    : executor_(executor), state_(std::make_shared<state>(std::move(body), std::move(executor), line_limit)) {}

log_stream& log_stream::operator=(log_stream&& other) noexcept {
    std::swap(executor_, other.executor_);
    std::swap(state_, other.state_);
    return *this;
}

log_stream::~log_stream() {
    if (!state_) return;
    state_->ended = asio::error::operation_aborted; // for a read that was deferred and has not begun
    state_->buffer.clear();
    state_->begin = state_->scanned = 0;
    if (auto const op = state_->reading.lock()) op->cancel();
}

bool log_stream::cut_off() const noexcept { return state_ && state_->cut_off; }

bool log_stream::goes_on() const noexcept { return state_ && state_->goes_on; }

void log_stream::start_read_line(std::shared_ptr<state> const& s, any_handler<void(error_code, std::string)> handler) {
    s->reading = detail::spawn(s->executor, state::read_line(s), detail::deadline(), std::move(handler));
}

namespace detail {

void start_logs(client const& c, any_handler<void(error_code, log_stream)> handler, result<http_request> request,
                call_options options) {
    auto const wrap = [executor = c.get_executor()](any_handler<void(error_code, log_stream)> h, error_code ec,
                                                    std::unique_ptr<body_stream> body) {
        std::move(h)(ec, ec ? log_stream() : log_stream(std::move(body), executor));
    };
    then_complete then(std::move(handler), wrap);
    c.start(any_handler<void(error_code, std::unique_ptr<body_stream>)>(std::move(then)), std::move(request),
            std::move(options));
}

} // namespace detail
} // namespace kftrain::kube
