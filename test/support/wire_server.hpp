#ifndef KFTRAIN_TEST_SUPPORT_WIRE_SERVER_HPP
#define KFTRAIN_TEST_SUPPORT_WIRE_SERVER_HPP

#include "support/certificates.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace kftrain::test {

namespace asio = boost::asio;

/// The server's end of one connection. Blocking.
class wire_peer {
public:
    explicit wire_peer(asio::ip::tcp::socket s) : plain_(std::move(s)) {}

    bool start_tls(asio::ssl::context& context);
    /// The handshake took up an earlier session.
    bool is_resumed() const;
    /// The common name in the certificate that the peer showed; empty for none.
    std::string shown_name() const;
    /// So many bytes as they come; fewer when the peer has gone.
    std::string read_bytes(std::size_t size);
    /// Serves another connection with this script before this one goes on.
    void meanwhile(std::function<void(wire_peer&)> const& script) { meanwhile_(script); }
    /// Head and body; empty when the peer has gone.
    std::string read_request();
    void send(std::string const& bytes);
    /// Past TLS.
    void send_raw(std::string const& bytes);
    /// A whole answer with a length.
    void answer(std::string const& body, std::string const& status = "200 OK", std::string const& fields = "");
    /// Until the peer goes. True if it sent nothing more.
    bool wait_for_end();
    /// Ends with RST instead of FIN.
    void reset();
    /// Another descriptor of the socket, for the caller to close: until then the connection stands.
    int duplicate();

private:
    friend class wire_server;

    std::size_t read(char* into, std::size_t size);

    asio::ip::tcp::socket plain_;
    std::unique_ptr<asio::ssl::stream<asio::ip::tcp::socket&>> tls_;
    std::string received_;
    std::function<void(std::function<void(wire_peer&)> const&)> meanwhile_;
};

/** Serves one script after the other, each on a connection of its own, byte by byte as the script says. */
class wire_server {
public:
    using script = std::function<void(wire_peer&)>;

    explicit wire_server(std::vector<script> scripts);
    /// With TLS. A non-empty `client_ca` asks for client certificates of it.
    wire_server(std::vector<script> scripts, identity const& me, std::string const& client_ca = "");
    ~wire_server();

    std::string const& port() const noexcept { return port_; }
    unsigned accepted() const noexcept { return accepted_; }

private:
    void serve();
    bool serve_one(script const& s);

    asio::io_context context_;
    asio::ip::tcp::acceptor acceptor_;
    std::string port_ = std::to_string(acceptor_.local_endpoint().port());
    std::unique_ptr<asio::ssl::context> tls_;
    std::vector<script> scripts_;
    std::atomic<unsigned> accepted_{0};
    std::thread thread_;
};

} // namespace kftrain::test

#endif
