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

/// The arguments and the environment of a container's first process.
struct container_command {
    std::vector<std::string> argv;
    std::vector<std::string> env; ///< NAME=value; of equal names the last one is kept
};

/** Returns the command and environment of a container with `$(NAME)` expanded. Uses no more memory than Linux gives a
    program for them. If `from` is null, variables from other objects are left out. Without `command`, the entry point
    of the image runs with `args`, or without these with its own arguments; variables of the image are not expanded.
    @par Errors `errc::too_large` with the path below the container, such as `env[3].value`, if one string or all of
    them are longer than the kernel accepts. `errc::invalid_argument` if the source of a variable does not exist, or
    has a value that no environment can contain.
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
