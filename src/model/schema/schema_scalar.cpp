#include "base/ascii.hpp"
#include "base/joined.hpp"
#include "model/json/go_text.hpp"
#include "model/schema/schema_outcome.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

namespace kftrain {
namespace {

namespace json = boost::json;

/// JSON type and format of a value as upstream derives them from the type it has in memory.
struct type_name {
    std::string_view type, format;
};
type_name type_of(json::value const& v) {
    switch (v.kind()) {
    case json::kind::null: return {"null", ""};
    case json::kind::bool_: return {"boolean", ""};
    case json::kind::int64: return {"integer", "int64"};
    case json::kind::uint64: [[fallthrough]];
    case json::kind::double_: return {"number", "float64"};
    case json::kind::string: return {"string", ""};
    case json::kind::array: return {"array", ""};
    case json::kind::object: return {"object", ""};
    }
    return {};
}

/// Whether a number without fraction was written with one.
bool is_whole(json::value const& v) {
    if (!v.is_double() && !v.is_uint64()) return false;
    auto const d = v.to_number<double>();
    constexpr double most = 9007199254740991.0; // 2^53 - 1
    if (!std::isfinite(d) || std::abs(d) > most) return false;
    auto const whole = std::trunc(d);
    return d == whole || std::abs(d - whole) / (std::abs(d) + std::abs(whole)) < 1e-9;
}

/// A bound beside a whole number: cut to a whole one, as upstream does; nothing if it does not fit.
std::optional<std::int64_t> whole_bound(double d) {
    constexpr double beyond = 9223372036854775808.0; // 2^63
    if (!(d >= -beyond && d < beyond)) return std::nullopt;
    return static_cast<std::int64_t>(d);
}

std::int64_t length_of(json::string const& s) {
    return std::ranges::count_if(s, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

/// `9` in the form stands for any digit, all else for itself.
bool has_form(std::string_view s, std::string_view form) {
    return std::ranges::equal(s, form, [](char c, char f) { return f == '9' ? is_digit(c) : c == f; });
}

/** @par Upstream kube-openapi `pkg/validation/strfmt/time.go` */
bool is_date(std::string_view s) {
    if (!has_form(s, "9999-99-99")) return false;
    auto const number = [&](std::size_t at, std::size_t n) {
        int v = 0;
        for (char const c : s.substr(at, n)) v = v * 10 + (c - '0');
        return v;
    };
    std::chrono::year_month_day const day{std::chrono::year(number(0, 4)),
                                          std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                          std::chrono::day(static_cast<unsigned>(number(8, 2)))};
    return day.ok();
}

bool is_zone(std::string_view s) { return s == "z" || s == "Z" || has_form(s, "+99:99") || has_form(s, "-99:99"); }

/// Digits behind any character: upstream's pattern has a `.` there that stands for itself no more than for others.
bool is_fraction_and_zone(std::string_view s) {
    if (s.empty() || s.front() == '\n') return false;
    do s.remove_prefix(1);
    while (!s.empty() && (s.front() & '\xC0') == '\x80');
    auto const digits = std::min(s.find_first_not_of("0123456789"), s.size());
    return digits > 0 && is_zone(s.substr(digits));
}

bool is_date_time(std::string_view s) {
    auto const t = s.find_first_of("tT");
    if (t == s.npos || !is_date(s.substr(0, t))) return false;
    auto const time = s.substr(t + 1);
    if (!has_form(time.substr(0, 8), "99:99:99")) return false;
    auto const rest = time.substr(8);
    bool const in_range = time.substr(0, 2) <= "23" && time.substr(3, 2) <= "59" && time.substr(6, 2) <= "59";
    return in_range && (is_zone(rest) || is_fraction_and_zone(rest));
}

} // namespace

schema_outcome check_type(schema_faults const& faults, schema_node const& n, json::value const& v,
                          std::string const& path) {
    auto const accepts = [&](std::string_view t) { return std::ranges::find(n.types, t) != n.types.end(); };
    auto const all = [&] { return joined(n.types, ","); };
    schema_outcome out;
    if (v.is_null()) {
        if (!n.types.empty() && !accepts("null") && !n.nullable)
            out.add(faults.wrong_type(path, all(), "null"));
        else
            ++out.met;
        return out;
    }
    auto const is = type_of(v);
    bool const whole = is_whole(v) && accepts("integer");
    bool const widened = is.type == "integer" && accepts("number");
    bool const text_like = v.is_string() || v.is_array();
    bool const wanted = accepts(is.type) || whole || widened;
    bool const left_to_format = text_like && !n.format.empty() && !accepts("number") && !accepts("integer");
    if (wanted || left_to_format)
        ++out.met;
    else if (!text_like && !n.format.empty() && is.format != n.format)
        out.add(faults.wrong_type(path, n.format, is.format));
    else
        out.add(faults.wrong_type(path, all(), is.type));
    return out;
}

schema_outcome check_text(schema_faults const& faults, schema_node const& n, json::string const& s,
                          std::string const& path) {
    schema_outcome out;
    auto const shown = [&] { return go_text::quoted(text_of(s)); };
    if (n.max_length && length_of(s) > *n.max_length)
        out.add(faults.too_long(path, *n.max_length));
    else if (n.min_length && length_of(s) < *n.min_length)
        out.add(faults.invalid(path, shown(), "should be at least " + std::to_string(*n.min_length) + " chars long"));
    else if (n.matches && !n.matches(text_of(s)))
        out.add(faults.invalid(path, shown(), "should match '" + n.pattern_text + "'"));
    return out;
}

schema_outcome check_format(schema_faults const& faults, schema_node const& n, json::string const& s,
                            std::string const& path) {
    schema_outcome out;
    if (n.format != "password" && !is_date_time(text_of(s))) out.add(faults.wrong_type(path, n.format, text_of(s)));
    return out;
}

schema_outcome check_enumeration(schema_faults const& faults, schema_node const& n, json::value const& v,
                                 std::string const& path) {
    schema_outcome out;
    if (!n.enumeration.empty() && std::ranges::find(n.enumeration, v) == n.enumeration.end())
        out.add(faults.unsupported(path, v, n.enumeration));
    return out;
}

schema_outcome check_number(schema_faults const& faults, schema_node const& n, json::value const& v,
                            std::string const& path) {
    schema_outcome out;
    bool const integer = v.is_int64();
    auto const value = v.to_number<double>();
    auto const limit = [&](double l) {
        auto const whole = integer ? whole_bound(l) : std::nullopt;
        return whole ? std::to_string(*whole) : go_text::number(l);
    };
    /// -1, 0, 1
    auto const compare = [&](double l) {
        if (integer) {
            auto const i = v.get_int64();
            auto const k = whole_bound(l);
            if (!k) return l > 0 ? -1 : l < 0 ? 1 : 0; // as a double, i might round up to the bound
            return i < *k ? -1 : i > *k ? 1 : 0;
        }
        return value < l ? -1 : value > l ? 1 : 0;
    };
    auto const shown = go_text::plain(v);
    if (n.multiple_of) {
        bool fine = false;
        if (auto const factor = whole_bound(*n.multiple_of); integer && factor)
            fine = *factor > 0 && v.get_int64() % *factor == 0;
        else
            fine = is_whole(json::value(*n.multiple_of < 1 ? 1 / *n.multiple_of * value : value / *n.multiple_of));
        if (!fine) out.add(faults.invalid(path, shown, "should be a multiple of " + limit(*n.multiple_of)));
    }
    if (n.minimum && (compare(*n.minimum) < 0 || (n.exclusive_minimum && compare(*n.minimum) == 0)))
        out.add(
            faults.invalid(path, shown,
                           (n.exclusive_minimum ? "should be greater than " : "should be greater than or equal to ") +
                               limit(*n.minimum)));
    if (n.maximum && (compare(*n.maximum) > 0 || (n.exclusive_maximum && compare(*n.maximum) == 0)))
        out.add(faults.invalid(path, shown,
                               (n.exclusive_maximum ? "should be less than " : "should be less than or equal to ") +
                                   limit(*n.maximum)));
    ++out.met;
    return out;
}

} // namespace kftrain
