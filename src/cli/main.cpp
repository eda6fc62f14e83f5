#include "cli/cluster/cluster_commands.hpp"
#include "cli/command_names.hpp"
#include "cli/commands.hpp"
#include "cli/local_commands.hpp"
#include "cli/manifest_commands.hpp"

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/version.hpp>

#include <CLI/CLI.hpp>

#include <boost/system/system_error.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <filesystem>

namespace kftrain::cli {
namespace {

std::string_view variable(char const* name) {
    char const* const value = std::getenv(name);
    return value != nullptr ? value : "";
}

std::filesystem::path default_state_directory() {
    // The XDG base directory specification says that relative paths are to be ignored.
    std::filesystem::path const state = variable("XDG_STATE_HOME");
    if (state.is_absolute()) return state / "kftrain";
    std::filesystem::path const home = variable("HOME");
    if (home.is_absolute()) return home / ".local" / "state" / "kftrain";
    return "/tmp/kftrain-" + std::to_string(::getuid());
}

int parse_and_run(int argc, char** argv) {
    CLI::App app{"Distributed training jobs for Kubernetes, also without a cluster"};
    app.set_version_flag("--version", std::string(version()));
    app.require_subcommand(1);
    int exit = success;

    run_options run_with;
    run_with.colour = variable("NO_COLOR").empty();
    auto* const run_command = app.add_subcommand(
        "run", "Run a job on a local cluster in this process. It can do all that you can: the sandbox is no "
               "boundary against hostile code (docs/security.md)");
    run_command->add_option("FILE", run_with.file, "One job as YAML or JSON; - for the standard input")->required();
    run_command->add_option("--isolation", run_with.mode, "automatic, namespaces or processes")
        ->transform(isolation_by_name());
    run_command->add_option("--directory", run_with.directory, "Where logs and pod files live while the job runs");
    run_command->add_flag("-v,--verbose", run_with.verbose, "Say what the parts of the cluster do");
    run_command->footer(
        "A file of several jobs, or with other objects, is refused: nothing of it is left out silently.\n"
        "On a terminal, NO_COLOR in the environment, when it is not empty, turns colours off.\n"
        "Exit code: 0 the job succeeded, 1 it failed, 2 it cannot be used, 3 the local cluster could not start or "
        "broke,\n"
        "130 interrupted.");
    run_command->callback([&] { exit = run(run_with); });

    render_options render_with;
    auto* const render_command =
        app.add_subcommand("render", "Print what the operator would create, without a cluster");
    render_command->add_option("FILE", render_with.file, "Jobs as YAML or JSON; - for the standard input")->required();
    render_command->add_option("-o,--output", render_with.format, "yaml or json")
        ->check(CLI::IsMember({"yaml", "json"}));
    add_operator_flags(*render_command, render_with.told);
    render_command->callback([&] { exit = render(render_with); });

    add_local_commands(app, default_state_directory(), exit);
    add_cluster_commands(app, exit);
    add_manifest_commands(app, exit);

    try {
        app.parse(argc, argv);
    } catch (CLI::ParseError const& e) {
        if (auto const unknown = unknown_command(app); !unknown.empty()) {
            complain(unknown);
            return bad_usage;
        }
        if (e.get_exit_code() == 0) return app.exit(e); // help or version, which go to the standard output
        complain(std::string(e.what()) + "; --help tells more");
        return bad_usage;
    }
    return exit;
}

} // namespace
} // namespace kftrain::cli

int main(int argc, char** argv) {
    // Whoever starts this with a standard stream closed would otherwise see it used for a lock, a pipe or a socket.
    int spare = 0;
    do spare = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    while (spare >= 0 && spare <= STDERR_FILENO);
    if (spare >= 0) ::close(spare);
    try {
        return kftrain::cli::parse_and_run(argc, argv);
    } catch (kftrain::error const& e) {
        kftrain::cli::complain(kftrain::failure(e.code(), e.detail()).to_string());
        return kftrain::cli::cluster_failed;
    } catch (boost::system::system_error const& e) {
        kftrain::cli::complain(e.code().message()); // what() names a line of a library, which helps nobody
        return kftrain::cli::cluster_failed;
    } catch (std::exception const& e) {
        kftrain::cli::complain(e.what());
        return kftrain::cli::cluster_failed;
    }
}
