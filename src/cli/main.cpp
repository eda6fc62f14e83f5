#include "cli/commands.hpp"
#include "cli/manifest_commands.hpp"

#include <kftrain/version.hpp>

#include <CLI/CLI.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>

namespace kftrain::cli {
namespace {

std::filesystem::path default_state_directory() {
    auto const variable = [](char const* name) -> std::filesystem::path {
        char const* const value = std::getenv(name);
        return value != nullptr ? value : "";
    };
    if (auto const state = variable("XDG_STATE_HOME"); !state.empty()) return state / "kftrain";
    if (auto const home = variable("HOME"); !home.empty()) return home / ".local" / "state" / "kftrain";
    return "/tmp/kftrain-" + std::to_string(::getuid());
}

std::map<std::string, local::isolation> const modes{{"automatic", local::isolation::automatic},
                                                    {"namespaces", local::isolation::namespaces},
                                                    {"processes", local::isolation::processes}};

int parse_and_run(int argc, char** argv) {
    CLI::App app{"Distributed training jobs for Kubernetes, also without a cluster"};
    app.set_version_flag("--version", std::string(version()));
    app.require_subcommand(1);
    int exit = success;

    run_options run_with;
    auto* const run_command = app.add_subcommand(
        "run", "Run a job on a local cluster in this process. It can do all that you can: the sandbox is no "
               "boundary against hostile code (docs/security.md)");
    run_command->add_option("FILE", run_with.file, "Job as YAML or JSON")->required();
    run_command->add_option("--isolation", run_with.mode, "automatic, namespaces or processes")
        ->transform(CLI::CheckedTransformer(modes, CLI::ignore_case));
    run_command->add_option("--directory", run_with.directory, "Where logs and pod files live while the job runs");
    run_command->add_flag("-v,--verbose", run_with.verbose, "Say what the parts of the cluster do");
    run_command->callback([&] { exit = run(run_with); });

    render_options render_with;
    auto* const render_command =
        app.add_subcommand("render", "Print what the operator would create, without a cluster");
    render_command->add_option("FILE", render_with.file, "Job as YAML or JSON")->required();
    render_command->add_option("-o,--output", render_with.format, "yaml or json")
        ->check(CLI::IsMember({"yaml", "json"}));
    render_command->callback([&] { exit = render(render_with); });

    local_options local_with;
    local_with.state_directory = default_state_directory();
    auto* const local_command = app.add_subcommand("local", "A local cluster as a server");
    local_command->require_subcommand(1);
    local_command->add_option("--state", local_with.state_directory, "Where kubeconfig and log are kept");
    auto* const up = local_command->add_subcommand("up", "Start it in the background and write a kubeconfig");
    up->add_option("--port", local_with.port, "Port on 127.0.0.1; 0 for any");
    up->add_option("--isolation", local_with.mode, "automatic, namespaces or processes")
        ->transform(CLI::CheckedTransformer(modes, CLI::ignore_case));
    up->add_flag("--foreground", local_with.foreground, "Stay in the foreground until SIGINT or SIGTERM");
    up->callback([&] { exit = local_up(local_with); });
    local_command->add_subcommand("down", "Stop it")->callback([&] { exit = local_down(local_with); });
    local_command->add_subcommand("status", "Say whether it runs and what runs on it")->callback([&] {
        exit = local_status(local_with);
    });

    add_manifest_commands(app, exit);

    try {
        app.parse(argc, argv);
    } catch (CLI::ParseError const& e) {
        int const code = app.exit(e);
        return code == 0 ? success : bad_usage;
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
    } catch (std::exception const& e) {
        kftrain::cli::complain(e.what());
        return kftrain::cli::cluster_failed;
    }
}
