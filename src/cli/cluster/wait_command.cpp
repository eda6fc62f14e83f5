#include "cli/cluster/cluster_commands.hpp"
#include "cli/cluster/first_read.hpp"
#include "cli/cluster/job_naming.hpp"
#include "cli/cluster/job_words.hpp"
#include "cli/cluster/patient_output.hpp"
#include "cli/cluster/tell_failure.hpp"
#include "cli/cluster/wait_for.hpp"
#include "cli/commands.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <map>

namespace kftrain::cli {
namespace {

struct wait_arguments {
    wait_arguments() = default;

    connection_options where;
    job_naming which;
    std::string condition = "finished";
};

job_condition (*condition_of(std::string_view word))() {
    static std::map<std::string_view, job_condition (*)()> const known{
        {"finished", &until::finished}, {"succeeded", &until::succeeded},   {"failed", &until::failed},
        {"running", &until::running},   {"ready", &until::all_ranks_ready}, {"suspended", &until::suspended},
        {"deleted", &until::deleted}};
    auto const found = known.find(word);
    return found == known.end() ? nullptr : found->second;
}

/// How one wait came out, by the rules of the exit code.
int code_of(wait_outcome const& o, std::string const& condition) {
    if (o.ec == errc::incomplete) return job_failed; // it is finished in another way
    if (o.ec) return exit_code_of(o.ec);
    bool const meant = condition == "failed";
    return !o.job.empty() && o.job.phase() == job_phase::failed && !meant ? job_failed : success;
}

/// How a job ended, or what was waited for.
std::string_view how_it_came(wait_outcome const& o, std::string_view condition) {
    return !o.job.empty() && is_finished(o.job.phase()) ? to_string(o.job.phase()) : condition;
}

int wait(wait_arguments const& arguments) {
    auto const condition = read_condition(arguments.condition);
    if (!condition) return tell_failure(condition.error());
    auto const c = connection::open(arguments.where);
    if (!c) return bad_usage;
    auto const references = find_jobs(*c, arguments.which);
    if (!references) return references.exit();
    if (auto const failed = fails_to_read(*c, references->front())) return *failed;
    c->contact().tell_at_once();
    patient_streams const streams(c->options().timeout);
    int exit = success;
    wait_for_jobs(*c, *references, *condition, [&](job_reference const& job, wait_outcome const& o) {
        exit = graver(exit, code_of(o, arguments.condition));
        if (o.ec)
            (void)tell_failure(c->followed(failure(o.ec, o.detail)), job.to_string());
        else
            std::cout << on_one_line(word_of(*job.kind, job.name)) << ' ' << how_it_came(o, arguments.condition)
                      << std::endl;
    });
    return after_output(exit);
}

} // namespace

result<job_condition> read_condition(std::string_view text) {
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

void wait_for_jobs(connection& c, std::vector<job_reference> const& jobs, job_condition const& condition,
                   std::function<void(job_reference const&, wait_outcome const&)> const& tell) {
    std::vector<wait_outcome> outcomes(jobs.size());
    std::size_t left = jobs.size();
    std::atomic<bool> done = left == 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        auto& o = outcomes[i];
        auto how = c.timed(kube::wait_options().with_detail(o.detail));
        c.jobs().async_wait(jobs[i], condition, std::move(how), [&, i](error_code ec, any_job job) {
            outcomes[i].ec = ec;
            outcomes[i].job = std::move(job);
            tell(jobs[i], outcomes[i]);
            done = --left == 0;
        });
    }
    c.run_until(done);
}

void add_wait(CLI::App& app, int& exit) {
    auto arguments = std::make_shared<wait_arguments>();
    auto* const command = app.add_subcommand("wait", "Wait until jobs are finished, or run, or are gone");
    add_job_naming(*command, arguments->which);
    command->add_option("--for", arguments->condition,
                        "finished, succeeded, failed, running, ready (all members), ready=ROLE:N, suspended or deleted "
                        "[finished]");
    add_connection_flags(*command, arguments->where, "How long to wait; else without end");
    command->footer(
        "A job that is not there yet is waited for.\n"
        "Exit code: 0 so it is, and no job failed, 1 a job failed or was deleted, or it cannot come any more,\n"
        "2 the arguments cannot be used, 3 the cluster cannot be reached or refuses, 4 --timeout is over, 130 "
        "interrupted.");
    command->callback([arguments, &exit] { exit = wait(*arguments); });
}

} // namespace kftrain::cli
