#include "kube/async/pace.hpp"

#include <algorithm>

namespace kftrain::kube::detail {

void token_bucket::put(double tokens, clock::time_point now) {
    using seconds = std::chrono::duration<double>;
    auto const passed = filled_ == clock::time_point() ? 0. : seconds(now - filled_).count();
    filled_ = std::max(filled_, now);
    level_ = std::min(capacity_, level_ + std::max(passed, 0.) * per_second_ + tokens);
}

bool token_bucket::take(clock::time_point now) {
    put(0, now);
    if (level_ < 1) return false;
    level_ -= 1;
    return true;
}

std::optional<token_bucket::clock::duration> token_bucket::take_in_turn(clock::time_point now, clock::duration limit) {
    using seconds = std::chrono::duration<double>;
    put(0, now);
    seconds const wait(std::max(0., (1 - level_) / per_second_));
    if (wait >= seconds(limit)) return {};
    level_ -= 1;
    return std::chrono::duration_cast<clock::duration>(wait);
}

} // namespace kftrain::kube::detail
