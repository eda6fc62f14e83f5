#include "cli/cluster/absent_job.hpp"
#include "cli/cluster/cluster_commands.hpp"
#include "cli/cluster/job_naming.hpp"
#include "cli/cluster/print_jobs.hpp"
#include "cli/cluster/report_failure.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"

namespace kftrain::cli {
namespace {

struct get_options {
    get_options() = default;

    connection_options where;
    job_naming which;
    std::string format;
};

int get(get_options const& options) {
    auto const c = connection::open(options.where);
    if (!c) return bad_usage;
    auto const references = find_jobs(*c, options.which);
    if (!references) return references.exit();
    int exit = success;
    std::vector<any_job> jobs;
    for (auto const& reference : *references) {
        auto job = c->jobs().get(reference, c->timed(kube::call_options()));
        if (job)
            jobs.push_back(*std::move(job));
        else
            exit = graver(exit, report_job_failure(*c, job.error(), reference));
    }
    job_print how;
    how.format = options.format;
    how.list = references->size() > 1;
    if (!jobs.empty()) print_jobs(jobs, how);
    return exit;
}

} // namespace

void add_get(CLI::App& app, int& exit) {
    auto options = std::make_shared<get_options>();
    auto* const command = app.add_subcommand("get", "Print jobs of a cluster");
    add_job_naming(*command, options->which);
    add_output_flag(*command, options->format, {"table", "json", "yaml", "name"});
    add_connection_flags(*command, options->where);
    command->group(cluster_commands);
    add_footer(*command,
               {{success, "All jobs were printed."},
                {job_failed, "A job does not exist."},
                {bad_usage, "The arguments cannot be used."},
                {cluster_failed, "The cluster cannot be reached or refused the request."},
                {timed_out, "The time limit expired."}},
               {{"Print one job as YAML", "kftrain get PyTorchJob/mnist -o yaml"},
                {"Print the jobs that a manifest names", "kftrain get -f job.yaml"}});
    command->callback([options, &exit] { exit = get(*options); });
}

} // namespace kftrain::cli
