#ifndef KFTRAIN_SRC_LOCAL_CLUSTER_CLUSTER_LISTENER_HPP
#define KFTRAIN_SRC_LOCAL_CLUSTER_CLUSTER_LISTENER_HPP

#include <kftrain/apiserver/listener.hpp>
#include <kftrain/kube/config.hpp>
#include <kftrain/local/local_cluster.hpp>

namespace kftrain::local {

/// The HTTPS front of a cluster, and how others reach it.
struct cluster_listener {
    apiserver::listener listener;
    kube::config config;
    std::vector<kube::config> user_configs; ///< of listen_options::users
};

/// Listens with a fresh certificate and fresh random tokens. `native_socket`: instead of a new one, for this address.
result<cluster_listener> open_cluster_listener(apiserver::api_server& server, listen_options const& options, logger log,
                                               std::optional<int> native_socket = {});

} // namespace kftrain::local

#endif
