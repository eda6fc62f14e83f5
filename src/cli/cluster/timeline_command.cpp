#include "cli/cluster/connection/following.hpp"
#include "cli/cluster/connection/interruption.hpp"
#include "cli/cluster/connection/job_naming.hpp"
#include "cli/cluster/output/print_jobs.hpp"
#include "cli/cluster/output/report_failure.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/option_values.hpp"
#include "cli/subcommands.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>

namespace kftrain::cli {
namespace {

struct timeline_arguments {
    connection_options where;
    job_naming which;
    bool follow = false;
    bool progress = true;
    std::string format;
};

void print_timeline(job_timeline const& t, std::string const& format) {
    if (format == "json")
        print_answer(t.to_json(), format);
    else if (format == "text")
        print_lines(t.to_text());
    else
        std::cout << (format == "svg" ? t.to_svg() : t.to_html());
}

int timeline(timeline_arguments const& arguments) {
    auto const c = connection::open(arguments.where);
    if (!c) return bad_usage;
    auto const named = find_job(*c, arguments.which);
    if (!named) return named.exit();
    job_reference job = *named;
    if (auto const failed = fails_to_find(*c, job)) return *failed;
    diagnostics detail;
    auto how = c->timed(timeline_options().with_detail(detail).with_follow(arguments.follow));
    how.progress = arguments.progress;
    if (arguments.follow) c->contact().report_at_once();
    interruption stop(c->context(), std::nullopt); // --timeout is the normal end of a recording
    error_code ended;
    job_timeline result;
    std::atomic<bool> done = false;
    c->jobs().async_timeline(job, how,
                             boost::asio::bind_cancellation_slot(stop.slot(), [&](error_code ec, job_timeline t) {
                                 ended = ec;
                                 result = std::move(t);
                                 done = true;
                             }));
    c->run_until(done);
    // A recording that ended early is drawn, too.
    if (result.observed && (arguments.follow || !ended)) print_timeline(result, arguments.format);
    if (stop.is_requested()) return after_output(interrupted);
    if (ended) return after_output(report_job_failure(*c, c->followed(failure(ended, detail)), job));
    return after_output(success);
}

} // namespace

void add_timeline(CLI::App& app, int& exit) {
    auto arguments = std::make_shared<timeline_arguments>();
    auto* const command = app.add_subcommand(
        "timeline", "Draw the pods, the conditions, the size and the progress of a job over time\n\n"
                    "Without --follow, the drawing has what the cluster still keeps: the existing pods, the last two "
                    "runs of their containers, and events, which expire. With --follow, the command records the job "
                    "until it has finished, so that deleted pods are drawn, too.");
    add_single_job(*command, arguments->which, long_file_option);
    add_output_flag(*command, arguments->format, {"text", "svg", "html", "json"});
    command->add_flag("-f,--follow", arguments->follow,
                      "Record until the job has finished, then draw; an interruption draws what was recorded");
    command->add_flag("!--no-progress", arguments->progress, "Do not read the output of the job");
    add_connection_flags(*command, arguments->where,
                         "Give up after DURATION, for example 90s or 5m; with --follow, end the recording (default: "
                         "65s for each request; with --follow no limit)");
    add_cluster_footer(*command,
                       {{success, "The timeline was drawn."},
                        {job_failed, "The job does not exist or was deleted."},
                        {timed_out, "--timeout expired."},
                        {interrupted, "The command was interrupted."}},
                       {{"Print the timeline of a finished job", "kftrain timeline PyTorchJob/mnist"},
                        {"Record a running job and draw it as a picture",
                         "kftrain timeline PyTorchJob/mnist --follow -o svg >mnist.svg"}});
    command->callback([arguments, &exit] { exit = timeline(*arguments); });
}

} // namespace kftrain::cli
