#include "model/scalars/decimal.hpp"

#include <kftrain/model/scalars.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace kftrain {
namespace {

using detail::decimal;
using detail::take_digits;

struct duration_unit {
    std::string_view name;
    std::int64_t nanoseconds;
};
// Both letters that look like a mu.
constexpr std::array<duration_unit, 8> duration_units{{{"ns", 1},
                                                       {"us", 1000},
                                                       {"\u00B5s", 1000},
                                                       {"\u03BCs", 1000},
                                                       {"ms", 1000000},
                                                       {"s", 1000000000},
                                                       {"m", 60000000000},
                                                       {"h", 3600000000000}}};

/// One number with its unit from the front.
bool take_part(std::string_view& s, decimal& out) {
    std::string digits(take_digits(s));
    int exponent = 0;
    if (s.starts_with('.')) {
        s.remove_prefix(1);
        auto const part = take_digits(s);
        digits += part;
        exponent = -static_cast<int>(part.size());
    }
    if (digits.empty()) return false;
    auto const name = s.substr(0, std::min(s.find_first_of(".0123456789"), s.size()));
    auto const* u = std::find_if(duration_units.begin(), duration_units.end(),
                                 [&](duration_unit const& x) { return x.name == name; });
    if (u == duration_units.end()) return false;
    s.remove_prefix(name.size());
    out = decimal::of(false, digits, exponent) * decimal::of(u->nanoseconds, 0);
    out.truncate();
    return true;
}

/// Appends `v` / 10^places without trailing zeros.
void append_fraction(std::uint64_t v, std::size_t places, std::string& out) {
    std::uint64_t one = 1;
    for (std::size_t i = 0; i < places; ++i) one *= 10;
    out += std::to_string(v / one);
    auto rest = std::to_string(v % one);
    if (v % one == 0) return;
    rest.insert(0, places - rest.size(), '0');
    rest.erase(rest.find_last_not_of('0') + 1);
    out.append(".").append(rest);
}

} // namespace

bool parse_scalar(std::string_view s, duration& out) {
    bool const negative = s.starts_with('-');
    if (negative || s.starts_with('+')) s.remove_prefix(1);
    decimal sum;
    if (s != "0") {
        if (s.empty()) return false;
        while (!s.empty()) {
            decimal part;
            if (!take_part(s, part)) return false;
            sum = sum + part;
        }
    }
    using limits = std::numeric_limits<std::int64_t>;
    sum.negative = negative && !sum.is_zero();
    if (sum > decimal::of(limits::max(), 0) || sum < decimal::of(limits::min(), 0)) return false;
    out = duration(sum.to_int64());
    return true;
}

void print_scalar(duration d, std::string& out) {
    auto const n = d.count();
    if (n == 0) return void(out += "0s");
    if (n < 0) out += '-';
    std::uint64_t const u = n < 0 ? ~static_cast<std::uint64_t>(n) + 1 : static_cast<std::uint64_t>(n);
    constexpr std::uint64_t second = 1000000000;
    if (u < 1000) return void(out.append(std::to_string(u)).append("ns"));
    if (u < 1000000) return append_fraction(u, 3, out), void(out += "\u00B5s");
    if (u < second) return append_fraction(u, 6, out), void(out += "ms");
    std::uint64_t const minutes = u / second / 60;
    if (minutes >= 60) out.append(std::to_string(minutes / 60)).append("h");
    if (minutes > 0) out.append(std::to_string(minutes % 60)).append("m");
    append_fraction(u % (60 * second), 9, out);
    out += 's';
}

} // namespace kftrain
