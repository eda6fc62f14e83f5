#ifndef KFTRAIN_SRC_KUBE_ASYNC_TIMER_HPP
#define KFTRAIN_SRC_KUBE_ASYNC_TIMER_HPP

#include <kftrain/kube/transport.hpp>

#include <boost/asio/execution_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstddef>
#include <utility>

namespace kftrain::kube::detail {

class timer;

/** The steady time of an execution context. A test installs its own source in an io_context, before anything uses that
    context: then the operations of the library wait in simulated time.
    @par Thread safety now(): safe. The rest belongs to the timers. */
class time_source : public asio::execution_context::service {
public:
    using clock = std::chrono::steady_clock;
    static asio::execution_context::id id;

    explicit time_source(asio::execution_context& owner) : asio::execution_context::service(owner) {}

    static time_source& of(asio::any_io_executor const& executor);

    virtual clock::time_point now() const noexcept { return clock::now(); }
    /// Whether timers wait here. Otherwise they wait in real time, and the rest is not called.
    virtual bool is_simulated() const noexcept { return false; }
    virtual void wait(timer const& /*by*/, any_handler<void(error_code)> /*handler*/) {}
    /// Completes the waits of a timer with `operation_aborted`; returns their number.
    virtual std::size_t cancel(timer const& /*by*/) { return 0; }

private:
    void shutdown() override {}
};

/// A `steady_timer` in the time of its execution context.
class timer {
public:
    using clock_type = time_source::clock;
    using time_point = clock_type::time_point;
    using duration = clock_type::duration;

    explicit timer(asio::any_io_executor const& executor) : source_(time_source::of(executor)), real_(executor) {}
    timer(asio::any_io_executor const& executor, time_point when) : timer(executor) { real_.expires_at(when); }
    timer(asio::any_io_executor const& executor, duration after) : timer(executor) { expires_after(after); }
    timer(timer const&) = delete;
    timer& operator=(timer const&) = delete;
    ~timer() {
        if (source_.is_simulated()) source_.cancel(*this);
    }

    asio::any_io_executor get_executor() { return real_.get_executor(); }
    time_point expiry() const { return real_.expiry(); }
    void expires_at(time_point when) {
        cancel();
        real_.expires_at(when);
    }
    void expires_after(duration after) {
        auto const now = source_.now();
        expires_at(after < time_point::max() - now ? now + after : time_point::max());
    }
    std::size_t cancel() { return source_.is_simulated() ? source_.cancel(*this) : real_.cancel(); }

    template <class Token> auto async_wait(Token&& token) {
        return asio::async_initiate<Token, void(error_code)>(
            [this](auto handler) {
                if (source_.is_simulated())
                    source_.wait(*this, std::move(handler));
                else
                    real_.async_wait(std::move(handler));
            },
            token);
    }

private:
    time_source& source_;
    asio::steady_timer real_;
};

} // namespace kftrain::kube::detail

#endif
