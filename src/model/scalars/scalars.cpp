#include <kftrain/model/scalars.hpp>

#include "model/scalars/base64.hpp"

#include <kftrain/model/name_map.hpp>
#include <kftrain/model/quantity.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace kftrain {
namespace {

/// Reads from the front of a text; every function returns whether it succeeded.
class scanner {
public:
    explicit scanner(std::string_view s) : rest_(s) {}

    bool done() const noexcept { return rest_.empty(); }
    bool take(char c) {
        if (rest_.empty() || rest_.front() != c) return false;
        rest_.remove_prefix(1);
        return true;
    }
    /// Exactly `width` digits.
    bool number(std::size_t width, int& out) {
        if (rest_.size() < width) return false;
        out = 0;
        for (char c : rest_.substr(0, width)) {
            if (c < '0' || c > '9') return false;
            out = out * 10 + (c - '0');
        }
        rest_.remove_prefix(width);
        return true;
    }
    std::string_view digits() {
        std::size_t n = 0;
        while (n < rest_.size() && rest_[n] >= '0' && rest_[n] <= '9') ++n;
        auto const found = rest_.substr(0, n);
        rest_.remove_prefix(n);
        return found;
    }
    std::string_view rest() const noexcept { return rest_; }

private:
    std::string_view rest_;
};

struct instant {
    std::chrono::sys_seconds seconds;
    std::chrono::nanoseconds fraction;
};

bool parse_offset(scanner& in, std::chrono::minutes& out) {
    if (in.take('Z')) {
        out = {};
        return true;
    }
    bool const east = in.take('+');
    if (!east && !in.take('-')) return false;
    int hours = 0;
    int minutes = 0;
    if (!in.number(2, hours) || !in.take(':') || !in.number(2, minutes) || hours > 23 || minutes > 59) return false;
    out = std::chrono::minutes((hours * 60 + minutes) * (east ? 1 : -1));
    return true;
}

bool parse_fraction(scanner& in, std::chrono::nanoseconds& out) {
    out = {};
    if (!in.take('.')) return true;
    auto const digits = in.digits();
    if (digits.empty() || digits.size() > 9) return false;
    std::int64_t n = 0;
    for (std::size_t i = 0; i < 9; ++i) n = n * 10 + (i < digits.size() ? digits[i] - '0' : 0);
    out = std::chrono::nanoseconds(n);
    return true;
}

bool parse_rfc3339(std::string_view s, instant& out) {
    scanner in(s);
    int year = 0;
    int month = 0;
    int day = 0;
    int hour = 0;
    int minute = 0;
    int second = 0;
    if (!in.number(4, year) || !in.take('-') || !in.number(2, month) || !in.take('-') || !in.number(2, day))
        return false;
    if (!in.take('T')) return false;
    if (!in.number(2, hour) || !in.take(':') || !in.number(2, minute) || !in.take(':') || !in.number(2, second))
        return false;
    // Go's clock has no leap seconds, so neither has the API.
    if (hour > 23 || minute > 59 || second > 59) return false;
    std::chrono::year_month_day const date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    std::chrono::minutes offset{};
    if (!date.ok() || !parse_fraction(in, out.fraction) || !parse_offset(in, offset) || !in.done()) return false;
    out.seconds = std::chrono::sys_days(date) + std::chrono::hours(hour) + std::chrono::minutes(minute) +
                  std::chrono::seconds(second) - offset;
    auto const in_utc = std::chrono::year_month_day(std::chrono::floor<std::chrono::days>(out.seconds)).year();
    return in_utc >= std::chrono::year(0) && in_utc <= std::chrono::year(9999); // others could not be written
}

void print_number(unsigned value, std::size_t width, std::string& out) {
    std::array<char, 8> text{};
    for (std::size_t i = width; i-- != 0; value /= 10) text[i] = static_cast<char>('0' + value % 10);
    out.append(text.data(), width);
}

/// Years from 0 to 9999, all that RFC 3339 has.
void print_seconds(time_point t, std::string& out) {
    auto const day = std::chrono::floor<std::chrono::days>(t);
    std::chrono::year_month_day const date(day);
    auto const second = static_cast<unsigned>((t - day).count());
    print_number(static_cast<unsigned>(std::clamp(static_cast<int>(date.year()), 0, 9999)), 4, out);
    out += '-';
    print_number(static_cast<unsigned>(date.month()), 2, out);
    out += '-';
    print_number(static_cast<unsigned>(date.day()), 2, out);
    out += 'T';
    print_number(second / 3600, 2, out);
    out += ':';
    print_number(second / 60 % 60, 2, out);
    out += ':';
    print_number(second % 60, 2, out);
}

} // namespace

