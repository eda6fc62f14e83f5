#ifndef KFTRAIN_TEST_SUPPORT_SIMULATED_TIME_HPP
#define KFTRAIN_TEST_SUPPORT_SIMULATED_TIME_HPP

#include "kube/async/timer.hpp"
#include "kube/async/waiting_caller.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

namespace kftrain::test {

namespace asio = boost::asio;

/** The time of an io_context, which passes only as the test says: the library waits an hour without delay, and a busy
    machine makes nothing late. Install it before anything else uses the context.

    Time passes in advance(), from one timer to the next, or by itself (run_freely()): whenever the context has nothing
    else to do, the next timer expires. Sockets, other threads and timers of Asio keep to real time.
    @par Thread safety Unsafe */
class simulated_time final : public kube::detail::time_source {
public:
    using duration = clock::duration;

    simulated_time(asio::execution_context& owner, asio::io_context& io) : time_source(owner), io_(io) {}
    static simulated_time& install(asio::io_context& io) { return asio::make_service<simulated_time>(io, io); }
    /// Installs it; time passes by itself.
    static simulated_time& install_free(asio::io_context& io) { return install(io).run_freely(); }

    asio::io_context& context() noexcept { return io_; }

    /// Runs what is ready, and what follows from it, until nothing is.
    void settle();
    /// Runs what becomes ready within this time, in order; stops earlier if nothing more is to come.
    void run(duration limit);
    /// The same, and all of the time passes.
    void advance(duration time);
    /// Runs until that holds. False if it does not within this time.
    template <class Predicate> bool run_until(Predicate holds, duration limit = std::chrono::minutes(10)) {
        auto const until = now_ + limit;
        for (settle(); !holds(); step())
            if (!has_next() || waits_.begin()->first.first > until) return false;
        return true;
    }
    /// Runs until nothing happens for this long; leaves what never rests after a while.
    void run_until_quiet(duration quiet);
    /// Runs until nothing is ready, then lets the next timer expire if it does so before this time. False if none does.
    bool step(clock::time_point before = clock::time_point::max());
    /// Lets time pass without running anything: timers that are due expire in the next call.
    void skip_to(clock::time_point when) { now_ = std::max(now_, when); }
    /// Destroys the handlers of all waits.
    void drop() { std::exchange(waits_, {}).clear(); }
    /// Lets time pass whenever there is nothing else to do.
    simulated_time& run_freely(bool on = true);

    clock::time_point now() const noexcept override { return now_; }
    bool is_simulated() const noexcept override { return true; }
    void wait(kube::detail::timer const& by, kube::any_handler<void(error_code)> handler) override;
    std::size_t cancel(kube::detail::timer const& by) override;

private:
    struct waiting {
        waiting(kube::detail::timer const& t, asio::any_io_executor const& e, kube::any_handler<void(error_code)> h)
            : by(&t), executor(e), caller(std::move(h), e), work(e) {}

        kube::detail::timer const* by;
        asio::any_io_executor executor;
        kube::waiting_caller<> caller;
        asio::executor_work_guard<asio::any_io_executor> work; // as an asynchronous operation has
    };

    using key = std::pair<clock::time_point, std::uint64_t>;

    void shutdown() override;
    bool has_next() const;
    void expire_next();
    void end(std::map<key, waiting>::iterator which, error_code ec);
    void watch_idleness();

    asio::io_context& io_;
    clock::time_point now_{std::chrono::hours(1)};
    std::uint64_t last_ = 0;
    std::map<key, waiting> waits_;
    bool free_ = false;
    bool watching_ = false;
};

inline void simulated_time::wait(kube::detail::timer const& by, kube::any_handler<void(error_code)> handler) {
    auto const executor = const_cast<kube::detail::timer&>(by).get_executor();
    key const at(std::max(by.expiry(), now_), ++last_);
    auto const added = waits_.try_emplace(at, by, executor, std::move(handler)).first;
    if (auto slot = added->second.caller.slot(); slot.is_connected())
        slot.assign([this, at](asio::cancellation_type) {
            if (auto const it = waits_.find(at); it != waits_.end()) end(it, asio::error::operation_aborted);
        });
    watch_idleness();
}

inline std::size_t simulated_time::cancel(kube::detail::timer const& by) {
    std::size_t n = 0;
    for (auto it = waits_.begin(); it != waits_.end();) {
        auto const which = it++;
        if (which->second.by != &by) continue;
        end(which, asio::error::operation_aborted);
        ++n;
    }
    return n;
}

inline void simulated_time::end(std::map<key, waiting>::iterator which, error_code ec) {
    auto node = waits_.extract(which);
    node.mapped().caller.complete_later(node.mapped().executor, ec);
}

inline bool simulated_time::has_next() const {
    return !waits_.empty() && waits_.begin()->first.first != clock::time_point::max();
}

inline void simulated_time::expire_next() {
    now_ = waits_.begin()->first.first;
    end(waits_.begin(), {});
}

inline void simulated_time::settle() {
    auto const free = std::exchange(free_, false);
    for (;;) {
        io_.restart();
        while (io_.poll() != 0) {}
        if (!has_next() || waits_.begin()->first.first > now_) break;
        expire_next();
    }
    run_freely(free);
}

inline bool simulated_time::step(clock::time_point before) {
    auto const free = std::exchange(free_, false);
    settle();
    bool const more = has_next() && waits_.begin()->first.first < before;
    if (more) expire_next();
    settle();
    run_freely(free);
    return more;
}

inline void simulated_time::run(duration limit) {
    auto const free = std::exchange(free_, false);
    auto const until = now_ + limit;
    settle();
    while (has_next() && waits_.begin()->first.first <= until) step();
    if (has_next()) now_ = until;
    run_freely(free);
}

inline void simulated_time::run_until_quiet(duration quiet) {
    settle();
    for (int steps = 0; steps != 1000 && has_next() && waits_.begin()->first.first <= now_ + quiet; ++steps) step();
    advance(quiet);
}

inline void simulated_time::advance(duration time) {
    auto const until = now_ + time;
    run(time);
    now_ = std::max(now_, until);
}

inline simulated_time& simulated_time::run_freely(bool on) {
    free_ = on;
    watch_idleness();
    return *this;
}

/// Called back by the context as often as it can: if it has run nothing else meanwhile, it is idle.
inline void simulated_time::watch_idleness() {
    if (!free_ || watching_ || !has_next()) return;
    watching_ = true;
    asio::post(io_, [this] {
        if (free_ && io_.poll_one() == 0 && has_next()) expire_next();
        watching_ = false;
        watch_idleness();
    });
}

/// Handlers own timers, which end their waits.
inline void simulated_time::shutdown() { drop(); }

} // namespace kftrain::test

#endif
