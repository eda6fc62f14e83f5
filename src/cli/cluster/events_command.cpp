#include "cli/cluster/connection/job_naming.hpp"
#include "cli/cluster/output/print_jobs.hpp"
#include "cli/cluster/output/report_failure.hpp"
#include "cli/cluster/output/text_table.hpp"
#include "cli/cluster/output/time_text.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/option_values.hpp"
#include "cli/subcommands.hpp"

#include <limits>

namespace kftrain::cli {
namespace {

struct events_options {
    connection_options where;
    job_naming which;
    bool job_only = false;
    std::size_t most = job_event_options().most;
    std::string format;
};

void print_events(job_event_list const& list) {
    text_table table({"LAST", "COUNT", "TYPE", "REASON", "OBJECT", "MESSAGE"});
    for (auto const& e : list.items)
        table.add({age(e.last ? e.last : e.first), std::to_string(e.count), e.type, e.reason,
                   e.object_kind + "/" + e.object_name, e.message});
    std::cout << (table.empty() ? "no events\n" : table.to_string());
    if (list.left_out != 0)
        complain(std::to_string(list.left_out) + " older events are left out; --limit raises the limit");
}

int events(events_options const& options) {
    auto const c = connection::open(options.where);
    if (!c) return bad_usage;
    auto const reference = find_job(*c, options.which);
    if (!reference) return reference.exit();
    auto how = c->timed(job_event_options());
    how.children = !options.job_only;
    how.most = options.most;
    auto const list = c->jobs().events(*reference, std::move(how));
    if (!list) return report_job_failure(*c, list.error(), *reference);
    if (options.format == "table")
        print_events(*list);
    else
        print_answer(list->to_json(), options.format);
    for (auto const& why : list->unread) complain("events are missing: " + why);
    return list->unread.empty() ? success : cluster_failed;
}

} // namespace

void add_events(CLI::App& app, int& exit) {
    auto options = std::make_shared<events_options>();
    auto* const command = app.add_subcommand("events", "Print the events of a job and of its pods, oldest first");
    add_single_job(*command, options->which);
    command->add_flag("--job-only", options->job_only, "Print only the events of the job itself");
    add_number(*command, "--limit", options->most, {1, std::numeric_limits<std::int64_t>::max()},
               "Print at most the newest N events (default: " + std::to_string(options->most) + ")");
    add_output_flag(*command, options->format, {"table", "json", "yaml"});
    add_connection_flags(*command, options->where);
    add_cluster_footer(
        *command,
        {{success, "All events were printed."},
         {job_failed, "The job does not exist."},
         {cluster_failed, "The cluster cannot be reached or refused the request, or events are missing."}},
        {{"Print the events of a job and of its pods", "kftrain events PyTorchJob/mnist"},
         {"Print the newest ten events of the job itself", "kftrain events PyTorchJob/mnist --job-only --limit 10"}});
    command->callback([options, &exit] { exit = events(*options); });
}

} // namespace kftrain::cli
