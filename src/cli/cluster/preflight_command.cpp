#include "cli/cluster/cluster_commands.hpp"
#include "cli/cluster/job_naming.hpp"
#include "cli/cluster/print_jobs.hpp"
#include "cli/cluster/tell_failure.hpp"
#include "cli/commands.hpp"

#include <CLI/CLI.hpp>

namespace kftrain::cli {
namespace {

struct preflight_arguments {
    preflight_arguments() = default;

    connection_options where;
    std::string file;
    bool submit_only = false;
    std::string format;
};

int preflight(preflight_arguments const& arguments) {
    auto const c = connection::open(arguments.where);
    if (!c) return bad_usage;
    auto const jobs = read_placed_jobs(*c, arguments.file);
    if (!jobs) return jobs.exit();
    int exit = success;
    bool passed = true;
    for (auto const& job : *jobs) {
        job_reference const reference(job);
        auto const how = preflight_options().with_follow(!arguments.submit_only).with_change(!arguments.submit_only);
        auto const report = c->jobs().preflight(job, c->timed(how));
        if (!report) {
            exit = graver(exit, tell_failure(report.error(), reference.to_string()));
            continue;
        }
        passed = passed && report->passed();
        if (arguments.format == "text") {
            if (jobs->size() > 1) print_lines(reference.to_string());
            print_lines(report->to_string());
        } else {
            print_answer_about(reference, "preflight", report->to_json(), arguments.format);
        }
    }
    return after_output(exit != success ? exit : passed ? success : 1);
}

} // namespace

void add_preflight(CLI::App& app, int& exit) {
    auto arguments = std::make_shared<preflight_arguments>();
    auto* const command = app.add_subcommand(
        "preflight", "Look whether jobs could be submitted and followed: rules, kind, rights, quota");
    command->add_option("-f,--filename,FILE", arguments->file, "Jobs as YAML or JSON; - for the standard input")
        ->required();
    command->add_flag("--submit-only", arguments->submit_only, "Not whether they could be followed and changed, too");
    add_output_flag(*command, arguments->format, {"text", "json", "yaml"});
    add_connection_flags(*command, arguments->where);
    command->footer("Nothing is changed. Of several jobs JSON is a line each, YAML a document.\n"
                    "Exit code: 0 nothing failed, 1 a check failed, 2 a file cannot be used, 3 the cluster cannot be "
                    "reached,\n4 it took too long.");
    command->callback([arguments, &exit] { exit = preflight(*arguments); });
}

} // namespace kftrain::cli
