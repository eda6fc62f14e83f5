#ifndef KFTRAIN_SRC_FACADE_LOGS_LOG_SESSION_HPP
#define KFTRAIN_SRC_FACADE_LOGS_LOG_SESSION_HPP

#include "facade/logs/job_pods.hpp"
#include "facade/logs/line_buffer.hpp"
#include "facade/logs/log_selection.hpp"
#include "kube/async/timer.hpp"

#include <kftrain/facade/job_logs.hpp>
#include <kftrain/facade/job_reference.hpp>
#include <kftrain/kube/client.hpp>
#include <kftrain/objects/core.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace kftrain {
namespace detail {
struct job_board;
}

namespace asio = boost::asio;

/** Turns to keep a log open, in the order of the requests. If a turn lasts long while others wait, its reader is
    requested to yield.
    @par Thread safety Unsafe */
class log_turns {
public:
    /// How long a turn lasts at least while others wait.
    static constexpr std::chrono::seconds length{2};

    /// One that wants a turn, or has it, until it is destroyed.
    class turn {
    public:
        turn(log_turns& turns, boost::asio::any_io_executor const& executor) : turns_(turns), timer_(executor) {
            if (turns_.most_ == 0 || (turns_.waiting_.empty() && turns_.held_.size() < turns_.most_))
                begin();
            else
                turns_.waiting_.push_back(this);
        }
        turn(turn const&) = delete;
        turn& operator=(turn const&) = delete;
        virtual ~turn() {
            turns_.waiting_.remove(this);
            turns_.held_.remove(this);
            if (!begun_) return;
            if (turns_.waiting_.empty()) return;
            auto* const next = turns_.waiting_.front();
            turns_.waiting_.pop_front();
            next->begin();
            next->timer_.cancel();
        }

        bool has_begun() const noexcept { return begun_; }
        /// Wait for it until the turn has begun. Each time it expires, call request_turn().
        kube::detail::timer& timer() noexcept {
            timer_.expires_after(length);
            return timer_;
        }
        /// Requests the longest turn to end if it has lasted long enough. Repeat until it does.
        void request_turn() {
            auto const now = kube::detail::time_source::of(timer_.get_executor()).now();
            for (auto* const t : turns_.held_) {
                if (now - t->since_ < length || !t->may_end_turn()) continue;
                t->since_ = now;
                return t->end_turn();
            }
        }

    private:
        virtual bool may_end_turn() const = 0;
        virtual void end_turn() = 0;
        void begin() {
            begun_ = true;
            since_ = kube::detail::time_source::of(timer_.get_executor()).now();
            turns_.held_.push_back(this);
        }

        log_turns& turns_;
        kube::detail::timer timer_;
        std::chrono::steady_clock::time_point since_; ///< the begin of the turn, or the last request to end it
        bool begun_ = false;
    };

    /// 0: as many as want one.
    explicit log_turns(std::size_t most) : most_(most) {}

private:
    std::size_t most_;
    std::list<turn*> held_; ///< the oldest first
    std::list<turn*> waiting_;
};

/// A log that is being read.
struct open_log {
    std::string pod;
    std::string container;
    bool previous = false; ///< of a run that is over
    bool left = false;     ///< not to be read any further
    bool rotates = false;  ///< lets others have its turn, and goes on later
    asio::cancellation_signal* signal = nullptr;
    std::string last_failure; ///< why it is opened again; empty while it is open
};

/** The state that the followers of the containers of one job and the caller share: pending lines, the progress of the
    job, and losses. */
struct log_session {
    log_session(kube::client c, std::string ns, job_log_options o)
        : client(std::move(c)),
          namespace_(std::move(ns)),
          options(std::move(o)),
          lines(options.buffered_lines, options.buffered_bytes),
          turns(options.open_logs),
          from(std::move(options.resume_after.entries)) {}

    /// A signal that reaches one operation, by stop() and others.
    class interruption {
    public:
        explicit interruption(std::shared_ptr<log_session> s) : session_(std::move(s)) {
            session_->busy.insert(signal_);
        }
        interruption(interruption const&) = delete;
        interruption& operator=(interruption const&) = delete;
        ~interruption() { session_->busy.erase(signal_); }

        asio::cancellation_signal& signal() noexcept { return *signal_; }
        asio::cancellation_slot slot() noexcept { return signal_->slot(); }

