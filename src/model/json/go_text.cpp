#include "model/json/go_text.hpp"

#include "base/joined.hpp"
#include "model/json/go_rune.hpp"
#include "model/json/json_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <vector>

namespace kftrain::go_text {
namespace {

namespace json = boost::json;

void hex(std::string& out, std::uint32_t v, int digits) {
    constexpr std::string_view digit = "0123456789abcdef";
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += digit[v >> shift & 15];
}

std::vector<json::key_value_pair const*> sorted(json::object const& o) {
    std::vector<json::key_value_pair const*> out;
    for (auto const& member : o) out.push_back(&member);
    std::ranges::sort(out, {}, [](auto const* m) { return std::string_view(m->key().data(), m->key().size()); });
    return out;
}

std::string_view view(json::string_view s) { return {s.data(), s.size()}; }

} // namespace

rune read_rune(std::string_view s) {
    auto const first = static_cast<unsigned char>(s.front());
    if (first < 0x80) return {first, 1};
    std::size_t const n = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || s.size() < n) return {};
    char32_t v = first & (0x7Fu >> n);
    for (std::size_t i = 1; i < n; ++i) {
        auto const c = static_cast<unsigned char>(s[i]);
        if ((c & 0xC0) != 0x80) return {};
        v = v << 6 | (c & 0x3Fu);
    }
    constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    if (v < least[n] || v > 0x10FFFF || (v >= 0xD800 && v < 0xE000)) return {};
    return {v, n};
}

// Blocks without printable characters are listed, single unassigned places are not.
bool is_printable(char32_t c) {
    struct range {
        char32_t first, last;
    };
    constexpr std::array<range, 12> hidden{{{0x00, 0x1F},
                                            {0x7F, 0xA0},
                                            {0xAD, 0xAD},
                                            {0x1680, 0x1680},
                                            {0x2000, 0x200F},
                                            {0x2028, 0x202F},
                                            {0x205F, 0x206F},
                                            {0x3000, 0x3000},
                                            {0xD800, 0xF8FF},
                                            {0xFEFF, 0xFEFF},
                                            {0xFFF0, 0xFFFB},
                                            {0xE0000, 0x10FFFF}}};
    return std::ranges::none_of(hidden, [c](range r) { return c >= r.first && c <= r.last; });
}

std::string quoted(std::string_view s) {
    std::string out = "\"";
    while (!s.empty()) {
        auto const r = read_rune(s);
        constexpr std::string_view control = "\a\b\f\n\r\t\v";
        if (r.bytes == 0) {
            out += "\\x";
            hex(out, static_cast<unsigned char>(s.front()), 2);
            s.remove_prefix(1);
            continue;
        }
        if (r.value == '"' || r.value == '\\') {
            out += '\\';
            out += s.front();
        } else if (is_printable(r.value)) {
            out += s.substr(0, r.bytes);
        } else if (auto const at = control.find(s.front()); r.value < ' ' && at != std::string_view::npos) {
            out += '\\';
            out += std::string_view("abfnrtv")[at];
        } else if (r.value < ' ' || r.value == 0x7F) {
            out += "\\x";
            hex(out, r.value, 2);
        } else if (r.value < 0x10000) {
            out += "\\u";
            hex(out, r.value, 4);
        } else {
            out += "\\U";
            hex(out, r.value, 8);
        }
        s.remove_prefix(r.bytes);
    }
    return out += '"';
}

std::string json(std::string_view text) {
    std::string plain, out;
    detail::append_string(text, plain);
    for (std::size_t i = 0; i < plain.size(); ++i) {
        std::string_view const rest = std::string_view(plain).substr(i);
        bool const separates =
            rest.starts_with("\xe2\x80\xa8") || rest.starts_with("\xe2\x80\xa9"); // of lines, of paragraphs
        if (separates) {
            out += rest[2] == '\xa8' ? "\\u2028" : "\\u2029";
            i += 2;
            continue;
        }
        switch (rest.front()) {
        case '<': out += "\\u003c"; break;
        case '>': out += "\\u003e"; break;
        case '&': out += "\\u0026"; break;
        default: out += rest.front();
        }
    }
    return out;
}

std::string number(double d) {
    if (std::isnan(d)) return "NaN";
    if (std::isinf(d)) return d < 0 ? "-Inf" : "+Inf";
    std::array<char, 32> buffer{};
    auto const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), d, std::chars_format::scientific).ptr;
    std::string scientific(buffer.data(), end);
    int const exponent = std::stoi(scientific.substr(scientific.find('e') + 1));
    // The shortest digits decide between the two forms as if six were requested: 100000, 1e+06.
    if (exponent < -4 || exponent >= 6) return scientific;
    auto const fixed = std::to_chars(buffer.data(), buffer.data() + buffer.size(), d, std::chars_format::fixed).ptr;
    return {buffer.data(), fixed};
}

std::string_view type(json::value const& v) {
    switch (v.kind()) {
    case json::kind::null: return "<nil>";
    case json::kind::bool_: return "bool";
    case json::kind::int64: return "int64";
    case json::kind::uint64: [[fallthrough]];
    case json::kind::double_: return "float64";
    case json::kind::string: return "string";
    case json::kind::array: return "[]interface {}";
    case json::kind::object: return "map[string]interface {}";
    }
    return "";
}

std::string plain(json::value const& v) {
    switch (v.kind()) {
    case json::kind::null: return "<nil>";
    case json::kind::bool_: return v.get_bool() ? "true" : "false";
    case json::kind::int64: return std::to_string(v.get_int64());
    case json::kind::uint64: return number(static_cast<double>(v.get_uint64()));
    case json::kind::double_: return number(v.get_double());
    case json::kind::string: return std::string(view(v.get_string()));
    case json::kind::array: {
        std::string out = "[";
        for (auto const& item : v.get_array()) out += (out.size() > 1 ? " " : "") + plain(item);
        return out += ']';
    }
    case json::kind::object: {
        std::string out = "map[";
        for (auto const* m : sorted(v.get_object()))
            out.append(out.size() > 4 ? " " : "").append(view(m->key())).append(":").append(plain(m->value()));
        return out += ']';
    }
    }
    return {};
}

std::string syntax(json::value const& v) {
    switch (v.kind()) {
    case json::kind::null: return "interface {}(nil)";
    case json::kind::string: return quoted(view(v.get_string()));
    case json::kind::array: return "[]interface {}{" + joined(v.get_array(), ", ", syntax) + "}";
    case json::kind::object: {
        auto const entry = [](auto const* m) { return quoted(view(m->key())) + ":" + syntax(m->value()); };
        return "map[string]interface {}{" + joined(sorted(v.get_object()), ", ", entry) + "}";
    }
    default: return plain(v);
    }
}

} // namespace kftrain::go_text
