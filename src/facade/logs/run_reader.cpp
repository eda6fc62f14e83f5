#include "facade/logs/job_pods.hpp"
#include "facade/logs/log_bookmark.hpp"
#include "facade/logs/log_retry.hpp"
#include "facade/logs/log_session.hpp"
#include "kube/calls/client_state.hpp"

#include <kftrain/job/observed_types.hpp>
#include <kftrain/kube/any_api.hpp>
#include <kftrain/kube/logs.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>

namespace kftrain {
namespace {

/// How long the state of a pod may lag behind the end of its log.
constexpr std::chrono::seconds longest_lag{2};

enum class ending {
    whole,   ///< the run is over, and its log was read to its end
    left,    ///< not to be read any further
    rotates, ///< others have their turn; may be read again
    changed, ///< the pod is not as it was
    away,    ///< the API server is; the log is read again when it is back
    broken,  ///< broke off although the API server answers; may be read again
    refused, ///< the server does not serve it; the request may be repeated
    lost,    ///< what is missing cannot be had
};

/// The turn of a log that goes on behind the last line when it has another one.
class reading_turn final : public log_turns::turn {
public:
    reading_turn(log_turns& turns, asio::any_io_executor const& executor, open_log& log, bool may_rotate)
        : turn(turns, executor), log_(log), may_rotate_(may_rotate) {}

private:
    bool may_end_turn() const override { return may_rotate_; }
    void end_turn() override {
        log_.rotates = true;
        log_.signal->emit(asio::cancellation_type::terminal);
    }

    open_log& log_;
    bool may_rotate_;
};

/// Reads the log of one run, in several attempts if need be.
class run_reader {
public:
    run_reader(std::shared_ptr<log_session> s, wanted_run run)
        : session_(std::move(s)),
          run_(std::move(run)),
          pods_(session_->client, observed_pod_type(), session_->namespace_),
          stops_(session_) {
        if (run_.behind) mark_ = log_bookmark(*run_.behind);
        here_.pod = run_.pod_name();
        here_.container = run_.container();
        here_.previous = run_.previous;
        here_.signal = &stops_.signal();
        session_->reading.insert(&here_);
    }
    run_reader(run_reader const&) = delete;
    run_reader& operator=(run_reader const&) = delete;
    ~run_reader() { session_->reading.erase(&here_); }

    asio::awaitable<bool> read() {
        while (!session_->stopped) {
            auto const before = mark_.delivered();
            ending const how = co_await read_once();
            if (how == ending::rotates) continue;
            if (how == ending::left && here_.left && run_.follow && !session_->stopped) {
                // It is written on, and reading may be behind: what was written until now is read to its end.
                run_.follow = here_.left = false;
                continue;
            }
            if (how == ending::whole || how == ending::left) {
                if (!session_->stopped) co_await deliver_rest(how == ending::whole && (run_.follow || run_.over));
                co_return true;
            }
            if (how == ending::changed && mark_.delivered() == first_) co_return false;
            if (mark_.delivered() != before) retry_.progress();
            auto const pause = how == ending::lost ? std::nullopt : pause_after(how);
            if (!pause) {
                co_await deliver_rest(false);
                session_->lose(run_.name() + ": " + why_);
                co_return true;
            }
            // The container restarted while its log was read again.
            if (how == ending::changed) run_.previous = here_.previous = true;
            here_.last_failure = run_.name() + ": " + why_;
            co_await rest(*pause);
        }
        co_return true;
    }

private:
    /// The delay before the log is requested again; nothing if it is given up.
    std::optional<std::chrono::milliseconds> pause_after(ending how) {
        auto const fault = how == ending::away     ? log_fault::server_away
                           : how == ending::broken ? log_fault::node_away
                                                   : log_fault::refused;
        bool const over = session_->finished || !run_.follow || run_.previous || !is_going_on();
        return retry_.next(fault, over, kube::detail::time_of(session_->client).now(),
                           (1 + kube::detail::state_of(session_->client).jitter()) / 2);
    }

    kube::log_options how_to_open(diagnostics& details) const {
        kube::log_options options;
        options.container = run_.container();
        options.follow = !run_.previous && run_.follow;
        options.previous = run_.previous;
        options.timestamps = true; // the caller may read the position at any time
        options.since_time = mark_.since();
        if (run_.first && mark_.delivered() == 0) {
            options.tail_lines = session_->options.tail;
            if (auto const age = session_->options.since) options.since_seconds = age->count();
        }
        options.detail = &details;
        return options;
    }

