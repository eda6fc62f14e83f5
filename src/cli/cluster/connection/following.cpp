#include "cli/cluster/connection/following.hpp"
#include "cli/cluster/connection/interruption.hpp"
#include "cli/cluster/connection/job_naming.hpp"
#include "cli/cluster/output/report_failure.hpp"
#include "cli/commands.hpp"
#include "cli/run/live_view.hpp"

#include <kftrain/job/job_rules.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>

#include <cstdlib>
#include <iostream>

namespace kftrain::cli {
namespace {

/// Whether the server answered, also with a refusal.
bool is_answer(error_code ec) {
    return !ec || ec.category() == kftrain::server_category() || ec == errc::deleted || is_not_found(ec);
}

/// Without --timeout, a missing answer is a failure of the cluster.
int code_of_unanswered(connection const& c, int code) {
    return code == timed_out && !c.options().timeout ? cluster_failed : code;
}

std::optional<int> report_unanswered(connection const& c, job_reference const& job, failure const& why) {
    if (is_answer(why.code)) return std::nullopt;
    return code_of_unanswered(c, report_failure(why, job.to_string()));
}

bool wants_colours() {
    char const* const value = std::getenv("NO_COLOR");
    return value == nullptr || *value == '\0';
}

} // namespace

std::optional<int> fails_to_read(connection& c, job_reference const& job) {
    auto const read = c.jobs().get(job, c.timed(kube::call_options()));
    return read ? std::nullopt : report_unanswered(c, job, read.error());
}

std::optional<int> fails_to_find(connection& c, job_reference& job) {
    auto const read = c.jobs().get(job, c.timed(kube::call_options()));
    if (!read && is_not_found(read.error().code)) return report_job_failure(c, read.error(), job);
    if (!read) return report_unanswered(c, job, read.error());
    job.uid = read->metadata().uid;
    return std::nullopt;
}

std::optional<int> fails_to_list(connection& c, job_watch_options const& which) {
    job_list_options how;
    how.namespace_ = which.namespace_;
    how.all_namespaces = which.all_namespaces;
    how.label_selector = which.label_selector;
    how.limit = 1;
    auto const list = [&]() -> std::optional<int> {
        auto const read = c.jobs().list(c.timed(how));
        if (read || is_answer(read.error().code)) {
            if (!read && is_not_found(read.error().code))
                complain("the cluster does not serve " + std::string(how.kinds.front()->primary().info->kind) +
                         "; kftrain checks again once a minute");
            return std::nullopt;
        }
        return code_of_unanswered(c, report_failure(read.error()));
    };
    if (which.kinds.empty()) return list();
    for (auto const* const kind : which.kinds) {
        how.kinds.assign(1, kind);
        if (auto const failed = list()) return failed;
    }
    return std::nullopt;
}

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

void wait_for_jobs(connection& c, std::vector<job_reference> const& jobs, wait_condition const& condition,
                   std::function<void(job_reference const&, wait_outcome const&)> const& report) {
    std::vector<wait_outcome> outcomes(jobs.size());
    std::size_t left = jobs.size();
    std::atomic<bool> done = left == 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        auto& o = outcomes[i];
        auto how = c.timed(kube::wait_options().with_detail(o.detail));
        c.jobs().async_wait(jobs[i], condition, std::move(how), [&, i](error_code ec, any_job job) {
            outcomes[i].ec = ec;
            outcomes[i].job = std::move(job);
            report(jobs[i], outcomes[i]);
            done = --left == 0;
        });
    }
    c.run_until(done);
}

} // namespace kftrain::cli
