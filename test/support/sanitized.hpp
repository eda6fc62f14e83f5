#pragma once

#include <cstddef>

namespace kftrain::test {

/// Whether AddressSanitizer watches: everything takes about fifteen times as long. A case whose texts are too large for
/// that is marked `* boost::unit_test::enable_if<!kftrain::test::sanitized>()`; `.ci/run` counts these cases.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
inline constexpr bool sanitized = __has_feature(address_sanitizer);
#else
inline constexpr bool sanitized = false;
#endif

/// How many of so many random inputs are drawn.
constexpr std::size_t draws(std::size_t all) { return sanitized ? all / 5 : all; }

} // namespace kftrain::test
