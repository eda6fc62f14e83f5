#include "model/scalars/base64.hpp"

#include <cstdint>

namespace kftrain {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

} // namespace

std::string base64_encode(std::string_view bytes) {
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        auto const byte = [&](std::size_t k) -> std::uint32_t {
            return k < bytes.size() ? static_cast<unsigned char>(bytes[k]) : 0U;
        };
        std::uint32_t const group = byte(i) << 16U | byte(i + 1) << 8U | byte(i + 2);
        out += alphabet[group >> 18U & 63U];
        out += alphabet[group >> 12U & 63U];
        out += i + 1 < bytes.size() ? alphabet[group >> 6U & 63U] : '=';
        out += i + 2 < bytes.size() ? alphabet[group & 63U] : '=';
    }
    return out;
}

std::optional<std::string> base64_decode(std::string_view text) {
    std::string out;
    out.reserve(text.size() / 4 * 3);
    std::uint32_t group = 0;
    unsigned digits = 0, padding = 0;
    for (char const c : text) {
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
        if (c == '=') {
            ++padding;
            continue;
        }
        auto const value = alphabet.find(c);
        if (value == std::string_view::npos || padding != 0) return {};
        group = group << 6U | static_cast<std::uint32_t>(value);
        if (++digits % 4 != 0) continue;
        out += static_cast<char>(group >> 16U & 255U);
        out += static_cast<char>(group >> 8U & 255U);
        out += static_cast<char>(group & 255U);
        group = 0;
    }
    unsigned const rest = digits % 4;
    if (padding > 2 || rest == 1 || (rest + padding) % 4 != 0) return {};
    if (rest >= 2) out += static_cast<char>((rest == 2 ? group >> 4U : group >> 10U) & 255U);
    if (rest == 3) out += static_cast<char>(group >> 2U & 255U);
    return out;
}

} // namespace kftrain
