#include "kube/client_core.hpp"
#include "kube/operation.hpp"
#include "kube/redaction.hpp"

#include <kftrain/base/backoff.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/error.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace kftrain::kube {
namespace detail {
namespace {

using clock = std::chrono::steady_clock;
using state_ptr = std::shared_ptr<client::state>;

constexpr std::size_t error_body_limit = 64 * 1024;

struct outcome {
    outcome() = default;

    error_code ec;
    unsigned status = 0; // 0: there was no answer
    std::string body;
    std::unique_ptr<body_stream> stream;
};

/// What one call carries through its attempts.
struct call_state {
    call_state(state_ptr s, http_request r, call_options o, call_report* out)
        : client(std::move(s)), request(std::move(r)), options(std::move(o)), external(out) {}

    state_ptr client;
    http_request request;
    call_options options;
    call_report* external; // may be null
    call_report report;

    [[noreturn]] void give_up(error_code ec) {
        if (options.detail != nullptr) *options.detail = report.detail;
        if (external != nullptr) *external = std::move(report);
        fail(ec);
    }
};

bool is_success(unsigned status) { return status >= 200 && status <= 206; }

bool is_worth_repeating(call_state const& c, outcome const& o) {
    if (o.status == 0) return is_unreached(o.ec);
    if (o.status == 429 || (o.status == 503 && c.report.asked_to_wait)) return true;
    return c.request.method == "GET" && (o.status == 500 || (o.status >= 502 && o.status <= 504));
}

asio::awaitable<std::tuple<error_code, streamed_response>> open_once(state_ptr const& s, http_request request) {
    return initiate<void(error_code, streamed_response)>(
        s->link->get_executor(), asio::as_tuple(asio::use_awaitable),
        [link = s->link](any_handler<void(error_code, streamed_response)> h, http_request r) {
            link->async_open(std::move(r), std::move(h));
        },
        std::move(request));
}

/// The length that an answer gives itself; 0 if it does not.
std::size_t announced_length(http_fields const& fields) {
    auto const text = fields.get("Content-Length");
    std::size_t length = 0;
    std::from_chars(text.data(), text.data() + text.size(), length);
    return length;
}

/// A large text is written once from end to end, where small pages cost more than the copying. A hint, which matters where
/// the system gives large pages to those who ask.
void ask_for_large_pages(std::string& text) {
    constexpr std::uintptr_t page = 2 * 1024 * 1024;
    auto const begin = reinterpret_cast<std::uintptr_t>(text.data());
    auto const first = (begin + page - 1) / page * page;
    auto const last = (begin + text.capacity()) / page * page;
    if (first < last) ::madvise(text.data() + (first - begin), last - first, MADV_HUGEPAGE);
}

/// Room for `needed` bytes, and for what was announced as far as that is to be believed: nobody shall make us ask for much
/// more memory than was sent.
void make_room(std::string& out, std::size_t needed, std::size_t announced) {
    constexpr std::size_t free_trust = std::size_t(1024) * 1024;
    if (needed <= out.capacity()) return;
    auto const trusted = std::min(announced, std::max(free_trust, needed * 8));
    out.reserve(std::max({needed, 2 * out.capacity(), trusted}));
    ask_for_large_pages(out);
}

/// Reads up to `limit` bytes into `out`; eof is success, more is `too_large`.
asio::awaitable<error_code> read_all(asio::any_io_executor executor, body_stream& body, std::size_t limit,
                                     std::size_t announced, std::string& out) {
    for (;;) {
        auto [ec, piece] = co_await read_piece(executor, body);
        if (ec == asio::error::eof) co_return error_code();
        if (ec) co_return ec;
        if (piece.size() > limit - out.size()) co_return make_error_code(errc::too_large);
        if (out.empty()) {
            out = std::move(piece);
        } else {
            make_room(out, out.size() + piece.size(), std::min(announced, limit));
            out += piece;
        }
    }
}

enum class want { body, stream };

asio::awaitable<outcome> attempt(call_state& c, want what) {
    outcome result;
    c.report = call_report();
    http_request request = c.request;
    auto [ec, answer] = co_await open_once(c.client, std::move(request));
    if (ec) {
        result.ec = ec;
        c.report.detail.message = c.request.method + " " + c.request.target + ": " + ec.message();
        if (answer.cause) c.report.detail.message += ": " + answer.cause.message();
        co_return result;
    }
    result.status = answer.head.status;
    auto const executor = c.client->link->get_executor();
    if (is_success(result.status)) {
        if (what == want::stream) {
            result.stream = std::move(answer.body);
            co_return result;
        }
        auto const limit = c.client->options.body_limit;
        auto const announced = announced_length(answer.head.fields);
        result.ec = co_await read_all(executor, *answer.body, limit, announced, result.body);
        if (result.ec) {
            c.report.detail.message = c.request.method + " " + c.request.target + ": ";
            c.report.detail.message += result.ec == make_error_code(errc::too_large)
                                           ? "the answer is larger than " + std::to_string(limit) + " bytes"
                                           : result.ec.message();
            result.status = 0;
        }
        co_return result;
    }
    http_response failed;
    failed.status = answer.head.status;
    failed.fields = std::move(answer.head.fields);
    // What cannot be read of the explanation is no reason to hide the status.
    error_code const unread = co_await read_all(executor, *answer.body, error_body_limit, 0, failed.body);
    if (unread == asio::error::operation_aborted) fail(unread);
    secrets own; // the transport knows its own credentials, not those that the caller wrote into the request
    own.add_authorization(c.request.fields.get("Authorization"));
    auto const hide = [&](std::string text) { return own.hide(c.client->link->redact(std::move(text))); };
    result.ec = decode_failure(c.request, failed, hide, c.report);
    co_return result;
}

asio::awaitable<std::string> call_body(std::shared_ptr<call_state> c) {
    auto const& options = c->client->options;
    auto const give_up_at =
        c->options.timeout.count() > 0 ? clock::now() + c->options.timeout : clock::time_point::max();
    backoff waits(std::chrono::milliseconds(100), std::chrono::seconds(10));
    for (unsigned tries = 1;; ++tries) {
        outcome got = co_await attempt(*c, want::body);
        if (!got.ec) co_return std::move(got.body);
        unsigned const limit =
            got.status == 0 ? std::min(options.max_attempts, options.max_connect_attempts) : options.max_attempts;
        if (!c->options.retry || tries >= limit || !is_worth_repeating(*c, got)) c->give_up(got.ec);
        auto const wait = std::max(waits.next(c->client->jitter()), c->report.retry_after);
        if (give_up_at - clock::now() <= wait) c->give_up(got.ec);
        options.logger(log_level::debug, "request repeated",
                       {{"request", c->request.method + " " + c->request.target},
                        {"error", got.ec.message()},
                        {"after_ms", std::to_string(wait.count())}});
        asio::steady_timer timer(c->client->link->get_executor(), wait);
        co_await timer.async_wait(asio::use_awaitable);
    }
}

asio::awaitable<std::unique_ptr<body_stream>> stream_body(std::shared_ptr<call_state> c) {
    outcome got = co_await attempt(*c, want::stream);
    if (got.ec) c->give_up(got.ec);
    co_return std::move(got.stream);
}

template <class T> asio::awaitable<T> refuse(error_code ec) {
    fail(ec);
    co_return T();
}

template <class T>
void start_call(state_ptr const& s, any_handler<void(error_code, T)> handler, result<http_request> request,
                call_options options, call_report* report, asio::awaitable<T> (*body)(std::shared_ptr<call_state>)) {
    auto const executor = s->link->get_executor();
    if (options.detail != nullptr) *options.detail = diagnostics();
    if (!request) {
        if (options.detail != nullptr) *options.detail = request.error().detail;
        if (report != nullptr) report->detail = request.error().detail;
        spawn(executor, refuse<T>(request.error().code), deadline(), std::move(handler));
        return;
    }
    if (!s->options.user_agent.empty()) request->fields.set("User-Agent", s->options.user_agent);
    deadline limit(options.timeout, options.detail, request->method + " " + request->target);
    auto c = std::make_shared<call_state>(s, std::move(*request), std::move(options), report);
    auto const accepted = c->request.method == "GET" ? any_cancellation : unclean_cancellation;
    spawn(executor, body(std::move(c)), std::move(limit), std::move(handler), accepted);
}

} // namespace

asio::awaitable<std::tuple<error_code, std::string>> call(client const& c, result<http_request> request,
                                                          call_options options, call_report& report) {
    return initiate<void(error_code, std::string)>(
        c.get_executor(), asio::as_tuple(asio::use_awaitable),
        [s = c.core(), &report](any_handler<void(error_code, std::string)> h, result<http_request> r, call_options o) {
            start_call(s, std::move(h), std::move(r), std::move(o), &report, &call_body);
        },
        std::move(request), std::move(options));
}

asio::awaitable<std::tuple<error_code, std::unique_ptr<body_stream>>>
open(client const& c, result<http_request> request, call_options options, call_report& report) {
    using handler = any_handler<void(error_code, std::unique_ptr<body_stream>)>;
    return initiate<void(error_code, std::unique_ptr<body_stream>)>(
        c.get_executor(), asio::as_tuple(asio::use_awaitable),
        [s = c.core(), &report](handler h, result<http_request> r, call_options o) {
            start_call(s, std::move(h), std::move(r), std::move(o), &report, &stream_body);
        },
        std::move(request), std::move(options));
}

asio::awaitable<std::tuple<error_code, std::string>> read_piece(asio::any_io_executor executor, body_stream& body) {
    return initiate<void(error_code, std::string)>(
        std::move(executor), asio::as_tuple(asio::use_awaitable),
        [&body](any_handler<void(error_code, std::string)> h) { body.async_read(std::move(h)); });
}

} // namespace detail

client::client(std::shared_ptr<transport> t, client_options options)
    : state_(std::make_shared<state>(std::move(t), std::move(options))) {}

asio::any_io_executor client::get_executor() const noexcept { return state_->link->get_executor(); }
client_options const& client::options() const noexcept { return state_->options; }

diagnostics client::redact(diagnostics d) const {
    d.message = state_->link->redact(std::move(d.message));
    d.path = state_->link->redact(std::move(d.path));
    d.server_reason = state_->link->redact(std::move(d.server_reason));
    return d;
}

void client::start(any_handler<void(error_code, std::string)> handler, result<http_request> request,
                   call_options options) const {
    detail::start_call(state_, std::move(handler), std::move(request), std::move(options), nullptr, &detail::call_body);
}

void client::start(any_handler<void(error_code, std::unique_ptr<body_stream>)> handler, result<http_request> request,
                   call_options options) const {
    detail::start_call(state_, std::move(handler), std::move(request), std::move(options), nullptr,
                       &detail::stream_body);
}

} // namespace kftrain::kube
