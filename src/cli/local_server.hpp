#ifndef KFTRAIN_SRC_CLI_LOCAL_SERVER_HPP
#define KFTRAIN_SRC_CLI_LOCAL_SERVER_HPP

#include "cli/commands.hpp"
#include "cli/local_state.hpp"

#include <functional>

namespace kftrain::cli {

/** Runs a local cluster that other processes can reach, until SIGINT or SIGTERM. `state` is held until the end. `ready` is
    called once: with an empty text when the kubeconfig is written, else with the reason of the failure. */
int serve(local_options const& options, held_state& state, std::function<void(std::string const& why_not)> ready);

} // namespace kftrain::cli

#endif
