#include "cli/cluster/connection/job_naming.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/option_values.hpp"
#include "cli/subcommands.hpp"

namespace kftrain::cli {
namespace {

struct plan_options {
    connection_options where;
    jobs_file from;
    std::string format;
};

int print_plans(plan_options const& options) {
    bool changes = false;
    int const exit = check_jobs(options, "plan", [&](connection const& c, any_job const& job) {
        auto plan = c.jobs().plan(job, c.timed(kube::call_options()));
        changes = changes || (plan && !plan->empty());
        return plan;
    });
    return exit != success ? exit : changes ? 1 : success;
}

} // namespace

void add_plan(CLI::App& app, int& exit) {
    auto options = std::make_shared<plan_options>();
    auto* const command = app.add_subcommand(
        "plan", "Show what submitting jobs would change on a cluster\n\n"
                "The command changes nothing. For several jobs, JSON has one line for each job and YAML one document.");
    add_jobs_file(*command, options->from);
    add_output_flag(*command, options->format, {"text", "json", "yaml"});
    add_connection_flags(*command, options->where);
    add_cluster_footer(*command,
                       {{success, "Nothing would change."},
                        {1, "A job would change or would be created."},
                        {bad_usage, "A file or a job cannot be used."}},
                       {{"Show the changes of a manifest", "kftrain plan job.yaml"},
                        {"Show them as JSON for another namespace", "kftrain plan job.yaml -n research -o json"}});
    command->callback([options, &exit] { exit = print_plans(*options); });
}

} // namespace kftrain::cli
