#include "base/joined.hpp"
#include "cli/cluster/connection/job_naming.hpp"
#include "cli/cluster/output/print_jobs.hpp"
#include "cli/cluster/output/report_failure.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/subcommands.hpp"

#include <algorithm>

namespace kftrain::cli {
namespace {

struct preflight_arguments {
    preflight_arguments() = default;

    connection_options where;
    std::string file;
    bool submit_only = false;
    std::string format;
};

/// Without an answer to these checks, the report does not show whether the job can be submitted.
bool is_essential(preflight_check const& check) { return check.name == "served" || check.name == "may-create"; }

/// Whether an essential check has no answer; if so, prints the names of all checks without an answer.
bool is_unchecked(preflight_report const& report, job_reference const& job) {
    std::vector<std::string> names;
    std::string why;
    bool essential = false;
    for (auto const& check : report.checks) {
        if (check.verdict != verdict::unknown) continue;
        essential = essential || is_essential(check);
        if (std::ranges::find(names, check.name) == names.end()) names.push_back(check.name);
        if (why.empty()) why = check.message;
    }
    if (essential) complain(job.to_string() + ": not checked: " + joined(names, ", ") + ": " + why);
    return essential;
}

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
            exit = graver(exit, report_failure(report.error(), reference.to_string()));
            continue;
        }
        passed = passed && report->passed;
        if (report->passed && is_unchecked(*report, reference)) exit = graver(exit, cluster_failed);
        if (arguments.format == "text") {
            if (jobs->size() > 1) print_lines(reference.to_string());
            print_lines(report->to_string());
        } else {
            print_answer_about(reference, "preflight", report->to_json(), arguments.format);
        }
    }
    return exit != success ? exit : passed ? success : 1;
}

} // namespace

void add_preflight(CLI::App& app, int& exit) {
    auto arguments = std::make_shared<preflight_arguments>();
    auto* const command = app.add_subcommand(
        "preflight", "Check whether jobs can be submitted: rules, served kind, permissions, quota\n\n"
                     "The command changes nothing. For several jobs, JSON has one line for each job and YAML one "
                     "document.");
    add_jobs_file(*command, arguments->file);
    command->add_flag("--submit-only", arguments->submit_only,
                      "Check the permissions for submitting only, not those for following and changing jobs");
    add_output_flag(*command, arguments->format, {"text", "json", "yaml"});
    add_connection_flags(*command, arguments->where);
    command->group(cluster_commands);
    add_footer(*command,
               {{success, "No check failed."},
                {1, "A check failed."},
                {bad_usage, "A file cannot be used."},
                {cluster_failed, "The cluster cannot be reached, or an essential check cannot be made."},
                {timed_out, "The time limit expired."}},
               {{"Check a manifest before it is submitted", "kftrain preflight job.yaml"},
                {"Check the permissions of a service that only submits",
                 "kftrain preflight job.yaml --submit-only --context service"}});
    command->callback([arguments, &exit] { exit = preflight(*arguments); });
}

} // namespace kftrain::cli
