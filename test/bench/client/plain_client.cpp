#include "bench/client/plain_client.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>

#include <vector>

namespace kftrain::bench {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using tls_stream = beast::ssl_stream<beast::tcp_stream>;

constexpr std::size_t room = 64 * 1024;

asio::ssl::context trusting(server_address const& server) {
    asio::ssl::context tls(asio::ssl::context::tls_client);
    tls.add_certificate_authority(asio::buffer(server.ca_pem));
    tls.set_verify_mode(asio::ssl::verify_peer);
    tls.set_verify_callback(asio::ssl::host_name_verification("127.0.0.1"));
    return tls;
}

asio::ip::tcp::endpoint endpoint_of(server_address const& server) {
    auto const port = std::stoul(server.url.substr(server.url.rfind(':') + 1));
    return {asio::ip::address_v4::loopback(), static_cast<unsigned short>(port)};
}

void set_fields(http::fields& fields, server_address const& server) {
    fields.set(http::field::host, "127.0.0.1");
    fields.set(http::field::accept, "application/json");
    if (!server.token.empty()) fields.set(http::field::authorization, "Bearer " + server.token);
}

} // namespace

struct plain_connection::state {
    explicit state(server_address const& s) : server(s), tls(trusting(s)), stream(context, tls) {
        beast::get_lowest_layer(stream).connect(endpoint_of(s));
        beast::get_lowest_layer(stream).socket().set_option(asio::ip::tcp::no_delay(true));
        stream.handshake(asio::ssl::stream_base::client);
        buffer.reserve(room);
    }
    void send_request(std::string const& target) {
        http::request<http::empty_body> request(http::verb::get, target, 11);
        set_fields(request, server);
        http::write(stream, request);
    }

    server_address server;
    asio::io_context context;
    asio::ssl::context tls;
    tls_stream stream;
    beast::flat_buffer buffer;
};

plain_connection::plain_connection(server_address const& server) : state_(std::make_unique<state>(server)) {}
plain_connection::~plain_connection() = default;

std::string plain_connection::get(std::string const& target) {
    state_->send_request(target);
    http::response_parser<http::string_body> parser;
    parser.body_limit(boost::none);
    http::read(state_->stream, state_->buffer, parser);
    if (parser.get().result() != http::status::ok) give_up(parser.get().body());
    return std::move(parser.get().body());
}

void plain_connection::stream(std::string const& target, std::function<bool(std::string_view)> const& take) {
    state_->send_request(target);
    http::response_parser<http::buffer_body> parser;
    parser.body_limit(boost::none);
    http::read_header(state_->stream, state_->buffer, parser);
    if (parser.get().result() != http::status::ok) give_up("no stream");
    std::string piece(room, '\0');
    bool more = take({});
    while (more && !parser.is_done()) {
        auto& body = parser.get().body();
        body.data = piece.data();
        body.size = piece.size();
        boost::system::error_code ec;
        http::read_some(state_->stream, state_->buffer, parser, ec);
        if (ec && ec != http::error::need_buffer) throw boost::system::system_error(ec);
        std::size_t const size = piece.size() - body.size;
        if (size != 0) more = take(std::string_view(piece).substr(0, size));
    }
}

namespace {

struct work {
    server_address const& server;
    std::function<plain_request(long)> const& make;
    std::function<void(std::string const&)> const& take;
    long count;
    long next = 0;
};

asio::awaitable<void> send_some(asio::ssl::context& tls, work& w) {
    auto const executor = co_await asio::this_coro::executor;
    tls_stream stream(executor, tls);
    auto const endpoint = endpoint_of(w.server);
    co_await beast::get_lowest_layer(stream).async_connect(endpoint, asio::use_awaitable);
    beast::get_lowest_layer(stream).socket().set_option(asio::ip::tcp::no_delay(true));
    co_await stream.async_handshake(asio::ssl::stream_base::client, asio::use_awaitable);
    beast::flat_buffer buffer;
    buffer.reserve(room);
    while (w.next < w.count) {
        auto made = w.make(w.next++);
        http::request<http::string_body> request(http::string_to_verb(made.method), made.target, 11);
        set_fields(request, w.server);
        request.set(http::field::content_type, made.type);
        request.body() = std::move(made.body);
        request.prepare_payload();
        co_await http::async_write(stream, request, asio::use_awaitable);
        http::response_parser<http::string_body> parser;
        parser.body_limit(boost::none);
        co_await http::async_read(stream, buffer, parser, asio::use_awaitable);
        if (http::to_status_class(parser.get().result()) != http::status_class::successful)
            give_up(parser.get().body());
        w.take(parser.get().body());
    }
}

} // namespace

void send_all(server_address const& server, int connections, long count, std::function<plain_request(long)> const& make,
              std::function<void(std::string const&)> const& take) {
    asio::io_context context(1);
    auto tls = trusting(server);
    work w{server, make, take, count};
    for (int i = 0; i < connections; ++i)
        asio::co_spawn(context, send_some(tls, w), [](std::exception_ptr const& thrown) {
            if (thrown) std::rethrow_exception(thrown);
        });
    context.run();
}

} // namespace kftrain::bench
