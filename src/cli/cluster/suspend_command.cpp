#include "cli/cluster/absent_job.hpp"
#include "cli/cluster/cluster_commands.hpp"
#include "cli/cluster/job_naming.hpp"
#include "cli/cluster/job_words.hpp"
#include "cli/cluster/tell_failure.hpp"
#include "cli/commands.hpp"

#include <CLI/CLI.hpp>

#include <iostream>

namespace kftrain::cli {
namespace {

struct suspend_options {
    suspend_options() = default;

    connection_options where;
    job_naming which;
};

int suspend(suspend_options const& options, bool on) {
    auto const c = connection::open(options.where);
    if (!c) return bad_usage;
    auto const references = find_jobs(*c, options.which);
    if (!references) return references.exit();
    int exit = success;
    for (auto const& reference : *references) {
        auto const how = c->timed(kube::call_options());
        auto const job = on ? c->jobs().suspend(reference, how) : c->jobs().resume(reference, how);
        if (job)
            std::cout << on_one_line(word_of(*job)) << (on ? " suspended" : " resumed") << std::endl;
        else
            exit = graver(exit, tell_job_failure(*c, job.error(), reference));
    }
    return after_output(exit);
}

void add_one(CLI::App& app, int& exit, bool on) {
    auto options = std::make_shared<suspend_options>();
    auto* const command = on ? app.add_subcommand("suspend", "Stop jobs until they are resumed; their pods go")
                             : app.add_subcommand("resume", "Let suspended jobs go on");
    add_job_naming(*command, options->which);
    add_connection_flags(*command, options->where);
    command->footer(
        std::string(
            on ? "It does not wait for the pods: `kftrain wait --for suspended` does.\n"
               : "It waits until pods of the run before are gone where the operator would count them for those of the\n"
                 "resumed job, and not for new ones: `kftrain wait --for running` does.\n") +
        "Exit code: 0 done, 1 a job is not there, 2 a job cannot be suspended, or the arguments cannot be used,\n"
        "3 the cluster cannot be reached or refuses, 4 it took too long.");
    command->callback([options, &exit, on] { exit = suspend(*options, on); });
}

} // namespace

void add_suspend(CLI::App& app, int& exit) {
    add_one(app, exit, true);
    add_one(app, exit, false);
}

} // namespace kftrain::cli
