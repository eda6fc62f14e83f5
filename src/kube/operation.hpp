#ifndef KFTRAIN_SRC_KUBE_OPERATION_HPP
#define KFTRAIN_SRC_KUBE_OPERATION_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/kube/transport.hpp>

#include <boost/asio/any_completion_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace kftrain::kube::detail {

/// Ends a coroutine body with this code.
[[noreturn]] void fail(error_code ec);
/// The code that an exception from a coroutine body stands for. What is no error of an operation is thrown again.
error_code code_of(std::exception_ptr const& e);

/// How long an operation may take, and what to say when that is over.
struct deadline {
    deadline() = default;
    deadline(std::chrono::milliseconds t, diagnostics* d, std::string w) : time(t), detail(d), what(std::move(w)) {}

    std::chrono::milliseconds time{0}; ///< 0: no limit
    diagnostics* detail = nullptr;
    std::string what;
};

/// Types of cancellation that a caller can ask for and an operation can take.
inline constexpr auto any_cancellation = asio::cancellation_type::all;
/// For what may have side effects once it was begun.
inline constexpr auto unclean_cancellation = asio::cancellation_type::terminal | asio::cancellation_type::partial;

/** One running operation: the caller's cancellation and the deadline both reach what it is doing through its signal, which
    is only touched on the operation's executor. A coroutine sees terminal cancellation alone, since it ends either way:
    so nothing is lost that comes before it runs. */
class operation : public std::enable_shared_from_this<operation> {
public:
    operation(asio::any_io_executor ex, asio::cancellation_type accepted)
        : executor_(std::move(ex)), accepted_(accepted) {}

    /// May be called from any thread, at any time.
    void cancel(asio::cancellation_type type = any_cancellation);

    void arm(deadline limit);
    /// Lets the caller's slot, unless nobody can cancel, lead to this operation.
    void listen_to(asio::cancellation_slot caller);
    /// To be called on the executor when the operation is through. Hands back what the caller shall see.
    error_code finish(error_code ec);

    asio::any_io_executor const& executor() const noexcept { return executor_; }
    asio::cancellation_slot slot() noexcept { return signal_.slot(); }
    /// The signal was emitted, perhaps between two steps, where nobody heard it. On the executor.
    bool is_cancelled() const noexcept { return cancelled_; }

private:
    void emit();

    asio::any_io_executor executor_;
    asio::cancellation_type accepted_;
    asio::cancellation_signal signal_;
    std::optional<asio::steady_timer> timer_; // of those that have a limit
    deadline limit_;
    bool cancelled_ = false;
    bool timed_out_ = false;
    bool done_ = false;
};

/// Who waits for the outcome of an operation: the caller's handler. If it wants to run elsewhere, that executor is kept at work.
template <class... T> class waiting_caller {
public:
    using handler_type = any_handler<void(error_code, T...)>;

    /// `own` is the executor of the operation, erased once for many: handlers that name no other get it.
    waiting_caller(handler_type handler, asio::any_completion_executor const& own) : handler_(std::move(handler)) {
        auto wanted = asio::get_associated_executor(handler_, own);
        if (wanted != own) elsewhere_.emplace(std::move(wanted));
    }

    /// Calls the handler where it wants to run, which may be here and now: on the executor of the operation.
    void complete(error_code ec, T... value) {
        if (!elsewhere_) return deliver(std::move(handler_), ec, std::move(value)...);
        auto const executor = elsewhere_->get_executor();
        asio::dispatch(executor, [work = std::move(elsewhere_), handler = std::move(handler_), ec,
                                  values = std::tuple<T...>(std::move(value)...)]() mutable {
            std::apply([&](T&... v) { deliver(std::move(handler), ec, std::move(v)...); }, values);
        });
    }
    /// Lets it fail from inside an initiating function, by way of the executor of the operation.
    void complete_later(asio::any_io_executor const& executor, error_code ec) {
        asio::post(executor, [self = std::move(*this), ec]() mutable { self.complete(ec, T()...); });
    }

private:
    static void deliver(handler_type handler, error_code ec, T... value) {
        if (auto slot = asio::get_associated_cancellation_slot(handler); slot.is_connected()) slot.clear();
        std::move(handler)(ec, std::move(value)...);
    }

    handler_type handler_;
    std::optional<asio::executor_work_guard<asio::any_completion_executor>> elsewhere_;
};

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
