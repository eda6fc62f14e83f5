#ifndef KFTRAIN_SRC_LOCAL_KUBELET_CONTAINERS_CONTAINER_PROBER_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_CONTAINERS_CONTAINER_PROBER_HPP

#include "local/kubelet/containers/network_attempt.hpp"
#include "local/kubelet/kubelet_state.hpp"

#include <functional>
#include <set>

namespace kftrain::local {

/** Probes one start of a container until it is stopped: commands run beside its program, with its environment and its
    mounts; connections are made from inside the node. Liveness and readiness wait for the startup probe.
    @par Object lifetimes Runs until stop(), and keeps itself and the kubelet for the attempt that is under way then. After
    stop() nobody is called.
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
