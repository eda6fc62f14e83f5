#include "cli/cluster/absent_job.hpp"
#include "cli/cluster/cluster_commands.hpp"
#include "cli/cluster/job_naming.hpp"
#include "cli/cluster/print_jobs.hpp"
#include "cli/cluster/tell_failure.hpp"
#include "cli/cluster/time_text.hpp"
#include "cli/commands.hpp"

#include <CLI/CLI.hpp>

namespace kftrain::cli {
namespace {

struct explain_arguments {
    explain_arguments() = default;

    connection_options where;
    job_naming which;
    explain_options how;
    std::string format;
};

int explain(explain_arguments const& arguments) {
    auto const c = connection::open(arguments.where);
    if (!c) return bad_usage;
    auto const reference = find_job(*c, arguments.which);
    if (!reference) return reference.exit();
    auto const told = c->jobs().explain(*reference, c->timed(arguments.how));
    if (!told) return tell_job_failure(*c, told.error(), *reference);
    if (arguments.format == "text")
        print_lines(told->to_string());
    else
        print_answer(told->to_json(), arguments.format);
    return after_output(success);
}

void add_quiet(CLI::App& command, explain_options& how) {
    command.add_option_function<std::string>(
        "--quiet",
        [&how](std::string const& text) {
            auto const time = read_time(text);
            if (!time) throw CLI::ValidationError("--quiet", time.error().detail.message);
            how.quiet = std::chrono::ceil<std::chrono::seconds>(*time);
        },
        "After how long without output a job counts as stalled; 0: that is not looked at [10m]");
}

} // namespace

void add_explain(CLI::App& app, int& exit) {
    auto arguments = std::make_shared<explain_arguments>();
    auto* const command = app.add_subcommand("explain", "Tell why a job does not run, or how it ended");
    add_job_naming(*command, arguments->which);
    command
        ->add_option("--log-lines", arguments->how.log_lines,
                     "Last lines of the member that failed first; 0: no log is read [20]")
        ->check(CLI::Range(0, 1'000'000));
    add_quiet(*command, arguments->how);
    add_output_flag(*command, arguments->format, {"text", "json", "yaml"});
    add_connection_flags(*command, arguments->where);
    command->footer("Exit code: 0 done, whatever the job did, 1 there is no such job, 2 the arguments cannot be used,\n"
                    "3 the cluster cannot be reached or refuses, 4 it took too long.");
    command->callback([arguments, &exit] { exit = explain(*arguments); });
}

} // namespace kftrain::cli
