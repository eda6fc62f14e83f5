#include <kftrain/control/controller.hpp>

#include <kftrain/control/work_queue.hpp>

#include "control/real_clock.hpp"
#include "kube/async/run_scope.hpp"

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <exception>

namespace kftrain::control {

struct controller::state : std::enable_shared_from_this<state> {
    state(asio::any_io_executor ex, reconcile_function f, controller_options o)
        : executor(ex),
          reconcile(std::move(f)),
          options(std::move(o)),
          workers(std::max(options.workers, 1U)),
          queue(options.retry),
          clock(options.clock ? options.clock : std::make_shared<real_clock>(ex)),
          run(ex) {}

    /// Starts as many reconciles as there are free workers, then sleeps until the next delayed key.
    void pump() {
        if (!run.going()) return;
        if (stopping) return finish();
        while (queue.in_work() < workers) {
            auto const key = queue.take(clock->now());
            if (!key) break;
            start(*key);
        }
        auto const next = queue.next_ready();
        if (!next || queue.in_work() >= workers) return;
        clock->wake_at(*next, [self = weak_from_this()] {
            if (auto const s = self.lock()) s->pump();
        });
    }

    void start(std::string const& key) {
        auto const begun = clock->now();
        auto complete = [self = shared_from_this(), key, begun](error_code ec, reconcile_result r) {
            self->count(begun, ec, r);
            self->settle(key, ec, r);
        };
        try {
            reconcile(key, any_handler<void(error_code, reconcile_result)>(
                               asio::bind_executor(executor, std::move(complete))));
        } catch (std::exception const& e) {
            options.logger(log_level::error, "reconcile threw",
                           {{"kind", options.name}, {"key", key}, {"error", e.what()}});
            asio::post(executor, [self = shared_from_this(), key, begun] {
                self->count(begun, errc::invalid_argument, {});
                self->settle(key, errc::invalid_argument, {});
            });
        }
    }

    void count(work_queue::instant begun, error_code ec, reconcile_result const& r) {
        counts.durations.add(clock->now() - begun);
        ++(ec ? counts.failed : r.requeue_after ? counts.requeued : counts.succeeded);
    }

    void settle(std::string const& key, error_code ec, reconcile_result const& r) {
        auto const now = clock->now();
        if (ec) {
            options.logger(log_level::warning, "reconcile failed",
                           {{"kind", options.name}, {"key", key}, {"error", failure(ec, r.why).to_string()}});
            queue.add_failed(key, now);
        } else {
            queue.forget(key);
            // The clock counts nanoseconds: a time far away must not become one long past.
            constexpr std::chrono::milliseconds farthest = std::chrono::hours(24 * 365);
            if (r.requeue_after) queue.add_at(key, now + std::min(*r.requeue_after, farthest));
        }
        queue.done(key);
        pump();
    }

    void finish() {
        if (queue.in_work() != 0) return;
        clock->cancel();
        run.end(asio::error::operation_aborted);
    }

    asio::any_io_executor executor;
    reconcile_function reconcile;
    controller_options options;
    unsigned workers;
    work_queue queue;
    std::shared_ptr<controller_clock> clock;
    controller_metrics counts; // of what has ended
    kube::run_scope run;
    bool stopping = false;
};

controller::controller(asio::any_io_executor executor, reconcile_function reconcile, controller_options options)
    : state_(std::make_shared<state>(std::move(executor), std::move(reconcile), std::move(options))) {}

controller::~controller() {
    if (!state_) return;
    state_->stopping = true;
    // Nobody may wait for reconciles whose objects go away with the owner of this controller.
    state_->run.close();
    state_->clock->cancel();
}

asio::any_io_executor controller::get_executor() const noexcept { return state_->executor; }

void controller::enqueue(std::string const& key) {
    state_->queue.add(key);
    state_->pump();
}

void controller::enqueue_after(std::string const& key, std::chrono::milliseconds delay) {
    state_->queue.add_at(key, state_->clock->now() + delay);
    state_->pump();
}

controller_metrics controller::metrics() const {
    controller_metrics m = state_->counts;
    m.name = state_->options.name;
    m.adds = state_->queue.adds();
    m.retries = state_->queue.retries();
    m.depth = state_->queue.ready();
    m.active_workers = state_->queue.in_work();
    m.workers = state_->workers;
    return m;
}

void controller::run(std::shared_ptr<state> const& s, any_handler<void(error_code)> handler) {
    auto const stop = [weak = std::weak_ptr<state>(s)] {
        auto const self = weak.lock();
        if (!self) return;
        self->stopping = true;
        asio::post(self->executor, [self] { self->pump(); });
    };
    if (!s->run.begin(std::move(handler), stop)) return;
    s->stopping = false;
    asio::post(s->executor, [s] { s->pump(); });
}

} // namespace kftrain::control
