#ifndef KFTRAIN_CONTROL_STATUS_LISTENER_HPP
#define KFTRAIN_CONTROL_STATUS_LISTENER_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/base/logger.hpp>
#include <kftrain/kube/initiate.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace kftrain::control {

namespace asio = boost::asio;

/// The address, limits and responses of a @ref status_listener.
struct status_listener_options {
    status_listener_options() = default;

    std::string address = "127.0.0.1"; ///< an IP address; there is neither encryption nor authentication
    unsigned short port = 0;           ///< 0: any free port
    std::size_t max_connections = 64;  ///< beyond that the oldest connection is closed
    std::size_t header_limit = 8192;   ///< of a request, in bytes
    /// For a connection, from its start to its end: each one serves one request.
    std::chrono::milliseconds time_limit{10'000};
    std::function<std::string()> metrics; ///< `/metrics`, e.g. prometheus_text(); empty: 404
    std::function<bool()> healthy;        ///< `/healthz`; empty: always
    std::function<bool()> ready;          ///< `/readyz`; empty: always
    kftrain::logger logger;

    status_listener_options& with_address(std::string a) { return address = std::move(a), *this; }
    status_listener_options& with_port(unsigned short p) { return port = p, *this; }
    status_listener_options& with_metrics(std::function<std::string()> f) { return metrics = std::move(f), *this; }
    status_listener_options& with_healthy(std::function<bool()> f) { return healthy = std::move(f), *this; }
    status_listener_options& with_ready(std::function<bool()> f) { return ready = std::move(f), *this; }
};

/** Serves `GET /metrics`, `/healthz` and `/readyz` over HTTP, for Prometheus and the probes of a kubelet: 200, or
    503 if a check fails; 404 for other paths, 405 for other methods. Exceptions of the functions give 500 and are
    logged.
    @par Object lifetimes Destroying it ends async_run() with `operation_aborted` and closes all connections. Destroy
    it before its io_context.
    @par Thread safety Unsafe; calls the functions on its executor, which must be that of the operators that they
    use. */
class status_listener {
public:
    /// Binds the address; async_run() accepts connections.
    /// @par Errors `errc::invalid_argument` for an invalid address or a limit of 0; the system error if the port is not
    /// available.
    [[nodiscard]] static result<status_listener> open(asio::any_io_executor executor, status_listener_options options);
    status_listener(status_listener&&) noexcept = default;
    status_listener& operator=(status_listener&&) = delete;
    ~status_listener();

    asio::any_io_executor get_executor() const noexcept;
    unsigned short port() const noexcept;

    /** Serves until cancelled; afterwards the port is closed.
        @par Handler signature `void(error_code)`, usually `operation_aborted`; `errc::already_running`, and
        `errc::ended` once the port is closed.
        @par Cancellation total */
    template <kube::detail::completion_token Token = kube::default_token> auto async_run(Token&& token = Token()) {
        return kube::detail::initiate<void(error_code)>(get_executor(), std::forward<Token>(token),
                                                        kube::detail::while_alive(get_executor(), state_, run));
    }

    struct state;

private:
    explicit status_listener(std::shared_ptr<state> s);
    static void run(std::shared_ptr<state> const&, kube::any_handler<void(error_code)>);

    std::shared_ptr<state> state_;
};

} // namespace kftrain::control

#endif
