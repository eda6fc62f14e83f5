#include <kftrain/control/controller_metrics.hpp>

#include <algorithm>
#include <utility>

namespace kftrain::control {

duration_histogram::duration_histogram(std::vector<double> bounds)
    : bounds_(std::move(bounds)), counts_(bounds_.size() + 1) {}

void duration_histogram::add(std::chrono::nanoseconds took) {
    double const seconds = std::max(std::chrono::duration<double>(took).count(), 0.0);
    auto const at = std::lower_bound(bounds_.begin(), bounds_.end(), seconds) - bounds_.begin();
    ++counts_[static_cast<std::size_t>(at)];
    ++count_;
    sum_ += seconds;
}

std::vector<double> duration_histogram::usual_bounds() {
    return {0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.75, 1, 1.5, 2, 3, 5, 7.5, 10, 15, 30, 60};
}

} // namespace kftrain::control
