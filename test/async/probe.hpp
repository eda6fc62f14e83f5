#ifndef KFTRAIN_TEST_ASYNC_PROBE_HPP
#define KFTRAIN_TEST_ASYNC_PROBE_HPP

#include "support/bodies.hpp"
#include "support/scripted_transport.hpp"
#include "support/simulated_time.hpp"

#include <kftrain/kube/client.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace kftrain::test {

/// A completion handler that remembers how it was called.
template <class T> class answer_probe {
public:
    struct state {
        unsigned calls = 0;
        error_code ec;
        std::optional<T> value;
        asio::cancellation_signal signal;
    };

    auto handler() {
        return asio::bind_cancellation_slot(state_->signal.slot(), [s = state_](error_code ec, T value) {
            ++s->calls;
            s->ec = ec;
            s->value.emplace(std::move(value));
        });
    }
    void cancel(asio::cancellation_type type = asio::cancellation_type::terminal) { state_->signal.emit(type); }
    bool called() const { return state_->calls != 0; }
    unsigned calls() const { return state_->calls; }
    error_code ec() const { return state_->ec; }
    T& value() { return *state_->value; }
    std::shared_ptr<state> share() const { return state_; }

private:
    std::shared_ptr<state> state_ = std::make_shared<state>();
};

template <> class answer_probe<void> {
public:
    struct state {
        unsigned calls = 0;
        error_code ec;
        asio::cancellation_signal signal;
    };

    auto handler() {
        return asio::bind_cancellation_slot(state_->signal.slot(), [s = state_](error_code ec) {
            ++s->calls;
            s->ec = ec;
        });
    }
    void cancel(asio::cancellation_type type = asio::cancellation_type::terminal) { state_->signal.emit(type); }
    bool called() const { return state_->calls != 0; }
    unsigned calls() const { return state_->calls; }
    error_code ec() const { return state_->ec; }

private:
    std::shared_ptr<state> state_ = std::make_shared<state>();
};

/// A client over a script, in simulated time.
struct scripted_client {
    explicit scripted_client(kube::client_options o = {}) : client(link, std::move(o)) {}

    scripted_exchange& expect(std::string method, std::string target) {
        return link->expect(std::move(method), std::move(target));
    }
    /// Until there is nothing to do, or for this time.
    void run(std::chrono::milliseconds limit = std::chrono::seconds(20)) { time.run(limit); }
    /// Until that holds, or for far too long.
    template <class Predicate> void run_until(Predicate holds) {
        auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        for (time.settle(); !holds() && std::chrono::steady_clock::now() < end;)
            if (!time.step()) context.run_one_for(std::chrono::milliseconds(1));
        BOOST_TEST(holds());
    }
    /// Waits until `holds` returns true, at most 20 s of real time for slow threads. Simulated time stands still, so
    /// that a slow thread does not meet a deadline.
    template <class Predicate> void wait_for_thread(Predicate holds) {
        auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        for (time.settle(); !holds() && std::chrono::steady_clock::now() < end; time.settle())
            context.run_one_for(std::chrono::milliseconds(1));
        BOOST_TEST(holds());
    }

    asio::io_context context;
    simulated_time& time = simulated_time::install(context);
    std::shared_ptr<scripted_transport> link = std::make_shared<scripted_transport>(context.get_executor());
    kube::client client;
};

} // namespace kftrain::test

#endif
