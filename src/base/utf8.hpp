#ifndef KFTRAIN_SRC_BASE_UTF8_HPP
#define KFTRAIN_SRC_BASE_UTF8_HPP

#include <cstddef>
#include <string_view>

namespace kftrain::detail {

/// Length of the well-formed UTF-8 sequence that starts at `p`, 0 if there is none; `p` is not `end`.
std::size_t utf8_sequence(char const* p, char const* end) noexcept;
/// Offset of the first byte that is no well-formed UTF-8, or npos.
std::size_t find_invalid_utf8(std::string_view s) noexcept;

} // namespace kftrain::detail

#endif
