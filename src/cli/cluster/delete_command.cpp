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

struct delete_options {
    delete_options() = default;

    connection_options where;
    job_naming which;
    bool wait = false;
    bool foreground = false;
    bool ignore_absent = false;
};

int remove_jobs(delete_options const& options) {
    auto const c = connection::open(options.where);
    if (!c) return bad_usage;
    auto const references = find_jobs(*c, options.which);
    if (!references) return references.exit();
    int exit = success;
    for (auto const& reference : *references) {
        auto how = c->timed(job_remove_options());
        how.wait = options.wait;
        how.foreground = options.foreground;
        auto const gone = c->jobs().remove(reference, std::move(how));
        if (gone)
            std::cout << on_one_line(word_of(*reference.kind, reference.name)) << " deleted" << std::endl;
        else if (!is_not_found(gone.error().code) || !options.ignore_absent)
            exit = graver(exit, tell_job_failure(*c, gone.error(), reference));
    }
    return after_output(exit);
}

} // namespace

void add_delete(CLI::App& app, int& exit) {
    auto options = std::make_shared<delete_options>();
    auto* const command = app.add_subcommand("delete", "Delete jobs; what they own follows");
    add_job_naming(*command, options->which);
    command->add_flag("--wait", options->wait, "Until they are gone");
    command->add_flag("--foreground", options->foreground, "What a job owns goes first, then the job");
    command->add_flag("--ignore-not-found", options->ignore_absent, "A job that is not there is no failure");
    add_connection_flags(*command, options->where, "How long each may take, also with --wait; 0 for no limit [65s]");
    command->footer("Exit code: 0 all were deleted, 1 one was not there, 2 the arguments cannot be used,\n"
                    "3 the cluster cannot be reached or refuses, 4 one is still there.");
    command->callback([options, &exit] { exit = remove_jobs(*options); });
}

} // namespace kftrain::cli
