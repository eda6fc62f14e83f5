#include "cli/cluster/connection/job_naming.hpp"
#include "cli/cluster/output/print_jobs.hpp"
#include "cli/cluster/output/report_failure.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/subcommands.hpp"

namespace kftrain::cli {
namespace {

struct plan_options {
    plan_options() = default;

    connection_options where;
    std::string file;
    std::string format;
};

int print_plans(plan_options const& options) {
    auto const c = connection::open(options.where);
    if (!c) return bad_usage;
    auto const jobs = read_placed_jobs(*c, options.file);
    if (!jobs) return jobs.exit();
    int exit = success;
    bool changes = false;
    for (auto const& job : *jobs) {
        job_reference const reference(job);
        auto const plan = c->jobs().plan(job, c->timed(kube::call_options()));
        if (!plan) {
            exit = graver(exit, report_failure(plan.error(), reference.to_string()));
            continue;
        }
        changes = changes || !plan->empty();
        if (options.format == "text") {
            if (jobs->size() > 1) print_lines(reference.to_string());
            print_lines(plan->to_string());
        } else {
            print_answer_about(reference, "plan", plan->to_json(), options.format);
        }
    }
    return exit != success ? exit : changes ? 1 : success;
}

} // namespace

void add_plan(CLI::App& app, int& exit) {
    auto options = std::make_shared<plan_options>();
    auto* const command = app.add_subcommand(
        "plan", "Show what submitting jobs would change on a cluster\n\n"
                "The command changes nothing. For several jobs, JSON has one line for each job and YAML one document.");
    add_jobs_file(*command, options->file);
    add_output_flag(*command, options->format, {"text", "json", "yaml"});
    add_connection_flags(*command, options->where);
    command->group(cluster_commands);
    add_footer(*command,
               {{success, "Nothing would change."},
                {1, "A job would change or would be created."},
                {bad_usage, "A file or a job cannot be used."},
                {cluster_failed, "The cluster cannot be reached or refused the request."},
                {timed_out, "The time limit expired."}},
               {{"Show the changes of a manifest", "kftrain plan job.yaml"},
                {"Show them as JSON for another namespace", "kftrain plan job.yaml -n research -o json"}});
    command->callback([options, &exit] { exit = print_plans(*options); });
}

} // namespace kftrain::cli
