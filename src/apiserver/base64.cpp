#include "base64.hpp"

#include <cstdint>

namespace kftrain::apiserver {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

} // namespace

std::string base64_encode(std::string_view bytes) {
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        auto const byte = [&](std::size_t at) -> std::uint32_t {
            return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0u;
        };
        auto const bits = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
        out += alphabet[bits >> 18 & 63];
        out += alphabet[bits >> 12 & 63];
        out += i + 1 < bytes.size() ? alphabet[bits >> 6 & 63] : '=';
        out += i + 2 < bytes.size() ? alphabet[bits & 63] : '=';
    }
    return out;
}

std::optional<std::string> base64_decode(std::string_view text) {
    if (text.size() % 4 != 0) return std::nullopt;
    std::size_t pad = 0;
    while (pad < 2 && !text.empty() && text.back() == '=') text.remove_suffix(1), ++pad;
    std::string out;
    std::uint32_t bits = 0;
    unsigned have = 0;
    for (char const c : text) {
        auto const at = alphabet.find(c);
        if (at == std::string_view::npos) return std::nullopt;
        bits = (bits << 6 | static_cast<std::uint32_t>(at)) & 0xffffff;
        have += 6;
        if (have >= 8) {
            have -= 8;
            out += static_cast<char>(bits >> have & 0xff);
        }
    }
    return out;
}

} // namespace kftrain::apiserver
