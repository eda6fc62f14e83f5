#ifndef KFTRAIN_SRC_LOCAL_KUBELET_CONTAINERS_TERMINATION_MESSAGE_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_CONTAINERS_TERMINATION_MESSAGE_HPP

#include <kftrain/objects/core.hpp>

#include <filesystem>
#include <string>

namespace kftrain::local {

/** Where the container finds the file for its termination message; empty if it has none: on the file system of the
    machine, the default path in `/dev` is not provided. */
std::string termination_message_path(core::container const& c, bool has_root);

/// Makes the empty file, which every user may write. Returns why that failed, or nothing.
std::string make_termination_file(std::filesystem::path const& file);

/** Returns the message of a container that has ended: the end of the file, or with the policy `FallbackToLogsOnError`
    the end of the log if it failed and the file is empty.
    @param file may not exist
    @param log the folder of the log of its run
    @par Upstream kubernetes v1.31 `pkg/kubelet/kuberuntime/kuberuntime_container.go`, `getTerminationMessage` */
std::string termination_message(core::container const& c, bool failed, std::filesystem::path const& file,
                                std::filesystem::path const& log);

} // namespace kftrain::local

#endif
