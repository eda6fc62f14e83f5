#ifndef KFTRAIN_SRC_MODEL_RULES_DEADLINE_AFTER_HPP
#define KFTRAIN_SRC_MODEL_RULES_DEADLINE_AFTER_HPP

#include <kftrain/model/scalars.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace kftrain {

/// Returns the time this many seconds after `start`. More than a thousand years mean forever, and count as a thousand.
inline time_point deadline_after(time_point start, std::int64_t seconds) noexcept {
    constexpr std::int64_t longest = 1000LL * 365 * 24 * 3600;
    return start + std::chrono::seconds(std::clamp(seconds, -longest, longest));
}

} // namespace kftrain

#endif
