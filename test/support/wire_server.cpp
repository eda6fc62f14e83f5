#include "support/wire_server.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>

#include <sys/socket.h>
#include <unistd.h>

namespace kftrain::test {

using tcp = asio::ip::tcp;
using boost::system::error_code;

bool wire_peer::start_tls(asio::ssl::context& context) {
    tls_ = std::make_unique<asio::ssl::stream<tcp::socket&>>(plain_, context);
    error_code ec;
    tls_->handshake(asio::ssl::stream_base::server, ec);
    return !ec;
}

bool wire_peer::is_resumed() const { return SSL_session_reused(tls_->native_handle()) == 1; }

std::string wire_peer::shown_name() const {
    X509* const shown = tls_ ? SSL_get1_peer_certificate(tls_->native_handle()) : nullptr;
    char name[256] = "";
    if (shown != nullptr) X509_NAME_get_text_by_NID(X509_get_subject_name(shown), NID_commonName, name, sizeof name);
    X509_free(shown);
    return name;
}

std::string wire_peer::read_bytes(std::size_t size) {
    while (received_.size() < size) {
        char piece[4096];
        auto const n = read(piece, std::min(sizeof piece, size - received_.size()));
        if (n == 0) break;
        received_.append(piece, n);
    }
    auto bytes = received_.substr(0, size);
    received_.erase(0, bytes.size());
    return bytes;
}

std::size_t wire_peer::read(char* into, std::size_t size) {
    error_code ec;
    auto const b = asio::buffer(into, size);
    auto const n = tls_ ? tls_->read_some(b, ec) : plain_.read_some(b, ec);
    return ec ? 0 : n;
}

std::string wire_peer::read_request() {
    for (;;) {
        if (auto const end = received_.find("\r\n\r\n"); end != std::string::npos) {
            std::size_t size = end + 4;
            constexpr std::string_view length = "Content-Length: ";
            if (auto const at = received_.find(length); at < end)
                size += std::stoul(received_.substr(at + length.size()));
            if (received_.size() >= size) {
                auto request = received_.substr(0, size);
                received_.erase(0, size);
                return request;
            }
        }
        char piece[65536];
        auto const n = read(piece, sizeof piece);
        if (n == 0) return {};
        received_.append(piece, n);
    }
}

void wire_peer::send(std::string const& bytes) {
    error_code ignored; // the peer may go at any time
    if (tls_)
        asio::write(*tls_, asio::buffer(bytes), ignored);
    else
        asio::write(plain_, asio::buffer(bytes), ignored);
}

void wire_peer::send_raw(std::string const& bytes) {
    error_code ignored;
    asio::write(plain_, asio::buffer(bytes), ignored);
}

void wire_peer::answer(std::string const& body, std::string const& status, std::string const& fields) {
    send("HTTP/1.1 " + status + "\r\n" + fields + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
}

bool wire_peer::wait_for_end() {
    char piece[4096];
    bool silent = received_.empty();
    while (read(piece, sizeof piece) != 0) silent = false;
    return silent;
}

void wire_peer::reset() {
    error_code ignored;
    plain_.set_option(asio::socket_base::linger(true, 0), ignored);
    plain_.close(ignored);
}

int wire_peer::duplicate() { return ::dup(plain_.native_handle()); }

wire_server::wire_server(std::vector<script> scripts)
    : acceptor_(context_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)),
      scripts_(std::move(scripts)),
      thread_([this] { serve(); }) {}

wire_server::wire_server(std::vector<script> scripts, identity const& me, std::string const& client_ca)
    : acceptor_(context_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)),
      tls_(std::make_unique<asio::ssl::context>(asio::ssl::context::tls_server)),
      scripts_(std::move(scripts)) {
    tls_->use_certificate_chain(asio::buffer(me.certificate));
    tls_->use_private_key(asio::buffer(me.key), asio::ssl::context::pem);
    if (!client_ca.empty()) {
        tls_->add_certificate_authority(asio::buffer(client_ca));
        tls_->set_verify_mode(asio::ssl::verify_peer | asio::ssl::verify_fail_if_no_peer_cert);
    }
    thread_ = std::thread([this] { serve(); });
}

wire_server::~wire_server() {
    ::shutdown(acceptor_.native_handle(), SHUT_RDWR); // wakes the thread from accept()
    thread_.join();
}

bool wire_server::serve_one(script const& s) {
    error_code ec;
    tcp::socket socket(context_);
    acceptor_.accept(socket, ec);
    if (ec) return false;
    ++accepted_;
    wire_peer peer(std::move(socket));
    peer.meanwhile_ = [this](script const& other) { serve_one(other); };
    if (!tls_ || peer.start_tls(*tls_)) s(peer);
    return true;
}

void wire_server::serve() {
    for (auto const& s : scripts_)
        if (!serve_one(s)) return;
    error_code ignored;
    acceptor_.close(ignored); // later connections are refused
}

} // namespace kftrain::test
