#ifndef KFTRAIN_OBJECTS_CORE_PROBE_HPP
#define KFTRAIN_OBJECTS_CORE_PROBE_HPP

/** @file
    Probes and hooks of containers.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>

namespace kftrain::core {

/// Runs a command in the container.
struct exec_action {
    exec_action() = default;

    std::vector<std::string> command; ///< program and arguments; not run in a shell; exit code 0 is success
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(exec_action, (command))

/// One header of a request; names may repeat.
struct http_header {
    http_header() = default;

    std::string name;  ///< e.g. `Authorization`
    std::string value; ///< value of the header; may be empty
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(http_header, "name", "value")
KFTRAIN_DESCRIBE(http_header, (name, value))

/// Sends an HTTP request of the kubelet to the container; status 200 to 399 is success.
struct http_get_action {
    http_get_action() = default;

    std::string path;                      ///< path of the URL; empty means `/`
    int_or_string port;                    ///< number, or name of a port of the container
    std::string host;                      ///< empty: the address of the pod
    std::string scheme;                    ///< HTTP or HTTPS; empty means HTTP
    std::vector<http_header> http_headers; ///< further headers of the request
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(http_get_action, "port")
KFTRAIN_DESCRIBE(http_get_action, (path, port, host, scheme, http_headers))

/// Connects to a port of the container; an open connection is success.
struct tcp_socket_action {
    tcp_socket_action() = default;

    int_or_string port; ///< number, or name of a port of the container
    std::string host;   ///< empty: the address of the pod
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(tcp_socket_action, "port")
KFTRAIN_DESCRIBE(tcp_socket_action, (port, host))

/// Calls the health service of gRPC in the container.
struct grpc_action {
    grpc_action() = default;

    std::int32_t port = 0;              ///< number of the port, 1 to 65535
    std::optional<std::string> service; ///< name in the health check request; absent means empty
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(grpc_action, "port")
KFTRAIN_DESCRIBE(grpc_action, (port, service))

/// Waits for a fixed time.
struct sleep_action {
    sleep_action() = default;

    std::int64_t seconds = 0; ///< duration in seconds, at most the grace period of the pod
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(sleep_action, "seconds")
KFTRAIN_DESCRIBE(sleep_action, (seconds))

/// A check of a container that the kubelet repeats. One of the first four members is set.
struct probe {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(probe);

    boxed<exec_action> exec;                ///< a command in the container
    boxed<http_get_action> http_get;        ///< an HTTP request
    boxed<tcp_socket_action> tcp_socket;    ///< a connection to a port
    boxed<grpc_action> grpc;                ///< a call of the health service of gRPC
    std::int32_t initial_delay_seconds = 0; ///< time between the start of the container and the first check
    std::int32_t timeout_seconds = 0;       ///< time limit of one check; 0 means 1
    std::int32_t period_seconds = 0;        ///< time between checks; 0 means 10
    std::int32_t success_threshold = 0;     ///< consecutive successes; 0 means 1; only readiness probes may have more
    std::int32_t failure_threshold = 0;     ///< consecutive failures; 0 means 3
    /// Grace period if the probe ends the container; absent: that of the pod.
    std::optional<std::int64_t> termination_grace_period_seconds;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(probe, (exec, http_get, tcp_socket, grpc, initial_delay_seconds, timeout_seconds, period_seconds,
                         success_threshold, failure_threshold, termination_grace_period_seconds))

/// The action of a hook. At most one member is set.
struct lifecycle_handler {
    lifecycle_handler() = default;

    boxed<exec_action> exec;             ///< a command in the container
    boxed<http_get_action> http_get;     ///< an HTTP request
    boxed<tcp_socket_action> tcp_socket; ///< not supported; the hook fails
    boxed<sleep_action> sleep;           ///< a pause
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(lifecycle_handler, (exec, http_get, tcp_socket, sleep))

/// Hooks that run after a container starts and before it is terminated.
struct lifecycle {
    lifecycle() = default;

    boxed<lifecycle_handler> post_start; ///< starts together with the container; a failure ends the container
    boxed<lifecycle_handler> pre_stop;   ///< runs before the stop signal; its time is part of the grace period
    boxed<std::string> stop_signal;      ///< e.g. SIGUSR1; absent: that of the image or the runtime
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(lifecycle, (post_start, pre_stop, stop_signal))

} // namespace kftrain::core

#endif
