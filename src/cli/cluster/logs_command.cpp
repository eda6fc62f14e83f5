#include "cli/cluster/cluster_commands.hpp"
#include "cli/cluster/first_read.hpp"
#include "cli/cluster/follow_logs.hpp"
#include "cli/cluster/job_naming.hpp"
#include "cli/cluster/time_text.hpp"
#include "cli/commands.hpp"

#include <CLI/CLI.hpp>

namespace kftrain::cli {
namespace {

struct logs_arguments {
    logs_arguments() = default;

    connection_options where;
    job_naming which;
    job_log_options how;
};

int logs(logs_arguments const& arguments) {
    auto const c = connection::open(arguments.where);
    if (!c) return bad_usage;
    auto const named = find_job(*c, arguments.which);
    if (!named) return named.exit();
    job_reference job = *named;
    if (auto const failed = fails_to_find(*c, job)) return *failed;
    return follow_logs(*c, job, c->timed(arguments.how));
}

void add_since(CLI::App& command, job_log_options& how) {
    command.add_option_function<std::string>(
        "--since",
        [&how](std::string const& text) {
            auto const time = read_time(text);
            if (!time) throw CLI::ValidationError("--since", time.error().detail.message);
            how.since = std::chrono::ceil<std::chrono::seconds>(*time);
        },
        "Lines of the last so long alone, as 90s or 1h");
}

} // namespace

void add_logs(CLI::App& app, int& exit) {
    auto arguments = std::make_shared<logs_arguments>();
    auto& how = arguments->how;
    auto* const command = app.add_subcommand("logs", "Print the output of all members of a job");
    add_job_naming(*command, arguments->which, long_file_option);
    command->add_option("--role", how.roles, "Of these roles alone: Worker; repeatable")->allow_extra_args(false);
    command->add_option("--rank", how.ranks, "Of these ranks alone; repeatable")->allow_extra_args(false);
    command->add_option("-c,--container", how.containers, "Of containers of these names alone; repeatable")
        ->allow_extra_args(false);
    command->add_option("--tail", how.tail, "The last lines of each container at first")->check(CLI::NonNegativeNumber);
    add_since(*command, how);
    command->add_flag("-p,--previous", how.previous, "Of the run before the last of each container");
    command->add_flag("--timestamps", how.timestamps, "The time of each line in front of it");
    command->add_flag("-f,--follow,!--no-follow", how.follow,
                      "Until the job is finished, which is what holds; --no-follow: what there is now");
    command->add_option("--open-logs", how.open_logs, "How many are read at the same time; 0 for all [0]")
        ->check(CLI::Range(0, 1'000'000));
    add_connection_flags(*command, arguments->where, "How long to follow; else without end");
    command->footer(
        "On a terminal, NO_COLOR in the environment, when it is not empty, turns colours off.\n"
        "Exit code: 0 all was printed, 1 the job is not there or was deleted, 2 the arguments cannot be used,\n"
        "3 lines may be missing, or the cluster cannot be reached or refuses, 4 --timeout is over, "
        "130 interrupted.");
    command->callback([arguments, &exit] { exit = logs(*arguments); });
}

} // namespace kftrain::cli
