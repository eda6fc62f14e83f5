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

struct scale_options {
    scale_options() = default;

    connection_options where;
    std::vector<std::string> words;
    std::string file;
};

int scale(scale_options const& options) {
    if (options.words.empty()) return complain("expected ROLE=N, as in Worker=3, behind the job"), bad_usage;
    auto const wanted = read_wanted_members(options.words.back());
    if (!wanted) return tell_failure(wanted.error());
    job_naming which;
    which.words.assign(options.words.begin(), options.words.end() - 1);
    which.file = options.file;
    if (!which.words.empty() && !which.file.empty())
        return complain("expected a job by its name or by --filename, found both"), bad_usage;
    auto const c = connection::open(options.where);
    if (!c) return bad_usage;
    auto const reference = find_job(*c, which);
    if (!reference) return reference.exit();
    auto const job = c->jobs().scale(*reference, wanted->role, wanted->members, c->timed(kube::call_options()));
    if (!job) return tell_job_failure(*c, job.error(), *reference);
    std::cout << on_one_line(word_of(*job)) << " scaled: " << on_one_line(wanted->role) << ' ' << wanted->members
              << '\n';
    return after_output(success);
}

} // namespace

void add_scale(CLI::App& app, int& exit) {
    auto options = std::make_shared<scale_options>();
    auto* const command = app.add_subcommand("scale", "Change how many members a role of a job has");
    command->add_option("JOB", options->words, "KIND/NAME or KIND NAME, then ROLE=N: Worker=3");
    command->add_option("-f,--filename", options->file, "Manifest of the job that is meant; then ROLE=N alone");
    add_connection_flags(*command, options->where);
    command->footer("Exit code: 0 done, 1 there is no such job, 2 the job cannot be scaled so, or the arguments cannot "
                    "be used,\n3 the cluster cannot be reached or refuses, 4 it took too long.");
    command->callback([options, &exit] { exit = scale(*options); });
}

} // namespace kftrain::cli
