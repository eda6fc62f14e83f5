#ifndef KFTRAIN_SRC_CLI_COMMAND_NAMES_HPP
#define KFTRAIN_SRC_CLI_COMMAND_NAMES_HPP

#include <CLI/CLI.hpp>

#include <string>

namespace kftrain::cli {

/** Returns `unknown command "rnu"; did you mean "run"?`, or the list of all commands if none is similar. Returns an
    empty text if the parsing failed for another reason. */
std::string unknown_command(CLI::App const& app);

} // namespace kftrain::cli

#endif
