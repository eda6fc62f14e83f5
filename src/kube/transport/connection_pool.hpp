#ifndef KFTRAIN_SRC_KUBE_TRANSPORT_CONNECTION_POOL_HPP
#define KFTRAIN_SRC_KUBE_TRANSPORT_CONNECTION_POOL_HPP

#include "kube/http/proxy_address.hpp"
#include "kube/transport/transport_stream.hpp"

#include <kftrain/kube/https_transport.hpp>

#include <boost/asio/any_completion_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kftrain::kube::detail {

struct connection {
    explicit connection(std::unique_ptr<byte_stream> s) : stream(std::move(s)) {}

    any_stream stream;
    boost::beast::flat_buffer buffer; ///< of the last exchange, empty, for the next one
    std::chrono::steady_clock::time_point idle_since;
    std::uint64_t generation = 0; ///< of the certificates that it was made with
};

/// Why no connection came about.
struct connect_fault {
    connect_fault() = default;

    error_code ec;
    std::string why;     ///< more about it: which server is meant, and which proxy is between
    std::string refusal; ///< what the proxy did instead
};

/// Makes connections to one server and keeps those that may serve again. No timer runs: age is looked at when needed.
class connection_pool : public std::enable_shared_from_this<connection_pool> {
public:
    connection_pool(asio::any_io_executor executor, std::string host, std::string port,
                    std::unique_ptr<stream_factory> factory, https_options const& options,
                    std::optional<proxy_address> proxy, std::string context)
        : executor_(std::move(executor)),
          completion_executor_(executor_),
          host_(std::move(host)),
          port_(std::move(port)),
          factory_(std::move(factory)),
          options_(options),
          proxy_(std::move(proxy)),
          context_(std::move(context)) {
        factory_->on_ticket([this] { release_waiting(); });
    }
    connection_pool(connection_pool const&) = delete;
    connection_pool& operator=(connection_pool const&) = delete;
    ~connection_pool() { factory_->on_ticket(nullptr); }

    asio::any_io_executor executor() const noexcept { return executor_; }
    /// The same, where handlers run that name no other.
    asio::any_completion_executor const& completion_executor() const noexcept { return completion_executor_; }

    /// The connection kept last, if it still stands; else null.
    std::unique_ptr<connection> take();
    void keep(std::unique_ptr<connection> c);
    /// The server, the context of the kubeconfig, and the proxy on the way to the server, as text.
    std::string place() const;
    /// That of the connections that are made now.
    std::uint64_t generation() const noexcept { return generation_; }
    /// New connections are made by this one, and only they are kept; those that serve go on.
    void renew(std::unique_ptr<stream_factory> factory);
    /** A new connection, ready for use; null, with the cause in `fault`, if none came about in time or it broke
        before it could be used; what is thrown may have more in `fault.why`. When many want one at once and the first
        may bring a ticket that eases the handshakes of the others, these wait a moment for it; then `reused`, if not
        null, may be set: a connection has become free. The pool and what is referred to must live until then. */
    asio::awaitable<std::unique_ptr<connection>> connect(connect_fault& fault, bool* reused);

private:
    using clock = std::chrono::steady_clock;
    using endpoints = std::vector<asio::ip::tcp::endpoint>;

    asio::awaitable<endpoints> resolve(clock::time_point until);
    void drop_old();
    enum class turn { first, after_first, any };
    asio::awaitable<turn> await_first();
    /// Ends the waiting for the first connection.
    void release_waiting();
    asio::awaitable<std::unique_ptr<connection>> dial(connect_fault& fault);
    /// `offered`: whether the handshake offered a ticket.
    asio::awaitable<std::unique_ptr<connection>> reach(asio::ip::tcp::endpoint endpoint, clock::time_point until,
                                                       connect_fault& fault, bool& offered);

    asio::any_io_executor executor_;
    asio::any_completion_executor completion_executor_;
    std::string host_;
    std::string port_;
    std::unique_ptr<stream_factory> factory_;
    https_options options_;
    std::optional<proxy_address> proxy_;
    std::string context_; ///< of the kubeconfig; may be empty
    std::uint64_t generation_ = 0;
    std::vector<std::unique_ptr<connection>> idle_;
    bool hopes_for_tickets_ = true; // not after a wait without one
    clock::time_point first_until_ =
        clock::time_point::min();             // the first connection is waited for; `min`: there is none
    std::weak_ptr<asio::steady_timer> first_; // with which they wait, whose it is
};

} // namespace kftrain::kube::detail

#endif
