#include "apiserver/http/listener_session.hpp"

#include "apiserver/http/watch_body.hpp"
#include "apiserver/refusals/refusals.hpp"
#include "base/ascii.hpp"
#include "kube/transport/upgraded_socket.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <boost/beast/http/status.hpp>
#include <openssl/crypto.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace kftrain::apiserver {
namespace {

namespace http = boost::beast::http;
using namespace std::chrono_literals;

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

/// Whether a Host field may contain the character, even if the text is no valid name.
bool is_host_character(char c) {
    constexpr std::string_view others = "-._~!$&'()*+,;=:[]%";
    return is_digit(c) || is_letter(c) || others.find(c) != std::string_view::npos;
}

bool is_control(char c) { return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == '\x7f'; }

constexpr std::size_t send_size = 64 * 1024;
constexpr std::size_t dump_size = 4 * 1024; // of what is thrown away

template <class Token> auto read_piece(kube::body_stream& body, asio::any_io_executor executor, Token&& token) {
    return kube::detail::initiate<void(error_code, std::string)>(
        std::move(executor), std::forward<Token>(token),
        [&body](kube::any_handler<void(error_code, std::string)> h) { body.async_read(std::move(h)); });
}

std::string head_text(kube::http_response_head const& head) {
    auto const reason = http::obsolete_reason(http::int_to_status(head.status));
    std::string out =
        "HTTP/1.1 " + std::to_string(head.status) + " " + std::string(reason.data(), reason.size()) + "\r\n";
    for (auto const& [name, value] : head.fields) out.append(name).append(": ").append(value).append("\r\n");
    return out;
}

std::string chunk(std::string_view piece) {
    std::array<char, 16> size{};
    auto const end = std::to_chars(size.data(), size.data() + size.size(), piece.size(), 16).ptr;
    std::string out;
    out.reserve(size.size() + piece.size() + 4);
    out.append(size.data(), end);
    return out.append("\r\n").append(piece).append("\r\n");
}

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

// How answers are written to a connection.

asio::awaitable<void> listener_session::write(reply& answer, bool head_only, bool keep_alive) {
    auto const size = answer.list ? answer.list->size() : answer.body.size();
    answer.fields.add("Content-Length", std::to_string(size));
    if (!keep_alive) answer.fields.add("Connection", "close");
    auto bytes = head_text(answer) + "\r\n";
    bytes.reserve(bytes.size() + std::min(size, 2 * send_size));
    bool const has_list = answer.list && !head_only;
    if (!head_only) bytes += has_list ? answer.list->next(send_size) : answer.body;
    error_code ec = co_await send(bytes, has_list);
    while (has_list && !ec && !bytes.empty()) {
        bytes = answer.list->next(send_size);
        ec = co_await send(bytes, !bytes.empty());
    }
    if (ec) {
        cut();
        co_return;
    }
    if (!keep_alive) co_await linger();
}

/// Closing with unread input would reset the connection, and the peer could lose the answer.
asio::awaitable<void> listener_session::linger() {
    error_code ec;
    within(1s);
    co_await stream_.async_shutdown(to(ec));
    stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ec);
    std::string dump(dump_size, '\0');
    for (std::size_t total = 0; !ec && total < core_->options().body_limit * 2;) {
        auto const n = co_await stream_.socket().async_read_some(asio::buffer(dump), to(ec));
        total += n;
    }
}

/// A client that takes less than that in a write_timeout is disconnected, even if it takes a little now and then.
asio::awaitable<error_code> listener_session::send(std::string const& bytes, bool more) {
    constexpr std::size_t share = 1024 * 1024;
    error_code ec;
    for (std::size_t sent = 0; sent < bytes.size() && !ec;) {
        if (share_left_ == 0) {
            within(options_->write_timeout);
            share_left_ = share;
        }
        auto const part = asio::buffer(bytes.data() + sent, std::min({send_size, bytes.size() - sent, share_left_}));
        auto const n = co_await stream_.async_write_some(part, to(ec));
        sent += n;
        share_left_ -= n;
    }
    if (more && !ec) co_return ec;
    no_limit();
    share_left_ = 0;
    co_return ec;
}

asio::awaitable<void> listener_session::write_stream(reply& answer, bool chunked) {
    if (chunked) answer.fields.add("Transfer-Encoding", "chunked");
    answer.fields.add("Connection", "close");
    auto const head = head_text(answer) + "\r\n";
    error_code ec = co_await send(head);
    if (ec) co_return;
    streaming_ = true;
    asio::co_spawn(core_->executor(), notice_end(), [self = shared_from_this()](std::exception_ptr) {});
    while (streaming_) {
        auto piece = co_await read_piece(*answer.stream, core_->executor(),
                                         asio::bind_cancellation_slot(reading_.slot(), to(ec)));
        if (ec) break;
        auto const bytes = chunked ? chunk(piece) : std::move(piece);
        ec = co_await send(bytes);
        if (ec) break;
    }
    streaming_ = false;
    if (ec == asio::error::eof && chunked) {
        std::string const last = "0\r\n\r\n";
        ec = co_await send(last);
    }
    if (ec != asio::error::eof) co_return;
    error_code ignored;
    stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
}

asio::awaitable<void> listener_session::serve_upgrade(reply& answer) {
    auto const head = head_text(answer) + "\r\n";
    error_code const ec = co_await send(head);
    if (ec) {
        if (answer.upgrade->process) answer.upgrade->process->kill();
        co_return;
    }
    error_code ignored;
    stream_.socket().set_option(asio::socket_base::keep_alive(true), ignored); // for clients that have vanished
    std::string early(static_cast<char const*>(buffer_.data().data()), buffer_.size());
    auto socket = kube::detail::make_upgraded_socket({shared_from_this(), &stream_}, std::move(early), {});
    auto session = make_session(core_->executor(), std::move(socket), std::move(*answer.upgrade));
    co_await server_core::run_session(core_, std::move(session));
}

/// While a stream is written, nothing but the end is expected from the peer.
asio::awaitable<void> listener_session::notice_end() {
    std::string dump(dump_size, '\0');
    error_code ec;
    while (streaming_ && !ec) co_await stream_.async_read_some(asio::buffer(dump), to(ec));
    if (streaming_) reading_.emit(asio::cancellation_type::terminal);
    streaming_ = false;
}

} // namespace kftrain::apiserver
