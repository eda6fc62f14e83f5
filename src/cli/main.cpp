#include "cli/cluster/cluster_commands.hpp"
#include "cli/cluster/connection/connection.hpp"
#include "cli/cluster/kubectl.hpp"
#include "cli/command_names.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/local/local_commands.hpp"
#include "cli/manifests/manifest_commands.hpp"
#include "cli/manifests/template_text.hpp"

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/version.hpp>

#include <boost/system/system_error.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

namespace kftrain::cli {
namespace {

std::string_view variable(char const* name) {
    char const* const value = std::getenv(name);
    return value != nullptr ? value : "";
}

std::filesystem::path default_state_directory() {
    // The XDG base directory specification requires that relative paths are ignored.
    std::filesystem::path const state = variable("XDG_STATE_HOME");
    if (state.is_absolute()) return state / "kftrain";
    std::filesystem::path const home = variable("HOME");
    if (home.is_absolute()) return home / ".local" / "state" / "kftrain";
    return "/tmp/kftrain-" + std::to_string(::getuid());
}

/// Advice about a manifest names the command that was called, in the form that reads the standard input.
void name_in_advice(CLI::App& command) {
    bool const behind = command.get_option_no_throw("FILE") != nullptr;
    if (!behind && command.get_option_no_throw("--filename") == nullptr) return;
    auto reading = "kftrain " + command.get_name() + (behind ? " -" : " --filename -");
    command.preparse_callback([text = std::move(reading)](std::size_t) { set_reading_command(text); });
}

void add_run(CLI::App& app, int& exit) {
    auto const options = std::make_shared<run_options>();
    options->colour = variable("NO_COLOR").empty();
    auto* const command = app.add_subcommand(
        "run",
        "Run jobs on a local cluster in this process\n\n"
        "Run only jobs that you trust: a job has all your permissions, and the sandbox is no protection against "
        "hostile code. Several jobs run side by side. Other objects in the files, such as ConfigMaps, are created "
        "before the jobs; objects that the local cluster does not serve are skipped with a message. On a "
        "terminal the output is coloured, unless the environment variable NO_COLOR is set and not empty.");
    command->group(offline_commands);
    command
        ->add_option("FILE", options->files,
                     "Read jobs and other objects from these YAML or JSON files or directories; - reads standard input")
        ->required();
    add_isolation_option(*command, options->mode);
    add_pod_options(*command, options->pods);
    add_node_options(*command, options->nodes, options->node_resources);
    add_operator_flags(*command, options->flags, "Run the operators with this flag");
    command
        ->add_option("--directory", options->directory,
                     "Use DIR for logs and pod files; it must be new or empty, and it is removed at the end "
                     "(default: a new directory in /tmp)")
        ->type_name("DIR");
    command
        ->add_option("--timeline", options->timeline,
                     "Draw pods, conditions and progress over time into FILE, which ends in .svg, .html, .json or "
                     ".txt; with several jobs, into one file for each job: NAME-JOB.svg")
        ->type_name("FILE");
    command->add_flag("-v,--verbose", options->verbose, "Print what the local cluster does");
    add_footer(*command,
               {{success, "All jobs succeeded."},
                {job_failed, "A job failed."},
                {bad_usage, "A file or a job cannot be used."},
                {cluster_failed, "The local cluster did not start or failed."},
                {interrupted, "The command was interrupted."}},
               {{"Run a job and print the output of all replicas", "kftrain run job.yaml"},
                {"Run several jobs side by side and give their images a command",
                 "kftrain run jobs.yaml --command 'example.com/*=true'"},
                {"Use a directory for a PersistentVolumeClaim", "kftrain run job.yaml --volume data=."}});
    command->callback([options, &exit] {
        if (!options->timeline.empty()) options->timeline = std::filesystem::absolute(options->timeline);
        if (!options->directory.empty()) options->directory = std::filesystem::absolute(options->directory);
        exit = run(*options);
    });
}

void add_render(CLI::App& app, int& exit) {
    auto const options = std::make_shared<render_options>();
    auto* const command =
        app.add_subcommand("render", "Print or draw the objects that the operator would create for jobs");
    command->group(offline_commands);
    command->add_option("FILE", options->file, "Read jobs from this YAML or JSON file; - reads standard input")
        ->required();
    add_output_flag(*command, options->format, {"yaml", "json", "svg"});
    add_reference_files(*command, options->with);
    add_operator_flags(*command, options->flags);
    add_footer(*command, {{success, "All jobs were rendered."}, {bad_usage, "The file or a job cannot be used."}},
               {{"Print pods and services as YAML", "kftrain render job.yaml"},
                {"Print them as one JSON list", "kftrain render job.yaml -o json"},
                {"Draw them as a picture", "kftrain render job.yaml -o svg >job.svg"}});
    command->callback([options, &exit] { exit = render(*options); });
}

int parse_and_run(int argc, char** argv) {
    CLI::App app{"Run distributed training jobs on Kubernetes or on a local cluster", "kftrain"};
    app.formatter(std::make_shared<help_formatter>());
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.set_version_flag("--version", std::string(version()), "Print the version and exit");
    app.require_subcommand(1);
    int exit = success;
    add_run(app, exit);
    add_render(app, exit);
    add_local_commands(app, default_state_directory(), exit);
    add_cluster_commands(app, exit);
    add_manifest_commands(app, exit);
    add_footer(
        app,
        {{success, "The command succeeded."},
         {job_failed, "A job failed or does not exist, or a check failed; see the help of the command."},
         {bad_usage, "The arguments, a file or a job cannot be used, or the output cannot be written."},
         {cluster_failed, "The cluster cannot be reached, refused the request or failed."},
         {timed_out, "The time limit expired."},
         {interrupted, "The command was interrupted."},
         {unread, "The reader of standard output closed it."}},
        {{"Run a job on this machine, without Kubernetes", "kftrain run job.yaml"},
         {"Create a job on the cluster of the kubeconfig and print its output", "kftrain submit job.yaml --follow"},
         {"Show the options of a command", "kftrain submit --help"}});

    for (auto* const command : app.get_subcommands({})) name_in_advice(*command);

    try {
        app.parse(argc, argv);
    } catch (CLI::ParseError const& e) {
        if (auto const unknown = unknown_command(app); !unknown.empty()) {
            complain(unknown);
            return bad_usage;
        }
        if (e.get_exit_code() == 0) return app.exit(e); // help or version, on standard output
        complain(usage_fault(app, e));
        return bad_usage;
    }
    return exit;
}

} // namespace
} // namespace kftrain::cli

int main(int argc, char** argv) {
    // Opens closed standard streams, since a lock, a pipe or a socket would otherwise get their numbers. Standard
    // output is opened for reading, so that writing to it still fails.
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
        if (::fcntl(stream, F_GETFD) == -1)
            (void)::open("/dev/null", (stream == STDOUT_FILENO ? O_RDONLY : O_RDWR) | O_CLOEXEC);
    try {
        bool const as_kubectl = argc > 0 && std::filesystem::path(*argv).filename() == "kubectl";
        auto const run = as_kubectl ? &kftrain::cli::run_as_kubectl : &kftrain::cli::parse_and_run;
        return kftrain::cli::after_output(run(argc, argv));
    } catch (kftrain::error const& e) {
        kftrain::cli::complain(kftrain::failure(e.code(), e.detail()).to_string());
        return kftrain::cli::cluster_failed;
    } catch (boost::system::system_error const& e) {
        kftrain::cli::complain(e.code().message()); // what() only adds a source location
        return kftrain::cli::cluster_failed;
    } catch (std::exception const& e) {
        kftrain::cli::complain(e.what());
        return kftrain::cli::cluster_failed;
    }
}
