#include "cli/cluster/connection/job_naming.hpp"
#include "cli/cluster/output/print_jobs.hpp"
#include "cli/cluster/output/report_failure.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/option_values.hpp"
#include "cli/subcommands.hpp"

namespace kftrain::cli {
namespace {

struct get_options {
    connection_options where;
    job_naming which;
    std::string format;
};

/// Returns the progress of each job; empty for jobs that do not run or whose output cannot be read.
std::vector<std::string> read_progress(connection& c, std::vector<any_job> const& jobs) {
    constexpr std::size_t most = 20; // each costs a few requests
    constexpr std::chrono::seconds patience{5};
    std::vector<std::string> all;
    for (auto const& job : jobs) {
        auto const phase = job.phase();
        bool const runs = phase == job_phase::running || phase == job_phase::restarting;
        auto const read = runs && all.size() < most
                              ? c.jobs().progress(job, c.timed(kube::call_options().with_timeout(patience)))
                              : result<job_progress>(job_progress());
        all.push_back(read ? read->to_string() : std::string());
    }
    return all;
}

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
    if (options.format == "table") how.progress = read_progress(*c, jobs);
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
    add_cluster_footer(*command, {{success, "All jobs were printed."}, {job_failed, "A job does not exist."}},
                       {{"Print one job as YAML", "kftrain get PyTorchJob/mnist -o yaml"},
                        {"Print the jobs that a manifest names", "kftrain get -f job.yaml"}});
    command->callback([options, &exit] { exit = get(*options); });
}

} // namespace kftrain::cli
