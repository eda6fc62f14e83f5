#ifndef KFTRAIN_SRC_CONTROL_REAL_CLOCK_HPP
#define KFTRAIN_SRC_CONTROL_REAL_CLOCK_HPP

#include "kube/async/timer.hpp"

#include <kftrain/base/error.hpp>
#include <kftrain/control/controller_options.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <functional>
#include <utility>

namespace kftrain::control {

/// The time that passes outside of simulations.
class real_clock final : public controller_clock {
public:
    explicit real_clock(boost::asio::any_io_executor const& executor) : timer_(executor) {}

    instant now() override { return kube::detail::time_source::of(timer_.get_executor()).now(); }
    void wake_at(instant when, std::function<void()> wake) override {
        timer_.expires_at(when);
        timer_.async_wait([wake = std::move(wake)](error_code ec) {
            if (!ec) wake();
        });
    }
    void cancel() override { timer_.cancel(); }

private:
    kube::detail::timer timer_;
};

} // namespace kftrain::control

#endif
