#include "kube/http/header_fields.hpp"

#include "base/ascii.hpp"
#include "base/failure_at.hpp"

#include <kftrain/kube/message.hpp>
#include <kftrain/version.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace kftrain::kube {
namespace {

/// Escapes characters that the name of a header field must not contain, and the percent sign.
std::string as_field_name(std::string_view key) {
    constexpr std::string_view signs = "!#$&'*+-.^_`|~";
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string out;
    for (char const c : key) {
        if (is_alnum(c) || signs.find(c) != std::string_view::npos) {
            out += c;
            continue;
        }
        auto const byte = static_cast<unsigned char>(c);
        out += '%';
        out += digits[byte >> 4U];
        out += digits[byte & 15U];
    }
    return out;
}

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

constexpr std::string_view spaces = " \t";

void skip_spaces(std::string_view& s) { s.remove_prefix(std::min(s.find_first_not_of(spaces), s.size())); }

/// Takes a quoted string off the front.
std::optional<std::string> take_quoted(std::string_view& s) {
    if (!s.starts_with('"')) return {};
    std::string text;
    for (std::size_t i = 1; i < s.size(); ++i) {
        if (s[i] == '"') {
            s.remove_prefix(i + 1);
            return text;
        }
        if (s[i] == '\\' && ++i == s.size()) break;
        text += s[i];
    }
    return {};
}

/// Takes the token before the next space off the front.
std::string_view take_token(std::string_view& s) {
    auto const word = s.substr(0, s.find_first_of(spaces));
    s.remove_prefix(word.size());
    skip_spaces(s);
    return word;
}

void read_field(std::string_view value, std::vector<std::string>& texts) {
    for (;;) {
        skip_spaces(value);
        auto const code = take_token(value);
        auto const agent = take_token(value);
        auto text = take_quoted(value);
        if (agent.empty() || !text) return;
        if (code == "299" && !text->empty()) texts.push_back(std::move(*text));
        skip_spaces(value);
        if (value.starts_with('"') && !take_quoted(value)) return; // the date
        skip_spaces(value);
        if (!value.starts_with(',')) return;
        value.remove_prefix(1);
    }
}

bool same_name(std::string_view a, std::string_view b) noexcept {
    return std::ranges::equal(a, b, [](char x, char y) { return to_lower(x) == to_lower(y); });
}

} // namespace

void http_fields::add(std::string name, std::string value) { list_.emplace_back(std::move(name), std::move(value)); }

void http_fields::set(std::string name, std::string value) {
    std::erase_if(list_, [&](value_type const& f) { return same_name(f.first, name); });
    add(std::move(name), std::move(value));
}

std::string_view http_fields::get(std::string_view name) const noexcept {
    for (auto const& [n, v] : list_)
        if (same_name(n, name)) return v;
    return {};
}

std::vector<std::string_view> http_fields::get_all(std::string_view name) const {
    std::vector<std::string_view> values;
    for (auto const& [n, v] : list_)
        if (same_name(n, name)) values.emplace_back(v);
    return values;
}

namespace detail {

result<void> add_impersonation(impersonation const& who, http_fields& fields) {
    if (who.empty() || !fields.get("Impersonate-User").empty()) return {};
    if (who.user.empty()) return failure_at("as.user", "uid, groups and extra of an impersonation require a user");
    fields.add("Impersonate-User", who.user);
    if (!who.uid.empty()) fields.add("Impersonate-Uid", who.uid);
    for (auto const& group : who.groups) fields.add("Impersonate-Group", group);
    for (auto const& [key, values] : who.extra)
        for (auto const& value : values) fields.add("Impersonate-Extra-" + as_field_name(key), value);
    return {};
}

std::string_view own_platform() noexcept {
#if defined(__x86_64__)
    return "linux/amd64";
#elif defined(__aarch64__)
    return "linux/arm64";
#else
    return "linux";
#endif
}

std::string user_agent_of(std::string_view program) {
    std::string text(program);
    if (text.empty() || text.find('(') != std::string::npos) return text;
    return text.append(" (").append(own_platform()).append(") kftrain/").append(version());
}

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

std::vector<std::string> read_warnings(http_fields const& fields) {
    std::vector<std::string> texts;
    for (auto const& value : fields.get_all("Warning")) read_field(value, texts);
    return texts;
}

} // namespace detail
} // namespace kftrain::kube
