#ifndef KFTRAIN_SRC_CLI_COMMAND_NAMES_HPP
#define KFTRAIN_SRC_CLI_COMMAND_NAMES_HPP

#include <CLI/CLI.hpp>

#include <string>

namespace kftrain::cli {

/** `unknown command "rnu"; did you mean "run"?`, with all commands where none is near. Empty when the arguments, which could not
    be parsed, are unusable for another reason. */
std::string unknown_command(CLI::App const& app);

} // namespace kftrain::cli

#endif
