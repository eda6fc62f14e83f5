#include "cli/cluster/connection/following.hpp"
#include "cli/cluster/connection/job_naming.hpp"
#include "cli/cluster/output/job_names.hpp"
#include "cli/cluster/output/patient_output.hpp"
#include "cli/cluster/output/report_failure.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/subcommands.hpp"

#include <iostream>
#include <map>

namespace kftrain::cli {
namespace {

struct wait_arguments {
    connection_options where;
    job_naming which;
    std::string condition = "finished";
};

wait_condition (*condition_of(std::string_view name))() {
    static std::map<std::string_view, wait_condition (*)()> const known{
        {"finished", &until::finished}, {"succeeded", &until::succeeded},   {"failed", &until::failed},
        {"running", &until::running},   {"ready", &until::all_ranks_ready}, {"suspended", &until::suspended},
        {"deleted", &until::deleted}};
    auto const found = known.find(name);
    return found == known.end() ? nullptr : found->second;
}

/// The exit code for the outcome of one wait.
int code_of(wait_outcome const& o, std::string const& condition) {
    if (o.ec == errc::incomplete) return job_failed; // the job finished in another way
    if (o.ec) return exit_code_of(o.ec);
    bool const wanted = condition == "failed";
    return !o.job.empty() && o.job.phase() == job_phase::failed && !wanted ? job_failed : success;
}

/// The phase of a finished job; otherwise the condition that is met.
std::string_view outcome_text(wait_outcome const& o, std::string_view condition) {
    return !o.job.empty() && is_finished(o.job.phase()) ? to_string(o.job.phase()) : condition;
}

/// Rejects a wait for a condition that jobs of this kind never meet.
bool can_be_suspended(std::vector<job_reference> const& jobs) {
    bool fine = true;
    for (auto const& job : jobs) {
        auto const refused = any_job(*job.kind).suspending().refused;
        if (refused.empty()) continue;
        complain(job.to_string() + ": --for suspended: " + refused);
        fine = false;
    }
    return fine;
}

/// The condition that `--for` names. @par Errors `errc::invalid_argument`
result<wait_condition> read_condition(std::string_view text) {
    if (auto* const known = condition_of(text)) return known();
    constexpr std::string_view of_role = "ready=";
    failure f;
    f.code = errc::invalid_argument;
    f.detail.path = "--for";
    f.detail.message =
        "expected finished, succeeded, failed, running, ready, ready=ROLE:N, suspended or deleted, got \"" +
        std::string(text) + "\"";
    if (!text.starts_with(of_role)) return f;
    std::string assignment(text.substr(of_role.size()));
    auto const colon = assignment.rfind(':');
    if (colon == assignment.npos) return f;
    assignment[colon] = '=';
    auto const wanted = read_wanted_members(assignment);
    if (!wanted) return f;
    return until::ranks_ready(wanted->role, wanted->members);
}

int wait(wait_arguments const& arguments) {
    auto const condition = read_condition(arguments.condition);
    if (!condition) return report_failure(condition.error());
    auto const c = connection::open(arguments.where);
    if (!c) return bad_usage;
    auto const references = find_jobs(*c, arguments.which);
    if (!references) return references.exit();
    if (arguments.condition == "suspended" && !can_be_suspended(*references)) return bad_usage;
    if (auto const failed = fails_to_read(*c, references->front())) return *failed;
    c->contact().report_at_once();
    patient_streams const streams(c->end());
    int exit = success;
    wait_for_jobs(*c, *references, *condition, [&](job_reference const& job, wait_outcome const& o) {
        exit = graver(exit, code_of(o, arguments.condition));
        if (o.ec)
            (void)report_failure(c->followed(failure(o.ec, o.detail)), job.to_string());
        else
            std::cout << on_one_line(qualified_name(*job.kind, job.name)) << ' ' << outcome_text(o, arguments.condition)
                      << std::endl;
    });
    return after_output(exit);
}

} // namespace

void add_wait(CLI::App& app, int& exit) {
    auto arguments = std::make_shared<wait_arguments>();
    auto* const command =
        app.add_subcommand("wait", "Wait until jobs have finished or meet another condition\n\n"
                                   "If a job does not exist yet, the command waits until it is created.");
    add_job_naming(*command, arguments->which);
    command
        ->add_option("--for", arguments->condition,
                     "Wait for finished, succeeded, failed, running, ready (all replicas), ready=ROLE:N, suspended or "
                     "deleted (default: finished)")
        ->type_name("CONDITION");
    add_connection_flags(*command, arguments->where,
                         "Give up after DURATION, for example 90s or 5m (default: no limit)");
    add_cluster_footer(
        *command,
        {{success, "All jobs meet the condition, and none failed."},
         {job_failed, "A job failed or was deleted, or the condition can no longer be met."},
         {timed_out, "--timeout expired."},
         {interrupted, "The command was interrupted."}},
        {{"Wait for the end of a job", "kftrain wait PyTorchJob/mnist"},
         {"Wait until two workers are ready", "kftrain wait PyTorchJob/mnist --for ready=Worker:2 --timeout 10m"},
         {"Wait until the jobs of a manifest are deleted", "kftrain wait -f job.yaml --for deleted"}});
    command->callback([arguments, &exit] { exit = wait(*arguments); });
}

} // namespace kftrain::cli
