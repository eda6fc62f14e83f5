#ifndef KFTRAIN_SRC_LOCAL_KUBELET_CONTAINERS_CONTAINER_EXEC_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_CONTAINERS_CONTAINER_EXEC_HPP

#include <kftrain/apiserver/pod_exec_source.hpp>

#include "local/kubelet/kubelet_state.hpp"

namespace kftrain::local {

/** Runs commands in the containers of a kubelet and connects to their ports. Commands have the mounts, environment and
    working directory of the container, in the sandbox of the pod. A command that ends, or is killed, takes the
    processes that it has started with it.
    @par Upstream kubernetes v1.31 `pkg/kubelet/kubelet_pods.go`, `GetExec` */
class container_commands final : public apiserver::pod_exec_source {
public:
    explicit container_commands(std::weak_ptr<kubelet::state> owner) : owner_(std::move(owner)) {}

    apiserver::answer<std::shared_ptr<apiserver::exec_process>>
    start_exec(apiserver::exec_request const& request) override;
    apiserver::answer<std::shared_ptr<apiserver::exec_process>>
    start_attach(apiserver::exec_request const& request) override;
    apiserver::answer<std::shared_ptr<apiserver::port_connection>>
    open_port(apiserver::port_request const& request) override;

private:
    std::weak_ptr<kubelet::state> owner_;
};

} // namespace kftrain::local

#endif
