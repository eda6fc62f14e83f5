#include "local/node/node_state.hpp"

#include <boost/asio/error.hpp>
#include <boost/json/value.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstring>

namespace kftrain::local {
namespace {

/// An address in the form of the system.
struct socket_address {
    sockaddr_storage bytes{};
    socklen_t size = 0; ///< 0: it is no IP address
};

socket_address address_of(std::string const& text, std::uint16_t port) {
    socket_address out;
    sockaddr_in v4{};
    sockaddr_in6 v6{};
    v4.sin_family = AF_INET;
    v6.sin6_family = AF_INET6;
    v4.sin_port = v6.sin6_port = htons(port);
    auto const take = [&out](auto const& address) {
        std::memcpy(&out.bytes, &address, sizeof address);
        out.size = sizeof address;
    };
    if (::inet_pton(AF_INET, text.c_str(), &v4.sin_addr) == 1)
        take(v4);
    else if (::inet_pton(AF_INET6, text.c_str(), &v6.sin6_addr) == 1)
        take(v6);
    return out;
}

/// Connects a socket that the helper opened: it belongs to the network of the node or a pod wherever it is used.
class connecting : public std::enable_shared_from_this<connecting> {
public:
    using handler = asio::any_completion_handler<void(error_code, int)>;

    connecting(asio::any_io_executor e, handler h, diagnostics* d, std::string label)
        : executor_(e), socket_(e), handler_(std::move(h)), detail_(d), label_(std::move(label)) {}

    void heed_cancellation() {
        if (auto slot = asio::get_associated_cancellation_slot(handler_); slot.is_connected())
            slot.assign([weak = weak_from_this()](asio::cancellation_type) {
                if (auto const self = weak.lock()) self->cancel();
            });
    }

    void run(int fd, socket_address const& where) {
        error_code ec;
        socket_.assign(fd, ec);
        if (ec) ::close(fd);
        if (!ec) socket_.non_blocking(true, ec);
        if (ec) return finish(ec);
        if (cancelled_) return finish(asio::error::operation_aborted);
        if (::connect(fd, reinterpret_cast<sockaddr const*>(&where.bytes), where.size) == 0) return finish({});
        if (errno != EINPROGRESS) return finish({errno, boost::system::system_category()});
        socket_.async_wait(asio::posix::stream_descriptor::wait_write, [self = shared_from_this()](error_code failed) {
            if (failed) return self->finish(failed);
            int error = 0;
            socklen_t size = sizeof error;
            ::getsockopt(self->socket_.native_handle(), SOL_SOCKET, SO_ERROR, &error, &size);
            self->finish({error, boost::system::system_category()});
        });
    }

    void finish(error_code ec) {
        if (!handler_) return;
        if (ec && detail_ != nullptr && detail_->message.empty()) detail_->message = label_ + ": " + ec.message();
        sandbox::unique_fd fd(ec ? -1 : socket_.release()); // closed when the handler never runs
        auto h = std::move(handler_);
        if (auto slot = asio::get_associated_cancellation_slot(h); slot.is_connected()) slot.clear();
        auto const where = asio::get_associated_executor(h, executor_);
        auto call = [h = std::move(h), ec, fd = std::move(fd)]() mutable { std::move(h)(ec, fd.release()); };
        asio::post(executor_, asio::bind_executor(where, std::move(call)));
    }

private:
    void cancel() {
        cancelled_ = true;
        error_code ignored;
        if (socket_.is_open()) socket_.cancel(ignored);
    }

    asio::any_io_executor executor_;
    asio::posix::stream_descriptor socket_;
    handler handler_;
    diagnostics* detail_;
    std::string label_;
    bool cancelled_ = false;
};

} // namespace

void node::connect(self s, std::string pod, std::string address, std::uint16_t port, diagnostics* detail,
                   handler<void(error_code, int)> h) {
    auto const label = "connect to " + address + ":" + std::to_string(port);
    auto const where = address_of(address, port);
    if (where.size == 0) {
        state::pending p{std::move(h), detail, {}};
        s->finish(std::move(p), errc::invalid_argument, label + ": expected an IP address");
        return;
    }
    auto const attempt = std::make_shared<connecting>(s->executor, std::move(h), detail, label);
    attempt->heed_cancellation();
    boost::json::object body{{"request", "socket"}, {"protocol", where.bytes.ss_family == AF_INET6 ? "tcp6" : "tcp"}};
    if (!pod.empty()) body["pod"] = pod;
    state::fd_handler opened([attempt, where](error_code ec, int fd) {
        if (ec)
            attempt->finish(ec);
        else
            attempt->run(fd, where);
    });
    s->request(std::move(body), {std::move(opened), detail, {}});
}

} // namespace kftrain::local
