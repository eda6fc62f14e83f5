#ifndef KFTRAIN_SRC_KUBE_TRANSPORT_CONNECTION_HPP
#define KFTRAIN_SRC_KUBE_TRANSPORT_CONNECTION_HPP

#include "kube/redaction.hpp"
#include "kube/transport_stream.hpp"

#include <kftrain/kube/https_transport.hpp>

#include <boost/asio/any_completion_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace kftrain::kube::detail {

struct connection {
    explicit connection(std::unique_ptr<byte_stream> s) : stream(std::move(s)) {}

    any_stream stream;
    boost::beast::flat_buffer buffer; ///< of the last exchange, empty, for the next one
    std::chrono::steady_clock::time_point idle_since;
};

/// Makes connections to one server and keeps those that may serve again. No timer runs: age is looked at when needed.
class connection_pool : public std::enable_shared_from_this<connection_pool> {
public:
    connection_pool(asio::any_io_executor executor, std::string host, std::string port,
                    std::unique_ptr<stream_factory> factory, https_options const& options)
        : executor_(std::move(executor)),
          completion_executor_(executor_),
          host_(std::move(host)),
          port_(std::move(port)),
          factory_(std::move(factory)),
          options_(options) {
        factory_->on_ticket([this] { let_go(); });
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
    /** A new connection, ready for use; null, with the cause in `unreached`, if none came about in time or it broke
        before it could be used. When many want one at once and the first may bring a ticket that eases the handshakes of the
        others, these wait a moment for it; then `reused`, if not null, may be set: a connection has become free.
        The pool and what is referred to must live until then. */
    asio::awaitable<std::unique_ptr<connection>> connect(error_code& unreached, bool* reused);

private:
    using clock = std::chrono::steady_clock;
    using endpoints = std::vector<asio::ip::tcp::endpoint>;

    asio::awaitable<endpoints> resolve(clock::time_point until);
    void drop_old();
    enum class turn { first, after_first, any };
    asio::awaitable<turn> await_first();
    /// Ends the waiting for the first connection.
    void let_go();
    asio::awaitable<std::unique_ptr<connection>> dial(error_code& unreached);
    /// `offered`: whether the handshake offered a ticket.
    asio::awaitable<std::unique_ptr<connection>> reach(asio::ip::tcp::endpoint endpoint, clock::time_point until,
                                                       error_code& ec, bool& offered);

    asio::any_io_executor executor_;
    asio::any_completion_executor completion_executor_;
    std::string host_;
    std::string port_;
    std::unique_ptr<stream_factory> factory_;
    https_options options_;
    std::vector<std::unique_ptr<connection>> idle_;
    bool hopes_for_tickets_ = true; // not once one was waited for in vain
    clock::time_point first_until_ =
        clock::time_point::min();             // the first connection is waited for; `min`: there is none
    std::weak_ptr<asio::steady_timer> first_; // with which they wait, whose it is
};

/// A bearer token, from memory or from a file that is written anew from time to time.
class bearer {
public:
    bearer(std::string token, std::string file) : token_(std::move(token)), file_(std::move(file)) {}

    /// Value of the Authorization field; empty without a token.
    std::string authorization();
    /// The server refused the token: look into the file before the next request.
    void forget() noexcept { read_ = false; }
    /// Reads the file; false if it cannot be used.
    bool refresh();
    /// The token, and the one before it, which an answer that is under way may repeat.
    void add_to(secrets& hidden) const {
        hidden.add(token_);
        hidden.add(previous_);
    }

private:
    std::string token_;
    std::string previous_;
    std::string file_;
    std::chrono::steady_clock::time_point read_at_;
    bool read_ = false;
};

result<std::unique_ptr<bearer>> make_bearer(std::string token, std::string file);

} // namespace kftrain::kube::detail

#endif
