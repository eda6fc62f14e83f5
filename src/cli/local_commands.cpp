#include "cli/local_commands.hpp"

#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/option_values.hpp"

#include <chrono>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <string>

namespace kftrain::cli {
namespace {

/// Makes the path absolute, so that printed commands work in every directory. Removes a slash at the end.
std::filesystem::path as_absolute(std::filesystem::path const& path) {
    auto const whole = std::filesystem::absolute(path).lexically_normal();
    return whole.has_filename() ? whole : whole.parent_path();
}

void add_up_options(CLI::App& up, local_options& options) {
    add_number(up, "--port", options.port, {0, std::numeric_limits<std::uint16_t>::max()},
               "Listen on this port of 127.0.0.1; 0 for any free port (default: 0)");
    add_isolation_option(up, options.mode);
    up.add_flag("--foreground", options.foreground, "Stay in the foreground until SIGINT or SIGTERM arrives");
    add_footer(up,
               {{success, "The local cluster runs."},
                {bad_usage, "The arguments or the state directory cannot be used."},
                {cluster_failed, "The local cluster did not start."}},
               {{"Start a local cluster for kftrain and kubectl", "kftrain local up"},
                {"Start a second one with another state directory", "kftrain local up --state ./cluster"}});
}

} // namespace

void add_isolation_option(CLI::App& command, local::isolation& mode) {
    static std::map<std::string, local::isolation> const modes{{"automatic", local::isolation::automatic},
                                                               {"namespaces", local::isolation::namespaces},
                                                               {"processes", local::isolation::processes}};
    add_choice(
        command, "--isolation", [&mode](std::string const& name) { mode = modes.at(name); },
        {"automatic", "namespaces", "processes"},
        "Isolate pods with kernel namespaces, or run them as plain processes; automatic uses namespaces if the machine "
        "permits them (default: automatic)");
}

void add_local_commands(CLI::App& app, std::filesystem::path const& state_directory, int& exit) {
    auto const options = std::make_shared<local_options>();
    options->state_directory = state_directory;
    auto* const local = app.add_subcommand(
        "local",
        "Start, stop and inspect a local cluster in the background\n\n"
        "The local cluster serves the Kubernetes API on 127.0.0.1 and runs pods as processes of this machine.");
    local->group(offline_commands);
    local->require_subcommand(1);
    auto const state =
        "Keep the kubeconfig and the log in DIR, which must be new, empty or the state directory of a local "
        "cluster (default: " +
        state_directory.string() + ")";
    auto* const before = local->add_option("--state", options->state_directory, state)->type_name("DIR");

    auto const add = [=, &exit](std::string const& name, std::string const& text, int (*run)(local_options const&)) {
        auto* const command = local->add_subcommand(name, text)->group("Commands");
        auto* const after = command->add_option("--state", options->state_directory, state)->type_name("DIR");
        command->callback([=, &exit] {
            if (before->count() != 0 && after->count() != 0) {
                complain("--state: expected one value, got one before and one after " + name);
                exit = bad_usage;
            } else if (options->state_directory.empty()) {
                complain("--state: expected a directory, got an empty text");
                exit = bad_usage;
            } else {
                options->state_directory = as_absolute(options->state_directory);
                exit = run(*options);
            }
        });
        return command;
    };
    add_up_options(*add("up", "Start the local cluster in the background and write a kubeconfig", local_up), *options);
    auto* const status = add("status", "Show whether the local cluster runs, its jobs and its pods", local_status);
    add_footer(*status,
               {{success, "The local cluster runs."},
                {1, "No local cluster runs."},
                {bad_usage, "The arguments or the state directory cannot be used."},
                {cluster_failed, "The local cluster did not respond."}},
               {{"Show the state of the local cluster", "kftrain local status"},
                {"Show the cluster of another state directory", "kftrain local status --state ./cluster"}});
    auto* const down =
        add("down", "Stop the local cluster and remove files that killed clusters left in /tmp", local_down);
    add_duration(
        *down, "--timeout",
        [options](auto time) {
            options->patience = static_cast<unsigned>(std::chrono::ceil<std::chrono::seconds>(time).count());
        },
        "Kill the server if it has not ended after DURATION, for example 30s (default: 15s)");
    add_footer(*down,
               {{success, "The local cluster has stopped, or none was running."},
                {bad_usage, "The arguments or the state directory cannot be used."},
                {cluster_failed, "The local cluster could not be stopped completely."}},
               {{"Stop the local cluster", "kftrain local down"},
                {"Stop the cluster of another state directory", "kftrain local down --state ./cluster --timeout 30s"}});
    add_footer(*local, {},
               {{"Start the local cluster", "kftrain local up"},
                {"Show its jobs and pods", "kftrain local status"},
                {"Stop it", "kftrain local down"}});
}

} // namespace kftrain::cli
