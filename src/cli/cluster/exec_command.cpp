#include "cli/cluster/connection/job_pod.hpp"
#include "cli/cluster/output/report_failure.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/subcommands.hpp"

namespace kftrain::cli {
namespace {

struct exec_arguments {
    connection_options where;
    std::string job; ///< KIND/NAME
    std::vector<std::string> command;
    pod_choice choice;
    bool input = false;
};

int exec(exec_arguments const& arguments) {
    auto const c = connection::open(arguments.where);
    if (!c) return bad_usage;
    auto what = find_pod(*c, arguments.job, arguments.choice);
    if (!what) return what.exit();
    what->command = arguments.command;
    what->how.input = arguments.input;
    auto const code = run_remote(c->context(), c->jobs().get_client(), *what);
    if (!code) return report_failure(c->followed(code.error()), "pod " + what->pod);
    return *code;
}

} // namespace

void add_exec(CLI::App& app, int& exit) {
    auto arguments = std::make_shared<exec_arguments>();
    auto* const command = app.add_subcommand(
        "exec", "Run a command in a container of a job\n\n"
                "Without --rank and --role, the command runs in the replica with rank 0, or in the first replica of a "
                "kind without ranks. The exit code is that of the command. No shell is involved.");
    add_job_of_pod(*command, arguments->job);
    command->add_option("COMMAND", arguments->command, "Run this command with its arguments")
        ->option_text("-- COMMAND...")
        ->required();
    add_pod_choice(*command, arguments->choice);
    command->add_flag("-i,--stdin", arguments->input, "Pass the standard input to the command");
    add_connection_flags(*command, arguments->where,
                         "Give up if the command has not started after DURATION, for example 90s (default: no limit)");
    add_footer(*command,
               {{success, "The command returned 0."},
                {job_failed, "The job or the pod does not exist."},
                {bad_usage, "The arguments cannot be used."},
                {cluster_failed, "The cluster cannot be reached, refused the request or lost the connection."},
                {timed_out, "--timeout expired."}},
               {{"Show the processes of rank 0", "kftrain exec PyTorchJob/mnist -- ps aux"},
                {"Run a shell script in the replica with rank 1",
                 "kftrain exec PyTorchJob/mnist --rank 1 -i -- sh -s <script.sh"}});
    command->callback([arguments, &exit] { exit = kftrain::cli::exec(*arguments); });
}

} // namespace kftrain::cli
