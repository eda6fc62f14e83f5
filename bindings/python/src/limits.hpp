#ifndef KFTRAIN_PYTHON_LIMITS_HPP
#define KFTRAIN_PYTHON_LIMITS_HPP

#include <algorithm>
#include <chrono>
#include <optional>

namespace kftrain::python {

/// A time limit in seconds; absent: the default of the operation.
using limit = std::optional<double>;

/// Longer limits than a century, in seconds, are no limits.
inline constexpr double longest_limit = 3e9;

inline std::chrono::milliseconds milliseconds_of(double seconds) {
    if (!(seconds < longest_limit)) return std::chrono::milliseconds(0); // none for the library
    auto const whole = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::duration<double>(seconds));
    return std::max(whole, std::chrono::milliseconds(1));
}

template <class Options> Options options_of(limit const& timeout) {
    Options options;
    if (timeout) options.timeout = milliseconds_of(*timeout);
    return options;
}

} // namespace kftrain::python

#endif
