#include "base/utf8.hpp"

namespace kftrain::detail {

std::size_t utf8_sequence(char const* p, char const* end) noexcept {
    auto const byte = [&](std::ptrdiff_t i) { return i < end - p ? static_cast<unsigned char>(p[i]) : 0U; };
    unsigned const c = byte(0);
    if (c < 0x80) return 1;
    std::ptrdiff_t const length = c >= 0xC2 && c <= 0xDF   ? 2
                                  : c >= 0xE0 && c <= 0xEF ? 3
                                  : c >= 0xF0 && c <= 0xF4 ? 4
                                                           : 0;
    if (length == 0) return 0;
    // The second byte also excludes overlong forms, surrogates and what lies beyond U+10FFFF.
    unsigned const low = c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : 0x80;
    unsigned const high = c == 0xED ? 0x9F : c == 0xF4 ? 0x8F : 0xBF;
    if (byte(1) < low || byte(1) > high) return 0;
    for (std::ptrdiff_t k = 2; k < length; ++k)
        if ((byte(k) & 0xC0U) != 0x80U) return 0;
    return static_cast<std::size_t>(length);
}

std::size_t find_invalid_utf8(std::string_view s) noexcept {
    char const* const end = s.data() + s.size();
    for (char const* p = s.data(); p != end;) {
        std::size_t const length = utf8_sequence(p, end);
        if (length == 0) return static_cast<std::size_t>(p - s.data());
        p += length;
    }
    return std::string_view::npos;
}

} // namespace kftrain::detail
