#ifndef KFTRAIN_LOCAL_LOCAL_CLUSTER_HPP
#define KFTRAIN_LOCAL_LOCAL_CLUSTER_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/base/logger.hpp>
#include <kftrain/job/operator_options.hpp>
#include <kftrain/kube/client.hpp>
#include <kftrain/kube/config.hpp>
#include <kftrain/local/isolation.hpp>
#include <kftrain/local/log_limits.hpp>
#include <kftrain/local/start_options.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace kftrain {
class any_job;
} // namespace kftrain

namespace kftrain::local {

namespace asio = boost::asio;
using kube::any_handler;

/// An address to serve the API on.
struct listen_options {
    listen_options() = default;

    std::string address = "127.0.0.1";
    std::uint16_t port = 0; ///< 0: any free one
};

struct local_cluster_options {
    local_cluster_options() = default;

    std::string directory;         ///< logs and pod files, removed at the end; empty: a new one in /tmp
    std::string working_directory; ///< of containers that name none; empty: that of this process
    std::string helper;            ///< the sandbox helper; empty: beside the program or where it was installed
    isolation mode = isolation::automatic;
    log_limits logs;                      ///< how much output of each container is kept on disk
    operator_options rules;               ///< what the operators tell the rules of the kinds
    std::optional<listen_options> listen; ///< absent: the API is reachable through client() only
    kftrain::logger logger;
};

/** A cluster in one process: API server, an operator for every known job kind, the controller of batch Jobs, and a kubelet that runs pods as sandboxed
    processes of this machine. Programs talk to it through client(), other processes over HTTPS with what config() says
    and kube::to_kubeconfig() writes.

    The jobs that it runs can do what the user of this process can: the sandbox is no boundary against hostile code. Whoever
    has the token of config() can start any; see docs/security.md.

    Use either start() and stop(), which run the io_context on the calling thread, or the asynchronous operations.
    @par Object lifetimes Destroy it before its io_context, in any phase: before it runs, during the start, while pods come,
    run or end. The destructor of a cluster that start() started stops it, which runs the io_context; otherwise, and inside the
    io_context, it kills what still runs. When it returns, no process, no file and no socket of a pod is left; it waits for
    that, commonly some milliseconds, about two seconds at most. async_start() and async_run() then complete with
    `operation_aborted` when the io_context runs on; if it is destroyed without having run, their handlers are destroyed
    with it. Clients may outlive the cluster, not the io_context: their calls end with `asio::error::connection_refused`,
    and what repeats calls (a wait, an informer) goes on until its deadline or until it is cancelled.
    Whatever ends the process, no pod survives it.
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
    /// A client of the cluster's API server, in process.
    kube::client client() const;

    /** Prepares network, server and kubelet. Needed once before async_run(). A start that fails or is cancelled completes
        when nothing is left of it, and cannot be repeated. `options.detail` must live until it completes, or until the cluster is
        destroyed if the io_context does not run after that.
        @par Handler signature `void(error_code)`
        @par Errors `errc::not_supported` when the host forbids what is needed, `errc::helper_failed`, `errc::timeout` when it
        takes longer than `options.timeout`, `errc::invalid_argument` when it was started before and for limits of logs that are
        too small, socket errors.
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

    /** Runs the cluster until cancelled, then ends every pod; completes when nothing of it is left.
        @par Handler signature `void(error_code)`, usually `operation_aborted`; `errc::helper_failed` when the sandbox helper
        died, and with it every pod. The cluster is of no use then, and all calls and waits of its clients end with that code.
        `errc::already_running`, `errc::ended` after its end, `errc::invalid_argument` before the start.
        @par Cancellation total */
    template <kube::detail::completion_token Token = kube::default_token> auto async_run(Token&& token = Token()) {
        auto const begin = [](auto const& s, any_handler<void(error_code)> h) { run(s, std::move(h)); };
        return kube::detail::initiate<void(error_code)>(get_executor(), std::forward<Token>(token),
                                                        kube::detail::while_alive(get_executor(), state_, begin));
    }

    /// Starts the cluster and lets it run whenever the io_context runs. When its sandbox helper dies, all calls and waits of
    /// its clients end with `errc::helper_failed`.
    [[nodiscard]] result<void> start(start_options options = {});
    /// Ends what start() began; returns when nothing of it is left.
    void stop();

    /// How pods are kept apart; after the start.
    isolation mode() const noexcept;
    /// Why there are no sandboxes although they would have been preferred; else empty.
    std::string const& fallback_reason() const noexcept;
    /// How other processes reach the server; absent without `listen` and before the start.
    std::optional<kube::config> const& config() const noexcept;

    struct state;

private:
    static void start(std::shared_ptr<state> const&, start_options const&, any_handler<void(error_code)>);
    static void run(std::shared_ptr<state> const&, any_handler<void(error_code)>);

    std::shared_ptr<state> state_;
};

/** What the local kubelet cannot serve of the pods that an operator with these rules creates for a valid job; messages begin with the name of the
    pod. One replica of each type is looked at. */
issues unsupported_parts(any_job const& job, isolation mode, operator_options const& rules);

} // namespace kftrain::local

#endif
