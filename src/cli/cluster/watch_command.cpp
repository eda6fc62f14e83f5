#include "base/undecodable.hpp"
#include "cli/cluster/connection/following.hpp"
#include "cli/cluster/connection/interruption.hpp"
#include "cli/cluster/connection/job_naming.hpp"
#include "cli/cluster/output/job_names.hpp"
#include "cli/cluster/output/print_jobs.hpp"
#include "cli/cluster/output/report_failure.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/option_values.hpp"
#include "cli/subcommands.hpp"

#include <kftrain/facade/progress_record.hpp>

#include <CLI/CLI.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace kftrain::cli {
namespace {

namespace asio = boost::asio;

struct watch_arguments {
    watch_arguments() = default;

    connection_options where;
    std::vector<std::string> names; ///< kinds, or one job as KIND/NAME
    bool all_namespaces = false;
    std::string selector;
    bool no_pods = false;
    std::string format;
};

/// Prints changes as lines. A line that equals the last line of the same job is left out.
class change_printer {
public:
    explicit change_printer(watch_arguments const& how) : how_(how) {}

    void print(job_change const& change) {
        if (how_.format == "json")
            print_answer(change.to_json(), how_.format);
        else
            print_line(change);
        std::cout.flush();
    }

    void print_progress(job_reference const& job, job_progress const& p) {
        std::string line = "progress ";
        if (how_.all_namespaces) line += job.namespace_ + "  ";
        print_lines(line + qualified_name(*job.kind, job.name) + "  " + p.to_string());
        std::cout.flush();
    }

private:
    void print_line(job_change const& change) {
        auto const& job = change.state.job;
        bool const gone = change.kind == change_kind::deleted;
        auto const text = gone ? std::string() : change.state.to_string();
        if (gone) {
            last_.erase(job.uid);
        } else if (auto const [known, first] = last_.try_emplace(job.uid, text); !first) {
            if (known->second == text) return;
            known->second = text;
        }
        std::string line(to_string(change.kind));
        line.append(9 - line.size(), ' '); // the column after "modified"
        if (how_.all_namespaces) line += job.namespace_ + "  ";
        line += qualified_name(*job.kind, job.name);
        if (!gone) line += "  " + text;
        print_lines(line);
    }

    watch_arguments const& how_;
    std::map<std::string, std::string> last_; ///< by the uid of the job
};

class changes {
public:
    changes(connection& c, watch_arguments const& how, job_watch w)
        : connection_(c),
          printer_(how),
          stop_(c.context(), c.end()),
          watch_(std::move(w)),
          next_progress_(c.context()) {}

    /// Follows the output of one job, too, if it can be read.
    void follow_progress(job_reference job) {
        job_ = std::move(job);
        job_log_options first;
        first.indices.push_back(0); // of each role
        first.timestamps = true;
        first.open_logs = 8;
        logs_ = connection_.jobs().open_logs(job_, first);
        read_next_line();
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
                int const code = report_failure(failure(ec, detail));
                bool const undecodable = detail::is_undecodable(ec); // concerns one job
                // A refusal concerns one kind; the watch of the other kinds continues.
                bool const continues = undecodable || is_forbidden(ec) || is_unauthorized(ec);
                if (!continues) co_return code;
                incomplete_ = incomplete_ || undecodable;
                continue;
            }
            printer_.print(change);
            if (!std::cout) break;
        }
        co_return stop_.is_requested() ? interrupted : success;
    }

