#ifndef KFTRAIN_SRC_KUBE_ASYNC_OPERATION_HPP
#define KFTRAIN_SRC_KUBE_ASYNC_OPERATION_HPP

#include "kube/async/timer.hpp"
#include "kube/async/waiting_caller.hpp"

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/kube/transport.hpp>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <exception>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace kftrain::kube::detail {

/// Ends the body of a coroutine with this code.
[[noreturn]] void fail(error_code ec);
/// Returns the code of an exception of a coroutine; throws exceptions that are no errors of an operation again.
error_code code_of(std::exception_ptr const& e);

/// The time limit of an operation, and the message when it has passed.
struct deadline {
    deadline() = default;
    deadline(std::chrono::milliseconds t, diagnostics* d, std::string w) : time(t), detail(d), what(std::move(w)) {}

    std::chrono::milliseconds time{0}; ///< 0: no limit
    diagnostics* detail = nullptr;
    std::string what;
    std::shared_ptr<std::string const> last_failure; ///< of what is retried meanwhile; null or empty: none
};

/// Adds the last failure to the message of a timeout, unless it is empty.
std::string with_last_failure(std::string message, std::string const& failure);

/// Types of cancellation that a caller can request and an operation supports.
inline constexpr auto any_cancellation = asio::cancellation_type::all;
/// For operations that may have side effects once they have begun.
inline constexpr auto unclean_cancellation = asio::cancellation_type::terminal | asio::cancellation_type::partial;

/** One running operation. The caller's cancellation and the deadline both reach it through its signal, which is only
    used on the operation's executor. A coroutine only receives terminal cancellation, since it ends either way; so
    cancellation before it runs is not lost. */
class operation : public std::enable_shared_from_this<operation> {
public:
    operation(asio::any_io_executor ex, asio::cancellation_type accepted)
        : executor_(std::move(ex)), accepted_(accepted) {}

    /// May be called from any thread, at any time.
    void cancel(asio::cancellation_type type = any_cancellation);

    void arm(deadline limit);
    /// Connects the caller's cancellation slot, if there is one, to this operation.
    void listen_to(asio::cancellation_slot caller);
    /// Ends the operation; call it on the executor. Returns the error for the caller.
    error_code finish(error_code ec);

    asio::any_io_executor const& executor() const noexcept { return executor_; }
    asio::cancellation_slot slot() noexcept { return signal_.slot(); }
    /// Returns whether the signal was emitted, also between two steps, where it has no receiver. On the executor.
    bool is_cancelled() const noexcept { return cancelled_; }

private:
    void emit();

    asio::any_io_executor executor_;
    asio::cancellation_type accepted_;
    asio::cancellation_signal signal_;
    std::optional<timer> timer_; // of those that have a limit
    deadline limit_;
    bool cancelled_ = false;
    bool timed_out_ = false;
    bool done_ = false;
};

/// Cancels those of these operations that still run.
void cancel(std::initializer_list<std::weak_ptr<operation>> operations);

/// The handler under which the coroutine of an operation runs; passes its outcome to the caller's handler.
template <class... T> class operation_handler {
public:
    using cancellation_slot_type = asio::cancellation_slot;

    operation_handler(std::shared_ptr<operation> op, any_handler<void(error_code, T...)> handler)
        : op_(std::move(op)), caller_(std::move(handler), op_->executor()) {}

    cancellation_slot_type get_cancellation_slot() const noexcept { return op_->slot(); }

    void operator()(std::exception_ptr e, T... value) {
        error_code const ec = op_->finish(e ? code_of(e) : error_code());
        caller_.complete(ec, std::move(value)...);
    }

private:
    std::shared_ptr<operation> op_;
    waiting_caller<T...> caller_;
};

/** Runs `body` on `executor` and completes `handler` with its outcome, never from inside this function. A body reports
    failures by fail() or by letting Asio's exceptions pass. */
template <class T, class... V>
std::shared_ptr<operation> spawn(asio::any_io_executor executor, asio::awaitable<T> body, deadline limit,
                                 any_handler<void(error_code, V...)> handler,
                                 asio::cancellation_type accepted = any_cancellation) {
    auto op = std::make_shared<operation>(executor, accepted);
    op->listen_to(asio::get_associated_cancellation_slot(handler));
    op->arm(std::move(limit));
    asio::co_spawn(executor, std::move(body), operation_handler<V...>(op, std::move(handler)));
    return op;
}

} // namespace kftrain::kube::detail

#endif
