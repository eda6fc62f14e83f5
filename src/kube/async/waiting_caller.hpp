#ifndef KFTRAIN_SRC_KUBE_ASYNC_WAITING_CALLER_HPP
#define KFTRAIN_SRC_KUBE_ASYNC_WAITING_CALLER_HPP

#include <kftrain/kube/transport.hpp>

#include <boost/asio/any_completion_executor.hpp>
#include <boost/asio/append.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <optional>
#include <tuple>
#include <utility>

namespace kftrain::kube {

/** The handler of the caller that waits for an operation. If the handler has another executor, that executor keeps work
    until the call.

    It cannot be assigned, since Boost 1.81's any_completion_handler recurses without end when it is: a member is a
    std::optional that is emplaced, and moved from before it is reset. */
template <class... T> class waiting_caller {
public:
    using handler_type = any_handler<void(error_code, T...)>;

    /// `own` is the executor of the operation, erased once for many: handlers that name no other get it.
    waiting_caller(handler_type handler, asio::any_completion_executor const& own) : handler_(std::move(handler)) {
        auto wanted = asio::get_associated_executor(handler_, own);
        if (wanted != own) elsewhere_.emplace(std::move(wanted));
    }
    waiting_caller(waiting_caller&&) noexcept = default;
    waiting_caller& operator=(waiting_caller&&) = delete;
    ~waiting_caller() = default;

    /// How the caller cancels.
    asio::cancellation_slot slot() const noexcept { return asio::get_associated_cancellation_slot(handler_); }

    /// Calls the handler where it wants to run, which may be here and now: on the executor of the operation.
    void complete(error_code ec, T... value) {
        if (!elsewhere_) return deliver(std::move(handler_), ec, std::move(value)...);
        auto const executor = elsewhere_->get_executor();
        asio::dispatch(executor, [work = std::move(elsewhere_), handler = std::move(handler_), ec,
                                  values = std::tuple<T...>(std::move(value)...)]() mutable {
            std::apply([&](T&... v) { deliver(std::move(handler), ec, std::move(v)...); }, values);
        });
    }
    /// Fails from inside an initiating function, as complete_later() does.
    void fail_later(asio::any_io_executor const& executor, error_code ec) { complete_later(executor, ec, T()...); }
    /// Calls the handler through the executor of the operation: never before the function that calls this has returned,
    /// whether initiating function or destructor.
    void complete_later(asio::any_io_executor const& executor, error_code ec, T... value) {
        asio::post(executor, [self = std::move(*this), ec, ... v = std::move(value)]() mutable {
            self.complete(ec, std::move(v)...);
        });
    }

private:
    static void deliver(handler_type handler, error_code ec, T... value) {
        if (auto slot = asio::get_associated_cancellation_slot(handler); slot.is_connected()) slot.clear();
        std::move(handler)(ec, std::move(value)...);
    }

    handler_type handler_;
    std::optional<asio::executor_work_guard<asio::any_completion_executor>> elsewhere_;
};

/// Completes an operation that ends where it begins.
template <class... T, class... Values>
void complete_later(asio::any_io_executor const& executor, any_handler<void(error_code, T...)> handler, error_code ec,
                    Values... values) {
    waiting_caller<T...>(std::move(handler), executor).complete_later(executor, ec, std::move(values)...);
}

/// Moves the waiting caller out of its member.
template <class... T> waiting_caller<T...> take(std::optional<waiting_caller<T...>>& place) {
    waiting_caller<T...> taken = std::move(*place);
    place.reset();
    return taken;
}

} // namespace kftrain::kube

#endif
