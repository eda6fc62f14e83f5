#ifndef KFTRAIN_OBJECTS_CORE_PROBE_HPP
#define KFTRAIN_OBJECTS_CORE_PROBE_HPP

/** @file
    Probes and hooks of containers.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>

namespace kftrain::core {

struct exec_action {
    exec_action() = default;

    std::vector<std::string> command; ///< not run in a shell; exit code 0 is success
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(exec_action, (command))

struct http_header {
    http_header() = default;

    std::string name;
    std::string value;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(http_header, "name", "value")
KFTRAIN_DESCRIBE(http_header, (name, value))

struct http_get_action {
    http_get_action() = default;

    std::string path;
    int_or_string port; ///< number, or name of a port of the container
    std::string host;   ///< empty: the address of the pod
    std::string scheme; ///< HTTP or HTTPS; empty means HTTP
    std::vector<http_header> http_headers;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(http_get_action, "port")
KFTRAIN_DESCRIBE(http_get_action, (path, port, host, scheme, http_headers))

struct tcp_socket_action {
    tcp_socket_action() = default;

    int_or_string port; ///< number, or name of a port of the container
    std::string host;   ///< empty: the address of the pod
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(tcp_socket_action, "port")
KFTRAIN_DESCRIBE(tcp_socket_action, (port, host))

struct grpc_action {
    grpc_action() = default;

    std::int32_t port = 0;
    std::optional<std::string> service; ///< name in the health check request; absent means empty
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(grpc_action, "port")
KFTRAIN_DESCRIBE(grpc_action, (port, service))

struct sleep_action {
    sleep_action() = default;

    std::int64_t seconds = 0;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(sleep_action, "seconds")
KFTRAIN_DESCRIBE(sleep_action, (seconds))

/// One of the first four is set; the kubelet runs it periodically.
struct probe {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(probe);

    boxed<exec_action> exec;
    boxed<http_get_action> http_get;
    boxed<tcp_socket_action> tcp_socket;
    boxed<grpc_action> grpc;
    std::int32_t initial_delay_seconds = 0; ///< after the start of the container
    std::int32_t timeout_seconds = 0;       ///< 0 means 1
    std::int32_t period_seconds = 0;        ///< 0 means 10
    std::int32_t success_threshold = 0;     ///< consecutive successes; 0 means 1
    std::int32_t failure_threshold = 0;     ///< consecutive failures; 0 means 3
    /// Grace period if the probe ends the container; absent: that of the pod.
    std::optional<std::int64_t> termination_grace_period_seconds;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(probe, (exec, http_get, tcp_socket, grpc, initial_delay_seconds, timeout_seconds, period_seconds,
                         success_threshold, failure_threshold, termination_grace_period_seconds))

/// At most one is set.
struct lifecycle_handler {
    lifecycle_handler() = default;

    boxed<exec_action> exec;
    boxed<http_get_action> http_get;
    boxed<tcp_socket_action> tcp_socket; ///< not served
    boxed<sleep_action> sleep;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(lifecycle_handler, (exec, http_get, tcp_socket, sleep))

/// Hooks that run after a container starts and before it is terminated.
struct lifecycle {
    lifecycle() = default;

    boxed<lifecycle_handler> post_start;
    boxed<lifecycle_handler> pre_stop; ///< its time is part of the grace period
    boxed<std::string> stop_signal;    ///< e.g. SIGUSR1; absent: that of the image or the runtime
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(lifecycle, (post_start, pre_stop, stop_signal))

} // namespace kftrain::core

#endif
