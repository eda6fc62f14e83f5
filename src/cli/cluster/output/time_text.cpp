#include "cli/cluster/output/time_text.hpp"

#include "base/whole_number.hpp"

#include <algorithm>

namespace kftrain::cli {
namespace {

constexpr std::chrono::hours longest_time(24 * 365);

failure no_time(std::string_view text) {
    failure f;
    f.code = errc::invalid_argument;
    f.detail.message =
        "expected a duration such as 90s, 5m or 1h30m, at most a year, got \"" + std::string(text) + "\"";
    return f;
}

std::string with_rest(std::int64_t value, char unit, std::int64_t rest, char rest_unit) {
    std::string text = std::to_string(value) + unit;
    return rest == 0 ? text : text + std::to_string(rest) + rest_unit;
}

} // namespace

result<std::chrono::milliseconds> read_time(std::string_view text) {
    duration time{};
    if (auto const seconds = read_whole_number<std::int32_t>(text))
        time = std::chrono::seconds(*seconds);
    else if (!parse_scalar(text, time))
        return no_time(text);
    if (time < duration::zero() || time > longest_time) return no_time(text);
    return std::chrono::ceil<std::chrono::milliseconds>(time); // rounds up, since 0 means no limit
}

std::string age(std::optional<time_point> since, time_point now) {
    if (!since) return "-";
    constexpr std::int64_t minute = 60, hour = 60 * minute, day = 24 * hour;
    std::int64_t const s = std::max<std::int64_t>((now - *since).count(), 0); // the clocks may differ
    if (s < 2 * minute) return std::to_string(s) + "s";
    if (s < 10 * minute) return with_rest(s / minute, 'm', s % minute, 's');
    if (s < 3 * hour) return std::to_string(s / minute) + "m";
    if (s < 8 * hour) return with_rest(s / hour, 'h', s % hour / minute, 'm');
    if (s < 2 * day) return std::to_string(s / hour) + "h";
    if (s < 8 * day) return with_rest(s / day, 'd', s % day / hour, 'h');
    return std::to_string(s / day) + "d";
}

std::string age(std::optional<time_point> since) {
    return age(since, std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()));
}

} // namespace kftrain::cli
