#include "base/utf8.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

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

void append_utf8(std::uint32_t c, std::string& out) {
    auto const put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (c < 0x80) return put(c);
    if (c < 0x800) {
        put(0xc0U | c >> 6U);
    } else {
        if (c < 0x10000) {
            put(0xe0U | c >> 12U);
        } else {
            put(0xf0U | c >> 18U);
            put(0x80U | (c >> 12U & 0x3fU));
        }
        put(0x80U | (c >> 6U & 0x3fU));
    }
    put(0x80U | (c & 0x3fU));
}

std::string decode_utf16(std::string text) {
    std::string_view const in = text;
    bool const little = in.starts_with("\xff\xfe");
    if ((!little && !in.starts_with("\xfe\xff")) || in.size() % 2 != 0) return text;
    auto const unit = [&](std::size_t at) {
        auto const byte = [&](std::size_t i) { return std::uint32_t{static_cast<unsigned char>(in[i])}; };
        return little ? byte(at + 1) << 8U | byte(at) : byte(at) << 8U | byte(at + 1);
    };
    std::string out;
    out.reserve(in.size() / 2);
    for (std::size_t at = 2; at < in.size(); at += 2) {
        std::uint32_t c = unit(at);
        if (c >= 0xd800 && c < 0xe000) {
            std::uint32_t const low = c < 0xdc00 && at + 2 < in.size() ? unit(at + 2) : 0;
            if (low < 0xdc00 || low >= 0xe000) return text; // half a character
            c = 0x10000 + ((c - 0xd800) << 10U) + (low - 0xdc00);
            at += 2;
        }
        append_utf8(c, out);
    }
    return out;
}

} // namespace kftrain::detail
