#ifndef KFTRAIN_KUBE_OWNED_STATE_HPP
#define KFTRAIN_KUBE_OWNED_STATE_HPP

#include <kftrain/kube/start_place.hpp>

#include <memory>
#include <utility>

namespace kftrain::kube::detail {

/// Calls `work` where operations of this place run: here, or as soon as the executor can.
void run_at(start_place const& place, any_handler<void()> work);

/** The state of a stream, which its pending operations share. The destructor and assignment close the owned state where
    operations of the stream run. `State` may be incomplete.
    @par Thread safety As the stream that contains it. */
template <class State> class owned_state {
public:
    using close_function = void (*)(State&);

    owned_state() = default;
    owned_state(start_place place, std::shared_ptr<State> state, close_function close)
        : place_(std::move(place)), state_(std::move(state)), close_(close) {}
    owned_state(owned_state&&) noexcept = default;
    owned_state& operator=(owned_state&& other) noexcept {
        owned_state taken(std::move(other));
        std::swap(place_, taken.place_);
        std::swap(state_, taken.state_);
        std::swap(close_, taken.close_);
        return *this;
    }
    ~owned_state() {
        if (state_) run_at(place_, [s = std::move(state_), close = close_] { close(*s); });
    }

    start_place const& place() const noexcept { return place_; }
    std::shared_ptr<State> const& share() const noexcept { return state_; }
    State* operator->() const noexcept { return state_.get(); }
    explicit operator bool() const noexcept { return state_ != nullptr; }

private:
    start_place place_;
    std::shared_ptr<State> state_;
    close_function close_ = nullptr;
};

} // namespace kftrain::kube::detail

#endif
