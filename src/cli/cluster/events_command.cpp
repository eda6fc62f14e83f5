#include "cli/cluster/absent_job.hpp"
#include "cli/cluster/cluster_commands.hpp"
#include "cli/cluster/job_naming.hpp"
#include "cli/cluster/print_jobs.hpp"
#include "cli/cluster/tell_failure.hpp"
#include "cli/cluster/text_table.hpp"
#include "cli/cluster/time_text.hpp"
#include "cli/commands.hpp"

#include <CLI/CLI.hpp>

namespace kftrain::cli {
namespace {

struct events_options {
    events_options() = default;

    connection_options where;
    job_naming which;
    bool job_alone = false;
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
        complain(std::to_string(list.left_out) + " older events are left out; --most raises how many are kept");
}

int events(events_options const& options) {
    auto const c = connection::open(options.where);
    if (!c) return bad_usage;
    auto const reference = find_job(*c, options.which);
    if (!reference) return reference.exit();
    auto how = c->timed(job_event_options());
    how.children = !options.job_alone;
    how.most = options.most;
    auto const list = c->jobs().events(*reference, std::move(how));
    if (!list) return tell_job_failure(*c, list.error(), *reference);
    if (options.format == "table")
        print_events(*list);
    else
        print_answer(list->to_json(), options.format);
    for (auto const& why : list->unread) complain("events are missing: " + why);
    return after_output(list->unread.empty() ? success : cluster_failed);
}

} // namespace

void add_events(CLI::App& app, int& exit) {
    auto options = std::make_shared<events_options>();
    auto* const command = app.add_subcommand("events", "Tell the events about a job and its pods, oldest first");
    add_job_naming(*command, options->which);
    command->add_flag("--job-alone", options->job_alone, "Not those about its pods and other objects");
    command->add_option("--most", options->most, "The newest that are told [1000]")->check(CLI::PositiveNumber);
    add_output_flag(*command, options->format, {"table", "json", "yaml"});
    add_connection_flags(*command, options->where);
    command->footer("Exit code: 0 done, 1 there is no such job, 2 the arguments cannot be used,\n"
                    "3 the cluster cannot be reached or refuses, or events are missing, 4 it took too long.");
    command->callback([options, &exit] { exit = events(*options); });
}

} // namespace kftrain::cli
