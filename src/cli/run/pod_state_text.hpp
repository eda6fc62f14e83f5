#ifndef KFTRAIN_SRC_CLI_RUN_POD_STATE_TEXT_HPP
#define KFTRAIN_SRC_CLI_RUN_POD_STATE_TEXT_HPP

#include <kftrain/objects/core.hpp>

#include <string>

namespace kftrain::cli {

/// `Running`, `Succeeded`, `Failed (exit 3)`, `Pending (ContainerCreating)`, ...
std::string describe(pod const&);

/// Returns why the local cluster can never serve the image of a container of the pod; empty if it can, or if the
/// reason may pass.
std::string image_fault(pod const&);

} // namespace kftrain::cli

#endif
