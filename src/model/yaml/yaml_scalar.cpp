#include "model/yaml/yaml_scalar.hpp"

#include "base/is_one_of.hpp"
#include "model/json/json_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace kftrain::detail {
namespace {

using kind = yaml_scalar::kind;
constexpr double infinity = std::numeric_limits<double>::infinity();

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

/// The grammar of YAML's numbers with point or exponent is wider than JSON's: `.5`, `1.`, `01.5`.
struct float_text {
    double value = 0; ///< infinite if it is beyond a double
    bool is_json = false;
};

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
std::optional<float_text> parse_float(std::string_view s) {
    float_text r;
    r.is_json = true;
    if (s.starts_with('+')) {
        s.remove_prefix(1); // from_chars does not take it
        if (s.starts_with('-')) return std::nullopt;
        r.is_json = false;
    }
    std::size_t i = 0;
    auto const digits = [&] {
        std::size_t const from = i;
        while (i < s.size() && s[i] >= '0' && s[i] <= '9') ++i;
        return i - from;
    };
    if (i < s.size() && s[i] == '-') ++i;
    bool const zero = i < s.size() && s[i] == '0';
    std::size_t const whole = digits();
    if (whole == 0 || (zero && whole > 1)) r.is_json = false;
    if (i < s.size() && s[i] == '.') {
        ++i;
        std::size_t const part = digits();
        if (part == 0 && whole == 0) return std::nullopt;
        if (part == 0) r.is_json = false;
    } else if (whole == 0) {
        return std::nullopt;
    }
    if (i < s.size() && (s[i] == 'e' || s[i] == 'E')) {
        ++i;
        if (i < s.size() && (s[i] == '+' || s[i] == '-')) ++i;
        if (digits() == 0) return std::nullopt;
    }
    if (i != s.size()) return std::nullopt;
    auto const read = std::from_chars(s.data(), s.data() + s.size(), r.value);
    if (read.ec == std::errc::result_out_of_range) {
        bool const tiny = s.find("e-") != std::string_view::npos || s.find("E-") != std::string_view::npos;
        r.value = tiny ? 0.0 : s.starts_with('-') ? -infinity : infinity;
    } else if (read.ec != std::errc()) {
        return std::nullopt;
    }
    return r;
}

/// Too large for a double is a string.
std::optional<yaml_scalar> as_number(std::optional<float_text> const& number) {
    if (!number || !std::isfinite(number->value)) return std::nullopt;
    return make_number(number->value);
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
            if (auto d = as_number(parse_float(without_underscores(plain)))) return *std::move(d);
    } else if ((c >= '0' && c <= '9') || c == '+' || c == '-') {
        std::string const digits = without_underscores(plain);
        if (auto i = parse_integer(digits)) return *std::move(i);
        if (auto d = as_number(parse_float(digits))) return *std::move(d);
    }
    return {};
}

yaml_scalar resolve_yaml_float(std::string_view text) {
    auto const number = parse_float(text);
    if (!number || !number->is_json || std::isfinite(number->value)) return resolve_yaml_scalar(text);
    yaml_scalar s = make_kind(kind::number);
    s.number = number->value;
    s.text = text;
    return s;
}

} // namespace kftrain::detail
