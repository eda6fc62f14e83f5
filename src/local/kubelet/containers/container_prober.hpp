#ifndef KFTRAIN_SRC_LOCAL_KUBELET_CONTAINERS_CONTAINER_PROBER_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_CONTAINERS_CONTAINER_PROBER_HPP

#include "kube/transport/transport_stream.hpp"
#include "local/kubelet/containers/probe_result.hpp"
#include "local/kubelet/kubelet_state.hpp"
#include "local/node/node.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace kftrain::local {

/// Makes the connections of probes and hooks. Certificates are not checked.
class probe_streams {
public:
    /// @par Errors those of OpenSSL, with `tls`
    result<kube::detail::stream_factory const*> find(bool tls);

private:
    std::unique_ptr<kube::detail::stream_factory> plain_, encrypted_; ///< null until they are needed
};

/** One attempt of a probe or a hook over a connection from inside of the node.
    @par Object lifetimes It must live until its operation has completed; node and streams must live longer. */
class network_attempt {
public:
    /// @param limit of the whole attempt
    network_attempt(local::node& owner, probe_streams& streams, std::chrono::seconds limit);
    network_attempt(network_attempt const&) = delete;
    network_attempt& operator=(network_attempt const&) = delete;
    ~network_attempt() = default;

    /// Succeeds if the port accepts the connection.
    asio::awaitable<probe_result> connect(std::string address, std::uint16_t port);
    /** Sends a request without checking certificates, and follows redirects within the host.
        @param is_hook any answer is a success; the request is repeated without TLS, and without a field
        `Authorization`, if the server has none
        @par Upstream kubernetes v1.31 `pkg/probe/http/http.go`, `pkg/kubelet/lifecycle/handlers.go` */
    asio::awaitable<probe_result> request(probe_url url, core::http_get_action get, bool is_hook);
    /// Cancels the operation.
    void stop();

private:
    asio::awaitable<error_code> open(std::string address, std::uint16_t port, bool tls);
    asio::awaitable<error_code> send(std::string text);
    asio::awaitable<error_code> receive(std::string& into);
    asio::awaitable<error_code> exchange(probe_url url, std::string text, std::string& answer);
    error_code cancelled() const noexcept;

    local::node& owner_;
    probe_streams& streams_;
    asio::cancellation_signal cancel_;
    asio::steady_timer timer_;
    std::shared_ptr<network_attempt*> self_; ///< for the timer, whose handler may outlive this
    std::optional<kube::detail::any_stream> stream_;
    std::string step_; ///< what an error of the connection refers to, as Go writes it
    bool timed_out_ = false;
    bool stopped_ = false;
};

/** Probes one start of a container until it is stopped: commands run beside its program, with its environment and its
    mounts; connections are made from inside the node. Liveness and readiness wait for the startup probe.
    @par Object lifetimes Runs until stop(), and keeps itself and the kubelet until the attempt in progress ends. After
    stop() no handler is called.
    @par Upstream kubernetes v1.31 `pkg/kubelet/prober` */
class container_prober : public std::enable_shared_from_this<container_prober> {
public:
    struct callbacks {
        callbacks() = default;

        std::function<void(probe_kind, bool)> judged;               ///< a threshold was reached
        std::function<void(probe_kind, probe_result const&)> noted; ///< an attempt has failed, or warns
    };

    /** @param like what the container was started with
        @param address of the pod */
    container_prober(kubelet::state& owner, container_process like, core::container spec, std::string address,
                     callbacks handlers);

    void start();
    void stop();
    /** Runs a hook instead of the probes: a command that has to exit with 0, or a request that has to be answered,
        whatever the answer is. It has no time limit other than stop().
        @par Upstream kubernetes v1.31 `pkg/kubelet/lifecycle/handlers.go` */
    asio::awaitable<probe_result> run_hook(std::string name, core::lifecycle_handler what);
    /// Begins no further attempt.
    void end() noexcept { ending_ = true; }

private:
    void watch(probe_kind kind, boxed<core::probe> const& what);
    asio::awaitable<void> repeat(probe_kind kind, core::probe what);
    asio::awaitable<probe_result> attempt(probe_kind kind, core::probe const& what);
    asio::awaitable<probe_result> run_command(std::string name, core::probe const& what);
    asio::awaitable<probe_result> open_connection(core::probe const& what);
    asio::awaitable<void> sleep(std::chrono::seconds t);

    kubelet::state& owner_;
    container_process like_;
    core::container spec_;
    std::string address_;
    callbacks handlers_;
    probe_streams streams_;
    std::set<asio::steady_timer*> sleepers_;
    std::set<network_attempt*> attempts_; ///< connections under way
    std::set<std::string> commands_;      ///< processes under way
    bool started_;
    bool is_hook_ = false;
    bool ending_ = false;
    bool stopped_ = false;
};

} // namespace kftrain::local

#endif
