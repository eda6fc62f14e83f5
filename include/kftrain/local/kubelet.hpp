#ifndef KFTRAIN_LOCAL_KUBELET_HPP
#define KFTRAIN_LOCAL_KUBELET_HPP

#include <kftrain/apiserver/pod_exec_source.hpp>
#include <kftrain/apiserver/pod_log_source.hpp>
#include <kftrain/base/diagnostics.hpp>
#include <kftrain/base/logger.hpp>
#include <kftrain/kube/client.hpp>
#include <kftrain/kube/shared_informers.hpp>
#include <kftrain/local/isolation.hpp>
#include <kftrain/local/log_limits.hpp>
#include <kftrain/local/pod_options.hpp>
#include <kftrain/local/start_options.hpp>
#include <kftrain/objects/core.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace kftrain::local {

namespace asio = boost::asio;
using kube::any_handler;

/// Addresses and files with which pods call the API server.
struct pod_api_access {
    pod_api_access() = default;

    std::string ca_pem;                                ///< the authorities that they trust
    std::function<std::string(pod const&)> make_token; ///< returns the token of a pod; must be set
};

/// Options of a kubelet.
struct kubelet_options : pod_options {
    kubelet_options() = default;

    std::string node_name = "local";
    /// True: it takes pods that have no node for `node_name`, and runs these. False: a scheduler binds pods; it runs
    /// all that are bound, whatever the node.
    bool binds_pods = true;
    std::string directory;         ///< for logs and pod files; must be absent or empty at the start; removed at the end
    std::string working_directory; ///< for containers without one; empty: `/`
    std::string helper;            ///< path of the sandbox helper; empty: next to the program or where it was installed
    isolation mode = isolation::automatic;
    log_limits logs;
    kube::shared_informers informers; ///< shared with others; empty: separate informers
    /** Serves the API to pods with a service account. It is called during the start, if pods are in namespaces, with a
        TCP socket that listens on port 443 of 10.244.0.1 in their network, and owns the socket. Empty: pods have no
        access. */
    std::function<result<pod_api_access>(int socket)> serve_pods;
    kftrain::logger logger;
};

/** Returns the parts of a pod that the local kubelet does not support, each with its path and the reason.
    Unsupported are volumes of networks, clouds and images, paths of the host that no option allows, variables from
    measured resources, containers without a command or with more text than Linux passes to a program, parts of security
    contexts that the sandbox cannot keep, probes by gRPC, probes of hosts other than IPv4 addresses, and namespaces of
    the host; without namespaces also mounts, and features that need names of pods and services to be resolved. Empty
    for a supported pod. */
issues unsupported_parts(pod const& p, isolation mode = isolation::namespaces,
                         pod_options const& options = pod_options());

/** Runs the pods of a cluster as processes of this machine, each pod in a separate sandbox, and reports their state
    to the API server. With `binds_pods` it takes every pod without a node and runs those of its node; otherwise it runs
    all pods that a scheduler has bound. Images are not pulled from registries: a container runs on the file system of
    the host, or on that of the source of its image in pod_options::images.

    A pod with unsupported_parts(), or with invalid names, does not run. It gets the phase Failed with the reason
    `NotSupported` or `Invalid`. A pod with a controller stays Pending instead, and its containers wait with the
    reason `CreateContainerConfigError`: its controller would replace it by an equal pod again and again. Starts that
    fail for other reasons are retried after 10 s, then after doubled delays up to 5 minutes; a pod that waits for
    the object of a volume starts as soon as the object exists.

    Containers of a pod with `serviceAccountName` can call the API server as on a cluster, unless
    `automountServiceAccountToken` is false: see kubelet_options::serve_pods. Their variable `KFTRAIN_KUBECTL` names
    the program `kftrain`, if it is installed next to the sandbox helper or in PATH; under the name `kubectl` it
    supports `exec` and `get`.

    If control groups can be used, they enforce limits of memory and cpu; a container that exceeds its limit of memory
    ends with the reason `OOMKilled`. See limits_fallback_reason().

    Volumes of config maps and secrets are updated while the pod runs: all files of a volume change at once.

    The kubelet writes events for failures: `NotSupported`, `Invalid`, `FailedMount`, `FailedCreatePodSandBox`,
    `Failed` (an image could not be pulled, or a container not be created or started), `Unhealthy`, `Killing` (by a
    probe) and `BackOff`. It omits the other events of a kubelet and a scheduler (`Scheduled`, `Pulled`, `Created`,
    `Started`), which repeat the status.
    @par Upstream kubernetes v1.31 `pkg/kubelet/kuberuntime/kuberuntime_manager.go`, `kuberuntime_container.go`
    @par Object lifetimes Destroying it kills every pod: when the destructor returns, no process and no file of the
    node is left. The destructor waits for that, usually some milliseconds, at most about two seconds. async_start()
    and async_run() then complete with `operation_aborted` if the io_context runs on, which it need not do. Destroy
    it before its io_context; the API server may be destroyed before or after it.
    @par Thread safety Unsafe; use it on the executor of the client. */
class kubelet {
public:
    explicit kubelet(kube::client client, kubelet_options options = {});
    kubelet(kubelet&&) noexcept = default;
    kubelet& operator=(kubelet&&) = delete;
    ~kubelet();

    asio::any_io_executor get_executor() const noexcept;

    /** Prepares the node: network, directories, name service. Required once before async_run(). A start that fails
        or is cancelled completes after everything was cleaned up, and cannot be repeated. `options.detail` must live
        until it completes, or until the kubelet is destroyed if the io_context does not run after that.
        @par Handler signature `void(error_code)`
        @par Errors `errc::not_supported` if the host does not permit the requested `mode`; `errc::helper_failed`;
        `errc::timeout` if it takes longer than `options.timeout`; `errc::invalid_argument` if it was started before,
        and for pod_options with faults_of() and log limits that are too small.
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

    /** Runs pods until cancelled. Then kills every pod and completes when processes and directories are gone.
        @par Handler signature `void(error_code)`, usually `operation_aborted`; `errc::already_running`,
        `errc::ended` after its end, `errc::invalid_argument` before the start, `errc::helper_failed` if the sandbox
        helper died.
        @par Cancellation total */
    template <kube::detail::completion_token Token = kube::default_token> auto async_run(Token&& token = Token()) {
        return kube::detail::initiate<void(error_code)>(get_executor(), std::forward<Token>(token),
                                                        kube::detail::while_alive(get_executor(), state_, run));
    }

    /// Returns the mode in use; valid after async_start().
    isolation mode() const noexcept;
    /// Returns why namespaces are not used although they were preferred; otherwise empty.
    std::string const& fallback_reason() const noexcept;
    /// Returns why limits of memory and cpu are not enforced. Empty if they are, and before a container with a limit
    /// has started. The reference is valid as long as this object.
    std::string const& limits_fallback_reason() const noexcept;

    /// Returns a source for the output of its pods; it may outlive the kubelet and is then empty.
    std::shared_ptr<apiserver::pod_log_source> log_source() const;
    /// Returns a source that runs commands in its containers; it may outlive the kubelet and then refuses all.
    std::shared_ptr<apiserver::pod_exec_source> exec_source() const;

    struct state;

private:
    static void start(std::shared_ptr<state> const&, start_options const&, any_handler<void(error_code)>);
    static void run(std::shared_ptr<state> const&, any_handler<void(error_code)>);

    std::shared_ptr<state> state_;
};

} // namespace kftrain::local

#endif
