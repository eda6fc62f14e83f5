#include "facade/container_runs.hpp"
#include "facade/line_memory.hpp"
#include "facade/log_session.hpp"

#include <kftrain/kube/api.hpp>
#include <kftrain/kube/logs.hpp>
#include <kftrain/kube/wait.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>

namespace kftrain {
namespace {

/// Attempts to go on with a log, none of which brings a further line.
constexpr int most_attempts = 5;
constexpr std::chrono::milliseconds first_pause{100};
/// How long the state of a pod may lag behind the end of its log.
constexpr std::chrono::seconds longest_lag{2};

enum class ending {
    whole,   ///< the run is over, and its log was read to its end
    left,    ///< not to be read any further
    changed, ///< the pod is not as it was
    broken,  ///< broke off; may be read again
    lost,    ///< what is missing cannot be had
};

/// Reads the log of one run, in several attempts if need be.
class run_reader {
public:
    run_reader(std::shared_ptr<log_session> s, wanted_run run)
        : session_(std::move(s)),
          run_(std::move(run)),
          pods_(session_->client, session_->namespace_),
          stops_(session_, &log_session::busy) {
        here_.pod = run_.member.pod_name;
        here_.container = run_.container;
        here_.previous = run_.previous;
        here_.signal = &stops_.signal();
        session_->reading.insert(&here_);
    }
    run_reader(run_reader const&) = delete;
    run_reader& operator=(run_reader const&) = delete;
    ~run_reader() { session_->reading.erase(&here_); }

    asio::awaitable<bool> read() {
        for (int attempts = 0; !session_->stopped;) {
            auto const before = memory_.lines();
            ending const how = co_await read_once();
            if (how == ending::whole || how == ending::left) {
                if (!session_->stopped) deliver_rest();
                co_return true;
            }
            if (how == ending::changed && memory_.lines() == 0) co_return false;
            if (memory_.lines() != before) attempts = 0;
            if (how == ending::lost || ++attempts == most_attempts) {
                deliver_rest();
                session_->lose(run_.name() + ": " + why_);
                co_return true;
            }
            // The container began anew while its log was read again.
            if (how == ending::changed) run_.previous = here_.previous = true;
            co_await rest(first_pause * (1 << attempts));
        }
        co_return true;
    }

private:
    asio::awaitable<ending> read_once() {
        diagnostics said;
        kube::log_options options;
        options.container = run_.container;
        options.follow = !run_.previous;
        options.previous = run_.previous;
        options.detail = &said;
        auto [refused, log] = co_await kube::async_logs(session_->client, session_->namespace_, run_.member.pod_name,
                                                        options, detail::awaiting);
        if (refused) co_return judge_refusal(refused, said);
        ending const meant = co_await check();
        if (meant != ending::whole) co_return meant;
        memory_.begin();
        rest_.clear();
        while (!here_.left) {
            auto [ec, text] =
                co_await log.async_read_line(asio::bind_cancellation_slot(stops_.slot(), detail::awaiting));
            if (ec) {
                ending const how = co_await judge_end(ec);
                co_return how;
            }
            if (log.cut_off()) {
                rest_ = std::move(text);
                continue;
            }
            if (!take(std::move(text))) co_return ending::lost;
        }
        co_return ending::left;
    }

    ending judge_refusal(error_code ec, diagnostics const& said) {
        if (is_cancelled(ec)) return ending::left;
        why_ = "its log was refused (" + failure(ec, said).to_string() + ")";
        if (is_retryable(ec)) return ending::broken;
        if (is_not_found(ec)) why_ = "its pod was deleted before its log was read";
        // Refused as bad: the container is between two runs.
        return ec == reason::bad_request && !run_.previous ? ending::changed : ending::lost;
    }

    /// Whether the log that was opened is that of the run: the number of a run only grows.
    asio::awaitable<ending> check() {
        auto [ec, now] = co_await pods_.async_get(run_.member.pod_name, detail::awaiting);
        if (is_cancelled(ec)) co_return ending::left;
        if (is_not_found(ec)) co_return ending::whole; // the log of a pod that has just gone
        if (ec) {
            why_ = "its pod could not be looked at (" + ec.message() + ")";
            co_return is_retryable(ec) ? ending::broken : ending::lost;
        }
        if (now.metadata.uid != run_.uid) {
            why_ = "its pod was replaced by another one before its log was read";
            co_return ending::lost;
        }
        why_ = "it began anew before its log was read";
        auto const latest = runs_begun(now, run_.container) - 1;
        if (!run_.previous) co_return latest == run_.number ? ending::whole : ending::changed;
        bool const shown = latest == run_.number + 1 && shows_previous(now, run_.container);
        co_return shown ? ending::whole : ending::changed;
    }

    /// Hands a whole line on unless it was delivered before; false if the log is another one.
    bool take(std::string text) {
        auto const what = memory_.take(text);
        if (what == line_memory::verdict::fresh) deliver(std::move(text));
        if (what != line_memory::verdict::another) return true;
        why_ = "its log does not begin as before it broke off; it was rotated";
        return false;
    }

    asio::awaitable<ending> judge_end(error_code ec) {
        if (is_cancelled(ec)) co_return ending::left;
        if (ec != asio::error::eof) {
            why_ = "its log broke off (" + ec.message() + ")";
            co_return ec == errc::incomplete ? ending::lost : ending::broken;
        }
        if (!memory_.caught_up()) {
            why_ = "its log is shorter than before it broke off; it was rotated";
            co_return ending::lost;
        }
        if (run_.previous) co_return ending::whole;
        // An intermediary may end a log in order although the node broke off: the pod tells whether the run is over.
        kube::wait_options options;
        options.timeout = longest_lag;
        std::function<bool(pod const*)> const over = [this](pod const* p) {
            return p == nullptr || p->metadata.uid != run_.uid || runs_begun(*p, run_.container) != run_.number + 1 ||
                   !is_running(*p, run_.container);
        };
        auto answer = co_await kube::async_wait(pods_, run_.member.pod_name, over, options,
                                                asio::bind_cancellation_slot(stops_.slot(), detail::awaiting));
        error_code const waited = std::get<0>(answer);
        if (!waited) co_return ending::whole;
        if (is_cancelled(waited)) co_return ending::left;
        why_ = "its log ended while it was running";
        co_return ending::broken;
    }

    void deliver(std::string text) {
        log_line line;
        line.member = run_.member;
        line.container = run_.container;
        line.text = std::move(text);
        session_->sink(line);
    }
    void deliver_rest() {
        if (!rest_.empty()) deliver(std::exchange(rest_, {}));
    }

    asio::awaitable<void> rest(std::chrono::milliseconds time) {
        asio::steady_timer timer(session_->client.get_executor(), time);
        co_await timer.async_wait(asio::bind_cancellation_slot(stops_.slot(), detail::awaiting));
    }

    std::shared_ptr<log_session> session_;
    wanted_run run_;
    kube::api<pod> pods_;
    log_session::interruption stops_;
    open_log here_;
    line_memory memory_;
    std::string rest_; ///< a line that the end of the log cut off
    std::string why_;  ///< lines may be missing
};

} // namespace

asio::awaitable<bool> read_run(std::shared_ptr<log_session> s, wanted_run run) {
    auto const reader = std::make_shared<run_reader>(std::move(s), std::move(run));
    bool const done = co_await reader->read();
    co_return done;
}

} // namespace kftrain