    private:
        std::shared_ptr<asio::cancellation_signal> signal_ = std::make_shared<asio::cancellation_signal>();
        std::shared_ptr<log_session> session_;
    };

    /// Notes that lines may be missing. The first reason is reported.
    void lose(std::string what);
    /// Ends every operation. The first reason counts.
    void stop(error_code why, diagnostics about = {});
    /// The job is finished: nobody waits any more for containers that may never begin.
    void finish();
    /// Ends the session: every call returns this once the lines are delivered.
    void end(error_code ec, diagnostics about = {});

    /// The next line, if there is one. The position then is after this line.
    std::optional<log_line> take();
    /// The place of this container in a position to resume from, or null.
    log_position::entry const* left_at(std::string const& name) const;
    /// The pod of a container is gone: its place is dropped when its lines are handed out.
    void forget(log_origin& origin);
    /// All pods were looked at: what remains of the position from elsewhere is of pods that are gone.
    void forget_unresolved();
    log_position position() const;
    /// The last failure of what is retried; empty if there is none.
    std::string last_failure() const;

    kube::client client;
    std::string namespace_;
    job_log_options options;
    line_buffer lines;
    log_turns turns;
    job_pods pods;
    std::map<std::string, log_position::entry, std::less<>> from;    ///< a position that is not this stream's own
    std::map<std::string, log_position::entry, std::less<>> entries; ///< behind what was handed out
    std::set<std::string, std::less<>> resolved;                     ///< names of entries of pods that were looked at
    std::function<void()> on_end;
    std::set<std::shared_ptr<asio::cancellation_signal>> busy; ///< by what goes on
    std::set<open_log*> reading;
    std::string list_failure;                            ///< why the pods are listed again; empty: they are not
    std::shared_ptr<std::string const> informer_failure; ///< of the informer of pods; null if there is none
    std::string lost;                                    ///< empty: nothing
    std::size_t losses = 0;                              ///< so many times
    bool late = false;                                   ///< the job was finished already when it was first looked at
    bool finished = false;
    bool over = false; ///< the time after the job's end has passed
    bool stopped = false;
    error_code reason;   ///< of stop()
    diagnostics details; ///< about it
    std::optional<error_code> ended;
};

/// The name of a container in a log_position.
std::string place_name(pod const& p, std::string_view container);

/// Ends when what is known of the pod of this name may have changed, or when it is time.
asio::awaitable<void> wait_for_change(std::shared_ptr<log_session> s, std::string name,
                                      job_pods::clock::time_point until);

/** Delivers the output of a container until the job is finished or there is nothing more to read. `known` is the last
    known state of the pod; `early`: the pod existed when the call began. True: the pod is gone, and another one may get
    its name. */
asio::awaitable<bool> follow_container(std::shared_ptr<log_session> s, member r, std::string container,
                                       job_pods::object known, bool early);

/// Stops reading containers that still write some time after the end of the job; the output of the others is read to
/// its end.
void leave_running(log_session& s);

/// One run of a container whose log is to be read.
struct wanted_run {
    std::shared_ptr<log_origin> origin;
    std::string uid; ///< of the pod
    std::int32_t number = 0;
    bool previous = false; ///< the next one has begun
    bool follow = true;    ///< to its end
    bool first = false;    ///< the options about the beginning apply
    bool over = false;     ///< had ended when its log was requested
    std::optional<log_position::entry> behind;

    std::string const& container() const noexcept { return origin->container; }
    std::string const& pod_name() const noexcept { return origin->member.pod_name; }
    std::string name() const { return "container \"" + container() + "\" of pod " + pod_name(); }
};

/// Delivers the log of a run. False: the pod is not as it was, so that another log would have been read; look again.
asio::awaitable<bool> read_run(std::shared_ptr<log_session> s, wanted_run run);

/** Reads the output of a job into a session, until log_session::end() is called or the session is stopped. Its pending
    operations keep it alive; it shares the informer of pods with the other users of the board.
    @par Thread safety To be called on the executor of the client */
void start_following(std::shared_ptr<log_session> session, std::shared_ptr<detail::job_board> board, job_reference job);

/// Body of training_client::open_logs() for a reference with its namespace.
job_log_stream open_job_logs(std::shared_ptr<detail::job_board> board, job_reference job, job_log_options options);

namespace detail {

/// Awaited operations hand back their error code.
inline constexpr auto awaiting = asio::as_tuple(asio::use_awaitable);

} // namespace detail

} // namespace kftrain

#endif
