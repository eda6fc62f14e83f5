#include "base/utf16.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kftrain::detail {
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
