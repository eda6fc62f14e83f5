#ifndef KFTRAIN_SRC_LOCAL_KUBELET_CONTAINERS_ATTACHED_CONTAINER_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_CONTAINERS_ATTACHED_CONTAINER_HPP

#include <kftrain/apiserver/pod_exec_source.hpp>

#include "local/kubelet/kubelet_state.hpp"

namespace kftrain::local {

/** Attaches to the program of a container. Its output is read from the log, so that both streams arrive as one, and
    starts with what is written from now on. The result is success when the program ends, whatever its exit code.
    @par Upstream kubernetes v1.31 `pkg/kubelet/kubelet_pods.go`, `GetAttach` */
apiserver::answer<std::shared_ptr<apiserver::exec_process>> attach_to(std::weak_ptr<kubelet::state> const& owner,
                                                                      apiserver::exec_request const& request);

} // namespace kftrain::local

#endif
