#include "listener_stream.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

namespace kftrain::apiserver {
namespace {

using tcp = asio::ip::tcp;
namespace ssl = asio::ssl;

class tcp_stream final : public accepted_stream {
public:
    explicit tcp_stream(tcp::socket s) : socket_(std::move(s)) {}

    void read_some(asio::mutable_buffer into, size_handler handler) override {
        socket_.async_read_some(into, std::move(handler));
    }
    void write_some(asio::const_buffer from, size_handler handler) override {
        socket_.async_write_some(from, std::move(handler));
    }
    void handshake(handler_type handler) override {
        asio::post(socket_.get_executor(), [h = std::move(handler)]() mutable { std::move(h)(error_code()); });
    }
    void shutdown(handler_type handler) override {
        error_code ec;
        socket_.shutdown(tcp::socket::shutdown_send, ec);
        asio::post(socket_.get_executor(), [h = std::move(handler), ec]() mutable { std::move(h)(ec); });
    }
    tcp::socket& socket() noexcept override { return socket_; }

private:
    tcp::socket socket_;
};

class tls_stream final : public accepted_stream {
public:
    tls_stream(tcp::socket s, std::shared_ptr<ssl::context> context)
        : context_(std::move(context)), stream_(std::move(s), *context_) {}

    void read_some(asio::mutable_buffer into, size_handler handler) override {
        stream_.async_read_some(into, std::move(handler));
    }
    void write_some(asio::const_buffer from, size_handler handler) override {
        stream_.async_write_some(from, std::move(handler));
    }
    void handshake(handler_type handler) override {
        stream_.async_handshake(ssl::stream_base::server, std::move(handler));
    }
    void shutdown(handler_type handler) override { stream_.async_shutdown(std::move(handler)); }
    tcp::socket& socket() noexcept override { return stream_.next_layer(); }

private:
    std::shared_ptr<ssl::context> context_;
    ssl::stream<tcp::socket> stream_;
};

} // namespace

stream_maker make_tcp_streams() {
    return [](tcp::socket s) { return std::make_unique<tcp_stream>(std::move(s)); };
}

result<stream_maker> make_tls_streams(tls_identity const& identity) {
    auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
    context->set_options(ssl::context::default_workarounds | ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1);
    // Many connections wait for long, as watches do: they keep neither buffers nor a session that could be resumed.
    SSL_CTX_set_mode(context->native_handle(), SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_session_cache_mode(context->native_handle(), SSL_SESS_CACHE_OFF);
    error_code ec;
    diagnostics d;
    context->use_certificate_chain(asio::buffer(identity.certificate_pem), ec);
    if (ec) {
        d.path = "tls.certificate_pem";
    } else {
        context->use_private_key(asio::buffer(identity.key_pem), ssl::context::pem, ec);
        d.path = "tls.key_pem";
    }
    if (ec) {
        d.message = "OpenSSL cannot use it: " + ec.message();
        return failure(errc::invalid_argument, std::move(d));
    }
    return stream_maker([context](tcp::socket s) { return std::make_unique<tls_stream>(std::move(s), context); });
}

} // namespace kftrain::apiserver
