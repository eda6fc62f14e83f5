#include "model/yaml_scalar.hpp"

#include "model/json_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace kftrain::detail {
namespace {

using kind = yaml_scalar::kind;

bool is_one_of(std::string_view s, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), s) != words.end();
}

yaml_scalar make_boolean(bool b) {
    yaml_scalar s;
    s.what = kind::boolean;
    s.boolean = b;
    s.text = b ? "true" : "false";
    return s;
}

yaml_scalar make_integer(std::int64_t i) {
    yaml_scalar s;
    s.what = kind::integer;
    s.integer = i;
    append_number(i, s.text);
    return s;
}

yaml_scalar make_number(double d) {
    yaml_scalar s;
    s.what = kind::number;
    s.number = d;
    append_number(d, s.text);
    return s;
}

yaml_scalar make_kind(kind k) {
    yaml_scalar s;
    s.what = k;
    return s;
}

/// Sign, `0x`, `0o`, `0b` or a leading zero for octal, digits.
std::optional<yaml_scalar> parse_integer(std::string_view s) {
    bool const sign = !s.empty() && (s.front() == '+' || s.front() == '-');
    bool const negative = sign && s.front() == '-';
    if (sign) s.remove_prefix(1);
    int base = 10;
    if (s.size() > 2 && s[0] == '0' && std::string_view("xXoObB").find(s[1]) != std::string_view::npos) {
        base = s[1] == 'x' || s[1] == 'X' ? 16 : s[1] == 'o' || s[1] == 'O' ? 8 : 2;
        s.remove_prefix(2);
    } else if (s.size() > 1 && s[0] == '0') {
        base = 8;
        s.remove_prefix(1);
    }
    std::uint64_t v = 0;
    auto const r = std::from_chars(s.data(), s.data() + s.size(), v, base);
    if (s.empty() || r.ec != std::errc() || r.ptr != s.data() + s.size()) return std::nullopt;
    constexpr auto max = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (negative && v <= max + 1) return make_integer(static_cast<std::int64_t>(~v + 1));
    if (!negative && v <= max) return make_integer(static_cast<std::int64_t>(v));
    if (sign) return std::nullopt; // beyond int64 only as a float
    auto big = make_number(static_cast<double>(v));
    big.text = std::to_string(v);
    return big;
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
std::optional<double> parse_float(std::string_view s) {
    if (s.starts_with('+')) {
        s.remove_prefix(1); // from_chars does not take it
        if (s.starts_with('-')) return std::nullopt;
    }
    std::size_t i = 0;
    auto const digits = [&] {
        std::size_t const from = i;
        while (i < s.size() && s[i] >= '0' && s[i] <= '9') ++i;
        return i - from;
    };
    if (i < s.size() && s[i] == '-') ++i;
    bool const whole = digits() != 0;
    if (i < s.size() && s[i] == '.') {
        ++i;
        if (digits() == 0 && !whole) return std::nullopt;
    } else if (!whole) {
        return std::nullopt;
    }
    if (i < s.size() && (s[i] == 'e' || s[i] == 'E')) {
        ++i;
        if (i < s.size() && (s[i] == '+' || s[i] == '-')) ++i;
        if (digits() == 0) return std::nullopt;
    }
    if (i != s.size()) return std::nullopt;
    double v = 0;
    auto const r = std::from_chars(s.data(), s.data() + s.size(), v);
    if (r.ec == std::errc::result_out_of_range) {
        // Too small is zero; too large stays a string.
        bool const tiny = s.find("e-") != std::string_view::npos || s.find("E-") != std::string_view::npos;
        return tiny ? std::optional<double>(0.0) : std::nullopt;
    }
    if (r.ec != std::errc() || !std::isfinite(v)) return std::nullopt;
    return v;
}

std::string without_underscores(std::string_view s) {
    std::string text(s);
    std::erase(text, '_');
    return text;
}

/// Each underscore stands between two digits.
bool separates_digits(std::string_view s) {
    auto const digit_at = [&](std::size_t i) { return i < s.size() && s[i] >= '0' && s[i] <= '9'; };
    for (std::size_t i = 0; i < s.size(); ++i)
        if (s[i] == '_' && (!digit_at(i - 1) || !digit_at(i + 1))) return false;
    return true;
}

} // namespace

yaml_scalar resolve_yaml_scalar(std::string_view plain) {
    if (is_one_of(plain, {"", "~", "null", "Null", "NULL"})) return make_kind(kind::null);
    if (is_one_of(plain, {"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"}))
        return make_boolean(true);
    if (is_one_of(plain, {"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"}))
        return make_boolean(false);
    if (is_one_of(plain, {".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf",
                          "-.INF"}))
        return make_kind(kind::not_finite);
    char const c = plain.front();
    if (c == '.') {
        if (separates_digits(plain))
            if (auto const d = parse_float(without_underscores(plain))) return make_number(*d);
    } else if ((c >= '0' && c <= '9') || c == '+' || c == '-') {
        std::string const digits = without_underscores(plain);
        if (auto i = parse_integer(digits)) return *std::move(i);
        if (auto const d = parse_float(digits)) return make_number(*d);
    }
    return {};
}

} // namespace kftrain::detail
