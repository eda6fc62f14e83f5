#ifndef KFTRAIN_SRC_CLI_LOCAL_LOCAL_SERVER_HPP
#define KFTRAIN_SRC_CLI_LOCAL_LOCAL_SERVER_HPP

#include "cli/commands.hpp"
#include "cli/local/local_options.hpp"
#include "cli/local/local_state.hpp"

#include <functional>

namespace kftrain::cli {

/** Runs a local cluster as a server until SIGINT or SIGTERM. Holds `state` until the end. Calls `ready` once: with an
    empty text when the kubeconfig is written, or with the reason of a failure. */
int serve(local_options const& options, held_state& state, std::function<void(std::string const& why_not)> ready);

} // namespace kftrain::cli

#endif
