#include "golden/simulated_time.hpp"

#include <algorithm>
#include <utility>

namespace golden {

using kftrain::time_point;

class simulated_time::clock final : public kftrain::control::controller_clock {
public:
    explicit clock(std::shared_ptr<simulated_time> t) : time_(std::move(t)) {}

    instant now() override { return time_->now(); }
    void wake_at(instant when, std::function<void()> wake) override {
        when_ = when;
        wake_ = std::move(wake);
    }
    void cancel() override { wake_ = nullptr; }

    bool waits() const noexcept { return wake_ != nullptr; }
    instant when() const noexcept { return when_; }
    void wake() { std::exchange(wake_, nullptr)(); }

private:
    std::shared_ptr<simulated_time> time_;
    instant when_{};
    std::function<void()> wake_;
};

std::shared_ptr<kftrain::control::controller_clock> simulated_time::make_clock() {
    auto made = std::make_shared<clock>(shared_from_this());
    clocks_.push_back(made);
    return made;
}

time_point simulated_time::wall() const {
    return start_ + std::chrono::floor<std::chrono::seconds>(now_.time_since_epoch());
}

simulated_time::instant simulated_time::at(time_point wall) const { return instant(wall - start_); }

bool simulated_time::advance_before(time_point end) {
    std::shared_ptr<clock> next;
    for (auto const& each : clocks_)
        if (auto c = each.lock(); c && c->waits() && (!next || c->when() < next->when())) next = std::move(c);
    if (!next || next->when() >= at(end)) return false;
    now_ = std::max(now_, next->when());
    next->wake();
    return true;
}

} // namespace golden
