#include "cli/cluster/connection/job_naming.hpp"
#include "cli/cluster/output/job_names.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/subcommands.hpp"

#include <iostream>

namespace kftrain::cli {
namespace {

struct delete_options {
    connection_options where;
    job_naming which;
    bool wait = false;
    bool foreground = false;
    bool ignore_absent = false;
};

int remove_jobs(delete_options const& options) {
    return change_jobs(options, [&](connection const& c, job_reference const& job) {
        auto how = c.timed(job_delete_options());
        how.wait = options.wait;
        how.foreground = options.foreground;
        auto gone = c.jobs().delete_job(job, std::move(how));
        if (gone)
            std::cout << on_one_line(qualified_name(*job.kind, job.name)) << " deleted" << std::endl;
        else if (is_not_found(gone.error().code) && options.ignore_absent)
            gone = {};
        return gone;
    });
}

} // namespace

void add_delete(CLI::App& app, int& exit) {
    auto options = std::make_shared<delete_options>();
    auto* const command = app.add_subcommand("delete", "Delete jobs and the objects that they own");
    add_job_naming(*command, options->which);
    command->add_flag("--wait", options->wait, "Wait until the jobs no longer exist");
    command->add_flag("--foreground", options->foreground, "Delete the objects of a job before the job");
    command->add_flag("--ignore-not-found", options->ignore_absent, "Ignore jobs that do not exist");
    add_connection_flags(*command, options->where,
                         "Give up after DURATION, for example 90s or 5m, also with --wait; 0 for no limit (default: "
                         "65s for each job)");
    add_cluster_footer(
        *command,
        {{success, "All jobs were deleted."},
         {job_failed, "A job does not exist."},
         {timed_out, "A job still exists at the end of the time limit."}},
        {{"Delete a job and wait until it is deleted", "kftrain delete PyTorchJob/mnist --wait"},
         {"Delete the jobs of a manifest, if they exist", "kftrain delete -f job.yaml --ignore-not-found"}});
    command->callback([options, &exit] { exit = remove_jobs(*options); });
}

} // namespace kftrain::cli
