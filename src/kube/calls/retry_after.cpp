#include "kube/calls/retry_after.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace kftrain::kube::detail {
namespace {

std::string_view trimmed(std::string_view s) {
    while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
    while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
    return s;
}

/// Two or four digits; negative for anything else.
int number(std::string_view s) {
    int n = 0;
    auto const [end, ec] = std::from_chars(s.data(), s.data() + s.size(), n);
    return ec == std::errc() && end == s.data() + s.size() && std::all_of(s.begin(), s.end(), is_digit) ? n : -1;
}

/// `Sun, 06 Nov 1994 08:49:37 GMT`, the only form that may be sent.
std::optional<std::chrono::sys_seconds> http_date(std::string_view s) {
    constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    if (s.size() != 29 || s.substr(3, 2) != ", " || s[7] != ' ' || s[11] != ' ' || s[16] != ' ' || s[19] != ':' ||
        s[22] != ':' || s.substr(25) != " GMT")
        return std::nullopt;
    auto const month = std::find(months.begin(), months.end(), s.substr(8, 3));
    int const day = number(s.substr(5, 2)), year = number(s.substr(12, 4));
    int const hour = number(s.substr(17, 2)), minute = number(s.substr(20, 2)), second = number(s.substr(23, 2));
    std::chrono::year_month_day const date(std::chrono::year(year),
                                           std::chrono::month(static_cast<unsigned>(month - months.begin()) + 1),
                                           std::chrono::day(static_cast<unsigned>(std::max(day, 0))));
    if (year < 0 || !date.ok() || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60)
        return std::nullopt;
    return std::chrono::sys_days(date) + std::chrono::hours(hour) + std::chrono::minutes(minute) +
           std::chrono::seconds(second);
}

} // namespace

std::optional<std::chrono::seconds> retry_after(http_fields const& fields) {
    auto const text = trimmed(fields.get("Retry-After"));
    if (text.empty()) return std::nullopt;
    if (std::all_of(text.begin(), text.end(), is_digit)) {
        std::int64_t n = 0;
        auto const [end, ec] = std::from_chars(text.data(), text.data() + text.size(), n);
        if (ec == std::errc::result_out_of_range) return longest_retry_after;
        return std::min(std::chrono::seconds(n), longest_retry_after);
    }
    auto const then = http_date(text), now = http_date(trimmed(fields.get("Date")));
    if (!then) return std::nullopt;
    if (!now) return std::chrono::seconds(0);
    return std::clamp<std::chrono::seconds>(*then - *now, std::chrono::seconds(0), longest_retry_after);
}

std::optional<std::chrono::seconds> retry_after(std::int64_t requested) {
    if (requested <= 0) return std::nullopt;
    return std::min(std::chrono::seconds(requested), longest_retry_after);
}

} // namespace kftrain::kube::detail
