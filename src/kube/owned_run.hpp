#ifndef KFTRAIN_SRC_KUBE_OWNED_RUN_HPP
#define KFTRAIN_SRC_KUBE_OWNED_RUN_HPP

#include "kube/pending_handler.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/prefer.hpp>

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <utility>

namespace kftrain::kube {

// What long-lived objects share that belong to their caller and work while their async_run() does. Such an object may be
// destroyed at any time, and its io_context after it without having run. So no handler that is kept anywhere may keep the
// object that owns the keeper: such a circle would outlive both.

/// The caller's handler of an async_run(). It keeps the io_context at work, and is given back when its owner goes.
class owned_run {
public:
    explicit owned_run(asio::any_io_executor executor) : executor_(std::move(executor)) {}
    owned_run(owned_run const&) = delete;
    owned_run& operator=(owned_run const&) = delete;
    ~owned_run() { end(asio::error::operation_aborted); }

    bool going() const noexcept { return going_; }

    /** Keeps `handler`, which may be empty, until end(). False while another run goes on: then the handler gets
        `errc::invalid_argument`. `cancel` is called when the caller cancels; it must not keep the owner alive. */
    bool begin(any_handler<void(error_code)> handler, std::function<void()> cancel) {
        if (going_) {
            if (handler) complete_later(executor_, std::move(handler), make_error_code(errc::invalid_argument));
            return false;
        }
        going_ = true;
        work_ = asio::prefer(executor_, asio::execution::outstanding_work.tracked);
        if (!handler) return true;
        auto slot = asio::get_associated_cancellation_slot(handler);
        handler_.put(std::move(handler));
        if (slot.is_connected()) slot.assign([cancel = std::move(cancel)](asio::cancellation_type) { cancel(); });
        return true;
    }

    /// The caller gets `ec`, if it still waits.
    void end(error_code ec) {
        if (!std::exchange(going_, false)) return;
        if (handler_) complete_later(executor_, handler_.take(), ec);
        work_ = {};
    }

private:
    asio::any_io_executor executor_;
    asio::any_io_executor work_;
    pending_handler<void(error_code)> handler_;
    bool going_ = false;
};

/// Operations of which a run is made: the first that ends ends the others.
class run_parts {
public:
    /// `ended` gets the code of the first part when the last has ended, unless this is gone by then.
    run_parts(asio::any_io_executor executor, std::function<void(error_code)> ended)
        : books_(std::make_shared<books>(std::move(executor), std::move(ended))) {}
    run_parts(run_parts const&) = delete;
    run_parts& operator=(run_parts const&) = delete;
    ~run_parts() { books_->ended = nullptr; }

    bool going() const noexcept { return books_->running != 0; }

    /// Calls `start(handler)`, which begins a part.
    template <class Start> void add(Start start) {
        if (books_->running++ == 0) books_->forget();
        // The handler keeps the signal, which its slot needs, and not the owner.
        start(asio::bind_cancellation_slot(
            books_->signals.emplace_back().slot(),
            asio::bind_executor(books_->executor, [b = books_](error_code ec) { b->part_ended(ec); })));
    }

    void cancel() { books_->cancel(); }

private:
    struct books {
        books(asio::any_io_executor ex, std::function<void(error_code)> f)
            : executor(std::move(ex)), ended(std::move(f)) {}

        void forget() {
            signals.clear();
            first = {};
        }
        void cancel() {
            for (auto& s : signals) s.emit(asio::cancellation_type::terminal);
        }
        void part_ended(error_code ec) {
            if (!first) first = ec;
            cancel();
            if (--running == 0 && ended) ended(first);
        }

        asio::any_io_executor executor;
        std::function<void(error_code)> ended;
        std::list<asio::cancellation_signal> signals;
        error_code first;
        std::size_t running = 0;
    };

    std::shared_ptr<books> books_;
};

} // namespace kftrain::kube

#endif
