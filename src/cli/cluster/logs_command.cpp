#include "cli/cluster/connection/following.hpp"
#include "cli/cluster/connection/job_naming.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/option_values.hpp"
#include "cli/subcommands.hpp"

#include <limits>

namespace kftrain::cli {
namespace {

struct logs_arguments {
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

} // namespace

void add_logs(CLI::App& app, int& exit) {
    auto arguments = std::make_shared<logs_arguments>();
    auto& how = arguments->how;
    auto* const command = app.add_subcommand(
        "logs", "Print the output of all replicas of a job\n\n"
                "Each line begins with the rank of its replica. On a terminal the ranks are coloured, unless the "
                "environment variable NO_COLOR is set and not empty.");
    add_single_job(*command, arguments->which, long_file_option);
    command
        ->add_option("--role", how.roles,
                     "Print the output of replicas with this role only, for example Worker; repeatable")
        ->allow_extra_args(false)
        ->type_name("ROLE");
    auto const add_rank = [&how](std::vector<std::string> const& ranks) {
        for (auto const& rank : ranks)
            how.ranks.push_back(
                static_cast<std::int32_t>(read_number("--rank", rank, {0, std::numeric_limits<std::int32_t>::max()})));
    };
    command
        ->add_option_function<std::vector<std::string>>("--rank", add_rank,
                                                        "Print the output of the replica with rank N only; repeatable")
        ->allow_extra_args(false)
        ->type_name("N");
    command
        ->add_option("-c,--container", how.containers, "Print the output of containers with this name only; repeatable")
        ->allow_extra_args(false)
        ->type_name("NAME");
    add_number(*command, "--tail", how.tail, {}, "Begin with the last N lines of each container (default: all lines)");
    add_duration(
        *command, "--since", [&how](auto time) { how.since = std::chrono::ceil<std::chrono::seconds>(time); },
        "Begin with the lines of the last DURATION, for example 90s or 1h (default: all lines)");
    command->add_flag("-p,--previous", how.previous, "Print the output of the previous run of each container");
    command->add_flag("--timestamps", how.timestamps, "Print the time before each line");
    command->add_flag("-f,--follow,!--no-follow", how.follow,
                      "Follow the output until the job has finished (default); --no-follow prints the available "
                      "lines and exits");
    add_number(*command, "--open-logs", how.open_logs, {0, 1'000'000},
               "Read at most N logs at the same time; 0 for all (default: 0)");
    add_connection_flags(*command, arguments->where, "Stop after DURATION, for example 90s or 5m (default: no limit)");
    add_footer(*command,
               {{success, "All output was printed."},
                {job_failed, "The job does not exist or was deleted."},
                {bad_usage, "The arguments cannot be used."},
                {cluster_failed, "Lines may be missing, or the cluster cannot be reached or refused the request."},
                {timed_out, "--timeout expired."},
                {interrupted, "The command was interrupted."}},
               {{"Follow the output of all replicas until the job has finished", "kftrain logs PyTorchJob/mnist"},
                {"Print the last 20 lines of rank 0 and exit",
                 "kftrain logs PyTorchJob/mnist --no-follow --rank 0 --tail 20"}});
    command->callback([arguments, &exit] { exit = logs(*arguments); });
}

} // namespace kftrain::cli
