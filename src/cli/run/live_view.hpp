#ifndef KFTRAIN_SRC_CLI_RUN_LIVE_VIEW_HPP
#define KFTRAIN_SRC_CLI_RUN_LIVE_VIEW_HPP

#include <kftrain/training_client.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kftrain::cli {

/// The size of a terminal.
struct terminal_size {
    terminal_size() = default;
    terminal_size(std::size_t r, std::size_t c) : rows(r), columns(c) {}

    std::size_t rows = 24;
    std::size_t columns = 80;
};

/// A job whose replicas a live_view shows.
struct viewed_job {
    viewed_job() = default;
    viewed_job(std::string ns, std::string n, membership l)
        : namespace_(std::move(ns)), name(std::move(n)), layout(std::move(l)) {}

    std::string namespace_; ///< empty: the pods may have any
    std::string name;       ///< begins the labels of the replicas; may be empty
    membership layout;
};

/** The output of `run`: log lines scroll, and one status line per replica is drawn below them. Status lines take at
    most half of the screen; the last one counts the replicas that do not fit. If standard output is not a terminal,
    each change of a replica is printed as one line. Messages to standard error must go through aside(), because
    uncounted lines would let the next drawing erase log lines. */
class live_view {
public:
    /// `colour`: whether ranks are coloured on a terminal.
    live_view(std::vector<viewed_job> jobs, bool colour);
    live_view(membership layout, bool colour)
        : live_view(std::vector{viewed_job(std::string(), std::string(), std::move(layout))}, colour) {}
    live_view(live_view const&) = delete;
    live_view& operator=(live_view const&) = delete;
    ~live_view() { clear(); }

    /// Prints a log line of the job with this index. If standard output is not a terminal, flush() shows the line.
    void log(log_line const& line, std::size_t job = 0);
    /// Shows the state of a pod. Pods that do not belong to a job are ignored.
    void state(object_meta const& pod, std::string text);
    /// Shows the progress of the job with this index above its replicas, if standard output is a terminal.
    void progress(job_progress const& p, std::size_t job);
    /// Whether progress() is shown, so that the lines that report it need not be printed.
    bool shows_progress() const noexcept { return terminal_ && !closed_; }
    /// Prints any other line.
    void print_line(std::string_view text);
    /// Removes the status lines while `print` writes whole lines.
    template <class Print> void aside(Print print) {
        clear();
        flush();
        print();
        draw();
    }
    /// Removes the status lines and draws no more.
    void close();
    static void flush();

private:
    using replica = std::pair<std::size_t, std::string>; ///< the index of the job, the host name

    std::string label(member const& m, std::size_t job) const;
    std::string row_name(replica const& r) const;
    void clear();
    void draw();

    std::vector<viewed_job> jobs_;
    std::map<replica, std::string> states_;
    std::map<std::size_t, std::string> progress_; ///< by job
    bool terminal_;
    bool colour_;
    std::size_t drawn_ = 0; ///< status lines on the screen
    bool closed_ = false;
};

/// The status line of a replica.
struct status_row {
    status_row() = default;
    status_row(std::string t, std::string s) : text(std::move(t)), state(std::move(s)) {}

    std::string text;
    std::string state; ///< the state under which omitted rows are counted
};

/// The rows to show on a terminal of this size, each cut to its width. The last row counts omitted ones.
std::vector<std::string> rows_that_fit(std::vector<status_row> const& rows, terminal_size size);

/// The progress with a bar: `[#####---------------] step 250/1000 (25%), loss 0.5`.
std::string progress_text(job_progress const& p);

/** A line of output that cannot move the cursor. Tabs and colours are kept; other control characters are escaped. After
    carriage returns, only the last text is kept, as on a terminal. */
std::string on_its_row(std::string_view text);

/// Flushes standard output once for all lines that are printed in one turn of the executor.
class log_flush {
public:
    explicit log_flush(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}

    void soon() const {
        if (std::exchange(*due_, true)) return;
        boost::asio::post(executor_, [due = due_] {
            *due = false;
            live_view::flush();
        });
    }

private:
    boost::asio::any_io_executor executor_;
    std::shared_ptr<bool> due_ = std::make_shared<bool>(false);
};

} // namespace kftrain::cli

#endif
