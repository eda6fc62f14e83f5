#include "kinds/volcano_job/plugins/plugin_flags.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace kftrain::volcano {
namespace {

int digit_value(char c) noexcept {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    return 36;
}

/// Base by its prefix, which is cut off.
int take_base(std::string_view& digits) noexcept {
    if (digits.size() < 2 || digits[0] != '0') return 10;
    char const mark = digits[1];
    int base = 8;
    std::size_t prefix = 1;
    if (mark == 'x' || mark == 'X') base = 16;
    if (mark == 'b' || mark == 'B') base = 2;
    if (base != 8 || mark == 'o' || mark == 'O') prefix = 2;
    digits.remove_prefix(prefix);
    return base;
}

/// What a number became, and whether it is one.
struct read_number {
    read_number() = default;
    read_number(std::int64_t v, bool w) : value(v), whole(w) {}

    std::int64_t value = 0;
    bool whole = false;
};

/// Upstream: Go `strconv.ParseInt` with base 0. An underscore may stand between digits, and behind a prefix.
read_number number_of(std::string_view text) noexcept {
    bool const negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    std::string_view digits = text;
    int const base = take_base(digits);
    bool const prefixed = digits.size() != text.size();
    if (digits.empty()) return {};
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    std::uint64_t const bound = negative ? most + 1 : most;
    std::uint64_t value = 0;
    bool beyond = false;
    bool after_digit = prefixed;
    for (char const c : digits) {
        if (c == '_') {
            if (!after_digit) return {};
            after_digit = false;
            continue;
        }
        int const d = digit_value(c);
        if (d >= base) return {};
        after_digit = true;
        auto const step = static_cast<std::uint64_t>(base);
        beyond = beyond || value > (bound - static_cast<std::uint64_t>(d)) / step;
        if (!beyond) value = value * step + static_cast<std::uint64_t>(d);
    }
    if (!after_digit) return {};
    std::uint64_t const size = beyond ? bound : value;
    return {negative ? static_cast<std::int64_t>(0 - size) : static_cast<std::int64_t>(size), !beyond};
}

std::optional<bool> truth_of(std::string_view text) noexcept {
    for (std::string_view const yes : {"1", "t", "T", "true", "TRUE", "True"})
        if (text == yes) return true;
    for (std::string_view const no : {"0", "f", "F", "false", "FALSE", "False"})
        if (text == no) return false;
    return std::nullopt;
}

/// False if the value cannot be this; something is set all the same.
bool set(plugin_flag const& flag, std::string_view text) {
    if (auto* const* arguments = std::get_if<std::string*>(&flag.value)) {
        **arguments = text;
        return true;
    }
    if (auto* const* truth = std::get_if<bool*>(&flag.value)) {
        auto const read = truth_of(text);
        **truth = read.value_or(false);
        return read.has_value();
    }
    auto const read = number_of(text);
    *std::get<std::int64_t*>(flag.value) = read.value;
    return read.whole;
}

} // namespace

std::string parse_plugin_flags(std::vector<std::string> const& arguments, std::span<plugin_flag const> known) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        std::string_view const argument = arguments[i];
        if (argument.size() < 2 || argument.front() != '-' || argument == "--")
            return "\"" + arguments[i] + "\" is not a flag, and ends the list";
        std::string_view name = argument.substr(argument[1] == '-' ? 2 : 1);
        if (name.starts_with('-') || name.starts_with('=')) return "\"" + arguments[i] + "\" is not a flag";
        auto const assigned = name.find('=', 1);
        std::optional<std::string_view> value;
        if (assigned != std::string_view::npos) {
            value = name.substr(assigned + 1);
            name = name.substr(0, assigned);
        }
        auto const flag = std::ranges::find(known, name, &plugin_flag::name);
        if (flag == known.end()) return "the plugin has no flag " + std::string(name);
        if (!value && std::holds_alternative<bool*>(flag->value)) value = "true";
        if (!value) {
            if (i + 1 == arguments.size()) return "the flag " + std::string(name) + " has no value";
            value = arguments[++i];
        }
        if (!set(*flag, *value)) return "\"" + std::string(*value) + "\" is not a valid value of " + std::string(name);
    }
    return {};
}

} // namespace kftrain::volcano
