#ifndef KFTRAIN_KUBE_PORT_FORWARDER_HPP
#define KFTRAIN_KUBE_PORT_FORWARDER_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/kube/client.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace kftrain::kube {

/** Listens on ports of 127.0.0.1 and passes each connection on to a port of a pod, as `kubectl port-forward` does. At
    most 256 connections are open at the same time; further ones wait. A connection holds some 100 KiB in each direction
    at most.
    @par Object lifetimes Destroying it closes its ports and all connections. Destroy it before its io_context. A
    moved-from object can only be destroyed.
    @par Thread safety Unsafe; use it on the executor of the client. */
class port_forwarder {
public:
    /// Receives the port of the pod, and why a connection to it failed or broke off.
    using failure_handler = std::function<void(std::uint16_t port, failure const& why)>;

    port_forwarder(client c, std::string ns, std::string pod);
    port_forwarder(port_forwarder&&) noexcept = default;
    port_forwarder& operator=(port_forwarder&&) = delete;
    ~port_forwarder();

    /// Calls `f` on the executor for each connection that fails. It may destroy the forwarder.
    void on_failure(failure_handler f);

    /** Accepts connections on `local_port`, 0 for any free port, and connects each to `port` of the pod. Returns the
        local port. It can be called for several ports.
        @par Errors `errc::invalid_argument` if `port` is 0; errors of sockets, such as
        `asio::error::address_in_use` */
    [[nodiscard]] result<std::uint16_t> listen(std::uint16_t port, std::uint16_t local_port = 0);

    struct state;

private:
    std::shared_ptr<state> state_;
};

} // namespace kftrain::kube

#endif
