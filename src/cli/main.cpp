#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/manifests/manifest_hints.hpp"
#include "cli/subcommands.hpp"

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

/// Advice about a manifest names the command that was called, in the form that reads the standard input.
void name_in_advice(CLI::App& command) {
    bool const behind = command.get_option_no_throw("FILE") != nullptr;
    if (!behind && command.get_option_no_throw("--filename") == nullptr) return;
    auto reading = "kftrain " + command.get_name() + (behind ? " -" : " --filename -");
    command.preparse_callback([text = std::move(reading)](std::size_t) { set_reading_command(text); });
}

int parse_and_run(int argc, char** argv) {
    CLI::App app{"Run distributed training jobs on Kubernetes or on a local cluster", "kftrain"};
    app.formatter(std::make_shared<help_formatter>());
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.set_version_flag("--version", std::string(version()), "Print the version and exit");
    app.require_subcommand(1);
    int exit = success;
    for (auto* const add : subcommands) add(app, exit);
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
