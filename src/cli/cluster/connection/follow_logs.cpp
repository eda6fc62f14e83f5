#include "cli/cluster/connection/follow_logs.hpp"

#include "cli/cluster/connection/absent_job.hpp"
#include "cli/cluster/connection/interruption.hpp"
#include "cli/cluster/output/report_failure.hpp"
#include "cli/commands.hpp"
#include "cli/run/live_view.hpp"
#include "cli/run/log_flush.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>

#include <cstdlib>
#include <iostream>

namespace kftrain::cli {
namespace {

bool wants_colours() {
    char const* const value = std::getenv("NO_COLOR");
    return value == nullptr || *value == '\0';
}

} // namespace

int follow_logs(connection& c, job_reference const& job, job_log_options options) {
    c.contact().report_at_once();
    interruption stop(c.context(), c.end());
    live_view view(membership(), wants_colours());
    log_flush const flush(c.context().get_executor());
    diagnostics detail;
    error_code ended;
    std::atomic<bool> done = false;
    auto const print = [&](log_line const& line) {
        if (stop.is_ending()) return;
        if (line.time.empty()) {
            view.log(line);
        } else {
            auto with_time = line;
            with_time.text = line.time + " " + line.text;
            view.log(with_time);
        }
        flush.soon();
        if (!std::cout) stop.end();
    };
    options.detail = &detail;
    c.jobs().async_logs(job, print, std::move(options),
                        boost::asio::bind_cancellation_slot(stop.slot(), [&](error_code ec) {
                            ended = ec;
                            done = true;
                        }));
    c.run_until(done);
    view.close();
    if (stop.is_requested()) return after_output(interrupted);
    if (ended && !stop.is_ending()) return after_output(report_job_failure(c, c.followed(failure(ended, detail)), job));
    return after_output(success);
}

} // namespace kftrain::cli
