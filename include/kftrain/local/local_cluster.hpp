#ifndef KFTRAIN_LOCAL_LOCAL_CLUSTER_HPP
#define KFTRAIN_LOCAL_LOCAL_CLUSTER_HPP

#include <kftrain/apiserver/user_info.hpp>
#include <kftrain/base/diagnostics.hpp>
#include <kftrain/base/logger.hpp>
#include <kftrain/base/special_members.hpp>
#include <kftrain/job/operator_options.hpp>
#include <kftrain/job/training_job.hpp>
#include <kftrain/kube/client.hpp>
#include <kftrain/kube/config.hpp>
#include <kftrain/local/isolation.hpp>
#include <kftrain/local/log_limits.hpp>
#include <kftrain/local/pod_options.hpp>
#include <kftrain/local/start_options.hpp>
#include <kftrain/model/boxed.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kftrain {
class any_job;
namespace apiserver {
struct resource_definition;
}
} // namespace kftrain

namespace kftrain::local {

namespace asio = boost::asio;
using kube::any_handler;

/// An address for serving the API.
struct listen_options {
    listen_options() = default;

    std::string address = "127.0.0.1";
    std::uint16_t port = 0; ///< 0: any free port
    /// Further users, for whom local_cluster::user_configs() has configurations. They have the permissions of their
    /// roles. Their names differ from each other and from `kftrain`.
    std::vector<apiserver::user_info> users;
    /// Whether the configurations of `users` have client certificates instead of tokens. Names and groups then have at
    /// most 64 characters.
    bool user_certificates = false;
};

struct local_cluster_options : pod_options {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(local_cluster_options);

    std::string directory;         ///< for logs and pod files, removed at the end; empty: a new one in /tmp
    std::string working_directory; ///< for containers without one; empty: that of this process
    std::string helper;            ///< path of the sandbox helper; empty: next to the program or where it was installed
    isolation mode = isolation::automatic;
    /** Simulates the pods: nothing runs. Each pod is reported as running for this time and then as ended with exit code
        0; 0 means until the pod is deleted. The annotations of a pod `kftrain.local/run`, a duration such as `1m30s`,
        and `kftrain.local/exit-code` take precedence. For tests of programs with thousands of pods. `commands`,
        `images`, `volumes`, `host_paths` and `mode` then have no effect; `nodes` has. */
    std::optional<std::chrono::milliseconds> simulate;
    /// False: nothing runs pods. They stay Pending until a client writes their status, as a kubelet would; for tests of
    /// programs and controllers. The other options about pods then have no effect.
    bool run_pods = true;
    log_limits logs;        ///< amount of output of each container that is kept on disk
    operator_options rules; ///< options of the rules of the job kinds
    /// The job kinds that the cluster serves and runs, such as those of kftrain with those of a program. They must not
    /// be null and must outlive the cluster. Empty: those of kftrain.
    std::vector<kftrain::rules::job_rules const*> kinds;
    /** The number of nodes, 0 to 5000. 0: there are no Node objects, and every pod starts at once. Otherwise Node
        objects `local-0`, `local-1`, ... exist, a scheduler binds pods to them as far as their resources suffice, and a
        gang only as a whole. All pods run on this machine: the resources of a node are counted, and the limits of each
        container enforced. Clients may label, taint, cordon, create and delete nodes; pods of a deleted node are
        deleted. */
    std::int32_t nodes = 0;
    /// Resources of each node, e.g. `cpu`, `nvidia.com/gpu`; see check_node_resources(). `cpu` and `memory` are those
    /// of this machine by default, `pods` is 110.
    resource_list node_resources;
    /** A directory that keeps the objects of the cluster for later clusters, as api_server::keep_in() does; empty:
        nothing is kept. Pods that ran when a cluster ended are started again by their restart policy. Use it with the
        same kinds, nodes and options of pods. */
    std::string data_directory;
    boxed<listen_options> listen; ///< absent: the API is only available through client()
    kftrain::logger logger;
};

/// Checks a value of local_cluster_options::node_resources.
/// @par Errors `errc::invalid_argument` with a message that begins with the name of a resource
[[nodiscard]] result<void> check_node_resources(resource_list const& resources);

/** A cluster in one process: API server, an operator for each of the job kinds, the controller of batch Jobs, and a
    kubelet that runs pods as sandboxed processes of this machine. It serves further kinds as soon as a client creates
    their CustomResourceDefinition; the caller runs their controllers. Programs access it through client(); other
    processes over HTTPS with config(), which kube::to_kubeconfig() can write.

    Its jobs have all permissions of the user of this process: the sandbox is no security boundary against hostile code.
    Anyone with the token of config() can start jobs; see docs/reference/security.md. Pods with a service account have
    the permissions of its roles in the API.

    Use either start() and stop(), which run the io_context on the calling thread, or the asynchronous operations.
    @par Object lifetimes Destroy it before its io_context. The caller may destroy it at any time, also while it starts
    or pods run. If start() started the cluster, the destructor stops it and runs the io_context meanwhile. Otherwise,
    or if the destructor is called inside the io_context, it kills all processes of the pods. When the destructor
    returns, no process, file or socket of a pod is left. This usually takes some milliseconds, and at most about two
    seconds. Pending calls of async_start() and async_run() complete with `operation_aborted` when the io_context runs
    again; if it is destroyed without having run, it destroys their handlers. Clients may outlive the cluster, but not
    the io_context. Their calls then fail with `asio::error::connection_refused`; operations that retry, such as a wait
    or an informer, continue until their deadline or cancellation. No pod outlives the process, however the process
    ends.
    @par Thread safety Unsafe; use it on its executor. */
class local_cluster {
public:
    explicit local_cluster(asio::any_io_executor executor, local_cluster_options options = local_cluster_options());
    /// The same on an io_context.
    template <class Context>
    requires requires(Context& c) { c.get_executor(); }
    explicit local_cluster(Context& context, local_cluster_options options = local_cluster_options())
        : local_cluster(asio::any_io_executor(context.get_executor()), std::move(options)) {}
    local_cluster(local_cluster&&) noexcept = default;
    local_cluster& operator=(local_cluster&&) = delete;
    ~local_cluster();

