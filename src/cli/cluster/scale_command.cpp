#include "cli/cluster/connection/job_naming.hpp"
#include "cli/cluster/output/job_names.hpp"
#include "cli/cluster/output/report_failure.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/subcommands.hpp"

#include <iostream>

namespace kftrain::cli {
namespace {

struct scale_options {
    connection_options where;
    std::vector<std::string> names;
    std::string file;
};

int scale(scale_options const& options) {
    if (options.names.empty())
        return complain("expected ROLE=N after the job, for example Worker=3, got nothing"), bad_usage;
    auto const wanted = read_wanted_members(options.names.back());
    if (!wanted) return report_failure(wanted.error());
    job_naming which;
    which.names.assign(options.names.begin(), options.names.end() - 1);
    which.file = options.file;
    if (!which.names.empty() && !which.file.empty())
        return complain("JOB cannot be combined with --filename"), bad_usage;
    auto const c = connection::open(options.where);
    if (!c) return bad_usage;
    auto const reference = find_job(*c, which);
    if (!reference) return reference.exit();
    auto const job = c->jobs().scale(*reference, wanted->role, wanted->members, c->timed(kube::call_options()));
    if (!job) return report_job_failure(*c, job.error(), *reference);
    std::cout << on_one_line(qualified_name(*job)) << " scaled: " << on_one_line(wanted->role) << ' ' << wanted->members
              << '\n';
    return success;
}

} // namespace

void add_scale(CLI::App& app, int& exit) {
    auto options = std::make_shared<scale_options>();
    auto* const command = app.add_subcommand("scale", "Change the number of replicas of a role");
    command
        ->add_option("JOB", options->names,
                     "Select the job as KIND/NAME or KIND NAME; ROLE=N follows, for example Worker=3")
        ->option_text("(JOB | -f FILE) ROLE=N");
    command
        ->add_option("-f,--filename", options->file,
                     "Select the job of this manifest; - reads standard input. ROLE=N is then the only argument")
        ->type_name("FILE");
    add_connection_flags(*command, options->where);
    add_cluster_footer(*command,
                       {{success, "The number of replicas was changed."},
                        {job_failed, "The job does not exist."},
                        {bad_usage, "The job cannot be scaled in this way, or the arguments cannot be used."}},
                       {{"Run an elastic job with four workers", "kftrain scale PyTorchJob/mnist Worker=4"},
                        {"Scale the job of a manifest", "kftrain scale -f job.yaml Worker=4"}});
    command->callback([options, &exit] { exit = scale(*options); });
}

} // namespace kftrain::cli
