#ifndef KFTRAIN_SRC_CLI_LOCAL_COMMANDS_HPP
#define KFTRAIN_SRC_CLI_LOCAL_COMMANDS_HPP

#include <CLI/CLI.hpp>

#include <filesystem>

namespace kftrain::cli {

/// Adds `local up`, `down` and `status`. `exit` receives the exit code of the one that runs and must outlive the parsing.
void add_local_commands(CLI::App& app, std::filesystem::path const& state_directory, int& exit);

/// Reads the value of `--isolation`.
CLI::CheckedTransformer isolation_by_name();

} // namespace kftrain::cli

#endif
