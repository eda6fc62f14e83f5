#include "apiserver/http/listener_session.hpp"

#include "kube/transport/upgraded_socket.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/http/status.hpp>

#include <algorithm>
#include <array>
#include <charconv>

// How answers are written to a connection.
namespace kftrain::apiserver {
namespace {

namespace http = boost::beast::http;
using namespace std::chrono_literals;

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
