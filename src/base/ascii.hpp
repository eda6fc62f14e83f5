#ifndef KFTRAIN_SRC_BASE_ASCII_HPP
#define KFTRAIN_SRC_BASE_ASCII_HPP

namespace kftrain {

// Of ASCII alone, whatever the locale: what the grammars of Kubernetes, JSON and HTTP mean by these words.

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool is_lower(char c) noexcept { return c >= 'a' && c <= 'z'; }
constexpr bool is_letter(char c) noexcept { return is_lower(c) || (c >= 'A' && c <= 'Z'); }
constexpr bool is_alnum(char c) noexcept { return is_letter(c) || is_digit(c); }

} // namespace kftrain

#endif
