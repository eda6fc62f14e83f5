#ifndef KFTRAIN_SRC_FACADE_LOG_SESSION_HPP
#define KFTRAIN_SRC_FACADE_LOG_SESSION_HPP

#include <kftrain/objects/core.hpp>
#include <kftrain/training_client.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <tuple>

namespace kftrain {

namespace asio = boost::asio;

/// A log that is being read.
struct open_log {
    std::string pod;
    std::string container;
    bool previous = false; ///< of a run that is over
    bool left = false;     ///< not to be read any further
    asio::cancellation_signal* signal = nullptr;
};

/** What those that follow the containers of one job share: where lines go, how far the job is, what was lost. */
struct log_session {
    log_session(kube::client c, std::string ns, std::function<void(log_line const&)> s)
        : client(std::move(c)), namespace_(std::move(ns)), sink(std::move(s)) {}

    /// A signal that reaches one operation, by stop() and others.
    class interruption {
    public:
        using place = std::set<std::shared_ptr<asio::cancellation_signal>>;

        interruption(std::shared_ptr<log_session> s, place log_session::* among)
            : session_(std::move(s)), among_(session_.get()->*among) {
            among_.insert(signal_);
        }
        interruption(interruption const&) = delete;
        interruption& operator=(interruption const&) = delete;
        ~interruption() { among_.erase(signal_); }

        asio::cancellation_signal& signal() noexcept { return *signal_; }
        asio::cancellation_slot slot() noexcept { return signal_->slot(); }

    private:
        std::shared_ptr<asio::cancellation_signal> signal_ = std::make_shared<asio::cancellation_signal>();
        std::shared_ptr<log_session> session_;
        place& among_;
    };

    /// Notes that lines may be missing. The first reason is told.
    void lose(std::string what);
    /// Ends every operation.
    void stop();
    /// The job is finished: nobody waits any more for containers that may never begin.
    void finish();

    kube::client client;
    std::string namespace_;
    std::function<void(log_line const&)> sink;
    interruption::place waiting; ///< for a container that may never begin
    interruption::place busy;    ///< what else goes on
    std::set<open_log*> reading;
    std::string lost;       ///< empty: nothing
    std::size_t losses = 0; ///< so many times
    bool late = false;      ///< the job was finished already when it was first looked at
    bool finished = false;
    bool over = false; ///< the time after the job's end has passed
    bool stopped = false;
};

using found_pod = std::tuple<error_code, pod>;

/** Waits for a state of a pod; a pod that is deleted makes place for the next of its name. Once the job is finished it only
    looks: `asio::error::eof` if that is not the state. */
asio::awaitable<found_pod> wait_for_pod(std::shared_ptr<log_session> s, std::string name,
                                        std::function<bool(pod const*)> wanted);

/// Notes that a pod which a replica may have had was not found, if that means that lines may be missing.
void note_absence(log_session& s, std::string const& pod, error_code ec, bool never_seen);

/// Delivers what a container writes in the pods of this name, until the job is finished. `known` was seen last, if any.
asio::awaitable<void> follow_container(std::shared_ptr<log_session> s, member r, std::string container, pod known);

/// One run of a container whose log is to be read.
struct wanted_run {
    kftrain::member member;
    std::string container;
    std::string uid; ///< of the pod
    std::int32_t number = 0;
    bool previous = false; ///< the next one has begun

    std::string name() const { return "container \"" + container + "\" of pod " + member.pod_name; }
};

/// Delivers the log of a run. False: the pod is not as it was, so that another log would have been read; look again.
asio::awaitable<bool> read_run(std::shared_ptr<log_session> s, wanted_run run);

namespace detail {

/// Awaited operations hand back their error code.
inline constexpr auto awaiting = asio::as_tuple(asio::use_awaitable);

} // namespace detail

} // namespace kftrain

#endif
