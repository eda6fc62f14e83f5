#ifndef KFTRAIN_SRC_APISERVER_LISTENER_STREAM_HPP
#define KFTRAIN_SRC_APISERVER_LISTENER_STREAM_HPP

#include <kftrain/apiserver/tls_identity.hpp>
#include <kftrain/kube/transport.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <functional>
#include <memory>

namespace kftrain::apiserver {

namespace asio = boost::asio;

/// An accepted connection, with or without TLS. Erased, so that the HTTP code is compiled once.
class accepted_stream {
public:
    using size_handler = kube::any_handler<void(error_code, std::size_t)>;
    using handler_type = kube::any_handler<void(error_code)>;

    virtual ~accepted_stream() = default;

    virtual void read_some(asio::mutable_buffer into, size_handler handler) = 0;
    virtual void write_some(asio::const_buffer from, size_handler handler) = 0;
    virtual void handshake(handler_type handler) = 0;
    /// Tells the peer that nothing follows. No read may be pending.
    virtual void shutdown(handler_type handler) = 0;
    virtual asio::ip::tcp::socket& socket() noexcept = 0;
};

using stream_maker = std::function<std::unique_ptr<accepted_stream>(asio::ip::tcp::socket)>;

stream_maker make_tcp_streams();
/// @par Errors `errc::invalid_argument` for an unusable certificate or key.
result<stream_maker> make_tls_streams(tls_identity const&);

/// Models Asio's stream concepts over an accepted_stream.
class any_stream {
public:
    using executor_type = asio::any_io_executor;

    explicit any_stream(std::unique_ptr<accepted_stream> s) : stream_(std::move(s)) {}

    executor_type get_executor() noexcept { return stream_->socket().get_executor(); }
    asio::ip::tcp::socket& socket() noexcept { return stream_->socket(); }

    template <class Buffers, class Token> auto async_read_some(Buffers const& buffers, Token&& token) {
        auto start = [s = stream_.get(), b = first<asio::mutable_buffer>(buffers)](auto&& handler) {
            s->read_some(b, accepted_stream::size_handler(std::forward<decltype(handler)>(handler)));
        };
        return asio::async_initiate<Token, void(error_code, std::size_t)>(std::move(start), token);
    }
    template <class Buffers, class Token> auto async_write_some(Buffers const& buffers, Token&& token) {
        auto start = [s = stream_.get(), b = first<asio::const_buffer>(buffers)](auto&& handler) {
            s->write_some(b, accepted_stream::size_handler(std::forward<decltype(handler)>(handler)));
        };
        return asio::async_initiate<Token, void(error_code, std::size_t)>(std::move(start), token);
    }
    template <class Token> auto async_handshake(Token&& token) {
        auto start = [s = stream_.get()](auto&& handler) {
            s->handshake(accepted_stream::handler_type(std::forward<decltype(handler)>(handler)));
        };
        return asio::async_initiate<Token, void(error_code)>(std::move(start), token);
    }
    template <class Token> auto async_shutdown(Token&& token) {
        auto start = [s = stream_.get()](auto&& handler) {
            s->shutdown(accepted_stream::handler_type(std::forward<decltype(handler)>(handler)));
        };
        return asio::async_initiate<Token, void(error_code)>(std::move(start), token);
    }

private:
    template <class Buffer, class Buffers> static Buffer first(Buffers const& buffers) {
        auto const end = asio::buffer_sequence_end(buffers);
        for (auto it = asio::buffer_sequence_begin(buffers); it != end; ++it)
            if (Buffer const b(*it); b.size() != 0) return b;
        return Buffer();
    }

    std::unique_ptr<accepted_stream> stream_;
};

} // namespace kftrain::apiserver

#endif
