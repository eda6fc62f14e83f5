#ifndef KFTRAIN_SRC_LOCAL_KUBELET_VOLUMES_ACCOUNT_TOKEN_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_VOLUMES_ACCOUNT_TOKEN_HPP

#include "local/kubelet/volumes/volume_files.hpp"

#include <kftrain/kube/client.hpp>

#include <boost/asio/awaitable.hpp>

#include <chrono>

namespace kftrain::local {

/// A token in a projected volume.
struct account_token {
    volume_file file;
    std::chrono::seconds renewal{}; ///< after this time it has to be replaced
};

/** Requests a token of the service account of a pod, which is valid while the pod exists. Only the common user of all
    containers, or `fsGroup`, may read it if the pod has one of these.
    @param c,p,token Must live until it completes
    @par Errors `errc::invalid_argument` with upstream's message
    @par Upstream kubernetes v1.31 `pkg/volume/projected/projected.go`, `pkg/kubelet/token/token_manager.go` */
boost::asio::awaitable<result<account_token>> request_account_token(kube::client const& c, pod const& p,
                                                                    core::service_account_token_projection const& token,
                                                                    std::optional<std::int32_t> default_mode);

} // namespace kftrain::local

#endif
