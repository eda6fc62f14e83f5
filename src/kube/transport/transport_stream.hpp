#ifndef KFTRAIN_SRC_KUBE_TRANSPORT_TRANSPORT_STREAM_HPP
#define KFTRAIN_SRC_KUBE_TRANSPORT_TRANSPORT_STREAM_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/kube/config.hpp>
#include <kftrain/kube/initiate.hpp>

#include <boost/asio/append.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace kftrain::kube::detail {

/** One connection of a client or a server, with or without TLS. Erased, so that the HTTP code of each is compiled once.
    It must live until its operations have completed: one at a time, or a read and a write where the stream says so. */
class byte_stream {
public:
    using size_handler = any_handler<void(error_code, std::size_t)>;

    virtual ~byte_stream() = default;

    virtual void read_some(asio::mutable_buffer into, size_handler handler) = 0;
    virtual void write_some(asio::const_buffer from, size_handler handler) = 0;
    /** Sends at once what goes without waiting and hands back how many bytes of `from` it took. What it took may wait
        here yet: all has left only if `gone` was set. Otherwise write_some() goes on, with nothing if there is no more.
        A stream that cannot do so takes nothing. */
    virtual std::size_t send_now(asio::const_buffer, bool& gone, error_code&) {
        gone = false;
        return 0;
    }
    /// Returns whether no byte and no end waits to be read; false if the stream cannot determine it.
    virtual bool is_quiet() noexcept { return false; }
    /// Performs the handshake after the TCP connect; nothing without TLS.
    virtual void handshake(any_handler<void(error_code)> handler) = 0;
    /// Why the handshake rejected the server, if it did, as text for messages.
    virtual std::string const& refusal() const noexcept {
        static std::string const none;
        return none;
    }
    /// Whether the handshake may fail where one without what earlier connections left behind would not.
    virtual bool offers_ticket() const noexcept { return false; }
    /// Sends the peer the close notification of TLS, if the stream uses TLS. No read may be pending.
    virtual void shutdown(any_handler<void(error_code)> handler) {
        asio::post(socket().get_executor(), asio::append(std::move(handler), error_code()));
    }
    virtual asio::ip::tcp::socket& socket() noexcept = 0;
};

/// Makes a @ref byte_stream from a connected socket.
class stream_factory {
public:
    virtual ~stream_factory() = default;
    virtual std::unique_ptr<byte_stream> wrap(asio::ip::tcp::socket socket) const = 0;

    /// Whether handshakes will be shorter when the server has given a ticket, and it has given none that is left.
    virtual bool wants_ticket() const { return false; }
    /// `f` is called when one comes after all, from within the work of a stream.
    virtual void on_ticket(std::function<void()>) {}
    virtual void forget_tickets() noexcept {}
};

/// Nothing has come that the kernel could hand out, not even the end of the stream.
bool is_quiet(asio::ip::tcp::socket& socket) noexcept;
/// Sends as much of `from` as the kernel accepts now, and returns its size; 0 is not an error.
std::size_t send_without_waiting(asio::ip::tcp::socket& socket, asio::const_buffer from, error_code& ec);

/// A read and a write may be pending at the same time.
std::unique_ptr<stream_factory> make_tcp_factory();
/** With the trust and identity of `c`; the certificate of the server must name `host`, unless `c` has another name.
    @par Errors `errc::invalid_argument` for an unusable certificate or key. */
result<std::unique_ptr<stream_factory>> make_tls_factory(config const& c, std::string const& host);

/// Models Asio's stream concepts over a @ref byte_stream.
class any_stream {
public:
    using executor_type = asio::any_io_executor;

    explicit any_stream(std::unique_ptr<byte_stream> s) : stream_(std::move(s)) {}

    executor_type get_executor() const noexcept { return stream_->socket().get_executor(); }
    asio::ip::tcp::socket& socket() noexcept { return stream_->socket(); }
    std::string const& refusal() const noexcept { return stream_->refusal(); }
    bool offers_ticket() const noexcept { return stream_->offers_ticket(); }
    bool is_quiet() noexcept { return stream_->is_quiet(); }

    template <class Buffers, class Token> auto async_read_some(Buffers const& buffers, Token&& token) {
        return initiate<void(error_code, std::size_t)>(
            get_executor(), std::forward<Token>(token),
            [s = stream_.get(), b = first<asio::mutable_buffer>(buffers)](byte_stream::size_handler h) {
                s->read_some(b, std::move(h));
            });
    }
    template <class Buffers, class Token> auto async_write_some(Buffers const& buffers, Token&& token) {
        return initiate<void(error_code, std::size_t)>(
            get_executor(), std::forward<Token>(token),
            [s = stream_.get(), b = first<asio::const_buffer>(buffers)](byte_stream::size_handler h) {
                s->write_some(b, std::move(h));
            });
    }
    std::size_t send_now(asio::const_buffer from, bool& gone, error_code& ec) {
        return stream_->send_now(from, gone, ec);
    }
    template <class Token> auto async_handshake(Token&& token) {
        return initiate<void(error_code)>(
            get_executor(), std::forward<Token>(token),
            [s = stream_.get()](any_handler<void(error_code)> h) { s->handshake(std::move(h)); });
    }
    template <class Token> auto async_shutdown(Token&& token) {
        return initiate<void(error_code)>(
            get_executor(), std::forward<Token>(token),
            [s = stream_.get()](any_handler<void(error_code)> h) { s->shutdown(std::move(h)); });
    }

private:
    template <class Buffer, class Buffers> static Buffer first(Buffers const& buffers) {
        auto const end = asio::buffer_sequence_end(buffers);
        for (auto it = asio::buffer_sequence_begin(buffers); it != end; ++it)
            if (Buffer const b(*it); b.size() != 0) return b;
        return Buffer();
    }

    std::unique_ptr<byte_stream> stream_;
};

} // namespace kftrain::kube::detail

#endif
