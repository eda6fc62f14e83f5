#include "cli/local_commands.hpp"

#include "cli/commands.hpp"

#include <filesystem>
#include <map>
#include <memory>

namespace kftrain::cli {
namespace {

/// Absolute, so that what is printed of it holds in every folder, and without a slash at its end.
std::filesystem::path as_absolute(std::filesystem::path const& path) {
    auto const whole = std::filesystem::absolute(path).lexically_normal();
    return whole.has_filename() ? whole : whole.parent_path();
}

} // namespace

CLI::CheckedTransformer isolation_by_name() {
    static std::map<std::string, local::isolation> const modes{{"automatic", local::isolation::automatic},
                                                               {"namespaces", local::isolation::namespaces},
                                                               {"processes", local::isolation::processes}};
    return CLI::CheckedTransformer(modes, CLI::ignore_case);
}

void add_local_commands(CLI::App& app, std::filesystem::path const& state_directory, int& exit) {
    // The options live as long as the parser's callbacks refer to them.
    auto const options = std::make_shared<local_options>();
    options->state_directory = state_directory;
    auto* const local = app.add_subcommand("local", "A local cluster as a server");
    local->require_subcommand(1);
    auto const state =
        "Where kubeconfig and log are kept: a directory of yours that is empty or of a local cluster; it is made "
        "when there is none [" +
        state_directory.string() + "]";
    auto* const in_front = local->add_option("--state", options->state_directory, state);

    auto const add = [=, &exit](std::string const& name, std::string const& text, int (*run)(local_options const&)) {
        auto* const command = local->add_subcommand(name, text);
        auto* const behind = command->add_option("--state", options->state_directory, state);
        command->callback([=, &exit] {
            if (in_front->count() != 0 && behind->count() != 0) {
                complain("--state is given twice, before and behind " + name);
                exit = bad_usage;
            } else if (options->state_directory.empty()) {
                complain("--state: expected a directory, found nothing");
                exit = bad_usage;
            } else {
                options->state_directory = as_absolute(options->state_directory);
                exit = run(*options);
            }
        });
        return command;
    };
    auto* const up = add("up", "Start it in the background and write a kubeconfig", local_up);
    up->add_option("--port", options->port, "Port on 127.0.0.1; 0 for any");
    up->add_option("--isolation", options->mode, "automatic, namespaces or processes")->transform(isolation_by_name());
    up->add_flag("--foreground", options->foreground, "Stay in the foreground until SIGINT or SIGTERM");
    auto* const down = add("down", "Stop it", local_down);
    down->add_option("--timeout", options->patience, "Seconds that it may take before it is killed [15]")
        ->check(CLI::Range(0, 3600));
    add("status", "Say whether it runs and what runs on it", local_status);
}

} // namespace kftrain::cli
