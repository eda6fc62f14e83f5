#include "cli/cluster/connection/job_naming.hpp"
#include "cli/cluster/output/job_names.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/subcommands.hpp"

#include <iostream>

namespace kftrain::cli {
namespace {

struct suspend_options {
    connection_options where;
    job_naming which;
};

int suspend(suspend_options const& options, bool on) {
    return change_jobs(options, [on](connection const& c, job_reference const& reference) {
        auto const how = c.timed(kube::call_options());
        auto job = on ? c.jobs().suspend(reference, how) : c.jobs().resume(reference, how);
        if (job) std::cout << on_one_line(qualified_name(*job)) << (on ? " suspended" : " resumed") << std::endl;
        return job;
    });
}

void add_one(CLI::App& app, int& exit, bool on) {
    auto options = std::make_shared<suspend_options>();
    auto* const command =
        on ? app.add_subcommand("suspend", "Suspend jobs; their pods are deleted\n\n"
                                           "The command does not wait for the deletion of the pods; use "
                                           "\"kftrain wait --for suspended\" to wait.")
           : app.add_subcommand("resume", "Resume suspended jobs\n\n"
                                          "If pods of the previous run could end the resumed job, the command first "
                                          "waits until they are deleted. It does not wait for new pods; use "
                                          "\"kftrain wait --for running\" to wait.");
    add_job_naming(*command, options->which);
    add_connection_flags(*command, options->where);
    std::string const refused =
        std::string("A job cannot be ") + (on ? "suspended" : "resumed") + ", or the arguments cannot be used.";
    std::string const verb = on ? "suspend" : "resume", purpose = on ? "Suspend" : "Resume";
    add_cluster_footer(*command,
                       {{success, on ? "All jobs were suspended." : "All jobs were resumed."},
                        {job_failed, "A job does not exist."},
                        {bad_usage, refused}},
                       {{purpose + " one job", "kftrain " + verb + " PyTorchJob/mnist"},
                        {purpose + " the jobs of a manifest", "kftrain " + verb + " -f job.yaml"}});
    command->callback([options, &exit, on] { exit = suspend(*options, on); });
}

} // namespace

void add_suspend(CLI::App& app, int& exit) {
    add_one(app, exit, true);
    add_one(app, exit, false);
}

} // namespace kftrain::cli
