#include "cli/cluster/cluster_commands.hpp"
#include "cli/cluster/job_naming.hpp"
#include "cli/cluster/print_jobs.hpp"
#include "cli/cluster/tell_failure.hpp"
#include "cli/commands.hpp"

#include <CLI/CLI.hpp>

namespace kftrain::cli {
namespace {

struct plan_options {
    plan_options() = default;

    connection_options where;
    std::string file;
    std::string format;
};

int tell_plans(plan_options const& options) {
    auto const c = connection::open(options.where);
    if (!c) return bad_usage;
    auto const jobs = read_placed_jobs(*c, options.file);
    if (!jobs) return jobs.exit();
    int exit = success;
    bool changes = false;
    for (auto const& job : *jobs) {
        job_reference const reference(job);
        auto const told = c->jobs().plan(job, c->timed(kube::call_options()));
        if (!told) {
            exit = graver(exit, tell_failure(told.error(), reference.to_string()));
            continue;
        }
        changes = changes || !told->empty();
        if (options.format == "text") {
            if (jobs->size() > 1) print_lines(reference.to_string());
            print_lines(told->to_string());
        } else {
            print_answer_about(reference, "plan", told->to_json(), options.format);
        }
    }
    return after_output(exit != success ? exit : changes ? 1 : success);
}

} // namespace

void add_plan(CLI::App& app, int& exit) {
    auto options = std::make_shared<plan_options>();
    auto* const command = app.add_subcommand("plan", "Tell what submitting jobs would change on a cluster");
    command->add_option("-f,--filename,FILE", options->file, "Jobs as YAML or JSON; - for the standard input")
        ->required();
    add_output_flag(*command, options->format, {"text", "json", "yaml"});
    add_connection_flags(*command, options->where);
    command->footer(
        "Nothing is changed. Of several jobs JSON is a line each, YAML a document.\n"
        "Exit code: 0 nothing would change, 1 something would, also a job that is to be created,\n"
        "2 a file or a job cannot be used, 3 the cluster cannot be reached or refuses, 4 it took too long.");
    command->callback([options, &exit] { exit = tell_plans(*options); });
}

} // namespace kftrain::cli
