#ifndef KFTRAIN_SRC_KUBE_ASYNC_RUN_SCOPE_HPP
#define KFTRAIN_SRC_KUBE_ASYNC_RUN_SCOPE_HPP

#include "kube/async/waiting_caller.hpp"

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
#include <optional>
#include <utility>

namespace kftrain::kube {

/** The runs of a long-lived object, one after the other, and the operations of a run.

    The rules for all caller-owned objects with an async_run():
    1. One run at a time: another async_run() completes with `errc::already_running` and changes nothing.
    2. After its end an object may run again. An object that has released a resource for good, such as a node or a
       socket, refuses with `errc::ended`.
    3. While it runs, its executor and the handler's have work: neither io_context runs out.
    4. Destroying the object ends the run with `operation_aborted`, on the handler's executor and never from inside the
       destructor. Nobody waits for what the object had begun.
    5. Cancellation of any type ends it as well, once pending operations have ended. Signals may be emitted on any
       thread that may touch the handler.
    6. The object goes before its io_context, which may go after it without running again: then handlers are destroyed
       without being called, and nothing is left. So no handler that something keeps may keep the owner of that
       something: such a circle would outlive both.

    All of it is used on `executor`. */
class run_scope {
public:
    /// When the last part has ended, `parts_ended` receives the code of the first, unless this object is destroyed.
    /// Without it, that ends the run.
    explicit run_scope(asio::any_io_executor executor, std::function<void(error_code)> parts_ended = nullptr)
        : books_(std::make_shared<books>(std::move(executor), std::move(parts_ended))) {}
    run_scope(run_scope const&) = delete;
    run_scope& operator=(run_scope const&) = delete;
    ~run_scope() {
        close();
        books_->parts_ended = nullptr;
    }

    bool going() const noexcept { return books_->going; }

    /** Keeps `handler`, which may be empty, until end(). Returns false, and refuses the handler, while another run is
        active and after close(). A cancellation by the caller calls `cancel`, which must not keep the owner alive;
        without it the parts are cancelled. */
    bool begin(any_handler<void(error_code)> handler, std::function<void()> cancel = nullptr) {
        auto& b = *books_;
        if (b.closed) {
            if (handler) refuse(std::move(handler), asio::error::operation_aborted);
            return false;
        }
        if (b.going) {
            if (handler) refuse(std::move(handler), errc::already_running);
            return false;
        }
        b.going = true;
        ++b.runs;
        b.on_cancel = std::move(cancel);
        b.work = asio::prefer(b.executor, asio::execution::outstanding_work.tracked);
        if (!handler) return true;
        auto slot = b.caller.emplace(std::move(handler), b.executor).slot();
        if (slot.is_connected())
            slot.assign([weak = std::weak_ptr(books_), run = b.runs](asio::cancellation_type) {
                if (auto const alive = weak.lock())
                    asio::dispatch(alive->executor, [weak, run] {
                        if (auto const still = weak.lock()) still->stop(run);
                    });
            });
        return true;
    }

    /// Completes a run that is not to begin.
    void refuse(any_handler<void(error_code)> handler, error_code why) {
        complete_later(books_->executor, std::move(handler), why);
    }

    /// The caller gets `ec`, if it still waits.
    void end(error_code ec) { books_->end(ec); }

    /// The owner goes: ends the run now, and then the parts.
    void close() {
        books_->closed = true;
        end(asio::error::operation_aborted);
        cancel();
    }

    /// Calls `start(handler)`, which begins a part. The first part that ends ends the others.
    template <class Start> void add(Start start) {
        if (books_->parts++ == 0) books_->forget();
        // The handler keeps the signal, which its slot needs, and not the owner.
        start(asio::bind_cancellation_slot(
            books_->signals.emplace_back().slot(),
            asio::bind_executor(books_->executor, [b = books_](error_code ec) { b->part_ended(ec); })));
    }
    bool has_parts() const noexcept { return books_->parts != 0; }
    /// Cancels the parts.
    void cancel() { books_->cancel(); }

private:
    struct books {
        books(asio::any_io_executor ex, std::function<void(error_code)> f)
            : executor(std::move(ex)), parts_ended(std::move(f)) {}

        /// Of the run with this number: a signal may come late.
        void stop(std::size_t run) {
            if (!going || run != runs) return;
            if (auto const f = on_cancel)
                f();
            else
                cancel();
        }
        void end(error_code ec) {
            if (!std::exchange(going, false)) return;
            on_cancel = nullptr;
            if (caller) take(caller).complete_later(executor, ec);
            work = {};
        }
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
            if (--parts != 0) return;
            if (parts_ended)
                parts_ended(first);
            else
                end(first);
        }

        asio::any_io_executor executor;
        std::function<void(error_code)> parts_ended;
        asio::any_io_executor work;
        std::optional<waiting_caller<>> caller;
        std::function<void()> on_cancel;
        std::list<asio::cancellation_signal> signals;
        error_code first;
        std::size_t parts = 0;
        std::size_t runs = 0;
        bool going = false;
        bool closed = false; ///< the owner is destroyed, but its state lives on for a while
    };

    std::shared_ptr<books> books_;
};

} // namespace kftrain::kube

#endif
