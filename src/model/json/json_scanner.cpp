#include "model/json/json_scanner.hpp"

#include "base/ascii.hpp"
#include "base/utf8.hpp"
#include "model/json/json_text.hpp"
#include "model/json/object_skip.hpp"

#include <array>

namespace kftrain::detail {
namespace {

/// Of four digits that are known to be hexadecimal.
unsigned hex_value(char const* p) noexcept {
    unsigned v = 0;
    for (int i = 0; i < 4; ++i, ++p)
        v = v << 4U | (is_digit(*p) ? unsigned(*p - '0') : unsigned((*p | 0x20) - 'a' + 10));
    return v;
}

bool is_hex4(char const* p, char const* end) noexcept {
    if (end - p < 4) return false;
    for (int i = 0; i < 4; ++i)
        if (!is_digit(p[i]) && !(p[i] >= 'a' && p[i] <= 'f') && !(p[i] >= 'A' && p[i] <= 'F')) return false;
    return true;
}

bool is_high_surrogate(unsigned c) noexcept { return c >= 0xD800 && c < 0xDC00; }
bool is_low_surrogate(unsigned c) noexcept { return c >= 0xDC00 && c < 0xE000; }

} // namespace

/// Behind a backslash.
char const* json_scanner::behind_escape(char const* p) noexcept {
    if (p == end_) return nullptr;
    switch (*p++) {
    case '"':
    case '\\':
    case 'n':
    case 'r':
    case 't': return p;
    case '/':
    case 'b':
    case 'f': plain_ = false; return p;
    case 'u': break;
    default: return nullptr;
    }
    plain_ = false;
    if (!is_hex4(p, end_)) return nullptr;
    unsigned const first = hex_value(p);
    p += 4;
    if (is_low_surrogate(first)) return nullptr;
    if (!is_high_surrogate(first)) return p;
    if (end_ - p < 2 || p[0] != '\\' || p[1] != 'u' || !is_hex4(p + 2, end_) || !is_low_surrogate(hex_value(p + 2)))
        return nullptr;
    return p + 6;
}

/// From a byte inside a string that may be any to the closing quote.
char const* json_scanner::end_of_string(char const* p) noexcept {
    for (; p != end_; p = end_of_plain(p, end_)) {
        if (*p == '"') return p;
        if (*p == '\\') {
            p = behind_escape(p + 1);
            if (p == nullptr) return nullptr;
        } else {
            std::size_t const length = utf8_sequence(p, end_);
            if (length < 2) return nullptr; // 1: a control character
            p += length;
        }
    }
    return nullptr;
}

/// From the opening quote to behind the closing one.
inline char const* json_scanner::skip_string(char const* p) noexcept {
    p = end_of_plain(p + 1, end_);
    while (end_ - p >= 2 && *p == '\\' && (p[1] == '"' || p[1] == '\\')) p = end_of_plain(p + 2, end_);
    if (p == end_ || *p != '"') p = end_of_string(p);
    return p == nullptr ? nullptr : p + 1;
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

char const* json_scanner::integer(char const* p, std::int64_t& out) const noexcept {
    bool const negative = *p == '-';
    if (negative) ++p;
    char const* const digits = p;
    std::int64_t v = 0;
    for (; p != end_ && is_digit(*p); ++p) {
        if (p - digits == 18) return nullptr;
        v = v * 10 + (*p - '0');
    }
    if (p == digits || (*digits == '0' && (negative || p - digits > 1))) return nullptr;
    if (p != end_ && (*p == '.' || *p == 'e' || *p == 'E')) return nullptr;
    out = negative ? -v : v;
    return p;
}

char const* json_scanner::number(char const* p) const noexcept {
    auto const digits = [&] {
        char const* const begin = p;
        while (p != end_ && is_digit(*p)) ++p;
        return p - begin;
    };
    if (*p == '-') ++p;
    char const* const whole = p;
    auto const n = digits();
    if (n == 0 || (n > 1 && *whole == '0')) return nullptr;
    if (p != end_ && *p == '.') {
        ++p;
        if (digits() == 0) return nullptr;
    }
    if (p != end_ && (*p == 'e' || *p == 'E')) {
        ++p;
        if (p != end_ && (*p == '+' || *p == '-')) ++p;
        if (auto const e = digits(); e == 0 || e > 3) return nullptr;
    }
    return p;
}

/// At an object that may be one of `fieldsV1`; null leaves that open.
char const* json_scanner::skip_names(char const* p, std::size_t levels) noexcept {
    auto& last = passed_[skipped_here_++ % passed_.size()];
    std::size_t const size = last.text.size();
    if (size != 0 && levels >= last.levels && rest(p) >= size && std::memcmp(p, last.text.data(), size) == 0)
        return p + size;
    char const* const behind = skip_object_of_names(p, end_, levels);
    if (behind != nullptr) last = {{p, static_cast<std::size_t>(behind - p)}, levels};
    return behind;
}

/// `levels`: how many brackets may still be opened.
char const* json_scanner::skip_value(char const* p, std::size_t levels) noexcept {
    p = behind_space(p);
    if (p == end_) return nullptr;
    switch (*p) {
    case '"': return skip_string(p);
    case 't': return literal(p, "true");
    case 'f': return literal(p, "false");
    case 'n': return literal(p, "null");
    case '{':
    case '[': break;
    default: return is_digit(*p) || *p == '-' ? number(p) : nullptr;
    }
    if (levels == 0) return nullptr;
    bool const object = *p == '{';
    if (object && end_ - p > 64 && std::memcmp(p, R"({"f:)", 4) == 0) // managedFields
        if (auto const* behind = skip_names(p, levels); behind != nullptr) return behind;
    char const close = object ? '}' : ']';
    p = behind_space(p + 1);
    if (p != end_ && *p == close) return p + 1;
    for (;;) {
        if (object) {
            if (p == end_ || *p != '"' || (p = skip_string(p)) == nullptr) return nullptr;
            p = behind_space(p);
            if (p == end_ || *p != ':') return nullptr;
            ++p;
        }
        if (end_ - p >= 2 && p[0] == '{' && p[1] == '}' && levels > 1) // the commonest value of managedFields
            p += 2;
        else if ((p = skip_value(p, levels - 1)) == nullptr)
            return nullptr;
        p = behind_space(p);
        if (p == end_) return nullptr;
        if (*p == close) return p + 1;
        if (*p != ',') return nullptr;
        p = behind_space(p + 1);
    }
}

char const* json_scanner::copy(char const* p, std::string& out) {
    peek(p);
    char const* const first = p;
    p = skip(p);
    if (p == nullptr) return nullptr;
    if (plain_) {
        out.assign(first, p);
        return p;
    }
    json_scanner again({first, static_cast<std::size_t>(p - first)}, max_depth_);
    out.clear();
    for (char const* at = first; again.peek(at) != '\0';) {
        if (char const c = *at; c != '"') {
            out += c;
            ++at;
            continue;
        }
        std::string_view s;
        at = again.string(at, s);
        append_string(s, out);
    }
    return p;
}

} // namespace kftrain::detail
