#include "model/json/json_text.hpp"

#include "model/scalars/byte_scan.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

namespace kftrain::detail {
namespace {

void append_escaped(char c, std::string& out) {
    switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
    }
    constexpr std::string_view hex = "0123456789abcdef";
    auto const u = static_cast<unsigned char>(c);
    out += "\\u00";
    out += hex[u >> 4U];
    out += hex[u & 15U];
}

bool is_plain_key(std::string_view key) noexcept {
    for (char c : key)
        if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') && c != '_' && c != '-')
            return false;
    return !key.empty();
}

} // namespace

void append_string(std::string_view s, std::string& out) {
    out += '"';
    char const* p = s.data();
    for (char const* const end = p + s.size();; ++p) {
        char const* const plain = p;
        p = end_of_unescaped(p, end);
        out.append(plain, p);
        if (p == end) break;
        append_escaped(*p, out);
    }
    out += '"';
}

void append_number(std::int64_t v, std::string& out) {
    std::array<char, 24> buffer{};
    auto const r = std::to_chars(buffer.data(), buffer.data() + buffer.size(), v);
    out.append(buffer.data(), r.ptr);
}

void append_number(double v, std::string& out) {
    if (!std::isfinite(v)) return void(out += "null");
    std::array<char, 64> buffer{};
    char* const end = buffer.data() + buffer.size();
    double const magnitude = std::fabs(v);
    bool const exponent = magnitude != 0 && (magnitude < 1e-6 || magnitude >= 1e15);
    auto const form = exponent ? std::chars_format::scientific : std::chars_format::fixed;
    auto const r = std::to_chars(buffer.data(), end, v, form);
    std::string_view text(buffer.data(), static_cast<std::size_t>(r.ptr - buffer.data()));
    if (exponent && magnitude >= 1e15 && magnitude < 1e21) {
        // Fixed, but with zeros behind the digits that matter, where to_chars gives the exact value.
        auto const e = text.find('e');
        std::size_t const places = e - text.find_first_of(".e");
        std::size_t const power =
            static_cast<std::size_t>(text[e + 2] - '0') * 10 + static_cast<std::size_t>(text[e + 3] - '0');
        std::size_t const digits = places == 0 ? 0 : places - 1;
        for (char c : text.substr(0, e))
            if (c != '.') out += c;
        if (power >= digits)
            out.append(power - digits, '0');
        else
            out.insert(out.size() - (digits - power), ".");
        return;
    }
    // Go writes a negative exponent without the leading zero.
    if (auto const at = text.rfind("e-0"); at != std::string_view::npos) {
        out.append(text.substr(0, at + 2));
        text.remove_prefix(at + 3);
    }
    out.append(text);
}

void append_path_key(std::string_view key, std::string& path) {
    if (is_plain_key(key)) {
        if (!path.empty()) path += '.';
        path += key;
        return;
    }
    path += '[';
    append_string(key, path);
    path += ']';
}

void append_path_index(std::size_t index, std::string& path) { path += '[' + std::to_string(index) + ']'; }

std::string quoted_for_message(std::string_view s) {
    constexpr std::size_t limit = 64;
    bool const cut = s.size() > limit;
    if (cut) {
        std::size_t n = limit;
        while (n > 0 && (static_cast<unsigned char>(s[n]) & 0xC0U) == 0x80U) --n;
        s = s.substr(0, n);
    }
    std::string out;
    append_string(s, out);
    if (cut) out.insert(out.size() - 1, "...");
    return out;
}

text_position position_of(std::string_view text, std::size_t offset) noexcept {
    text_position p;
    p.line = p.column = 1;
    for (char c : text.substr(0, offset)) {
        if ((c & '\xC0') != '\x80') ++p.column; // once for each character
        if (c != '\n') continue;
        ++p.line;
        p.column = 1;
    }
    return p;
}

} // namespace kftrain::detail
