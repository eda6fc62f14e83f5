#include "cli/cluster/absent_job.hpp"
#include "cli/cluster/cluster_commands.hpp"
#include "cli/cluster/job_naming.hpp"
#include "cli/cluster/print_jobs.hpp"
#include "cli/cluster/report_failure.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/option_values.hpp"

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
    auto const found = c->jobs().explain(*reference, c->timed(arguments.how));
    if (!found) return report_job_failure(*c, found.error(), *reference);
    if (arguments.format == "text")
        print_lines(found->to_string());
    else
        print_answer(found->to_json(), arguments.format);
    return success;
}

} // namespace

void add_explain(CLI::App& app, int& exit) {
    auto arguments = std::make_shared<explain_arguments>();
    auto& how = arguments->how;
    auto* const command = app.add_subcommand("explain", "Explain why a job does not run, or how it ended");
    add_single_job(*command, arguments->which);
    add_number(*command, "--log-lines", how.log_lines, {0, 1'000'000},
               "Print the last N log lines of the replica that failed first; 0 reads no log (default: " +
                   std::to_string(how.log_lines) + ")");
    add_duration(
        *command, "--quiet", [&how](auto time) { how.quiet = std::chrono::ceil<std::chrono::seconds>(time); },
        "Report a job as stalled after DURATION without output; 0 disables the check (default: 10m)");
    add_output_flag(*command, arguments->format, {"text", "json", "yaml"});
    add_connection_flags(*command, arguments->where);
    command->group(cluster_commands);
    add_footer(*command,
               {{success, "The explanation was printed, whatever the state of the job."},
                {job_failed, "The job does not exist."},
                {bad_usage, "The arguments cannot be used."},
                {cluster_failed, "The cluster cannot be reached or refused the request."},
                {timed_out, "The time limit expired."}},
               {{"Explain the state of a job", "kftrain explain PyTorchJob/mnist"},
                {"Print the causes as JSON, without logs", "kftrain explain PyTorchJob/mnist --log-lines 0 -o json"}});
    command->callback([arguments, &exit] { exit = explain(*arguments); });
}

} // namespace kftrain::cli