private:
    /// The time limit is the normal end, unless the cluster did not answer at the end: then changes may be missing.
    int out_of_time() const {
        auto const& last = connection_.contact().last_failure();
        if (last.empty() && watch_.has_synced()) return incomplete_ ? cluster_failed : success;
        complain("--timeout expired; " + (last.empty() ? "the server did not list the jobs" : "last failure: " + last));
        return timed_out;
    }

    kube::next_options next_options(diagnostics& detail) const {
        kube::next_options how;
        how.detail = &detail;
        how.timeout = connection_.left();
        return how;
    }

    void read_next_line() {
        logs_.async_next([this](error_code ec, log_line const& line) {
            if (ec) return;
            auto const now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
            if (progress_.take(line, now)) print_progress_soon();
            if (std::cout) read_next_line();
        });
    }

    /// Prints the latest progress, at most one line in a few seconds: reports that the node has already come first.
    void print_progress_soon() {
        constexpr std::chrono::milliseconds at_first(200), then(5000);
        if (std::exchange(printing_, true)) return;
        next_progress_.expires_after(std::exchange(printed_, true) ? then : at_first);
        next_progress_.async_wait([this](error_code ec) {
            if (ec || stop_.is_ending()) return;
            printing_ = false;
            printer_.print_progress(job_, progress_.latest());
        });
    }

    connection& connection_;
    change_printer printer_;
    interruption stop_;
    job_watch watch_;
    job_reference job_;
    progress_record progress_;
    job_log_stream logs_;
    asio::steady_timer next_progress_;
    bool printing_ = false; ///< next_progress_ runs
    bool printed_ = false;
    bool incomplete_ = false; ///< a job cannot be read
};

found<job_watch_options> watched(connection& c, watch_arguments const& arguments) {
    job_watch_options options;
    options.all_namespaces = arguments.all_namespaces;
    options.label_selector = arguments.selector;
    options.pods = !arguments.no_pods;
    bool const job = !arguments.names.empty() && arguments.names.front().find('/') != std::string::npos;
    if (job) {
        job_naming which;
        which.names = arguments.names;
        auto const reference = find_job(c, which);
        if (!reference) return reported(reference.exit());
        if (arguments.all_namespaces || !arguments.selector.empty()) {
            complain("KIND/NAME cannot be combined with -A or -l");
            return reported();
        }
        return options.with_job(*reference);
    }
    for (auto const& name : arguments.names) {
        auto const kind = find_kind(c, name);
        if (!kind) return reported(kind.exit());
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
    c->contact().report_at_once();
    changes all(*c, arguments, c->jobs().watch(*which));
    if (which->one_job && which->pods && arguments.format == "text") {
        job_reference job(*which->kinds.front(), which->namespace_, which->name, which->uid);
        all.follow_progress(std::move(job));
    }
    int const code = c->run(all.follow());
    return after_output(code);
}

} // namespace

void add_watch(CLI::App& app, int& exit) {
    auto arguments = std::make_shared<watch_arguments>();
    auto* const command = app.add_subcommand(
        "watch", "Print jobs as they change, one line for each change\n\n"
                 "The command first prints the existing jobs. If a job changes several times in quick succession, only "
                 "its last state is printed.");
    command->add_option("KIND", arguments->names,
                        "Watch jobs of these kinds, or one job as KIND/NAME (default: all jobs)");
    command->add_flag("-A,--all-namespaces", arguments->all_namespaces, "Watch jobs of all namespaces");
    command
        ->add_option("-l,--selector", arguments->selector,
                     "Watch only jobs with these labels, for example team=vision,tier!=test")
        ->type_name("SELECTOR");
    command->add_flag("--no-pods", arguments->no_pods, "Use the job status only; no permission to read pods is needed");
    add_output_flag(*command, arguments->format, {"text", "json"});
    add_connection_flags(*command, arguments->where, "Stop after DURATION, for example 90s or 5m (default: no limit)");
    add_footer(*command,
               {{success, "--timeout expired."},
                {bad_usage, "The arguments cannot be used."},
                {cluster_failed, "The cluster cannot be reached or refused the request; or --timeout expired and some "
                                 "jobs could not be read; standard error names them."},
                {timed_out, "--timeout expired, and the cluster did not respond at the end."},
                {interrupted, "The command was interrupted."}},
               {{"Watch all jobs of the namespace", "kftrain watch"},
                {"Watch one job for five minutes", "kftrain watch PyTorchJob/mnist --timeout 5m"},
                {"Print the changes of all namespaces as JSON lines", "kftrain watch -A -o json"}});
    command->callback([arguments, &exit] { exit = watch(*arguments); });
}

} // namespace kftrain::cli
