#ifndef KFTRAIN_SRC_CLI_RUN_JOB_RUN_HPP
#define KFTRAIN_SRC_CLI_RUN_JOB_RUN_HPP

#include "cli/run/live_view.hpp"
#include "cli/run/run_checks.hpp"
#include "cli/run/run_input.hpp"
#include "cli/run/run_objects.hpp"

#include <kftrain/facade/progress_record.hpp>
#include <kftrain/objects/core.hpp>
#include <kftrain/training_client.hpp>

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace kftrain::cli {

/// The common state of the jobs of one `run`. It must outlive them.
struct run_screen {
    run_screen(training_client& c, live_view& v, bool s)
        : client(c), view(v), flush(c.get_client().get_executor()), several(s) {}

    training_client& client;
    live_view& view;
    log_flush flush;
    bool several;                         ///< messages name their job
    bool timelines = false;               ///< record a timeline of each job
    std::size_t changes = 0;              ///< log lines and pod changes so far
    std::function<void()> look_at_output; ///< ends the run if standard output is full or closed
};

/// One job of `run`: its submission, its output and its end. stop() ends what it waits for.
class job_run {
public:
    job_run(run_screen& screen, std::size_t index, job_to_run given);
    job_run(job_run const&) = delete;
    job_run& operator=(job_run const&) = delete;

    prepared_job const& job() const noexcept { return job_; }
    issue_printer& printer() noexcept { return printer_; }
    int exit_code() const noexcept { return exit_; }

    /// Creates what admission of the job looks up, then the job. False if the cluster refuses it.
    asio::awaitable<bool> submit();
    /// Prints the output until the job has ended, and meanwhile the causes while nothing happens.
    asio::awaitable<void> follow();
    /// Returns the recording until the job ended or was stopped; absent if nothing was recorded.
    std::optional<job_timeline> const& timeline() const noexcept { return timeline_; }
    /// Prints conditions and events of a submitted job.
    asio::awaitable<void> print_outcome();
    /// Ends the job with a message if the pod is one of its, and can never start.
    void look_at(pod const& p);
    void stop();

private:
    asio::awaitable<int> follow_job();
    asio::awaitable<void> explain_silence();
    void show(log_line const& line);
    void look_at(log_line const& line);
    /// Ends the job, because one of its pods can never start.
    void give_up(std::string const& pod, std::string const& why);
    void begin_recording();
    asio::awaitable<void> end_recording();
    asio::awaitable<std::optional<std::vector<core::event>>> events();
    std::string name() const;
    void report(std::string const& text);

    run_screen& screen_;
    std::size_t index_; ///< in the live view
    prepared_job job_;
    issue_printer printer_;
    asio::steady_timer quiet_;
    asio::cancellation_signal stop_;
    progress_record progress_;
    asio::steady_timer recorded_; ///< cancelled at the end of the recording
    asio::cancellation_signal stop_recording_;
    std::optional<job_timeline> timeline_;
    bool recording_ = false;
    int exit_ = bad_usage;
    bool submitted_ = false;
    bool followed_ = false; ///< until the job ended
    bool stopped_ = false;
    bool hopeless_ = false;               ///< a pod can never start
    std::set<std::string> failed_starts_; ///< pods with a program that could not be executed
};

/// `Running`, `Succeeded`, `Failed (exit 3)`, `Pending (ContainerCreating)`, ...
std::string describe(pod const&);

/// Returns why the local cluster can never serve the image of a container of the pod; empty if it can, or if the
/// reason may pass.
std::string image_fault(pod const&);

} // namespace kftrain::cli

#endif
