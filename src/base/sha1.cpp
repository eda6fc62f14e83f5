#include "base/sha1.hpp"

#include <array>
#include <bit>
#include <cstdint>

namespace kftrain {
namespace {

constexpr std::size_t block_size = 64;

using state = std::array<std::uint32_t, 5>;

std::uint32_t word_at(std::string_view block, std::size_t i) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 4; ++k) word = (word << 8) | static_cast<unsigned char>(block[4 * i + k]);
    return word;
}

void take_block(state& h, std::string_view block) {
    std::array<std::uint32_t, 80> w{};
    for (std::size_t i = 0; i < 16; ++i) w[i] = word_at(block, i);
    for (std::size_t i = 16; i < w.size(); ++i) w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    auto [a, b, c, d, e] = h;
    for (std::size_t i = 0; i < w.size(); ++i) {
        std::uint32_t f = 0, k = 0;
        if (i < 20) {
            f = (b & c) | (~b & d);
            k = 0x5A827999;
        } else if (i < 40) {
            f = b ^ c ^ d;
            k = 0x6ED9EBA1;
        } else if (i < 60) {
            f = (b & c) | (b & d) | (c & d);
            k = 0x8F1BBCDC;
        } else {
            f = b ^ c ^ d;
            k = 0xCA62C1D6;
        }
        auto const next = std::rotl(a, 5) + f + e + k + w[i];
        e = d;
        d = c;
        c = std::rotl(b, 30);
        b = a;
        a = next;
    }
    state const add{a, b, c, d, e};
    for (std::size_t i = 0; i < h.size(); ++i) h[i] += add[i];
}

} // namespace

std::string sha1_hex(std::string_view text) {
    std::string padded(text);
    padded += '\x80';
    while (padded.size() % block_size != block_size - 8) padded += '\0';
    auto const bits = static_cast<std::uint64_t>(text.size()) * 8;
    for (int shift = 56; shift >= 0; shift -= 8) padded += static_cast<char>((bits >> shift) & 0xFF);
    state h{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
    for (std::size_t at = 0; at < padded.size(); at += block_size)
        take_block(h, std::string_view(padded).substr(at, block_size));
    std::string hex;
    for (auto const word : h)
        for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[(word >> shift) & 0xF];
    return hex;
}

} // namespace kftrain
