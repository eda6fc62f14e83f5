#ifndef KFTRAIN_SRC_CLI_HELP_TEXT_HPP
#define KFTRAIN_SRC_CLI_HELP_TEXT_HPP

#include <CLI/CLI.hpp>

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

namespace kftrain::cli {

/// The group of the commands that need no cluster.
inline constexpr char const* offline_commands = "Commands without a cluster";
/// The group of the commands for jobs on a cluster.
inline constexpr char const* cluster_commands = "Commands for jobs on a cluster";

/// Prints the help of all commands in one form: summary, usage, arguments, options by group, exit codes, examples.
class help_formatter : public CLI::Formatter {
public:
    std::string make_help(CLI::App const* app, std::string name, CLI::AppFormatMode mode) const override;
};

/// The exit codes of a command with their meanings.
using exit_codes = std::map<int, std::string_view>;

/// A command line with its purpose.
struct help_example {
    std::string_view purpose;
    std::string_view command;
};

/// Adds the tables of exit codes and examples to the help of a command.
void add_footer(CLI::App& command, exit_codes const& codes, std::initializer_list<help_example> examples);
/// The same for a command that uses a cluster: adds the usual meanings of codes that `codes` does not contain.
void add_cluster_footer(CLI::App& command, exit_codes codes, std::initializer_list<help_example> examples);

/** Returns `unknown command "rnu"; did you mean "run"?`, or the list of all commands if none is similar. Returns an
    empty text if the parsing failed for another reason. */
std::string unknown_command(CLI::App const& app);
/// Returns the message for arguments that cannot be used, with the command whose help explains them.
std::string usage_fault(CLI::App const& app, CLI::ParseError const& error);

} // namespace kftrain::cli

#endif
