#include "apiserver/http/listener_session.hpp"

#include "apiserver/http/watch_body.hpp"
#include "apiserver/refusals/refusals.hpp"
#include "base/ascii.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/rfc7230.hpp>

#include <openssl/crypto.h>

#include <algorithm>
#include <string_view>

namespace kftrain::apiserver {
namespace {

namespace http = boost::beast::http;

constexpr std::size_t read_size = 4 * 1024; // of what is read ahead: one for each connection
constexpr std::uint32_t longest_head = 1U << 20U;
constexpr std::size_t usual_buffer = 64 * 1024;
// Of heads that need a larger buffer: at most so many at a time, and fewer before others than clients that are known.
constexpr std::size_t most_large_heads = 64, most_large_heads_of_strangers = 16;
constexpr std::size_t longest_field = 65'533; // name and value

bool same_text(std::string_view a, std::string_view b) {
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string_view view(boost::beast::string_view s) { return {s.data(), s.size()}; }

/// What may stand in a Host field, whether or not it makes a name.
bool is_host_character(char c) {
    constexpr std::string_view others = "-._~!$&'()*+,;=:[]%";
    return is_digit(c) || is_letter(c) || others.find(c) != std::string_view::npos;
}

bool is_control(char c) { return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == '\x7f'; }

} // namespace

listener_session::listener_session(std::shared_ptr<server_core> core, std::shared_ptr<listener_options const> options,
                                   std::unique_ptr<kube::detail::byte_stream> stream,
                                   std::shared_ptr<std::size_t> large_heads)
    : core_(std::move(core)),
      options_(std::move(options)),
      bytes_(*stream),
      stream_(std::move(stream)),
      large_heads_(std::move(large_heads)),
      timer_(core_->executor()),
      authenticate_by_(clock::now() + options_->authentication_timeout) {}

void listener_session::request_parser::on_field_impl(http::field name, boost::beast::string_view text,
                                                     boost::beast::string_view value, error_code& ec) {
    if (text.size() + value.size() > longest_field)
        ec = http::error::header_limit;
    else
        get().insert(name, text, value);
}

void listener_session::start(std::function<void()> known, std::function<void()> done) {
    known_ = std::move(known);
    asio::co_spawn(core_->executor(), run(), [self = shared_from_this(), done = std::move(done)](std::exception_ptr) {
        self->cut();
        done();
    });
}

void listener_session::cut() {
    error_code ignored;
    deadline_ = clock::time_point::max();
    timer_runs_ = false;
    timer_.cancel();
    stream_.socket().close(ignored);
}

void listener_session::within(std::chrono::milliseconds limit) { until(clock::now() + limit); }
void listener_session::no_limit() { until(clock::time_point::max()); }

void listener_session::until(clock::time_point when) {
    deadline_ = std::min(when, authenticate_by_);
    if (deadline_ < timer_.expiry() || !timer_runs_) run_timer();
}

/// It is not moved when a deadline is: most are over long before. What it finds when it ends is what counts.
void listener_session::run_timer() {
    timer_runs_ = deadline_ != clock::time_point::max();
    if (!timer_runs_) return;
    timer_.expires_at(deadline_);
    timer_.async_wait([weak = weak_from_this()](error_code ec) {
        auto const self = weak.lock();
        if (ec || !self) return;
        if (clock::now() >= self->deadline_) return self->cut();
        self->run_timer();
    });
}

void listener_session::become_known() {
    authenticate_by_ = clock::time_point::max();
    if (auto const notify = std::exchange(known_, nullptr)) notify();
}

asio::awaitable<void> listener_session::run() {
    error_code ec;
    within(options_->handshake_timeout);
    co_await stream_.async_handshake(to(ec));
    if (ec) co_return;
    certified_ = find_certified_user(bytes_, core_->now());
    for (;;) {
        bool const again = co_await exchange();
        if (!again) break;
    }
}

asio::awaitable<bool> listener_session::exchange() {
    if (buffer_.size() == 0) { // the next request has not begun
        error_code ec;
        within(options_->idle_timeout);
        auto const n = co_await stream_.async_read_some(buffer_.prepare(read_size), to(ec));
        if (ec) co_return false;
        buffer_.commit(n);
    }
    request_until_ = clock::now() + options_->request_timeout;
    until(request_until_);
    buffer_.max_size(usual_buffer);
    request_parser parser;
    parser.header_limit(std::min(options_->header_limit, longest_head));
    kube::http_request request;
    std::optional<refusal> why;
    error_code const ec = co_await read_request(parser, request, why);
    if (!why) why = refusal_of(ec);
    auto const give_back_large_head = [&] {
        if (!large_head_) return;
        parser.get() = http::request<http::string_body>();
        request = kube::http_request();
        buffer_.shrink_to_fit();
        large_head_.reset();
    };
    if (why) {
        buffer_.clear();
        give_back_large_head();
        co_await refuse(std::move(*why));
        co_return false;
    }
    if (ec || core_->closed()) co_return false;
    no_limit();

    auto& message = parser.get();
    request.body = std::move(message.body());
    if (buffer_.size() == 0) buffer_.shrink_to_fit(); // it may be long before the next request
    bool const keep_alive = message.keep_alive();
    bool const current = message.version() >= 11;
    bool const reads = request.method == "GET", head_only = request.method == "HEAD";
    auto answer = core_->serve(request, user_.get());
    give_back_large_head();
    if (answer.upgrade) {
        co_await serve_upgrade(answer);
        co_return false;
    }
    answer.stream = take_stream(core_, answer);
    if (answer.stream && reads) {
        co_await write_stream(answer, current);
        co_return false;
    }
    co_await write(answer, head_only, keep_alive && current);
    co_return keep_alive&& current;
}

asio::awaitable<error_code> listener_session::read_request(request_parser& parser, kube::http_request& request,
                                                           std::optional<refusal>& why) {
    error_code ec;
    parser.body_limit(boost::none); // the client is authenticated first
    co_await http::async_read_header(stream_, buffer_, parser, to(ec));
    if (ec == http::error::buffer_overflow) {
        bool const is_known = authenticate_by_ == clock::time_point::max();
        if (*large_heads_ >= (is_known ? most_large_heads : most_large_heads_of_strangers)) {
            why = refusal(431, reason::bad_request,
                          "Request header fields too large: too many clients send more than 64 KiB at the same time");
            co_return ec;
        }
        large_head_.emplace(large_heads_);
        buffer_.max_size(std::min(options_->header_limit, longest_head) + usual_buffer);
        co_await http::async_read_header(stream_, buffer_, parser, to(ec));
    }
    if (ec) co_return ec;
    auto const& head = parser.get();
    why = framing_fault(head);
    if (why) co_return ec;
    auto const who = judge(head);
    if (who == standing::refused) {
        why = refusal(401, reason::unauthorized, "Unauthorized");
        co_return ec;
    }
    if (who == standing::known) {
        become_known();
        until(request_until_);
    }
    // A health check needs no body.
    std::uint64_t const limit = who == standing::known ? core_->options().body_limit : 0;
    if (parser.content_length().value_or(0) > limit) co_return make_error_code(http::error::body_limit);
    parser.body_limit(limit);
    request.method = std::string(head.method_string());
    request.target = std::string(head.target());
    // Now: what comes behind the body is no part of the head.
    for (auto const& f : head) request.fields.add(std::string(f.name_string()), std::string(f.value()));
    bool const has_body = parser.chunked() || parser.content_length().value_or(0) != 0;
    if (has_body && head.version() >= 11 && head.count(http::field::expect) != 0) {
        std::string const go_on = "HTTP/1.1 100 Continue\r\n\r\n";
        ec = co_await send(go_on);
        if (ec) co_return ec;
        within(options_->request_timeout);
    }
    co_await http::async_read(stream_, buffer_, parser, to(ec));
    co_return ec;
}

std::shared_ptr<user_info const> listed_user(listener_options const& options, std::string_view token) {
    static auto const administrator = std::make_shared<user_info const>(user_info::cluster_admin());
    if (!options.bearer_token.empty() && same_text(token, options.bearer_token)) return administrator;
    for (auto const& one : options.users)
        if (!one.token.empty() && same_text(token, one.token)) {
            auto user = std::make_shared<user_info>(one.user);
            user->groups.emplace_back("system:authenticated");
            return user;
        }
    return nullptr;
}

std::shared_ptr<user_info const> listener_session::find_user(std::string_view token) const {
    if (auto known = listed_user(*options_, token)) return known;
    auto account = core_->requests().tokens().read(token, core_->store(), core_->now());
    return account ? std::make_shared<user_info const>(std::move(account->user)) : nullptr;
}

listener_session::standing listener_session::judge(http::request_header<> const& head) {
    user_ = nullptr;
    if (options_->bearer_token.empty()) return standing::known;
    if (certified_ && core_->now() < certified_->end) {
        user_ = {certified_, &certified_->user};
        return standing::known;
    }
    auto const field = head[http::field::authorization];
    std::string_view value(field.data(), field.size());
    if (boost::beast::iequals(field.substr(0, 7), "bearer ")) {
        value.remove_prefix(7);
        user_ = find_user(value);
        if (user_ != nullptr) return standing::known;
    }
    std::string_view const target(head.target().data(), head.target().size());
    bool const probes = target == "/healthz" || target == "/livez" || target == "/readyz"; // open to all, as upstream
    return probes && field.empty() ? standing::anybody : standing::refused;
}

/// The answer to a request that could not be read; nothing if the peer has gone.
std::optional<refusal> listener_session::refusal_of(error_code ec) const {
    if (ec == http::error::header_limit || ec == http::error::buffer_overflow)
        return refusal(431, reason::bad_request,
                       "Request header fields too large: limit is " + std::to_string(options_->header_limit) + ", " +
                           std::to_string(longest_field) + " for one field");
    if (ec == http::error::body_limit)
        return refusal(413, reason::request_entity_too_large,
                       "Request entity too large: limit is " + std::to_string(core_->options().body_limit));
    if (ec.category() != make_error_code(http::error::bad_method).category()) return std::nullopt;
    if (ec == http::error::end_of_stream || ec == http::error::partial_message) return std::nullopt;
    return refusal(400, reason::bad_request, "malformed HTTP request: " + ec.message());
}

/// For requests that were not read to their end: the connection cannot go on.
asio::awaitable<void> listener_session::refuse(refusal why) {
    auto answer = make_reply(why);
    co_await write(answer, false, false);
}

std::optional<refusal> framing_fault(http::request_header<> const& head) {
    std::size_t hosts = 0, encodings = 0;
    for (auto const& field : head) {
        auto const value = view(field.value());
        if (std::any_of(value.begin(), value.end(), is_control)) return bad_request("invalid header value");
        switch (field.name()) {
        case http::field::host:
            if (++hosts > 1) return bad_request("too many Host headers");
            if (!std::all_of(value.begin(), value.end(), is_host_character))
                return bad_request("malformed Host header");
            break;
        case http::field::content_length:
            if (value.empty() || !std::all_of(value.begin(), value.end(), is_digit))
                return bad_request("bad Content-Length " + in_quotes(value));
            break;
        case http::field::transfer_encoding:
            // The parser takes what it does not know for no body at all.
            if (++encodings > 1 || !boost::beast::iequals(field.value(), "chunked"))
                return refusal(501, reason::unknown, "Unsupported transfer encoding");
            if (head.version() < 11) return bad_request("Transfer-Encoding in a request of HTTP/1.0");
            break;
        default: break;
        }
    }
    if (hosts == 0 && head.version() >= 11) return bad_request("missing required Host header");
    auto const expected = head[http::field::expect];
    if (!expected.empty() && !boost::beast::iequals(expected, "100-continue"))
        return refusal(417, reason::unknown, "Expectation Failed");
    return std::nullopt;
}

} // namespace kftrain::apiserver
