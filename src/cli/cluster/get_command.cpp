#include "cli/cluster/absent_job.hpp"
#include "cli/cluster/cluster_commands.hpp"
#include "cli/cluster/job_naming.hpp"
#include "cli/cluster/print_jobs.hpp"
#include "cli/cluster/tell_failure.hpp"
#include "cli/commands.hpp"

#include <CLI/CLI.hpp>

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
            exit = graver(exit, tell_job_failure(*c, job.error(), reference));
    }
    job_print how;
    how.format = options.format;
    how.list = references->size() > 1;
    if (!jobs.empty()) print_jobs(jobs, how);
    return after_output(exit);
}

} // namespace

void add_get(CLI::App& app, int& exit) {
    auto options = std::make_shared<get_options>();
    auto* const command = app.add_subcommand("get", "Read jobs of a cluster");
    add_job_naming(*command, options->which);
    add_output_flag(*command, options->format, {"table", "json", "yaml", "name"});
    add_connection_flags(*command, options->where);
    command->footer("Exit code: 0 all were read, 1 one is not there, 2 the arguments cannot be used,\n"
                    "3 the cluster cannot be reached or refuses, 4 it took too long.");
    command->callback([options, &exit] { exit = get(*options); });
}

} // namespace kftrain::cli
