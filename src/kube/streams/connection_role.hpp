#ifndef KFTRAIN_SRC_KUBE_STREAMS_CONNECTION_ROLE_HPP
#define KFTRAIN_SRC_KUBE_STREAMS_CONNECTION_ROLE_HPP

#include <chrono>

namespace kftrain::kube::detail {

enum class connection_role { client, server };

/** Returns how often a connection sends a ping while it sends nothing else. A server that does not read, because its
    program does not, notices only by a write that fails that its client is gone. */
constexpr std::chrono::seconds ping_interval(connection_role own) {
    return std::chrono::seconds(own == connection_role::server ? 1 : 10);
}

} // namespace kftrain::kube::detail

#endif
