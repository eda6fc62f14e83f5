#include "local/kubelet/containers/container_exec.hpp"

#include "base/joined.hpp"
#include "kube/async/waiting_caller.hpp"
#include "local/kubelet/pod_worker.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>

#include <unistd.h>

namespace kftrain::local {
namespace {

using apiserver::refusal;
using asio::ip::tcp;

constexpr std::size_t port_read_size = 32 * 1024;
constexpr long most_ports = 256; ///< connections to the ports of a pod at a time

class pod_port final : public apiserver::port_connection, public std::enable_shared_from_this<pod_port> {
public:
    /// `addresses`: to be tried in this order.
    pod_port(std::shared_ptr<kubelet::state> const& owner, std::string pod, std::vector<std::string> addresses,
             std::uint16_t port, std::shared_ptr<int const> counter)
        : executor_(owner->client.get_executor()),
          owner_(owner),
          pod_(std::move(pod)),
          addresses_(std::move(addresses)),
          port_(port),
          counter_(std::move(counter)),
          socket_(executor_) {}

    void async_connect(kube::any_handler<void(error_code, std::string)> handler) override {
        connecting_.emplace(std::move(handler), executor_);
        try_next({});
    }

    void async_read(kube::any_handler<void(error_code, std::string)> handler) override {
        kube::waiting_caller<std::string> caller(std::move(handler), executor_);
        if (closed_) return caller.fail_later(executor_, asio::error::operation_aborted);
        into_.resize(port_read_size);
        socket_.async_read_some(asio::buffer(into_), [self = shared_from_this(),
                                                      c = std::move(caller)](error_code ec, std::size_t bytes) mutable {
            if (self->closed_) ec = asio::error::operation_aborted;
            c.complete(ec, self->into_.substr(0, ec ? 0 : bytes));
        });
    }

    void async_write(std::string bytes, kube::any_handler<void(error_code)> handler) override {
        kube::waiting_caller<> caller(std::move(handler), executor_);
        if (closed_) return caller.fail_later(executor_, asio::error::operation_aborted);
        auto const text = std::make_shared<std::string>(std::move(bytes));
        asio::async_write(socket_, asio::buffer(*text),
                          [self = shared_from_this(), text, c = std::move(caller)](error_code ec, std::size_t) mutable {
                              if (self->closed_) ec = asio::error::operation_aborted;
                              c.complete(ec);
                          });
    }

    void close_output() noexcept override {
        error_code ignored;
        if (socket_.is_open()) socket_.shutdown(tcp::socket::shutdown_send, ignored);
    }

    void close() noexcept override {
        if (std::exchange(closed_, true)) return;
        counter_.reset();
        stop_.emit(asio::cancellation_type::terminal);
        error_code ignored;
        socket_.close(ignored);
    }

private:
    void try_next(error_code last) {
        auto const owner = owner_.lock();
        if (closed_ || !owner || owner->stopping) last = asio::error::operation_aborted;
        if (tried_ == 1) first_ = last;
        if (last == asio::error::operation_aborted)
            return kube::take(connecting_).complete_later(executor_, last, reason_of(last));
        if (tried_ == addresses_.size()) // the last one is often not there at all
            return kube::take(connecting_).complete_later(executor_, first_, reason_of(first_));
        auto done = [self = shared_from_this()](error_code ec, int fd) { self->tried(ec, fd); };
        auto const& address = addresses_[tried_++];
        owner->node.async_connect_in(owner->node.mode() == isolation::namespaces ? pod_ : std::string(), address, port_,
                                     nullptr, asio::bind_cancellation_slot(stop_.slot(), std::move(done)));
    }

    void tried(error_code ec, int fd) {
        if (ec) return try_next(ec);
        socket_.assign(addresses_[tried_ - 1].find(':') == std::string::npos ? tcp::v4() : tcp::v6(), fd, ec);
        if (ec) ::close(fd);
        if (!ec && closed_) socket_.close();
        if (ec || closed_) return try_next(ec);
        error_code ignored;
        socket_.set_option(tcp::no_delay(true), ignored);
        kube::take(connecting_).complete_later(executor_, error_code(), std::string());
    }

    std::string reason_of(error_code ec) const {
        return "cannot connect to " + joined(addresses_, " or ") + ", port " + std::to_string(port_) + ": " +
               ec.message();
    }

    asio::any_io_executor executor_;
    std::weak_ptr<kubelet::state> owner_;
    std::string pod_;
    std::vector<std::string> addresses_;
    std::uint16_t port_;
    std::shared_ptr<int const> counter_; ///< of the pod, until the connection is closed
    tcp::socket socket_;
    std::string into_;
    std::optional<kube::waiting_caller<std::string>> connecting_;
    asio::cancellation_signal stop_; ///< of the connection attempt
    std::size_t tried_ = 0;
    error_code first_; ///< why the first address could not be reached
    bool closed_ = false;
};

} // namespace

apiserver::answer<std::shared_ptr<apiserver::port_connection>> open_port(std::weak_ptr<kubelet::state> const& weak,
                                                                         apiserver::port_request const& request) {
    auto const owner = weak.lock();
    std::string address;
    std::shared_ptr<int const> counter;
    if (owner && !owner->stopping)
        if (auto const at = owner->workers.find(request.pod_uid); at != owner->workers.end()) {
            address = at->second->address();
            counter = at->second->port_counter();
        }
    if (address.empty()) return refusal(500, reason::internal_error, "the pod does not run");
    if (counter.use_count() - 2 >= most_ports) // without those of the pod and of this function
        return refusal(429, reason::too_many_requests,
                       "the pod has " + std::to_string(most_ports) + " connections to its ports, the most at a time");
    std::vector<std::string> addresses;
    if (owner->node.mode() != isolation::namespaces) addresses.push_back(address);
    addresses.insert(addresses.end(), {"127.0.0.1", "::1"});
    return std::shared_ptr<apiserver::port_connection>(
        std::make_shared<pod_port>(owner, request.pod_uid, std::move(addresses), request.port, std::move(counter)));
}

} // namespace kftrain::local
