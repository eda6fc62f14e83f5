#ifndef KFTRAIN_KUBE_INITIATE_HPP
#define KFTRAIN_KUBE_INITIATE_HPP

#include <kftrain/kube/default_token.hpp>
#include <kftrain/kube/transport.hpp>

#include <boost/asio/async_result.hpp>

#include <memory>
#include <utility>

namespace kftrain::kube::detail {

/// Erases the completion handler at the border of the compiled library. It carries the executor for the token adapters.
template <class Signature, class Start> class initiation {
public:
    using executor_type = asio::any_io_executor;

    initiation(executor_type executor, Start start) : executor_(std::move(executor)), start_(std::move(start)) {}

    executor_type get_executor() const noexcept { return executor_; }

    template <class Handler, class... Args> void operator()(Handler&& handler, Args&&... args) {
        start_(any_handler<Signature>(std::forward<Handler>(handler)), std::forward<Args>(args)...);
    }

private:
    executor_type executor_;
    Start start_;
};

/** Starts an operation for any completion token; `start` gets the erased handler, then `args`.
    Asio would tell of a handler that does not fit, too, but deep within its own functions. */
template <class Signature, class Token, class Start, class... Args>
auto initiate(asio::any_io_executor executor, Token&& token, Start start, Args&&... args) {
    constexpr bool fits = asio::completion_token_for<Token, Signature>;
    static_assert(fits,
                  "a completion handler must be callable with what the operation completes with: the Signature that "
                  "is named here, `Handler signature` in the comment of the operation");
    if constexpr (fits)
        return asio::async_initiate<Token, Signature>(
            initiation<Signature, Start>(std::move(executor), std::move(start)), token, std::forward<Args>(args)...);
}

/// Completes on the executor of the handler with `operation_aborted`, never from inside this function.
void complete_aborted(asio::any_io_executor const& executor, any_handler<void(error_code)> handler);

/** Begins an operation of an object that belongs to its caller, by `start(state, handler, args)`, or ends it as the destruction
    of the object would have, if that went between the call and the beginning: a deferred operation keeps nothing alive. */
template <class State, class Start> class while_alive {
public:
    while_alive(asio::any_io_executor executor, std::shared_ptr<State> const& state, Start start)
        : executor_(std::move(executor)), state_(state), start_(std::move(start)) {}

    template <class... Args> void operator()(any_handler<void(error_code)> handler, Args&&... args) {
        if (auto const alive = state_.lock())
            start_(alive, std::move(handler), std::forward<Args>(args)...);
        else
            complete_aborted(executor_, std::move(handler));
    }

private:
    asio::any_io_executor executor_;
    std::weak_ptr<State> state_;
    Start start_;
};

} // namespace kftrain::kube::detail

#endif
