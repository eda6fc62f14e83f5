#ifndef KFTRAIN_SRC_LOCAL_KUBELET_CONTAINERS_CONTAINER_EXEC_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_CONTAINERS_CONTAINER_EXEC_HPP

#include <kftrain/apiserver/pod_exec_source.hpp>

#include "local/kubelet/kubelet_state.hpp"
#include "local/sandbox/system.hpp"

namespace kftrain::local {

/// A pseudoterminal.
struct terminal {
    /// Opens a new one. Throws `std::system_error`.
    static terminal open();
    /// Sets the size of the window behind `ours`, which sends SIGWINCH to the program.
    static void resize(int ours, unsigned columns, unsigned rows) noexcept;

    sandbox::unique_fd ours;   ///< where the output of the program comes from and its input goes
    sandbox::unique_fd theirs; ///< the standard streams of the program
};

/// Sets `TERM` unless it is set, as containerd does for programs with a terminal.
void add_terminal_type(std::vector<std::string>& environment);

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

/** Attaches to the program of a container. Its output is read from the log, so that both streams arrive as one, and
    starts with what is written from now on. The result is success when the program ends, whatever its exit code.
    @par Upstream kubernetes v1.31 `pkg/kubelet/kubelet_pods.go`, `GetAttach` */
apiserver::answer<std::shared_ptr<apiserver::exec_process>> attach_to(std::weak_ptr<kubelet::state> const& owner,
                                                                      apiserver::exec_request const& request);

/** Makes a connection to 127.0.0.1 in the network of a pod. A pod without a separate network is reached at its address,
    and then at the 127.0.0.1 of this machine.
    @par Upstream containerd v1.7 `pkg/cri/sbserver/sandbox_portforward_linux.go` */
apiserver::answer<std::shared_ptr<apiserver::port_connection>> open_port(std::weak_ptr<kubelet::state> const& owner,
                                                                         apiserver::port_request const& request);

} // namespace kftrain::local

#endif
