#ifndef KFTRAIN_SRC_CLI_CLUSTER_REMOTE_COMMAND_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_REMOTE_COMMAND_HPP

#include <kftrain/kube/exec.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <boost/asio/io_context.hpp>

#include <string>
#include <vector>

namespace kftrain::cli {

class interruption;

/// A command in a container of a pod.
struct remote_command {
    remote_command() = default;

    std::string namespace_;
    std::string pod;
    std::vector<std::string> command;
    kube::exec_options how; ///< with `input`, the command reads the standard input of this process
};

/** Runs the command; its output goes to the standard streams. Returns its exit code.
    @param stop Ends it, with `operation_aborted`; null: nothing does
    @par Errors those of kube::async_exec() and kube::exec_stream::async_read() */
result<int> run_remote(boost::asio::io_context& context, kube::client const& client, remote_command const& what,
                       interruption* stop = nullptr);

/// The container that kubectl chooses: that of the annotation `kubectl.kubernetes.io/default-container`, or the first.
std::string default_container(core::pod const& p);

} // namespace kftrain::cli

#endif
