#include "base/joined.hpp"
#include "cli/cluster/connection/job_naming.hpp"
#include "cli/cluster/output/report_failure.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/option_values.hpp"
#include "cli/subcommands.hpp"

#include <algorithm>

namespace kftrain::cli {
namespace {

struct preflight_arguments {
    connection_options where;
    jobs_file from;
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
    bool passed = true, unchecked = false;
    bool const follows = !arguments.submit_only;
    int exit = check_jobs(arguments, "preflight", [&](connection const& c, any_job const& job) {
        auto const how = preflight_options().with_follow(follows).with_change(follows);
        auto report = c.jobs().preflight(job, c.timed(how));
        if (!report) return report;
        passed = passed && report->passed;
        if (report->passed && is_unchecked(*report, job_reference(job))) unchecked = true;
        return report;
    });
    if (unchecked) exit = graver(exit, cluster_failed);
    return exit != success ? exit : passed ? success : 1;
}

} // namespace

void add_preflight(CLI::App& app, int& exit) {
    auto arguments = std::make_shared<preflight_arguments>();
    auto* const command = app.add_subcommand(
        "preflight", "Check whether jobs can be submitted: rules, served kind, permissions, quota\n\n"
                     "The command changes nothing. For several jobs, JSON has one line for each job and YAML one "
                     "document.");
    add_jobs_file(*command, arguments->from);
    command->add_flag("--submit-only", arguments->submit_only,
                      "Check the permissions for submitting only, not those for following and changing jobs");
    add_output_flag(*command, arguments->format, {"text", "json", "yaml"});
    add_connection_flags(*command, arguments->where);
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
