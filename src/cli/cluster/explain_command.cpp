#include "cli/cluster/connection/interruption.hpp"
#include "cli/cluster/connection/job_naming.hpp"
#include "cli/cluster/output/print_jobs.hpp"
#include "cli/cluster/output/report_failure.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/option_values.hpp"
#include "cli/subcommands.hpp"

#include <kftrain/base/backoff.hpp>

#include <CLI/CLI.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/core/ignore_unused.hpp>

#include <iostream>

namespace kftrain::cli {
namespace {

namespace asio = boost::asio;

struct explain_arguments {
    explain_arguments() = default;

    connection_options where;
    job_naming which;
    explain_options how;
    std::string format;
    bool watch = false;
};

void print(explanation const& e, std::string const& format) {
    if (format == "text")
        print_lines(e.to_string());
    else
        print_answer(e.to_json(), format);
}

/// Prints an explanation each time it differs from the last one, until the job has ended.
class explanations {
public:
    explanations(connection& c, explain_arguments const& how, job_reference job)
        : connection_(c), how_(how), job_(std::move(job)), stop_(c.context(), c.end()), pause_(c.context()) {}

    asio::awaitable<int> follow() {
        constexpr std::chrono::milliseconds shortest{1000}, longest{10'000};
        constexpr auto tuple = asio::as_tuple(asio::use_awaitable);
        backoff delay(shortest, longest);
        std::string last;
        std::size_t unread = 0; // of the last explanation that was printed
        bool fails = false, held = false;
        while (!stop_.is_ending()) {
            diagnostics detail;
            auto const options = connection_.timed(explain_options(how_.how)).with_detail(detail);
            auto [ec, found] = co_await connection_.jobs().async_explain(
                job_, options, asio::bind_cancellation_slot(stop_.slot(), tuple));
            if (stop_.is_ending()) break;
            if (ec && (last.empty() || is_late() || !is_retryable(ec)))
                co_return report_job_failure(connection_, failure(ec, detail), job_);
            if (ec) {
                if (!fails) complain(failure(ec, detail).to_string() + "; retrying");
                fails = true;
                co_await pause(delay.next());
                continue;
            }
            fails = false;
            // A server that goes away in between leaves gaps. They are printed if they are still there the next time.
            held = !held && !last.empty() && found.missing.size() > unread;
            if (held) {
                co_await pause(delay.next());
                continue;
            }
            auto key = key_of(found);
            if (key != last) {
                if (!last.empty() && how_.format != "json") std::cout << (how_.format == "yaml" ? "---\n" : "\n");
                print(found, how_.format);
                std::cout.flush();
                if (!std::cout) break;
                delay.reset();
            }
            last = std::move(key);
            unread = found.missing.size();
            if (is_finished(found.state.phase)) co_return success;
            co_await pause(delay.next());
        }
        if (stop_.is_requested()) co_return interrupted;
        if (!is_late()) co_return success;
        complain("--timeout expired before the job ended");
        co_return timed_out;
    }

private:
    bool is_late() const { return connection_.end() && connection::steady::now() >= *connection_.end(); }

    asio::awaitable<void> pause(std::chrono::milliseconds time) {
        pause_.expires_after(time);
        auto [ec] =
            co_await pause_.async_wait(asio::bind_cancellation_slot(stop_.slot(), asio::as_tuple(asio::use_awaitable)));
        boost::ignore_unused(ec);
    }

    connection& connection_;
    explain_arguments const& how_;
    job_reference job_;
    interruption stop_;
    asio::steady_timer pause_;
};

int explain(explain_arguments const& arguments) {
    auto const c = connection::open(arguments.where);
    if (!c) return bad_usage;
    auto const reference = find_job(*c, arguments.which);
    if (!reference) return reference.exit();
    if (arguments.watch) {
        explanations all(*c, arguments, *reference);
        int const code = c->run(all.follow());
        return after_output(code);
    }
    auto const found = c->jobs().explain(*reference, c->timed(arguments.how));
    if (!found) return report_job_failure(*c, found.error(), *reference);
    print(*found, arguments.format);
    return success;
}

} // namespace

void add_explain(CLI::App& app, int& exit) {
    auto arguments = std::make_shared<explain_arguments>();
    auto& how = arguments->how;
    auto* const command = app.add_subcommand("explain", "Explain why a job does not run, or how it ended");
    add_single_job(*command, arguments->which);
    add_number(*command, "--log-lines", how.log_lines, {0, 1'000'000},
               "Print the last N log lines of the replica that failed first; 0 reads no log (default: " +
                   std::to_string(how.log_lines) + ")");
    add_duration(
        *command, "--quiet", [&how](auto time) { how.quiet = std::chrono::ceil<std::chrono::seconds>(time); },
        "Report a job as stalled after DURATION without output; 0 disables the check (default: 10m)");
    command->add_flag("-w,--watch", arguments->watch,
                      "Print a new explanation each time it changes, until the job has ended");
    add_output_flag(*command, arguments->format, {"text", "json", "yaml"});
    add_connection_flags(*command, arguments->where);
    add_cluster_footer(
        *command,
        {{success, "The explanation was printed, whatever the state of the job."},
         {job_failed, "The job does not exist."},
         {interrupted, "The command was interrupted."}},
        {{"Explain the state of a job", "kftrain explain PyTorchJob/mnist"},
         {"Print what changes until the job has ended", "kftrain explain PyTorchJob/mnist --watch"},
         {"Print the causes as JSON, without logs", "kftrain explain PyTorchJob/mnist --log-lines 0 -o json"}});
    command->callback([arguments, &exit] { exit = explain(*arguments); });
}

} // namespace kftrain::cli