/// Parses the form of servers, `2024-05-06T07:08:09Z`; returns false for other forms, which may be valid as well.
bool parse_usual_time(std::string_view s, time_point& out) {
    if (s.size() != 20 || s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' || s[16] != ':' || s[19] != 'Z')
        return false;
    bool digits = true;
    auto const two = [&](std::size_t at) {
        unsigned const tens = static_cast<unsigned char>(s[at]) - unsigned('0');
        unsigned const ones = static_cast<unsigned char>(s[at + 1]) - unsigned('0');
        digits = digits && tens <= 9 && ones <= 9;
        return tens * 10 + ones;
    };
    std::chrono::year_month_day const date{std::chrono::year(static_cast<int>(two(0) * 100 + two(2))),
                                           std::chrono::month(two(5)), std::chrono::day(two(8))};
    unsigned const hour = two(11);
    unsigned const minute = two(14);
    unsigned const second = two(17);
    if (!digits || !date.ok() || hour > 23 || minute > 59 || second > 59) return false;
    out = std::chrono::sys_days(date) + std::chrono::seconds(hour * 3600 + minute * 60 + second);
    return true;
}

bool parse_scalar(std::string_view s, time_point& out) {
    if (parse_usual_time(s, out)) return true;
    instant t{};
    if (!parse_rfc3339(s, t)) return false;
    out = t.seconds;
    return true;
}

bool parse_scalar(std::string_view s, micro_time& out) {
    instant t{};
    if (!parse_rfc3339(s, t)) return false;
    out = t.seconds + std::chrono::floor<std::chrono::microseconds>(t.fraction);
    return true;
}

void print_scalar(time_point t, std::string& out) {
    print_seconds(t, out);
    out += 'Z';
}

void print_scalar(micro_time t, std::string& out) {
    auto const whole = std::chrono::floor<std::chrono::seconds>(t);
    print_seconds(whole, out);
    std::string const fraction = std::to_string((t - whole).count());
    out.append(".").append(6 - fraction.size(), '0').append(fraction).append("Z");
}

std::optional<std::int64_t> int_or_string::scaled_value(std::int64_t total, bool round_up) const {
    if (!is_string_) return number_;
    std::string_view digits = text_;
    if (!digits.ends_with('%')) return std::nullopt;
    digits.remove_suffix(1);
    bool const plus = digits.starts_with('+');
    if (plus) digits.remove_prefix(1);
    std::int64_t percent = 0;
    std::int64_t hundredths = 0;
    auto const r = std::from_chars(digits.data(), digits.data() + digits.size(), percent);
    if (r.ec != std::errc() || r.ptr != digits.data() + digits.size() || (plus && percent < 0)) return std::nullopt;
    if (__builtin_mul_overflow(percent, total, &hundredths)) return std::nullopt;
    auto const rest = hundredths % 100;
    return hundredths / 100 + (rest > 0 && round_up ? 1 : rest < 0 && !round_up ? -1 : 0);
}

bool parse_scalar(std::string_view s, int_or_string& out) {
    out = int_or_string(std::string(s));
    return true;
}

void print_scalar(int_or_string const& v, std::string& out) {
    if (v.is_string())
        out += v.text();
    else
        out += std::to_string(v.number());
}

bool parse_scalar(std::string_view s, bytes& out) {
    if (s.find_first_of(" \t") != std::string_view::npos) return false;
    auto decoded = base64_decode(s);
    if (!decoded) return false;
    out.data = *std::move(decoded);
    return true;
}

void print_scalar(bytes const& b, std::string& out) { out += base64_encode(b.data); }

template class name_map<std::string>;
template class name_map<quantity>;
template class name_map<bytes>;
template class name_map<std::int32_t>;

} // namespace kftrain
