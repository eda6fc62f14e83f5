#include "model/json_scanner.hpp"

#include "model/json_text.hpp"

#include <array>

namespace kftrain::detail {
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

void append_utf8(unsigned c, std::string& out) {
    auto const byte = [&](unsigned b) { out += static_cast<char>(b); };
    if (c < 0x80) return byte(c);
    if (c < 0x800) {
        byte(0xC0U | c >> 6U);
    } else {
        if (c < 0x10000) {
            byte(0xE0U | c >> 12U);
        } else {
            byte(0xF0U | c >> 18U);
            byte(0x80U | (c >> 12U & 0x3FU));
        }
        byte(0x80U | (c >> 6U & 0x3FU));
    }
    byte(0x80U | (c & 0x3FU));
}

/// Of four digits that are known to be hexadecimal.
unsigned hex_value(char const* p) noexcept {
    unsigned v = 0;
    for (int i = 0; i < 4; ++i, ++p)
        v = v << 4U | (is_digit(*p) ? unsigned(*p - '0') : unsigned((*p | 0x20) - 'a' + 10));
    return v;
}

bool is_high_surrogate(unsigned c) noexcept { return c >= 0xD800 && c < 0xDC00; }
bool is_low_surrogate(unsigned c) noexcept { return c >= 0xDC00 && c < 0xE000; }

} // namespace

bool json_scanner::hex4(unsigned& out) noexcept {
    if (end_ - p_ < 4) return false;
    for (int i = 0; i < 4; ++i) {
        char const c = p_[i];
        if (!is_digit(c) && !(c >= 'a' && c <= 'f') && !(c >= 'A' && c <= 'F')) return false;
    }
    out = hex_value(p_);
    p_ += 4;
    return true;
}

/// Behind a backslash.
bool json_scanner::escape() noexcept {
    if (p_ == end_) return false;
    switch (*p_++) {
    case '"':
    case '\\':
    case 'n':
    case 'r':
    case 't': return true;
    case '/':
    case 'b':
    case 'f': plain_ = false; return true;
    case 'u': break;
    default: return false;
    }
    plain_ = false;
    unsigned c = 0;
    if (!hex4(c) || is_low_surrogate(c)) return false;
    if (!is_high_surrogate(c)) return true;
    if (end_ - p_ < 2 || p_[0] != '\\' || p_[1] != 'u') return false;
    p_ += 2;
    return hex4(c) && is_low_surrogate(c);
}

/// At a byte of a string that is not plain; ends at the closing quote.
bool json_scanner::hard_string(bool& escaped) noexcept {
    while (p_ != end_ && *p_ != '"') {
        if (*p_ == '\\') {
            escaped = true;
            ++p_;
            if (!escape()) return false;
        } else {
            std::size_t const length = utf8_sequence(p_, end_);
            if (length < 2) return false; // 1: a control character
            p_ += length;
        }
        p_ = end_of_plain(p_, end_);
    }
    return p_ != end_;
}

std::string_view json_scanner::unescape(std::string_view body) {
    unescaped_.clear();
    for (std::size_t done = 0;;) {
        std::size_t const at = body.find('\\', done);
        unescaped_.append(body.substr(done, at - done));
        if (at == std::string_view::npos) return unescaped_;
        done = at + 2;
        switch (char const c = body[at + 1]) {
        case 'n': unescaped_ += '\n'; break;
        case 'r': unescaped_ += '\r'; break;
        case 't': unescaped_ += '\t'; break;
        case 'b': unescaped_ += '\b'; break;
        case 'f': unescaped_ += '\f'; break;
        case 'u': {
            unsigned u = hex_value(body.data() + at + 2);
            done += 4;
            if (is_high_surrogate(u)) {
                u = 0x10000 + ((u - 0xD800) << 10U) + (hex_value(body.data() + at + 8) - 0xDC00);
                done += 6;
            }
            append_utf8(u, unescaped_);
            break;
        }
        default: unescaped_ += c;
        }
    }
}

bool json_scanner::integer(std::int64_t& out) noexcept {
    char const* p = p_;
    bool const negative = *p == '-';
    if (negative) ++p;
    char const* const digits = p;
    std::int64_t v = 0;
    for (; p != end_ && is_digit(*p); ++p) {
        if (p - digits == 18) return false;
        v = v * 10 + (*p - '0');
    }
    if (p == digits || (*digits == '0' && (negative || p - digits > 1))) return false;
    if (p != end_ && (*p == '.' || *p == 'e' || *p == 'E')) return false;
    p_ = p;
    out = negative ? -v : v;
    return true;
}

bool json_scanner::number(std::string_view& out) noexcept {
    char const* p = p_;
    auto const digits = [&] {
        char const* const begin = p;
        while (p != end_ && is_digit(*p)) ++p;
        return p - begin;
    };
    if (*p == '-') ++p;
    char const* const whole = p;
    auto const n = digits();
    if (n == 0 || (n > 1 && *whole == '0')) return false;
    if (p != end_ && *p == '.') {
        ++p;
        if (digits() == 0) return false;
    }
    if (p != end_ && (*p == 'e' || *p == 'E')) {
        ++p;
        if (p != end_ && (*p == '+' || *p == '-')) ++p;
        if (auto const e = digits(); e == 0 || e > 3) return false;
    }
    out = {p_, static_cast<std::size_t>(p - p_)};
    p_ = p;
    return true;
}

bool json_scanner::skip_value() noexcept {
    std::string_view ignored;
    bool escaped = false;
    switch (char const first = peek()) {
    case '"': return string_body(ignored, escaped);
    case 't': return word("true");
    case 'f': return word("false");
    case 'n': return word("null");
    case '{':
        if (!open()) return false;
        if (peek() != '}')
            for (;;) {
                if (peek() != '"' || !string_body(ignored, escaped) || !take(':') || !skip_value()) return false;
                char const c = peek();
                if (c == '}') break;
                if (c != ',') return false;
                pass();
            }
        close();
        return true;
    case '[':
        if (!open()) return false;
        if (peek() != ']')
            for (;;) {
                if (!skip_value()) return false;
                char const c = peek();
                if (c == ']') break;
                if (c != ',') return false;
                pass();
            }
        close();
        return true;
    default: return (is_digit(first) || first == '-') && number(ignored);
    }
}

bool json_scanner::copy(std::string& out) {
    peek();
    char const* const begin = p_;
    if (!skip()) return false;
    if (plain_) {
        out.assign(begin, p_);
        return true;
    }
    json_scanner again({begin, static_cast<std::size_t>(p_ - begin)}, max_depth_);
    out.clear();
    while (char const c = again.peek()) {
        if (c != '"') {
            out += c;
            again.pass();
            continue;
        }
        std::string_view s;
        again.string(s);
        append_string(s, out);
    }
    return true;
}

} // namespace kftrain::detail
