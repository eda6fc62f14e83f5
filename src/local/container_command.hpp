#ifndef KFTRAIN_SRC_LOCAL_CONTAINER_COMMAND_HPP
#define KFTRAIN_SRC_LOCAL_CONTAINER_COMMAND_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/model/core.hpp>

#include <string>
#include <vector>

namespace kftrain::local {

/// What a container's first process is started with.
struct container_command {
    std::vector<std::string> argv;
    std::vector<std::string> env; ///< NAME=value; of equal names the last one is kept
};

/** Command and environment of a container, `$(NAME)` expanded. Takes no more memory than Linux gives a program for them.
    @par Errors `errc::too_large` with the path below the container, as in `env[3].value`: what is longer than the kernel
    passes on, in one string or in all.
    @par Upstream kubernetes v1.31 `third_party/forked/golang/expansion`, `pkg/kubelet/container/helpers.go` */
result<container_command> command_of(pod const& p, container const& c);

} // namespace kftrain::local

#endif
