#ifndef KFTRAIN_KUBE_INITIATE_HPP
#define KFTRAIN_KUBE_INITIATE_HPP

#include <kftrain/kube/default_token.hpp>
#include <kftrain/kube/start_place.hpp>
#include <kftrain/kube/transport.hpp>

#include <boost/asio/async_result.hpp>

#include <memory>
#include <type_traits>
#include <utility>

namespace kftrain::kube::detail {

/// Erases the completion handler at the boundary of the compiled library. It carries the executor for the token
/// adapters. `Place` is a start_place, or the executor of an object that starts every operation at once.
template <class Signature, class Place, class Start> class initiation {
public:
    using executor_type = asio::any_io_executor;

    initiation(Place place, Start start) : place_(std::move(place)), start_(std::move(start)) {}

    executor_type get_executor() const noexcept {
        if constexpr (is_checked)
            return place_.executor();
        else
            return place_;
    }

    template <class Handler, class... Args> void operator()(Handler&& handler, Args&&... args) {
        any_handler<Signature> erased(std::forward<Handler>(handler));
        if constexpr (is_checked) {
            if (!place_.is_plain()) {
                auto const fault = place_.fault();
                if (fault || place_.needs_handover())
                    return hand_over(
                        place_, fault, std::move(erased),
                        [start = std::move(start_), ... kept = std::decay_t<Args>(std::forward<Args>(args))](
                            any_handler<Signature> h) mutable { start(std::move(h), std::move(kept)...); });
            }
        }
        start_(std::move(erased), std::forward<Args>(args)...);
    }

private:
    static constexpr bool is_checked = std::is_same_v<Place, start_place>;

    Place place_;
    Start start_;
};

/** Starts an operation for any completion token; `start` receives the erased handler, then `args`. Asio also rejects
    a handler with the wrong signature, but deep inside its own functions. */
template <class Signature, class Place, class Token, class Start, class... Args>
auto initiate(Place&& place, Token&& token, Start start, Args&&... args) {
    using given = std::decay_t<Place>;
    using kept = std::conditional_t<std::is_same_v<given, start_place>, start_place, asio::any_io_executor>;
    constexpr bool fits = asio::completion_token_for<Token, Signature>;
    static_assert(fits,
                  "a completion handler must be callable with what the operation completes with: the Signature that "
                  "is named here, `Handler signature` in the comment of the operation");
    if constexpr (fits)
        return asio::async_initiate<Token, Signature>(
            initiation<Signature, kept, Start>(std::forward<Place>(place), std::move(start)), token,
            std::forward<Args>(args)...);
}

/// Completes on the executor of the handler with `operation_aborted`, never from inside this function.
void complete_aborted(asio::any_io_executor const& executor, any_handler<void(error_code)> handler);

/** Starts an operation of an object that belongs to the caller, by `start(state, handler, args)`. If the object was
    destroyed between the call and the start, the operation ends as its destruction would end it: a deferred
    operation keeps nothing alive. */
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