    asio::any_io_executor get_executor() const noexcept;
    /// Returns a client of the API server of the cluster, in process.
    kube::client client() const;

    /** Serves a further kind, or replaces the definition of a served one, as api_server::register_resource() does. Call
        it before the start, or on the executor. Clients can also create a CustomResourceDefinition at any time.
        @param definition see kftrain/apiserver/resource_definition.hpp
        @par Errors `errc::invalid_argument` for a kind without a name or an invalid column path. */
    [[nodiscard]] result<void> register_resource(apiserver::resource_definition definition);

    /** Prepares network, server and kubelet. Must be called once before async_run(). If the start fails or is
        cancelled, it completes after everything has been cleaned up, and cannot be repeated. `options.detail` must live
        until it completes, or until the cluster is destroyed if the io_context does not run after that.
        @par Handler signature `void(error_code)`
        @par Errors `errc::not_supported` if the host does not permit what is required; `errc::helper_failed`;
        `errc::timeout` if it takes longer than `options.timeout`; `errc::invalid_argument` if it was started before,
        and for pod_options with faults_of(), wrong kinds or nodes, and log limits that are too small; socket errors;
        those of api_server::keep_in().
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

    /** Runs the cluster until cancelled, then ends every pod. Completes when everything has been cleaned up.
        @par Handler signature `void(error_code)`, usually `operation_aborted`; `errc::helper_failed` if the sandbox
        helper died, and every pod with it: the cluster is then unusable, and all calls and waits of its clients end
        with that code. `errc::already_running` during another run, `errc::ended` after the end of a run,
        `errc::invalid_argument` before the start.
        @par Cancellation total */
    template <kube::detail::completion_token Token = kube::default_token> auto async_run(Token&& token = Token()) {
        return kube::detail::initiate<void(error_code)>(get_executor(), std::forward<Token>(token),
                                                        kube::detail::while_alive(get_executor(), state_, run));
    }

    /// Starts the cluster, which then runs whenever the io_context runs. If its sandbox helper dies, all calls and
    /// waits of its clients end with `errc::helper_failed`.
    [[nodiscard]] result<void> start(start_options options = {});
    /// Stops the cluster that start() started. Returns when everything has been cleaned up.
    void stop();

    /// Returns how pods are isolated; valid after the start.
    isolation mode() const noexcept;
    /// Returns why pods run without sandboxes although `isolation::automatic` was set; otherwise empty.
    std::string const& fallback_reason() const noexcept;
    /// Returns why limits of memory and cpu are not enforced. Empty if they are, and before a container with a limit
    /// has started. The reference is valid as long as this object.
    std::string const& limits_fallback_reason() const noexcept;
    /// Returns the configuration for other processes; absent without `listen` and before the start.
    std::optional<kube::config> const& config() const noexcept;
    /// Returns the same for each of listen_options::users, in their order. Their `context` is the name of the user.
    std::vector<kube::config> const& user_configs() const noexcept;

    struct state;

private:
    static void start(std::shared_ptr<state> const&, start_options const&, any_handler<void(error_code)>);
    static void run(std::shared_ptr<state> const&, any_handler<void(error_code)>);

    std::shared_ptr<state> state_;
};

/** Returns an issue for each part of a valid job that the local cluster does not support; `rules` are the options of
    the operator that creates the pods. An issue in a pod template is reported once; its path, with which the message
    begins, is that of the field in the job, e.g.
    `spec.pytorchReplicaSpecs[Master].template.spec.containers[0].command`. `pods` are the options of the cluster that
    pods may use. An issue in a part that the operator adds
    has no path; its message begins with the name of the pod. Checks one replica of each type. A job whose processes are
    started with `kubectl exec` is rejected as a whole; the path of that issue is `kind`. */
issues unsupported_parts(any_job const& job, isolation mode, operator_options const& rules,
                         pod_options const& pods = pod_options());

} // namespace kftrain::local

#endif
