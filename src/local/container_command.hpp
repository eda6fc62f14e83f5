#ifndef KFTRAIN_SRC_LOCAL_CONTAINER_COMMAND_HPP
#define KFTRAIN_SRC_LOCAL_CONTAINER_COMMAND_HPP

#include <kftrain/model/core.hpp>

#include <string>
#include <vector>

namespace kftrain::local {

/// What a container's first process is started with.
struct container_command {
    std::vector<std::string> argv;
    std::vector<std::string> env; ///< NAME=value; of equal names the last one is kept
};

/** Command and environment of a container, `$(NAME)` expanded.
    @par Upstream kubernetes v1.31 `third_party/forked/golang/expansion`, `pkg/kubelet/container/helpers.go` */
container_command command_of(pod const& p, container const& c);

} // namespace kftrain::local

#endif
