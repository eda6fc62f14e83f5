#include "model/schema/known_patterns.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>

namespace kftrain {
namespace {

/* One matcher for each pattern instead of a regex engine, see docs/design/decisions/0011-patterns.md. Each matches a
   whole text, as all of these patterns do. */

bool holds(std::string_view all, char c) noexcept { return all.find(c) != std::string_view::npos; }

void skip_sign(std::string_view& s) noexcept {
    if (s.starts_with('+') || s.starts_with('-')) s.remove_prefix(1);
}

std::size_t skip_digits(std::string_view& s) noexcept {
    auto const end = std::ranges::find_if_not(s, is_digit);
    auto const count = static_cast<std::size_t>(end - s.begin());
    s.remove_prefix(count);
    return count;
}

/// Takes `12`, `12.`, `12.5` or `.5` off the front; false if none of them is there.
bool skip_number(std::string_view& s) noexcept {
    auto digits = skip_digits(s);
    if (s.starts_with('.')) {
        s.remove_prefix(1);
        digits += skip_digits(s);
    }
    return digits != 0;
}

bool is_quantity(std::string_view s) noexcept {
    skip_sign(s);
    if (!skip_number(s)) return false;
    if (s.empty() || (s.size() == 1 && holds("numkMGTPE", s[0]))) return true;
    if (s.size() == 2 && s[1] == 'i') return holds("KMGTPE", s[0]);
    if (s[0] != 'e' && s[0] != 'E') return false;
    s.remove_prefix(1);
    skip_sign(s);
    return skip_number(s) && s.empty();
}

bool is_condition_reason(std::string_view s) noexcept {
    auto const within = [](char c) { return is_alnum(c) || holds("_,:", c); };
    return !s.empty() && is_letter(s.front()) && (is_alnum(s.back()) || s.back() == '_') &&
           std::ranges::all_of(s, within);
}

/// Letters and digits at both ends, by `is_end`, also some of `between`.
bool is_word(std::string_view s, bool (*is_end)(char) noexcept, std::string_view between) noexcept {
    auto const within = [&](char c) { return is_end(c) || holds(between, c); };
    return !s.empty() && is_end(s.front()) && is_end(s.back()) && std::ranges::all_of(s, within);
}

bool is_small(char c) noexcept { return is_lower(c) || is_digit(c); }

bool is_qualified_name(std::string_view s) noexcept {
    if (auto const slash = s.find('/'); slash != std::string_view::npos) {
        for (auto domain = s.substr(0, slash);;) {
            auto const dot = domain.find('.');
            if (!is_word(domain.substr(0, dot), is_small, "-")) return false;
            if (dot == std::string_view::npos) break;
            domain.remove_prefix(dot + 1);
        }
        s.remove_prefix(slash + 1);
    }
    return is_word(s, is_alnum, "-_.");
}

constexpr std::array<known_pattern, 3> table_of_patterns{
    {{R"(^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+)))"
      R"((([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$)",
      is_quantity},
     {R"(^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$)", is_condition_reason},
     {R"(^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?)"
      R"((([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$)",
      is_qualified_name}}};

} // namespace

std::span<known_pattern const> known_patterns() noexcept { return table_of_patterns; }

text_predicate matcher_of(std::string_view pattern, pattern_judge const& judge) {
    auto const known = std::ranges::find(table_of_patterns, pattern, [](auto const& p) { return p.text; });
    if (known != table_of_patterns.end()) return known->matches;
    return judge ? judge(pattern) : text_predicate();
}

} // namespace kftrain
