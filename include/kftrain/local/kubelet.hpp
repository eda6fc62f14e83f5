#ifndef KFTRAIN_LOCAL_KUBELET_HPP
#define KFTRAIN_LOCAL_KUBELET_HPP

#include <kftrain/apiserver/pod_log_source.hpp>
#include <kftrain/base/diagnostics.hpp>
#include <kftrain/base/logger.hpp>
#include <kftrain/kube/client.hpp>
#include <kftrain/kube/shared_informers.hpp>
#include <kftrain/local/isolation.hpp>
#include <kftrain/local/log_limits.hpp>
#include <kftrain/local/start_options.hpp>
#include <kftrain/objects/core.hpp>

#include <chrono>
#include <memory>
#include <string>

namespace kftrain::local {

namespace asio = boost::asio;
using kube::any_handler;

/// How a kubelet runs pods.
struct kubelet_options {
    kubelet_options() = default;

    std::string node_name = "local";
    std::string directory;         ///< logs and pod files; absent or empty at start; removed at the end
    std::string working_directory; ///< of containers that name none; empty: `/`
    std::string helper;            ///< the sandbox helper; empty: beside the program or where it was installed
    isolation mode = isolation::automatic;
    log_limits logs;
    kube::shared_informers informers; ///< shared with others; empty: informers of its own
    kftrain::logger logger;
};

/** What of a pod the local kubelet cannot serve, each with its path and why. Among it are volumes other than config maps, secrets and
    empty directories, variables from measured resources, containers without a command or with more text than Linux passes to a
    program, hooks, probes by HTTPS or gRPC, namespaces of the host, deadlines of pods; without namespaces also what is mounted, and
    what needs names of pods and services to be resolved. Empty for a pod that it runs. */
issues unsupported_parts(pod const& p, isolation mode = isolation::namespaces);

/** Runs the pods of a cluster as processes of this machine, each pod in a sandbox of its own, and reports their state to
    the API server. It takes every pod that no other node has. Images are not pulled: a container runs its command on the
    host's file system.

    A pod with unsupported_parts(), or with names that are none, is not run. It gets the phase Failed with the reason
    `NotSupported` or `Invalid`. One that has a controller stays Pending instead, its containers waiting with the reason
    `CreateContainerConfigError`: its controller would only replace it by its like, at once and for ever.
    What cannot be started for another cause is tried again after 10 s, then after twice as long each time, up to 5 minutes;
    a pod that waits for the object of a volume at once when that comes.

    Volumes that show config maps and secrets follow them while the pod runs: all files of a volume change at once.

    Events are written for what goes wrong: `NotSupported`, `Invalid`, `FailedMount`, `FailedCreatePodSandBox`, `Failed` (a
    container could not be created or started), `Unhealthy`, `Killing` (by a probe) and `BackOff`. The
    others of a kubelet and a scheduler (`Scheduled`, `Pulled`, `Created`, `Started`) say what the status says, too, and are
    left out.
    @par Upstream kubernetes v1.31 `pkg/kubelet/kuberuntime/kuberuntime_manager.go`, `kuberuntime_container.go`
    @par Object lifetimes Destroying it kills every pod: when the destructor returns, no process and no file of the node is
    left; it waits for that, commonly some milliseconds, about two seconds at most. async_start() and async_run() then
    complete with `operation_aborted` when the io_context runs on, which it need not do. Destroy it before its io_context;
    the API server may go before or after it.
    @par Thread safety Unsafe; use it on the executor of the client. */
class kubelet {
public:
    explicit kubelet(kube::client client, kubelet_options options = {});
    kubelet(kubelet&&) noexcept = default;
    kubelet& operator=(kubelet&&) = delete;
    ~kubelet();

    asio::any_io_executor get_executor() const noexcept;

    /** Prepares the node: network, directories, name service. Needed once before async_run(). A start that fails or is
        cancelled completes when nothing is left of it, and cannot be repeated. `options.detail` must live until it completes, or
        until the kubelet is destroyed if the io_context does not run after that.
        @par Handler signature `void(error_code)`
        @par Errors `errc::not_supported` when the host forbids what `mode` asks for, `errc::helper_failed`, `errc::timeout`
        when it takes longer than `options.timeout`, `errc::invalid_argument` when it was started before and for limits of logs
        that are too small.
        @par Cancellation total */
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_start(start_options options = {}, Token&& token = Token()) {
        auto const begin = [](auto const& s, any_handler<void(error_code)> h, start_options const& o) {
            start(s, o, std::move(h));
        };
        return kube::detail::initiate<void(error_code)>(get_executor(), std::forward<Token>(token),
                                                        kube::detail::while_alive(get_executor(), state_, begin),
                                                        options);
    }
    template <kube::detail::completion_token Token> auto async_start(Token&& token) {
        return async_start(start_options(), std::forward<Token>(token));
    }

    /** Runs pods until cancelled. Then every pod is killed; completes when processes and directories are gone.
        @par Handler signature `void(error_code)`, usually `operation_aborted`; `errc::already_running`,
        `errc::ended` after its end, `errc::invalid_argument` before the start, `errc::helper_failed` when the sandbox helper went away.
        @par Cancellation total */
    template <kube::detail::completion_token Token = kube::default_token> auto async_run(Token&& token = Token()) {
        auto const begin = [](auto const& s, any_handler<void(error_code)> h) { run(s, std::move(h)); };
        return kube::detail::initiate<void(error_code)>(get_executor(), std::forward<Token>(token),
                                                        kube::detail::while_alive(get_executor(), state_, begin));
    }

    /// What is in use; after async_start().
    isolation mode() const noexcept;
    /// Why there are no namespaces although they would have been preferred; else empty.
    std::string const& fallback_reason() const noexcept;

    /// Serves the output of the pods that it runs; may outlive the kubelet and then has none.
    std::shared_ptr<apiserver::pod_log_source> log_source() const;

    struct state;

private:
    static void start(std::shared_ptr<state> const&, start_options const&, any_handler<void(error_code)>);
    static void run(std::shared_ptr<state> const&, any_handler<void(error_code)>);

    std::shared_ptr<state> state_;
};

} // namespace kftrain::local

#endif
