#ifndef KFTRAIN_SRC_FACADE_LOGS_LOG_TURNS_HPP
#define KFTRAIN_SRC_FACADE_LOGS_LOG_TURNS_HPP

#include "kube/async/timer.hpp"

#include <chrono>
#include <cstddef>
#include <list>

namespace kftrain {

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

} // namespace kftrain

#endif
