#ifndef KFTRAIN_SRC_BASE_ASCII_HPP
#define KFTRAIN_SRC_BASE_ASCII_HPP

#include <string>
#include <string_view>

namespace kftrain {

// Only for ASCII, independent of the locale, as in the grammars of Kubernetes, JSON and HTTP.

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool is_lower(char c) noexcept { return c >= 'a' && c <= 'z'; }
constexpr bool is_upper(char c) noexcept { return c >= 'A' && c <= 'Z'; }
constexpr bool is_letter(char c) noexcept { return is_lower(c) || is_upper(c); }
constexpr bool is_alnum(char c) noexcept { return is_letter(c) || is_digit(c); }

constexpr char to_lower(char c) noexcept { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
inline std::string to_lower(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) c = to_lower(c);
    return lower;
}

} // namespace kftrain

#endif