    asio::awaitable<ending> read_once() {
        auto const& wanted = session_->options;
        bool const part = run_.first && (wanted.tail || wanted.since);
        if (part && mark_.delivered() != 0 && !mark_.timed().value_or(true)) {
            why_ += ", and its lines have no timestamps at which reading could continue";
            co_return ending::lost;
        }
        reading_turn turn(session_->turns, session_->client.get_executor(), here_, run_.follow && !run_.previous);
        while (!turn.has_begun()) {
            co_await turn.timer().async_wait(asio::bind_cancellation_slot(stops_.slot(), detail::awaiting));
            if (session_->stopped || here_.left) co_return ending::left;
            if (!turn.has_begun()) turn.request_turn();
        }
        here_.rotates = false;
        diagnostics details;
        kube::log_options const options = how_to_open(details);
        auto [refused, log] = co_await kube::async_logs(session_->client, session_->namespace_, run_.pod_name(),
                                                        options, detail::awaiting);
        if (refused) {
            ending const how = co_await judge_refusal(refused, std::move(details));
            co_return how;
        }
        ending const meant = co_await check();
        if (meant != ending::whole) co_return meant;
        here_.last_failure.clear();
        mark_.begin();
        rest_.clear();
        bool is_continuation = false;
        while (!here_.left && !here_.rotates) {
            auto [ec, text] =
                co_await log.async_read_line(asio::bind_cancellation_slot(stops_.slot(), detail::awaiting));
            if (ec) {
                ending const how = co_await judge_end(ec);
                co_return how;
            }
            if (log.cut_off()) {
                rest_ = std::move(text);
                rest_is_continuation_ = is_continuation;
                continue;
            }
            auto const what = mark_.take(text, std::exchange(is_continuation, log.line_continues()));
            if (what == log_bookmark::verdict::known) continue;
            if (what == log_bookmark::verdict::another) {
                why_ = "its log does not begin as it did before the interruption; it was rotated";
                co_return ending::lost;
            }
            buffered_line line = place_behind(std::move(text));
            if (!session_->lines.put(line)) co_await wait_for_room(std::move(line));
        }
        co_return here_.left ? ending::left : ending::rotates;
    }

    asio::awaitable<ending> judge_refusal(error_code ec, diagnostics details) {
        if (is_cancelled(ec)) co_return ending::left;
        std::string const why = "the request for its log failed (" + failure(ec, details).to_string() + ")";
        // Refused as bad: the container is between two runs.
        bool const between = ec == reason::bad_request && !run_.previous;
        ending how = between ? ending::changed : ending::refused;
        bool const answered = ec.category() == server_category() || ec == errc::timeout;
        if (is_outage(ec, details)) how = ending::away;
        // The node may not serve the log, or may not have the pod yet.
        if (answered && (how == ending::away || is_not_found(ec))) how = co_await check_pod(is_not_found(ec));
        if (how != ending::lost) why_ = why;
        co_return how;
    }

    /// Reads the pod of a log that was not opened: it shows whether the API server is away, or the pod is gone.
    asio::awaitable<ending> check_pod(bool not_found) {
        diagnostics details;
        auto const once = kube::call_options().with_detail(details).with_retry(false);
        auto [ec, answer] = co_await pods_.async_get(run_.pod_name(), once, detail::awaiting);
        if (is_cancelled(ec)) co_return ending::left;
        if (is_not_found(ec)) {
            why_ = "its pod was deleted before its log was read";
            co_return ending::lost;
        }
        if (ec) co_return is_outage(ec, details) ? ending::away : not_found ? ending::refused : ending::broken;
        auto const known = std::static_pointer_cast<pod const>(answer.erased());
        session_->pods.update(known);
        if (known->metadata.uid == run_.uid) co_return not_found ? ending::refused : ending::broken;
        why_ = "its pod was replaced before its log was read";
        co_return ending::lost;
    }

