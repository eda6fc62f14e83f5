#include "cli/cluster/cluster_commands.hpp"
#include "cli/cluster/first_read.hpp"
#include "cli/cluster/interruption.hpp"
#include "cli/cluster/job_naming.hpp"
#include "cli/cluster/job_words.hpp"
#include "cli/cluster/print_jobs.hpp"
#include "cli/cluster/tell_failure.hpp"
#include "cli/commands.hpp"

#include <CLI/CLI.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>

namespace kftrain::cli {
namespace {

namespace asio = boost::asio;
using steady = std::chrono::steady_clock;

struct watch_arguments {
    watch_arguments() = default;

    connection_options where;
    std::vector<std::string> words; ///< kinds, or one job
    bool all_namespaces = false;
    std::string selector;
    bool no_pods = false;
    std::string format;
};

std::string_view change_word(job_change_kind kind) {
    return kind == job_change_kind::added ? "added" : kind == job_change_kind::deleted ? "deleted" : "changed";
}

void print_change(job_change const& change, watch_arguments const& how) {
    if (how.format == "json") {
        print_answer(change.to_json(), how.format);
    } else {
        auto const& job = change.state.job;
        std::string line(change_word(change.kind));
        line.append(9 - line.size(), ' '); // behind "deleted"
        if (how.all_namespaces) line += job.namespace_ + "  ";
        line += word_of(*job.kind, job.name);
        if (change.kind != job_change_kind::deleted) line += "  " + change.state.to_string();
        print_lines(line);
    }
    std::cout.flush();
}

class changes {
public:
    changes(connection& c, watch_arguments const& how, job_watch w)
        : connection_(c), how_(how), stop_(c.context(), c.options().timeout), watch_(std::move(w)) {
        auto const& timeout = c.options().timeout;
        if (timeout && timeout->count() != 0) end_ = steady::now() + *timeout;
    }

    asio::awaitable<int> follow() {
        constexpr auto tuple = asio::as_tuple(asio::use_awaitable);
        while (!stop_.is_ending()) {
            diagnostics detail;
            auto const how = next_options(detail);
            auto [ec, change] = co_await watch_.async_next(how, asio::bind_cancellation_slot(stop_.slot(), tuple));
            if (stop_.is_ending()) break;
            if (ec == errc::timeout) co_return out_of_time();
            if (ec) {
                int const code = tell_failure(failure(ec, detail));
                bool const goes_on = is_forbidden(ec) || is_unauthorized(ec); // of a kind; the others are still watched
                if (!goes_on) co_return code;
                continue;
            }
            print_change(change, how_);
            if (!std::cout) break;
        }
        co_return stop_.is_asked() ? interrupted : success;
    }

private:
    /// It was to last so long; what it has told may not be all if the cluster was not there at last.
    int out_of_time() const {
        auto const& last = connection_.contact().last_failure();
        if (last.empty()) return success;
        complain("--timeout is over; at last: " + last);
        return timed_out;
    }

    kube::next_options next_options(diagnostics& detail) const {
        kube::next_options how;
        how.detail = &detail;
        if (!end_) return how;
        auto const left = std::chrono::ceil<std::chrono::milliseconds>(*end_ - steady::now());
        how.timeout = std::max(left, std::chrono::milliseconds(1));
        return how;
    }

    connection& connection_;
    watch_arguments const& how_;
    interruption stop_;
    job_watch watch_;
    std::optional<steady::time_point> end_;
};

found<job_watch_options> watched(connection& c, watch_arguments const& arguments) {
    job_watch_options options;
    options.all_namespaces = arguments.all_namespaces;
    options.label_selector = arguments.selector;
    options.pods = !arguments.no_pods;
    bool const job = !arguments.words.empty() && arguments.words.front().find('/') != std::string::npos;
    if (job) {
        job_naming which;
        which.words = arguments.words;
        auto const reference = find_job(c, which);
        if (!reference) return refusal(reference.exit());
        if (arguments.all_namespaces || !arguments.selector.empty()) {
            complain("one job has one namespace and is found by its name: expected no -A and no -l");
            return refusal();
        }
        return options.with_job(*reference);
    }
    for (auto const& name : arguments.words) {
        auto const kind = find_kind(c, name);
        if (!kind) return refusal(kind.exit());
        options.kinds.push_back(*kind);
    }
    return options;
}

int watch(watch_arguments const& arguments) {
    auto const c = connection::open(arguments.where);
    if (!c) return bad_usage;
    auto const which = watched(*c, arguments);
    if (!which) return which.exit();
    if (arguments.all_namespaces) c->jobs().follow_all_namespaces();
    if (auto const failed = fails_to_list(*c, *which)) return *failed;
    c->contact().tell_at_once();
    changes all(*c, arguments, c->jobs().watch(*which));
    int const code = c->run(all.follow());
    return after_output(code);
}

} // namespace

void add_watch(CLI::App& app, int& exit) {
    auto arguments = std::make_shared<watch_arguments>();
    auto* const command = app.add_subcommand("watch", "Tell of jobs as they change, a line for each change");
    command->add_option("KIND", arguments->words, "Kinds, or one job as KIND/NAME; else all jobs");
    command->add_flag("-A,--all-namespaces", arguments->all_namespaces, "Of all namespaces");
    command->add_option("-l,--selector", arguments->selector, "Labels of the jobs, as team=vision,tier!=test");
    command->add_flag("--no-pods", arguments->no_pods,
                      "What the status of the jobs says alone: needs no right to pods");
    add_output_flag(*command, arguments->format, {"text", "json"});
    add_connection_flags(*command, arguments->where, "How long to watch; else until Ctrl-C");
    command->footer(
        "First come the jobs that are there. Of changes that follow each other quickly the last one is told.\n"
        "Exit code: 0 --timeout is over, 2 the arguments cannot be used, 3 the cluster cannot be reached or\n"
        "refuses all of it, 4 --timeout is over and the cluster did not answer at last, 130 interrupted.");
    command->callback([arguments, &exit] { exit = watch(*arguments); });
}

} // namespace kftrain::cli
