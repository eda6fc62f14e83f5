#include <kftrain/control/event_recorder.hpp>

#include "control/event_lane.hpp"

#include <utility>

namespace kftrain::control {

struct event_recorder::handle {
    explicit handle(std::shared_ptr<lane> l) : work(std::move(l)) {}
    handle(handle const&) = delete;
    handle& operator=(handle const&) = delete;
    ~handle() { work->persist(false); }

    std::shared_ptr<lane> work;
};

event_recorder::event_recorder(kube::client c, std::string component, clock now, event_recorder_options options)
    : handle_(std::make_shared<handle>(
          std::make_shared<lane>(std::move(c), std::move(component), std::move(now), options))) {}

void event_recorder::record(core::object_reference const& about, std::string_view type, std::string_view reason,
                            std::string_view message) {
    handle_->work->record(about, type, reason, message);
}

void event_recorder::persist(bool on) { handle_->work->persist(on); }

void event_recorder::on_idle(std::function<void()> f) { handle_->work->on_idle(std::move(f)); }

std::size_t event_recorder::dropped() const noexcept { return handle_->work->dropped(); }

} // namespace kftrain::control
