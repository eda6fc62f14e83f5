#ifndef KFTRAIN_SRC_FACADE_DURATION_TEXT_HPP
#define KFTRAIN_SRC_FACADE_DURATION_TEXT_HPP

#include <cstdint>
#include <string>

namespace kftrain {

/// A number of seconds in its two largest units: `44s`, `3m12s`, `2h`, `5d3h`.
inline std::string duration_text(std::int64_t seconds) {
    constexpr std::int64_t minute = 60, hour = 60 * minute, day = 24 * hour;
    auto const pair = [](std::int64_t big, char unit, std::int64_t rest, char rest_unit) {
        auto text = std::to_string(big) + unit;
        return rest == 0 ? text : text + std::to_string(rest) + rest_unit;
    };
    if (seconds < minute) return std::to_string(seconds) + 's';
    if (seconds < hour) return pair(seconds / minute, 'm', seconds % minute, 's');
    if (seconds < day) return pair(seconds / hour, 'h', seconds % hour / minute, 'm');
    return pair(seconds / day, 'd', seconds % day / hour, 'h');
}

} // namespace kftrain

#endif
