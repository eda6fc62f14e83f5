#ifndef KFTRAIN_SRC_CLI_MANIFEST_COMMANDS_HPP
#define KFTRAIN_SRC_CLI_MANIFEST_COMMANDS_HPP

namespace CLI { // NOLINT(readability-identifier-naming): of the library CLI11
class App;      // NOLINT(readability-identifier-naming)
}

namespace kftrain {
class operator_options;
}

namespace kftrain::cli {

/// Adds `--operator-flag NAME=VALUE`, any number of times; the options must live as long as the command.
void add_operator_flags(CLI::App& command, operator_options&);

/// Adds lint, diff, fmt, convert and ranks, which need files only; each sets `exit` when it is run.
void add_manifest_commands(CLI::App&, int& exit);

} // namespace kftrain::cli

#endif