    /// Whether the log that was opened is that of the run: the number of a run only grows.
    asio::awaitable<ending> check() {
        diagnostics details;
        auto [ec, answer] =
            co_await pods_.async_get(run_.pod_name(), kube::call_options().with_detail(details), detail::awaiting);
        if (is_cancelled(ec)) co_return ending::left;
        if (is_not_found(ec)) co_return ending::whole; // the log of a pod that has just gone
        if (ec) {
            why_ = "its pod could not be read (" + failure(ec, details).to_string() + ")";
            co_return is_outage(ec, details) ? ending::away : ending::refused;
        }
        auto const known = std::static_pointer_cast<pod const>(answer.erased());
        session_->pods.update(known); // an informer may be behind
        pod const& now = *known;
        if (now.metadata.uid != run_.uid) {
            why_ = "its pod was replaced before its log was read";
            co_return ending::lost;
        }
        why_ = "the container restarted before its log was read";
        auto const latest = runs_begun(now, run_.container()) - 1;
        if (!run_.previous) co_return latest == run_.number ? ending::whole : ending::changed;
        bool const shown = latest == run_.number + 1 && shows_previous(now, run_.container());
        co_return shown ? ending::whole : ending::changed;
    }

    asio::awaitable<ending> judge_end(error_code ec) {
        if (is_cancelled(ec)) co_return here_.rotates && !here_.left ? ending::rotates : ending::left;
        if (ec != asio::error::eof) {
            why_ = "the connection to its log was interrupted (" + ec.message() + ")";
            co_return ec == errc::incomplete ? ending::lost : ending::broken;
        }
        if (!mark_.caught_up()) {
            why_ = "its log is shorter than before the interruption; it was rotated";
            co_return ending::lost;
        }
        if (run_.previous || !run_.follow) co_return ending::whole;
        // An intermediary may end a log in order although the node broke off: the pod shows whether the run is over.
        auto const last = kube::detail::time_of(session_->client).now() + longest_lag;
        while (!session_->stopped && !here_.left && is_going_on() &&
               kube::detail::time_of(session_->client).now() < last)
            co_await wait_for_change(session_, run_.pod_name(), last);
        if (session_->stopped || here_.left) co_return ending::left;
        if (!is_going_on()) co_return ending::whole;
        why_ = "its log ended although the container was still running";
        co_return ending::broken;
    }

    bool is_going_on() const {
        auto const known = session_->pods.find(run_.pod_name());
        return known && known->metadata.uid == run_.uid && runs_begun(*known, run_.container()) == run_.number + 1 &&
               is_running(*known, run_.container());
    }

    /// The line that was taken last.
    buffered_line place_behind(std::string text) const {
        buffered_line line;
        line.origin = run_.origin;
        line.run = run_.number;
        line.text = std::move(text);
        line.stamp_size = mark_.stamp_size();
        if (mark_.timed().value_or(false) && !mark_.stamp_is_latest()) line.time = mark_.time();
        line.delivered = mark_.same();
        return line;
    }

    asio::awaitable<void> wait_for_room(buffered_line line) {
        line_buffer::entry entry(session_->lines, session_->client.get_executor(), std::move(line));
        while (!entry.is_in() && !session_->stopped) co_await entry.timer().async_wait(detail::awaiting);
    }

    /// A line that may still grow is no place to go on behind.
    asio::awaitable<void> deliver_rest(bool whole) {
        if (rest_.empty() || !mark_.caught_up()) co_return;
        buffered_line line;
        if (whole) {
            if (mark_.take(rest_, rest_is_continuation_) != log_bookmark::verdict::fresh) co_return;
            line = place_behind(std::exchange(rest_, {}));
        } else {
            line = place_behind(std::exchange(rest_, {}));
            bool const stamped = !rest_is_continuation_ && mark_.timed().value_or(true);
            line.stamp_size = stamped ? read_log_stamp(line.text).size : 0;
            line.time = mark_.time();
        }
        if (!session_->lines.put(line)) co_await wait_for_room(std::move(line));
    }

    asio::awaitable<void> rest(std::chrono::milliseconds time) {
        kube::detail::timer timer(session_->client.get_executor(), time);
        co_await timer.async_wait(asio::bind_cancellation_slot(stops_.slot(), detail::awaiting));
    }

    std::shared_ptr<log_session> session_;
    wanted_run run_;
    kube::any_api pods_;
    log_session::interruption stops_;
    open_log here_;
    log_bookmark mark_;
    std::uint64_t first_ = mark_.delivered(); ///< before this reader began
    std::string rest_;                        ///< a line that the end of the log cut off
    bool rest_is_continuation_ = false;       ///< a piece of the line before
    std::string why_;                         ///< lines may be missing
    log_retry retry_;
};

} // namespace

asio::awaitable<bool> read_run(std::shared_ptr<log_session> s, wanted_run run) {
    auto const reader = std::make_shared<run_reader>(std::move(s), std::move(run));
    bool const done = co_await reader->read();
    co_return done;
}

} // namespace kftrain
