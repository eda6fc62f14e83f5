#include "kube/transport/transport_stream.hpp"

#include <boost/asio/post.hpp>

#include <sys/socket.h>

#include <cerrno>
#include <utility>

namespace kftrain::kube::detail {
namespace {

using tcp = asio::ip::tcp;

class tcp_stream final : public byte_stream {
public:
    explicit tcp_stream(tcp::socket s) : socket_(std::move(s)) {}

    void read_some(asio::mutable_buffer into, size_handler handler) override {
        socket_.async_read_some(into, std::move(handler));
    }
    void write_some(asio::const_buffer from, size_handler handler) override {
        socket_.async_write_some(from, std::move(handler));
    }
    std::size_t send_now(asio::const_buffer from, bool& gone, error_code& ec) override {
        auto const n = send_without_waiting(socket_, from, ec);
        gone = n == from.size();
        return n;
    }
    bool is_quiet() noexcept override { return detail::is_quiet(socket_); }
    void handshake(any_handler<void(error_code)> handler) override {
        asio::post(socket_.get_executor(), [h = std::move(handler)]() mutable { std::move(h)(error_code()); });
    }
    tcp::socket& socket() noexcept override { return socket_; }

private:
    tcp::socket socket_;
};

class tcp_factory final : public stream_factory {
public:
    std::unique_ptr<byte_stream> wrap(tcp::socket s) const override {
        return std::make_unique<tcp_stream>(std::move(s));
    }
};

} // namespace

bool is_quiet(tcp::socket& socket) noexcept {
    char c = 0;
    auto const n = ::recv(socket.native_handle(), &c, 1, MSG_PEEK | MSG_DONTWAIT);
    return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

std::size_t send_without_waiting(tcp::socket& socket, asio::const_buffer from, error_code& ec) {
    auto const n = ::send(socket.native_handle(), from.data(), from.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) ec.assign(errno, boost::system::system_category());
    return 0;
}

std::unique_ptr<stream_factory> make_tcp_factory() { return std::make_unique<tcp_factory>(); }

} // namespace kftrain::kube::detail
