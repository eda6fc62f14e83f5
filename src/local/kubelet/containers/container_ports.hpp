#ifndef KFTRAIN_SRC_LOCAL_KUBELET_CONTAINERS_CONTAINER_PORTS_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_CONTAINERS_CONTAINER_PORTS_HPP

#include <kftrain/apiserver/pod_exec_source.hpp>

#include "local/kubelet/kubelet_state.hpp"

namespace kftrain::local {

/** Makes a connection to 127.0.0.1 in the network of a pod. A pod without a separate network is reached at its address,
    and then at the 127.0.0.1 of this machine.
    @par Upstream containerd v1.7 `pkg/cri/sbserver/sandbox_portforward_linux.go` */
apiserver::answer<std::shared_ptr<apiserver::port_connection>> open_port(std::weak_ptr<kubelet::state> const& owner,
                                                                         apiserver::port_request const& request);

} // namespace kftrain::local

#endif
