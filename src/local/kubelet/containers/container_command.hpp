#ifndef KFTRAIN_SRC_LOCAL_KUBELET_CONTAINERS_CONTAINER_COMMAND_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_CONTAINERS_CONTAINER_COMMAND_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/objects/core.hpp>

#include "local/kubelet/containers/environment.hpp"
#include "local/kubelet/images/image_source.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kftrain::local {

/// What a container's first process is started with.
struct container_command {
    std::vector<std::string> argv;
    std::vector<std::string> env; ///< NAME=value; of equal names the last one is kept
};

/** Command and environment of a container, `$(NAME)` expanded. Takes no more memory than Linux gives a program for them.
    Variables from elsewhere are left out where `from` is null. Without `command`, the entry point of the image is run
    with `args`, or without these with its own arguments; variables of the image are not expanded.
    @par Errors `errc::too_large` with the path below the container, as in `env[3].value`: what is longer than the kernel
    passes on, in one string or in all. `errc::invalid_argument` when something that a variable is to be taken from is not
    there, or holds what no program can be given.
    @par Upstream kubernetes v1.31 `third_party/forked/golang/expansion`, `pkg/kubelet/container/helpers.go`,
    `pkg/kubelet/kubelet_pods.go` */
result<container_command> command_of(pod const& p, core::container const& c, environment_sources const* from = nullptr,
                                     image_config const* image = nullptr);

/** The path of `subPathExpr`, in which `$(NAME)` stands for a variable of the container.
    @par Errors `errc::invalid_argument` with upstream's message if a variable is missing: `missing value for "A"`
    @par Upstream kubernetes v1.31 `pkg/kubelet/container/helpers.go`, `ExpandContainerVolumeMounts` */
result<std::string> expand_sub_path(std::string_view text, std::vector<std::string> const& env);

} // namespace kftrain::local

#endif
