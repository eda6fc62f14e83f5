#ifndef KFTRAIN_TEST_ASYNC_CONTROL_STEPPED_CONTROLLER_HPP
#define KFTRAIN_TEST_ASYNC_CONTROL_STEPPED_CONTROLLER_HPP

#include "support/simulated_time.hpp"

#include <kftrain/control/controller.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>

/// A controller whose reconciles end when the test says so.
namespace controller_tests {

using namespace kftrain;
using namespace kftrain::control;
using namespace std::chrono_literals;

using done = any_handler<void(error_code, reconcile_result)>;

/// Keeps the handlers of reconciles so that the test decides when and how they end.
struct stepped_controller {
    explicit stepped_controller(controller_options o = quick())
        : c(std::make_unique<controller>(io.get_executor(), work(), std::move(o))) {}

    static controller_options quick() {
        controller_options o;
        o.retry.first = 1ms;
        o.retry.limit = 4ms;
        return o;
    }
    reconcile_function work() {
        return [this](std::string key, done h) {
            BOOST_TEST(++in_work[key] == 1, key << " is in work twice at once");
            most = std::max(most, ++all_in_work);
            begun.push_back(key);
            open.emplace_back(std::move(key), std::make_unique<done>(std::move(h)));
        };
    }
    void start() {
        c->async_run(asio::bind_cancellation_slot(stop.slot(), [this](error_code ec) {
            BOOST_TEST(!ended.has_value());
            ended = ec;
        }));
        poll();
    }
    void poll() { time.settle(); }
    void run_for(std::chrono::milliseconds t) { time.advance(t); }
    void cancel() {
        stop.emit(asio::cancellation_type::terminal);
        poll();
    }
    /// Ends the reconcile that began first.
    void finish(error_code ec = {}, std::optional<std::chrono::milliseconds> again = {}) {
        auto [key, handler] = std::move(open.front());
        open.pop_front();
        --in_work[key];
        --all_in_work;
        reconcile_result r;
        r.requeue_after = again;
        std::move (*handler)(ec, r);
        poll();
    }

    asio::io_context io;
    kftrain::test::simulated_time& time = kftrain::test::simulated_time::install(io);
    std::map<std::string, int> in_work;
    int all_in_work = 0;
    int most = 0;
    std::vector<std::string> begun;
    std::deque<std::pair<std::string, std::unique_ptr<done>>> open;
    asio::cancellation_signal stop;
    std::optional<error_code> ended;
    std::unique_ptr<controller> c;
};

} // namespace controller_tests

#endif
