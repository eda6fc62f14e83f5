#include "apiserver/http/listener_stream.hpp"

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/stream.hpp>

#include <openssl/err.h>
#include <openssl/ssl.h>

namespace kftrain::apiserver {
namespace {

namespace asio = boost::asio;
namespace ssl = asio::ssl;
using tcp = asio::ip::tcp;

class accepted_tls final : public kube::detail::byte_stream {
public:
    accepted_tls(tcp::socket s, std::shared_ptr<ssl::context> context)
        : context_(std::move(context)), stream_(std::move(s), *context_) {}

    void read_some(asio::mutable_buffer into, size_handler handler) override {
        stream_.async_read_some(into, std::move(handler));
    }
    void write_some(asio::const_buffer from, size_handler handler) override {
        stream_.async_write_some(from, std::move(handler));
    }
    void handshake(kube::any_handler<void(error_code)> handler) override {
        stream_.async_handshake(ssl::stream_base::server, std::move(handler));
    }
    void shutdown(kube::any_handler<void(error_code)> handler) override { stream_.async_shutdown(std::move(handler)); }
    tcp::socket& socket() noexcept override { return stream_.next_layer(); }

private:
    std::shared_ptr<ssl::context> context_;
    ssl::stream<tcp::socket> stream_;
};

class accepted_tls_factory final : public kube::detail::stream_factory {
public:
    explicit accepted_tls_factory(std::shared_ptr<ssl::context> context) : context_(std::move(context)) {}

    std::unique_ptr<kube::detail::byte_stream> wrap(tcp::socket s) const override {
        return std::make_unique<accepted_tls>(std::move(s), context_);
    }

private:
    std::shared_ptr<ssl::context> context_;
};

} // namespace

result<std::unique_ptr<kube::detail::stream_factory>> make_tls_streams(tls_identity const& identity) {
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
        // Of two halves of different types OpenSSL notices only here that they do not belong together.
        if (!ec && SSL_CTX_check_private_key(context->native_handle()) != 1)
            ec = {static_cast<int>(ERR_get_error()), asio::error::get_ssl_category()};
    }
    if (ec) {
        d.message = "OpenSSL rejected the credentials: " + ec.message();
        return failure(errc::invalid_argument, std::move(d));
    }
    return std::unique_ptr<kube::detail::stream_factory>(std::make_unique<accepted_tls_factory>(std::move(context)));
}

} // namespace kftrain::apiserver
