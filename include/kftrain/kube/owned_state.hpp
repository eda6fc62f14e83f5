#ifndef KFTRAIN_KUBE_OWNED_STATE_HPP
#define KFTRAIN_KUBE_OWNED_STATE_HPP

#include <kftrain/kube/start_place.hpp>

#include <memory>
#include <utility>

namespace kftrain::kube::detail {

/// Calls `work` where operations of this place run: here, or as soon as the executor can.
void run_at(start_place const& place, any_handler<void()> work);

/// Calls `close` with the state where operations of this place run.
void close_at(start_place const& place, std::shared_ptr<void> state, void (*close)(void*));

/** The state of a stream, which its pending operations share. The destructor and assignment call its function close()
    where operations of the stream run. `State` may be incomplete, except for the constructor with it.
    @par Thread safety As the stream that contains it. */
template <class State> class owned_state {
public:
    owned_state() = default;
    owned_state(start_place place, std::shared_ptr<State> state)
        : place_(std::move(place)),
          state_(std::move(state)),
          close_([](void* closed) { static_cast<State*>(closed)->close(); }) {}
    owned_state(owned_state&&) noexcept = default;
    owned_state& operator=(owned_state&& other) noexcept {
        owned_state taken(std::move(other));
        std::swap(place_, taken.place_);
        std::swap(state_, taken.state_);
        std::swap(close_, taken.close_);
        return *this;
    }
    ~owned_state() {
        if (state_) close_at(place_, std::move(state_), close_);
    }

    start_place const& place() const noexcept { return place_; }
    std::shared_ptr<State> const& share() const noexcept { return state_; }
    State* operator->() const noexcept { return state_.get(); }
    explicit operator bool() const noexcept { return state_ != nullptr; }

private:
    start_place place_;
    std::shared_ptr<State> state_;
    void (*close_)(void*) = nullptr;
};

} // namespace kftrain::kube::detail

#endif
